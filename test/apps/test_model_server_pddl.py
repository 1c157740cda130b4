"""Tests of the stand-in model in planning tasks: asked by prompt, it decides like the rules."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.domains.pddl.examples import EXAMPLES
from stma_ros.domains.pddl.observation_summariser import PddlObservationSummariser
from stma_ros.domains.pddl.policy import PddlPolicy
from stma_ros.memory.working.subgoal_chunks import Closed
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkReply
from stma_ros.roles.policy import POLICY, PolicyReply
from stma_ros.storage.decision_log import DecisionLog
from stma_ros.storage.run_folder import RunFolder
from stma_ros.testing.model_server import subgoal_roles
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.testing.model_server.server import serving
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import StmaError, TaskNotUnderstoodError
from stma_ros.types.planning import Action, TaskStatus
from support.roles.prompt_examples import example_of
from support.roles.scripted_client import PDDL, prompt_of, prompted, read_reply, text_of
from support.roles.stand_in_client import Served

SEED = 1007  # of small tasks


def choose(question: str) -> PolicyReply:
    return subgoal_roles.choose(question, PddlPolicy())


def sum_up(question: str) -> ChunkReply:
    return subgoal_roles.sum_up(question, PddlObservationSummariser())


POLICY_ROLE = prompted(POLICY, Served(), domain=PDDL)
SUMMARISER_ROLE = prompted(OBSERVATION_SUMMARISER, Served(), domain=PDDL)


def compared_player(scene: str, seed: int, **settings: Any) -> Any:
    """Returns a ComparedPlayer, if the library for its world is installed."""
    pytest.importorskip(
        "unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'"
    )
    from support.roles.pddl_player import ComparedPlayer

    return ComparedPlayer(scene, seed, POLICY_ROLE, SUMMARISER_ROLE, **settings)


@pytest.mark.parametrize("observation", ["full", "effects"])
@pytest.mark.parametrize("scene", ["blocksworld", "gripper", "barman", "tyreworld", "vault"])
def test_stand_in_model_decides_like_the_rules_when_asked_by_prompt(scene: str, observation: str) -> None:
    player = compared_player(scene, SEED, observation=observation)

    player.play(40)

    assert player.won
    assert player.asked > len(player.done)
    assert player.differences == []


@pytest.mark.parametrize(
    "settings",
    [
        {"closed": Closed.LAST_OBSERVATION},
        {"closed": Closed.WHOLE},
        {"subgoals": False},
        {"window": 400, "observation": "effects"},
    ],
    ids=["no summaries", "nothing closed", "no subgoals", "a window"],
)
def test_stand_in_model_decides_like_the_rules_with_another_history(settings: dict[str, Any]) -> None:
    player = compared_player("gripper", SEED, **settings)

    player.play(40)

    assert player.done
    assert player.differences == []


BOXES = """
(define (domain boxes)
  (:requirements :strips :typing)
  (:types box key)
  (:predicates (open ?box - box) (in ?key - key ?box - box) (held ?key - key) (shut ?box - box))
  (:action uncover :parameters (?box - box) :precondition (shut ?box)
    :effect (and (open ?box) (not (shut ?box))))
  (:action cover :parameters (?box - box) :precondition (open ?box)
    :effect (and (shut ?box) (not (open ?box))))
  (:action take :parameters (?key - key ?box - box) :precondition (and (in ?key ?box) (open ?box))
    :effect (and (held ?key) (not (in ?key ?box)))))
"""
HIDDEN_KEYS = """
(define (problem keys)
  (:domain boxes)
  (:objects a b c - box red blue - key)
  (:init (shut a) (shut b) (shut c) (in red c) (in blue b))
  (:goal (and (held red) (held blue) (shut a))))
"""
SENSES = "in:\n  - open ?box\n"


@pytest.mark.parametrize("observation", ["full", "effects"])
def test_stand_in_model_decides_like_the_rules_where_facts_are_hidden(
    observation: str, tmp_path: Path
) -> None:
    player = compared_player(_boxes(tmp_path), 0, observation=observation)

    player.play(25)

    assert player.won
    assert player.differences == []


def _boxes(folder: Path) -> str:
    pytest.importorskip(
        "unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'"
    )
    from support.worlds.pddl_tasks import write_task

    return write_task(folder, BOXES, HIDDEN_KEYS, senses=SENSES)


def test_stand_in_model_decides_like_the_rules_after_useless_and_rejected_actions(tmp_path: Path) -> None:
    player = compared_player(_boxes(tmp_path), 0)
    for text in ("take red a", "uncover a", "check valid actions", "uncover a", "look around"):
        command = Action(words.SKILL_COMMAND, (text,))
        player.do(command, "open every box")
        answer = player.decide()
        player.decide(rejected=answer.actions, feedback="it is too early")
    player.do(Action(words.SKILL_COMMAND, ("uncover c",)), "red is held")
    player.decide()
    player.do(Action(words.SKILL_RETRIEVE, ("1",)))
    player.decide()
    player.do(Action(words.SKILL_RETRIEVE, ("7",)))
    player.decide()

    assert player.asked > 12
    assert player.differences == []


def test_recorded_replies_of_the_server_repeat_a_task(tmp_path: Path) -> None:
    pytest.importorskip(
        "unified_planning", reason="PDDL needs unified-planning: pip install 'stma_ros[pddl]'"
    )
    with serving() as server:
        asked = _played(f"openai:rules@{server.url}", tmp_path / "asked")
        assert server.requests > 10
    by_rules = _played("rules", tmp_path / "rules")
    repeated = _played(f"recorded:{tmp_path / 'asked'}", tmp_path / "repeated")

    assert len(asked) > 10
    assert by_rules.first_difference(asked) == ""
    assert asked.first_difference(repeated) == ""


def _played(model: str, folder: Path) -> DecisionLog:
    """Returns the decisions of a task that is solved."""
    from stma_ros.worlds.pddl.loaded_task import load_task

    models = {"default": model, "on_failure": "fail"}
    spec = SessionSpec(LOCAL, "hiagent", world="pddl", models=models)
    log, scene = DecisionLog(), "tyreworld"
    run = RunFolder.create(folder)
    with open_local(spec, run, record=False) as session:
        session.start_episode(scene, SEED, (log,), run)
        result = session.run_task(load_task(scene, SEED).objective, 50)
    assert result.status == TaskStatus.SUCCEEDED, result.text
    return log


# -- single questions


QUESTION, REPLY = example_of(prompt_of("pddl/policy").text)
CHUNK, SUMMARY = example_of(prompt_of("pddl/observation_summariser").text)


def test_stand_in_policy_answers_the_example_of_its_prompt_as_shown() -> None:
    shown, answer = read_reply(PolicyReply, REPLY), choose(QUESTION)

    assert (answer.subgoal, answer.action, answer.failure) == (shown.subgoal, shown.action, shown.failure)


def test_example_of_the_summariser_prompt_agrees_with_the_stand_in() -> None:
    shown, answer = read_reply(ChunkReply, SUMMARY), sum_up(CHUNK)

    assert shown.state == answer.state == "not_met"
    assert _sentences(shown.observation) <= _sentences(answer.observation)


def _sentences(text: str) -> set[str]:
    return {sentence.strip() for sentence in text.split(".")}


def test_stand_in_answers_the_example_questions_like_the_rules() -> None:
    policy, chunk = EXAMPLES[POLICY.name], EXAMPLES[OBSERVATION_SUMMARISER.name]

    assert POLICY_ROLE.answer(policy) == PddlPolicy().answer(policy)
    assert SUMMARISER_ROLE.answer(chunk) == PddlObservationSummariser().answer(chunk)


def test_stand_in_policy_gives_up_a_task_that_it_cannot_read() -> None:
    answer = choose(QUESTION.replace("Make this true: car1 is at north; car2 is at north.", "Be nice."))

    assert (answer.action, answer.failure) == ("give_up()", "impossible")
    assert "'Be nice' is no sentence about this world" in answer.reasoning


def test_stand_in_policy_has_no_answer_to_an_unreadable_task_that_cannot_be_given_up() -> None:
    question = QUESTION.replace("car2 is at north.", "be nice", 1).replace("give_up()\n", "")

    with pytest.raises(TaskNotUnderstoodError):
        choose(question)


def test_stand_in_policy_goes_on_with_a_subgoal_that_is_not_reached() -> None:
    question = QUESTION.partition("Action: unload car1 at north")
    answer = choose(f"{question[0].rstrip()}\n\n{question[2].partition(chr(10) * 2)[2]}")

    assert (answer.subgoal, answer.action) == ("", "unload car1 at north")


def test_stand_in_policy_needs_no_subgoal_where_there_are_none() -> None:
    answer = choose(f"{QUESTION}\n\nSubgoals:\nnone; the action alone")

    assert (answer.subgoal, answer.action) == ("", "sail from north to south")


def test_stand_in_policy_does_not_repeat_a_rejected_action() -> None:
    answer = choose(f"{QUESTION}\n\nRejected:\nsail from north to south")

    assert answer.action != "sail from north to south"


@pytest.mark.parametrize(
    "question",
    [
        "",
        "Task: x",
        "Task: x\n\nAllowed:\nlook around\n\nActions:\n- go",
        "Task: x\n\nActions:\nnone\n\nAllowed:\nlook",
    ],
)
def test_question_to_the_policy_in_another_format_is_refused(question: str) -> None:
    with pytest.raises((UnreadableQuestionError, StmaError)):
        choose(question)


@pytest.mark.parametrize(
    "question", ["", "Task: x\n\nSubgoal: y", "Task: x\n\nSubgoal: y\n\nActions and observations:\nnothing"]
)
def test_question_to_the_summariser_in_another_format_is_refused(question: str) -> None:
    with pytest.raises(UnreadableQuestionError):
        sum_up(question)


PIECES = st.sampled_from(
    [
        *QUESTION.split("\n\n"),
        *CHUNK.split("\n\n"),
        "What happened:\n1. Subgoal: \nAction: \n3. Subgoal met: x\nObservation: y",
        "Allowed:\nretrieve()\nretrieve(1, 2)\nany command",
        "Subgoals:\nnone; the action alone",
        "Actions and observations:\nFailed: x\nObservation: no effect\nAction: a\nFailed: b\nObservation: c",
        "Rejected:\n\nsail from north to south",
    ]
)


@given(st.lists(PIECES | st.text(max_size=20), max_size=8))
def test_stand_ins_answer_a_garbled_question_or_refuse_it(pieces: list[str]) -> None:
    for role in (choose, sum_up):
        with suppress(UnreadableQuestionError, StmaError):
            assert role("\n\n".join(pieces))


def test_question_is_answered_by_the_stand_in_of_its_prompt() -> None:
    query = EXAMPLES[POLICY.name]

    reply = choose(text_of(query))

    assert POLICY_ROLE.answer(query).actions == (Action(words.SKILL_COMMAND, (reply.action,)),)
