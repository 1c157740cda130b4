"""Thinks by rules in homes: plans as the planner does, with the usual places of things as experience corrects them."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from stma_ros.domains.household.learned_places import with_experience
from stma_ros.domains.household.planner import SymbolicPlanner
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.roles.planner import PlanAnswer
from stma_ros.roles.thinker import ThinkQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.experience import RuleOfThumb

_MAX_PLANNERS = 8  # whose knowledge is kept; the rules of thumb change between tasks, hardly within one


class HouseholdThinker:
    """A ThinkerRole. What experience tells is a prior: it orders the search, and never says where a thing is."""

    def __init__(self, knowledge: CategoryKnowledge, questions: QuestionConfig = QuestionConfig()) -> None:
        """Arguments as of SymbolicPlanner."""
        self._knowledge = knowledge
        self._questions = questions
        self._planners: OrderedDict[tuple[RuleOfThumb, ...], SymbolicPlanner] = OrderedDict()

    def answer(self, query: ThinkQuery) -> PlanAnswer:
        """Returns the next action. Raises as SymbolicPlanner.answer does."""
        plan = self._planner(query.rules).answer(query)
        return replace(plan, actions=plan.actions[:1], reasoning=_reasoning(plan))

    def _planner(self, rules: tuple[RuleOfThumb, ...]) -> SymbolicPlanner:
        """Returns the planner for what experience tells."""
        if rules not in self._planners:
            knowledge = with_experience(self._knowledge, rules) if rules else self._knowledge
            self._planners[rules] = SymbolicPlanner(knowledge, self._questions)
            while len(self._planners) > _MAX_PLANNERS:
                self._planners.popitem(last=False)
        return self._planners[rules]


def _reasoning(plan: PlanAnswer) -> str:
    """Returns the planner's reasons with what they mean for the first action; the end of a task needs no more."""
    first = plan.actions[0]
    if first.skill in words.ENDINGS:
        return plan.reasoning
    more = f", with {len(plan.actions) - 1} more to come" if len(plan.actions) > 1 else ""
    return f"{plan.reasoning} So {first} is next, to {plan.subgoal}{more}."
