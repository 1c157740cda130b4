"""Tests of the stand-in for a model in people's activities: asked by prompt, it decides like the rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from stma_ros.domains.programs.domain import PROGRAMS
from stma_ros.domains.programs.examples import EXAMPLES
from stma_ros.domains.programs.thinker import ProgramsThinker
from stma_ros.roles.judge import JUDGE, JudgementReply
from stma_ros.roles.registry import ROLES
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery, DescriptionReply
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, FactsReply, Relations
from stma_ros.roles.spec import AnyRole
from stma_ros.roles.summariser import SUMMARISER, SummaryReply
from stma_ros.roles.thinker import THINKER, ThinkQuery, ThoughtReply
from stma_ros.testing.model_server import activities
from stma_ros.testing.model_server.sections import UnreadableQuestionError
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.experience import RuleOfThumb
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation
from stma_ros.worlds.programs.home_graph import HomeGraph
from support.homes_of_twins import twins
from support.people_programs import home_graph
from support.programs_player import FINISH, GIVE_UP, Player
from support.roles.prompt_examples import example_of
from support.roles.scripted_client import prompt_of, prompted, read_reply
from support.roles.stand_in_client import Served

RULES = (RuleOfThumb(thing="milk", place="fridge", room="kitchen", found=2, looked=3),)


def _asked(role: AnyRole, question: object) -> object:
    """Returns the answer of the stand-in to the question as text."""
    return prompted(role, Served(), domain=PROGRAMS.package).answer(question)


def _shown(name: str) -> tuple[str, str]:
    """Returns question and reply of the example in a prompt."""
    return example_of(prompt_of(f"programs/{name}").text)


@pytest.mark.parametrize(
    "role", [role for role in ROLES if role.name in EXAMPLES], ids=lambda role: role.name
)
def test_stand_in_answers_the_example_question_like_the_rules(role: AnyRole) -> None:
    question = EXAMPLES[role.name]
    assert _comparable(_asked(role, question)) == _comparable(
        PROGRAMS.make_rules(role, None).answer(question)
    )


def _comparable(answer: object) -> object:
    return (answer.triples, answer.steps) if isinstance(answer, Relations) else answer


@pytest.mark.parametrize(
    ("graph", "task"),
    [
        (home_graph, "the milk is on the table; the fridge is closed"),
        (home_graph, "the milk is in the cup; the clothes_shirt is on you; you are in the home_office"),
        (home_graph, "the table_lamp is switched on; you are sitting; you are on the chair"),
        (
            twins,
            "the first cup is on the table; the second cup is on the table; the third cup is on the table",
        ),
        (twins, "you hold the novel"),
    ],
)
def test_stand_in_thinker_decides_like_the_rules_at_each_step(
    graph: Callable[[], HomeGraph], task: str
) -> None:
    player = Player(graph(), task)
    action = None
    while action not in (FINISH, GIVE_UP):
        question = ThinkQuery(**vars(player.query()), rules=RULES)
        decided = ProgramsThinker().answer(question)
        assert _asked(THINKER, question) == decided
        (action,) = decided.actions
        if action.skill == words.SKILL_COMMAND:
            player.do(str(action))
    assert player.commands


def test_stand_in_thinker_searches_like_the_rules_when_facts_of_rooms_alternate() -> None:
    facts = (
        Relation("robot", words.IN, "hall_1"),
        Relation("table_1", words.IN, "attic_1"),
        Relation("cupboard_1", words.IN, "cellar_1"),
        Relation("chest_1", words.IN, "attic_1"),
        Relation("cupboard_1", words.STATE, words.STATE_CLOSED),
        Relation("chest_1", words.STATE, words.STATE_CLOSED),
    )
    known = PROGRAMS.make_rules(RELATION_AGGREGATOR, None).answer(AggregateQuery("hall_1", facts, ()))
    question = ThinkQuery(
        "you hold the cup",
        TemporalBelief(),
        SpatialBelief(room="hall_1", facts=(*facts, *known.facts), text=known.text),
        (*(Action(words.SKILL_COMMAND, (f"walk to {room}",)) for room in ("attic_1", "cellar_1")), GIVE_UP),
        observation="You are in hall_1.\nThe rooms are attic_1, cellar_1, hall_1.\nYou hold nothing.",
    )
    decided = ProgramsThinker().answer(question)
    assert str(decided.actions[0]) == "walk to attic_1"
    assert _asked(THINKER, question) == decided


def test_examples_in_the_prompts_of_beliefs_are_the_replies_of_the_stand_ins() -> None:
    question, reply = _shown(SUMMARISER.name)
    assert activities.summarise(question).notes == read_reply(SummaryReply, reply).notes
    question, reply = _shown(RELATION_RETRIEVER.name)
    assert activities.retrieve(question) == read_reply(FactsReply, reply)
    question, reply = _shown(RELATION_AGGREGATOR.name)
    assert activities.aggregate(question) == read_reply(DescriptionReply, reply)


def test_stand_in_thinker_chooses_the_action_that_its_prompt_shows() -> None:
    question, reply = _shown(THINKER.name)
    shown, answer = read_reply(ThoughtReply, reply), activities.think(question)
    assert (answer.action, answer.failure) == (shown.action, shown.failure)


def test_stand_in_judge_finds_the_faults_that_its_prompt_shows() -> None:
    question, reply = _shown(JUDGE.name)
    shown, answer = read_reply(JudgementReply, reply), activities.judge(question)
    assert (
        [step.score for step in answer.steps][:3] == [step.score for step in shown.steps][:3] == [10, 10, 0]
    )
    assert max(answer.whole.score, shown.whole.score) <= 5


@pytest.mark.parametrize(
    "ask", [activities.summarise, activities.aggregate, activities.think, activities.judge]
)
def test_text_that_is_no_question_is_refused(ask: Callable[[str], object]) -> None:
    with pytest.raises(UnreadableQuestionError):
        ask("Hello, what can you do?")
