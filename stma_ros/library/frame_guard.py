"""Rejects frames that do not fit those before them, which are mistakes of the calling program."""

from __future__ import annotations

from stma_ros.library.errors import LateFrameError
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.errors import WrongFrameError
from stma_ros.types.standard import Time

_TILT = 0.25
"""Smallest downward component of the image's down axis in the map: cameras are tilted by less than 75 degrees."""

_STEEP = 0.75
"""Downward component of the viewing direction from which on a camera looks at the floor and its image has no down."""


class FrameGuard:
    """Checks that frames come in the order of stamps, are in one map frame, and have camera poses with optical axes."""

    def __init__(self, check_axes: bool = True) -> None:
        """Makes a guard without history.

        Args:
            check_axes: Whether to reject poses with which the first camera would lie on its side or upside down, which
                suggests other axes.
        """
        self._check_axes = check_axes
        self._newest: Time | None = None
        self._map_frame = ""

    def check(self, frame: CameraFrame) -> None:
        """Checks a frame.

        Raises:
            LateFrameError: The frame is not newer than the last one.
            WrongFrameError: The frame is in another map frame than those before, its camera pose has other axes, or it
                is not a CameraFrame.
        """
        if not isinstance(frame, CameraFrame):
            raise WrongFrameError(
                f"a CameraFrame is wanted, got {type(frame).__name__}; CameraFrame.from_arrays makes one of arrays"
            )
        if self._newest is not None and frame.stamp <= self._newest:
            raise LateFrameError(
                f"a frame of {frame.stamp.seconds:.6f} s comes after one of {self._newest.seconds:.6f} s. Frames are "
                "taken in the order of their stamps, each stamp once: sort them, merge several cameras by stamp "
                "(heapq.merge), and give cameras that fire at once stamps that differ by a microsecond"
            )
        map_frame = frame.header.frame_id
        if self._map_frame and map_frame != self._map_frame:
            raise WrongFrameError(
                f"this frame is placed in {map_frame!r}, those before in {self._map_frame!r}; one memory has one map "
                "frame: give all poses in it, and corrections as `localization`"
            )
        if self._check_axes and frame.view is not None:
            self._check_axes = not _is_upright(frame)
        self._newest, self._map_frame = frame.stamp, map_frame


def _is_upright(frame: CameraFrame) -> bool:
    """Whether the image's down points down in the map; not where the camera looks at the floor, which does not tell.

    Raises:
        WrongFrameError: The camera lies on its side, stands on its head or looks straight up.
    """
    assert frame.view is not None
    down, forward = -frame.view.camera_pose[2, 1], frame.view.camera_pose[2, 2]
    if down >= _TILT:
        return True
    if forward <= -_STEEP:
        return False
    if forward >= _STEEP:
        seems, axes = "looks straight up", "a body frame (x forward, z up): camera_axes='body'"
    elif down <= -_TILT:
        seems, axes = "stands on its head", "OpenGL's (y up, z backward): camera_axes='opengl'"
    else:
        seems, axes = "lies on its side", "a map whose y axis points up: turn the poses so that z does"
    raise WrongFrameError(
        f"with this camera pose the camera {seems}. A pose of the optical frame (x right, y down, z forward) in a map "
        f"with z up is wanted; are these the axes of {axes}? Where the camera is really mounted like that, set "
        "check_axes=False"
    )
