"""RGB-D frames of a simulated flat, taken by a camera that turns around."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.frame_source import EmittedFrames
from stma_ros.types.component import CancelToken
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.worlds.registry import make_world
from support.worlds.map_frames import AT_HOME


@cache
def flat_frames(seed: int = 1000, looks: int = 1) -> tuple[CameraFrame, ...]:
    """Returns the frames of looks around from one place."""
    # Homes that lie over one another on the map: only there another home is recognised.
    house = make_world("house", {"rooms": 3, "width": 160, "height": 120, **AT_HOME})
    try:
        house.reset(f"flat_{seed}", seed)
        request = SkillRequest(request_id="t/0", task_id="t", action=Action("look_around"))
        return tuple(
            frame for _ in range(looks) for frame in EmittedFrames(house.execute(request, CancelToken()))
        )
    finally:
        house.close()


def write_recording(folder: Path, frames: tuple[CameraFrame, ...]) -> None:
    """Writes frames as `load_frames` reads them."""
    folder.mkdir()
    for number, frame in enumerate(frames):
        view, segmentation, pose = frame.view, frame.segmentation, frame.pose
        assert view is not None
        assert segmentation is not None
        assert pose is not None
        assert frame.color is not None
        camera = view.camera
        base = np.eye(4)
        yaw = pose.base.yaw
        base[:2, :2] = [[np.cos(yaw), -np.sin(yaw)], [np.sin(yaw), np.cos(yaw)]]
        base[:2, 3] = pose.base.position.x, pose.base.position.y
        np.savez_compressed(
            folder / f"{number:04}.npz",
            depth=view.depth_mm,
            k=np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]]),
            camera_pose=view.camera_pose,
            stamp=frame.stamp.seconds,
            color=frame.color,
            segmentation=segmentation.ids,
            label_ids=[label.id for label in segmentation.labels],
            label_names=[label.category for label in segmentation.labels],
            base=base,
        )
