"""The state of a task at one step, and the options to proceed, best first. Planner and critic both use it."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TypeAlias

from stma_ros.domains.household.belief_index import BeliefIndex, id_order
from stma_ros.domains.household.feasibility import Access, Feasibility
from stma_ros.domains.household.goal_tracker import GoalTracker
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal
from stma_ros.domains.household.matching import Evidence, Matcher
from stma_ros.domains.household.missing_targets import missing_targets
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.domains.household.places import Places
from stma_ros.domains.household.search import LOOK_AROUND, Candidate, Search
from stma_ros.domains.household.subplans import TAKE_ALONG, Subplan, SubplanGenerator
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.goals import ALL
from stma_ros.types.planning import Action


@dataclass(frozen=True)
class LookAround:
    """A look around, with its reason."""

    reason: str
    actions: tuple[Action, ...] = (LOOK_AROUND,)


@dataclass(frozen=True)
class StepAside:
    """A move to another place, from which a failed action can be repeated, or more can be seen."""

    target: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class CloseObstacle:
    """Closes something open that may block the way."""

    target: str
    actions: tuple[Action, ...]


Option: TypeAlias = LookAround | Subplan | Candidate | StepAside | CloseObstacle


@dataclass(frozen=True)
class _Assessment:
    """The goals judged at one level of evidence."""

    tracker: GoalTracker
    subplans: SubplanGenerator
    search: Search
    active: frozenset[int]  # the goals that wait for no other one
    ready: tuple[Subplan, ...]  # their errands


class GoalOrder(enum.Enum):
    """How strictly a goal waits for the goals that it should come after."""

    STRICT = "until the other one is reached"
    WHILE_FEASIBLE = "as long as there is hope for the other one"
    NONE = "not at all"


class PlanningState:
    """The goals of a task, judged by two beliefs and the allowed actions of one step."""

    def __init__(
        self,
        goals: Sequence[Goal],
        temporal: TemporalBelief,
        spatial: SpatialBelief,
        allowed: Sequence[Action],
        knowledge: CategoryKnowledge,
    ) -> None:
        self.goals = tuple(goals)
        self.history = OutcomeIndex(temporal.completed)
        self.view = BeliefIndex(spatial.facts, spatial.routes, knowledge)
        # A skill that does not say what it is done to is of no use to anyone.
        self.allowed: frozenset[Key] = frozenset(
            key(item) for item in allowed if item.arguments or item.skill not in words.TARGETED
        )
        self.access = Access(self.view, self.history, self.allowed)
        self._now = self._choose_assessment()
        self.tracker = self._now.tracker
        self.search = self._now.search
        self.matcher = self._now.tracker.matcher

    # -- what could be done

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """What could be done now, best first; empty at the end of the task."""
        return tuple(option for option in self._options() if self.access.may_do(option.actions))

    @cached_property
    def useful_actions(self) -> frozenset[Key]:
        """Every action that is part of an option."""
        return frozenset(key(item) for option in self.options for item in option.actions)

    @property
    def is_met(self) -> bool:
        """Whether every goal is reached, as far as is known and can be found out."""
        return self._all_met(self._now)

    def is_reached(self, index: int) -> bool:
        """Whether one goal is reached."""
        return self._is_reached(self.tracker, self.search, index)

    def answers(self) -> tuple[str, ...]:
        """Returns ids of the objects that a report may name, best first: those of the last find goal."""
        for index in reversed(range(len(self.goals))):
            if isinstance(self.goals[index], FindGoal):
                return tuple(thing.id for thing in self.tracker.progress[index].done)
        return ()

    def _options(self) -> Iterator[Option]:
        history, now = self.history, self._now
        if history.is_boxed_in:
            yield LookAround("The way was blocked twice; a look around shows where there is room.")
        if history.has_just_lost_something:
            yield LookAround("Something slipped out of the hand; a look around shows where it fell.")
        if history.holds_something_unknown and not self.view.held:
            yield from now.subplans.put_down()  # to see what it is, and to have the hand free
        yield from now.ready
        yield from self._making_way()
        yield from self._putting_down()
        if not self.is_met and self._nothing_known() and not now.search.candidates:
            yield LookAround("Next to nothing is known yet; a look around shows where to begin.")
        yield from now.search.candidates
        if not now.ready and not now.search.candidates:
            yield from self._stepping_aside()
            yield from self._looking_for_ways()

    def _making_way(self) -> Iterator[CloseObstacle]:
        """Yields obstacles to close if the robot is shut in: an open door beside it may block the way."""
        now = self._now
        if now.ready or now.search.candidates or self.is_met or not self._is_shut_in:
            return
        for thing in sorted(self.view.things.values(), key=lambda thing: id_order(thing.id)):
            if self.access.is_near(thing.id) and self.access.is_open(thing.id):
                yield CloseObstacle(thing.id, (action(words.SKILL_CLOSE, thing.id),))

    @property
    def _is_shut_in(self) -> bool:
        """Whether no way is known to the remaining targets, nor to most objects that are not near."""
        elsewhere = [thing.id for thing in self.view.things.values() if not self.access.is_near(thing.id)]
        lost = sum(not self.view.reachable(name) for name in elsewhere)
        return self._is_cut_off and 2 * lost > len(elsewhere)

    @property
    def _is_cut_off(self) -> bool:
        """Whether a target remains to which no way is known."""
        return bool(self.search.cut_off or self.search.out_of_reach)

    def _putting_down(self) -> Iterator[Subplan]:
        """Yields subplans that free the hand of an object that no goal needs, or can still use."""
        held = self.view.things.get(self.view.held)
        if held is None or any(subplan.thing == held.id for subplan in self._now.ready):
            return
        carried = [i for i in self.tracker.wanting(held) if not self.tracker.progress[i].problem]
        if carried and self.search.candidates:
            return  # a place for it may be found yet
        held_goals = {
            i
            for i, goal in enumerate(self.goals)
            if isinstance(goal, PlaceGoal)
            and goal.relation == words.HELD_BY
            and self.tracker.holds_for(i, held)
        }
        if held_goals and not self._needs_the_hand(frozenset(range(len(self.goals))) - held_goals):
            return
        yield from self._now.subplans.put_down()

    def _needs_the_hand(self, goals: frozenset[int]) -> bool:
        """Whether one of the goals could proceed if the hand was empty."""
        subplans = SubplanGenerator(self.tracker, empty_handed=True).of_goals(goals)
        return any(
            subplan.rank < TAKE_ALONG and subplan.thing != self.view.held and self._can_begin(subplan)
            for subplan in subplans
        )

    def _stepping_aside(self) -> Iterator[StepAside]:
        go = words.SKILL_NAVIGATE
        waiting = {
            name
            for name in self._untried()
            if self.access.feasibility_of(action(go, name)) is Feasibility.LATER
        }
        waiting |= self.search.waiting
        if not waiting or self.is_met:
            return
        others = [
            thing.id
            for thing in self.view.things.values()
            if self.view.knowledge.is_furniture(thing.category)
            and thing.id not in waiting
            and not thing.is_missing
        ]
        for target in sorted(others, key=lambda name: (self.access.length(name), id_order(name))):
            if self.access.way_to(target):
                yield StepAside(target, (action(go, target),))

    def _looking_for_ways(self) -> Iterator[LookAround | StepAside]:
        """Yields places to look around if only targets without a known way remain: the map may be wrong, most likely
        nearby or at a door."""
        if self.is_met or not self._is_cut_off:
            return
        reason = "No way is known to what is left; a look around may show one."
        if not self.history.looked_around_here:
            yield LookAround(reason)
        doors = [t.id for t in self.view.things.values() if self.view.knowledge.is_openable(t.category)]
        doors = [
            name for name in doors if not self.view.knowledge.is_container(self.view.things[name].category)
        ]
        cut_off = self.search.cut_off | {name for name in self._untried() if not self.view.reachable(name)}
        neighbours = {name for target in sorted(cut_off) for name in self.view.near(target)}
        for group in (neighbours, doors):
            for target in sorted(group, key=lambda name: (self.access.length(name), id_order(name))):
                way = self.access.way_to(target) if target in self.view.things else None
                if way and target not in self.history.looked_around_from:
                    yield StepAside(target, (*way, LOOK_AROUND))

    def _untried(self) -> Iterator[str]:
        """Yields ids of the objects and places that goals still have to reach."""
        for index in sorted(self._now.active):
            progress = self.tracker.progress[index]
            for match in progress.left:
                yield from (name for name in (match.thing.id, match.thing.holder) if name)
                if isinstance(progress.goal, PlaceGoal):
                    yield from (
                        spot.place.id for spot in self.tracker.places.spots(progress.goal, match.thing)
                    )

    def _nothing_known(self) -> bool:
        """Whether, at the start of a task, everything known comes from at most one view."""
        glances = {thing.first_seen for thing in self.view.things.values()}
        return not self.history.outcomes and len(glances) <= 1

    # -- the account

    def _choose_assessment(self) -> _Assessment:
        """Returns the first assessment by which something can be done, or nothing has to be.

        Doubtful objects are preferred to a second look at places that were seen, and to no object; a goal is preferred
        to its order among goals only if nothing else can be done. In the other order two assessments could alternate
        and undo each other's work.
        """
        assessments: dict[tuple[bool, Evidence], _Assessment] = {}
        for order, thorough, floor in product(
            GoalOrder, (False, True), (Evidence.WEAK, Evidence.DOUBTFUL, Evidence.UNLIKELY)
        ):
            if (thorough, floor) not in assessments:
                assessments[thorough, floor] = self._assess(floor, thorough)
            assessment = self._in_order(assessments[thorough, floor], order)
            if (
                assessment.search.candidates
                or self._all_met(assessment)
                or any(map(self._can_begin, assessment.ready))
            ):
                return assessment
        return assessment

    def _can_begin(self, subplan: Subplan) -> bool:
        return self.access.may_do(subplan.actions)

    def _assess(self, floor: Evidence, thorough: bool) -> _Assessment:
        matcher = Matcher(self.view, self.history, self.allowed)
        places = Places(self.view, self.history, matcher, self.access, self.allowed, floor)
        tracker = GoalTracker(self.goals, self.view, self.history, matcher, self.access, places, floor)
        subplans = SubplanGenerator(tracker)
        everything = subplans.of_goals(frozenset(range(len(self.goals))))
        search = Search(
            missing_targets(tracker),
            self.view,
            self.history,
            matcher,
            self.access,
            self.allowed,
            out_of_reach=_out_of_reach(tracker, everything),
            thorough=thorough,
        )
        if not search.candidates:  # there is no way to take a thing along on
            everything = tuple(subplan for subplan in everything if subplan.rank != TAKE_ALONG)
        return _Assessment(tracker, subplans, search, frozenset(range(len(self.goals))), everything)

    def _in_order(self, assessment: _Assessment, order: GoalOrder) -> _Assessment:
        if order is GoalOrder.NONE:
            return assessment
        active = frozenset(i for i in assessment.active if not self._is_blocked(assessment, i, order))
        return replace(
            assessment, active=active, ready=tuple(e for e in assessment.ready if e.goal in active)
        )

    def _is_blocked(self, assessment: _Assessment, index: int, order: GoalOrder) -> bool:
        """Whether a goal has to wait for another one."""
        for other in assessment.tracker.waits(index):
            progress = assessment.tracker.progress[other]
            may_come = bool(progress.left) or (progress.lacking and bool(assessment.search.candidates))
            if (order is GoalOrder.STRICT or may_come) and not self._is_reached(
                assessment.tracker, assessment.search, other
            ):
                return True
        return False

    def _is_reached(self, tracker: GoalTracker, search: Search, index: int) -> bool:
        progress = tracker.progress[index]
        return progress.is_met and not (progress.goal.count == ALL and search.candidates)

    def _all_met(self, assessment: _Assessment) -> bool:
        return all(self._is_reached(assessment.tracker, assessment.search, i) for i in range(len(self.goals)))


def _out_of_reach(tracker: GoalTracker, subplans: Sequence[Subplan]) -> tuple[str, ...]:
    """Returns ids of the objects and places that a goal needs and that no known way leads to."""
    served = {subplan.thing for subplan in subplans}
    found: dict[str, None] = {}
    for progress in tracker.progress:
        for match in progress.left:
            thing = match.thing
            if thing.id in served:
                continue
            if not thing.held and tracker.access.way_to_thing(thing.id) is None:
                found[thing.id] = None
            goal = progress.goal
            spots = tracker.places.spots(goal, thing) if isinstance(goal, PlaceGoal) else ()
            if all(tracker.access.way_to(spot.place.id) is None for spot in spots):
                found.update(dict.fromkeys(spot.place.id for spot in spots))
    return tuple(found)
