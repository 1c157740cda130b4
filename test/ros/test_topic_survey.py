"""A survey of the graph reports the publishers of each topic."""

from __future__ import annotations

from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image

from stma_ros.ros.topic_survey import FoundPublisher, survey
from stma_ros.types import topics
from support.ros.waiting import eventually


def test_topic_survey_names_publishers_and_those_with_incompatible_qos(ros):
    best_effort = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
    ros.probe.create_publisher(Image, topics.COLOR, 100)
    ros.probe.create_publisher(Image, topics.DEPTH, best_effort)
    found = eventually(
        lambda: (seen := survey(ros.namespace, listen=1.0)).keys() == {topics.COLOR, topics.DEPTH} and seen
    )
    assert found[topics.COLOR] == (FoundPublisher("probe", "sensor_msgs/msg/Image"),)
    (deaf,) = found[topics.DEPTH]
    assert (deaf.node, deaf.ros_type) == ("probe", "sensor_msgs/msg/Image")
    assert "best effort" in deaf.incompatibility.lower().replace("_", " ")
