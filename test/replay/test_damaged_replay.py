"""Replay of damaged bags: readable parts are replayed, damage is reported, and no bag makes it hang or crash."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.replay.exact_replay import replay
from stma_ros.replay.result import ReplayResult
from stma_ros.storage.bag.reader import Bag, RawMessage
from stma_ros.storage.bag.writer import BAG_FILE
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from support.replay.recorded_home import record_home, rewritten

CUTS = int(os.environ.get("STMA_CUTS", "50"))
"""Places at which the bag is cut; half as many are broken."""

DECIDING = ("planner", "critic", "executor", "temporal_memory")
"""Components without images; their replay takes only a moment."""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_home(tmp_path_factory.mktemp("home") / "run")


@pytest.fixture(scope="module")
def chunked(home: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Returns the run as a bag of many chunks: as recorded, so short a run has only one or two."""
    from mcap.writer import Writer

    path = tmp_path_factory.mktemp("chunked") / "bag.mcap"
    bag = Bag(home)
    with path.open("wb") as stream:
        writer = Writer(stream, chunk_size=4096)
        writer.start(profile="ros2", library="test")
        channels: dict[str, int] = {}
        for raw in bag.messages():
            if raw.topic not in channels:
                schema = writer.register_schema(raw.ros_type, "ros2msg", _schema(raw.ros_type))
                channels[raw.topic] = writer.register_channel(raw.topic, "cdr", schema)
            if not raw.topic.startswith("/camera"):
                writer.add_message(channels[raw.topic], raw.stamp_ns, raw.data, raw.stamp_ns)
        writer.finish()
    return path.read_bytes()


def replayed(data: bytes, folder: Path, only: tuple[str, ...] = DECIDING) -> ReplayResult | None:
    """Returns the result of the replay, or None when too little is left to start it."""
    file = folder / "bag.mcap"
    file.write_bytes(data)
    try:
        return replay(Bag(file), only=only)
    except StorageError:
        return None


def test_an_undamaged_bag_is_replayed_without_differences(chunked, tmp_path):
    result = replayed(chunked, tmp_path)
    assert result is not None
    assert result.same
    assert not result.damages


def test_a_bag_cut_anywhere_is_replayed_without_differences_up_to_the_cut(chunked, tmp_path):
    places = random.Random(6)
    inputs, whole = [], replayed(chunked, tmp_path)
    assert whole is not None
    for _ in range(CUTS):
        result = replayed(chunked[: places.randrange(len(chunked))], tmp_path)
        if result is not None:
            assert result.first is None
            inputs.append(sum(part.inputs for part in result.parts))
    assert len(inputs) > 0.7 * CUTS
    assert min(inputs) < 0.3 * sum(part.inputs for part in whole.parts)
    assert max(inputs) > 0.7 * sum(part.inputs for part in whole.parts)


def test_a_bag_with_a_damaged_part_is_replayed_and_the_damage_is_reported(chunked, tmp_path):
    places = random.Random(7)
    reports = 0
    for _ in range(CUTS // 2):
        data = bytearray(chunked)
        start = places.randrange(len(data))
        data[start : start + 40] = places.randbytes(min(40, len(data) - start))
        result = replayed(bytes(data), tmp_path)
        if result is not None:
            assert result.first is None, str(result.first)
            reports += bool(result.damages)
    assert reports > 0.3 * CUTS


def test_maps_and_scene_graphs_of_a_cut_bag_are_replayed_without_differences(home, tmp_path):
    whole = (home / BAG_FILE).read_bytes()
    for share in (0.2, 0.5, 0.9):
        result = replayed(whole[: int(share * len(whole))], tmp_path, only=())
        if result is not None:
            assert result.first is None


@pytest.mark.parametrize(
    "change",
    [
        lambda raws: [raw._replace(stamp_ns=7) for raw in raws],
        lambda raws: [raw._replace(stamp_ns=10**9 - place) for place, raw in enumerate(raws)],
        lambda raws: [*raws, RawMessage("/battery", "sensor_msgs/msg/Imu", 5, b"\x00\x01\x00\x00")],
    ],
    ids=["equal stamps", "stamps that run backwards", "an unknown type"],
)
def test_log_stamps_and_unknown_types_do_not_affect_a_replay(
    home: Path, tmp_path: Path, change: Callable[[list[RawMessage]], list[RawMessage]]
) -> None:
    result = replay(Bag(rewritten(home, tmp_path / "bag", change)), only=DECIDING)
    assert result.same
    assert not any(part.gap for part in result.parts)


def test_a_gap_in_a_bag_ends_the_comparison_but_not_the_replay(home, tmp_path):
    def gaping(raws: list[RawMessage]) -> list[RawMessage]:
        return [raw for place, raw in enumerate(raws) if not 0.4 < place / len(raws) < 0.6]

    result = replay(Bag(rewritten(home, tmp_path / "bag", gaping)))
    assert result.first is None
    assert all("missing" in part.gap or "not in the bag" in part.gap for part in result.parts if part.gap)
    assert {part.name for part in result.parts if part.gap} >= {"perception", "spatial_memory"}
    assert result.tallies[topics.KEYFRAME_DETECTIONS].same > 0


def test_an_undecodable_message_is_reported_and_only_its_reader_is_given_up(home, tmp_path):
    def garbled(raws: list[RawMessage]) -> list[RawMessage]:
        place = [number for number, raw in enumerate(raws) if raw.topic == "/plan_request"][1]
        return [*raws[:place], raws[place]._replace(data=raws[place].data[:30]), *raws[place + 1 :]]

    result = replay(Bag(rewritten(home, tmp_path / "bag", garbled)), only=DECIDING)
    gaps = {part.name: part.gap for part in result.parts}
    assert any("plan_request" in str(damage) for damage in result.damages)
    assert "plan_request" in gaps["planner"]
    assert not gaps["critic"]
    assert result.first is None


def _schema(ros_type: str) -> bytes:
    from stma_ros.storage.definitions import definitions

    return definitions().schema(ros_type).encode()
