"""A planner that explores greedily, and reports what it was asked for once that is in the spatial belief."""

from __future__ import annotations

from stma_ros.roles.planner import PlanAnswer, PlanQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, Result

_LOOK = Action(words.SKILL_LOOK_AROUND)


class GreedyPlanner:
    """A role PLANNER for tasks that name the category of a thing, as "find the mug" does."""

    def answer(self, query: PlanQuery) -> PlanAnswer:
        asked = query.task.lower().split()
        tried = {
            (item.action.skill, item.action.arguments)
            for item in query.temporal.completed
            if item.result != Result.SUCCEEDED or item.action == _LOOK
        }
        open_to_it = [item for item in query.allowed_actions if (item.skill, item.arguments) not in tried]
        found = {
            fact.subject
            for fact in query.spatial.facts
            if fact.predicate == words.IS_A and fact.object in asked
        }
        for action in open_to_it:
            if action.skill == words.SKILL_REPORT and action.arguments[0] in found:
                return PlanAnswer("report it", (action,), f"{action.arguments[0]} is what was asked for.")
        if _LOOK in open_to_it:
            return PlanAnswer("look around", (_LOOK,), "Nothing was seen from here yet.")
        ways = {route.target: route.length for route in query.spatial.routes}
        frontiers = [action for action in open_to_it if action.skill == words.SKILL_EXPLORE]
        if frontiers:
            nearest = min(frontiers, key=lambda action: ways.get(action.arguments[0], float("inf")))
            return PlanAnswer("explore", (nearest,), f"{nearest.arguments[0]} is the nearest unknown.")
        return PlanAnswer("give up", (Action(words.SKILL_GIVE_UP),), "Everything within reach was explored.")
