"""Judges whether an action can work from where the robot is."""

from __future__ import annotations

from stma_ros.domains.household.outcome_index import action
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action


def feedback(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback to the planner; empty = the criterion is met."""
    if not item.arguments or item.skill not in (*words.MOTIONS, *words.MANIPULATIONS):
        return ""
    target, access, held = item.arguments[0], planning_state.access, planning_state.view.held
    if item.skill in words.MOTIONS:
        return (
            ""
            if planning_state.view.reachable(target)
            else f"No way to {target} is known; choose another target."
        )
    unknown = planning_state.history.holds_unknown_object and not held
    if item.skill == words.SKILL_PICK and (held or unknown):
        return f"{held or 'Something'} is in the hand; put it down first."
    if item.skill in (*words.PLACINGS, words.SKILL_FILL, words.SKILL_EMPTY) and not (held or unknown):
        return f"Nothing is in the hand; pick something up before {item}."
    if not access.is_near(target):
        return f"The robot is not near {target}; first {action(words.SKILL_NAVIGATE, target)}."
    thing = planning_state.view.objects.get(target)
    holder = thing.inside if item.skill == words.SKILL_PICK and thing is not None else ""
    container = target if item.skill == words.SKILL_PLACE_IN else holder
    opening = access.open_actions(container) if container else ()
    return f"{container} is not open; first {opening[0]}." if opening else ""
