"""Tests of the stand-in model in text games: asked by prompt, it decides like the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.temporal_memory.temporal_memory import lessons_text
from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.domains.cooking.relation_aggregator import TextRelationAggregator
from stma_ros.domains.cooking.relation_retriever import TextRelationRetriever
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.working.records import raw_summary, record_text
from stma_ros.models.chat import ChatMessage, MessageRole
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER, PlanQuery
from stma_ros.roles.reflector import REFLECTOR, ReflectQuery
from stma_ros.roles.relation_aggregator import RELATION_AGGREGATOR, AggregateQuery
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER, RelationQuery, Relations
from stma_ros.roles.rendering import fact_text
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery
from stma_ros.testing.model_server import text_roles
from stma_ros.testing.model_server.history_reader import read_records, read_summary, read_temporal
from stma_ros.testing.model_server.places_reader import read_fact, read_spatial
from stma_ros.testing.model_server.sections import UnreadableQuestionError, sections
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from support.roles.scripted_client import prompt_of, prompted, text_of
from support.roles.scripted_text_home import TextHome, random_home, small_home
from support.roles.stand_in_client import ANSWERING, Served
from support.roles.text_player import TASK, Player, command

SEEDS = range(1000, 1008)
RECENT = 2  # number of earlier steps in the query of the retriever


class Compared(Player):
    """A player that follows the rules and asks the model the same; `differences` holds differing answers of both."""

    def __init__(self, home: TextHome) -> None:
        self.asked = 0
        self.differences: list[tuple[Any, Any]] = []
        super().__init__(home)
        self.planner = _Both(self, TextPlanner(), prompted(PLANNER, Served()))
        self.critic = _Both(self, TextCritic(), prompted(CRITIC, Served()))

    def compare(self, rules: object, model: object) -> None:
        self.asked += 1
        if rules != model:
            self.differences.append((rules, model))

    def _look(self, feedback: str, outcome: Outcome) -> None:
        before = self.summary
        super()._look(feedback, outcome)
        query = SummariseQuery(TASK, before, tuple(self.records), 1)
        self.compare(self.summary, prompted(SUMMARISER, Served()).answer(query))
        asked = RelationQuery(self.temporal, max(0, self.records[-1].step - RECENT))
        self.compare(
            _since(asked.since, TextRelationRetriever().answer(asked)),
            prompted(RELATION_RETRIEVER, Served()).answer(asked),
        )
        facts = self.graph.facts
        room = next((f.object for f in facts if (f.subject, f.predicate) == (words.ROBOT, words.IN)), "")
        aggregate_query = AggregateQuery(room, facts, ())
        self.compare(
            TextRelationAggregator().answer(aggregate_query),
            prompted(RELATION_AGGREGATOR, Served()).answer(aggregate_query),
        )


class _Both:
    def __init__(self, player: Compared, rules: Any, model: Any) -> None:
        self._player, self._rules, self._model = player, rules, model

    def answer(self, query: object) -> Any:
        answer = self._rules.answer(query)
        self._player.compare(answer, self._model.answer(query))
        return answer


def _since(step: int, relations: Relations) -> Relations:
    """Returns the relations of this step and later ones."""
    seen = [pair for pair in zip(relations.triples, relations.steps, strict=True) if pair[1] >= step]
    looks = {room: at for room, at in relations.complete.items() if at >= step}
    return Relations(tuple(fact for fact, _ in seen), tuple(at for _, at in seen), looks)


class WithoutSummariser(Compared):
    """A player without a summariser, whose temporal belief is the raw history."""

    @property
    def temporal(self) -> TemporalBelief:
        summary = raw_summary(self.records)
        return TemporalBelief(completed=summary.completed, text=summary.text)


class WithoutAggregator(Compared):
    """A player without an aggregator, whose spatial belief lists the facts."""

    @property
    def spatial(self) -> SpatialBelief:
        facts = self.graph.facts
        room = next((f.object for f in facts if (f.subject, f.predicate) == (words.ROBOT, words.IN)), "")
        return SpatialBelief(room=room, facts=facts, text="\n".join(map(fact_text, facts)))


class WithoutSpatialMemory(Compared):
    """A player without spatial memory."""

    @property
    def spatial(self) -> SpatialBelief:
        return SpatialBelief()


@pytest.mark.parametrize("seed", SEEDS)
def test_stand_in_model_decides_like_the_rules_when_asked_by_prompt(seed: int) -> None:
    player = Compared(random_home(seed))

    player.play()

    assert player.home.won
    assert player.asked > 4 * len(player.done)
    assert player.differences == []


@pytest.mark.parametrize("seed", SEEDS[::4])
@pytest.mark.parametrize("kind", [WithoutSummariser, WithoutAggregator, WithoutSpatialMemory])
def test_stand_in_model_decides_like_the_rules_when_beliefs_are_reduced(
    kind: type[Compared], seed: int
) -> None:
    player = kind(random_home(seed))

    player.play()

    assert player.asked > len(player.done)
    assert player.differences == []


@pytest.mark.parametrize("seed", SEEDS[::4])
def test_stand_in_model_decides_like_the_rules_with_memories_of_another_home(seed: int) -> None:
    before, player = Player(random_home(seed + 1)), Compared(random_home(seed))
    before.play()
    player.graph.update(before.graph.facts)

    player.play()

    assert player.differences == []


def test_stand_in_model_judges_every_command_like_the_rules() -> None:
    player = Compared(small_home())
    for done in ("examine cookbook", "take knife from counter", "go east", "go east", "take red onion"):
        player.do(done)
        for text in player.home.commands:
            player.judge(text, "look north of the kitchen for the ham")
        player.plan(*player.home.commands[:3])

    assert player.asked > 50
    assert player.differences == []


# -- restoring written beliefs


def record(step: int, **changes: Any) -> Observation:
    return replace(Player(small_home()).records[0], step=step, **changes)


def outcome(step: int, text: str, error: str = "") -> Outcome:
    result = Result.FAILED if error else Result.SUCCEEDED
    problem = Error(ErrorCode.ACTION_NOT_ALLOWED, error) if error else Error()
    return Outcome(request_id=f"t/{step}", step=step, action=command(text), result=result, error=problem)


RECORDS = (
    record(0),
    record(
        1,
        last_outcome=outcome(1, "examine cookbook"),
        feedback="You read:\n\nIngredients:\n  ham\n\n\nFry it.",
    ),
    record(
        2, last_outcome=outcome(2, "fly away", "no wings; no\nwind"), description="-= Hall =-\n\nA hall.\n\n"
    ),
    record(
        3, last_outcome=outcome(3, "look"), feedback="", description="", inventory="", admissible_commands=()
    ),
)


def test_history_reader_restores_written_records() -> None:
    read = read_records("\n\n".join(map(record_text, RECORDS)))

    attributes = ("step", "feedback", "description", "inventory", "admissible_commands")
    for one, other in zip(read, RECORDS, strict=True):
        assert [getattr(one, name) for name in attributes] == [getattr(other, name) for name in attributes]
        assert _acts(one.last_outcome) == _acts(other.last_outcome)


def _acts(done: Outcome) -> tuple[object, ...]:
    return done.action, done.result, done.error.text


def summary_of(records: Sequence[Observation], window: int = 25) -> Summary:
    summary = Summary()
    for count in range(1, len(records) + 1):
        recent = tuple(records[max(0, count - window) : count])
        summary = TextSummariser().answer(SummariseQuery(TASK, summary, recent, 1))
    return summary


def test_history_reader_restores_a_written_summary() -> None:
    summary = summary_of(RECORDS)

    read = read_summary(summary.text)

    assert "; " in summary.suggestions[-1]
    for item in fields(Summary):
        if item.name != "completed":
            assert getattr(read, item.name) == getattr(summary, item.name), item.name
    assert list(map(_acts, read.completed)) == list(map(_acts, summary.completed))
    assert [done.step for done in read.completed] == [1, 2, 3]


def test_history_reader_reads_records_that_follow_a_summary() -> None:
    summary, later = summary_of(RECORDS[:2]), RECORDS[2:]
    unsummarised = "\n\n".join(map(record_text, later))

    read = read_summary(f"{summary.text}\n\n{unsummarised}")

    assert [str(done.action) for done in read.completed] == ["examine cookbook", "fly away", "look"]
    assert read.observations == (*summary.observations, unsummarised)


def test_stand_in_summariser_counts_moves_like_the_rules() -> None:
    records = [
        record(step, last_outcome=outcome(step, f"go {'east' if step % 2 else 'west'}"))
        for step in range(1, 30)
    ]
    records = [record(0), *records]
    previous, window = summary_of(records[:-1], 8), tuple(records[-8:])
    query = SummariseQuery(TASK, previous, window, 1)

    assert text_roles.summarise(text_of(query)).progress == TextSummariser().answer(query).progress


LESSONS = (
    "I failed: lost.\nThis is the recipe:\nIngredients:\nham\n\nDirections:\nfry the ham\n",
    "I failed again.",
)


@pytest.mark.parametrize("plan", ["", "Plan under way: fry the ham"])
def test_history_reader_reads_lessons_before_the_summary(plan: str) -> None:
    summary = summary_of(RECORDS)
    text = "\n".join(filter(None, (lessons_text(LESSONS), plan, summary.text)))

    read = read_temporal(text)

    assert read.lessons == LESSONS
    assert read.instructions == summary.instructions
    assert read.text == text


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (Error(ErrorCode.EPISODE_LOST, "the world ended the episode: You died."), "The last thing I did"),
        (Error(ErrorCode.OUT_OF_COMMANDS, "the budget of 50 commands is spent"), "I did 3 commands"),
        (Error(), "I failed: FAILED"),
    ],
)
def test_stand_in_reflector_draws_lessons_like_the_rules(error: Error, expected: str) -> None:
    query = ReflectQuery(TASK, summary_of(RECORDS), TaskStatus.FAILED, error, LESSONS)

    lesson = prompted(REFLECTOR, Served()).answer(query).text

    assert expected in lesson
    assert lesson == TextReflector().answer(query).text.strip()


FACTS = (
    ("robot", "in", "hall"),
    ("hall", "exit north", "unexplored"),
    ("hall", "door north", "oak, or pine, door"),
    ("oak, or pine, door", "state", "closed"),
    ("hall", "exit east", "living room"),
    ("ham", "in", "box"),
    ("ham", "state", "raw"),
    ("ham", "state", "diced"),
    ("box", "on", "shelf"),
    ("shelf", "in", "hall"),
    ("knife", "held by", "robot"),
    ("moon", "state", "full"),
    ("moon", "made of", "cheese"),
)


def test_places_reader_restores_the_facts_and_routes_of_a_description() -> None:
    facts = tuple(Relation(*fact) for fact in FACTS)
    description = TextRelationAggregator().answer(AggregateQuery("hall", facts, ()))

    read = read_spatial(description.text)

    assert read.room == "hall"
    assert _bare(read.facts) == _bare((*facts, *description.facts))
    assert read.routes == description.routes


def _bare(facts: Sequence[Relation]) -> set[tuple[str, str, str]]:
    return {(fact.subject, fact.predicate, fact.object) for fact in facts}


@pytest.mark.parametrize("fact", FACTS)
def test_places_reader_restores_a_written_fact(fact: tuple[str, str, str]) -> None:
    assert read_fact(fact_text(Relation(*fact))) == Relation(*fact)


def test_sections_of_a_question_may_hold_blank_lines() -> None:
    now = "You read:\n\nIngredients:\n\nham\n\n-= Kitchen =-"
    parts = sections(f"Task: cook\n\nNow:\n{now}\n\nAllowed:\nlook", ("Task: ", "Now:\n", "Allowed:\n"))

    assert parts == {"Task": "cook", "Now": now, "Allowed": "look"}


# -- unreadable questions

ROLES: tuple[Callable[[str], object], ...] = (
    text_roles.summarise,
    text_roles.retrieve,
    text_roles.aggregate,
    text_roles.plan,
    text_roles.criticise,
    text_roles.reflect,
)
PIECES = st.sampled_from(
    [
        "Task: cook",
        "So far:\nTask: cook\nDone: go east, .",
        "Since then:\nStep: 3\nObservation: -= Hall =-",
        "Since then:\nnothing",
        "What happened:\nDone: nothing yet.\nAdvice: do not repeat 'a\\' as it was: b.",
        "Advice: do not repeat '\\x' as it was: no.",
        "Where things are:\nThe robot is in the .\nFrom the x: ; : the .\nTo the y, 2 commands: .",
        "Where things are:\n(a, b)\n(, , )\nAlso: ().",
        "Now:\n-= Hall =-",
        "Allowed:\ngo north\n\ngive_up()",
        "Rejected:\n",
        "Subgoal:\nwin",
        "Proposed: ",
        "How it ended:\nFAILED",
        "How it ended:\nSOMEHOW lost",
        "Learnt before:\nI failed: x",
        "Room:\nhall",
        "Facts:\n(hall, exit north, unexplored)\n(robot, in, hall)\noops",
        "Report: what was seen at step 3 or later.",
    ]
)


@given(st.lists(PIECES | st.text(max_size=20), max_size=8))
def test_stand_in_roles_answer_a_garbled_question_or_refuse_it(pieces: list[str]) -> None:
    for role in ROLES:
        with suppress(UnreadableQuestionError):
            assert role("\n\n".join(pieces))


PLANNERS = ChatMessage(MessageRole.SYSTEM, (prompt_of("cooking/planner").text,))


@pytest.mark.parametrize(
    "messages",
    [
        (),
        (ChatMessage(MessageRole.USER, ("Task: cook",)),),
        (
            ChatMessage(MessageRole.SYSTEM, ("You are a poet.",)),
            ChatMessage(MessageRole.USER, ("Task: cook",)),
        ),
        (PLANNERS,),
        (PLANNERS, ChatMessage(MessageRole.USER, ("What do you think of ham?",))),
    ],
)
def test_stand_in_model_has_no_answer_to_a_prompt_without_a_role(
    messages: tuple[ChatMessage, ...],
) -> None:
    assert ANSWERING.answer(messages) is None


def test_stand_in_model_answers_the_first_question_again_after_a_rejection() -> None:
    player = Player(small_home())
    query = PlanQuery(TASK, player.temporal, player.spatial, player.allowed, observation=player.observation)
    asked = (PLANNERS, ChatMessage(MessageRole.USER, (text_of(query),)))
    rejection = (
        ChatMessage(MessageRole.ASSISTANT, ("No.",)),
        ChatMessage(MessageRole.USER, ("That reply cannot be used.",)),
    )

    first = ANSWERING.answer(asked)

    assert first is not None
    assert ANSWERING.answer((*asked, *rejection)) == first
