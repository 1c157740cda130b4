from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import yaml
from rclpy.qos import DurabilityPolicy, QoSCompatibility, QoSProfile, ReliabilityPolicy, qos_check_compatible
from sensor_msgs.msg import Image as ImageMsg
from visualization_msgs.msg import Marker, MarkerArray

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import LIFECYCLE_MANAGER, VISUALIZER
from stma_ros.ros import visualizer
from stma_ros.ros.conversions import msg_class
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.visualizer import MARKED, PICTURED, SUBSCRIBED, Visualizer
from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.planning import Action, Outcome, SkillRequest, SkillTarget
from stma_ros.types.scene_graph import Frontier, Frontiers, ObjectNode, Relation, RoomNode, SceneGraph
from stma_ros.types.sensing import Detection, KeyframeDetections, ObjectHypothesis
from stma_ros.types.standard import (
    ColorRGBA,
    Header,
    Image,
    Odometry,
    Point,
    Point32,
    Polygon,
    Pose,
    PoseWithCovariance,
    RegionOfInterest,
    Time,
    TransformStamped,
    Vector3,
)
from stma_ros.types.stepped import StepStamp
from stma_ros.visual import paths
from support.apps.exploration_run import exploration_run
from support.ros.waiting import eventually

RVIZ = Path(__file__).resolve().parents[2] / "config" / "stma.rviz"


class Screen:
    """The markers of one topic as a viewer shows them, by the rules of RViz."""

    def __init__(self, ros, topic):
        self.markers: dict[tuple[str, int], Marker] = {}
        self.frames = 0
        ros.probe.create_subscription(MarkerArray, topic, self._receive, PROFILES[topics.Delivery.LATCHED])

    def _receive(self, msg):
        names = [(marker.ns, marker.id) for marker in msg.markers]
        assert len(set(names)) == len(names)  # RViz complains of markers with the same name
        for marker in msg.markers:
            if marker.action == Marker.DELETEALL:
                self.markers.clear()
            else:
                assert marker.action == Marker.ADD
                self.markers[marker.ns, marker.id] = marker
        self.frames += 1

    def of(self, kind):
        return [marker for marker in self.markers.values() if marker.type == kind]

    @property
    def texts(self):
        return sorted(marker.text for marker in self.of(Marker.TEXT_VIEW_FACING))


@pytest.fixture
def node(ros):
    return ros.house(Visualizer)


def at(seconds, frame_id="map"):
    return Header(Time.from_nanoseconds(round(seconds * 1e9)), frame_id)


def thing(name, x=1.0, z=0.8):
    red = ColorRGBA(1.0, 0.0, 0.0, 1.0)
    return ObjectNode(
        id=name,
        category=name.partition("_")[0],
        confidence=0.9,
        box=BoundingBox3D.upright(Point(x, 2.0, z), Vector3(0.2, 0.2, 0.1), 0.5),
        color=red,
    )


def graph(seconds, *names, relations=()):
    corners = tuple(Point32(x, y, 0.0) for x, y in ((0, 0), (3, 0), (3, 3)))
    room = RoomNode(
        id="room_1",
        category="kitchen",
        confidence=1.0,
        center=Point(1.0, 1.0, 0.0),
        area=4.0,
        footprint=Polygon(corners),
    )
    objects = tuple(thing(name, float(index)) for index, name in enumerate(names))
    return SceneGraph(at=StepStamp(header=at(seconds)), objects=objects, rooms=(room,), relations=relations)


def test_visualizer_draws_boxes_rooms_and_relations_in_the_frame_of_the_scene_graph(ros, node):
    objects, rooms, relations = (
        Screen(ros, MARKED[path]) for path in (paths.OBJECTS, paths.ROOMS, paths.RELATIONS)
    )
    tell = ros.publisher(topics.SCENE_GRAPH)
    tell(graph(1, "cup_1", "table_1", relations=(Relation("cup_1", "on", "table_1"),)))
    eventually(lambda: objects.markers and rooms.markers and relations.markers)
    cup, table = objects.of(Marker.CUBE)
    assert (table.pose.position.x, table.pose.position.y, table.pose.position.z) == pytest.approx(
        (1.0, 2.0, 0.8)
    )
    assert (cup.scale.x, cup.scale.y, cup.scale.z) == pytest.approx((0.2, 0.2, 0.1))
    assert (cup.pose.orientation.z, cup.pose.orientation.w) == pytest.approx((math.sin(0.25), math.cos(0.25)))
    assert (cup.color.r, cup.color.g, cup.color.b) == pytest.approx((1.0, 0.0, 0.0))
    assert 0.3 < cup.color.a < 1.0
    assert objects.texts == ["cup 1", "table 1"]
    assert rooms.texts == ["kitchen"]
    (outline,) = rooms.of(Marker.LINE_STRIP)
    assert len(outline.points) == 4  # closed
    (line,) = relations.of(Marker.LINE_STRIP)
    assert [line.points[0].x, line.points[1].x] == pytest.approx([0.0, 1.0])
    assert relations.texts == ["on"]
    shown = [*objects.markers.values(), *rooms.markers.values(), *relations.markers.values()]
    assert {marker.header.frame_id for marker in shown} == {"map"}
    assert all(0.05 <= marker.scale.z <= 0.5 for marker in shown if marker.type == Marker.TEXT_VIEW_FACING)


def test_visualizer_deletes_the_marker_of_a_removed_object(ros, node):
    screen = Screen(ros, MARKED[paths.OBJECTS])
    tell = ros.publisher(topics.SCENE_GRAPH)
    tell(graph(1, "cup_1", "table_1", "mug_1"))
    eventually(lambda: len(screen.of(Marker.CUBE)) == 3)
    tell(graph(2, "table_1"))
    eventually(lambda: screen.texts == ["table 1"])
    assert len(screen.of(Marker.CUBE)) == 1
    tell(graph(3))
    eventually(lambda: not screen.markers)


def test_visualizer_sends_exactly_the_present_markers_to_a_late_viewer(ros, node):
    first = Screen(ros, MARKED[paths.OBJECTS])
    tell = ros.publisher(topics.SCENE_GRAPH)
    tell(graph(1, "cup_1", "mug_1"))
    eventually(lambda: first.texts == ["cup 1", "mug 1"])
    tell(graph(2, "cup_1"))
    eventually(lambda: first.texts == ["cup 1"])
    late = Screen(ros, MARKED[paths.OBJECTS])
    eventually(lambda: late.texts == ["cup 1"])


def test_visualizer_draws_markers_when_the_first_viewer_connects(ros, node):
    tell = ros.publisher(topics.SCENE_GRAPH)
    tell(graph(1, "cup_1"))
    eventually(lambda: node._things[paths.OBJECTS])
    screen = Screen(ros, MARKED[paths.OBJECTS])
    eventually(lambda: screen.texts == ["cup 1"])


def test_visualizer_deletes_all_markers_when_the_world_restarts(ros, node):
    objects, path = Screen(ros, MARKED[paths.OBJECTS]), Screen(ros, MARKED[paths.PATH])
    tell, move = ros.publisher(topics.SCENE_GRAPH), ros.publisher(topics.ODOMETRY)
    tell(graph(100, "cup_1"))
    for step in range(3):
        move(standing(100 + step, float(step)))
    eventually(lambda: objects.markers and path.markers)
    move(standing(0.5, 0.0))
    eventually(lambda: not objects.markers and not path.markers)
    tell(graph(1, "mug_1"))
    eventually(lambda: objects.texts == ["mug 1"])


def standing(seconds, x):
    return Odometry(at(seconds, "odom"), "base_link", PoseWithCovariance(Pose.planar(x, 0.0, 0.0)))


def test_visualizer_draws_the_robot_at_its_pose_in_the_map(ros, node):
    robot, path = Screen(ros, MARKED[paths.ROBOT]), Screen(ros, MARKED[paths.PATH])
    ros.publisher(topics.LOCALIZATION)(TransformStamped.of_pose(at(1), "odom", Pose.planar(10.0, 0.0, 0.0)))
    eventually(lambda: node._newest)
    move = ros.publisher(topics.ODOMETRY)
    for step in range(3):
        move(standing(1 + step, float(step)))
    eventually(
        lambda: robot.markers and next(iter(robot.markers.values())).pose.position.x == pytest.approx(12.0)
    )
    eventually(lambda: path.markers and len(next(iter(path.markers.values())).points) == 3)
    assert {marker.header.frame_id for marker in robot.markers.values()} == {"map"}


def test_visualizer_shows_the_target_of_a_skill_until_its_end(ros, node):
    screen = Screen(ros, MARKED[paths.TARGET])
    pose = Pose(Point(1.0, 2.0, 0.8))
    request = SkillRequest(
        header=at(1),
        request_id="r",
        task_id="t",
        step=1,
        subgoal="",
        action=Action("pick", ("cup_1",)),
        targets=(SkillTarget(id="cup_1", category="cup", pose=pose, size=Vector3(0.1, 0.1, 0.1)),),
    )
    ros.publisher(topics.SKILL_REQUEST)(request)
    eventually(lambda: screen.texts == ["pick(cup_1)"])
    ros.publisher(topics.OUTCOME)(Outcome(header=at(2)))
    eventually(lambda: not screen.markers)


def test_visualizer_draws_frontiers_as_arrows_in_the_viewing_direction(ros, node):
    screen = Screen(ros, MARKED[paths.FRONTIERS])
    seen = Frontier(
        id="frontier_1",
        center=Point(2.0, 0.0, 0.0),
        viewpoint=Pose.planar(1.0, 0.0, np.pi / 2),
        length=1.0,
        unknown_area=3.5,
    )
    ros.publisher(topics.FRONTIERS)(Frontiers(at=StepStamp(header=at(1)), frontiers=(seen,)))
    eventually(lambda: screen.of(Marker.ARROW))
    tail, tip = screen.of(Marker.ARROW)[0].points
    assert (tip.x - tail.x, tip.y > tail.y) == (pytest.approx(0.0, abs=1e-6), True)


def test_visualizer_shows_a_keyframe_with_its_detections(ros, node):
    pictures: list[ImageMsg] = []
    ros.probe.create_subscription(
        ImageMsg, PICTURED[paths.KEYFRAME], pictures.append, PROFILES[topics.Delivery.LATCHED]
    )
    grey = np.full((60, 80, 3), 128, np.uint8)
    ros.publisher(topics.COLOR)(Image.from_array(at(1, "camera"), grey, "rgb8"))
    cup = Detection(hypotheses=(ObjectHypothesis(category="cup"),), roi=RegionOfInterest(20, 30, 20, 40))
    ros.publisher(topics.KEYFRAME_DETECTIONS)(
        KeyframeDetections(header=at(1), keyframe=True, detections=(cup,))
    )
    eventually(lambda: pictures)
    (picture,) = pictures
    assert (picture.width, picture.height, picture.encoding) == (80, 60, "rgb8")
    pixels = np.frombuffer(bytes(picture.data), np.uint8).reshape(60, 80, 3)
    assert np.all(pixels[:10, :15] == 128)
    assert np.any(pixels[49:51, 25:55] != 128)  # the lower edge of the box
    assert np.all(pixels[40, 35:45] == 128)  # within it


def test_visualizer_shows_the_frontiers_kept_snapshots_and_evidence_of_an_exploration(ros, node):
    kept, cited = Screen(ros, MARKED[paths.SNAPSHOTS]), Screen(ros, MARKED[paths.EVIDENCE])
    pictures: dict[str, list[ImageMsg]] = {}
    for path in (paths.FRONTIER_VIEWS, paths.EVIDENCE_PICTURES):
        latched = PROFILES[topics.Delivery.LATCHED]
        shown = pictures.setdefault(path, [])
        ros.probe.create_subscription(ImageMsg, PICTURED[path], shown.append, latched)
    messages = [(topic, message) for topic, message in exploration_run() if topic in SUBSCRIBED]
    tell = {topic: ros.publisher(topic) for topic, _ in messages}
    *before, (end, result) = messages
    for topic, message in before:
        tell[topic](message)
    eventually(lambda: len(kept.of(Marker.LINE_STRIP)) == 2 and pictures[paths.FRONTIER_VIEWS])
    tell[end](result)
    eventually(lambda: cited.texts == ["evidence A"] and pictures[paths.EVIDENCE_PICTURES])


def test_visualizer_survives_a_message_with_invalid_values(ros, node):
    screen = Screen(ros, MARKED[paths.OBJECTS])
    nowhere = dataclasses.replace(thing("ghost_1"), box=BoundingBox3D.aligned(Point(float("nan"), 0.0, 0.0)))
    tell = ros.publisher(topics.SCENE_GRAPH)
    tell(dataclasses.replace(graph(1), objects=(nowhere,)))
    ros.publisher(topics.COLOR)(dataclasses.replace(Image(at(1)), width=7, height=7, encoding="rgb8"))
    tell(graph(2, "cup_1"))
    eventually(lambda: screen.texts == ["cup 1"])


def test_lifecycle_manager_does_not_manage_the_visualizer():
    specs = {spec.name: spec for spec in bring_up(visualize=True)}
    assert VISUALIZER in specs
    assert VISUALIZER not in specs[LIFECYCLE_MANAGER].parameters["node_names"]
    assert VISUALIZER not in {spec.name for spec in bring_up()}
    assert visualizer.NAME == VISUALIZER


# -- the configuration of RViz, which is not installed here


MESSAGES = {
    "rviz_default_plugins/Map": "nav_msgs/msg/OccupancyGrid",
    "rviz_default_plugins/MarkerArray": "visualization_msgs/msg/MarkerArray",
    "rviz_default_plugins/Image": "sensor_msgs/msg/Image",
    "rviz_default_plugins/Odometry": "nav_msgs/msg/Odometry",
}
"""What the displays of rviz_default_plugins that we use subscribe to."""
OTHERS = {"rviz_default_plugins/Grid", "rviz_default_plugins/TF"}
TOOLS = {f"rviz_default_plugins/{name}" for name in ("MoveCamera", "Select", "FocusCamera", "Measure")}


def displays() -> Iterator[dict]:
    yield from yaml.safe_load(RVIZ.read_text())["Visualization Manager"]["Displays"]


def test_the_rviz_configuration_names_only_existing_classes():
    content = yaml.safe_load(RVIZ.read_text())
    manager = content["Visualization Manager"]
    assert {display["Class"] for display in displays()} <= MESSAGES.keys() | OTHERS
    assert {tool["Class"] for tool in manager["Tools"]} <= TOOLS
    assert manager["Views"]["Current"]["Class"] == "rviz_default_plugins/Orbit"
    assert manager["Global Options"]["Fixed Frame"] == "map"
    assert {panel["Class"] for panel in content["Panels"]} <= {
        f"rviz_common/{n}" for n in ("Displays", "Views", "Time")
    }
    assert all(display["Enabled"] == display["Value"] for display in displays())


def test_every_display_of_the_rviz_configuration_matches_a_publisher(ros, node):
    shown = {display["Topic"]["Value"]: display for display in displays() if "Topic" in display}
    ours = {
        publisher.topic_name.removeprefix(f"{ros.namespace}/"): publisher for publisher in node.publishers
    }
    for topic, display in shown.items():
        about = display["Topic"]
        wanted = QoSProfile(
            depth=about["Depth"],
            reliability=ReliabilityPolicy[policy(about["Reliability Policy"])],
            durability=DurabilityPolicy[policy(about["Durability Policy"])],
        )
        if topic in ours:
            kind, offered = ours[topic].msg_type, ours[topic].qos_profile
        else:
            spec = topics.TOPICS[topic]
            kind, offered = msg_class(spec.type), PROFILES[spec.delivery]
        package, _, name = MESSAGES[display["Class"]].split("/")
        assert (kind.__module__.partition(".")[0], kind.__name__) == (package, name), topic
        assert qos_check_compatible(offered, wanted)[0] != QoSCompatibility.ERROR, topic
        latched = offered.durability == DurabilityPolicy.TRANSIENT_LOCAL
        assert latched == (wanted.durability == DurabilityPolicy.TRANSIENT_LOCAL), topic
    assert {*MARKED.values(), *PICTURED.values(), topics.MAP, topics.COLOR, topics.ODOMETRY} <= shown.keys()


def policy(text: str) -> str:
    return text.upper().replace(" ", "_")


def test_visualizer_does_not_subscribe_to_ground_truth():
    assert topics.GROUND_TRUTH not in SUBSCRIBED
    assert set(SUBSCRIBED) <= topics.TOPICS.keys()


def test_visualizer_process_starts_with_the_others_and_ends_on_request(ros, tmp_path):
    (spec,) = [spec for spec in bring_up(visualize=True, namespace=ros.namespace) if spec.name == VISUALIZER]
    with NodeProcesses([spec], tmp_path) as nodes:
        eventually(lambda: ros.probe.count_subscribers(topics.SCENE_GRAPH), "the node", patience=30.0)
        screen = Screen(ros, MARKED[paths.OBJECTS])
        ros.publisher(topics.SCENE_GRAPH)(graph(1, "cup_1"))
        eventually(lambda: screen.texts == ["cup 1"])
    assert nodes.ended() == {VISUALIZER: 0}
