"""Tests that the question of planner and critic of text games contains everything that their rules can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

import pytest

from stma_ros.components.experience_memory.lessons import LessonMemory, LessonMemoryConfig
from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
from stma_ros.components.temporal_memory.temporal_memory_config import TemporalMemoryConfig
from stma_ros.domains.cooking.critic import TextCritic
from stma_ros.domains.cooking.game_state import GameState
from stma_ros.domains.cooking.planner import TextPlanner
from stma_ros.domains.cooking.reflector import TextReflector
from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.working.records import raw_summary
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.component import Component
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from support.roles.scripted_client import text_of
from support.roles.scripted_text_home import TextHome, random_home, small_home
from support.roles.text_player import TASK, Player, command

Query: TypeAlias = "PlanQuery | CritiqueQuery"

_WAYS = (words.EXIT, words.DOOR, words.FARTHER)


class _Planner(TextPlanner):
    def __init__(self, asked: list[Query]) -> None:
        super().__init__()
        self._asked = asked

    def answer(self, query: PlanQuery) -> PlanAnswer:
        self._asked.append(query)
        return super().answer(query)


class _Critic(TextCritic):
    def __init__(self, asked: list[Query]) -> None:
        self._asked = asked

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        self._asked.append(query)
        return super().answer(query)


class QueryRecorder(Player):
    """A player that records the queries of planner and critic."""

    def __init__(self, home: TextHome) -> None:
        self.queries: list[Query] = []
        super().__init__(home, _Planner(self.queries))
        self.critic = _Critic(self.queries)


class RawHistoryQueryRecorder(QueryRecorder):
    """A recorder without a summariser, whose temporal belief is the raw history."""

    @property
    def temporal(self) -> TemporalBelief:
        summary = raw_summary(self.records)
        return TemporalBelief(completed=summary.completed, text=summary.text)


def readable(query: Query) -> Iterator[str]:
    """Yields every text of a query that rules can read."""
    yield query.observation
    yield from map(str, query.allowed_actions)
    yield from remembered(query.temporal)
    yield from believed(query.spatial)
    if isinstance(query, PlanQuery):
        yield query.feedback
        yield from map(str, query.rejected)
    else:
        yield from (query.subgoal, str(query.action))


def remembered(belief: TemporalBelief) -> Iterator[str]:
    yield belief.text
    yield from (*belief.observations, *belief.instructions, *belief.lessons)
    yield from (str(outcome.action) for outcome in belief.completed)


def believed(belief: SpatialBelief) -> Iterator[str]:
    yield from (belief.room, belief.text)
    # The text does not call an exit untaken if its target follows from a way back.
    taken = {(f.subject, f.predicate) for f in belief.facts if f.object != words.UNEXPLORED}
    for fact in belief.facts:
        way = next((kind for kind in _WAYS if fact.predicate.startswith(kind)), "")
        yield from (fact.subject, fact.predicate.removeprefix(way) if way else "")
        if fact.object != words.UNEXPLORED:
            yield fact.object
        elif (fact.subject, fact.predicate) not in taken:
            yield "nobody has been there"
    for route in belief.routes:
        yield from (route.target, ", ".join(route.moves))


def missing_from_question(query: Query) -> list[str]:
    context = text_of(query).casefold()
    return [item for item in readable(query) if item.casefold() not in context]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", [QueryRecorder, RawHistoryQueryRecorder])
def test_question_contains_everything_that_rules_can_read(kind: type[QueryRecorder], seed: int) -> None:
    player = kind(random_home(seed))

    player.play()

    assert player.queries
    assert [missing_from_question(query) for query in player.queries] == [[]] * len(player.queries)


def test_question_of_the_planner_contains_rejected_actions_and_feedback() -> None:
    player = QueryRecorder(small_home())
    player.plan("look", "go north")
    (query,) = player.queries
    assert isinstance(query, PlanQuery)

    assert text_of(query).endswith("Rejected:\nlook\ngo north")
    assert "nothing of use" not in text_of(query)
    assert "nothing of use" in text_of(replace(query, feedback="look tells nothing of use"))


def test_question_of_the_critic_contains_the_proposal_and_its_subgoal() -> None:
    player = QueryRecorder(small_home())
    player.judge("go north")
    (query,) = player.queries
    assert isinstance(query, CritiqueQuery)

    assert text_of(query).endswith("\n\nProposed: go north")
    assert "Subgoal:\nmake dinner" in text_of(replace(query, subgoal="make dinner"))


def test_question_contains_a_failed_action_with_its_reason() -> None:
    player = QueryRecorder(small_home())
    error = Error(ErrorCode.ACTION_NOT_ALLOWED, "there is nothing of the sort")
    failed = Outcome(
        header=Header(Time(1)),
        request_id="t/1",
        task_id="t",
        step=1,
        action=command("Dance Wildly"),
        result=Result.FAILED,
        error=error,
    )
    records = (*player.records, replace(player.records[0], step=1, last_outcome=failed))
    player.summary = TextSummariser().answer(SummariseQuery(TASK, player.summary, records, 1))
    player.plan()
    (query,) = player.queries

    assert missing_from_question(query) == []
    assert "'Dance Wildly'" in text_of(query)
    assert error.text in text_of(query)


class TestLessons:
    @pytest.fixture
    def query(self) -> PlanQuery:
        """Returns the query of a second attempt after a first one that read the recipe and failed."""
        memories = (
            LessonMemory(LessonMemoryConfig(lessons=1), TextReflector()),
            TemporalMemory.summarising(TemporalMemoryConfig(), TextSummariser(), joins_lessons=True),
        )
        first, second = Player(small_home()).do("examine cookbook", "go north"), Player(small_home())
        _attempt(memories, "first", first.records)
        end = TaskResult(
            header=Header(first.records[-1].header.stamp),
            task_id="first",
            status=TaskStatus.FAILED,
            error=Error(ErrorCode.OUT_OF_COMMANDS, "all commands were used up"),
        )
        _deliver(memories, topics.TASK_RESULT, end)
        (belief,) = _attempt(memories, "second", second.records)
        return PlanQuery(TASK, belief, second.spatial, second.allowed, observation=second.observation)

    def test_question_contains_the_lessons(self, query: PlanQuery) -> None:
        assert "all commands were used up" in "".join(query.temporal.lessons)
        assert missing_from_question(query) == []

    def test_recipe_in_the_lessons_is_known_to_the_rules(self, query: PlanQuery) -> None:
        game_state = GameState(query.temporal, query.spatial, query.observation, query.allowed_actions)

        assert game_state.recipe is not None
        assert {"chop the red onion", "fry the ham"} <= set(map(str.strip, text_of(query).splitlines()))


def _attempt(memories: Sequence[Component], task_id: str, records: list[Observation]) -> list[TemporalBelief]:
    """Returns the beliefs of an attempt with these records."""
    beliefs = _deliver(memories, topics.TASK, Task(task_id=task_id, text=TASK))
    for record in records:
        beliefs += _deliver(memories, topics.SKILL_REQUEST, SkillRequest(task_id=task_id, step=record.step))
        beliefs += _deliver(memories, topics.OBSERVATION, replace(record, task_id=task_id))
    return beliefs


def _deliver(memories: Sequence[Component], topic: str, message: Message) -> list[TemporalBelief]:
    """Returns the beliefs that follow from a message; the memories receive each other's messages."""
    emissions = [emission for memory in memories for emission in memory.handle(topic, message)]
    beliefs = [
        item for out, item in emissions if out == topics.TEMPORAL_BELIEF and isinstance(item, TemporalBelief)
    ]
    further = (belief for out, item in emissions for belief in _deliver(memories, out, item))
    return [*beliefs, *further]
