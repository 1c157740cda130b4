"""A recorded run replayed through other components, which are asked for the same decisions, and timed questions."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.agents.registry import AgentRegistry
from stma_ros.agents.stma import STMA
from stma_ros.apps.score.command import Alternatives, Outputs, References, score
from stma_ros.evaluation.offline.decision_agreement import Agreement, agreement
from stma_ros.evaluation.offline.decisions import DecisionCollector
from stma_ros.replay.chained_replay import SPATIAL_MEMORY, ChainedReplay, TimedQuestion
from stma_ros.replay.replay_agent import Changes
from stma_ros.storage.bag.reader import Bag, RawMessage, read_bag
from stma_ros.storage.bag.writer import BagWriter, MessageRecorder
from stma_ros.storage.cdr import to_cdr
from stma_ros.types import topics
from stma_ros.types.control import Configuration, Fault
from stma_ros.types.errors import ConfigurationError, ErrorCode, StorageError
from stma_ros.types.remembering import ObjectQuery
from stma_ros.types.standard import Header
from support.replay.recorded_home import record_home, rewritten


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record_home(tmp_path_factory.mktemp("home") / "run")


def compared(bag: Path, changes: Changes) -> Agreement:
    recorded, replayed = DecisionCollector(), DecisionCollector()
    for topic, _, message in read_bag(bag):
        recorded(topic, message)
    ChainedReplay(Bag(bag), changes, tap=lambda topic, time_ns, message: replayed(topic, message)).run()
    return agreement(recorded.decisions(), replayed.decisions())


def test_chained_replay_of_the_recorded_agent_has_no_disagreements(home):
    result = compared(home, Changes())
    assert result.disagreements == ()
    assert {share.right == share.said > 0 for share in result.shares.values()} == {True}
    assert result.shares.keys() >= {"whole plan", "verdict", "temporal belief", "spatial belief"}


def test_a_planner_with_other_settings_disagrees_only_on_plans(home):
    result = compared(home, Changes(overrides={"planner": {"actions": 1}}))
    assert result.shares["whole plan"].right < result.shares["whole plan"].said
    assert result.shares["first action"].right == result.shares["first action"].said
    assert result.shares["verdict"].right == result.shares["verdict"].said
    assert {disagreement.differs for disagreement in result.disagreements} == {("whole plan",)}


def test_changed_beliefs_reach_planner_and_critic_in_a_chained_replay(home):
    result = compared(home, Changes(overrides={"spatial_memory": {"max_range": 0.5, "robot_radius": 1.5}}))
    assert result.shares["spatial belief"].right < result.shares["spatial belief"].said
    assert result.shares["temporal belief"].right == result.shares["temporal belief"].said
    assert result.disagreements


def test_timed_questions_are_answered_from_the_memory_at_their_time(home):
    stamps = [raw.stamp_ns for raw in Bag(home).messages()]
    questions = [
        TimedQuestion("the sink"),
        TimedQuestion("the sink", min(stamps)),
        TimedQuestion("the sink", max(stamps)),
    ]
    replay = ChainedReplay(Bag(home), only=(SPATIAL_MEMORY,))
    at_the_end, at_the_beginning, when_all_was_seen = replay.run(questions)
    assert at_the_end.sightings[0].category == "sink"
    assert at_the_beginning.error.code == ErrorCode.NOT_REMEMBERED
    assert when_all_was_seen.sightings == at_the_end.sightings
    assert replay.notes == ()


def test_a_question_is_answered_even_when_the_recording_holds_a_request_of_the_same_id(home, tmp_path):
    """Requests are identified by their ids, and each id is answered once."""
    query = ObjectQuery(header=Header(), request_id="asked_in_replay_0", description="mug")

    def asked(messages: list[RawMessage]) -> list[RawMessage]:
        own = [query, replace(query, request_id="question_1")]
        last = messages[-1].stamp_ns
        return [*messages, *(RawMessage("/object_query", q.ROS_TYPE, last, to_cdr(q)) for q in own)]

    (answer,) = ChainedReplay(Bag(rewritten(home, tmp_path / "bag", asked))).run([TimedQuestion("mug")])
    assert "mug" in answer.text


def test_score_command_uses_recorded_truth_questions_and_another_preset(home, tmp_path):
    questions = tmp_path / "questions.yaml"
    questions.write_text(
        "format: stma_ros questions\nversion: 1\nquestions:\n"
        "  - {ask: where is the sink?, expect: {category: sink, present: true}}\n"
        "  - {ask: where is the sink?, at: 0, expect: {found: false}}\n"
    )
    outputs = Outputs(tmp_path / "s.json", html=tmp_path / "s.html")
    assert (
        score(
            [home],
            References(questions=questions),
            Alternatives(overrides={"planner": {"actions": "1"}}),
            outputs,
        )
        == 0
    )
    recorded, changed = json.loads((tmp_path / "s.json").read_text())["episodes"]
    assert recorded["questions_right"] == changed["questions_right"] == [2, 2]
    assert recorded["object_precision"][0] > 0
    assert recorded["series"].keys() >= {"object_recall", "median_position_error"}
    assert changed["series"] == recorded["series"]
    assert changed["same_verdict"][0] == changed["same_verdict"][1]
    assert changed["same_whole_plan"][0] < changed["same_whole_plan"][1]
    assert "planner.actions=1" in changed["preset"]
    page = (tmp_path / "s.html").read_text()
    assert "data:image/jpeg" in page
    assert "whole plan" in page


def test_recorded_ground_truth_does_not_reach_any_component(home, tmp_path):
    without = rewritten(
        home, tmp_path / "bag", lambda raws: (raw for raw in raws if raw.topic != f"/{topics.GROUND_TRUTH}")
    )
    assert compared(without, Changes()).disagreements == ()


def test_a_bag_without_configurations_is_replayed_with_the_default_settings(home, tmp_path):
    without = rewritten(
        home, tmp_path / "bag", lambda raws: (raw for raw in raws if raw.topic != f"/{topics.CONFIGURATION}")
    )
    replay = ChainedReplay(Bag(without), only=(SPATIAL_MEMORY,))
    (answer,) = replay.run([TimedQuestion("the sink")])
    assert answer.sightings
    assert any("preset full" in note for note in replay.notes)


def test_a_bag_without_configurations_is_replayed_with_the_default_settings_of_the_given_registry(
    home, tmp_path
):
    without = rewritten(
        home, tmp_path / "bag", lambda raws: (raw for raw in raws if raw.topic != f"/{topics.CONFIGURATION}")
    )
    with pytest.raises(ConfigurationError, match="no preset 'full'"):
        ChainedReplay(Bag(without), agents=AgentRegistry((STMA,))).run()


def test_a_damaged_configuration_is_reported_and_a_restarted_component_is_closed_first(
    home, tmp_path, monkeypatch
):
    from stma_ros.components.spatial_memory.spatial_memory import SpatialMemory

    def changed(raws):
        configurations = [raw for raw in raws if raw.topic == f"/{topics.CONFIGURATION}"]
        bag = Bag(home)
        (memory,) = [
            raw for raw in configurations if bag.decode(raw, Configuration).component == SPATIAL_MEMORY
        ]
        return [*raws, configurations[0]._replace(data=configurations[0].data[:30]), memory]

    closed, damages = [], []
    honest = SpatialMemory.close
    monkeypatch.setattr(SpatialMemory, "close", lambda self: closed.append(self) or honest(self))
    replay = ChainedReplay(
        Bag(rewritten(home, tmp_path / "bag", changed)), only=(SPATIAL_MEMORY,), on_damage=damages.append
    )
    replay.run()
    assert ["configuration" in str(damage) for damage in damages] == [True]
    assert len({id(memory) for memory in closed}) == len(closed) == 2


@pytest.mark.parametrize("name", ["plannr", "executor"])
def test_a_setting_of_a_component_that_is_not_replayed_is_refused(home, name):
    replay = ChainedReplay(Bag(home), Changes(overrides={name: {"actions": 1}}))
    with pytest.raises(ConfigurationError, match=rf"{name}\.actions cannot be set"):
        replay.run()


def test_chained_replay_refuses_a_bag_without_a_run_and_names_the_command_for_it(tmp_path):
    with BagWriter(tmp_path / "bag") as writer:
        MessageRecorder(writer)(topics.FAULT, Fault(header=Header()))
    with pytest.raises(StorageError, match="stma replay"):
        ChainedReplay(Bag(tmp_path / "bag")).run()


def test_an_error_of_a_component_is_reported_and_the_other_components_are_replayed(
    home, tmp_path, monkeypatch
):
    from stma_ros.components.decision.planner import Planner

    honest, broken = Planner.handle, []

    def handle(self, topic, message):
        if topic == topics.PLAN_REQUEST and not broken:
            broken.append(message)
            raise ZeroDivisionError("of its own doing")
        return honest(self, topic, message)

    monkeypatch.setattr(Planner, "handle", handle)
    said: list[str] = []
    replay = ChainedReplay(Bag(home), tap=lambda topic, time_ns, message: said.append(topic))
    replay.run()
    assert [note for note in replay.notes if "ZeroDivisionError: of its own doing" in note]
    assert topics.PLAN in said
