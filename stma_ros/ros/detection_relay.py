"""Publishes the detections of another node for each camera frame, as perception takes them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.qos import QoSProfile, qos_profile_sensor_data
from rclpy.subscription import Subscription

from stma_ros.ros.conversions import from_msg, generated_class, msg_class, to_msg
from stma_ros.ros.diagnostics import DiagnosticsPublisher, Health
from stma_ros.ros.discovery import DISTRIBUTION
from stma_ros.ros.parameters import Parameters
from stma_ros.ros.qos import PROFILES
from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.relay import FrameDetections
from stma_ros.sensing.external.vision_messages import READERS, labels_of, mask_of
from stma_ros.sensing.mapping_file import Topics, read_mapping
from stma_ros.sensing.vision_definitions import DETECTION_2D_ARRAY, LABEL_INFO
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError, ConfigurationError
from stma_ros.types.message import MessageError
from stma_ros.types.sensing import ExternalDetections
from stma_ros.types.settings import setting
from stma_ros.types.standard import CameraInfo, Header, Image

NAME = "detection_relay"
_PERIOD = 0.05  # [s] between two looks at what waits
_LOOK = 20  # of these periods between two looks for the type of the topic


@dataclass(frozen=True)
class RelayConfig:
    mapping: str = setting("", "mapping file that names the detector's topic; an absolute path")
    wait: float = setting(1.0, "time for which a frame waits for its detections", unit="s", low=0.0)


class DetectionRelay(Node):
    """Takes the topic that a mapping file names as topics.detections (of vision_msgs) or topics.class_mask.

    Each frame gets one message, with an error if the detector has none for it. No node waits for this one, which may be
    started and stopped at any time.
    """

    def __init__(self, name: str = NAME, **node_options: Any) -> None:
        """Makes the node.

        Raises:
            ConfigurationError: A parameter is unknown or invalid, the mapping file cannot be used, names no topic or
                both, or vision_msgs is missing.
        """
        super().__init__(name, automatically_declare_parameters_from_overrides=True, **node_options)
        parameters = Parameters(self)
        parameters.declare(RelayConfig, fixed=True)
        parameters.check()
        config = parameters.build(RelayConfig)
        about = read_mapping(Path(config.mapping) if config.mapping else None)
        self._source = chosen_topic(about.topics)
        if about.topics.detections:
            external_class(DETECTION_2D_ARRAY)  # a missing package is named now, not when the detector starts
        self._names: DetectionNames = about.detection_names
        self._frames = FrameDetections(self._source, about.tolerance, config.wait)
        self._camera, self._problem, self._ticks = "", "", 0
        self._input: Subscription[Any] | None = None
        spec = topics.TOPICS[topics.DETECTIONS]
        self._output = self.create_publisher(msg_class(spec.type), spec.name, PROFILES[spec.delivery])
        self.create_subscription(
            msg_class(CameraInfo),
            topics.CAMERA_INFO,
            self._frame,
            PROFILES[topics.TOPICS[topics.CAMERA_INFO].delivery],
        )
        if about.topics.detections_labels and not self._names.labels:
            latched = PROFILES[topics.Delivery.LATCHED]
            self._subscribe(LABEL_INFO, about.topics.detections_labels, self._take_labels, latched)
        if about.topics.class_mask:
            self._input = self._subscribe(
                Image.ROS_TYPE, self._source, self._take_mask, qos_profile_sensor_data
            )
        self.create_timer(_PERIOD, self._tick, clock=Clock(clock_type=ClockType.STEADY_TIME))
        DiagnosticsPublisher(self, lambda: Health(f"passes on {self._source}", self._problem))

    def report(self, error: Exception) -> None:
        self.get_logger().error(f"{type(error).__name__}: {error}")

    def close(self, timeout: float) -> bool:
        return True

    def _subscribe(
        self, ros_type: str, topic: str, take: Callable[[Any], None], profile: QoSProfile
    ) -> Subscription[Any]:
        return self.create_subscription(external_class(ros_type), topic, take, profile)

    def _find(self) -> None:
        """Subscribes to the topic of boxes once its type is known: two types of vision_msgs are taken."""
        for name, types in self.get_topic_names_and_types():
            for ros_type in types if name == self.resolve_topic_name(self._source) else ():
                if ros_type not in READERS:
                    raise ConfigurationError(
                        f"{self._source} is {ros_type}, and must be {' or '.join(READERS)}: correct topics.detections"
                    )
                self._input = self._subscribe(
                    ros_type, self._source, partial(self._take_boxes, ros_type), qos_profile_sensor_data
                )
                return

    def _frame(self, msg: Any) -> None:
        header = from_msg(msg.header, Header)
        self._camera = header.frame_id
        self._frames.add_frame(header.stamp.nanoseconds, time.monotonic())
        self._publish()

    def _take_labels(self, msg: Any) -> None:
        self._names = replace(self._names, labels=labels_of(msg))

    def _take_boxes(self, ros_type: str, msg: Any) -> None:
        self._add(lambda: READERS[ros_type](msg, self._names))

    def _take_mask(self, msg: Any) -> None:
        self._add(
            lambda: mask_of(from_msg(msg, Image), from_msg(msg.header, Header), self._names),
        )

    def _add(self, convert: Callable[[], ExternalDetections]) -> None:
        try:
            self._frames.add(convert())
        except (BadImageError, MessageError) as error:
            self._warn(f"{self._source}: {error}")
        self._publish()

    def _tick(self) -> None:
        if self._input is None and self._ticks % _LOOK == 0:
            try:
                self._find()
                self._frames.cause = ""
            except ConfigurationError as error:
                self._frames.cause = str(error)
                self._warn(self._frames.cause)
        self._ticks += 1
        self._publish()

    def _publish(self) -> None:
        for found in self._frames.decided(time.monotonic(), self._camera):
            self._output.publish(to_msg(found))
            if found.error:
                self._warn(self._frames.problem)
            else:
                self._problem = ""

    def _warn(self, problem: str) -> None:
        """Logs a problem when it begins, not at each frame."""
        if not self._problem:
            self.get_logger().warning(problem)
        self._problem = problem


def chosen_topic(asked: Topics) -> str:
    """Returns the topic of the detections. Raises ConfigurationError if none or several are named."""
    named = [topic for topic in (asked.detections, asked.class_mask) if topic]
    if len(named) != 1:
        raise ConfigurationError(
            f"{NAME} takes one topic: name it in the file of the parameter mapping, as topics: {{detections: TOPIC}} "
            "or topics: {class_mask: TOPIC}"
        )
    return named[0]


def external_class(ros_type: str) -> Any:
    """Returns the generated class of a message that another package defines.

    Raises:
        ConfigurationError: The package is not installed, or has no such message.
    """
    package, _, name = ros_type.split("/")
    try:
        return generated_class(ros_type)
    except (ImportError, AttributeError) as error:
        distribution = os.environ.get(DISTRIBUTION, "<distro>")
        debian = f"ros-{distribution}-{package.replace('_', '-')}"
        raise ConfigurationError(
            f"messages of {package}/{name} cannot be read ({error}): sudo apt-get install {debian}, and source the "
            "installation again"
        ) from error
