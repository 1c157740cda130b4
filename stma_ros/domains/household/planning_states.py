"""Makes the state of a task at a step, for planner and critic alike."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.eqa.question import QuestionNotUnderstoodError
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.household.goals import goals_of, question_of
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.question_goals import find_goals
from stma_ros.memory.asked_kinds import with_asked
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import TaskNotUnderstoodError
from stma_ros.types.planning import Action


class PlanningStates:
    """Reads what a task asks for out of the beliefs, and assesses it."""

    def __init__(self, knowledge: CategoryKnowledge, questions: QuestionConfig) -> None:
        """Takes the knowledge of categories, and the settings of questions."""
        self._knowledge = knowledge
        self._questions = questions
        self._parser = QuestionParser(knowledge)

    def of(
        self, temporal: TemporalBelief, spatial: SpatialBelief, allowed: Sequence[Action]
    ) -> PlanningState:
        """Returns the state of the task of a step.

        Raises:
            TaskNotUnderstoodError: the task's text is not understood.
            ContradictionError: the text contradicts itself.
            RoleError: the belief holds no goals, or another error.
        """
        asked = question_of(temporal)
        if asked is None:
            return PlanningState(
                goals_of(temporal),
                temporal,
                spatial,
                allowed,
                with_asked(self._knowledge, temporal.goals),
                questions=self._questions,
            )
        try:
            question = self._parser.parse(asked.question)
        except QuestionNotUnderstoodError as error:
            raise TaskNotUnderstoodError(str(error)) from error
        return PlanningState(
            find_goals(question, self._knowledge),
            temporal,
            spatial,
            allowed,
            self._knowledge,
            question=question,
            questions=self._questions,
        )
