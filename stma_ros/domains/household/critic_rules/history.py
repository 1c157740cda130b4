"""Judges whether an action fits what was done: nothing is repeated in vain."""

from __future__ import annotations

from stma_ros.domains.household.feasibility import Feasibility
from stma_ros.domains.household.outcome_index import key
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action

_STATE_BY = {
    words.SKILL_SWITCH_ON: words.STATE_ON,
    words.SKILL_SWITCH_OFF: words.STATE_OFF,
}


def feedback(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback to the planner; empty = the criterion is met."""
    history = planning_state.history
    redundant = _redundant(item, planning_state)
    if redundant:
        return redundant
    if item.skill == words.SKILL_EXPLORE and history.succeeded(item):
        return f"{item.arguments[0]} was explored already; choose another place."
    if (
        item.skill == words.SKILL_LOOK_AROUND
        and history.looked_around_here
        and not history.has_just_lost_object
    ):
        return "The robot looked around here already; move first."
    idle = item.skill == words.SKILL_NAVIGATE and key(item) not in planning_state.useful_actions
    if idle and planning_state.access.is_near(item.arguments[0]):
        return f"The robot stands at {item.arguments[0]} already; go on with the next action."
    feasibility = planning_state.access.feasibility_of(item)
    if feasibility >= Feasibility.RETRY:
        return ""
    last = history.failures(item)[-1]
    if last.error.code == ErrorCode.NOT_OPENABLE:
        return f"{item} failed at step {last.step}: it does not open; look elsewhere."
    reason = last.error.text or last.error.code.name.lower()
    if feasibility is Feasibility.LATER:
        return f"{item} failed at step {last.step} ({reason}) and nothing has changed since; try another."
    return f"{item} failed again and again, last at step {last.step} ({reason}); leave it."


def _redundant(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback if the action would not change the state of its target."""
    target = item.target
    if item.skill == words.SKILL_OPEN and planning_state.access.is_certainly(words.STATE_OPEN, target):
        return f"{target} is open already; look elsewhere."
    if item.skill == words.SKILL_CLOSE and planning_state.access.is_certainly(words.STATE_CLOSED, target):
        return f"{target} is closed already."
    wanted = _STATE_BY.get(item.skill)
    thing = planning_state.view.objects.get(target)
    if wanted and thing is not None and thing.is_certainly(wanted):
        return f"{target} is {wanted} already."
    return ""
