"""Judges whether an action serves the task."""

from __future__ import annotations

from stma_ros.domains.household.goals import FindGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.outcome_index import key
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.search import Candidate
from stma_ros.domains.household.termination import FINISH_UNVERIFIED, GIVE_UP, final_plan
from stma_ros.memory.nouns import with_article
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

_MAX_LISTED = 5  # things in the feedback


def feedback(item: Action, planning_state: PlanningState) -> str:
    """Returns feedback to the planner; empty = the criterion is met."""
    if item.skill == words.SKILL_REPORT:
        return _report(item.arguments[0], planning_state)
    if item.skill in words.ENDINGS:
        return _ending(item, planning_state)
    if item.skill == words.SKILL_NAVIGATE and item.arguments[0] in planning_state.report_candidates():
        return ""
    if not planning_state.options:
        end = final_plan(planning_state)
        return f"Nothing is left to be done. {end.reasoning} {end.actions[0]}."
    if key(item) in planning_state.useful_actions or item.skill == words.SKILL_LOOK_AROUND:
        return ""
    if item.skill == words.SKILL_NAVIGATE and (
        planning_state.search.candidates or _serves(item.arguments[0], planning_state)
    ):
        return ""
    return f"{item} does not serve the task now. Next: {planning_state.options[0].actions[0]}."


def _serves(target: str, planning_state: PlanningState) -> bool:
    """Whether an option acts on the target."""
    return any(target in arguments for _, arguments in planning_state.useful_actions)


def _ending(item: Action, planning_state: PlanningState) -> str:
    if planning_state.inquiry is None and planning_state.is_met:
        end = final_plan(planning_state).actions[0]
        return (
            ""
            if item == end
            else f"Everything that was asked for is done; {final_plan(planning_state).reasoning} {end}."
        )
    if planning_state.options:
        names = dict.fromkeys(_last_target(option.actions) for option in planning_state.options)
        left = ", ".join(planning_state.view.described(name) for name in list(names)[:_MAX_LISTED] if name)
        searching = any(isinstance(option, Candidate) for option in planning_state.options)
        problem = "Not everything was searched" if searching else "Not everything was done"
        return f"{problem}: {left}. Next: {planning_state.options[0].actions[0]}."
    last = final_plan(planning_state)
    if item in (last.actions[0], GIVE_UP):
        return ""
    return f"Not everything that was asked for is known to be done. {last.reasoning} {last.actions[0]}."


def _last_target(actions: tuple[Action, ...]) -> str:
    return actions[-1].target


def _report(thing_id: str, planning_state: PlanningState) -> str:
    thing = planning_state.view.objects.get(thing_id)
    if thing is None:
        return f"{thing_id} is not in the spatial belief; report only what was seen."
    finds = [goal for goal in planning_state.goals if isinstance(goal, FindGoal)]
    if not finds:
        return f"Nothing is to be reported here. Next: {_next(planning_state)}."
    appearance = " ".join((*thing.colours[:1], thing.category))
    evidence = max((planning_state.matcher.evidence(thing, goal.what) or 0 for goal in finds), default=0)
    if not evidence:
        return f"{thing_id} is {with_article(appearance)}, not the {finds[-1].what}; search on."
    if evidence < Evidence.WEAK and planning_state.search.candidates:
        return f"{thing_id} is doubtful; search the rest first: {_next(planning_state)}."
    if evidence <= Evidence.WEAK and planning_state.options:
        return f"{thing_id} is not known for sure to be the {finds[-1].what}; first {_next(planning_state)}."
    left = [str(goal) for i, goal in enumerate(planning_state.goals) if not planning_state.is_reached(i)]
    others = [
        i
        for i, goal in enumerate(planning_state.goals)
        if not isinstance(goal, FindGoal) or goal.beside or goal.count != 1 or len(finds) > 1
    ]
    if any(not planning_state.is_reached(i) for i in others) and planning_state.options:
        return f"Not everything is done yet: {', '.join(left)}. Next: {_next(planning_state)}."
    end = final_plan(planning_state)
    if planning_state.is_met and end.actions == (FINISH_UNVERIFIED,):
        return f"This is not known for sure. {end.reasoning} {FINISH_UNVERIFIED}."
    return ""


def _next(planning_state: PlanningState) -> Action:
    return (
        planning_state.options[0].actions[0]
        if planning_state.options
        else final_plan(planning_state).actions[0]
    )
