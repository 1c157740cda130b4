"""Tests of the node that passes on the detections of another node.

vision_msgs has no wheel: what is particular to its messages is tested on objects with the same fields
(test/sensing/external), and here with a mask of classes, which is a sensor_msgs/Image.
"""

from __future__ import annotations

import math
import re
import sys
from types import ModuleType

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from sensor_msgs.msg import Image as ImageMsg

from stma_ros.ros.conversions import to_msg
from stma_ros.ros.detection_relay import DetectionRelay, chosen_topic, external_class
from stma_ros.sensing.mapping_file import Topics
from stma_ros.sensing.vision_definitions import DETECTION_2D_ARRAY
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import CameraInfo, Header, Image, Time
from support.ros.waiting import eventually

PASSES_ON = "passes on /seg/classes"
MASK = "topics: {class_mask: /seg/classes}\ndetections_labels: [none, couch]\ncategories: {couch: sofa, none: ''}\n"


@pytest.fixture
def mapping(tmp_path):
    file = tmp_path / "topics.yaml"
    file.write_text(MASK, encoding="utf-8")
    return file


class Relayed:
    """A relay, and the messages that it has published."""

    def __init__(self, ros, file, wait):
        self.node = ros.add(DetectionRelay, mapping=str(file), wait=wait)
        self.messages = ros.listen(topics.DETECTIONS)


def header(seconds):
    return Header(Time.from_nanoseconds(seconds * 1_000_000_000), "camera")


def test_relay_publishes_one_message_for_each_frame_with_its_stamp(ros, mapping):
    relayed = Relayed(ros, mapping, wait=5.0)
    frame = ros.publisher(topics.CAMERA_INFO)
    masks = ros.probe.create_publisher(ImageMsg, "/seg/classes", 10)
    eventually(lambda: masks.get_subscription_count() and relayed.node._input.get_publisher_count())
    masks.publish(to_msg(Image.from_array(header(1), np.ones((4, 6), np.uint8), "mono8")))
    frame(CameraInfo(header(1)))
    found = eventually(lambda: relayed.messages and relayed.messages[0])
    assert found.header == header(1)
    assert [(label.id, label.category) for label in found.labels] == [(1, "sofa")]
    assert (found.class_mask.width, found.class_mask.height) == (6, 4)
    assert not found.error


def test_relay_says_that_a_silent_detector_has_nothing_for_a_frame(ros, mapping):
    relayed = Relayed(ros, mapping, wait=0.1)
    ros.publisher(topics.CAMERA_INFO)(CameraInfo(header(1)))
    found = eventually(lambda: relayed.messages and relayed.messages[0])
    assert found.error.text.startswith("/seg/classes: no detections within 0.05 s of the image")


def test_diagnostics_warn_of_a_silent_detector(ros, mapping):
    heard = []
    ros.probe.create_subscription(DiagnosticArray, "/diagnostics", lambda msg: heard.extend(msg.status), 10)
    Relayed(ros, mapping, wait=0.1)
    eventually(lambda: [s for s in heard if (s.level, s.message) == (DiagnosticStatus.OK, PASSES_ON)])
    ros.publisher(topics.CAMERA_INFO)(CameraInfo(header(1)))
    warned = eventually(lambda: next((s for s in heard if s.level == DiagnosticStatus.WARN), None))
    assert warned.name == f"{ros.namespace}/detection_relay"
    assert warned.message.startswith("/seg/classes: no detections")


def test_missing_package_is_named_as_debian_does(monkeypatch):
    monkeypatch.setenv("ROS_DISTRO", "jazzy")
    monkeypatch.setitem(sys.modules, "vision_msgs", ModuleType("vision_msgs"))
    with pytest.raises(ConfigurationError, match="apt-get install ros-jazzy-vision-msgs"):
        external_class(DETECTION_2D_ARRAY)


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ({"wait": math.nan}, "wait must be finite"),
        ({"wait": -1.0}, "wait must be from 0"),
        ({"wiat": 3.0}, "Did you mean 'wait'?"),
    ],
)
def test_relay_refuses_unknown_and_invalid_parameters(ros, mapping, parameters, cause):
    with pytest.raises(ConfigurationError, match=re.escape(cause)):
        ros.add(DetectionRelay, mapping=str(mapping), **parameters)


def test_relay_takes_a_wait_that_is_a_whole_number(ros, mapping):
    assert ros.add(DetectionRelay, mapping=str(mapping), wait=2).get_parameter("wait").value == 2.0


@pytest.mark.parametrize("asked", [Topics(), Topics(detections="/a", class_mask="/b")])
def test_relay_needs_exactly_one_topic(asked):
    with pytest.raises(ConfigurationError, match="takes one topic"):
        chosen_topic(asked)
    assert chosen_topic(Topics(detections="/a")) == "/a"
