"""Options of a recording: splitting, deleting old files, excluded topics and lossy colour; and a full disk."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.exceptions import EndOfFile
from mcap.reader import NonSeekingReader, make_reader
from rosbags.highlevel import AnyReader

from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.lossy_color import to_jpeg
from stma_ros.storage.recording import COMPRESSED_COLOR, RecordingConfig, excluded_topics
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError, ConfigurationError, StorageError
from stma_ros.types.planning import Task
from stma_ros.types.standard import Header, Image, Time
from support.environment import python_environment
from support.storage.growing_bag import fill, noise
from support.storage.small_disk import mounted_disk

SECOND = 1_000_000_000
MEGABYTE = 1_000_000


def metadata(folder: Path) -> dict[str, Any]:
    return dict(yaml.safe_load((folder / "metadata.yaml").read_text())["rosbag2_bagfile_information"])


def record(folder: Path, seconds: int, config: RecordingConfig) -> BagWriter:
    """Records an image and a task each second."""
    writer = BagWriter(folder, {"seed": "7"}, config=config)
    tap = MessageRecorder(writer, config=config)
    for second in range(1, seconds + 1):
        tap(topics.COLOR, noise(second))
        tap(topics.TASK, Task(header=Header(Time(second)), task_id=f"task_{second}"))
        writer.flush()
    return writer


def read_by_rosbags(path: Path) -> list[tuple[str, int]]:
    with AnyReader([path]) as reader:
        return [(connection.topic, stamp // SECOND) for connection, stamp, _ in reader.messages()]


def read_by_mcap(file: Path) -> list[tuple[str, int]]:
    with file.open("rb") as stream:
        messages = make_reader(stream, validate_crcs=True).iter_messages()
        return [(channel.topic, message.log_time // SECOND) for _, channel, message in messages]


@pytest.mark.parametrize(
    "config", [RecordingConfig(max_file_size=0.9), RecordingConfig(max_file_time=3.0)], ids=["size", "time"]
)
def test_a_bag_is_split_into_self_contained_files(tmp_path: Path, config: RecordingConfig) -> None:
    record(tmp_path, 9, config).close()
    about = metadata(tmp_path)
    assert about["relative_file_paths"] == ["run.mcap", "run_1.mcap", "run_2.mcap"]
    assert [file["path"] for file in about["files"]] == about["relative_file_paths"]
    for index, file in enumerate(about["files"]):
        messages = read_by_mcap(tmp_path / file["path"])
        assert messages == [
            (topic, second)
            for second in range(3 * index + 1, 3 * index + 4)
            for topic in ("/camera/color", "/task")
        ]
        assert read_by_rosbags(tmp_path / file["path"]) == messages
        assert file["message_count"] == len(messages)
        assert file["starting_time"]["nanoseconds_since_epoch"] == messages[0][1] * SECOND
        assert file["duration"]["nanoseconds"] == (messages[-1][1] - messages[0][1]) * SECOND
    assert about["message_count"] == 18
    assert about["starting_time"]["nanoseconds_since_epoch"] == SECOND
    assert about["duration"]["nanoseconds"] == 8 * SECOND
    assert read_by_rosbags(tmp_path) == [
        (topic, second) for second in range(1, 10) for topic in ("/camera/color", "/task")
    ]


def test_a_new_bag_file_is_listed_in_the_metadata_at_once(tmp_path: Path) -> None:
    record(tmp_path, 4, RecordingConfig(max_file_time=3.0))
    about = metadata(tmp_path)
    assert about["relative_file_paths"] == ["run.mcap", "run_1.mcap"]
    assert about["files"][0]["message_count"] == 6
    assert len(read_by_mcap(tmp_path / "run.mcap")) == 6  # with its index, though the recorder goes on


def test_the_oldest_bag_files_are_deleted_and_the_metadata_state_it(tmp_path: Path) -> None:
    record(tmp_path, 12, RecordingConfig(max_file_time=2.0, keep=1.5)).close()
    about = metadata(tmp_path)
    files = about["relative_file_paths"]
    assert files == ["run_4.mcap", "run_5.mcap"]
    assert sorted(path.name for path in tmp_path.glob("*.mcap")) == files
    assert sum((tmp_path / name).stat().st_size for name in files) <= 1.5 * MEGABYTE
    assert about["custom_data"] == {"seed": "7", "deleted_files": "4", "deleted_messages": "16"}
    assert about["message_count"] == 8
    assert [second for _, second in read_by_rosbags(tmp_path)] == [9, 9, 10, 10, 11, 11, 12, 12]


@given(
    steps=st.lists(st.tuples(st.integers(0, 3 * SECOND), st.integers(0, 3000)), min_size=1, max_size=30),
    size=st.sampled_from([0.0, 0.002, 0.01]),
    time=st.sampled_from([0.0, 1.0, 5.0]),
    keep=st.sampled_from([0.0, 0.005, 0.02]),
)
@settings(max_examples=40, deadline=None)
def test_the_remaining_files_of_a_split_bag_hold_the_end_of_the_recording(
    steps: list[tuple[int, int]], size: float, time: float, keep: float
) -> None:
    config = RecordingConfig(size, time, keep if size or time else 0.0)
    sent: list[tuple[int, int]] = []
    stamp = 0
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with BagWriter(folder, config=config) as writer:
            writer.add_topic("/data", "std_msgs/msg/String")
            for wait, length in steps:
                stamp += wait
                writer.write("/data", random.bytes(length), stamp)
                writer.flush()
                sent.append((stamp, length))
        about = metadata(folder)
        with AnyReader([folder]) as reader:
            left = [(stamp, len(data)) for _, stamp, data in reader.messages()]
        assert sorted(path.name for path in folder.glob("*.mcap")) == sorted(about["relative_file_paths"])
    assert left == sent[len(sent) - len(left) :]
    assert about["message_count"] == len(left) > 0
    dropped = int((about["custom_data"] or {}).get("deleted_messages", "0"))
    assert dropped + len(left) == len(sent)
    assert dropped == 0 or config.keep


def test_incompatible_recording_settings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="set max_file_size or max_file_time"):
        BagWriter(tmp_path, config=RecordingConfig(keep=5.0))
    with pytest.raises(ConfigurationError, match=r"camera/colour.*Did you mean 'camera/color'"):
        BagWriter(tmp_path, config=RecordingConfig(exclude="odom, camera/colour"))
    assert list(tmp_path.iterdir()) == []


def test_excluded_topics_are_not_written(tmp_path: Path) -> None:
    assert excluded_topics(" camera/color , /odom,") == {topics.COLOR, topics.ODOMETRY}
    assert excluded_topics("camera/seg*") == {topics.SEGMENTATION, topics.SEGMENTATION_LABELS}
    record(tmp_path, 3, RecordingConfig(exclude="camera/*", lossy_color=90)).close()
    assert {topic for topic, _ in read_by_rosbags(tmp_path)} == {"/task"}
    custom_data = metadata(tmp_path)["custom_data"]
    assert "camera/color, camera/depth" in custom_data["excluded"]
    assert "lossy" not in custom_data  # colour is not recorded at all


def test_lossy_color_is_stored_as_by_image_transport_and_marked_in_the_metadata(tmp_path: Path) -> None:
    config = RecordingConfig(lossy_color=90)
    picture = Image.from_array(
        Header(Time(1), "camera"), np.full((48, 64, 3), (200, 100, 50), np.uint8), "rgb8"
    )
    with BagWriter(tmp_path, config=config) as writer:
        MessageRecorder(writer, "robot_1", config)(topics.COLOR, picture)
    assert metadata(tmp_path)["custom_data"] == {"lossy": "camera/color"}
    with AnyReader([tmp_path]) as reader:
        ((connection, _, data),) = reader.messages()
        stored = reader.deserialize(data, connection.msgtype)
    assert connection.topic == f"/robot_1/{COMPRESSED_COLOR}" == "/robot_1/camera/color/compressed"
    assert (connection.msgtype, stored.format) == (
        "sensor_msgs/msg/CompressedImage",
        "rgb8; jpeg compressed bgr8",
    )
    assert (stored.header.stamp.sec, stored.header.frame_id) == (1, "camera")
    pixels = np.asarray(PIL.Image.open(io.BytesIO(stored.data.tobytes()))).astype(int)
    assert np.abs(pixels - picture.array()).max() <= 3


def test_images_of_other_encodings_are_compressed_in_their_true_colours() -> None:
    reds = np.zeros((8, 8, 3), np.uint8)
    reds[..., 2] = 255
    blue_first = to_jpeg(Image.from_array(Header(), reds, "bgr8"), 95)
    assert blue_first.format == "bgr8; jpeg compressed bgr8"
    red, _, blue = np.asarray(PIL.Image.open(io.BytesIO(blue_first.data.tobytes())))[0, 0]
    assert (red > 240, blue < 15) == (True, True)
    assert to_jpeg(Image.from_array(Header(), reds[..., 0], "mono8"), 95).format.endswith("mono8")
    with pytest.raises(BadImageError, match="16UC1"):
        to_jpeg(Image.from_array(Header(), np.zeros((8, 8), np.uint16), "16UC1"), 95)


def test_a_single_bag_file_holds_the_custom_data_of_its_run(tmp_path: Path) -> None:
    record(tmp_path, 5, RecordingConfig(max_file_time=3.0, exclude="odom")).close()
    for name in ("run.mcap", "run_1.mcap"):
        with (tmp_path / name).open("rb") as stream:
            (about,) = make_reader(stream).iter_metadata()
        assert (about.name, about.metadata) == ("stma_ros", {"seed": "7", "excluded": "odom"})


def test_the_metadata_of_an_unfinished_bag_hold_the_start_time(tmp_path: Path) -> None:
    """With a start time of 0 a player would pause from 1970 on, and a killed recorder never finishes its metadata."""
    writer = BagWriter(tmp_path)
    writer.add_topic("/task", Task.ROS_TYPE)
    writer.write("/task", b"\0\1\0\0", 1000 * SECOND)
    writer.flush()
    assert metadata(tmp_path)["starting_time"]["nanoseconds_since_epoch"] == 1000 * SECOND


def test_the_metadata_of_an_unfinished_bag_are_updated(tmp_path: Path) -> None:
    now = [0.0]
    writer = BagWriter(tmp_path, clock=lambda: now[0])
    writer.add_topic("/task", Task.ROS_TYPE)
    for second in range(25):
        now[0] += 1.0
        writer.write("/task", b"\0\1\0\0", second * SECOND)
    assert metadata(tmp_path)["message_count"] >= 14


def test_the_metadata_can_be_read_by_every_distribution_from_humble_on(tmp_path: Path) -> None:
    """Humble needs QoS profiles as YAML in a string, with numbers for the policies; later distributions still read
    that."""
    with BagWriter(tmp_path) as writer:
        writer.add_topic("/task", Task.ROS_TYPE)
    about = metadata(tmp_path)
    assert about["version"] == 8
    for topic in about["topics_with_message_count"]:
        assert yaml.safe_load(topic["topic_metadata"]["offered_qos_profiles"]) == []


# -- a full disk


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    with mounted_disk(tmp_path / "disk", megabytes=48) as place:
        yield place


@pytest.mark.parametrize(
    "config", [RecordingConfig(), RecordingConfig(max_file_size=8.0)], ids=["one file", "split"]
)
def test_a_bag_is_closed_completely_when_the_disk_is_full(small_disk: Path, config: RecordingConfig) -> None:
    taken, text = fill(small_disk / "run", config)
    assert taken > 100
    for part in (
        "disk takes no more (No space left on device)",
        "everything up to here",
        "Free space",
        "keep",
    ):
        assert part in text
    about = metadata(small_disk / "run")
    assert about["message_count"] == taken
    read = [
        message
        for name in about["relative_file_paths"]
        for message in read_by_mcap(small_disk / "run" / name)
    ]
    assert [second for _, second in read] == list(range(1, taken + 1))
    assert read_by_rosbags(small_disk / "run") == read


def test_a_next_file_that_cannot_be_created_ends_the_bag_with_its_own_cause(
    tmp_path: Path,
) -> None:
    writer = BagWriter(tmp_path / "bag", config=RecordingConfig(max_file_time=1.0))
    tap = MessageRecorder(writer)
    tap(topics.TASK, Task(header=Header(Time(1))))
    (tmp_path / "bag" / "run_1.mcap").touch()
    with pytest.raises(StorageError, match=r"the bag cannot be written \(File exists\).*another folder"):
        tap(topics.TASK, Task(header=Header(Time(9))))
    assert read_by_mcap(tmp_path / "bag" / "run.mcap") == [("/task", 1)]


def test_the_disk_does_not_fill_up_when_old_files_are_deleted(small_disk: Path) -> None:
    config = RecordingConfig(max_file_size=4.0, keep=16.0)
    with BagWriter(small_disk / "run", config=config) as writer:
        tap = MessageRecorder(writer)
        for second in range(1, 301):  # 90 MB
            tap(topics.COLOR, noise(second))
            writer.flush()
    assert [second for _, second in read_by_rosbags(small_disk / "run")][-1] == 300


def test_a_disk_that_is_full_at_the_start_is_reported(small_disk: Path) -> None:
    (small_disk / "other").write_bytes(bytes(40_000_000))
    with pytest.raises(StorageError, match=r"no bag can be written to .*No space left.*; free space"):
        BagWriter(small_disk / "run")


def test_a_bag_can_be_read_up_to_its_end_when_no_space_is_left_for_the_index(tmp_path: Path) -> None:
    """A limit on file sizes, like a quota, leaves no space even for the index."""
    script = (
        "import resource, sys; from pathlib import Path\n"
        "from support.storage.growing_bag import RecordingConfig, fill\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (17_000_000, 17_000_000))\n"
        "import json; print(json.dumps(fill(Path(sys.argv[1]), RecordingConfig())))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "run")],
        capture_output=True,
        text=True,
        env=python_environment(),
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    taken, text = json.loads(done.stdout)
    assert "File too large" in text
    assert "can be read up to its end" in text
    assert "Free space" in text
    assert metadata(tmp_path / "run")["relative_file_paths"] == ["run.mcap"]
    read = list(read_streaming(tmp_path / "run" / "run.mcap"))
    assert read == list(range(1, len(read) + 1))
    assert taken - len(read) <= 5  # those of the last chunk


def read_streaming(file: Path) -> Iterator[int]:
    """Returns the messages that mcap reads from a file without an index."""
    with file.open("rb") as stream, suppress(EndOfFile):
        for _, _, message in NonSeekingReader(stream).iter_messages(log_time_order=False):
            yield message.log_time // SECOND
