"""Tests of the prompted policy: which replies are usable, and what is said of others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from stma_ros.domains.pddl.examples import EXAMPLES
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import POLICY, PolicyQuery
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SubgoalChunk, SubgoalState, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action
from support.roles.scripted_client import PDDL, ScriptedClient, prompted, text_of

QUERY: PolicyQuery = EXAMPLES[POLICY.name]
FIRST = replace(QUERY, temporal=TemporalBelief(text="Observation: you are in hall."))
"""The question before the first subgoal."""


def reply(action: str, subgoal: str = "", failure: str = "none") -> dict[str, object]:
    return {"reasoning": " It is dark. ", "subgoal": subgoal, "action": action, "failure": failure}


def answer_to(query: PolicyQuery, *replies: Any) -> PlanAnswer:
    answer: PlanAnswer = prompted(POLICY, ScriptedClient(*replies), domain=PDDL).answer(query)
    return answer


def command(text: str) -> Action:
    return Action(words.SKILL_COMMAND, (text,))


@pytest.mark.parametrize(
    "written",
    [
        "light lamp2 in attic",
        "Light lamp2 in attic",
        "  light  lamp2 in attic. ",
        "`light lamp2 in attic`",
        '"light lamp2 in attic"',
    ],
)
def test_command_of_the_action_model_is_read_whatever_surrounds_it(written: str) -> None:
    answer = answer_to(QUERY, reply(written))

    assert answer == PlanAnswer("", (command("light lamp2 in attic"),), "It is dark.")


def test_command_may_be_one_whose_needs_do_not_hold() -> None:
    assert answer_to(QUERY, reply("light lamp2 in hall")).actions == (command("light lamp2 in hall"),)


@pytest.mark.parametrize("text", ["look around", "Check valid actions."])
def test_listed_command_is_read(text: str) -> None:
    assert answer_to(QUERY, reply(text)).actions == (command(text.rstrip(".").lower()),)


@pytest.mark.parametrize(
    "written",
    ["fly to attic", "light attic in lamp2", "light lamp3 in attic", "light ?lamp in ?room", "light lamp2"],
)
def test_reply_with_an_unknown_action_is_sent_back_with_what_to_write(written: str) -> None:
    client = ScriptedClient(reply(written), reply("look around"))

    answer = prompted(POLICY, client, domain=PDDL).answer(QUERY)

    assert answer.actions == (command("look around"),)
    (problem,) = client.rejected
    assert f"{written!r} is none of the actions: write one of them word for word" in problem
    assert "look around" in problem
    assert problem in client.requests[1].messages[3].text


def test_unknown_action_of_a_world_without_a_model_is_answered_with_the_listed_ones() -> None:
    query = replace(QUERY, model=ActionModel())

    with pytest.raises(UnusableReplyError, match=r"'light lamp2 in attic' is not possible now; possible: "):
        answer_to(query, reply("light lamp2 in attic"), reply("light lamp2 in attic"))


def test_any_text_is_a_command_where_the_world_takes_any() -> None:
    query = replace(QUERY, model=ActionModel(), any_command=True, allowed_actions=())

    assert answer_to(query, reply("Climb the tree.")).actions == (command("Climb the tree"),)


# -- retrieval

_CHUNKS = tuple(
    SubgoalChunk(id=number, subgoal=f"part {number}", state=SubgoalState.MET) for number in (1, 2)
)
CLOSED = replace(
    QUERY,
    temporal=replace(
        QUERY.temporal,
        chunks=(*_CHUNKS, SubgoalChunk(id=3, subgoal="part 3", state=SubgoalState.OPEN, whole=True)),
    ),
    allowed_actions=(
        command("look around"),
        *(Action(words.SKILL_RETRIEVE, (number,)) for number in ("1", "2")),
    ),
)


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("retrieve(1)", ("1",)),
        ("Retrieve( 2 )", ("2",)),
        ("retrieve(1, 2)", ("1", "2")),
        ("retrieve(2,1)", ("2", "1")),
    ],
)
def test_closed_subgoals_can_be_retrieved(written: str, ids: tuple[str, ...]) -> None:
    assert answer_to(CLOSED, reply(written)).actions == (Action(words.SKILL_RETRIEVE, ids),)


@pytest.mark.parametrize(
    "written", ["retrieve(3)", "retrieve(4)", "retrieve(1, 4)", "retrieve()", "retrieve(1, 1)"]
)
def test_retrieval_of_another_subgoal_is_sent_back_with_those_that_can_be_retrieved(written: str) -> None:
    client = ScriptedClient(reply(written), reply("retrieve(1)"))

    answer = prompted(POLICY, client, domain=PDDL).answer(CLOSED)

    assert answer.actions == (Action(words.SKILL_RETRIEVE, ("1",)),)
    assert "is not possible now; possible: " in client.rejected[0]
    assert "retrieve(1)" in client.rejected[0]


def test_subgoals_cannot_be_retrieved_where_retrieval_is_off() -> None:
    query = replace(CLOSED, allowed_actions=(command("look around"),))

    with pytest.raises(UnusableReplyError, match=r"'retrieve\(1\)' is not possible now"):
        answer_to(query, reply("retrieve(1)"), reply("retrieve(1)"))


# -- subgoals


def test_empty_subgoal_goes_on_with_the_present_one() -> None:
    assert answer_to(QUERY, reply("look around", "  \n")).subgoal == ""


def test_subgoal_is_brought_into_one_line() -> None:
    assert answer_to(FIRST, reply("look around", " lamp1 is lit;\n lamp2 is lit ")).subgoal == (
        "lamp1 is lit; lamp2 is lit"
    )


def test_first_reply_without_a_subgoal_is_sent_back() -> None:
    client = ScriptedClient(reply("look around"), reply("look around", "lamp1 is lit"))

    assert prompted(POLICY, client, domain=PDDL).answer(FIRST).subgoal == "lamp1 is lit"
    assert client.rejected == ["there is no subgoal yet; give the first one with the action"]


def test_subgoals_are_ignored_where_there_are_none() -> None:
    query = replace(FIRST, subgoals=False)

    assert answer_to(query, reply("look around", "lamp1 is lit")).subgoal == ""
    assert answer_to(query, reply("look around")).subgoal == ""


# -- giving up


@pytest.mark.parametrize(
    ("failure", "code"),
    [
        ("impossible", ErrorCode.IMPOSSIBLE),
        ("contradiction", ErrorCode.CONTRADICTION),
        ("not_found", ErrorCode.NONE),
    ],
)
def test_giving_up_states_the_kind_of_failure(failure: str, code: ErrorCode) -> None:
    answer = answer_to(QUERY, reply("give_up()", failure=failure))

    assert (answer.actions, answer.failure) == ((Action(words.SKILL_GIVE_UP),), code)


def test_failure_without_giving_up_is_unusable() -> None:
    with pytest.raises(UnusableReplyError, match="give up, or write 'none'"):
        answer_to(QUERY, *[reply("look around", failure="impossible")] * 2)


@pytest.mark.parametrize(
    "bad",
    [
        "I would look around.",
        {"action": "look around"},
        {**reply("look around"), "actions": ["look around"]},
        {**reply("look around"), "action": ["look around"]},
        reply("look around", failure="tired"),
        reply(""),
    ],
)
def test_policy_has_no_answer_after_two_unusable_replies(bad: Any) -> None:
    client = ScriptedClient(bad, bad, reply("look around"))

    with pytest.raises(UnusableReplyError):
        prompted(POLICY, client, domain=PDDL).answer(QUERY)
    assert len(client.requests) == 2


# -- the question


def test_question_shows_that_instances_of_the_actions_are_allowed() -> None:
    lines = text_of(QUERY).partition("Allowed:\n")[2].splitlines()

    assert lines[-1] == "the actions above, with objects of the types named"
    assert "give_up()" in lines


def test_question_shows_only_what_there_is() -> None:
    query = replace(
        QUERY, model=ActionModel(), temporal=TemporalBelief(), allowed_actions=(command("look around"),)
    )

    assert text_of(query) == f"Task: {query.task}\n\nAllowed:\nlook around"


def test_question_says_that_there_are_no_subgoals_and_what_was_refused() -> None:
    text = text_of(replace(QUERY, subgoals=False, feedback="too late", rejected=(command("look around"),)))

    assert text.endswith(
        "\n\nSubgoals:\nnone; the action alone\n\nThe last action was dropped:\ntoo late\n\nRejected:\nlook around"
    )
