"""The replay of a recorded run reproduces it, and every difference is found and named."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.replay.comparison import DifferenceKind
from stma_ros.replay.exact_replay import is_replayable, replay
from stma_ros.replay.replay_agent import Changes
from stma_ros.storage.bag.reader import Bag, RawMessage
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.cdr import from_cdr, to_cdr
from stma_ros.storage.lossy_color import to_jpeg
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.control import Configuration, Fault, JournalEntry
from stma_ros.types.errors import ConfigurationError, ErrorCode, StorageError
from stma_ros.types.standard import Image
from support.replay.recorded_home import SCENE, SEED, TASK, record_home, rewritten


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_home(tmp_path_factory.mktemp("home") / "run")


def journal(bag: Path) -> list[JournalEntry]:
    return [from_cdr(raw.data, JournalEntry) for raw in Bag(bag).messages() if raw.topic == "/journal"]


def test_exact_replay_reproduces_every_decision_and_belief(home):
    result = replay(Bag(home))
    assert result.first is None
    assert result.same
    said = {topic: tally.same for topic, tally in result.tallies.items()}
    recorded = {raw.topic.removeprefix("/") for raw in Bag(home).messages()}
    assert said.keys() >= {
        topics.PLAN,
        topics.CRITIQUE,
        topics.SPATIAL_BELIEF,
        topics.TEMPORAL_BELIEF,
        topics.MAP,
    }
    assert said.keys() <= recorded
    assert not any(tally.uncompared or tally.different for tally in result.tallies.values())
    lines = [line.component for line in journal(home)]
    assert {part.name: part.inputs for part in result.parts} == {
        name: lines.count(name) for name in set(lines) - {"world"}
    }


def test_exact_replay_with_the_recorded_preset_reproduces_the_run(home):
    """The world decides how perception finds things, and the preset does not change that."""
    result = replay(Bag(home), Changes("full"))
    assert result.first is None
    assert result.same


def test_a_bag_whose_configurations_were_deleted_is_not_replayable(home, tmp_path):
    """A limited bag deletes its oldest file, but still lists the topics."""
    with BagWriter(tmp_path / "bag") as writer:
        for raw in Bag(home).messages():
            writer.add_topic(raw.topic, raw.ros_type)
            if raw.topic != f"/{topics.CONFIGURATION}":
                writer.write(raw.topic, raw.data, raw.stamp_ns)
    limited = Bag(tmp_path / "bag")
    assert f"/{topics.CONFIGURATION}" in limited.topics
    assert not is_replayable(limited)


def test_exact_replay_names_the_first_difference_after_a_changed_parameter(home):
    result = replay(Bag(home), Changes(overrides={"planner": {"actions": 1}}))
    assert not result.same
    assert result.first is not None
    assert (result.first.component, result.first.topic) == ("planner", topics.PLAN)
    assert result.first.cause is not None
    assert result.first.cause.topic == topics.PLAN_REQUEST
    assert "actions" in result.first.fields[0][0]
    assert result.tallies[topics.SPATIAL_BELIEF].different.total() == 0  # no other component differs


def test_a_changed_map_is_a_difference_of_spatial_memory_and_not_of_the_planner(home):
    result = replay(Bag(home), Changes(overrides={"spatial_memory": {"robot_radius": 0.4}}))
    assert result.first is not None
    assert result.first.component == "spatial_memory"
    assert result.tallies[topics.PLAN].different.total() == 0


def test_exact_replay_refuses_an_unknown_setting(home):
    with pytest.raises(ConfigurationError, match="colour_of_hat"):
        replay(Bag(home), Changes(overrides={"planner": {"colour_of_hat": "red"}}))


def test_exact_replay_does_not_depend_on_the_order_across_topics(home, tmp_path):
    """A recorder preserves only the order within a topic."""
    generator = random.Random(7)

    def disordered(messages: list[RawMessage]) -> list[RawMessage]:
        delays: dict[str, float] = defaultdict(float)
        places = []
        for place, raw in enumerate(messages):
            delays[raw.topic] = max(delays[raw.topic], place + generator.uniform(0, 60))
            places.append((delays[raw.topic], place))
        return [messages[place] for _, place in sorted(places)]

    result = replay(Bag(rewritten(home, tmp_path / "bag", disordered)))
    assert result.first is None
    assert not any(part.gap for part in result.parts)


def test_missing_journal_entries_are_a_gap_and_no_difference(home, tmp_path):
    missing = {("spatial_memory", 20), ("spatial_memory", 21)}

    def holed(messages: list[RawMessage]) -> list[RawMessage]:
        return [raw for raw in messages if raw.topic != "/journal" or _line(raw) not in missing]

    result = replay(Bag(rewritten(home, tmp_path / "bag", holed)))
    parts = {part.name: part for part in result.parts}
    assert "2 lines of its journal are missing before line 22" in parts["spatial_memory"].gap
    assert not any(part.gap for name, part in parts.items() if name != "spatial_memory")
    assert result.first is None
    assert result.tallies[topics.KEYFRAME_DETECTIONS].same > 5  # the others are compared to their end


def test_an_excluded_topic_is_named_and_the_rest_is_replayed(home, tmp_path):
    def private(messages: list[RawMessage]) -> list[RawMessage]:
        return [raw for raw in messages if raw.topic != "/camera/color"]

    result = replay(Bag(rewritten(home, tmp_path / "bag", private)))
    parts = {part.name: part for part in result.parts}
    assert "camera/color" in parts["perception"].gap
    assert result.first is None
    assert result.tallies[topics.SPATIAL_BELIEF].same == result.tallies[topics.TEMPORAL_BELIEF].same


def test_a_bag_with_lossy_colour_is_marked_and_reproduces_the_map(home, tmp_path):
    def lossy(messages: list[RawMessage]) -> list[RawMessage]:
        return [_as_jpeg(raw) if raw.topic == "/camera/color" else raw for raw in messages]

    result = replay(Bag(rewritten(home, tmp_path / "bag", lossy)))
    assert any("JPEG" in note for note in result.notes)
    assert not any(part.gap for part in result.parts)
    assert result.tallies[topics.MAP].different.total() == 0


def test_messages_lost_at_the_end_of_a_truncated_bag_are_no_differences(home, tmp_path):
    bag = rewritten(home, tmp_path / "bag", lambda messages: messages)
    file = bag / "run.mcap"
    file.write_bytes(file.read_bytes()[: file.stat().st_size * 3 // 4])
    result = replay(Bag(bag))
    assert result.first is None
    assert 0 < sum(part.inputs for part in result.parts) < len(journal(home))


def test_a_recorded_output_that_is_missing_in_the_replay_is_a_difference(home, tmp_path):
    """Adds a belief that no component can have published."""

    def doubled(messages: list[RawMessage]) -> list[RawMessage]:
        last = [raw for raw in messages if raw.topic == "/spatial_belief"][-1]
        return [*messages, last]

    result = replay(Bag(rewritten(home, tmp_path / "bag", doubled)))
    assert result.first is not None
    assert result.first.kind is DifferenceKind.MISSING
    assert result.first.topic == topics.SPATIAL_BELIEF


@pytest.mark.parametrize("reported", [True, False])
def test_the_missing_last_plan_of_a_killed_planner_is_no_difference_when_the_bag_reports_its_death(
    home: Path, tmp_path: Path, reported: bool
) -> None:
    text = "planner died; see its log, restart it and call lifecycle_manager/reset"
    death = Fault(node="planner", fatal=True, error=Error(ErrorCode.NODE_DIED, text))

    def killed(messages: list[RawMessage]) -> list[RawMessage]:
        place = [number for number, raw in enumerate(messages) if raw.topic == "/plan"][-1]
        left = [*messages[:place], *messages[place + 1 :]]
        end = RawMessage("/fault", Fault.ROS_TYPE, messages[-1].stamp_ns, to_cdr(death))
        return [*left, end] if reported else left

    result = replay(Bag(rewritten(home, tmp_path / "bag", killed)), only=("planner",))
    if reported:
        assert result.same
        (lost,) = result.lost
        assert (
            "planner: 1 of its last messages was not recorded and not compared, since its node died: plan "
            in str(lost)
        )
        assert result.tallies[topics.PLAN].uncompared == 1
    else:
        assert result.first is not None
        assert (result.first.kind, result.first.topic) == (DifferenceKind.UNEXPECTED, topics.PLAN)
        assert result.lost == ()


def test_a_component_that_was_made_anew_in_a_run_is_replayed_with_the_memory_that_it_had_saved(tmp_path):
    overrides = {"spatial_memory": {"memory_dir": str(tmp_path / "memory")}}
    spec = SessionSpec(LOCAL, overrides=overrides, world_options={"width": 96, "height": 72})
    run = RunFolder.create(tmp_path / "run")
    with open_local(spec, run, record=True) as session:
        for _ in range(2):
            session.start_episode(SCENE, SEED, folder=run)
            session.run_task(TASK, 3)
    result = replay(Bag(run.path))
    assert result.first is None
    assert not result.notes


def test_a_run_that_loaded_a_memory_is_replayed_from_the_same_memory(tmp_path):
    """The replay does not load the memory that the run itself saved later."""
    for name in ("first", "second"):
        record_home(tmp_path / name, memory=tmp_path / "memory")
    result = replay(Bag(tmp_path / "second"))
    assert result.first is None
    assert not result.notes
    shutil.rmtree(tmp_path / "second" / "memory")
    forgetful = replay(Bag(tmp_path / "second"))
    assert forgetful.first is not None
    assert forgetful.first.component == "spatial_memory"
    assert any("memory" in note for note in forgetful.notes)


def test_a_component_that_did_not_run_is_not_reported_as_missing(home, tmp_path):
    """A robot's own recording, as `stma replay` completes it, has no planner."""

    def watching(messages: list[RawMessage]) -> list[RawMessage]:
        return [raw for raw in messages if not _is_of(raw, "planner")]

    result = replay(Bag(rewritten(home, tmp_path / "bag", watching)))
    assert result.first is None
    assert "planner" not in {part.name for part in result.parts}


def test_a_single_component_can_be_replayed(home):
    result = replay(Bag(home), only=("planner",))
    assert [part.name for part in result.parts] == ["planner"]
    assert result.same
    assert topics.SPATIAL_BELIEF not in result.tallies


def test_exact_replay_refuses_a_bag_without_a_journal_and_names_the_missing_topics(home, tmp_path):
    def foreign(messages: list[RawMessage]) -> list[RawMessage]:
        return [raw for raw in messages if raw.topic.startswith("/camera")]

    bag = Bag(rewritten(home, tmp_path / "bag", foreign))
    assert not is_replayable(bag)
    with pytest.raises(StorageError, match="stma_ros/msg/JournalEntry"):
        replay(bag)


def _line(raw: RawMessage) -> tuple[str, int]:
    line = from_cdr(raw.data, JournalEntry)
    return line.component, line.index


def _as_jpeg(raw: RawMessage) -> RawMessage:
    compressed = to_jpeg(from_cdr(raw.data, Image), 90)
    return RawMessage("/camera/color/compressed", compressed.ROS_TYPE, raw.stamp_ns, to_cdr(compressed))


def _is_of(raw: RawMessage, component: str) -> bool:
    types = {"/journal": JournalEntry, "/configuration": Configuration}
    return raw.topic in types and from_cdr(raw.data, types[raw.topic]).component == component
