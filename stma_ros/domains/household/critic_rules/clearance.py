"""Judges whether there is room: for the robot to move on, and for what it holds."""

from __future__ import annotations

from stma_ros.domains.household.outcome_index import key
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.search import LOOK_AROUND
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action


def feedback(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback to the planner; empty = the criterion is met."""
    if (
        item.skill in words.MOTIONS
        and planning_state.history.is_boxed_in
        and key(LOOK_AROUND) in planning_state.allowed
    ):
        return f"The robot ran into something twice; first {LOOK_AROUND}."
    if item.skill == words.SKILL_PLACE_IN and planning_state.view.held:
        held = planning_state.view.objects[planning_state.view.held]
        if planning_state.view.knowledge.is_furniture(held.category):
            return f"{held.id} is too large to be put into anything."
    return ""
