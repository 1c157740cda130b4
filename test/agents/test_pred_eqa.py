"""Pred-EQA explores a real home and answers, in one process, whatever the order in which messages arrive."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.agents.pred_eqa import PRED_EQA
from stma_ros.agents.spec import Overrides
from stma_ros.evaluation.eqa.generation.blind_prior import ANSWER_PRIORS, blind_prior
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.exploration import ExplorationPlan, ItemState, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, TaskResult, TaskStatus
from stma_ros.worlds.registry import make_world, world_offer

OPEN_DOORS = {"states": "varied"}
SEED = 1001
OTHERS = [
    name
    for name, preset in PRED_EQA.presets.items()
    if name not in ("pred_eqa", "reactive", "blind") and not preset.needs_model
]


def ask(
    question: str,
    preset: str = "pred_eqa",
    seed: int = SEED,
    choose: Callable[[int], int] | None = None,
    taps: Iterable[Callable[[str, Message], None]] = (),
    overrides: Overrides | None = None,
    **world: object,
) -> tuple[TaskResult, list[tuple[str, Message]]]:
    heard: list[tuple[str, Message]] = []
    with closing(make_world("house", {**OPEN_DOORS, **world})) as house:
        house.reset("", seed)
        agent = LocalAgent(
            house,
            configure_agent(preset, overrides, offer=world_offer("house")),
            [lambda topic, message: heard.append((topic, message)), *taps],
            choose,
        )
        return agent.run_task(question, 80), heard


@contextmanager
def living(folder: Path | None = None, start: int = SEED, **planner: float) -> Iterator[LocalAgent]:
    """Makes an agent in the flat; what it remembers is saved at the end.

    Args:
        folder: of its memory.
        start: seed of the place where it starts.
        planner: settings of the planner.
    """
    settings = {"planner": planner, "spatial_memory": {"memory_dir": str(folder or "")}}
    with closing(make_world("house", OPEN_DOORS)) as house:
        house.reset(f"flat_{SEED}", start)
        agent = LocalAgent(house, configure_agent("pred_eqa", settings, world_offer("house")))
        with closing(agent):
            yield agent


def told(heard: list[tuple[str, Message]], topic: str) -> list[Message]:
    return [message for name, message in heard if name == topic]


@pytest.fixture(scope="module")
def asked() -> tuple[TaskResult, list[tuple[str, Message]]]:
    return ask("What colour is the sofa?")


def test_answer_rests_on_a_picture_that_was_taken_on_the_way(asked):
    result, heard = asked
    assert result.status == TaskStatus.SUCCEEDED
    (evidence,) = result.evidence
    assert evidence.picture.data.size > 0
    assert evidence.camera.given
    newest = told(heard, topics.VISUAL_BELIEF)[-1]
    assert isinstance(newest, VisualBelief)
    assert evidence.snapshot in [snapshot.id for snapshot in newest.snapshots]


def test_robot_only_goes_to_frontiers_in_steps_of_a_metre_and_looks(asked):
    _, heard = asked
    outcomes = told(heard, topics.OUTCOME)
    assert {outcome.action.skill for outcome in outcomes} == {  # type: ignore[attr-defined]
        words.SKILL_OBSERVE,
        words.SKILL_LOOK_AROUND,
        words.SKILL_EXPLORE,
    }
    # A stride is measured on the map's cells; the robot cuts corners, and stops at the next free place.
    assert max(outcome.distance for outcome in outcomes) < 1.4  # type: ignore[attr-defined]


def test_trail_has_an_entry_for_each_step_towards_a_frontier(asked):
    _, heard = asked
    (*_, last) = told(heard, topics.TEMPORAL_BELIEF)
    went = [p for p in told(heard, topics.PLAN) if isinstance(p, Plan) and p.actions[0].skill == "explore"]
    assert len(last.observations) == len(went) > 0  # type: ignore[attr-defined]
    assert not any(letter.isdigit() for entry in last.observations for letter in entry)  # type: ignore[attr-defined]


def test_checklist_holds_predictions_of_which_one_is_followed(asked):
    _, heard = asked
    plans = [p for p in told(heard, topics.EXPLORATION_PLAN) if isinstance(p, ExplorationPlan) and p.items]
    assert plans
    for plan in plans:
        states = [item.state for item in plan.items]
        assert states.count(ItemState.IN_PROGRESS) <= 1
        assert all(item.reason for item in plan.items if item.state == ItemState.COMPLETED)
        assert not any(letter.isdigit() for item in plan.items for letter in item.text)


@pytest.mark.parametrize("preset", ["pred_eqa", "reactive"])
def test_decisions_are_the_same_in_any_order_of_delivery(preset):
    def decisions(choose: Callable[[int], int] | None) -> DecisionLog:
        log = DecisionLog()
        ask("What colour is the bed?", preset, choose=choose, taps=[log])
        return log

    plain = decisions(None)
    assert plain.first_difference(decisions(random.Random(1).randrange)) == ""


def test_decisions_do_not_depend_on_names_inside_the_world():
    logs = []
    for identity in (1, 2):
        log = DecisionLog()
        ask("Is there a television?", taps=[log], identity_seed=identity)
        logs.append(log)
    assert logs[0].first_difference(logs[1]) == ""


def test_absence_is_sure_only_where_no_closed_door_was_seen():
    assert ask("What colour is the piano?")[0].status == TaskStatus.SUCCEEDED
    result, _ = ask("What colour is the sofa?", seed=1002, states="usual")
    assert (result.status, result.text) == (TaskStatus.UNVERIFIED, "there is no sofa")


@pytest.fixture(scope="module")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[TaskResult]]:
    """A folder of memory, and the answers to the questions after which it was saved."""
    folder = tmp_path_factory.mktemp("memory")
    with living(folder, recheck_after=0.0) as agent:
        questions = "Is there a piano?", "What colour is the sofa?", "Is there a table lamp?"
        return folder, [agent.run_task(question, 80) for question in questions]


def test_second_question_is_answered_from_memory_unless_it_is_about_what_can_have_moved(first_start):
    _, (first, sofa, lamp) = first_start
    assert first.commands > 1
    assert (sofa.status, sofa.commands) == (TaskStatus.SUCCEEDED, 0)
    assert sofa.evidence[0].stamp.nanoseconds <= first.header.stamp.nanoseconds
    assert (lamp.status, lamp.text, lamp.commands) == (TaskStatus.SUCCEEDED, "yes", 1)
    assert any(shown.stamp.nanoseconds > sofa.header.stamp.nanoseconds for shown in lamp.evidence)


def test_next_start_answers_another_question_from_the_pictures_of_the_one_before(first_start):
    folder, (_, sofa, _) = first_start
    assert {path.parent.name for path in folder.rglob("*.stma")} == {folder.name, "visual_memory"}
    with living(folder, start=1003) as agent:  # elsewhere in the flat
        again = agent.run_task("Is the sofa red?", 80)
        beds = agent.run_task("How many beds are there?", 80)
    expected = "yes" if sofa.text == "red" else "no"
    assert (again.status, again.text, again.commands) == (TaskStatus.SUCCEEDED, expected, 0)
    (evidence,) = again.evidence
    assert evidence.stamp.nanoseconds < 0  # before this start
    assert evidence.picture.data.size > 0
    assert (beds.status, beds.commands) == (TaskStatus.SUCCEEDED, 0)


def test_a_text_that_asks_nothing_is_refused_with_the_reason():
    result, _ = ask("the quick brown fox")
    assert result.status == TaskStatus.FAILED
    assert result.error.code == ErrorCode.TASK_NOT_UNDERSTOOD
    assert "fox" in result.error.text


@pytest.mark.parametrize("preset", OTHERS)
def test_every_preset_comes_to_an_end(preset):
    result, _ = ask("What colour is the bed?", preset)
    assert result.status in (TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED)


def test_blind_preset_answers_the_usual_without_a_step():
    result, heard = ask(
        "What colour is the bed?",
        "blind",
        overrides={"planner": {"answer_priors": str(ANSWER_PRIORS)}},
    )
    assert (result.status, result.evidence) == (TaskStatus.UNVERIFIED, ())
    assert result.text == blind_prior().answer("What colour is the bed?")
    assert {outcome.action.skill for outcome in told(heard, topics.OUTCOME)} == {words.SKILL_OBSERVE}  # type: ignore[attr-defined]
