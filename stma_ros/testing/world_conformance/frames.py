"""Checks of camera images and camera poses."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from stma_ros.testing.world_conformance.played import Frame, NonConformance, Played, require
from stma_ros.testing.world_conformance.trial import Trial
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError
from stma_ros.types.sensing import SegmentLabels
from stma_ros.types.standard import CameraInfo, Image, Odometry, Pose, PoseStamped, TransformStamped

_ENCODINGS = {topics.COLOR: "rgb8", topics.DEPTH: "16UC1", topics.SEGMENTATION: "16UC1"}
_FLOOR = "floor"
_MAX_OFFSET = 0.15  # between the visible floor and the base's height [m]
_MIN_FLOOR_PIXELS = 20  # for the check of the floor's height
_MAX_SPEED, _SLACK = (
    2.0,
    0.3,
)  # of the odometry between two frames [m/s], [m]; perception rejects larger jumps
_ROUNDING = 1e-6


def images_fit_together(trial: Trial) -> None:
    """Colour (rgb8), depth and segmentation (16UC1) of a frame are complete and of one size, and depth was measured in
    at least one pixel."""
    for played, frame in _frames(trial):
        sizes = set()
        for topic, encoding in _ENCODINGS.items():
            image = frame.part(topic, Image)
            require(image.encoding == encoding, f"{topic} as {encoding} in {played}", image.encoding)
            try:
                sizes.add(image.array().shape[:2])
            except BadImageError as error:
                raise NonConformance(f"promised: {topic} is a whole image; seen: {error}") from error
        require(len(sizes) == 1, f"images of one size in {played}", sizes)
        require(bool(_array(frame, topics.DEPTH).any()), f"depth somewhere in {played}", "nothing but 0")


def segments_have_labels(trial: Trial) -> None:
    """Every id in a segmentation except 0 has one label with a category, and the ids of labels are unique."""
    for played, frame in _frames(trial):
        labels = frame.part(topics.SEGMENTATION_LABELS, SegmentLabels).labels
        ids = [label.id for label in labels]
        require(len(set(ids)) == len(ids) and 0 not in ids, f"unique ids from 1 on in {played}", ids)
        require(
            all(label.category for label in labels), f"a category in each label of {played}", "an empty one"
        )
        confidences = [label.confidence for label in labels]
        require(
            all(0.0 <= confidence <= 1.0 for confidence in confidences),
            f"a confidence from 0 to 1 in each label of {played}",
            confidences,
        )
        shown = set(np.unique(_array(frame, topics.SEGMENTATION)).tolist()) - {0}
        require(shown <= set(ids), f"labels for all segments in {played}", shown - set(ids))


def camera_info_fits_the_images(trial: Trial) -> None:
    """camera_info has the size of the images and describes a rectified pinhole camera: K and P agree, there is no
    distortion, and the optical axis is within the image."""
    for played, frame in _frames(trial):
        info, image = frame.part(topics.CAMERA_INFO, CameraInfo), frame.part(topics.COLOR, Image)
        sizes = (info.width, info.height), (image.width, image.height)
        require(sizes[0] == sizes[1], f"camera_info of the size of the images in {played}", sizes)
        k = info.k.reshape(3, 3)
        pinhole = [[k[0, 0], 0.0, k[0, 2]], [0.0, k[1, 1], k[1, 2]], [0.0, 0.0, 1.0]]
        fits = np.array_equal(k, pinhole) and min(k[0, 0], k[1, 1]) > 0
        fits &= bool(0 < k[0, 2] < info.width and 0 < k[1, 2] < info.height)
        require(fits, f"a pinhole in K of {played}", k.tolist())
        rectified = (
            np.array_equal(info.p.reshape(3, 4), np.column_stack([k, np.zeros(3)])) and not info.d.any()
        )
        require(rectified, f"P = K and no distortion in {played}", (info.p.tolist(), info.d.tolist()))


def poses_are_valid(trial: Trial) -> None:
    """The poses of camera, base and localisation are finite, with unit quaternions; camera and base are in one frame,
    and the localisation is in the map frame, which stays the same; the images name the camera's frame."""
    maps = set()
    for played, frame in _frames(trial):
        camera, odometry, localization = _poses(frame)
        for topic, pose in ((topics.CAMERA_POSE, camera.pose), (topics.LOCALIZATION, localization.pose)):
            require(_is_pose(pose), f"a finite pose on {topic} in {played}", pose)
        require(_is_pose(odometry.pose.pose), f"a finite pose of the base in {played}", odometry.pose.pose)
        named = camera.header.frame_id, odometry.header.frame_id
        require(named[0] == named[1] != "", f"camera and base of {played} in one frame", named)
        placed = localization.child_frame_id
        require(placed == named[1], f"the localisation of {played} to place the odometry's frame", placed)
        images = {frame.part(topic, Image).header.frame_id for topic in _ENCODINGS}
        require(len(images) == 1 and "" not in images, f"images of {played} in the camera's frame", images)
        require(bool(odometry.child_frame_id), f"the base's frame named in {played}", "nothing")
        maps.add(localization.header.frame_id)
    require(len(maps) == 1 and "" not in maps, "one map frame for an episode", maps)


def odometry_does_not_jump(trial: Trial) -> None:
    """Between two frames the odometry moves no farther than 2 m/s allow, because perception rejects such frames."""
    for (_, before), (played, now) in itertools.pairwise(_frames(trial)):
        one, other = (_poses(frame)[1].pose.pose.position for frame in (before, now))
        moved = math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))
        allowed = _MAX_SPEED * (now.stamp - before.stamp) / 1e9 + _SLACK
        require(moved <= allowed, f"at most {allowed:.2f} m to a frame of {played}", f"{moved:.2f} m")


def floor_is_at_the_height_of_the_base(trial: Trial) -> None:
    """Pixels labelled `floor` are at the height of the base, by depth [mm], camera_info and poses; this verifies units,
    axes (REP-103) and intrinsics."""
    for played, frame in _frames(trial):
        labels = frame.part(topics.SEGMENTATION_LABELS, SegmentLabels).labels
        floors = [label.id for label in labels if label.category == _FLOOR]
        depth = _array(frame, topics.DEPTH)
        rows, columns = np.nonzero(np.isin(_array(frame, topics.SEGMENTATION), floors) & (depth > 0))
        if rows.size < _MIN_FLOOR_PIXELS:
            continue
        k = frame.part(topics.CAMERA_INFO, CameraInfo).k.reshape(3, 3)
        rays = np.stack([(columns - k[0, 2]) / k[0, 0], (rows - k[1, 2]) / k[1, 1], np.ones(rows.size)])
        camera, odometry, _ = _poses(frame)
        up = _up(camera.pose) @ (rays * depth[rows, columns] / 1000.0)
        heights = up + camera.pose.position.z - odometry.pose.pose.position.z
        low, high = np.percentile(heights, (25, 75))  # edges of segments and far depth may err
        require(
            max(abs(low), abs(high)) <= _MAX_OFFSET,
            f"the floor of {played} at the height of the base",
            f"{low:.2f} to {high:.2f} m above it",
        )


def _frames(trial: Trial) -> Iterator[tuple[Played, Frame]]:
    return ((played, frame) for played in trial.episode.all for frame in played.frames)


def _array(frame: Frame, topic: str) -> NDArray[np.int64]:
    return frame.part(topic, Image).array().astype(np.int64)


def _poses(frame: Frame) -> tuple[PoseStamped, Odometry, TransformStamped]:
    camera, localization = (
        frame.part(topics.CAMERA_POSE, PoseStamped),
        frame.part(topics.LOCALIZATION, TransformStamped),
    )
    return camera, frame.part(topics.ODOMETRY, Odometry), localization


def _is_pose(pose: Pose) -> bool:
    p, q = pose.position, pose.orientation
    length = math.hypot(q.x, q.y, q.z, q.w)
    return all(map(math.isfinite, (p.x, p.y, p.z))) and abs(length - 1.0) < _ROUNDING


def _up(pose: Pose) -> NDArray[np.float64]:
    """Returns the last row (3,) of the rotation matrix: the z components of its axes."""
    q = pose.orientation
    return np.array(
        [2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)]
    )
