"""Oriented boxes, and messages that have one."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.message import Message
from stma_ros.types.standard import Point, Pose, Vector3


@dataclass(frozen=True, eq=False, kw_only=True)
class BoundingBox3D(Message, ros_type="stma_ros/msg/BoundingBox3D"):
    """An oriented box, as of vision_msgs/BoundingBox3D."""

    center: Pose = Pose()
    size: Vector3 = Vector3()

    @classmethod
    def aligned(cls, center: Point = Point(), size: Vector3 = Vector3()) -> BoundingBox3D:
        """Returns a box that is parallel to the axes of its frame; center, size [m]."""
        return cls(center=Pose(center), size=size)

    @classmethod
    def upright(cls, center: Point, size: Vector3, yaw: float) -> BoundingBox3D:
        """Returns a box turned by `yaw` [rad] about the vertical; size along its own axes; center, size [m]."""
        return cls(center=Pose.upright(center, yaw), size=size)

    @property
    def yaw(self) -> float:
        """Direction of the box's own x axis about +z of its frame [rad]."""
        return self.center.yaw


class Boxed:
    """Base of messages that have a `box`."""

    box: BoundingBox3D

    @property
    def center(self) -> Point:
        """The centre of the box [m]."""
        return self.box.center.position

    @property
    def size(self) -> Vector3:
        """The side lengths of the box along its own axes [m]."""
        return self.box.size

    @property
    def yaw(self) -> float:
        """Direction of the box's own x axis about +z of its frame [rad]."""
        return self.box.yaw
