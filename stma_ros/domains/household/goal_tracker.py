"""Tracks the progress of each goal of a task and the remaining objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.domains.household.feasibility import (
    MAX_PLACEMENTS,
    SKILL_FOR,
    Access,
    Feasibility,
    found_already,
)
from stma_ros.domains.household.goals import (
    TAP_STATES,
    FindGoal,
    Goal,
    PlaceGoal,
    StateGoal,
    is_about_all_known,
)
from stma_ros.domains.household.matching import Evidence, Match, Matcher
from stma_ros.domains.household.outcome_index import Handling, OutcomeIndex, action
from stma_ros.domains.household.places import Places
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import with_article
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Action, Result


@dataclass(frozen=True)
class Progress:
    """Progress of one goal.

    Attributes:
        goal: the goal.
        done: objects for which the goal holds.
        believed: objects of `left` and `stuck` for which it holds by a guess: it may be done, and is not known to be.
        left: objects for which it can still be reached, best first.
        stuck: objects for which it cannot be reached, with the reason.
        needs_more: whether more such objects have to be found.
        problem: why the goal cannot be reached with any object; empty = it can.
    """

    goal: Goal
    done: tuple[KnownObject, ...]
    believed: tuple[KnownObject, ...]
    left: tuple[Match, ...]
    stuck: tuple[tuple[KnownObject, str], ...]
    needs_more: bool
    problem: str

    @property
    def is_met(self) -> bool:
        """Whether the goal is met with the known objects. For ALL, there may be more objects to find."""
        return self._suffices(self.done)

    @property
    def is_believed(self) -> bool:
        """Whether the goal is met if the guesses are right."""
        return self._suffices((*self.done, *self.believed))

    def _suffices(self, things: tuple[KnownObject, ...]) -> bool:
        if self.problem or len(things) < max(self.goal.count, 1):
            return False
        others = {match.thing.id for match in self.left} | {thing.id for thing, _ in self.stuck}
        return not is_about_all_known(self.goal) or others <= {thing.id for thing in things}


class GoalTracker:
    """The goals of a task by the beliefs of one step.

    Objects with less evidence than `floor` do not count.

    Attributes:
        progress: of each goal, in the order of `goals`.
    """

    def __init__(
        self,
        goals: Sequence[Goal],
        view: BeliefIndex,
        history: OutcomeIndex,
        matcher: Matcher,
        access: Access,
        places: Places,
        floor: Evidence,
    ) -> None:
        self.view = view
        self.history = history
        self.matcher = matcher
        self.access = access
        self.places = places
        self.goals = tuple(goals)
        self._floor = floor
        self._matches = [self._eligible(goal) for goal in self.goals]
        self._done: list[tuple[KnownObject, ...]] = []
        for index, matches in enumerate(self._matches):
            holds = tuple(match.thing for match in matches if self._holds(index, match))
            self._done.append(self._not_counted_before(index, holds))
        self.progress = tuple(self._progress(index) for index in range(len(self.goals)))

    def prerequisites(self, index: int) -> tuple[int, ...]:
        """Returns the indices of the goals that have to be reached before this one."""
        others = (other for other in range(len(self.goals)) if other != index)
        return tuple(other for other in others if self._waits_for(index, other))

    def closes_doors(self, index: int) -> bool:
        """Whether a goal wants a door closed."""
        return _closes(self.goals[index]) and self._is_about_doors(index)

    def _is_about_doors(self, index: int) -> bool:
        return self.view.knowledge.is_door(self.goals[index].what.category)

    def holds_for(self, index: int, thing: KnownObject) -> bool:
        """Whether a goal holds for an object."""
        return thing in self._done[index]

    def goals_needing(self, thing: KnownObject) -> Iterator[int]:
        """Yields the indices of the goals that need an action with an object."""
        for index, progress in enumerate(self.progress):
            if any(match.thing.id == thing.id for match in progress.left):
                yield index

    def may_be_moved_on(self, thing: KnownObject) -> bool:
        """Whether a thing that a goal needs may be put where another goal wants it, or down for its sake: not so often
        that they take it from each other for ever."""
        return len(self.history.placements(thing.id)) < MAX_PLACEMENTS

    # -- matching objects

    def _eligible(self, goal: Goal) -> tuple[Match, ...]:
        # "All the mugs on the table" includes only those on the table, but "the mug on the table" may be elsewhere.
        floor = max(self._floor, Evidence.WEAK) if goal.count == ALL else self._floor
        matches = tuple(match for match in self.matcher.matches(goal.what) if match.evidence >= floor)
        for level in (Evidence.WEAK, Evidence.DOUBTFUL):
            likely = tuple(match for match in matches if match.evidence >= level)
            if likely and len(likely) >= goal.count:
                matches = likely  # less likely objects count only if there are too few likely ones
                break
        matches = tuple(match for match in matches if not self._fits_other_goal_better(match, goal))
        alike = [index for index, other in enumerate(self.goals) if other.what == goal.what]
        apart = [index for index in alike if _are_apart(self.goals[index], goal)]
        linked = [
            index for index in alike if index not in apart and not isinstance(self.goals[index], FindGoal)
        ]
        if goal.count != 1 or len(linked) < 2 or isinstance(goal, FindGoal) or not matches:
            return matches
        return (min(matches, key=lambda match: self._coreference_rank(match, linked, apart)),)

    def _fits_other_goal_better(self, match: Match, goal: Goal) -> bool:
        """Whether a doubtful object of this goal fits another goal better that does not mean the same object.

        If the task names a purple and a blue book, the purple book does not count as the blue one. If it names a small
        bowl and the bowl in the dishwasher, a small bowl that was elsewhere does not count as the latter.
        """
        if match.evidence > Evidence.DOUBTFUL:
            return False
        is_elsewhere = not self.matcher.is_at_described_place(match.thing, goal.what)
        rivals = (
            other.what
            for other in self.goals
            if other.what != goal.what
            and (is_elsewhere or not self.matcher.could_be_one(goal.what, other.what))
        )
        return any((self.matcher.evidence(match.thing, what) or 0) > match.evidence for what in rivals)

    def _not_counted_before(self, index: int, holds: tuple[KnownObject, ...]) -> tuple[KnownObject, ...]:
        """Returns the objects for which a goal holds without those that earlier goals need, which are about others."""
        goal = self.goals[index]
        if not isinstance(goal, PlaceGoal) or not goal.another:
            return holds
        for other, done in zip(self.goals[:index], self._done, strict=True):
            if other.what != goal.what:
                continue
            shared = [thing for thing in done if thing in holds]
            needed = shared[: max(other.count - (len(done) - len(shared)), 0)]
            holds = tuple(thing for thing in holds if thing not in needed)
        return holds

    def _coreference_rank(
        self, match: Match, linked: Sequence[int], apart: Sequence[int]
    ) -> tuple[bool, bool, int, bool, bool]:
        """Returns the rank of an object that several goals refer to, as in "wash the mug and put it away".

        One for which a goal about another object holds comes last, and before it one for which a linked goal cannot be
        reached, as a mug that holds no liquid. The object for which most of the linked goals hold comes first, then the
        held one, then one that was handled.
        """
        thing = match.thing
        handled = any(
            o.action.arguments[:1] == (thing.id,) for o in self.history.outcomes if _is_manipulation(o.action)
        )
        is_other = any(self._holds(index, match) for index in apart)
        is_stuck = any(self._failure_reason(self.goals[index], thing) for index in linked)
        return (
            is_other,
            is_stuck,
            -sum(self._holds(index, match) for index in linked),
            not thing.held,
            not handled,
        )

    def _holds(self, index: int, match: Match) -> bool:
        goal = self.goals[index]
        if isinstance(goal, FindGoal):
            near = not goal.beside or self.access.is_near(match.thing.id)
            return near and match.evidence != Evidence.WEAK
        if self.holds_now(goal, match.thing):
            return True
        later = self.goals[index + 1 :]
        return any(_undoes(other, goal) for other in later) and self._held_before(goal, match.thing)

    def holds_now(self, goal: Goal, thing: KnownObject) -> bool:
        """Whether an object is known to be as a goal wants it."""
        match goal:
            case PlaceGoal():
                return self.places.is_there(goal, thing)
            case StateGoal(state=words.STATE_OPEN | words.STATE_CLOSED):
                return self.access.is_certainly(goal.state, thing.id)
            case StateGoal():
                return thing.is_certainly(goal.state)
        return False

    def _is_guessed(self, goal: Goal, thing: KnownObject) -> bool:
        """Whether a goal that is not known to hold for an object seems to."""
        if not isinstance(goal, StateGoal):
            return False
        return thing.state(words.STATE_DIMENSION[goal.state]) == goal.state or self._is_contested(goal, thing)

    def _is_contested(self, goal: StateGoal, thing: KnownObject) -> bool:
        """Whether attempts found an object in the state of a goal again and again, and looks contradict them."""
        if goal.state not in TAP_STATES:
            return self.access.is_contested(goal.state, thing.id)
        return found_already(goal.state, (h.outcome for h in self._tap_outcomes() if h.held == thing.id))

    def _held_before(self, goal: Goal, thing: KnownObject) -> bool:
        """Whether the robot has reached a goal for an object before."""
        if isinstance(goal, PlaceGoal):
            return self.places.was_there(goal, thing)
        return isinstance(goal, StateGoal) and self._was_in_state(goal.state, thing)

    def _was_in_state(self, state: str, thing: KnownObject) -> bool:
        already = ErrorCode[f"ALREADY_{state.upper()}"]
        past = self.history.outcomes_of(action(SKILL_FOR[state], thing.id))
        return any(o.result == Result.SUCCEEDED or o.error.code == already for o in past)

    # -- progress

    def _progress(self, index: int) -> Progress:
        goal, done = self.goals[index], self._done[index]
        problem = self._problem(index)
        claimed = {
            thing.id
            for other, things in enumerate(self._done)
            if other != index and self._claims_objects(other, goal)
            for thing in self._kept(self.goals[other], things)
            if not (self._is_narrower(goal.what, self.goals[other].what) and self.may_be_moved_on(thing))
        }
        left, stuck, believed = [], [], []
        for match in self._matches[index]:
            thing = match.thing
            if thing in done or thing.id in claimed:
                continue
            if self._is_guessed(goal, thing):
                believed.append(thing)
            reason = self._failure_reason(goal, thing)
            if reason:
                stuck.append((thing, reason))
            else:
                left.append(match)
        enough = not is_about_all_known(goal) and len(done) >= goal.count
        needs_more = not problem and (goal.count == ALL or len(done) + len(left) < goal.count)
        return Progress(
            goal,
            done,
            tuple(believed),
            () if enough or problem else tuple(left),
            tuple(stuck),
            needs_more,
            problem,
        )

    def _claims_objects(self, other: int, goal: Goal) -> bool:
        """Whether the objects for which goal `other` holds must stay in place and are not available to this goal."""
        claimant = self.goals[other]
        if not (isinstance(claimant, PlaceGoal) and isinstance(goal, PlaceGoal)):
            return False
        if not self.matcher.could_be_one(claimant.what, goal.what) or claimant.is_away or goal.is_away:
            return False
        if claimant.what != goal.what:
            return True
        if claimant.is_mutual or claimant.count == ALL:
            return False  # those two, or all of them, may go to a further place
        return _are_apart(claimant, goal)

    def _is_narrower(self, one: Description, other: Description) -> bool:
        """Whether a description says all that another one does, and more: "the red mug", beside "two mugs"."""
        is_kind = self.view.knowledge.is_kind
        is_wider = is_kind(one.category, other.category) and not is_kind(other.category, one.category)
        return (
            one != other
            and (is_wider or one.category == other.category)
            and {*other.colours} <= {*one.colours}
            and other.size in ("", one.size)
            and other.id in ("", one.id)
            and (other.place is None or (other.relation, other.place) == (one.relation, one.place))
        )

    @staticmethod
    def _kept(goal: Goal, things: Sequence[KnownObject]) -> Sequence[KnownObject]:
        """Returns those of the objects for which a goal holds that it needs: always the same ones of too many."""
        return sorted(things, key=lambda thing: thing.id)[: None if goal.count == ALL else goal.count]

    def _failure_reason(self, goal: Goal, thing: KnownObject) -> str:
        """Returns why attempts show that a goal cannot be reached for an object; empty = it can."""
        carried = isinstance(goal, PlaceGoal) or (isinstance(goal, StateGoal) and goal.state in TAP_STATES)
        if carried and not thing.held:
            reason = self._last_failure(action(words.SKILL_PICK, thing.id))
            if reason:
                return f"{thing.id} could not be picked up ({reason})"
        if isinstance(goal, StateGoal):
            if self._is_contested(goal, thing):
                return f"{thing.id} was found {goal.state} again and again, and does not look so"
            if goal.state not in TAP_STATES:
                reason = self._last_failure(action(SKILL_FOR[goal.state], thing.id))
                return f"{thing.id} could not be brought to be {goal.state} ({reason})" if reason else ""
            if any(
                h.held == thing.id and h.outcome.error.code == ErrorCode.NOT_A_VESSEL
                for h in self._tap_outcomes()
            ):
                return f"{thing.id} holds no liquid"
        return ""

    def _tap_outcomes(self) -> Iterator[Handling]:
        skills = (words.SKILL_FILL, words.SKILL_EMPTY)
        return (h for h in self.history.handlings if h.outcome.action.skill in skills)

    def _last_failure(self, item: Action) -> str:
        """Returns why an action is not repeated; empty = it may be repeated."""
        if self.access.feasibility_of(item) > Feasibility.IMPOSSIBLE:
            return ""
        last = self.history.failures_in_a_row(item)[-1].error
        return (last.text or last.code.name.lower().replace("_", " ")).rstrip(".")

    def _problem(self, index: int) -> str:
        """Returns why a goal is impossible for all objects; empty = it is possible."""
        goal = self.goals[index]
        category = goal.what.category
        match goal:
            case PlaceGoal():
                reason = _not_carried(category, self.view.knowledge)
                if reason:
                    return reason
                first = next(
                    (g for g in self.goals if isinstance(g, PlaceGoal) and g.relation == words.HELD_BY), goal
                )
                if goal.relation == words.HELD_BY and (first is not goal or goal.count not in (1, ALL)):
                    return "the robot has one hand"
                if not self._has_possible_destination(goal):
                    return f"nothing can be put in or on {with_article(goal.destination.category)}"  # type: ignore[union-attr]
            case StateGoal() if self.view.knowledge.knows(category) and not self.view.knowledge.can_be(
                category, goal.state
            ):
                return f"{with_article(category)} cannot be {goal.state}"
        return ""

    def _has_possible_destination(self, goal: PlaceGoal) -> bool:
        place = goal.destination
        if place is None or self.places.accepts_room(goal) or goal.is_on_floor:
            return True
        if goal.relation in (words.NEAR, words.AWAY_FROM):
            return True
        knowledge = self.view.knowledge
        if knowledge.is_living(place.category):
            return False
        return not knowledge.knows(place.category) or self.places.can_hold_objects(place.category)

    def _fills(self, goal: PlaceGoal, box: Description) -> bool:
        """Whether a goal wants something in what may be a box of this description."""
        place = goal.destination
        if place is None or goal.relation != words.IN:
            return False
        is_of_kind = self.view.knowledge.are_related(box.category, place.category)
        return is_of_kind and self.matcher.could_be_one(box, place)

    def _waits_for(self, index: int, other: int) -> bool:
        """Whether a goal has to wait for another one, by how things are now."""
        if self._needs_open(other, index):
            return True
        if self._needs_open(index, other):
            return False
        return self._must_wait(self.goals[index], self.goals[other], other < index)

    def _needs_open(self, index: int, closing: int) -> bool:
        """Whether what one goal needs is, or may be, in or behind what another one wants closed.

        If that were closed first, it would have to be opened again. Goals about what the robot shall hold in the end
        wait for all others, and so do answers: these two would take turns with the closing for ever.
        """
        if self.closes_doors(closing):
            return not self._is_about_doors(index)
        goal = self.goals[index]
        is_fetched = isinstance(goal, PlaceGoal) and goal.relation == words.HELD_BY
        if not (is_fetched and _closes(self.goals[closing])):
            return False
        containers = {match.thing.id for match in self._matches[closing]}
        return any(match.thing.inside in containers for match in self.progress[index].left)

    def _must_wait(self, goal: Goal, other: Goal, is_earlier: bool) -> bool:
        """Whether a goal has to wait for another one. `is_earlier`: the other one comes first in the text."""
        if isinstance(goal, FindGoal) or isinstance(other, FindGoal):
            return False  # answers are given at the end
        if is_earlier and _undoes(goal, other):
            return True
        match goal, other:
            case PlaceGoal(relation=words.HELD_BY), _:
                return not (isinstance(other, PlaceGoal) and other.relation == words.HELD_BY)
            case PlaceGoal(), PlaceGoal() if goal.is_away or other.is_away:
                return not other.is_away and self.matcher.could_be_one(goal.what, other.what)
            case PlaceGoal(), StateGoal():
                return other.state in TAP_STATES and self.matcher.could_be_one(goal.what, other.what)
            case PlaceGoal(is_mutual=True), PlaceGoal(is_mutual=False) if goal.what == other.what:
                return is_earlier
            case PlaceGoal(relation=words.IN), PlaceGoal() if self._fills(other, goal.what):
                return True  # afterwards it is hard to reach, and to tell from others there
            case PlaceGoal(), PlaceGoal():
                apart = goal.what != other.what and other.relation != words.HELD_BY
                return is_earlier and apart and self.matcher.could_be_one(goal.what, other.what)
            case StateGoal(), PlaceGoal() if goal.state not in TAP_STATES:
                ends = (other.what.place, other.destination, other.what)
                involved = any(end is not None and self.matcher.could_be_one(end, goal.what) for end in ends)
                # A container or door that is closed first would have to be opened again for objects in or behind it.
                closes = goal.state == words.STATE_CLOSED and other.relation != words.HELD_BY
                return closes or (involved and is_earlier)
            case StateGoal(), StateGoal():
                return is_earlier and goal.what == other.what and goal.state not in TAP_STATES
        return False


def _closes(goal: Goal) -> bool:
    return isinstance(goal, StateGoal) and goal.state == words.STATE_CLOSED


def _not_carried(category: str, knowledge: CategoryKnowledge) -> str:
    """Returns why things of a category are not carried; empty = they are."""
    if knowledge.is_portable(category):
        return ""
    if knowledge.is_furniture(category):
        return f"{with_article(category)} cannot be carried"
    if knowledge.is_living(category):
        return f"{with_article(category)} is a living being, and none is ever carried"
    return (
        f"it is not known whether {with_article(category)} can be carried; a file of category knowledge "
        f"(planner.knowledge) with things: [{category}] says so"
    )


def _is_manipulation(item: Action) -> bool:
    return item.skill in words.MANIPULATIONS


def _undoes(later: Goal, goal: Goal) -> bool:
    """Whether reaching the later goal undoes the earlier one."""
    if later.what != goal.what or _are_apart(later, goal):
        return False
    if isinstance(later, StateGoal) and isinstance(goal, StateGoal):
        return (
            words.STATE_DIMENSION[later.state] == words.STATE_DIMENSION[goal.state]
            and later.state != goal.state
        )
    if not (isinstance(later, PlaceGoal) and isinstance(goal, PlaceGoal)) or later.is_away or goal.is_away:
        return False
    return (later.relation, later.destination) != (goal.relation, goal.destination)


def _are_apart(one: Goal, other: Goal) -> bool:
    """Whether two goals of the same description are about different objects, or keep what the other one has reached:
    "one mug next to the other mug", "one mug on the table and another in the sink", or two of them there."""
    if not (isinstance(one, PlaceGoal) and isinstance(other, PlaceGoal)) or one == other:
        return False
    are_counted = one.count != other.count and ALL not in (one.count, other.count)
    return one.is_mutual or other.is_mutual or one.another or other.another or are_counted
