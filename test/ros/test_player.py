from __future__ import annotations

import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest
import rclpy
import yaml
from hypothesis import given
from hypothesis import strategies as st
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

from stma_ros.action import ExecuteSkill
from stma_ros.apps.publish_bag import publish
from stma_ros.ros.context import private_context
from stma_ros.ros.conversions import generated_class, msg_class
from stma_ros.ros.playback_clock import LONGEST_WAIT, PlaybackClock
from stma_ros.ros.player import Player
from stma_ros.ros.playlist import PLAYER, Selection, agent_inputs, make_playlist, robot_topics
from stma_ros.ros.qos import PROFILES
from stma_ros.ros.topic_survey import DISCOVERY
from stma_ros.storage.bag.metadata import METADATA_FILE, StoredQos
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.lossy_color import from_jpeg, to_jpeg
from stma_ros.storage.recording import COMPRESSED_COLOR
from stma_ros.types import topics
from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.types.planning import Plan
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import Clock, Header, Image, OccupancyGrid, Odometry, Time
from stma_ros.types.stepped import StepStamp
from support.ros.waiting import eventually

SECOND = 1_000_000_000
START = 1_000 * SECOND
RECORDED_QOS = StoredQos(depth=1, durability="transient_local")
TF = "tf2_msgs/msg/TFMessage"  # of a package that is not among the wheels


def write_bag(folder, messages, robot=""):
    """Writes a bag.

    Args:
        messages: (seconds since the start, topic, message).
    """
    with BagWriter(folder) as writer:
        for seconds, topic, message in messages:
            name = f"{robot}/{topic}"
            writer.add_topic(name, message.ROS_TYPE, (RECORDED_QOS,) if topic == topics.MAP else ())
            writer.write(name, to_cdr(message), START + round(seconds * SECOND))
    return Bag(folder)


def odometry(seconds):
    return Odometry(Header(Time.from_nanoseconds(START + round(seconds * SECOND)), "odom"), "base_link")


def picture(number):
    pixels = np.full((48, 64, 3), number, np.uint8)
    return Image.from_array(Header(frame_id="camera"), pixels, "rgb8")


@pytest.fixture(autouse=True)
def _found_at_once(monkeypatch):
    """Shortens discovery: the other nodes of these tests are in the same process."""
    monkeypatch.setattr("stma_ros.ros.player.DISCOVERY", 1.0)


@pytest.fixture
def hear(ros):
    """Returns a function that makes the list of the serialized messages of a topic."""

    def listen(name, type_, profile):
        heard: list[bytes] = []
        ros.probe.create_subscription(msg_class(type_), name, heard.append, profile, raw=True)
        return heard

    return listen


@contextmanager
def connected(bag, ros, *heard):
    """A player that all subscribers of these topics have discovered, which may take long on a busy machine."""
    with Player(bag, make_playlist(bag, Selection.ALL, ros.namespace)) as player:
        player.wait_for_readers()
        for topic in heard:
            publisher = player._publishers[f"/{topic}"]
            eventually(publisher.get_subscription_count, f"a reader of {topic}")
        yield player


def play(bag, ros, *heard, rate=1.0, **callbacks):
    with connected(bag, ros, *heard) as player:
        return player.play(rate, **callbacks)


def test_player_publishes_recorded_messages_unchanged_and_in_order(ros, hear, tmp_path):
    seconds = [number / 20 for number in range(20)]
    recorded = [(now, topics.ODOMETRY, odometry(now)) for now in seconds]
    recorded += [(now, topics.COLOR, picture(number)) for number, now in enumerate(seconds)]
    bag = write_bag(tmp_path, sorted(recorded, key=lambda entry: entry[0]))
    moves = hear(topics.ODOMETRY, Odometry, PROFILES[topics.Delivery.SENSOR])
    pictures = hear(topics.COLOR, Image, PROFILES[topics.Delivery.SENSOR])
    began = time.monotonic()
    assert play(bag, ros, topics.ODOMETRY, topics.COLOR, rate=2.0) == 40
    assert time.monotonic() - began >= (seconds[-1] - seconds[0]) / 2.0
    eventually(lambda: len(moves) == len(pictures) == 20)
    assert [bytes(data) for data in moves] == [to_cdr(odometry(now)) for now in seconds]
    assert [bytes(data) for data in pictures] == [to_cdr(picture(number)) for number in range(20)]


def test_player_publishes_a_clock_from_log_times_when_the_bag_has_none(ros, tmp_path):
    bag = write_bag(tmp_path, [(now, topics.ODOMETRY, odometry(now)) for now in (0.0, 2.0)])
    shown: list[float] = []
    ros.probe.create_subscription(
        msg_class(Clock),
        topics.CLOCK,
        lambda msg: shown.append(msg.clock.sec + msg.clock.nanosec / 1e9),
        PROFILES[topics.Delivery.CLOCK],
    )
    play(bag, ros, rate=10.0)
    eventually(lambda: shown and shown[-1] > 1001.9)
    assert shown == sorted(shown)
    assert len(shown) >= 5
    assert 1000.0 <= shown[0] < 1000.5
    assert shown[-1] <= 1002.0


def test_player_publishes_only_the_recorded_clock_when_the_bag_has_one(ros, hear, tmp_path):
    clock = Clock(Time(7, 0))
    bag = write_bag(tmp_path, [(0.0, topics.CLOCK, clock), (0.5, topics.ODOMETRY, odometry(0.5))])
    heard = hear(topics.CLOCK, Clock, PROFILES[topics.Delivery.CLOCK])
    moves = hear(topics.ODOMETRY, Odometry, PROFILES[topics.Delivery.SENSOR])
    play(bag, ros, topics.ODOMETRY, topics.CLOCK)
    eventually(lambda: moves and heard)
    assert {bytes(data) for data in heard} == {to_cdr(clock)}


def test_player_publishes_recorded_jpeg_as_images(ros, hear, tmp_path):
    jpeg = to_jpeg(picture(200), 90)
    bag = write_bag(tmp_path, [(0.0, COMPRESSED_COLOR, jpeg)])
    pictures = hear(topics.COLOR, Image, PROFILES[topics.Delivery.SENSOR])
    play(bag, ros, COMPRESSED_COLOR)
    eventually(lambda: pictures)
    assert bytes(pictures[0]) == to_cdr(from_jpeg(jpeg))


def test_player_sends_latched_messages_to_late_subscribers(ros, hear, tmp_path):
    grid = OccupancyGrid(Header(frame_id="map"), data=np.zeros(4, np.int8))
    bag = write_bag(
        tmp_path,
        [
            (0.0, topics.MAP, grid),
            (0.0, topics.SCENE_GRAPH, SceneGraph(at=StepStamp(step=3))),
            (8.0, topics.ODOMETRY, odometry(8)),
        ],
    )
    moves = hear(topics.ODOMETRY, Odometry, PROFILES[topics.Delivery.SENSOR])
    late: dict[str, list[bytes]] = {}
    came = threading.Event()

    def come() -> None:
        if not late:
            for topic, type_ in ((topics.MAP, OccupancyGrid), (topics.SCENE_GRAPH, SceneGraph)):
                late[topic] = hear(topic, type_, PROFILES[topics.TOPICS[topic].delivery])
            came.set()

    with connected(bag, ros, topics.ODOMETRY) as player:
        # The first messages have gone out when the first callback after them is made.
        player.play(4.0, on_message=come)
        assert came.is_set()
        eventually(lambda: moves and all(late.values()))
    assert [bytes(data) for data in late[topics.MAP]] == [to_cdr(grid)]
    assert [bytes(data) for data in late[topics.SCENE_GRAPH]] == [to_cdr(SceneGraph(at=StepStamp(step=3)))]


def test_player_shortens_and_reports_long_pauses(ros, tmp_path):
    bag = write_bag(tmp_path, [(now, topics.ODOMETRY, odometry(now)) for now in (0.0, 3600.0, 1.0, 1.5)])
    lines: list[str] = []
    began = time.monotonic()
    assert play(bag, ros, rate=100.0, progress=lines.append) == 4
    assert time.monotonic() - began < 20.0
    assert [line.partition(": ")[2] for line in lines] == [
        "after a pause of 3600 s, of which 10 s are played",
        "the log time jumps back by 3599 s",
    ]


@given(st.lists(st.integers(0, 2**62), min_size=1, max_size=20), st.floats(0.01, 100.0))
def test_playback_never_pauses_longer_than_the_limit_for_any_stamps(stamps, rate):
    pace = PlaybackClock(rate)
    for number, stamp in enumerate(stamps):
        jump = pace.go_to(stamp)
        assert pace.left() <= number * LONGEST_WAIT / rate
        assert number == 0 or jump == 0 or pace.now_ns == stamp
        assert pace.log_time() <= pace.now_ns


def test_playback_of_disordered_stamps_takes_no_longer_than_of_ordered_ones():
    pace = PlaybackClock(1.0)
    for seconds in (0.0, 2.0, 1.0, 3.0, 2.5, 4.0):
        pace.go_to(round(seconds * SECOND))
    assert 3.0 < pace.left() <= 4.0
    assert pace.now_ns == 4 * SECOND
    assert 0 <= pace.log_time() < SECOND


def test_player_remaps_topics_to_another_namespace_and_names_types_without_a_package(ros, tmp_path):
    with BagWriter(tmp_path) as writer:
        for name, ros_type in (
            ("/left/journal", "stma_ros/msg/JournalEntry"),
            ("/left/odom", Odometry.ROS_TYPE),
        ):
            writer.add_topic(name, ros_type)
        writer.add_topic("/diagnostics", "diagnostic_msgs/msg/DiagnosticArray")
        writer.add_topic("/left/tf", TF)
        writer.write("/left/odom", to_cdr(odometry(0)), START)
        writer.write("/left/tf", b"\0\1\0\0\0\0\0\0", START)
    with pytest.raises(ImportError):
        generated_class(TF)
    bag = Bag(tmp_path)
    recorded, moved = (make_playlist(bag, Selection.ALL, namespace) for namespace in (None, "right"))
    assert {track.name for track in recorded.tracks} >= {"/left/odom", "/diagnostics"}
    assert {track.name for track in moved.tracks} >= {"/right/odom", "/diagnostics"}
    assert (recorded.namespace, moved.namespace) == ("left", "right")
    assert list(recorded.left_out) == ["/left/tf"]
    assert "install the package tf2_msgs" in recorded.left_out["/left/tf"]


def test_player_refuses_an_invalid_namespace(tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    with pytest.raises(ConfigurationError, match="'my robot' cannot be a robot's namespace"):
        make_playlist(bag, Selection.ALL, "my robot")


def test_player_leaves_out_messages_with_other_definitions(tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0)), (0, topics.PLAN, Plan())])
    file = tmp_path / METADATA_FILE
    content = yaml.safe_load(file.read_text())
    for entry in content["rosbag2_bagfile_information"]["topics_with_message_count"]:
        if entry["topic_metadata"]["name"] == "/plan":
            entry["topic_metadata"]["type_description_hash"] = "RIHS01_" + 64 * "0"
    file.write_text(yaml.safe_dump(content))
    playlist = make_playlist(bag, Selection.ALL)
    assert [track.name for track in playlist.tracks] == ["/odom"]
    assert "had other fields when it was recorded" in playlist.left_out["/plan"]


@pytest.mark.parametrize(
    ("offered", "reliability", "durability", "depth"),
    [
        ([], "reliable", "volatile", 100),  # by what this package publishes odom with
        (
            [{"depth": 3, "reliability": "best_effort", "durability": "volatile"}],
            "best_effort",
            "volatile",
            3,
        ),
        ("- depth: 2\n  reliability: 1\n  durability: 1\n", "reliable", "transient_local", 2),  # Humble
        (
            [
                {"depth": 1, "reliability": "best_effort", "durability": "transient_local"},
                {"depth": 0, "reliability": "reliable", "durability": "volatile"},
            ],
            "reliable",
            "transient_local",
            11,
        ),
        ([{"depth": 1, "reliability": "by pigeon", "durability": "volatile"}], "reliable", "volatile", 100),
        ([{"depth": 1, "reliability": None, "durability": 0.5}], "reliable", "volatile", 100),
        (
            [{"depth": float("inf"), "reliability": "reliable", "durability": "volatile"}],
            "reliable",
            "volatile",
            100,
        ),
        ("- depth: [", "reliable", "volatile", 100),
        ("- depth: 2024-99-99", "reliable", "volatile", 100),
    ],
)
def test_player_uses_the_recorded_quality_of_service(tmp_path, offered, reliability, durability, depth):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    file = tmp_path / METADATA_FILE
    content = yaml.safe_load(file.read_text())
    (entry,) = content["rosbag2_bagfile_information"]["topics_with_message_count"]
    entry["topic_metadata"]["offered_qos_profiles"] = offered
    file.write_text(yaml.safe_dump(content))
    (track,) = make_playlist(bag, Selection.ALL).tracks
    assert track.profile == QoSProfile(
        depth=depth,
        reliability=ReliabilityPolicy[reliability.upper()],
        durability=DurabilityPolicy[durability.upper()],
    )


def test_player_feeds_live_nodes_only_with_inputs_from_bridge_and_executor(tmp_path):
    recorded = (topics.COLOR, picture(0)), (topics.SCENE_GRAPH, SceneGraph()), (topics.PLAN, Plan())
    bag = write_bag(tmp_path, [(0, topic, message) for topic, message in recorded])
    for selection in (Selection.ROBOT, Selection.INPUTS):
        assert [track.name for track in make_playlist(bag, selection).tracks] == ["/camera/color"]
    assert {*topics.FRAME, topics.OBSERVATION, topics.SKILLS, topics.CLOCK} <= robot_topics() < agent_inputs()
    assert topics.SKILL_REQUEST not in robot_topics()
    assert {topics.TASK, topics.SKILL_REQUEST, topics.PLAN_REQUEST} <= agent_inputs()
    assert agent_inputs().isdisjoint(
        {topics.SCENE_GRAPH, topics.TEMPORAL_BELIEF, topics.FAULT, topics.OUTCOME, topics.JOURNAL}
    )


def test_player_refuses_a_bag_without_inputs_for_live_nodes(tmp_path):
    bag = write_bag(tmp_path, [(0, topics.PLAN, Plan())])
    for selection in (Selection.ROBOT, Selection.INPUTS):
        with pytest.raises(StorageError, match="nothing that a robot's body says"):
            make_playlist(bag, selection)


def test_player_that_feeds_live_nodes_offers_the_skill_action_and_executes_no_skill(ros, tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    skills = ActionClient(ros.probe, ExecuteSkill, "execute_skill")
    with Player(bag, make_playlist(bag, Selection.INPUTS, ros.namespace), feed=True):
        eventually(skills.server_is_ready, "the action")
        handle = ros.result(skills.send_goal_async(ExecuteSkill.Goal()))
        assert not handle.accepted
        assert ros.probe.count_publishers("alive/bag_player") == 1
    skills.destroy()


def test_publish_command_lists_played_and_unplayable_topics(ros, tmp_path, capsys):
    with BagWriter(tmp_path) as writer:
        writer.add_topic("/odom", Odometry.ROS_TYPE)
        writer.write("/odom", to_cdr(odometry(0)), START)
        writer.add_topic("/tf", TF)
    assert publish(tmp_path, 1.0, "all", ros.namespace) == 1
    said = capsys.readouterr().out
    assert "left out: /tf: no tf2_msgs/msg/TFMessage here; install the package tf2_msgs" in said
    assert "1 message(s) on 1 topic(s) played" in said


def test_player_refuses_topics_of_a_running_robot(ros, tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    ros.probe.create_publisher(msg_class(Odometry), topics.ODOMETRY, 10)
    with pytest.raises(ConfigurationError, match=r"probe publishes /test_.*/odom in ROS domain .* already"):
        Player(bag, make_playlist(bag, Selection.ALL, ros.namespace))


def test_player_refuses_topics_of_a_publisher_that_is_discovered_late(ros, tmp_path, monkeypatch):
    monkeypatch.setattr("stma_ros.ros.player.DISCOVERY", DISCOVERY)
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    late = threading.Timer(3.1, ros.probe.create_publisher, (msg_class(Odometry), topics.ODOMETRY, 10))
    late.start()  # as found by the announcement that Fast DDS makes every 3 s
    with pytest.raises(ConfigurationError, match="probe publishes"):
        Player(bag, make_playlist(bag, Selection.ALL, ros.namespace))
    late.join()


def test_a_second_player_is_refused_even_before_the_first_publishes(ros, tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    playlist = make_playlist(bag, Selection.ALL, ros.namespace)
    context = private_context()
    looking = rclpy.create_node(PLAYER, namespace=ros.namespace, context=context)
    try:
        with pytest.raises(
            ConfigurationError, match=r"another bag_player is in namespace /test_.* of ROS domain"
        ):
            Player(bag, playlist)
    finally:
        looking.destroy_node()
        context.try_shutdown()


def test_player_refuses_an_invalid_rate(ros, tmp_path):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    with Player(bag, make_playlist(bag, Selection.ALL, ros.namespace)) as player:
        for rate in (0.0, -1.0, float("inf"), float("nan")):
            with pytest.raises(ConfigurationError, match="give a number above 0"):
                player.play(rate)


@pytest.mark.parametrize(
    "listed", [7, ["/odom"], [{"name": "/odom"}], [{"topic_metadata": {"type": "?"}}], {}]
)
def test_player_plays_topics_whose_metadata_have_another_layout(tmp_path, listed):
    bag = write_bag(tmp_path, [(0, topics.ODOMETRY, odometry(0))])
    file = tmp_path / METADATA_FILE
    content = yaml.safe_load(file.read_text())
    content["rosbag2_bagfile_information"]["topics_with_message_count"] = listed
    file.write_text(yaml.safe_dump(content))
    (track,) = make_playlist(bag, Selection.ALL).tracks
    assert (track.name, track.profile.depth) == ("/odom", 100)
