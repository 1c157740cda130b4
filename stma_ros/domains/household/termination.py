"""Ends a task with a report for people: what was done and found, what was not, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.domains.eqa.answerer import UNKNOWN
from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.domains.household.goal_tracker import Progress
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.inquiry import Inquiry
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.outcome_index import action
from stma_ros.domains.household.planning_state import PlanningState
from stma_ros.memory.nouns import listed
from stma_ros.roles.planner import PlanAnswer
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import ALL

GIVE_UP = action(words.SKILL_GIVE_UP)
ANSWER = action(words.SKILL_ANSWER)
FINISH = action(words.SKILL_FINISH)
FINISH_UNVERIFIED = action(words.SKILL_FINISH_UNVERIFIED)

_ELSEWHERE = (words.HELD_BY, words.AWAY_FROM)  # relations to no place that a task names


def final_plan(planning_state: PlanningState, *, gives_up: bool = False) -> PlanAnswer:
    """Returns the plan that ends the task: report, answer, finish or give up. Its reasoning is the answer to the task.

    A task ends unverified if nothing can make sure of what is only believed, or if, for want of a likelier one, it was
    done with a thing or a place that the task may not mean.

    Args:
        planning_state: of the step.
        gives_up: whether to give up even if all goals are reached.
    """
    if planning_state.inquiry is not None:
        return _answer(planning_state, planning_state.inquiry, gives_up=gives_up)
    indices = range(len(planning_state.goals))
    texts = [_goal_text(planning_state, index) for index in indices]
    if planning_state.is_met and not gives_up:
        if any(_is_doubtful(planning_state, each) for each in planning_state.tracker.progress):
            return PlanAnswer("finish, unverified", (FINISH_UNVERIFIED,), " ".join(texts))
        answers = planning_state.report_candidates()
        if answers:
            answer = action(words.SKILL_REPORT, answers[0])
            return PlanAnswer(f"report {answers[0]}", (answer,), " ".join(texts))
        return PlanAnswer("finish", (FINISH,), " ".join(texts))
    if planning_state.is_believed and not gives_up:
        return PlanAnswer("finish, unverified", (FINISH_UNVERIFIED,), " ".join(texts))
    failed = [i for i in indices if not planning_state.is_reached(i)]
    sentences = [texts[i] for i in indices if i not in failed] + [texts[i] for i in failed]
    missing = not failed or any(_is_missing(planning_state, i) for i in failed)
    if missing:
        sentences += _searched(planning_state)
    code = ErrorCode.NONE if all(_is_missing(planning_state, i) for i in failed) else ErrorCode.IMPOSSIBLE
    return PlanAnswer("end the task", (GIVE_UP,), " ".join(sentences), code)


def _answer(planning_state: PlanningState, inquiry: Inquiry, *, gives_up: bool) -> PlanAnswer:
    """Returns the plan that answers a question: for sure, with the best guess, or by saying that it is not known."""
    finding = inquiry.finding
    if gives_up or not finding.answer:
        missing = f"What is missing: {finding.missing}." if finding.missing else ""
        sentences = filter(None, (f"{UNKNOWN}.", missing, *_searched(planning_state)))
        return PlanAnswer("end the task", (GIVE_UP,), " ".join(sentences))
    is_sure = inquiry.is_sure(hidden=planning_state.search.hidden_places())
    ending = ANSWER if is_sure else FINISH_UNVERIFIED
    seen = tuple(thing.id for thing in inquiry.things)
    return PlanAnswer("answer the question", (ending,), inquiry.text, seen=seen)


def _is_missing(planning_state: PlanningState, index: int) -> bool:
    """Whether a goal fails because no such object was found, rather than because it is impossible."""
    progress = planning_state.tracker.progress[index]
    return not (progress.problem or progress.left or progress.stuck or progress.done)


def _believed(progress: Progress, goal: StateGoal) -> str:
    names = listed([thing.id for thing in progress.believed])
    verb = "seems" if len(progress.believed) == 1 else "seem"
    return f"Could not be checked: {goal} ({names} {verb} to be {goal.state})."


def _goal_text(planning_state: PlanningState, index: int) -> str:
    progress = planning_state.tracker.progress[index]
    if planning_state.is_reached(index):
        return _done(planning_state, progress)
    goal = progress.goal
    if progress.believed and progress.is_believed and isinstance(goal, StateGoal):
        return _believed(progress, goal)
    if progress.problem:
        return f"Not possible: {goal} ({progress.problem})."
    if _is_missing(planning_state, index):
        return f"No {goal.what} was found."
    return f"Not done: {goal} ({'; '.join(_reasons(planning_state, progress))})."


def _is_doubtful(planning_state: PlanningState, progress: Progress) -> bool:
    """Whether a goal is reached only if the task means things or places that it may not mean, or not some others."""
    return bool(
        _doubtful_things(planning_state, progress)
        or _is_doubtful_each(planning_state, progress)
        or _unlikely_places(planning_state, progress)
        or _perhaps_left(planning_state, progress)
        or _not_searched(planning_state, progress)
        or _is_only_one(planning_state, progress)
    )


def _is_doubtful_each(planning_state: PlanningState, progress: Progress) -> bool:
    """Whether the place of a goal is perhaps none of those that a task wants something at each of."""
    goal = progress.goal
    if not isinstance(goal, PlaceGoal) or goal.each_of is None or goal.destination is None:
        return False
    place = planning_state.view.objects.get(goal.destination.id)
    evidence = planning_state.final_matcher.evidence
    return place is not None and (evidence(place, goal.each_of) or 0) <= Evidence.DOUBTFUL


def _counted(planning_state: PlanningState, progress: Progress) -> tuple[KnownObject, ...]:
    """Returns the objects for which a goal holds, without those beyond its count.

    For a goal about all of a kind, objects that are rather of another kind do not count beside others.
    """
    goal = progress.goal
    if goal.count != ALL:
        return progress.done[: goal.count]
    fits = planning_state.final_matcher.fits_category
    return tuple(thing for thing in progress.done if fits(thing, goal.what)) or progress.done


def _doubtful_things(planning_state: PlanningState, progress: Progress) -> tuple[KnownObject, ...]:
    """Returns the objects with which a goal was reached that may not be the described ones."""
    evidence = planning_state.final_matcher.evidence
    things = _counted(planning_state, progress)
    return tuple(t for t in things if (evidence(t, progress.goal.what) or 0) <= Evidence.DOUBTFUL)


def _perhaps_left(planning_state: PlanningState, progress: Progress) -> tuple[KnownObject, ...]:
    """Returns the objects for which a goal about all of a kind does not hold, and which may be meant: by a part of
    their labels, or as far as their looks and places are known; of a goal about each of several places, what may be one
    of these."""
    goal, matcher = progress.goal, planning_state.final_matcher
    if isinstance(goal, PlaceGoal) and goal.each_of is not None:
        places = matcher.matches(goal.each_of)
        return tuple(each.thing for each in places if matcher.is_disputed(each.thing, goal.each_of))
    if goal.count != ALL:
        return ()
    return tuple(
        match.thing
        for match in matcher.matches(goal.what)
        if (matcher.is_disputed(match.thing, goal.what) or matcher.may_be_meant(match.thing, goal.what))
        and (isinstance(goal, FindGoal) or not planning_state.tracker.holds_now(goal, match.thing))
    )


def _not_searched(planning_state: PlanningState, progress: Progress) -> tuple[str, ...]:
    """Returns the ids of the places that were not searched, and at which more of the objects may be of a goal about all
    of a kind."""
    goal = progress.goal
    return planning_state.search.hidden_places(goal.what) if goal.count == ALL else ()


def _is_only_one(planning_state: PlanningState, progress: Progress) -> bool:
    """Whether something was done with a single thing that was to be done with all of a kind: who speaks of several
    knows of more than were found, and so does who speaks of each of several places. Of those at a place, the place
    itself was seen."""
    goal = progress.goal
    if isinstance(goal, PlaceGoal) and goal.each_of is not None:
        rivals = [
            other
            for other in planning_state.goals
            if isinstance(other, PlaceGoal) and (other.what, other.each_of) == (goal.what, goal.each_of)
        ]
        return goal.each_of.place is None and len(rivals) == 1
    is_done_with_all = goal.count == ALL and not isinstance(goal, FindGoal)
    return is_done_with_all and goal.what.place is None and len(progress.done) == 1


def _unlikely_places(planning_state: PlanningState, progress: Progress) -> tuple[str, ...]:
    """Returns the ids of the places of objects for which a goal holds only if it means these places, which is not known
    for sure: a shelf in the kitchen, or in a room that may be one, for "the shelf in the storage room"; of what
    is wanted next to something, the ids of what it is next to."""
    goal, view, matcher = progress.goal, planning_state.view, planning_state.final_matcher
    if not isinstance(goal, PlaceGoal) or goal.destination is None or goal.relation in _ELSEWHERE:
        return ()
    wanted = planning_state.tracker.places.wanted_room(goal)
    if wanted is not None:
        rooms = dict.fromkeys(view.room_of(thing) for thing in progress.done)
        return tuple(room for room in rooms if not matcher.is_meant_for_sure(room, wanted))
    neighbour = planning_state.tracker.places.wanted_neighbour(goal)
    unlikely = []
    for thing in progress.done:
        names = matcher.neighbours(thing) if neighbour else {name for _, name in view.chain(thing)}
        judged = [
            (matcher.evidence(view.objects[name], neighbour or goal.destination) or 0, name)
            for name in names & view.objects.keys()
        ]
        evidence, name = max(judged, default=(0, ""))
        unlikely += [name] if Evidence.UNLIKELY <= evidence <= Evidence.DOUBTFUL else []
    return tuple(dict.fromkeys(unlikely))


def _place_with_room(view: BeliefIndex, name: str) -> str:
    piece = view.objects.get(name)
    return view.described(name) if piece is None else f"{name} in {view.described(view.room_of(piece))}"


def _done(planning_state: PlanningState, progress: Progress) -> str:
    view, goal = planning_state.view, progress.goal
    unlikely = _unlikely_places(planning_state, progress)
    if unlikely and isinstance(goal, PlaceGoal):
        where = listed([_place_with_room(view, name) for name in unlikely])
        wanted = planning_state.tracker.places.wanted_neighbour(goal) or goal.destination
        return (
            f"Could not be checked: {goal} ({listed([thing.id for thing in progress.done])} "
            f"at {where}; no {wanted} is known for sure)."
        )
    doubtful = _doubtful_things(planning_state, progress)
    if doubtful and not isinstance(goal, FindGoal):
        names = listed([thing.id for thing in doubtful])
        noun = goal.what if len(doubtful) == 1 else goal.what.many
        return f"Could not be checked: {goal} (done with {names}, which may not be the {noun} meant)."
    counted = _counted(planning_state, progress)
    names = listed([thing.id for thing in counted])
    each_of = goal.each_of if isinstance(goal, PlaceGoal) else None
    if each_of is not None and _is_doubtful_each(planning_state, progress):
        return f"Could not be checked: {goal} ({names}, perhaps at none of the {each_of.many} meant)."
    others = listed(
        [f"{t.id} {view.place_text(t)}".rstrip() for t in _perhaps_left(planning_state, progress)]
    )
    also = f"{others} may be of the {(each_of or goal.what).many}, too" if others else ""
    left = listed(view.described(name) for name in _not_searched(planning_state, progress))
    doubts = [*filter(None, (also, left and f"{left} could not be searched"))]
    if isinstance(goal, FindGoal) and not goal.beside:
        found = _found(planning_state, goal, counted, is_sure=not doubtful)
        return " ".join((found, *(f"{doubt}." for doubt in doubts)))
    if not doubts and _is_only_one(planning_state, progress):
        doubts = [f"no other {each_of or goal.what} was found"]
    doubt = "; ".join(doubts)
    return f"Could not be checked: {goal} ({names}; {doubt})." if doubt else f"Done: {goal} ({names})."


def _found(
    planning_state: PlanningState, goal: FindGoal, things: Sequence[KnownObject], *, is_sure: bool
) -> str:
    places = [_last_place(planning_state, goal, thing) for thing in things]
    if len(things) > 1:
        return f"Found {goal.what.many}: {'; '.join(places)}."
    if is_sure:
        return f"The {goal.what} is {places[0]}."
    return f"What may be the {goal.what} is {places[0]}. It could not be made out for sure."


def _last_place(planning_state: PlanningState, goal: FindGoal, thing: KnownObject) -> str:
    """Returns the place of a thing and its id, with when it was seen if that was before the task began; as people say
    it in answer to a question."""
    view, recall = planning_state.view, planning_state.recall
    place = view.spoken_place(thing) if goal.question else view.place_text(thing)
    place = place or "at a place that is not known any nearer"
    if recall.is_earlier(thing.last_seen):
        place = f"{place}, seen {recall.ago(thing.last_seen)}"
    return f"{place} ({thing.id})" if goal.question else f"{place}: {thing.id}"


def _reasons(planning_state: PlanningState, progress: Progress) -> Iterator[str]:
    goal = progress.goal
    if progress.done:
        yield f"done with {listed([thing.id for thing in progress.done])}"
    guessed = [thing.id for thing in progress.believed]
    if guessed and isinstance(goal, StateGoal):
        yield f"not checked with {listed(guessed)}, which may be {goal.state}"
    yield from (reason for _, reason in progress.stuck)
    things = [match.thing for match in progress.left]
    if isinstance(goal, PlaceGoal) and things and goal.relation != words.HELD_BY:
        full = planning_state.tracker.places.problem(goal)
        if full:
            yield full
            return
        if not planning_state.tracker.places.destinations(goal):
            wanted = "thing next to which it can be put" if goal.is_on_floor else goal.destination
            wanted = "place away from that" if goal.is_away else wanted or "usual place for it"
            yield f"no {wanted} was found"
            return
    for thing in things:
        yield _not_reached(planning_state, thing)
    if not things and not progress.stuck:
        yield "not everything was searched" if progress.is_met else "no more were found"


def _not_reached(planning_state: PlanningState, thing: KnownObject) -> str:
    where = planning_state.view.place_text(thing)
    if not thing.held and planning_state.access.approach_object(thing.id) is None:
        return f"no way to {thing.id}{', ' + where + ',' if where else ''} is known"
    return f"nothing more can be tried with {thing.id}{', ' + where if where else ''}"


def _searched(planning_state: PlanningState) -> Iterator[str]:
    view, search = planning_state.view, planning_state.search
    if view.rooms:
        yield f"Searched: {listed([view.described(room) for room in view.rooms])}."
    opened = [view.described(thing.id) for thing in search.looked_into()]
    if opened:
        yield f"Looked into {listed(opened)}."
    left = [view.described(name) for name in search.unsearched()]
    if left:
        yield f"Could not be searched: {listed(left)}."
    lookalikes = [f"{thing.id} {view.place_text(thing)}".rstrip() for thing in _lookalikes(planning_state)]
    if lookalikes:
        yield f"Perhaps meant: {listed(lookalikes)}."


def _lookalikes(planning_state: PlanningState) -> tuple[KnownObject, ...]:
    """Returns the objects whose category people may call by the name of an object that was not found."""
    names = [
        goal.what.category
        for i, goal in enumerate(planning_state.goals)
        if _was_not_found(planning_state, i, goal)
    ]
    is_alike = planning_state.view.knowledge.is_alike
    things = planning_state.view.objects.values()
    return tuple(thing for thing in things if any(is_alike(thing.category, name) for name in names))


def _was_not_found(planning_state: PlanningState, index: int, goal: Goal) -> bool:
    return not planning_state.is_reached(index) and _is_missing(planning_state, index)
