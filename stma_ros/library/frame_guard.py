"""Rejects frames that do not fit those before them, which are mistakes of the calling program."""

from __future__ import annotations

from datetime import datetime, timezone

from stma_ros.library.errors import LateFrameError
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.errors import WrongFrameError
from stma_ros.types.standard import Time

_TILT = 0.25
"""Smallest downward component of the image's down axis in the map: cameras are tilted by less than 75 degrees."""

_STEEP = 0.75
"""Downward component of the viewing direction from which on a camera looks at the floor and its image has no down."""


_DATED = 10**9
"""Stamps from here on [s], September 2001, are dates; earlier ones are of a clock that starts again with each session,
as that of a simulation does."""


def check_clock(saved_up_to: Time, first: CameraFrame) -> str:
    """Compares the first frame of a session with the newest one of the saved memory.

    Returns:
        A warning where the clock was set back since the memory was saved; empty where it went on.

    Raises:
        LateFrameError: The frame was taken before the newest of the saved memory, as its date says.
    """
    if first.stamp > saved_up_to:
        return ""
    if first.stamp.sec >= _DATED:
        raise LateFrameError(
            f"a frame of {_date(first.stamp)} is older than the saved memory, which has seen frames up to "
            f"{_date(saved_up_to)}. What was recorded earlier cannot be added afterwards, nor twice: give it a folder "
            "of its own, or call forget_everything() first"
        )
    return (
        f"the frames of this session begin at {first.stamp.seconds:.6f} s, those of the saved memory end at "
        f"{saved_up_to.seconds:.6f} s: the clock is taken to have been set back, and all times of the saved memory "
        "were moved to end a second before the first new frame. An older recording on the same clock belongs in a "
        "folder of its own"
    )


def _date(stamp: Time) -> str:
    return f"{datetime.fromtimestamp(stamp.sec, timezone.utc):%Y-%m-%d %H:%M:%S} UTC"


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
        """Checks a frame; the next ones are compared with it once it is accepted.

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

    def accept(self, frame: CameraFrame) -> None:
        """Takes a frame that was checked and is used."""
        self._newest, self._map_frame = frame.stamp, frame.header.frame_id


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
