"""Judges whether an action is among the allowed ones."""

from __future__ import annotations

from stma_ros.domains.household.belief_index import id_order
from stma_ros.domains.household.outcome_index import action, key
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_MAX_LISTED = 5  # alternatives in the feedback


def feedback(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback to the planner; empty = the criterion is met."""
    if key(item) in planning_state.allowed:
        return ""
    if item.skill in words.TARGETED and not item.arguments:
        return f"{item} does not say what it is done to; name a target."
    same = sorted(
        (arguments for skill, arguments in planning_state.allowed if skill == item.skill), key=_by_ids
    )
    if not same:
        skills = ", ".join(sorted({skill for skill, _ in planning_state.allowed}))
        return f"{item} is not allowed now. Use one of: {skills}."
    more = f" and {len(same) - _MAX_LISTED} more" if len(same) > _MAX_LISTED else ""
    listed = ", ".join(str(action(item.skill, *arguments)) for arguments in same[:_MAX_LISTED])
    return f"{item} is not allowed now. Choose among {listed}{more}."


def _by_ids(arguments: tuple[str, ...]) -> list[tuple[str, int, str]]:
    return [id_order(name) for name in arguments]
