"""Tests of all prompted roles with good and bad replies, with failing models, and with rules as a fallback."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.models.chat import ChatReply, Finish, MessageRole
from stma_ros.models.errors import UnreachableError
from stma_ros.roles.critic import CRITIC, CritiqueQuery
from stma_ros.roles.planner import PLANNER, PlanQuery
from stma_ros.roles.reflector import REFLECTOR, ReflectQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery
from stma_ros.roles.runner import ModelClient, QuestionTooLongError
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.types.belief import Summary
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskStatus
from support.roles.scripted_client import ScriptedClient, prompted, text_of
from support.roles.scripted_text_home import small_home
from support.roles.text_player import TASK, Player, command

PLAYER = Player(small_home())
BELIEFS = PLAYER.temporal, PLAYER.spatial
LOST = Error(ErrorCode.EPISODE_LOST, "you lost")


@dataclass(frozen=True)
class Case:
    """A prompted role under test.

    Attributes:
        prompt: name of its prompt.
        ask: asks the role through a client, with or without rules as a fallback, about a task.
        rules: returns the answer of the rules.
        good: a usable reply.
    """

    prompt: str
    ask: Callable[[ModelClient, bool, str], object]
    rules: Callable[[], object]
    good: dict[str, Any]


def _summarise(task: str) -> SummariseQuery:
    return SummariseQuery(task, Summary(), tuple(PLAYER.records), 1)


def _relate(task: str) -> RelationQuery:
    return RelationQuery(replace(PLAYER.temporal, text=task))


def _aggregate(task: str) -> AggregateQuery:
    return AggregateQuery(task, PLAYER.graph.facts, ())


def _plan(task: str) -> PlanQuery:
    return PlanQuery(task, *BELIEFS, PLAYER.allowed, observation=PLAYER.observation)


def _criticise(task: str) -> CritiqueQuery:
    return CritiqueQuery(task, "", command("go east"), PLAYER.allowed, *BELIEFS, PLAYER.observation)


def _reflect(task: str) -> ReflectQuery:
    return ReflectQuery(task, PLAYER.summary, TaskStatus.FAILED, LOST)


CASES = {
    "summariser": Case(
        "cooking/summariser",
        lambda client, rules, task: prompted(SUMMARISER, client, TextSummariser() if rules else None).answer(
            _summarise(task)
        ),
        lambda: TextSummariser().answer(_summarise(TASK)),
        {
            "goals": [],
            "notes": [{"step": 0, "note": "I am in the kitchen."}],
            "instructions": [],
            "progress": "",
            "suggestions": [],
        },
    ),
    "relation_retriever": Case(
        "cooking/relation_retriever",
        lambda client, rules, task: prompted(
            RELATION_RETRIEVER, client, TextRelationRetriever() if rules else None
        ).answer(_relate(task)),
        lambda: TextRelationRetriever().answer(_relate(TASK)),
        {"facts": [], "seen_whole": [{"room": "kitchen", "step": 0}]},
    ),
    "relation_aggregator": Case(
        "cooking/relation_aggregator",
        lambda client, rules, task: prompted(
            RELATION_AGGREGATOR, client, TextRelationAggregator() if rules else None
        ).answer(_aggregate(task)),
        lambda: TextRelationAggregator().answer(_aggregate(TASK)),
        {"description": "It is a kitchen.", "facts": [], "ways": []},
    ),
    "planner": Case(
        "cooking/planner",
        lambda client, rules, task: prompted(PLANNER, client, TextPlanner() if rules else None).answer(
            _plan(task)
        ),
        lambda: TextPlanner().answer(_plan(TASK)),
        {"reasoning": "", "subgoal": "look about", "actions": ["go east"], "failure": "none"},
    ),
    "critic": Case(
        "cooking/critic",
        lambda client, rules, task: prompted(CRITIC, client, TextCritic() if rules else None).answer(
            _criticise(task)
        ),
        lambda: TextCritic().answer(_criticise(TASK)),
        {"reason": "Read first.", "criterion": "alignment", "verdict": "reject"},
    ),
    "reflector": Case(
        "cooking/reflector",
        lambda client, rules, task: prompted(REFLECTOR, client, TextReflector() if rules else None).answer(
            _reflect(task)
        ),
        lambda: TextReflector().answer(_reflect(TASK)),
        {"lesson": "Read the cookbook."},
    ),
}

every_role = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@every_role
def test_prompted_role_answers_with_a_good_reply(case: Case) -> None:
    client = ScriptedClient(case.good)

    answer = case.ask(client, True, TASK)

    assert answer != case.rules()
    assert len(client.requests) == len(client.cached) == 1


@every_role
@pytest.mark.parametrize(
    "around", ["{}", "Here it is:\n```json\n{}\n```\nI hope that helps.", "```\n{}\n```", "Well. {} Done."]
)
def test_prompted_role_ignores_text_around_the_reply(case: Case, around: str) -> None:
    reply = around.replace("{}", json.dumps(case.good))

    assert case.ask(ScriptedClient(reply), False, TASK) == case.ask(ScriptedClient(case.good), False, TASK)


def _without_last(good: dict[str, Any]) -> str:
    return json.dumps(dict(list(good.items())[:-1]))


BAD: dict[str, Callable[[dict[str, Any]], str | ChatReply]] = {
    "no object": lambda good: "I would rather not.",
    "a field is missing": _without_last,
    "a field too many": lambda good: json.dumps({**good, "mood": "bright"}),
    "a field of another kind": lambda good: json.dumps(dict.fromkeys(good, 1.5)),
    "cut off": lambda good: ChatReply(json.dumps(good), Finish.LENGTH),
    "cut off before its last bracket": lambda good: ChatReply(json.dumps(good)[:-1], Finish.STOP),
}


@every_role
@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_prompted_role_sends_a_bad_reply_back_once_with_the_problem(
    case: Case, bad: Callable[[dict[str, Any]], str | ChatReply]
) -> None:
    client = ScriptedClient(bad(case.good), case.good)

    answer = case.ask(client, False, TASK)

    assert answer == case.ask(ScriptedClient(case.good), False, TASK)
    first, second = client.requests
    assert second.messages[:2] == first.messages
    assert second.messages[2].role is MessageRole.ASSISTANT
    assert "cannot be used" in second.messages[3].text


@pytest.mark.parametrize("finish", Finish)
def test_reply_that_breaks_off_between_the_items_of_a_list_is_not_taken_for_whole(finish: Finish) -> None:
    plan = {**CASES["planner"].good, "actions": ["go east", "go west"]}
    cut = json.dumps({name: plan[name] for name in ("reasoning", "subgoal", "failure", "actions")})
    client = ScriptedClient(ChatReply(cut.removesuffix(', "go west"]}'), finish), plan)

    answer = CASES["planner"].ask(client, False, TASK)

    assert answer == CASES["planner"].ask(ScriptedClient(plan), False, TASK)
    assert len(client.rejected) == 1


@every_role
def test_prompted_role_has_no_answer_after_two_bad_replies(case: Case) -> None:
    client = ScriptedClient("no", "no", case.good)

    with pytest.raises(UnusableReplyError, match="no JSON object"):
        case.ask(client, False, TASK)
    assert len(client.requests) == 2
    assert client.cached == []


@every_role
def test_rules_answer_after_two_bad_replies_when_the_role_has_rules(case: Case) -> None:
    assert case.ask(ScriptedClient("no", "no"), True, TASK) == case.rules()


FAILURE = UnreachableError("model", "role", "nobody listens")


@every_role
def test_prompted_role_raises_the_error_of_its_model(case: Case) -> None:
    with pytest.raises(UnreachableError, match="nobody listens"):
        case.ask(ScriptedClient(FAILURE), False, TASK)


@every_role
def test_rules_answer_when_the_model_fails(case: Case) -> None:
    assert case.ask(ScriptedClient(FAILURE), True, TASK) == case.rules()


@every_role
def test_prompted_role_refuses_a_question_that_is_too_long(case: Case) -> None:
    client = ScriptedClient(case.good)

    with pytest.raises(QuestionTooLongError):
        case.ask(client, False, "cook " * 30_000)
    assert client.requests == []


@every_role
def test_prompted_role_begins_every_question_with_the_same_system_message(case: Case) -> None:
    client = ScriptedClient(case.good, case.good)

    for task in (TASK, "Eat an apple."):
        case.ask(client, False, task)

    one, two = client.requests
    assert one.messages[0] == two.messages[0]
    assert one.messages[0].role is MessageRole.SYSTEM
    assert one.messages[1] != two.messages[1]
    assert [message.role for message in one.messages] == [MessageRole.SYSTEM, MessageRole.USER]
    assert (one.schema, one.max_tokens) == (two.schema, two.max_tokens)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("summariser", _summarise(TASK)),
        ("relation_aggregator", _aggregate(TASK)),
        ("planner", _plan(TASK)),
        ("critic", _criticise(TASK)),
        ("reflector", _reflect(TASK)),
    ],
)
def test_prompted_role_sends_the_rendered_query_as_the_question(name: str, query: Any) -> None:
    client = ScriptedClient(CASES[name].good)

    CASES[name].ask(client, False, TASK)

    assert client.requests[0].messages[1].parts == (text_of(query),)
