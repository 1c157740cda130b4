"""Readable parts of a damaged bag are read and damage is reported; no message is invented and no reader hangs."""

from __future__ import annotations

import contextlib
import io
import random
import struct
import tracemalloc
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mcap.records import Chunk
from mcap.stream_reader import StreamReader
from mcap.writer import CompressionType, IndexType, Writer

from stma_ros.storage.bag.reader import Bag, Damage, read_bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.definitions import definitions
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from stma_ros.types.planning import Task
from stma_ros.types.standard import Header, Image, Odometry, Time

MAGIC = 8
RECORD_HEAD = 9
PER_CHUNK = 10
SCHEMALESS = 0


class Recording(NamedTuple):
    data: bytes
    sent: list[tuple[str, int, bytes]]
    chunks: list[tuple[int, int]]  # where they begin and end


@cache
def recording(
    compression: CompressionType = CompressionType.ZSTD,
    chunked: bool = True,
    index: bool = True,
    apart: bool = False,  # a chunk for each topic
) -> Recording:
    stream = io.BytesIO()
    kinds = {"index_types": IndexType.NONE, "repeat_channels": False, "repeat_schemas": False}
    options = {} if index else {**kinds, "use_statistics": False, "use_summary_offsets": False}
    writer = Writer(stream, chunk_size=2**30, compression=compression, use_chunking=chunked, **options)
    writer.start(profile="ros2", library="test")
    channels = {}
    for topic, type_ in (("/task", Task), ("/odom", Odometry)):
        schema = writer.register_schema(
            type_.ROS_TYPE, "ros2msg", definitions().schema(type_.ROS_TYPE).encode()
        )
        channels[topic] = writer.register_channel(topic, "cdr", schema)
    sent = []
    for step in range(40):
        stamp = Header(Time.from_nanoseconds(1000 * step), "map")
        messages = (
            ("/task", Task(header=stamp, task_id=f"task_{step}", text="find the mug")),
            ("/odom", Odometry(stamp, "base_link")),
        )
        for topic, message in messages:
            sent.append((topic, 1000 * step, to_cdr(message)))
            writer.add_message(channels[topic], 1000 * step, sent[-1][2], 1000 * step)
            if apart or len(sent) % PER_CHUNK == 0:
                writer.flush()
    writer.finish()
    data = stream.getvalue()
    return Recording(data, sent, chunks_of(data))


def chunks_of(data: bytes) -> list[tuple[int, int]]:
    found = []
    for record in StreamReader(io.BytesIO(data), emit_chunks=True).records:
        if isinstance(record, Chunk):
            begin = data.index(record.data) - (32 + len(record.compression) + 8) - RECORD_HEAD
            found.append((begin, data.index(record.data) + len(record.data)))
    return found


def read(path: Path) -> tuple[list[tuple[str, int, bytes]], list[Damage]]:
    damage: list[Damage] = []
    found = [(raw.topic, raw.stamp_ns, raw.data) for raw in Bag(path).messages(damage.append)]
    return found, damage


def written(folder: Path, data: bytes) -> Path:
    path = folder / "run.mcap"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("compression", list(CompressionType))
def test_a_bag_cut_at_200_random_places_is_read_up_to_the_cut(
    tmp_path: Path, compression: CompressionType
) -> None:
    whole = recording(compression)
    last = whole.chunks[-1][1]
    chance = random.Random(7)
    for cut in [chance.randrange(MAGIC, last) for _ in range(200 // len(CompressionType) + 1)]:
        path = written(tmp_path, whole.data[:cut])
        found, damage = read(path)
        complete = sum(end <= cut for _, end in whole.chunks)
        assert found == whole.sent[: complete * PER_CHUNK], cut
        assert [part.is_cut for part in damage] == [True]
        assert [entry.stamp_ns for entry in read_bag(path)] == [stamp for _, stamp, _ in found]
        assert not Bag(path).is_finished


def test_a_bag_cut_between_flushes_still_has_the_flushed_messages(tmp_path: Path) -> None:
    with BagWriter(tmp_path) as writer:
        tap = MessageRecorder(writer)
        for step in range(50):
            tap(topics.TASK, Task(header=Header(Time.from_nanoseconds(step)), task_id=f"task_{step}"))
            writer.flush()
    data = (tmp_path / "run.mcap").read_bytes()
    (tmp_path / "run.mcap").write_bytes(data[: chunks_of(data)[29][1] + 40])
    assert [entry.message.task_id for entry in read_bag(tmp_path)] == [f"task_{step}" for step in range(30)]
    assert Bag(tmp_path).topics["/task"].count == 30  # although metadata.yaml lists 50


@settings(max_examples=150, deadline=2000)
@given(
    st.sampled_from(list(CompressionType)),
    st.lists(st.tuples(st.floats(0, 1), st.integers(1, 255)), min_size=1, max_size=3),
)
@example(CompressionType.NONE, [(0.875, 1), (0.81640625, 1)])  # a chunk's head, and a message in that chunk
def test_flipped_bytes_cost_only_their_chunks_and_are_reported(
    tmp_path_factory: pytest.TempPathFactory, compression: CompressionType, flips: list[tuple[float, int]]
) -> None:
    whole = recording(compression)
    data = bytearray(whole.data)
    places = [MAGIC + int(share * (len(data) - 1 - MAGIC)) for share, _ in flips]
    for place, (_, mask) in zip(places, flips, strict=True):
        data[place] ^= mask
    path = written(tmp_path_factory.mktemp("flipped"), bytes(data))
    found, damage = read(path)
    assert found == [
        message for message in whole.sent if message in set(found)
    ]  # neither new nor duplicate messages
    hit = sum(any(begin <= place < end for place in places) for begin, end in whole.chunks)
    outside = any(not any(begin <= place < end for begin, end in whole.chunks) for place in places)
    if not (
        outside and any(place < whole.chunks[0][1] for place in places)
    ):  # else the topics' names may be lost
        assert len(whole.sent) - len(found) <= (hit + outside) * PER_CHUNK
    assert damage or len(found) == len(whole.sent)


@settings(max_examples=150, deadline=2000)
@given(st.binary(max_size=200), st.binary(max_size=400), st.floats(0, 1), st.booleans())
def test_garbage_in_a_bag_without_chunks_costs_only_a_few_messages(
    tmp_path_factory: pytest.TempPathFactory, lost: bytes, garbage: bytes, share: float, finished: bool
) -> None:
    whole = recording(CompressionType.NONE, chunked=False)
    begin = whole.data.index(whole.sent[0][2])  # after the declarations, which define the topics
    place = begin + int(share * (len(whole.data) - begin))
    data = whole.data[:place] + garbage + whole.data[place + len(lost) :]
    path = written(tmp_path_factory.mktemp("garbage"), data if finished else data[:-MAGIC])
    found, _ = read(path)
    assert len(set(whole.sent) - set(found)) <= 3
    bag = Bag(path)
    for raw in bag.messages(lambda damage: None):
        with contextlib.suppress(StorageError):  # the only error there may be
            bag.decode(raw, Task if raw.ros_type == Task.ROS_TYPE else Odometry)


@pytest.mark.parametrize("compression", list(CompressionType))
def test_a_broken_chunk_is_reported_with_the_lost_messages(
    tmp_path: Path, compression: CompressionType
) -> None:
    whole = recording(compression)
    begin, end = whole.chunks[3]
    middle = (begin + end) // 2
    path = written(tmp_path, whole.data[:middle] + b"\xa5" * 20 + whole.data[middle + 20 :])
    found, damage = read(path)
    assert found == whole.sent[: 3 * PER_CHUNK] + whole.sent[4 * PER_CHUNK :]
    (part,) = damage
    assert (part.file, part.offset, part.is_cut) == (path, begin, False)
    assert f"run.mcap, byte {begin}: a chunk is damaged" in str(part)
    assert f"some {PER_CHUNK} messages are lost" in str(part)
    seen = []
    with pytest.raises(StorageError, match=r"run\.mcap is damaged .*mcap recover"):
        seen.extend(read_bag(path))
    with pytest.raises(StorageError, match="damaged"):
        list(Bag(path).messages())


@pytest.mark.parametrize("length", [0, 1, 300, 2**31, 2**40, 2**63, 2**64 - 1])
@pytest.mark.parametrize("finished", [True, False])
def test_an_absurd_record_length_costs_only_its_chunk(tmp_path: Path, length: int, finished: bool) -> None:
    whole = recording()
    begin, _ = whole.chunks[4]
    data = whole.data[: begin + 1] + struct.pack("<Q", length) + whole.data[begin + RECORD_HEAD :]
    found, damage = read(written(tmp_path, data if finished else data[: whole.chunks[-1][1]]))
    assert found == whole.sent[: 4 * PER_CHUNK] + whole.sent[5 * PER_CHUNK :]
    assert [part.offset for part in damage if not part.is_cut] == [begin]


def test_a_chunk_that_claims_to_unpack_to_a_terabyte_is_left_out(tmp_path: Path) -> None:
    for compression in CompressionType:
        whole = recording(compression)
        begin, _ = whole.chunks[4]
        place = begin + RECORD_HEAD + 16
        data = whole.data[:place] + struct.pack("<Q", 2**40) + whole.data[place + 8 :]
        found, damage = read(written(tmp_path, data))
        assert len(found) == len(whole.sent) - PER_CHUNK
        assert len(damage) == 1


@pytest.mark.parametrize("garbage", [b"\x00" * 3000, b"\xff" * 77, b"\x06", random.Random(3).randbytes(5000)])
def test_garbage_between_chunks_costs_no_message(tmp_path: Path, garbage: bytes) -> None:
    whole = recording()
    begin, _ = whole.chunks[5]
    found, damage = read(written(tmp_path, whole.data[:begin] + garbage + whole.data[begin:]))
    assert found == whole.sent
    assert [(part.offset, part.is_cut) for part in damage] == [(begin, False)]


def test_records_of_a_later_format_are_skipped(tmp_path: Path) -> None:
    whole = recording()
    begin, _ = whole.chunks[5]
    later = b"\x90" + struct.pack("<Q", 30) + b"x" * 30
    assert read(written(tmp_path, whole.data[:begin] + later + whole.data[begin:])) == (whole.sent, [])


def test_a_damaged_beginning_of_a_bag_costs_only_the_first_records(tmp_path: Path) -> None:
    whole = recording()
    found, damage = read(written(tmp_path, b"\x00" * MAGIC + whole.data[MAGIC:]))
    assert (found, [part.offset for part in damage]) == (whole.sent, [0])


def test_a_damaged_summary_of_a_bag_is_ignored(tmp_path: Path) -> None:
    whole = recording()
    place = whole.data.rindex(b"/odom")
    bag = Bag(written(tmp_path, whole.data[:place] + b"/evil" + whole.data[place + 5 :]))
    assert {name: info.count for name, info in bag.topics.items()} == {"/task": 40, "/odom": 40}
    assert len(list(bag.messages())) == len(whole.sent)


def test_topics_declared_only_in_a_lost_chunk_are_reported_once(tmp_path: Path) -> None:
    whole = recording()
    _, end = whole.chunks[0]
    unfinished = whole.data[: whole.chunks[-1][1]]
    found, damage = read(written(tmp_path, unfinished[: end - 60] + b"\x00" * 60 + unfinished[end:]))
    assert found == []
    texts = [part.text for part in damage if not part.is_cut]
    assert sum("the topic of channel" in text for text in texts) == 2
    assert any("a chunk is damaged" in text for text in texts)


def test_a_finished_bag_knows_the_topics_declared_only_in_a_lost_chunk(tmp_path: Path) -> None:
    whole = recording()
    _, end = whole.chunks[0]
    found, _ = read(written(tmp_path, whole.data[: end - 60] + b"\x00" * 60 + whole.data[end:]))
    assert found == whole.sent[PER_CHUNK:]


@pytest.mark.parametrize("chunked", [True, False])
def test_topics_of_a_bag_without_an_index_are_found_by_scanning_it(tmp_path: Path, chunked: bool) -> None:
    whole = recording(chunked=chunked, index=False)
    bag = Bag(written(tmp_path, whole.data))
    assert {(info.name, info.ros_type, info.count) for info in bag.topics.values()} == {
        ("/task", Task.ROS_TYPE, 40),
        ("/odom", Odometry.ROS_TYPE, 40),
    }
    assert len(list(bag.messages())) == 80


def test_messages_with_equal_or_decreasing_stamps_stay_in_recorded_order(tmp_path: Path) -> None:
    stamps = [5, 5, 3, 900, 5, 0, 900]
    with BagWriter(tmp_path) as writer:
        writer.add_topic("/task", Task.ROS_TYPE)
        for number, stamp in enumerate(stamps):
            writer.write("/task", to_cdr(Task(task_id=str(number))), stamp)
    bag = Bag(tmp_path)
    assert [raw.stamp_ns for raw in bag.messages()] == stamps
    assert [bag.decode(raw, Task).task_id for raw in bag.messages()] == list("0123456")


def test_messages_of_unknown_types_are_returned_unchanged(tmp_path: Path) -> None:
    stream = io.BytesIO()
    writer = Writer(stream)
    writer.start(profile="ros2", library="test")
    alien = writer.register_schema("alien_msgs/msg/Probe", "ros2msg", b"warp[<<] drive\n")
    proto = writer.register_schema("foo.Bar", "protobuf", b"\xff\xfe")
    for schema in (alien, proto, SCHEMALESS):
        channel = writer.register_channel(f"/topic_{schema}", "any", schema)
        writer.add_message(channel, 1, b"\x01\x02", 1)
    writer.finish()
    path = written(tmp_path, stream.getvalue())
    assert [(raw.ros_type, raw.data) for raw in Bag(path).messages()] == [
        ("alien_msgs/msg/Probe", b"\x01\x02"),
        ("foo.Bar", b"\x01\x02"),
        ("", b"\x01\x02"),
    ]
    assert list(read_bag(path)) == []


@pytest.mark.parametrize("content", [b"", b"\x89MCAP", b"some text\n" * 50, b"\x00" * 5000, b"\x06" * 5000])
def test_files_that_are_no_bags_are_refused(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    with pytest.raises(StorageError, match=r"run\.mcap holds no bag"):
        read(path)
    with pytest.raises(StorageError, match=r"run\.mcap holds no bag"):
        _ = Bag(path).topics
    (tmp_path / "run.db3").write_bytes(content)
    with pytest.raises(StorageError, match=r"run\.db3 holds no bag"):
        read(tmp_path / "run.db3")


def test_a_bag_returns_only_the_requested_topics(tmp_path: Path) -> None:
    whole = recording()
    bag = Bag(written(tmp_path, whole.data))
    assert [raw.data for raw in bag.messages(topics=["/odom"])] == [
        data for topic, _, data in whole.sent if topic == "/odom"
    ]
    assert list(bag.messages(topics=())) == []


def test_chunks_without_the_requested_topics_are_skipped(tmp_path: Path) -> None:
    whole = recording(apart=True)
    begin, end = whole.chunks[4]  # of /task only
    path = written(tmp_path, whole.data[: end - 8] + bytes(8) + whole.data[end:])
    damage: list[Damage] = []
    assert len(list(Bag(path).messages(damage.append, topics=["/odom"]))) == 40
    assert damage == []
    assert len(list(Bag(path).messages(damage.append, topics=["/task"]))) == 39
    assert [part.offset for part in damage] == [begin]


def test_a_bag_is_read_without_loading_it_into_memory(tmp_path: Path) -> None:
    with BagWriter(tmp_path) as writer:
        tap = MessageRecorder(writer)
        for step in range(60):
            tap(
                topics.COLOR,
                Image(
                    Header(Time.from_nanoseconds(step)),
                    500,
                    500,
                    "mono8",
                    0,
                    500,
                    np.zeros(250_000, np.uint8),
                ),
            )
    tracemalloc.start()
    try:
        assert sum(len(raw.data) for raw in Bag(tmp_path).messages()) > 15_000_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


class TestFolders:
    """Bags of several files, some of them damaged or not listed."""

    @staticmethod
    def folder(path: Path, names: list[str], listed: list[str] | None) -> Path:
        path.mkdir()
        for number, name in enumerate(names):
            with BagWriter(path / "making") as writer:
                MessageRecorder(writer)(topics.TASK, Task(header=Header(Time(number)), task_id=name))
            (path / "making" / "run.mcap").rename(path / name)
            for left in (path / "making").iterdir():
                left.unlink()
            (path / "making").rmdir()
        if listed is not None:
            lines = ["rosbag2_bagfile_information:", "  version: 9", "  storage_identifier: mcap"]
            lines += ["  relative_file_paths:", *(f"    - {name}" for name in listed)]
            (path / "metadata.yaml").write_text("\n".join(lines))
        return path

    def names(self, path: Path) -> list[str]:
        return [entry.message.task_id for entry in read_bag(path)]

    def test_files_of_a_bag_are_read_in_the_order_of_the_metadata(self, tmp_path: Path) -> None:
        names = ["run.mcap", "run_1.mcap", "run_2.mcap"]
        path = self.folder(tmp_path / "bag", names, names)
        assert self.names(path) == names
        assert Bag(path).topics["/task"].count == 3

    def test_bag_files_missing_in_the_metadata_of_a_killed_recorder_are_found(self, tmp_path: Path) -> None:
        names = ["run.mcap", *(f"run_{number}.mcap" for number in range(1, 12))]
        assert self.names(self.folder(tmp_path / "stale", names, names[:1])) == names
        assert self.names(self.folder(tmp_path / "none", names, None)) == names

    def test_other_bags_in_the_folder_are_ignored(self, tmp_path: Path) -> None:
        names = ["run.mcap", "filtered.mcap", "run_1.mcap"]
        assert self.names(self.folder(tmp_path / "listed", names, ["run.mcap"])) == ["run.mcap", "run_1.mcap"]
        assert self.names(self.folder(tmp_path / "unlisted", names, None)) == ["run.mcap", "run_1.mcap"]
        with pytest.raises(StorageError, match="several bags"):
            Bag(self.folder(tmp_path / "foreign", ["a_0.mcap", "b_0.mcap"], None))

    @pytest.mark.parametrize(
        "names",
        [["walk_1.mcap", "walk_7.mcap"], ["walk.mcap", "walk_0.mcap"], ["walk_0.mcap", "walk_0.db3"]],
    )
    def test_files_whose_numbers_do_not_follow_one_another_are_several_bags(
        self, names: list[str], tmp_path: Path
    ) -> None:
        with pytest.raises(StorageError, match=rf"several bags.*name one of the files: .*{names[1]}"):
            Bag(self.folder(tmp_path / "walks", names, None))

    def test_the_remaining_files_of_a_limited_bag_are_one_bag_without_its_metadata(
        self, tmp_path: Path
    ) -> None:
        names = ["run_9.mcap", "run_10.mcap", "run_11.mcap"]
        assert self.names(self.folder(tmp_path / "bag", names, None)) == names

    def test_a_file_that_was_about_to_be_deleted_is_read_before_the_listed_ones(self, tmp_path: Path) -> None:
        names = ["run.mcap", "run_1.mcap", "run_2.mcap", "run_3.mcap"]
        assert self.names(self.folder(tmp_path / "bag", names, names[1:3])) == names

    def test_a_single_file_of_a_bag_can_be_opened(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path / "bag", ["run.mcap", "run_1.mcap"], ["run.mcap", "run_1.mcap"])
        assert self.names(path / "run_1.mcap") == ["run_1.mcap"]

    def test_a_missing_file_of_a_bag_is_reported(self, tmp_path: Path) -> None:
        path = self.folder(
            tmp_path / "bag", ["run.mcap", "run_2.mcap"], ["run.mcap", "run_1.mcap", "run_2.mcap"]
        )
        found, damage = read(path)
        assert len(found) == 2
        assert str(damage[0]).startswith("run_1.mcap, byte 0: the file is missing")
        with pytest.raises(StorageError, match=r"run_1\.mcap.*missing"):
            self.names(path)

    def test_an_unfinished_file_of_a_bag_is_reported(self, tmp_path: Path) -> None:
        path = self.folder(tmp_path / "bag", ["run.mcap"], ["run.mcap"])
        (path / "run_1.mcap").touch()
        found, damage = read(path)
        assert len(found) == 1
        assert "run_1.mcap" in str(damage[0])
        assert not Bag(path).is_finished
        assert Bag(path).topics["/task"].count == 1
