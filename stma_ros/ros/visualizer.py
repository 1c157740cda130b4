"""Publishes the agent's memory and plans as RViz markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.publisher import Publisher
from sensor_msgs.msg import Image
from visualization_msgs.msg import Marker, MarkerArray

from stma_ros.ros.conversions import from_msg, msg_class
from stma_ros.ros.markers import labelled_image, marker_array, markers_of
from stma_ros.ros.qos import PROFILES
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.visual import paths
from stma_ros.visual.drawables import Clear, Drawn, Picture
from stma_ros.visual.scene_builder import SceneBuilder

NAME = "visualizer"
MARKED: Mapping[str, str] = {
    path: f"markers/{path.rpartition('/')[2]}"
    for path in (
        paths.OBJECTS,
        paths.ROOMS,
        paths.RELATIONS,
        paths.FRONTIERS,
        paths.ROUTES,
        paths.TARGET,
        paths.GOAL,
        paths.PATH,
        paths.ROBOT,
        paths.CAMERA,
        paths.SNAPSHOTS,
        paths.EVIDENCE,
    )
}
"""The topic of markers of each drawable thing."""
PICTURED: Mapping[str, str] = {
    paths.KEYFRAME: "markers/keyframe",
    paths.FRONTIER_VIEWS: "markers/frontier_views",
    paths.EVIDENCE_PICTURES: "markers/evidence_pictures",
}
"""The topic of each picture."""

SUBSCRIBED = (
    topics.COLOR,
    topics.CAMERA_INFO,
    topics.CAMERA_POSE,
    topics.ODOMETRY,
    topics.LOCALIZATION,
    topics.KEYFRAME_DETECTIONS,
    topics.SCENE_GRAPH,
    topics.FRONTIERS,
    topics.SPATIAL_BELIEF,
    topics.VISUAL_BELIEF,
    topics.PLAN,
    topics.TASK,
    topics.SKILL_REQUEST,
    topics.OUTCOME,
    topics.TASK_RESULT,
)
_PERIOD = 0.2  # least time between two messages on a topic [s]
_RESET_NS = 1_000_000_000  # a topic whose time goes back this far begins again
_MAX_ELEMENTS = 200  # of a thing that is drawn piece by piece: the newest 600 m of the path


@dataclass(frozen=True, eq=False)
class _Shown:
    drawn: Drawn

    @cached_property
    def markers(self) -> list[Marker]:
        return list(markers_of(self.drawn.thing))


class Visualizer(Node):
    """Draws things that have a subscriber. No component waits for it, and the robot runs without it."""

    def __init__(self, name: str = NAME, **node_options: Any) -> None:
        super().__init__(name, **node_options)
        latched = PROFILES[topics.Delivery.LATCHED]
        self._outputs: dict[str, Publisher[Any]] = {
            path: self.create_publisher(MarkerArray, topic, latched) for path, topic in MARKED.items()
        }
        for path, topic in PICTURED.items():
            self._outputs[path] = self.create_publisher(Image, topic, latched)
        self._begin({})
        for topic in SUBSCRIBED:
            spec = topics.TOPICS[topic]
            self.create_subscription(
                msg_class(spec.type), topic, partial(self._take, topic, spec.type), PROFILES[spec.delivery]
            )
        self.create_timer(_PERIOD, self._publish, clock=Clock(clock_type=ClockType.STEADY_TIME))

    def report(self, error: Exception) -> None:
        self.get_logger().error(f"{type(error).__name__}: {error}")

    def close(self, timeout: float) -> bool:
        return True

    def _begin(self, newest: dict[str, int]) -> None:
        """Forgets all messages; `newest`: times of the topics that have begun [ns]."""
        self._newest = newest
        self._builder = SceneBuilder(with_cloud=False)
        self._things: dict[str, dict[str, _Shown]] = {path: {} for path in self._outputs}
        self._frame_id = ""
        self._changed = set(MARKED)

    def _take(self, topic: str, type_: type[Message], msg: Any) -> None:
        message = from_msg(msg, type_)
        stamp: int = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
        if stamp < self._newest.get(topic, stamp) - _RESET_NS:
            self._begin({})
        self._newest[topic] = stamp
        for drawn in self._builder.take(topic, message):
            self._show(drawn)

    def _show(self, drawn: Drawn) -> None:
        root = next((path for path in self._outputs if f"{drawn.path}/".startswith(f"{path}/")), None)
        if root is None:
            return
        things = self._things[root]
        if isinstance(drawn.thing, Clear):
            things.clear()
        else:
            things[drawn.path] = _Shown(drawn)
            if len(things) > _MAX_ELEMENTS:
                del things[next(iter(things))]
        self._frame_id = drawn.frame_id or self._frame_id
        self._changed.add(root)

    def _publish(self) -> None:
        for path in sorted(self._changed):
            publisher = self._outputs[path]
            if publisher.get_subscription_count() == 0:
                continue
            self._changed.discard(path)
            shown = list(self._things[path].values())
            if path in MARKED:
                markers = (marker for one in shown for marker in one.markers)
                publisher.publish(marker_array(self._frame_id, path.rpartition("/")[2], markers))
            elif shown and isinstance(shown[0].drawn.thing, Picture):
                publisher.publish(labelled_image(shown[0].drawn.thing, shown[0].drawn.stamp_ns))
