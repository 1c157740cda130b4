"""Converts rendered images to camera frames, all parts with one stamp and the base's pose."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.sensing import SegmentLabels
from stma_ros.types.standard import (
    CameraInfo,
    Clock,
    Header,
    Image,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    Time,
    TransformStamped,
)
from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.detector.detector import Segmentation
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture

MAP_FRAME, ODOM_FRAME = "map", "odom"
BASE_FRAME, CAMERA_FRAME = "base_link", "camera_color_optical_frame"


def planar(place: Placement) -> Pose:
    return Pose.planar(place.x, place.y, place.yaw)


def camera_pose(camera: Camera, base: Placement) -> Pose:
    """Returns the pose of the optical frame (REP-103) in the frame of the base's pose."""
    return optical_pose(camera.pose(base))


def optical_pose(pose: CameraPose) -> Pose:
    """Returns the pose of the optical frame (REP-103) of a camera."""
    # About z by the yaw, about y by the pitch, then from body axes to optical ones.
    cy, sy = math.cos(pose.yaw / 2), math.sin(pose.yaw / 2)
    cp, sp = math.cos(pose.pitch / 2), math.sin(pose.pitch / 2)
    x, y, z, w = -sy * sp, cy * sp, sy * cp, cy * cp
    q = Quaternion(
        0.5 * (-w + x - y - z), 0.5 * (w + x + y - z), 0.5 * (-w + x + y + z), 0.5 * (w + x - y + z)
    )
    if pose.roll:  # about the optical axis
        cr, sr = math.cos(pose.roll / 2), math.sin(pose.roll / 2)
        q = Quaternion(q.x * cr + q.y * sr, q.y * cr - q.x * sr, q.z * cr + q.w * sr, q.w * cr - q.z * sr)
    return Pose(Point(pose.x, pose.y, pose.z), q)


def camera_info(header: Header, camera: Camera) -> CameraInfo:
    k = camera.intrinsics()
    projection = np.hstack([k, np.zeros((3, 1))])
    return CameraInfo(
        header, camera.height, camera.width, "plumb_bob", np.zeros(5), k.reshape(-1), p=projection.reshape(-1)
    )


def frame(
    stamp: Time,
    camera: Camera,
    odometry: Placement,
    map_from_odometry: Placement,
    picture: Picture,
    segmentation: Segmentation,
) -> Iterator[Emission]:
    """Yields the messages of one frame, and the clock.

    Args:
        stamp: of the frame.
        camera: the camera.
        odometry: pose of the base by the wheels.
        map_from_odometry: correction of the localisation.
        picture: rendered image, its depth as measured.
        segmentation: segments of the image.
    """
    header = Header(stamp, CAMERA_FRAME)
    yield topics.COLOR, Image.from_array(header, picture.colour, "rgb8")
    yield topics.DEPTH, Image.from_array(header, picture.depth, "16UC1")
    yield topics.SEGMENTATION, Image.from_array(header, segmentation.ids, "16UC1")
    yield topics.SEGMENTATION_LABELS, SegmentLabels(header=header, labels=segmentation.labels)
    yield topics.CAMERA_INFO, camera_info(header, camera)
    yield topics.CAMERA_POSE, PoseStamped(Header(stamp, ODOM_FRAME), camera_pose(camera, odometry))
    yield (
        topics.ODOMETRY,
        Odometry(Header(stamp, ODOM_FRAME), BASE_FRAME, PoseWithCovariance(planar(odometry))),
    )
    localization = TransformStamped.of_pose(Header(stamp, MAP_FRAME), ODOM_FRAME, planar(map_from_odometry))
    yield topics.LOCALIZATION, localization
    yield topics.CLOCK, Clock(stamp)
