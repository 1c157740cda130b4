"""Policy by rules in homes: the first action of what the planner plans."""

from __future__ import annotations

from dataclasses import replace

from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.policy import PolicyQuery


class HouseholdPolicy:
    """A PolicyRole. Its subgoals are those of the planner; it asks for no closed subgoal, as summaries tell enough."""

    def __init__(self, knowledge: CategoryKnowledge, questions: QuestionConfig = QuestionConfig()) -> None:
        """Arguments as of SymbolicPlanner."""
        self._planner = SymbolicPlanner(knowledge, questions)

    def answer(self, query: PolicyQuery) -> PlanAnswer:
        """Returns the next action. Raises as SymbolicPlanner.answer does."""
        plan = self._planner.answer(query)
        is_new = query.subgoals and plan.subgoal != query.temporal.subgoal
        return replace(plan, subgoal=plan.subgoal if is_new else "", actions=plan.actions[:1])
