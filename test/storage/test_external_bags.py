"""Bags of other recorders and distributions are read by their own definitions."""

from __future__ import annotations

import io
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import yaml
import zstandard
from mcap.writer import Writer as McapWriter
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from stma_ros.replay.recorded_message import Reader
from stma_ros.storage.bag.reader import Bag, Damage, read_bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.types import topics
from stma_ros.types.control import JournalEntry
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Task
from stma_ros.types.standard import (
    CameraInfo,
    Header,
    Image,
    Odometry,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    Quaternion,
    TFMessage,
    Time,
)

HUMBLE_TABLES = """
CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
    serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL,
    data BLOB NOT NULL);
CREATE INDEX timestamp_idx ON messages (timestamp ASC);
"""


def header(nanoseconds: int, frame: str = "camera") -> Header:
    return Header(Time.from_nanoseconds(nanoseconds), frame)


def image(nanoseconds: int) -> Image:
    pixels = np.arange(4 * 6 * 3, dtype=np.uint8) + nanoseconds % 100
    return Image(header(nanoseconds), 4, 6, "rgb8", 0, 18, pixels.astype(np.uint8))


def odometry(nanoseconds: int) -> Odometry:
    pose = Pose(Point(nanoseconds / 7, 2.0, 0.0), Quaternion(0.0, 0.0, 0.6, 0.8))
    return Odometry(header(nanoseconds, "odom"), "base_link", pose=PoseWithCovariance(pose))


def transforms(nanoseconds: int) -> bytes:
    store = get_typestore(Stores.ROS2_HUMBLE)
    kinds = store.types
    stamp = kinds["builtin_interfaces/msg/Time"](*divmod(nanoseconds, 10**9))
    about = kinds["std_msgs/msg/Header"](stamp, "base_link")
    move = kinds["geometry_msgs/msg/Transform"](
        kinds["geometry_msgs/msg/Vector3"](0.1, 0.0, 1.2),
        kinds["geometry_msgs/msg/Quaternion"](0.0, 0.0, 0.0, 1.0),
    )
    message = kinds["tf2_msgs/msg/TFMessage"](
        [kinds["geometry_msgs/msg/TransformStamped"](about, "camera", move)]
    )
    return bytes(store.serialize_cdr(message, "tf2_msgs/msg/TFMessage"))


TOPICS: dict[str, tuple[str, Callable[[int], bytes]]] = {
    "/rgb/image_raw": (Image.ROS_TYPE, lambda stamp: to_cdr(image(stamp))),
    "/odom": (Odometry.ROS_TYPE, lambda stamp: to_cdr(odometry(stamp))),
    "/tf": ("tf2_msgs/msg/TFMessage", transforms),
}
STAMPS = [30, 10, 20, 20, 40]  # as they were received, which is not the order of the stamps
EXPECTED = [(topic, stamp) for stamp in sorted(STAMPS) for topic in TOPICS]


def write_humble(folder: Path, *, metadata: bool = True) -> Path:
    """Writes a bag as `ros2 bag record` of Humble does: SQLite, metadata of version 5, no definitions."""
    folder.mkdir()
    file = folder / f"{folder.name}_0.db3"
    with sqlite3.connect(file) as base:
        base.executescript(HUMBLE_TABLES)
        for number, (topic, (ros_type, _)) in enumerate(TOPICS.items(), 1):
            base.execute("INSERT INTO topics VALUES (?, ?, ?, 'cdr', '')", (number, topic, ros_type))
        for stamp in STAMPS:
            for number, (_, make) in enumerate(TOPICS.values(), 1):
                row = (number, stamp, make(stamp))
                base.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?)", row)
    base.close()
    about = {
        "version": 5,
        "storage_identifier": "sqlite3",
        "duration": {"nanoseconds": 30},
        "starting_time": {"nanoseconds_since_epoch": 10},
        "message_count": len(EXPECTED),
        "topics_with_message_count": [],
        "compression_format": "",
        "compression_mode": "",
        "relative_file_paths": [file.name],
        "files": [],
    }
    if metadata:
        (folder / "metadata.yaml").write_text(yaml.safe_dump({"rosbag2_bagfile_information": about}))
    return folder


def write_rosbags(
    folder: Path,
    storage: StoragePlugin,
    compression: CompressionMode = CompressionMode.NONE,
    store: Stores = Stores.ROS2_JAZZY,
) -> Path:
    writer = Writer(folder, version=9, storage_plugin=storage)
    writer.set_compression(compression, CompressionFormat.ZSTD)
    writer.set_custom_data("robot", "turtle")
    with writer:
        known = get_typestore(Stores.ROS2_JAZZY)
        connections = {
            topic: writer.add_connection(topic, ros_type, typestore=known)
            for topic, (ros_type, _) in TOPICS.items()
        }
        for stamp in sorted(STAMPS):
            for topic, (_, make) in TOPICS.items():
                writer.write(connections[topic], stamp, make(stamp))
    return folder


def check(bag: Bag) -> None:
    found = list(bag.messages())
    assert [(raw.topic, raw.stamp_ns) for raw in found] == EXPECTED
    for raw in found:
        if raw.topic == "/odom":
            assert bag.decode(raw, Odometry) == odometry(raw.stamp_ns)
        elif raw.ros_type == Image.ROS_TYPE:
            assert bag.decode(raw, Image) == image(raw.stamp_ns)
        else:
            assert raw.data == transforms(raw.stamp_ns)
            (transform,) = bag.decode(raw, TFMessage).transforms
            assert (transform.child_frame_id, transform.transform.translation.z) == ("camera", 1.2)
    assert {(info.name, info.ros_type, info.count) for info in bag.topics.values()} == {
        (topic, ros_type, len(STAMPS)) for topic, (ros_type, _) in TOPICS.items()
    }


@pytest.mark.parametrize("metadata", [True, False])
def test_a_sqlite_bag_of_humble_is_read(tmp_path: Path, metadata: bool) -> None:
    folder = write_humble(tmp_path / "kitchen", metadata=metadata)
    check(Bag(folder))
    check(Bag(folder / "kitchen_0.db3"))
    assert [entry.topic for entry in read_bag(folder)] == ["rgb/image_raw", "odom"] * len(STAMPS)
    assert Bag(folder).is_finished


@pytest.mark.parametrize("storage", list(StoragePlugin))
@pytest.mark.parametrize("compression", [CompressionMode.NONE, CompressionMode.FILE, CompressionMode.MESSAGE])
def test_bags_of_jazzy_are_read_compressed_or_not(
    tmp_path: Path, storage: StoragePlugin, compression: CompressionMode
) -> None:
    bag = Bag(write_rosbags(tmp_path / "bag", storage, compression))
    check(bag)
    assert bag.custom_data == {"robot": "turtle"}


def test_a_truncated_compressed_bag_file_is_read_up_to_the_cut(tmp_path: Path) -> None:
    with BagWriter(tmp_path / "bag") as writer:
        tap = MessageRecorder(writer)
        for stamp in range(20):
            pixels = np.random.default_rng(stamp).integers(0, 255, 100_000, np.uint8)  # does not compress
            tap(topics.COLOR, Image(header(stamp), 100, 1000, "mono8", 0, 1000, pixels))
            writer.flush()
    whole = zstandard.compress((tmp_path / "bag" / "run.mcap").read_bytes())
    file = tmp_path / "run.mcap.zstd"
    file.write_bytes(whole)
    assert len(list(Bag(file).messages())) == 20
    file.write_bytes(whole[: len(whole) // 2])
    damage: list[Damage] = []
    assert 5 <= len(list(Bag(file).messages(damage.append))) < 11
    assert {part.file for part in damage} == {file}
    file.write_bytes(b"not zstd at all")
    with pytest.raises(StorageError, match=r"run\.mcap\.zstd"):
        list(Bag(file).messages())


def test_a_damaged_message_of_a_compressed_bag_is_reported(tmp_path: Path) -> None:
    write_rosbags(tmp_path / "bag", StoragePlugin.SQLITE3, CompressionMode.MESSAGE)
    with sqlite3.connect(tmp_path / "bag" / "bag.db3") as base:
        base.execute("UPDATE messages SET data = x'0011' WHERE id = 2")
    base.close()
    damage: list[Damage] = []
    assert len(list(Bag(tmp_path / "bag").messages(damage.append))) == len(EXPECTED) - 1
    assert "a message on /odom cannot be decompressed" in str(damage[0])


def test_the_readable_rows_of_a_damaged_database_are_read(tmp_path: Path) -> None:
    file = write_humble(tmp_path / "bag") / "bag_0.db3"
    with sqlite3.connect(file) as base:
        base.execute("DELETE FROM messages")
        for number in range(300):
            row = (2, 1000 + number, TOPICS["/odom"][1](1000 + number))
            base.execute("INSERT INTO messages (topic_id, timestamp, data) VALUES (?, ?, ?)", row)
    base.close()
    whole = file.read_bytes()
    sound = set(Bag(file).messages())
    for damaged in (
        whole[: len(whole) // 2],
        whole[: len(whole) // 2] + bytes(8192) + whole[len(whole) // 2 + 8192 :],
    ):
        file.write_bytes(damaged)
        damage: list[Damage] = []
        found = list(Bag(file).messages(damage.append))
        assert len(sound & set(found)) > 100
        assert set(found) <= sound
        assert len(found) == len(set(found))
        assert "the database is damaged" in str(damage[0])
        with pytest.raises(StorageError, match=r"bag_0\.db3 is damaged"):
            list(Bag(file).messages())


def test_a_database_that_is_no_bag_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "x.db3") as base:
        base.execute("CREATE TABLE cats (name TEXT)")
    base.close()
    with pytest.raises(StorageError, match=r"x\.db3 holds no bag .*no tables of topics"):
        list(Bag(tmp_path / "x.db3").messages())


def test_an_external_bag_is_recognised_by_its_topics(tmp_path: Path) -> None:
    bag = Bag(write_humble(tmp_path / "bag"))
    assert not {name.strip("/") for name in bag.topics} & {"camera/color", "camera/depth"}
    assert (bag.namespace(), dict(bag.custom_data)) == ("", {})


def test_paths_that_are_no_bags_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    for path in (tmp_path / "notes.txt", tmp_path / "nowhere", tmp_path):
        with pytest.raises(StorageError, match=rf"{path.name}.*"):
            Bag(path)


def test_the_namespace_of_a_bag_is_that_of_its_journal(tmp_path: Path) -> None:
    for namespace in ("", "robot_1", "site/robot_2"):
        folder = tmp_path / f"bag_{len(namespace)}"
        with BagWriter(folder) as writer:
            tap = MessageRecorder(writer, namespace)
            tap(topics.JOURNAL, JournalEntry())
            tap(topics.TASK, Task())
        assert Bag(folder).namespace() == namespace


def test_a_bag_of_several_robots_is_refused_with_their_names(tmp_path: Path) -> None:
    with BagWriter(tmp_path / "bag") as writer:
        for namespace in ("robot_1", "robot_2"):
            tap = MessageRecorder(writer, namespace)
            tap(topics.JOURNAL, JournalEntry())
            tap(topics.TASK, Task())
    bag = Bag(tmp_path / "bag")
    assert bag.namespaces == ("robot_1", "robot_2")
    with pytest.raises(StorageError, match=r"2 robots \(robot_1, robot_2\).*ros2 bag convert.*/robot_2/"):
        Reader(bag, lambda damage: None)


def test_types_are_known_where_the_summary_of_an_mcap_file_repeats_topics_alone(tmp_path: Path) -> None:
    stream = io.BytesIO()
    writer = McapWriter(stream, chunk_size=1, repeat_schemas=False)  # noRepeatedSchemas of rosbag2
    writer.start(profile="ros2", library="test")
    said = (("/odom", Odometry(header(1), "base_link")), ("/task", Task(text="find the mug")))
    for topic, message in said:
        definition = definitions().schema(message.ROS_TYPE).encode()
        schema = writer.register_schema(message.ROS_TYPE, "ros2msg", definition)
        writer.add_message(writer.register_channel(topic, "cdr", schema), 1, to_cdr(message), 1)
    writer.finish()
    (tmp_path / "run.mcap").write_bytes(stream.getvalue())
    bag = Bag(tmp_path / "run.mcap")
    assert {topic.name: topic.ros_type for topic in bag.topics.values()} == {
        topic: message.ROS_TYPE for topic, message in said
    }
    (raw,) = bag.messages(topics={"/task"})
    assert bag.decode(raw, Task).text == "find the mug"


class Foreign:
    """An MCAP file with one message of a type with its own definition."""

    def __init__(
        self, path: Path, ros_type: str, schema: str, data: bytes, encoding: str = "ros2msg"
    ) -> None:
        stream = io.BytesIO()
        writer = McapWriter(stream)
        writer.start(profile="ros2", library="test")
        channel = writer.register_channel(
            "/topic", "cdr", writer.register_schema(ros_type, encoding, schema.encode())
        )
        writer.add_message(channel, 1, data, 1)
        writer.finish()
        path.write_bytes(stream.getvalue())
        self.bag = Bag(path)
        (self.raw,) = self.bag.messages()

    def decode(self, type_: type[Message]) -> Message:
        return self.bag.decode(self.raw, type_)


CAMERA = CameraInfo(header(5), 480, 640, "plumb_bob", k=np.arange(9.0))


def changed(old: str, new: str) -> str:
    """Returns the definition of CameraInfo with one line changed."""
    ours = definitions().schema(CameraInfo.ROS_TYPE)
    assert old in ours
    return ours.replace(old, new, 1)


def as_recorded(schema: str) -> bytes:
    """Returns CAMERA serialized by that definition."""
    store = get_typestore(Stores.EMPTY)
    of_humble = get_typestore(Stores.ROS2_HUMBLE).fielddefs
    own = get_types_from_msg(schema.partition("=" * 80)[0], CameraInfo.ROS_TYPE)
    store.register(
        {**{name: of_humble[name] for name in (Header.ROS_TYPE, "sensor_msgs/msg/RegionOfInterest")}, **own}
    )
    ours = definitions().store(CameraInfo.ROS_TYPE).deserialize_cdr(to_cdr(CAMERA), CameraInfo.ROS_TYPE)
    values = {name: getattr(ours, name, "new") for name, _ in own[CameraInfo.ROS_TYPE][1]}
    return bytes(store.serialize_cdr(store.types[CameraInfo.ROS_TYPE](**values), CameraInfo.ROS_TYPE))


def test_fields_are_matched_by_name_when_the_definition_differs(tmp_path: Path) -> None:
    schema = changed("uint32 height\n", "string lens\nuint32 height\n")
    assert (
        Foreign(tmp_path / "x.mcap", CameraInfo.ROS_TYPE, schema, as_recorded(schema)).decode(CameraInfo)
        == CAMERA
    )
    ((_, _, message),) = read_bag(tmp_path / "x.mcap")
    assert message == CAMERA


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("string distortion_model\n", "", "has no field distortion_model"),
        ("std_msgs/Header header\n", "string header\n", "has another type of field header"),
        ("std_msgs/Header header\n", "other_msgs/Header header\n", "no definition of other_msgs/msg/Header"),
    ],
)
def test_an_incompatible_definition_is_refused_with_the_field(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    foreign = Foreign(tmp_path / "x.mcap", CameraInfo.ROS_TYPE, changed(old, new), to_cdr(CAMERA))
    with pytest.raises(StorageError, match=problem) as raised:
        foreign.decode(CameraInfo)
    assert CameraInfo.ROS_TYPE in str(raised.value)


def test_definitions_in_idl_are_understood(tmp_path: Path) -> None:
    parts = {
        "geometry_msgs/PoseStamped": "std_msgs::msg::Header header; geometry_msgs::msg::Pose pose;",
        "geometry_msgs/Pose": "geometry_msgs::msg::Point position; geometry_msgs::msg::Quaternion orientation;",
        "geometry_msgs/Point": "double x; double y; double z;",
        "geometry_msgs/Quaternion": "double x; double y; double z; double w;",
        "std_msgs/Header": "builtin_interfaces::msg::Time stamp; string frame_id;",
        "builtin_interfaces/Time": "int32 sec; uint32 nanosec;",
    }
    idl = ""
    for name, fields in parts.items():
        package, kind = name.split("/")
        body = f"module {package} {{ module msg {{ struct {kind} {{ {fields} }}; }}; }};\n"
        idl += "=" * 80 + f'\nIDL: {package}/msg/{kind}\n#include "x.idl"\n{body}'
    pose = PoseStamped(header(9), Pose(Point(1.0, 2.0, 3.0)))
    foreign = Foreign(tmp_path / "x.mcap", PoseStamped.ROS_TYPE, idl, to_cdr(pose), "ros2idl")
    assert foreign.decode(PoseStamped) == pose


@pytest.mark.parametrize(
    ("encoding", "schema"), [("ros2msg", "wär[<<] x\n"), ("ros2idl", "module {"), ("jsonschema", "{}")]
)
def test_malformed_definitions_are_refused_with_the_type(tmp_path: Path, encoding: str, schema: str) -> None:
    foreign = Foreign(tmp_path / "x.mcap", Odometry.ROS_TYPE, schema, to_cdr(odometry(1)), encoding)
    with pytest.raises(StorageError, match=r"nav_msgs/msg/Odometry"):
        foreign.decode(Odometry)


def test_another_definition_of_our_message_is_refused_with_the_differing_fields(tmp_path: Path) -> None:
    schema = (
        definitions()
        .schema(Outcome.ROS_TYPE)
        .replace("float32 distance\n", "float64 distance\nstring mood\n", 1)
    )
    foreign = Foreign(tmp_path / "x.mcap", Outcome.ROS_TYPE, schema, to_cdr(Outcome()))
    with pytest.raises(
        StorageError, match=r"other fields in stma_ros/msg/Outcome \(distance, mood\) than this version"
    ):
        foreign.decode(Outcome)


def test_a_message_of_another_type_or_of_damaged_bytes_is_refused(tmp_path: Path) -> None:
    write_humble(tmp_path / "bag")
    bag = Bag(tmp_path / "bag")
    raw = next(raw for raw in bag.messages() if raw.topic == "/odom")
    with pytest.raises(StorageError, match=r"/odom holds nav_msgs/msg/Odometry, not sensor_msgs/msg/Image"):
        bag.decode(raw, Image)
    with pytest.raises(StorageError, match=r"that are no nav_msgs/msg/Odometry"):
        bag.decode(raw._replace(data=raw.data[:100]), Odometry)


def test_sqlite_files_of_a_split_bag_follow_one_another(tmp_path: Path) -> None:
    write_humble(tmp_path / "bag")
    shutil.copy(tmp_path / "bag" / "bag_0.db3", tmp_path / "bag" / "bag_1.db3")
    assert [(raw.topic, raw.stamp_ns) for raw in Bag(tmp_path / "bag").messages()] == EXPECTED * 2
    assert Bag(tmp_path / "bag").topics["/odom"].count == 2 * len(STAMPS)


@pytest.mark.parametrize("paths", ["[]", "run.mcap", "[5]", "{a: 1}", "[nowhere.mcap]"])
@pytest.mark.parametrize("version", ["[1]", "x", "99"])
def test_odd_metadata_of_a_bag_do_not_crash_the_reader(tmp_path: Path, paths: str, version: str) -> None:
    with BagWriter(tmp_path) as writer:
        MessageRecorder(writer)(topics.TASK, Task())
    text = f"{{storage_identifier: 7, version: {version}, relative_file_paths: {paths}, custom_data: [2]}}"
    (tmp_path / "metadata.yaml").write_text(f"rosbag2_bagfile_information: {text}")
    damage: list[Damage] = []
    found = list(Bag(tmp_path).messages(damage.append))
    assert len(found) == 1 or "missing" in str(damage[0])
    assert dict(Bag(tmp_path).custom_data) == {}
