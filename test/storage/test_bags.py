"""Standard tools read our bags, unfinished bags are read, and damage is named."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from stma_ros.storage.bag import writer as bag_writer
from stma_ros.storage.bag.metadata import StoredQos
from stma_ros.storage.bag.reader import Bag, read_bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.planning import Action, Outcome, Plan, Task
from stma_ros.types.standard import Clock, Header, Image, Odometry, Time
from stma_ros.types.stepped import StepStamp

PLAN = Plan(
    at=StepStamp(task_id="task_1", step=3),
    subgoal="look behind the sofa",
    actions=(Action("explore", ("frontier_2",)),),
)
LAST_MAGIC = 8


def stamped(nanoseconds: int) -> Header:
    return Header(Time.from_nanoseconds(nanoseconds), "map")


def record(folder: Path, count: int = 40) -> list[tuple[str, object]]:
    """Records a bag with two topics and returns its messages."""
    sent: list[tuple[str, object]] = []
    with BagWriter(folder) as writer:
        recorder = MessageRecorder(writer)
        for index in range(count):
            for topic, message in (
                (
                    topics.TASK,
                    Task(header=stamped(1000 * index), task_id=f"task_{index}", text="find the mug"),
                ),
                (topics.ODOMETRY, Odometry(stamped(1000 * index + 1), "base_link")),
            ):
                recorder(topic, message)
                sent.append((topic, message))
    return sent


def test_a_bag_holds_the_recorded_messages_in_order(tmp_path: Path) -> None:
    sent = record(tmp_path / "run")
    assert [(topic, message) for topic, _, message in read_bag(tmp_path / "run")] == sent
    assert Bag(tmp_path / "run").is_finished


def test_standard_mcap_tools_read_our_bags(tmp_path: Path) -> None:
    record(tmp_path, count=3)
    with (tmp_path / "run.mcap").open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        assert reader.get_header().profile == "ros2"
        summary = reader.get_summary()
        assert summary is not None
        assert {schema.encoding for schema in summary.schemas.values()} == {"ros2msg"}
        texts = {schema.name: schema.data.decode() for schema in summary.schemas.values()}
        assert "MSG: std_msgs/Header" in texts["stma_ros/msg/Task"]
        assert "MSG: geometry_msgs/TwistWithCovariance" in texts["nav_msgs/msg/Odometry"]
        stamps = [message.log_time for _, _, message in reader.iter_messages()]
    assert stamps == [0, 1, 1000, 1001, 2000, 2001]


def test_rosbags_reads_our_bags_without_our_package(tmp_path: Path) -> None:
    with BagWriter(tmp_path) as writer:
        writer.add_topic(
            "/plan", PLAN.ROS_TYPE, (StoredQos("keep_last", 1000, "reliable", "transient_local"),)
        )
        writer.write("/plan", to_cdr(PLAN), 5)
    with AnyReader([tmp_path]) as reader:
        (connection,) = reader.connections
        (qos,) = connection.ext.offered_qos_profiles
        assert (qos.depth, qos.durability.name, qos.reliability.name) == (1000, "TRANSIENT_LOCAL", "RELIABLE")
        ((_, stamp, data),) = reader.messages()
        plan = reader.deserialize(data, connection.msgtype)
    assert (stamp, plan.subgoal, plan.actions[0].arguments) == (5, "look behind the sofa", ["frontier_2"])


def test_metadata_of_a_bag_list_topics_counts_and_times(tmp_path: Path) -> None:
    with BagWriter(tmp_path, {"namespace": "robot_1"}) as writer:
        assert metadata(tmp_path)["message_count"] == 0
        writer.add_topic("/plan", PLAN.ROS_TYPE)
        writer.write("/plan", to_cdr(PLAN), 50)
        writer.write("/plan", to_cdr(PLAN), 20)
        writer.flush()
        assert [
            topic["topic_metadata"]["name"] for topic in metadata(tmp_path)["topics_with_message_count"]
        ] == ["/plan"]
    about = metadata(tmp_path)
    assert about["relative_file_paths"] == ["run.mcap"]
    assert about["custom_data"] == {"namespace": "robot_1"}
    assert about["message_count"] == about["topics_with_message_count"][0]["message_count"] == 2
    assert about["starting_time"]["nanoseconds_since_epoch"] == 20
    assert about["duration"]["nanoseconds"] == 30
    assert about["topics_with_message_count"][0]["topic_metadata"]["type_description_hash"].startswith(
        "RIHS01_"
    )


def test_metadata_are_not_rewritten_for_each_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing them takes some 50 ms, and a robot has 29 topics."""
    written: list[int] = []
    monkeypatch.setattr(bag_writer, "write_metadata", lambda *about: written.append(len(about[2])))
    with BagWriter(tmp_path) as writer:
        for index in range(29):
            writer.add_topic(f"/plan_{index}", PLAN.ROS_TYPE)
        writer.flush()
        writer.flush()
    assert written == [0, 29, 29]  # at once, when there is news, and at the end


def test_a_killed_recorder_leaves_the_flushed_messages(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from stma_ros.storage.bag.writer import BagWriter, MessageRecorder\n"
        "from stma_ros.types.planning import Task\n"
        "writer = BagWriter(Path(sys.argv[1])); tap = MessageRecorder(writer)\n"
        "for index in range(25): tap('task', Task(task_id=f'task_{index}'))\n"
        "writer.flush(); print('flushed', flush=True); sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "run")]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.getcwd()}
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"flushed\n"
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    assert not Bag(tmp_path / "run").is_finished
    assert [message.task_id for _, _, message in read_bag(tmp_path / "run")] == [
        f"task_{i}" for i in range(25)
    ]


def test_a_bag_writer_flushes_periodically(tmp_path: Path) -> None:
    now = [0.0]
    writer = BagWriter(tmp_path, clock=lambda: now[0])
    tap = MessageRecorder(writer)
    tap(topics.TASK, Task(task_id="early"))
    assert list(read_bag(tmp_path)) == []
    now[0] = 1.0
    tap(topics.TASK, Task(task_id="late"))
    assert [message.task_id for _, _, message in read_bag(tmp_path)] == ["early", "late"]
    writer.close()


@pytest.mark.parametrize("missing", [1, 9, 200, 3000])
def test_a_truncated_bag_is_read_up_to_its_end(tmp_path: Path, missing: int) -> None:
    sent = record(tmp_path, count=400)
    data = (tmp_path / "run.mcap").read_bytes()
    (tmp_path / "run.mcap").write_bytes(data[:-missing])
    found = [(topic, message) for topic, _, message in read_bag(tmp_path)]
    assert not Bag(tmp_path).is_finished
    assert found == sent[: len(found)]


def test_a_bag_damaged_in_the_middle_is_refused_by_name(tmp_path: Path) -> None:
    record(tmp_path)
    path = tmp_path / "run.mcap"
    data = bytearray(path.read_bytes())
    data[len(data) // 4 : len(data) // 4 + 64] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(StorageError, match=r"run\.mcap is damaged .*mcap recover"):
        list(read_bag(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "holds no bag"), (b"\x89MCAP", "holds no bag"), (b"not a bag at all", "holds no bag")],
)
def test_files_that_are_no_bags_are_refused_by_name(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.mcap"
    path.write_bytes(content)
    with pytest.raises(StorageError, match=message):
        list(read_bag(path))


def test_a_missing_bag_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"nowhere"):
        list(read_bag(tmp_path / "nowhere"))
    with pytest.raises(StorageError, match=r"metadata\.yaml"):
        list(read_bag(tmp_path))
    (tmp_path / "metadata.yaml").write_text("rosbag2_bagfile_information: 3")
    with pytest.raises(StorageError, match=r"reindex"):
        list(read_bag(tmp_path))


def test_a_misspelt_bag_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    record(tmp_path / "demo-1")
    with pytest.raises(StorageError, match=r"there is no .*dmo-1\. Did you mean .*/demo-1\?"):
        list(read_bag(tmp_path / "dmo-1"))


def test_a_folder_of_bags_is_refused_with_their_names(tmp_path: Path) -> None:
    for number in range(7):
        record(tmp_path / f"run-{number}")
    with pytest.raises(StorageError, match=r"holds some; name one of them: .*/run-0, .*/run-4 and 2 more"):
        list(read_bag(tmp_path))


def test_a_bag_with_missing_files_is_refused_with_their_names(tmp_path: Path) -> None:
    record(tmp_path)
    (tmp_path / "run.mcap").unlink()
    with pytest.raises(
        StorageError, match=r"none of the files that its metadata\.yaml lists \(run\.mcap\); put"
    ):
        Bag(tmp_path)


def test_messages_of_other_packages_are_left_out(tmp_path: Path) -> None:
    with BagWriter(tmp_path) as writer:
        writer.add_topic("/chatter", "std_msgs/msg/String")
        writer.write("/chatter", b"\x00\x01\x00\x00\x02\x00\x00\x00a\x00", 1)
        MessageRecorder(writer)(topics.CLOCK, Clock(Time(2, 0)))
    assert [topic for topic, _, _ in read_bag(tmp_path)] == [topics.CLOCK]


def test_namespaced_topics_are_made_relative(tmp_path: Path) -> None:
    with BagWriter(tmp_path) as writer:
        MessageRecorder(writer, "/robot_1")(topics.COLOR, Image(stamped(1)))
    assert [topic for topic, _, _ in read_bag(tmp_path, "robot_1")] == [topics.COLOR]


def test_another_definition_of_our_message_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = definitions().schema
    monkeypatch.setattr(type(definitions()), "schema", lambda self, name: real(name) + "string added_since\n")
    with BagWriter(tmp_path) as writer:
        MessageRecorder(writer)(topics.OUTCOME, Outcome())
    with pytest.raises(StorageError, match=r"recorded with other fields in"):
        list(read_bag(tmp_path))


def test_sqlite_bags_of_other_recorders_are_read(tmp_path: Path) -> None:
    store = get_typestore(Stores.ROS2_KILTED)
    with Writer(tmp_path / "bag", version=9, storage_plugin=StoragePlugin.SQLITE3) as writer:
        connection = writer.add_connection("/odom", "nav_msgs/msg/Odometry", typestore=store)
        writer.write(connection, 7, to_cdr(Odometry(stamped(7), "base_link")))
    ((topic, stamp, message),) = read_bag(tmp_path / "bag")
    assert (topic, stamp, message) == (topics.ODOMETRY, 7, Odometry(stamped(7), "base_link"))


def test_misuse_of_a_bag_writer_is_refused_with_the_cause(tmp_path: Path) -> None:
    writer = BagWriter(tmp_path)
    with pytest.raises(StorageError, match="add_topic"):
        writer.write("/plan", b"", 0)
    with pytest.raises(StorageError, match=r"no definition of nobody_msgs/msg/Nothing: install"):
        writer.add_topic("/x", "nobody_msgs/msg/Nothing")
    writer.add_topic("/plan", PLAN.ROS_TYPE)
    with pytest.raises(StorageError, match="cannot also be"):
        writer.add_topic("/plan", Task.ROS_TYPE)
    with pytest.raises(StorageError, match="holds a bag already"):
        BagWriter(tmp_path)
    writer.close()
    with pytest.raises(StorageError, match="closed"):
        writer.write("/plan", to_cdr(PLAN), 0)


def metadata(folder: Path) -> dict[str, object]:
    return yaml.safe_load((folder / "metadata.yaml").read_text())["rosbag2_bagfile_information"]
