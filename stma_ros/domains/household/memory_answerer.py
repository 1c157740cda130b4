"""Answers questions from the facts of a scene, without a robot that could look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.domains.household.goals import QuestionGoal, goal_message
from stma_ros.domains.household.outcome_index import action
from stma_ros.domains.household.planning_states import PlanningStates
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.memory.question_answerer import RecalledAnswer
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp


class MemoryAnswerer:
    """A QuestionAnswerer for homes. It judges as the planner does at the first step of a task with that question."""

    def __init__(self, knowledge: CategoryKnowledge, questions: QuestionConfig = QuestionConfig()) -> None:
        """Takes the knowledge of categories, and the settings of questions."""
        self._knowledge = knowledge
        self._states = PlanningStates(knowledge, questions)

    def answer(self, question: str, facts: Sequence[Relation], now: Time) -> RecalledAnswer:
        at = StepStamp(header=Header(now))
        temporal = TemporalBelief(at=at, goals=(goal_message(QuestionGoal(question)),))
        spatial = SpatialBelief(at=at, facts=tuple(facts))
        state = self._states.of(temporal, spatial, tuple(self._ways_on(facts)))
        assert state.inquiry is not None, "the task is a question"
        finding = state.inquiry.finding
        is_sure = state.inquiry.is_sure(state.search.hidden_places())
        things = tuple(thing.id for thing in state.inquiry.things)
        return RecalledAnswer(finding.answer, is_sure, finding.missing, things)

    def _ways_on(self, facts: Sequence[Relation]) -> Iterator[Action]:
        """Yields what a robot could do to see more: beyond frontiers, behind doors, and in containers."""
        for fact in facts:
            if fact.predicate == words.IS_A and fact.object == words.FRONTIER:
                yield action(words.SKILL_EXPLORE, fact.subject)
            elif fact.predicate == words.IS_A and self._knowledge.is_openable(fact.object):
                yield action(words.SKILL_NAVIGATE, fact.subject)
                yield action(words.SKILL_OPEN, fact.subject)
