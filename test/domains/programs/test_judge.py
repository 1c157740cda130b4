"""Tests of the judge by rules: sound runs of the rules are kept, corrupted ones are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stma_ros.domains.programs.judge import ProgramsJudge
from stma_ros.roles.judge import JudgedStep, Judgement, JudgeQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Result
from support.homes_of_twins import twins
from support.people_programs import home_graph
from support.programs_player import FINISH, GIVE_UP, Player

KEPT = 0.7  # the default of min_score
TASKS = (
    "you hold the milk",
    "the milk is on the table; the fridge is closed",
    "the bread is in the fridge; the cup is clean; the fridge is closed; you are in the kitchen",
    "the table_lamp is switched on; you are sitting; you are on the chair; you are in the home_office",
    "the milk is in the cup; the clothes_shirt is on you; the plate is not on the table",
    "the cup is in the home_office; you hold the bread; the bread is in the home_office",
    "the bread is on the table; the cup is in the fridge; the milk is on the table; the table_lamp is plugged in",
)
TABLE = TASKS[-1]


def _run(task: str) -> list[JudgedStep]:
    """Returns the steps of the rules, up to the end of the task."""
    player = Player(home_graph(), task)
    steps = []
    while True:
        answer = player.next()
        steps.append(JudgedStep(answer.reasoning, answer.actions[0]))
        if answer.actions[0].skill != words.SKILL_COMMAND:
            return steps
        player.do(str(answer.actions[0]))


def _judge(task: str, steps: list[JudgedStep], stepwise: bool = True) -> Judgement:
    return ProgramsJudge().answer(JudgeQuery(task, tuple(steps), stepwise))


def _at(steps: list[JudgedStep], command: str) -> int:
    """Returns the number of the step whose command begins so."""
    return next(number for number, step in enumerate(steps) if str(step.action).startswith(command))


def _step(command: str, reason: str = "") -> JudgedStep:
    return JudgedStep(reason or f"So {command} is next.", Action(words.SKILL_COMMAND, (command,)))


@pytest.mark.parametrize("task", TASKS)
def test_sound_run_is_kept_with_full_marks_for_its_steps(task: str) -> None:
    steps = _run(task)
    assert steps[-1].action == FINISH
    judged = _judge(task, steps)
    assert [score.value for score in judged.steps] == [1.0] * len(steps)
    assert judged.whole.value > KEPT


def test_sound_run_that_moves_two_of_a_kind_is_kept() -> None:
    task = "the first cup is on the table; the second cup is on the table; the third cup is on the table"
    player = Player(twins(), task)
    steps = []
    while (answer := player.next()).actions != (FINISH,):
        steps.append(JudgedStep(answer.reasoning, answer.actions[0]))
        player.do(str(answer.actions[0]))
    assert sum(command.startswith("put ") for command in player.commands) == 2
    steps.append(JudgedStep(answer.reasoning, FINISH))
    assert _judge(task, steps).whole.value > KEPT
    last_put = max(number for number, step in enumerate(steps) if str(step.action).startswith("put "))
    assert _judge(task, [*steps[:last_put], *steps[last_put + 1 :]]).whole.value <= KEPT


@pytest.mark.parametrize("task", TASKS)
def test_run_with_reasons_of_other_steps_is_not_kept(task: str) -> None:
    steps = _run(task)
    shifted = [replace(step, rationale=steps[number - 1].rationale) for number, step in enumerate(steps)]
    assert _judge(task, shifted).whole.value <= KEPT


@pytest.mark.parametrize("task", TASKS)
def test_run_with_a_step_without_a_reason_is_not_kept(task: str) -> None:
    for number, step in enumerate(steps := _run(task)):
        corrupted = [*steps[:number], replace(step, rationale=" "), *steps[number + 1 :]]
        judged = _judge(task, corrupted)
        assert judged.steps[number].value == 0.0
        assert judged.whole.value <= KEPT


@pytest.mark.parametrize("task", TASKS)
def test_run_with_the_command_of_another_thing_is_not_kept(task: str) -> None:
    for number, step in enumerate(steps := _run(task)[:-1]):
        verb, name = str(step.action).rsplit(" ", 1)
        other = Action(words.SKILL_COMMAND, (f"{verb} {'novel_7' if name != 'novel_7' else 'box_1'}",))
        corrupted = [*steps[:number], replace(step, action=other), *steps[number + 1 :], _run(task)[-1]]
        judged = _judge(task, corrupted)
        assert judged.steps[number].value == 0.0
        assert judged.whole.value <= KEPT


@pytest.mark.parametrize("task", [task for task in TASKS if " on the table" in task and "not" not in task])
def test_run_in_which_a_thing_is_not_put_down_is_not_kept(task: str) -> None:
    steps = _run(task)
    put = _at(steps, "put ")
    judged = _judge(task, [*steps[:put], *steps[put + 1 :]])
    assert judged.whole.value <= KEPT
    assert "still in a hand" in judged.steps[-1].justification


@pytest.mark.parametrize("task", [TASKS[1], TABLE])
def test_run_in_which_a_thing_is_put_down_before_it_is_taken_is_not_kept(task: str) -> None:
    steps = _run(task)
    put, grab = _at(steps, "put "), _at(steps, "grab ")
    steps[grab], steps[put] = steps[put], steps[grab]
    judged = _judge(task, steps)
    assert "was in no hand" in judged.steps[grab].justification
    assert judged.whole.value <= KEPT


def test_run_without_a_needed_step_is_not_kept() -> None:
    task = "the table_lamp is switched on"
    steps = _run(task)
    switch = _at(steps, "switch on")
    judged = _judge(task, [*steps[:switch], *steps[switch + 1 :]])
    assert judged.whole.value <= KEPT
    assert "0 of 1 wishes" in judged.whole.justification


@pytest.mark.parametrize(
    ("steps", "number", "reason"),
    [
        (["grab band-aids_1", "grab band-aids_1"], 1, "was in a hand already"),
        (["grab cup_1", "grab cup_2", "grab cup_3"], 2, "both hands were full"),
        (["wear cup_1"], 0, "was in no hand"),
        (["sit on chair_1", "walk to cup_1"], 1, "one has to stand up first"),
        (["grab novel_1"], 0, "the task does not name novel_1"),
        (["walk to cup_1", "walk to cup_1"], 1, "it had just been done"),
        (["open cup_1", "close cup_1", "close box_1", "close cup_1"], 3, "cup_1 was closed already"),
    ],
)
def test_senseless_step_loses_marks(steps: list[str], number: int, reason: str) -> None:
    judged = _judge("the cup is on the band-aids; you are sitting", [_step(command) for command in steps])
    assert reason in judged.steps[number].justification
    assert judged.steps[number].value < 1.0
    assert all(score.value == 1.0 for score in judged.steps[:number])


def test_reason_that_announces_another_thing_with_a_hyphen_is_of_another_step() -> None:
    step = _step("grab cup_1", "The aim: you hold the cup. So grab band-aids_1 is next.")
    assert _judge("you hold the cup", [step]).steps[0].value == 0.0


@pytest.mark.parametrize("command", ["grab", "put cup_1", "grab the cup", "put cup_1 on", "dance"])
def test_text_that_is_no_command_achieves_nothing(command: str) -> None:
    judged = _judge("you hold the cup", [_step(command, "I want it so."), JudgedStep("Done.", FINISH)])
    assert judged.whole.value == 0.0


@pytest.mark.parametrize(
    ("ending", "share"),
    [(FINISH, 1.0), (Action(words.SKILL_FINISH_UNVERIFIED), 0.7), (GIVE_UP, 0.0), (None, 0.5)],
)
def test_score_depends_on_how_the_task_was_ended(ending: Action | None, share: float) -> None:
    task = "you hold the milk"
    steps = _run(task)[:-1] + ([JudgedStep("All is so.", ending)] if ending else [])
    assert _judge(task, steps).whole.value == pytest.approx(share)
    assert _judge(task, steps, stepwise=False).whole.value == pytest.approx(share)
    assert _judge(task, steps, stepwise=False).steps == ()


_CUP_TO_TABLE = ("walk to cup_1", "grab cup_1", "walk to table_1", "put cup_1 on table_1")


@pytest.mark.parametrize(
    ("task", "commands", "said", "completion"),
    [
        # as many things as there are wishes
        ("the first cup is on the table; the second cup is on the table", _CUP_TO_TABLE, "", 0.5),
        ("you hold the first cup; you hold the second cup", _CUP_TO_TABLE[:2], "cup_1, cup_2", 0.5),
        ("the first cup is on the table; the second cup is on the table", _CUP_TO_TABLE, "cup_1, cup_2", 1.0),
        ("the first cup is clean; the first cup is on the table; the second cup is clean",
         ("walk to cup_2", "wash cup_2", "walk to cup_1", "wash cup_1", *_CUP_TO_TABLE[1:]), "", 1.0),
        # rooms of any name
        ("the cup is in the garage", (*_CUP_TO_TABLE[:2], "walk to garage_1", "drop cup_1"), "", 1.0),
        ("the cup is in the garage", (*_CUP_TO_TABLE[:2], "walk to livingroom_1", "drop cup_1"), "", 0.0),
        ("the cup is in the box", (*_CUP_TO_TABLE[:2], "walk to box_1", "open box_1", "drop cup_1"), "", 0.0),
        ("the cup is in the garage; the cup is on the table", _CUP_TO_TABLE, "", 1.0),
        ("the cup is in the garage", ("walk to cup_1", "grab cup_1", "drop cup_1"), "", 0.0),
        # plugs that nobody touched
        ("the lamp is plugged in", ("walk to lamp_1",), "lamp_1", 0.0),
        ("the lamp is plugged in; the lamp is switched on", ("walk to lamp_1", "switch on lamp_1"), "", 1.0),
        ("the lamp is plugged in; the lamp is switched on", ("unplug lamp_1", "switch on lamp_1"), "", 0.5),
        # where one is oneself
        ("you are in the kitchen", ("walk to bedroom_1",), "", 0.0),
        ("you are in the kitchen", ("walk to bedroom_1", "walk to kitchen_1"), "", 1.0),
        ("you are not in the kitchen", ("walk to kitchen_1",), "", 0.0),
        ("you are in the kitchen; the cup is clean", ("walk to cup_1", "wash cup_1"), "", 1.0),
    ],
)  # fmt: skip
def test_completion_is_the_share_of_wishes_that_the_commands_achieve(
    task: str, commands: tuple[str, ...], said: str, completion: float
) -> None:
    steps = [*map(_step, commands), JudgedStep(f"All is so, with {said}.", FINISH)]
    assert _judge(task, steps, stepwise=False).whole.value == completion


def test_results_count_only_if_they_are_shown() -> None:
    task = "the milk is on the table; the fridge is closed"
    steps = _run(task)
    shown = [replace(step, result=Result.SUCCEEDED) for step in steps]
    assert _judge(task, shown) == _judge(task, steps)
    put = _at(steps, "put ")
    shown[put] = replace(shown[put], result=Result.FAILED, error=Error(ErrorCode.NO_EFFECT, "it fell"))
    assert _judge(task, shown).whole.value <= KEPT < _judge(task, steps).whole.value


def test_task_that_is_not_understood_scores_nothing() -> None:
    judged = _judge("make me happy", [_step("walk to cup_1")])
    assert (judged.whole.value, [score.value for score in judged.steps]) == (0.0, [0.0])
    assert "says of nothing" in judged.whole.justification
