"""Definitions of the messages of vision_msgs 4, for bags without definitions (SQLite up to Humble)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stma_ros.storage.bag.messages import Definition

DETECTION_2D_ARRAY = "vision_msgs/msg/Detection2DArray"
DETECTION_3D_ARRAY = "vision_msgs/msg/Detection3DArray"
LABEL_INFO = "vision_msgs/msg/LabelInfo"

_FIELDS: Mapping[str, str] = {
    "Detection2DArray": "std_msgs/Header header\nvision_msgs/Detection2D[] detections",
    "Detection3DArray": "std_msgs/Header header\nvision_msgs/Detection3D[] detections",
    "LabelInfo": "std_msgs/Header header\nvision_msgs/VisionClass[] class_map\nfloat32 threshold",
    "Detection2D": "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\n"
    "vision_msgs/BoundingBox2D bbox\nstring id",
    "Detection3D": "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\n"
    "vision_msgs/BoundingBox3D bbox\nstring id",
    "ObjectHypothesisWithPose": "vision_msgs/ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose",
    "ObjectHypothesis": "string class_id\nfloat64 score",
    "BoundingBox2D": "vision_msgs/Pose2D center\nfloat64 size_x\nfloat64 size_y",
    "BoundingBox3D": "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
    "Pose2D": "vision_msgs/Point2D position\nfloat64 theta",
    "Point2D": "float64 x\nfloat64 y",
    "VisionClass": "uint16 class_id\nstring class_name",
}


def vision_definition(ros_type: str) -> Definition:
    """Returns the definition of one of the types above, with those of its parts."""
    name = ros_type.rpartition("/")[2]
    return Definition("ros2msg", "\n".join((_FIELDS[name], *_parts(name))))


def _parts(name: str) -> Iterable[str]:
    for other, fields in _FIELDS.items():
        if other != name:
            yield f"{'=' * 80}\nMSG: vision_msgs/{other}\n{fields}"
