"""Makes the messages of a recording of a hand-held camera, as a person with a Kinect would publish them, and its truth.

There is no base and no odometry: a transform gives the pose of the optical frame in a world frame, whose floor is at
z = 0. The truth is no message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.sensing import SegmentLabels
from stma_ros.types.standard import (
    NANOSECONDS_PER_SECOND,
    Header,
    Image,
    TFMessage,
    Time,
    TransformStamped,
)
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.handheld.route import opened, route_of
from stma_ros.worlds.house.handheld.tracking import tracked
from stma_ros.worlds.house.place import flat_of, home_of, scene_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.camera import CameraPose
from stma_ros.worlds.robot.depth_camera import SATURATED, DepthCamera, pixels_of_owners
from stma_ros.worlds.robot.detector.detector import SimulatedDetector, Viewpoint
from stma_ros.worlds.robot.sensors import camera_info, optical_pose

COLOR, DEPTH = "/camera/rgb/image_color", "/camera/depth_registered/image_raw"
CAMERA_INFO = "/camera/rgb/camera_info"
SEGMENTATION, LABELS = "/detector/segmentation", "/detector/segmentation_labels"
TF = "/tf"
"""Topics of the recording."""

WORLD, OPTICAL = "world", "camera_rgb_optical_frame"
"""Its coordinate frames."""

USUAL: Final = {
    "hfov": 1.0,
    "camera_height": 1.5,
    "camera_pitch": 0.3,
    "frame_rate": 10.0,
    "depth_noise": 1.0,
    "depth_holes": 0.05,
    "depth_saturation": 1.0,
}
"""Settings of the world that a walk has unless they are given: those of a Kinect in the hands of a person."""

DEPTH_RANGE: Final = (0.5, 4.0)
"""Range of a Kinect's depth [m]."""

PIXELS, FRAMES = 120, 3
"""A person sees a thing that has so many pixels with depth in so many images."""

_BEGIN = 1000  # stamp of the beginning [s]; 0 means none to some recorders
_STREAM = 73  # number of the random stream


class Walk:
    """A walk of a person with a camera through a flat.

    The images come one after the other, once.
    """

    def __init__(self, config: HouseConfig, scene: str, seed: int, seconds: float = 0.0) -> None:
        """Plans the walk.

        Args:
            config: settings of the world, with a `frame_rate` above 0.
            scene: name of the flat, as in place.flat_of; empty = that of the seed.
            seed: draws the way and all errors.
            seconds: longest time; 0 = until all rooms are seen.

        Raises:
            ConfigurationError: there is no such flat, or the images have no rate.
        """
        config.check()
        if not config.frame_rate:
            raise ConfigurationError(
                "a walk needs images at a fixed rate; leave world.frame_rate out, or above 0"
            )
        seed %= 2**64
        self.scene = scene or scene_of(seed)
        self._flat = flat_of(self.scene, config)
        self._rate, self._camera = config.frame_rate, config.camera
        self._map_frame = config.map_frame(home_of(self.scene))
        self._state = opened(self._flat)
        self._renderer = Renderer(self._flat, self._camera)
        self._renderer.set_daylight(seed)
        noise = replace(config.noise_model, depth_range=DEPTH_RANGE, depth_invalid=SATURATED)
        self._depth_camera = DepthCamera(noise, seed)
        numbering = np.random.default_rng((seed, _STREAM))
        self._detector = SimulatedDetector(self._flat, self._camera, config.detector_errors, seed, numbering)
        poses = route_of(self._flat, self._camera, self._rate, seed).poses
        self._poses = poses[: max(1, round(seconds * self._rate))] if seconds else poses
        self._measured = tracked(self._poses, self._rate, seed)
        self._shown: Counter[str] = Counter()  # images by the name of the thing

    @property
    def count(self) -> int:
        """The number of images."""
        return len(self._poses)

    @property
    def seconds(self) -> float:
        """The length of the recording [s]."""
        return (self.count - 1) / self._rate

    def images(self) -> Iterator[tuple[Time, tuple[tuple[str, Message], ...]]]:
        """Yields the stamp and the messages of each image, by topic. Raises WorldError where rendering fails."""
        for number, (pose, measured) in enumerate(zip(self._poses, self._measured, strict=True)):
            stamp = self._stamp(number)
            yield stamp, self._messages(stamp, pose, measured)

    def truth(self) -> GroundTruth:
        """Returns the ground truth in the world frame. Things that were not seen in the images so far are `hidden`,
        besides those in closed containers: they need not be found."""
        last = self._poses[-1].standing
        truth = truth_of(self._flat, self.scene, last, self._state, self._stamp(self.count - 1))
        objects = tuple(
            replace(thing, hidden=thing.hidden or self._shown[thing.name] < FRAMES) for thing in truth.objects
        )
        return self._map_frame.truth(replace(truth, objects=objects))

    def _messages(
        self, stamp: Time, pose: CameraPose, measured: CameraPose
    ) -> tuple[tuple[str, Message], ...]:
        picture = self._renderer.render_from(pose, self._state)
        owners = self._renderer.owners
        depth = self._depth_camera.measured(picture, [self._flat.categories[owner] for owner in owners])
        view = Viewpoint(pose.standing, self._state, stamp, pose)
        segments = self._detector.segment(picture, owners, view)
        pixels = pixels_of_owners(picture, depth, len(owners))
        self._shown.update(owners[owner] for owner in np.flatnonzero(pixels >= PIXELS).tolist())
        header = Header(stamp, OPTICAL)
        in_world = self._map_frame.pose(optical_pose(measured))
        return (
            (TF, TFMessage((TransformStamped.of_pose(Header(stamp, WORLD), OPTICAL, in_world),))),
            (CAMERA_INFO, camera_info(header, self._camera)),
            (COLOR, Image.from_array(header, picture.colour, "rgb8")),
            (DEPTH, Image.from_array(header, depth, "16UC1")),
            (SEGMENTATION, Image.from_array(header, segments.ids, "16UC1")),
            (LABELS, SegmentLabels(header=header, labels=segments.labels)),
        )

    def _stamp(self, number: int) -> Time:
        return Time.from_nanoseconds(
            _BEGIN * NANOSECONDS_PER_SECOND + round(number * NANOSECONDS_PER_SECOND / self._rate)
        )
