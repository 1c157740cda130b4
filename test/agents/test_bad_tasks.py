"""Tasks that cannot be done, or only in part: they end with a message that states the cause, tested here word by
word."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, TaskTooLongError
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, TaskResult, TaskStatus
from stma_ros.types.world import World
from stma_ros.worlds.registry import make_world
from support.worlds.map_frames import AT_HOME

SCENE, SEED = (
    "flat_1000",
    1000,
)  # in its kitchen: milk in the fridge, cheese on the counter, a sponge in the sink; no wok, no bathtub
SMALL = {"rooms": 3, "width": 160, "height": 120}
DROPS_ALL = {"drops": 1.0}


@pytest.fixture(scope="module")
def house() -> Iterator[World]:
    house = make_world("house", SMALL)
    yield house
    house.close()


def run(world: World, task: str, scene: str = SCENE, seed: int = SEED) -> tuple[TaskResult, list[Outcome]]:
    outcomes: list[Outcome] = []

    def watch(topic: str, message: Message) -> None:
        if isinstance(message, Outcome):
            outcomes.append(message)

    world.reset(scene, seed)
    return LocalAgent(world, configure_agent(), [watch]).run_task(task, 60), outcomes


def skills(outcomes: list[Outcome]) -> list[str]:
    return [outcome.action.skill for outcome in outcomes]


def test_a_task_about_a_missing_object_fails_after_the_search(house: World) -> None:
    result, outcomes = run(house, "bring the wok to the table")
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.TARGET_NOT_FOUND)
    assert result.text.startswith("No wok was found. Searched: ")
    assert all(f"({room})" in result.text for room in ("kitchen", "living room", "bedroom"))
    assert "Looked into " in result.text
    opened = {outcome.action.arguments[0] for outcome in outcomes if outcome.action.skill == words.SKILL_OPEN}
    assert all(name in result.text for name in opened if not name.startswith("door"))
    assert words.SKILL_EXPLORE in skills(outcomes)


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ("put the milk in the lamp", "put the milk in the lamp (nothing can be put in or on a lamp)"),
        ("put the fridge on the table", "put the fridge on the table (a fridge cannot be carried)"),
        (
            "bring the hamster to the table",
            "put the hamster in or on the table (a hamster is a living being, and none is ever carried)",
        ),
        ("put the milk on the parrot", "put the milk on the parrot (nothing can be put in or on a parrot)"),
    ],
)
def test_an_impossible_task_is_refused_without_manipulation(house: World, task: str, why: str) -> None:
    result, outcomes = run(house, task)
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.IMPOSSIBLE)
    assert result.text == f"Not possible: {why}."
    assert not set(words.MANIPULATIONS) & set(skills(outcomes))


@pytest.mark.parametrize("task", ["put the sofa in the fridge", "open the table", "put the bowl in the bowl"])
def test_a_nonsensical_task_is_refused_before_any_command(house: World, task: str) -> None:
    result, _ = run(house, task)
    assert (result.status, result.error.code, result.commands) == (
        TaskStatus.FAILED,
        ErrorCode.TASK_NOT_UNDERSTOOD,
        0,
    )
    assert f"The task {task!r} is not understood: " in result.text
    assert "makes no sense. For example " in result.text


@pytest.mark.parametrize("task", ["bring the cat to the table", "put the milk on the dog"])
def test_a_task_about_a_living_being_is_refused_with_that_reason(house: World, task: str) -> None:
    result, _ = run(house, task)
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.TASK_NOT_UNDERSTOOD)
    assert "is a living being, and the robot handles things only" in result.text
    assert result.commands == 0


def test_a_missing_destination_is_named_in_the_result(house: World) -> None:
    result, outcomes = run(house, "put the milk in the bathtub")
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.IMPOSSIBLE)
    assert result.text == "Not done: put the milk in the bathtub (no bathtub was found)."
    assert words.SKILL_EXPLORE in skills(outcomes)
    assert skills(outcomes)[-1] == words.SKILL_PLACE_ON, "what was taken along is put down"


@pytest.mark.parametrize(
    ("task", "failures", "tries", "why"),
    [
        (
            "put the blanket in the sink",
            {ErrorCode.SPOT_TAKEN, ErrorCode.NO_SURFACE},
            6,
            "sink_1 has no free place that could be found in 6 attempts",
        ),
        ("put the pillow in the bin", {ErrorCode.DOES_NOT_FIT}, 1, "bin_1 is too small for it"),
    ],
)
def test_a_destination_that_cannot_take_the_object_is_named_when_there_is_no_other(
    house: World, task: str, failures: set[ErrorCode], tries: int, why: str
) -> None:
    result, outcomes = run(house, task)
    codes = [o.error.code for o in outcomes if o.action.skill == words.SKILL_PLACE_IN]
    assert len(codes) == tries
    assert set(codes) <= failures
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.IMPOSSIBLE)
    assert result.text == f"Not done: {task} ({why})."


@pytest.mark.parametrize(
    ("task", "one", "other"),
    [
        ("open the fridge and close the fridge", "the fridge open", "the fridge closed"),
        (
            "put the milk on the sofa and put the milk in the fridge",
            "put the milk on the sofa",
            "put the milk in the fridge",
        ),
    ],
)
def test_a_contradictory_task_is_refused_before_any_command(
    house: World, task: str, one: str, other: str
) -> None:
    result, _ = run(house, task)
    assert (result.status, result.error.code, result.commands) == (
        TaskStatus.FAILED,
        ErrorCode.CONTRADICTION,
        0,
    )
    assert f"contradicts itself: '{one}' and '{other}' cannot both be" in result.text
    assert "say in what order they are meant" in result.text


def test_a_repeated_request_is_carried_out_once(house: World) -> None:
    result, outcomes = run(house, "put the cheese in the fridge and put the cheese in the fridge")
    assert result.status == TaskStatus.SUCCEEDED
    assert result.text == "Done: put the cheese in the fridge (cheese_1)."
    done = [outcome for outcome in outcomes if outcome.result == Result.SUCCEEDED]
    assert skills(done).count(words.SKILL_PLACE_IN) == 1


def test_several_objects_of_one_category_are_reported_in_the_plural(house: World) -> None:
    result, _ = run(house, "put all the bottles in the fridge")
    assert "all bottles in the fridge" in result.text, result.text
    result, _ = run(house, "put the oven on the table")
    assert result.text == "Not possible: put the oven on the table (an oven cannot be carried)."
    found, _ = run(house, "find all the chairs")
    assert found.text.startswith("Found chairs: "), found.text


def test_a_dropped_object_is_picked_up_again() -> None:
    # Every drive drops it: on this way the robot arrives before it gives up.
    house = make_world("house", {**SMALL, **DROPS_ALL, **AT_HOME})
    result, outcomes = run(house, "put the milk on the sofa", seed=1002)
    house.close()
    assert ErrorCode.DROPPED in {outcome.error.code for outcome in outcomes}
    assert skills(outcomes).count(words.SKILL_PICK) > 1
    assert result.status == TaskStatus.SUCCEEDED, result.text
    assert result.text == "Done: put the milk on the sofa (milk_1)."


def test_a_too_long_task_is_refused_before_it_becomes_a_message(house: World) -> None:
    house.reset(SCENE, SEED)
    heard: list[str] = []
    agent = LocalAgent(house, configure_agent(), [lambda topic, message: heard.append(topic)])
    heard.clear()
    with pytest.raises(TaskTooLongError, match="has 51000 characters, and at most 2000 are read"):
        agent.run_task("find the mug and " * 3000)
    assert heard == []
