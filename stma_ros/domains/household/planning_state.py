"""The state of a task at one step, with the options to proceed, best first. Planner and critic share it."""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import TypeAlias

from stma_ros.domains.eqa.question import TypedQuestion
from stma_ros.domains.household.belief_index import BeliefIndex, id_order
from stma_ros.domains.household.each_place import spread
from stma_ros.domains.household.feasibility import Access, Feasibility
from stma_ros.domains.household.goal_tracker import GoalTracker
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, may_be_more, named_kinds, needs_hand
from stma_ros.domains.household.inquiry import Inquiry
from stma_ros.domains.household.matching import Evidence, Matcher
from stma_ros.domains.household.missing_targets import missing_targets
from stma_ros.domains.household.obstacles import is_obstacle
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.domains.household.places import Places
from stma_ros.domains.household.recall import Recall
from stma_ros.domains.household.room_references import RoomReferences
from stma_ros.domains.household.search import LOOK_AROUND, Candidate, Search
from stma_ros.domains.household.subplans import PICK_ONLY, Subplan, SubplanGenerator
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import QuestionConfig
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action


@dataclass(frozen=True)
class LookAround:
    """A look around.

    Attributes:
        reason: for people.
        actions: the look around.
    """

    reason: str
    actions: tuple[Action, ...] = (LOOK_AROUND,)


@dataclass(frozen=True)
class LookAgain:
    """A look at something that the answer to a question rests on."""

    target: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class StepAside:
    """A move to another place, from which a failed action can be repeated or more can be observed."""

    target: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class CloseObstacle:
    """Closes an open object that may block the route."""

    target: str
    actions: tuple[Action, ...]


@dataclass(frozen=True)
class CarryAway:
    """Takes a thing off the floor that may bar the route, or keep the robot from a front."""

    target: str
    actions: tuple[Action, ...]


Option: TypeAlias = LookAround | LookAgain | Subplan | Candidate | StepAside | CloseObstacle | CarryAway


@dataclass(frozen=True)
class _Assessment:
    """The goals, assessed at one level of evidence.

    Attributes:
        tracker: of the goals.
        subplans: generator of the subplans.
        search: for the missing targets.
        active: indices of the goals that wait for no other goal.
        ready: subplans of these goals.
    """

    tracker: GoalTracker
    subplans: SubplanGenerator
    search: Search
    active: frozenset[int]
    ready: tuple[Subplan, ...]


class GoalOrder(enum.Enum):
    """The condition under which a goal waits for its prerequisites."""

    STRICT = "until they are reached"
    WHILE_FEASIBLE = "while they are feasible"
    NONE = "never"


class PlanningState:
    """The state of a task by the beliefs and the allowed actions of one step.

    Attributes:
        goals: of the task, with one for each known place where one is wanted at each.
        history: index of the temporal belief.
        view: index of the spatial belief.
        allowed: keys of the allowed actions, without those that lack a target.
        access: reachability and feasibility.
        tracker: of the goals.
        search: for the missing targets.
        matcher: of descriptions.
        recall: how old what is remembered may be.
        inquiry: the question that is asked; None = the task asks for something else. The goals are then to find what
            the answer needs.
    """

    def __init__(
        self,
        goals: Sequence[Goal],
        temporal: TemporalBelief,
        spatial: SpatialBelief,
        allowed: Sequence[Action],
        knowledge: CategoryKnowledge,
        *,
        question: TypedQuestion | None = None,
        questions: QuestionConfig = QuestionConfig(),
    ) -> None:
        """Assesses the goals of a task.

        Args:
            goals: of the task; with a question, what has to be found for it.
            temporal: belief of the step.
            spatial: belief of the step.
            allowed: all actions that are possible now.
            knowledge: of categories.
            question: that is asked; None = none is.
            questions: settings of tasks that ask a question.
        """
        self.history = OutcomeIndex(temporal.completed)
        self.view = BeliefIndex(spatial.facts, spatial.routes, knowledge)
        # A targeted skill without a target cannot be used.
        self.allowed: frozenset[Key] = frozenset(
            key(item) for item in allowed if item.arguments or item.skill not in words.TARGETED
        )
        self.access = Access(self.view, self.history, self.allowed)
        self.recall = Recall.at(temporal, spatial, questions.recheck_after)
        self.inquiry: Inquiry | None = None
        self._has_time = question is None or temporal.step < questions.steps
        if question is not None:
            self.inquiry = Inquiry(question, self.view, self.history, self.access, self.recall)
        self._rooms = RoomReferences(self.view, filter(knowledge.is_room, named_kinds(goals)))
        self.goals = spread(goals, Matcher(self.view, self.history, self.allowed, rooms=self._rooms))
        self._assessment = self._choose_assessment()
        self.tracker = self._assessment.tracker
        self.search = self._assessment.search
        self.matcher = self._assessment.tracker.matcher

    @cached_property
    def final_matcher(self) -> Matcher:
        """Matches for the report at the end: by then, a room that the task names is one of those that were found,
        unless some could not be reached; and the only thing of its kind that was found is the one, unless containers
        could not be opened."""
        left = {*self.search.unsearched(), *(candidate.target for candidate in self.search.candidates)}
        knows_all_rooms = not any(map(self._may_hide_a_room, left))
        return Matcher(
            self.view,
            self.history,
            self.allowed,
            rooms=self._rooms,
            knows_all_rooms=knows_all_rooms,
            knows_all_things=knows_all_rooms and not self.search.unopened_containers(),
        )

    # -- options

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options to proceed, best first; empty at the end of the task."""
        return tuple(option for option in self._options() if self.access.is_feasible(option.actions))

    @cached_property
    def useful_actions(self) -> frozenset[Key]:
        """The keys of all actions that are part of an option."""
        return frozenset(key(item) for option in self.options for item in option.actions)

    @property
    def is_met(self) -> bool:
        """Whether every goal is reached and no search can find more objects for it."""
        return self._all_met(self._assessment)

    @property
    def is_believed(self) -> bool:
        """Whether every goal is reached if the guesses are right, and no search can find more objects for it."""
        progress = self.tracker.progress
        return all(
            self.is_reached(index)
            or (each.is_believed and not (may_be_more(each.goal) and self.search.candidates))
            for index, each in enumerate(progress)
        )

    def is_reached(self, index: int) -> bool:
        """Whether one goal is reached."""
        return self._is_reached(self.tracker, self.search, index)

    def report_candidates(self) -> tuple[str, ...]:
        """Returns the ids of the objects that a report may name, those of the last find goal, best first."""
        for index in reversed(range(len(self.goals))):
            if isinstance(self.goals[index], FindGoal):
                return tuple(thing.id for thing in self.tracker.progress[index].done)
        return ()

    def _options(self) -> Iterator[Option]:
        history, assessment = self.history, self._assessment
        if self.inquiry is not None:
            if self.inquiry.is_settled or not self._has_time:
                return
            yield from (LookAgain(name, actions) for name, actions in self.inquiry.looks)
        if history.is_boxed_in:
            yield LookAround("The way was blocked twice; a look around shows where there is room.")
        if history.has_just_lost_object:
            yield LookAround("Something slipped out of the hand; a look around shows where it fell.")
        if history.holds_unknown_object and not self.view.held:
            yield from assessment.subplans.put_down()  # so that the object can be observed and the hand is free
        yield from assessment.ready
        yield from self._close_obstacles()
        yield from self._clear_fronts()
        yield from self._put_down()
        if not self.is_met and self._knows_one_view_only() and not assessment.search.candidates:
            yield LookAround("Next to nothing is known yet; a look around shows where to begin.")
        yield from assessment.search.candidates
        if not assessment.ready and not assessment.search.candidates:
            yield from self._step_aside()
            yield from self._clear_routes()
            yield from self._search_routes()

    def _close_obstacles(self) -> Iterator[CloseObstacle]:
        """Yields the open objects near a robot that is shut in, each of which may block the route."""
        assessment = self._assessment
        if assessment.ready or assessment.search.candidates or self.is_met or not self._is_shut_in:
            return
        for thing in sorted(self.view.objects.values(), key=lambda thing: id_order(thing.id)):
            if self.access.is_near(thing.id) and self.access.is_open(thing.id):
                yield CloseObstacle(thing.id, (action(words.SKILL_CLOSE, thing.id),))

    @property
    def _is_shut_in(self) -> bool:
        """Whether no route is known to a remaining target and to most objects that are not near."""
        elsewhere = [thing.id for thing in self.view.objects.values() if not self.access.is_near(thing.id)]
        unreachable = sum(not self.view.reachable(name) for name in elsewhere)
        return self._has_unreachable_target and 2 * unreachable > len(elsewhere)

    @property
    def _has_unreachable_target(self) -> bool:
        """Whether a target without a known route remains."""
        return bool(self.search.unreachable or self.search.out_of_reach)

    def _may_hide_a_room(self, target: str) -> bool:
        """Whether there may be a room behind a frontier or a door."""
        frontier = self.view.frontiers.get(target)
        if frontier is not None:
            return not frontier.is_nook
        thing = self.view.objects.get(target)
        return thing is None or not self.view.knowledge.is_container(thing.category)

    def _put_down(self) -> Iterator[Subplan]:
        """Yields the subplans that free the hand of an object that no goal needs or can still use."""
        held = self.view.objects.get(self.view.held)
        if held is None or any(subplan.thing == held.id for subplan in self._assessment.ready):
            return
        carried = [
            i
            for i in self.tracker.goals_needing(held)
            if not self.tracker.progress[i].problem and needs_hand(self.goals[i])
        ]
        if carried and self.search.candidates:
            return  # the search may find a place for it
        held_goals = {
            i
            for i, goal in enumerate(self.goals)
            if isinstance(goal, PlaceGoal)
            and goal.relation == words.HELD_BY
            and self.tracker.holds_for(i, held)
        }
        # What was put down again and again is so only if the hand is needed: else it is picked up once more, for ever.
        is_kept = bool(held_goals) or not self.tracker.may_be_moved_on(held)
        if is_kept and not self._needs_the_hand(frozenset(range(len(self.goals))) - held_goals):
            return
        yield from self._assessment.subplans.put_down()

    def _needs_the_hand(self, goals: frozenset[int]) -> bool:
        """Whether one of the goals could proceed with an empty hand, and cannot with a full one."""
        served = frozenset(index for index in goals if needs_hand(self.goals[index]))
        subplans = SubplanGenerator(self.tracker, empty_handed=True).of_goals(served)
        return any(
            subplan.rank < PICK_ONLY and subplan.thing != self.view.held and self._can_begin(subplan)
            for subplan in subplans
        )

    def _step_aside(self) -> Iterator[StepAside]:
        go = words.SKILL_NAVIGATE
        retried = {
            name
            for name in self._remaining_targets()
            if self.access.feasibility_of(action(go, name)) is Feasibility.LATER
        }
        retried |= self.search.retry_later
        if not retried or self.is_met:
            return
        others = [
            thing.id
            for thing in self.view.objects.values()
            if self.view.knowledge.is_furniture(thing.category)
            and thing.id not in retried
            and not thing.is_missing
        ]
        for target in sorted(others, key=lambda name: (self.access.length(name), id_order(name))):
            if self.access.approach(target):
                yield StepAside(target, (action(go, target),))

    def _clear_fronts(self) -> Iterator[CarryAway | Subplan]:
        """Yields what stands on the floor in a room where the robot got nowhere to open something from that goals need.
        What is in the hand has to be put down first."""
        barred = set(filter(self.access.is_barred, self._holders_left()))
        if not barred:
            return
        rooms = {self.view.room_of(self.view.objects[name]) for name in barred} - {""}
        obstacles = [
            each
            for each in self._obstacles(barred)
            if self.view.room_of(self.view.objects[each.target]) in rooms
        ]
        if obstacles and self.view.held:
            yield from self._assessment.subplans.put_down()
        yield from obstacles

    def _clear_routes(self) -> Iterator[CarryAway]:
        """Yields what stands on the floor and may bar the routes to what is left."""
        if not self.is_met and not self.view.held and self._has_unreachable_target:
            yield from self._obstacles(self.search.unreachable | {*self.search.out_of_reach})

    def _obstacles(self, targets: Collection[str]) -> Iterator[CarryAway]:
        """Yields the things on the floor that no goal is about, each once; what is near targets comes first."""
        close = {name for target in targets for name in self.view.near(target)}
        wanted = {match.thing.id for progress in self.tracker.progress for match in progress.left}
        wanted |= {thing.id for progress in self.tracker.progress for thing in progress.done}
        found = [
            thing.id
            for thing in self.view.objects.values()
            if is_obstacle(thing, self.view.knowledge)
            and thing.id not in wanted
            and not self.history.was_picked(thing.id)
        ]
        for name in sorted(
            found, key=lambda name: (name not in close, self.access.length(name), id_order(name))
        ):
            way = self.access.approach_object(name)
            if way is not None:
                yield CarryAway(name, (*way, action(words.SKILL_PICK, name)))

    def _holders_left(self) -> Iterator[str]:
        """Yields the ids of what holds the objects that active goals still need, and of the places where they want
        them, whether or not those can be used."""
        for index in sorted(self._assessment.active):
            progress = self.tracker.progress[index]
            yield from (match.thing.holder for match in progress.left if match.thing.holder)
            if isinstance(progress.goal, PlaceGoal) and progress.left:
                yield from (place.id for place in self.tracker.places.destinations(progress.goal))

    def _search_routes(self) -> Iterator[LookAround | StepAside]:
        """Yields places to look around if only targets without a known route remain.

        The map may be wrong, most likely near these targets or at a door.
        """
        if self.is_met or not self._has_unreachable_target:
            return
        reason = "No way is known to what is left; a look around may show one."
        if not self.history.looked_around_here:
            yield LookAround(reason)
        doors = [t.id for t in self.view.objects.values() if self.view.knowledge.is_openable(t.category)]
        doors = [
            name for name in doors if not self.view.knowledge.is_container(self.view.objects[name].category)
        ]
        unreachable = self.search.unreachable | {
            name for name in self._remaining_targets() if not self.view.reachable(name)
        }
        neighbours = {name for target in sorted(unreachable) for name in self.view.near(target)}
        for group in (neighbours, doors):
            for target in sorted(group, key=lambda name: (self.access.length(name), id_order(name))):
                way = self.access.approach(target) if target in self.view.objects else None
                if way and target not in self.history.looked_around_from:
                    yield StepAside(target, (*way, LOOK_AROUND))

    def _remaining_targets(self) -> Iterator[str]:
        """Yields the ids of the objects and places that active goals still need."""
        for index in sorted(self._assessment.active):
            progress = self.tracker.progress[index]
            for match in progress.left:
                yield from (name for name in (match.thing.id, match.thing.holder) if name)
                if isinstance(progress.goal, PlaceGoal):
                    yield from (
                        spot.place.id for spot in self.tracker.places.spots(progress.goal, match.thing)
                    )

    def _knows_one_view_only(self) -> bool:
        """Whether the task has just begun and all known objects come from at most one observation."""
        observations = {thing.first_seen for thing in self.view.objects.values()}
        return not self.history.outcomes and len(observations) <= 1

    # -- assessment

    def _choose_assessment(self) -> _Assessment:
        """Returns the first assessment with a subplan or candidate to proceed, or with all goals met.

        Assessments with doubtful objects come before those that search observed places again. The order of the goals is
        relaxed last: otherwise two assessments could alternate and undo each other's work.
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
        return self.access.is_feasible(subplan.actions)

    def _assess(self, floor: Evidence, thorough: bool) -> _Assessment:
        # What is only to be found may have been moved since it was seen; all else is handled, which shows it.
        only_finds = all(isinstance(goal, FindGoal) for goal in self.goals)
        recall = self.recall if only_finds and self.inquiry is None else None
        matcher = Matcher(self.view, self.history, self.allowed, rooms=self._rooms, recall=recall)
        places = Places(self.view, self.history, matcher, self.access, self.allowed, floor, self.goals)
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
            out_of_reach=(
                *_out_of_reach(tracker, everything),
                *(self.inquiry.out_of_reach if self.inquiry is not None else ()),
            ),
            thorough=thorough,
        )
        if not search.candidates:  # without a search, no place for a picked object can be found
            everything = tuple(subplan for subplan in everything if subplan.rank != PICK_ONLY)
        return _Assessment(tracker, subplans, search, frozenset(range(len(self.goals))), everything)

    def _in_order(self, assessment: _Assessment, order: GoalOrder) -> _Assessment:
        if order is GoalOrder.NONE:
            return assessment
        active = frozenset(i for i in assessment.active if not self._is_blocked(assessment, i, order))
        return replace(
            assessment, active=active, ready=tuple(e for e in assessment.ready if e.goal in active)
        )

    def _is_blocked(self, assessment: _Assessment, index: int, order: GoalOrder) -> bool:
        """Whether a goal has to wait for another one or, to close all doors, for the search behind them."""
        is_of_doors = assessment.tracker.closes_doors(index) and may_be_more(self.goals[index])
        if is_of_doors and assessment.search.candidates:
            return True
        for other in assessment.tracker.prerequisites(index):
            progress = assessment.tracker.progress[other]
            is_feasible = bool(progress.left) or (progress.needs_more and bool(assessment.search.candidates))
            if (order is GoalOrder.STRICT or is_feasible) and not self._is_reached(
                assessment.tracker, assessment.search, other
            ):
                return True
        return False

    def _is_reached(self, tracker: GoalTracker, search: Search, index: int) -> bool:
        progress = tracker.progress[index]
        return progress.is_met and not (may_be_more(progress.goal) and search.candidates)

    def _all_met(self, assessment: _Assessment) -> bool:
        return all(self._is_reached(assessment.tracker, assessment.search, i) for i in range(len(self.goals)))


def _out_of_reach(tracker: GoalTracker, subplans: Sequence[Subplan]) -> tuple[str, ...]:
    """Returns the ids of the objects and places that a goal needs and that have no known route."""
    # To take a thing along serves only a search.
    served = {subplan.thing for subplan in subplans if subplan.rank != PICK_ONLY}
    found: dict[str, None] = {}
    for progress in tracker.progress:
        for match in progress.left:
            thing = match.thing
            if thing.id in served:
                continue
            if not thing.held and tracker.access.approach_object(thing.id) is None:
                found[thing.id] = None
            goal = progress.goal
            spots = tracker.places.spots(goal, thing) if isinstance(goal, PlaceGoal) else ()
            if all(tracker.access.approach(spot.place.id) is None for spot in spots):
                found.update(dict.fromkeys(spot.place.id for spot in spots))
    return tuple(found)
