"""How a task ends, and what people are told: what was done and found, what was not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.domains.household.goal_progress import Progress
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal
from stma_ros.domains.household.history import action
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.situation import Situation
from stma_ros.domains.household.views import Thing
from stma_ros.roles.planner import PlanAnswer
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import ALL

GIVE_UP = action(words.SKILL_GIVE_UP)
FINISH = action(words.SKILL_FINISH)


def ending(situation: Situation, *, hopeless: bool = False) -> PlanAnswer:
    """Report, finish or give up; the reasoning is the task's answer. `hopeless`: give up whatever was reached."""
    indices = range(len(situation.goals))
    told = [_told(situation, index) for index in indices]
    if situation.is_met and not hopeless:
        answers = situation.answers()
        if answers:
            answer = action(words.SKILL_REPORT, answers[0])
            return PlanAnswer(f"report {answers[0]}", (answer,), " ".join(told))
        return PlanAnswer("finish", (FINISH,), " ".join(told))
    failed = [i for i in indices if not situation.is_reached(i)]
    sentences = [told[i] for i in indices if i not in failed] + [told[i] for i in failed]
    missing = not failed or any(_is_missing(situation, i) for i in failed)
    if missing:
        sentences += _searched(situation)
    code = ErrorCode.NONE if all(_is_missing(situation, i) for i in failed) else ErrorCode.IMPOSSIBLE
    return PlanAnswer("end the task", (GIVE_UP,), " ".join(sentences), code)


def _is_missing(situation: Situation, index: int) -> bool:
    """Whether a goal fails because nothing of the sort was found, rather than because it cannot be done."""
    progress = situation.household.progress[index]
    return not (progress.problem or progress.left or progress.stuck or progress.done)


def _told(situation: Situation, index: int) -> str:
    progress = situation.household.progress[index]
    if situation.is_reached(index):
        return _done(situation, progress)
    goal = progress.goal
    if progress.problem:
        return f"Not possible: {goal} ({progress.problem})."
    if _is_missing(situation, index):
        return f"No {goal.what} was found."
    return f"Not done: {goal} ({'; '.join(_reasons(situation, progress))})."


def _done(situation: Situation, progress: Progress) -> str:
    view, goal = situation.view, progress.goal
    if not isinstance(goal, FindGoal) or goal.beside:
        return f"Done: {goal} ({_list([thing.id for thing in progress.done])})."
    found = progress.done[: goal.count] if goal.count != ALL else progress.done
    places = [
        f"{view.whereabouts(thing) or 'at a place that is not known any nearer'}: {thing.id}"
        for thing in found
    ]
    if len(found) > 1:
        return f"Found {goal.what}: {'; '.join(places)}."
    if (situation.matcher.evidence(found[0], goal.what) or 0) <= Evidence.DOUBTFUL:
        return f"What may be the {goal.what} is {places[0]}. It could not be made out for sure."
    return f"The {goal.what} is {places[0]}."


def _reasons(situation: Situation, progress: Progress) -> Iterator[str]:
    goal = progress.goal
    if progress.done:
        yield f"done with {_list([thing.id for thing in progress.done])}"
    yield from (reason for _, reason in progress.stuck)
    things = [match.thing for match in progress.left]
    if isinstance(goal, PlaceGoal) and things and goal.relation != words.HELD_BY:
        full = situation.household.places.problem(goal)
        if full:
            yield full
            return
        if not situation.household.places.known(goal):
            yield f"no {goal.destination or 'usual place for it'} was found"
            return
    for thing in things:
        yield _not_reached(situation, thing)
    if not things and not progress.stuck:
        yield "no more were found"


def _not_reached(situation: Situation, thing: Thing) -> str:
    where = situation.view.whereabouts(thing)
    if not thing.held and situation.access.way_to_thing(thing.id) is None:
        return f"no way to {thing.id}{', ' + where + ',' if where else ''} is known"
    return f"nothing more can be tried with {thing.id}{', ' + where if where else ''}"


def _searched(situation: Situation) -> Iterator[str]:
    view, search = situation.view, situation.search
    if view.rooms:
        yield f"Searched: {_list([view.described(room) for room in view.rooms])}."
    opened = [view.described(thing.id) for thing in search.opened()]
    if opened:
        yield f"Looked into {_list(opened)}."
    left = [view.described(name) for name in search.left_out()]
    if left:
        yield f"Could not be searched: {_list(left)}."
    alike = [f"{thing.id} {view.whereabouts(thing)}".rstrip() for thing in _lookalikes(situation)]
    if alike:
        yield f"Perhaps meant: {_list(alike)}."


def _lookalikes(situation: Situation) -> tuple[Thing, ...]:
    """Things that go by a name which people use for one that was not found; no answer, but worth a mention."""
    names = [goal.what.category for i, goal in enumerate(situation.goals) if _lacks(situation, i, goal)]
    is_alike = situation.view.knowledge.is_alike
    things = situation.view.things.values()
    return tuple(thing for thing in things if any(is_alike(thing.category, name) for name in names))


def _lacks(situation: Situation, index: int, goal: Goal) -> bool:
    return not situation.is_reached(index) and _is_missing(situation, index)


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
