"""Tests of the prompted observation summariser: its question, and which replies are usable."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stma_ros.domains.pddl.examples import EXAMPLES
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER, ChunkQuery
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SubgoalChunk, SubgoalState
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation
from support.roles.scripted_client import PDDL, ScriptedClient, prompted, text_of

QUERY: ChunkQuery = EXAMPLES[OBSERVATION_SUMMARISER.name]
GOOD = {"observation": "lamp1 is lit.", "state": "met", "reason": ""}


def answer_to(*replies: Any) -> SubgoalChunk:
    answer: SubgoalChunk = prompted(OBSERVATION_SUMMARISER, ScriptedClient(*replies), domain=PDDL).answer(
        QUERY
    )
    return answer


@pytest.mark.parametrize(
    ("name", "state"),
    [("met", SubgoalState.MET), ("not_met", SubgoalState.NOT_MET), ("unknown", SubgoalState.UNKNOWN)],
)
def test_reply_states_what_came_of_the_subgoal(name: str, state: SubgoalState) -> None:
    assert answer_to({**GOOD, "state": name}).state == state


def test_observation_and_reason_are_brought_into_one_line() -> None:
    answer = answer_to({"observation": " lamp1\nis lit.\n", "state": "met", "reason": "It\n was easy. "})

    assert answer == SubgoalChunk(
        observation="lamp1 is lit.",
        state=SubgoalState.MET,
        reason="It was easy.",
        completed=QUERY.completed,
    )


def test_outcomes_go_on_from_those_of_the_subgoal_before() -> None:
    done = Outcome(request_id="t/1", action=Action("command", ("look",)), result=Result.SUCCEEDED)
    query = replace(QUERY, previous=SubgoalChunk(completed=(done,)))

    answer = prompted(OBSERVATION_SUMMARISER, ScriptedClient(GOOD), domain=PDDL).answer(query)

    assert answer.completed == (done, *QUERY.completed)
    assert [str(each.action) for each in QUERY.completed] == ["light lamp1 in hall"]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ({**GOOD, "observation": " \n"}, "the observation is empty"),
        ({**GOOD, "state": "done"}, "state: "),
        ({**GOOD, "state": None}, "state: "),
        ({"observation": "lamp1 is lit.", "state": "met"}, "reason: "),
        ({**GOOD, "subgoal": "lamp1 is lit"}, "subgoal: "),
        ("lamp1 is lit. Subgoal is met.", "no JSON object"),
    ],
)
def test_unusable_reply_is_sent_back_once_with_the_problem(bad: Any, problem: str) -> None:
    client = ScriptedClient(bad, GOOD)

    answer = prompted(OBSERVATION_SUMMARISER, client, domain=PDDL).answer(QUERY)

    assert answer.state == SubgoalState.MET
    assert problem in client.rejected[0]
    with pytest.raises(UnusableReplyError):
        answer_to(bad, bad)


def test_question_shows_the_actions_the_beginning_and_what_was_done() -> None:
    parts = text_of(QUERY).split("\n\n")

    assert [part.splitlines()[0] for part in parts] == [
        "Task: Make this true: lamp1 is lit; lamp2 is lit.",
        "Actions:",
        "At first:",
        "Subgoal: lamp1 is lit",
        "Actions and observations:",
    ]
    assert parts[2] == "At first:\nObservation: lamp1 is in hall. lamp2 is in attic. you are in hall."
    assert parts[4].endswith("Action: light lamp1 in hall\nObservation: lamp1 is lit.")


def test_question_goes_on_from_the_summary_before() -> None:
    previous = SubgoalChunk(id=4, subgoal="look", observation="you are in attic.", state=SubgoalState.MET)

    text = text_of(replace(QUERY, previous=previous))

    assert "\n\nSo far:\n4. Subgoal met: look\nSummary: you are in attic.\n\nSubgoal: " in text


def test_question_of_a_world_without_a_model_has_no_actions() -> None:
    records = tuple(replace(record, action_model=ActionModel()) for record in QUERY.records)

    text = text_of(replace(QUERY, records=records, first=Observation()))

    assert "\nActions:\n" not in text
    assert "At first" not in text
