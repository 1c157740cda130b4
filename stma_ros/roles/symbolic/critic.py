"""Judges an action by rules, criterion by criterion (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Callable

from stma_ros.memory.semantic import semantic_memory
from stma_ros.roles.contracts import CritiqueAnswer, CritiqueQuery
from stma_ros.roles.symbolic.language import parse_goal
from stma_ros.roles.symbolic.search import LOOK_AROUND, Evidence, Search
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Criterion, Verdict

_SHOWN = 5  # alternatives that a feedback lists


class SymbolicCritic:
    """A CriticRole for find tasks. Each check returns the feedback for the planner, empty when it is met."""

    def criticise(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Raises TaskNotUnderstoodError for a task that is no find task."""
        goal = parse_goal(query.task)
        search = Search(goal, query.temporal, query.spatial, query.allowed_actions, semantic_memory())
        checks: tuple[tuple[Criterion, Callable[[Action, Search], str]], ...] = (
            (Criterion.VALIDITY, _validity),
            (Criterion.TEMPORAL, _temporal),
            (Criterion.SPATIAL, _spatial),
            (Criterion.ALIGNMENT, _alignment),
            (Criterion.SAFETY, _safety),
        )
        for criterion, check in checks:
            feedback = check(query.action, search)
            if feedback:
                return CritiqueAnswer(Verdict.REJECTED, criterion, feedback)
        return CritiqueAnswer(Verdict.ACCEPTED)


def _validity(action: Action, search: Search) -> str:
    if action in search.allowed:
        return ""
    if action.skill in words.TARGETED and not action.arguments:
        return f"{action} does not say what it is done to; name a target."
    same = sorted(str(other) for other in search.allowed if other.skill == action.skill)
    if not same:
        skills = ", ".join(sorted({other.skill for other in search.allowed}))
        return f"{action} is not allowed now. Use one of: {skills}."
    more = f" and {len(same) - _SHOWN} more" if len(same) > _SHOWN else ""
    return f"{action} is not allowed now. Choose among {', '.join(same[:_SHOWN])}{more}."


def _temporal(action: Action, search: Search) -> str:
    history = search.history
    if action.skill == words.SKILL_OPEN and search.is_open(action.arguments[0]):
        return f"{action.arguments[0]} is open already; look elsewhere."
    if action.skill == words.SKILL_EXPLORE and history.succeeded(action):
        return f"{action.arguments[0]} was explored already; choose another place."
    if action.skill == words.SKILL_LOOK_AROUND and history.looked_around_here:
        return "The robot looked around here already; move first."
    if action.skill == words.SKILL_NAVIGATE and history.standing_at == action.arguments[0]:
        return f"The robot stands at {action.arguments[0]} already; go on with the next action."
    failures = history.failures(action)
    if not failures:
        return ""
    last = failures[-1]
    if last.error.code == ErrorCode.NOT_OPENABLE:
        return f"{action} failed at step {last.step}: it does not open; look elsewhere."
    if not history.moved_since_failing(action):
        reason = last.error.text or last.error.code.name.lower()
        return f"{action} failed at step {last.step} ({reason}) and nothing has changed since; try another."
    return ""


def _spatial(action: Action, search: Search) -> str:
    if not action.arguments or action.skill not in (*words.MOTIONS, words.SKILL_OPEN):
        return ""
    target = action.arguments[0]
    if action.skill == words.SKILL_OPEN:
        if search.is_near(target):
            return ""
        return f"The robot is not near {target}; first {Action(words.SKILL_NAVIGATE, (target,))}."
    return "" if search.view.reachable(target) else f"No way to {target} is known; choose another target."


def _alignment(action: Action, search: Search) -> str:
    if action.skill == words.SKILL_REPORT:
        return _answers(action.arguments[0], search)
    found = search.believed()
    if found is not None and action != Action(words.SKILL_NAVIGATE, (found.thing.id,)):
        if action.skill == words.SKILL_NAVIGATE and search.evidence_of(action.arguments[0]) is not None:
            return ""
        report = Action(words.SKILL_REPORT, (found.thing.id,))
        where = search.view.whereabouts(found.thing)
        return f"The {search.goal} is believed to be known{': ' + where if where else ''}; {report}."
    if action.skill == words.SKILL_GIVE_UP:
        left = search.candidates()
        if left:
            names = ", ".join(search.view.described(candidate.target) for candidate in left[:_SHOWN])
            return f"Not everything was searched: {names}. Next: {left[0].actions[0]}."
    return ""


def _answers(thing_id: str, search: Search) -> str:
    thing = search.view.things.get(thing_id)
    if thing is None:
        return f"{thing_id} is not in the spatial belief; report only what was seen."
    evidence = search.evidence_of(thing_id)
    looks = " ".join((*thing.colours[:1], thing.category))
    if evidence is None:
        return f"{thing_id} is a {looks}, not the {search.goal}; search on."
    if evidence < Evidence.WEAK and search.candidates():
        return f"{thing_id} is doubtful; search the rest first: {search.candidates()[0].actions[0]}."
    return ""


def _safety(action: Action, search: Search) -> str:
    if action.skill in words.MOTIONS and search.history.is_boxed_in and LOOK_AROUND in search.allowed:
        return f"The robot ran into something twice; {LOOK_AROUND} before it moves on."
    return ""
