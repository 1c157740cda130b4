"""Judges an action by rules, criterion by criterion (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable

from stma_ros.domains.household.belief_index import id_order
from stma_ros.domains.household.feasibility import Feasibility
from stma_ros.domains.household.goals import FindGoal, goals_of
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.outcome_index import PLACING, action, key
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.domains.household.search import LOOK_AROUND, Candidate
from stma_ros.domains.household.termination import FINISH_UNVERIFIED, GIVE_UP, final_plan
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import with_article
from stma_ros.roles.critic import CritiqueAnswer, CritiqueQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Criterion, Verdict

_MAX_LISTED = 5  # alternatives in the feedback
_ENDINGS = (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED, words.SKILL_GIVE_UP)
_STATE_BY = {
    words.SKILL_SWITCH_ON: words.STATE_ON,
    words.SKILL_SWITCH_OFF: words.STATE_OFF,
}


class SymbolicCritic:
    """A CriticRole for household tasks.

    Each check returns feedback for the planner; an empty text means that the criterion is met.
    """

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Returns the verdict of the first criterion that is not met, or acceptance.

        Raises:
            TaskNotUnderstoodError: the task's text is not understood.
            RoleError: the belief holds no goals.
        """
        goals = goals_of(query.temporal)
        planning_state = PlanningState(
            goals, query.temporal, query.spatial, query.allowed_actions, self._knowledge
        )
        checks: tuple[tuple[Criterion, Callable[[Action, PlanningState], str]], ...] = (
            (Criterion.VALIDITY, _validity),
            (Criterion.TEMPORAL, _temporal),
            (Criterion.SPATIAL, _spatial),
            (Criterion.ALIGNMENT, _alignment),
            (Criterion.SAFETY, _safety),
        )
        for criterion, check in checks:
            feedback = check(query.action, planning_state)
            if feedback:
                return CritiqueAnswer(Verdict.REJECTED, criterion, feedback)
        return CritiqueAnswer(Verdict.ACCEPTED)


def _validity(item: Action, planning_state: PlanningState) -> str:
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


def _temporal(item: Action, planning_state: PlanningState) -> str:
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
    target = item.arguments[0] if item.arguments else ""
    if item.skill == words.SKILL_OPEN and planning_state.access.is_certainly(words.STATE_OPEN, target):
        return f"{target} is open already; look elsewhere."
    if item.skill == words.SKILL_CLOSE and planning_state.access.is_certainly(words.STATE_CLOSED, target):
        return f"{target} is closed already."
    wanted = _STATE_BY.get(item.skill)
    thing = planning_state.view.objects.get(target)
    if wanted and thing is not None and thing.is_certainly(wanted):
        return f"{target} is {wanted} already."
    return ""


def _spatial(item: Action, planning_state: PlanningState) -> str:
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
    if item.skill in (*PLACING, words.SKILL_FILL, words.SKILL_EMPTY) and not (held or unknown):
        return f"Nothing is in the hand; pick something up before {item}."
    if not access.is_near(target):
        return f"The robot is not near {target}; first {action(words.SKILL_NAVIGATE, target)}."
    thing = planning_state.view.objects.get(target)
    holder = thing.inside if item.skill == words.SKILL_PICK and thing is not None else ""
    container = target if item.skill == words.SKILL_PLACE_IN else holder
    opening = access.open_actions(container) if container else ()
    return f"{container} is not open; first {opening[0]}." if opening else ""


def _alignment(item: Action, planning_state: PlanningState) -> str:
    if item.skill == words.SKILL_REPORT:
        return _report(item.arguments[0], planning_state)
    if item.skill in _ENDINGS:
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
    if planning_state.is_met:
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
    return actions[-1].arguments[0] if actions[-1].arguments else ""


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
    left = [str(goal) for i, goal in enumerate(planning_state.goals) if not planning_state.is_reached(i)]
    others = [
        i
        for i, goal in enumerate(planning_state.goals)
        if not isinstance(goal, FindGoal) or goal.beside or len(finds) > 1
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


def _safety(item: Action, planning_state: PlanningState) -> str:
    if (
        item.skill in words.MOTIONS
        and planning_state.history.is_boxed_in
        and key(LOOK_AROUND) in planning_state.allowed
    ):
        return f"The robot ran into something twice; {LOOK_AROUND} before it moves on."
    if item.skill == words.SKILL_PLACE_IN and planning_state.view.held:
        held = planning_state.view.objects[planning_state.view.held]
        if planning_state.view.knowledge.is_furniture(held.category):
            return f"{held.id} is too large to be put into anything."
    return ""
