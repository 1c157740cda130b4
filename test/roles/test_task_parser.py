"""Tests of the task parser: goals as messages, replies of models, missing goals, and faults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.critic import SymbolicCritic
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal, goal_message, goals_of
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.domains.household.task_parser import SymbolicTaskParser
from stma_ros.memory.descriptions import LARGE, SMALL, Description
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.planner import PlanQuery
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.roles.reply import reply_json
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.task_parser import TASK_PARSER, ParsedTask, TaskQuery, TaskReply
from stma_ros.testing.model_server.household import parse, parse_reply
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ContradictionError, ErrorCode, RoleError, StmaError, TaskNotUnderstoodError
from stma_ros.types.goals import Goal as GoalMessage
from stma_ros.types.goals import GoalKind
from support.roles.scripted_client import HOUSEHOLD, ScriptedClient, prompted, read_reply
from support.roles.scripted_home import Belief, allowed, temporal

PARSER = SymbolicTaskParser(household_categories())
ASKED = TaskQuery(
    "Put the green book into the cupboard, then bring me two mugs and switch off all the lamps."
)
PARSED = PARSER.answer(ASKED)

# -- goals as messages

_things = st.recursive(
    st.builds(
        Description,
        st.sampled_from(["mug", "coffee table", "kitchen"]),
        st.lists(st.sampled_from(["red", "blue"]), max_size=2, unique=True).map(tuple),
        st.sampled_from(["", SMALL, LARGE]),
    ),
    lambda inner: st.builds(
        Description,
        st.just("mug"),
        relation=st.sampled_from(["", words.IN, words.ON, words.NEAR, words.IN_ROOM]),
        place=inner,
        id=st.sampled_from(["", "mug_1"]),
    ),
    max_leaves=3,
)
_goals = st.one_of(
    st.builds(FindGoal, _things, st.integers(0, 9), st.booleans()),
    st.builds(
        PlaceGoal,
        _things,
        st.integers(0, 9),
        st.sampled_from(["", words.IN, words.HELD_BY]),
        st.none() | _things,
    ),
    st.builds(StateGoal, _things, st.sampled_from([words.STATE_OPEN, words.STATE_EMPTY]), st.integers(0, 9)),
)


@given(st.lists(_goals, min_size=1, max_size=3))
def test_goals_are_restored_from_their_messages(goals: list[Goal]) -> None:
    assert goals_of(TemporalBelief(goals=tuple(map(goal_message, goals)))) == tuple(goals)


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        (Error(ErrorCode.TASK_NOT_UNDERSTOOD, "not read"), TaskNotUnderstoodError),
        (Error(ErrorCode.CONTRADICTION, "not both"), ContradictionError),
        (Error(ErrorCode.MODEL_DEADLINE, "no answer in time"), RoleError),
    ],
)
def test_planner_and_critic_raise_the_error_of_the_goals(error: Error, raised: type[StmaError]) -> None:
    past, spatial = TemporalBelief(goals_error=error), Belief().done()
    rules = household_categories()
    with pytest.raises(raised, match=error.text) as planning:
        SymbolicPlanner(rules).answer(PlanQuery("", past, spatial, allowed()))
    with pytest.raises(raised, match=error.text) as judging:
        SymbolicCritic(rules).answer(CritiqueQuery("", "", allowed()[0], allowed(), past, spatial))
    assert planning.value.code == judging.value.code == error.code


@pytest.mark.parametrize(
    ("goals", "message"),
    [
        ((), "needs a task_parser"),
        ((GoalMessage(kind=GoalKind.FIND),), "about nothing"),
        ((replace(PARSED.goals[0], kind=GoalKind.UNKNOWN),), "no known kind"),
    ],
)
def test_unreadable_goals_are_an_error_of_the_role(goals: tuple[GoalMessage, ...], message: str) -> None:
    with pytest.raises(RoleError, match=message):
        goals_of(replace(temporal(), goals=goals))


# -- replies of models


def reply(**changes: Any) -> Mapping[str, Any]:
    """Returns a usable reply with changed fields of its own or of its first goal."""
    data = json.loads(reply_json(parse_reply(PARSED)))
    for name, value in changes.items():
        (data if name in data else data["goals"][0])[name] = value
    return data  # type: ignore[no-any-return]


def read(data: Mapping[str, Any]) -> ParsedTask:
    return TASK_PARSER.read(read_reply(TaskReply, json.dumps(data)), ASKED)


def test_reply_of_the_task_parser_is_read_as_its_goals() -> None:
    assert read(reply()) == PARSED


def test_names_in_a_reply_of_the_task_parser_are_normalised() -> None:
    (book, *_) = reply()["goals"][0]["what"]
    assert read(reply(what=[{**book, "category": " Green_Book "}])).goals[0].what[0].category == "green book"


THING = {"category": "mug", "colours": [], "size": "", "relation": "", "id": ""}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"goals": []}, "there are no goals"),
        ({"problem": "contradiction"}, "and there are goals"),
        ({"problem": "not_understood", "goals": [], "reasoning": " "}, "does not say which"),
        ({"what": []}, "does not say what it is about"),
        ({"what": [{**THING, "category": " "}]}, "without a category"),
        ({"what": [{**THING, "relation": "on"}]}, "comes last"),
        ({"what": [THING] * 5}, "more than 3 places"),
        ({"what": [{**THING, "colours": ["navy"]}]}, "colours"),
        ({"count": -1}, "count from 1"),
        ({"beside": True}, "only find"),
        ({"state": "open"}, "only state"),
        ({"kind": "state"}, "needs a state"),
        ({"kind": "find"}, "only place"),
        ({"relation": "held by"}, "choose one"),
        ({"destination": []}, "name the destination"),
        ({"question": "Is there a mug?"}, "only answer and find"),
        ({"kind": "answer", "question": "Is there a mug?"}, "answered beside another goal"),
        ({"kind": "wash"}, "kind"),
        ({"reasoning": None}, "reasoning"),
    ],
)
def test_senseless_reply_of_the_task_parser_is_refused_with_the_problem(
    changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UnusableReplyError, match=message):
        read(reply(**changes))


def test_reply_of_the_task_parser_with_a_question_and_other_parts_is_refused() -> None:
    (goal, *_) = reply()["goals"]
    data = {**reply(), "goals": [{**goal, "kind": "answer", "question": "Is there a mug?"}]}
    with pytest.raises(UnusableReplyError, match="other parts than the question"):
        read(data)
    with pytest.raises(UnusableReplyError, match="needs the question"):
        read({**data, "goals": [{**goal, "kind": "answer"}]})


@pytest.mark.parametrize("count", [-1, 2**32])
def test_question_about_an_impossible_number_of_things_is_sent_back(count: int) -> None:
    (goal,) = json.loads(reply_json(parse_reply(PARSER.answer(TaskQuery("Is there a mug?")))))["goals"]
    assert goal["kind"] == "answer"
    data = reply(goals=[{**goal, "count": count}])
    client = ScriptedClient(data, {**data, "goals": [goal]})
    assert prompted(TASK_PARSER, client, domain=HOUSEHOLD).answer(ASKED).goals[0].kind == GoalKind.ANSWER
    assert len(client.rejected) == 1
    assert "count from 1" in client.rejected[0]


@pytest.mark.parametrize(
    ("problem", "code"),
    [("not_understood", ErrorCode.TASK_NOT_UNDERSTOOD), ("contradiction", ErrorCode.CONTRADICTION)],
)
def test_task_parser_answers_with_the_problem_of_a_task(problem: str, code: ErrorCode) -> None:
    data = reply(problem=problem, reasoning="It cannot sing.", goals=[])
    client = ScriptedClient(data)
    assert prompted(TASK_PARSER, client, domain=HOUSEHOLD).answer(ASKED) == ParsedTask(
        error=Error(code, "It cannot sing.")
    )
    assert len(client.cached) == 1


def test_rules_read_the_task_when_the_replies_of_the_model_are_unusable() -> None:
    client = ScriptedClient(reply(count=-1), "I would rather not.")
    assert prompted(TASK_PARSER, client, PARSER, HOUSEHOLD).answer(ASKED) == PARSED
    assert len(client.rejected) == 2


@pytest.mark.parametrize(
    "task",
    [ASKED.task, "go to the sofa", "sing", "open the door and close the door", "How many mugs are there?"],
)
def test_stand_in_model_reads_a_task_like_the_rules(task: str) -> None:
    reply_object = json.loads(reply_json(parse(TASK_PARSER.text(TaskQuery(task)))))
    assert TASK_PARSER.read(
        read_reply(TaskReply, json.dumps(reply_object)), TaskQuery(task)
    ) == PARSER.answer(TaskQuery(task))


def test_model_reads_tasks_only_if_its_setting_names_one() -> None:
    model = "scripted:replies.yaml"
    assert TASK_PARSER.name not in RoleModelConfig(default=model).model_roles
    assert TASK_PARSER.name in RoleModelConfig(task_parser=model).model_roles  # type: ignore[call-arg]


# -- faults


def corrupted(kind: FaultKind, parsed: ParsedTask, pick: int = 0) -> Corrupted[ParsedTask] | None:
    assert TASK_PARSER.corrupt is not None
    return TASK_PARSER.corrupt(CorruptionInput(kind, ASKED, parsed, None, lambda count: pick % count))


def test_fault_omitted_leaves_out_one_goal() -> None:
    assert corrupted(FaultKind.OMITTED, PARSED, 1) == Corrupted(
        ParsedTask((PARSED.goals[0], PARSED.goals[2])), FaultKind.OMITTED, "goal 2"
    )


def test_fault_flipped_exchanges_object_and_destination_or_inverts_the_state() -> None:
    book, _, lamps = PARSED.goals
    placed, state = corrupted(FaultKind.FLIPPED, PARSED), corrupted(FaultKind.FLIPPED, PARSED, 1)
    assert placed is not None
    assert state is not None
    assert (placed.answer.goals[0].what, placed.answer.goals[0].destination) == (book.destination, book.what)
    assert state.answer.goals[2] == replace(lamps, state=words.STATE_ON)


def test_single_goal_is_flipped_rather_than_omitted() -> None:
    wrong = corrupted(FaultKind.OMITTED, ParsedTask(PARSED.goals[:1]))
    assert wrong is not None
    assert wrong.kind is FaultKind.FLIPPED


@pytest.mark.parametrize("task", ["find the mug", "sing"])
def test_answer_without_goals_can_only_be_malformed(task: str) -> None:
    assert corrupted(FaultKind.FLIPPED, PARSER.answer(TaskQuery(task))) is None
