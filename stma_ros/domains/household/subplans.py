"""Generates subplans, each of which fetches and places, switches, opens, closes or fills one object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject, id_order
from stma_ros.domains.household.feasibility import SKILL_FOR, Access
from stma_ros.domains.household.goal_tracker import GoalTracker
from stma_ros.domains.household.goals import TAP_STATES, FindGoal, PlaceGoal, StateGoal
from stma_ros.domains.household.matching import Evidence
from stma_ros.domains.household.obstacles import was_obstacle
from stma_ros.domains.household.outcome_index import OutcomeIndex, action, key
from stma_ros.domains.household.places import Spot
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

COMMAND_COST = 5.0
"""Cost of one command, as a length of route [m]."""

PICK_ONLY = 3
"""Rank of a subplan that only picks an object up, because its place is not known yet."""

_PREPOSITIONS = {
    words.SKILL_PLACE_ON: "onto",
    words.SKILL_PLACE_IN: "into",
    words.SKILL_PLACE_NEXT_TO: "next to",
}


@dataclass(frozen=True)
class Subplan:
    """Actions that advance one goal with one object.

    Attributes:
        goal: index of the goal; -1 = no goal.
        thing: id of the object; empty for an unknown one.
        place: id of its destination; empty = no destination.
        subgoal: for people.
        actions: the actions in order.
        rank: subplans of lower rank come first, regardless of their cost.
        length: length of the route to the first action [m].
        is_farthest_first: whether a longer route comes first, not a shorter one.
    """

    goal: int
    thing: str
    place: str
    subgoal: str
    actions: tuple[Action, ...]
    rank: int
    length: float
    is_farthest_first: bool = False

    @property
    def cost(self) -> float:
        """Length of the route, taken off where the farthest comes first, plus the cost of the commands [m]."""
        length = -self.length if self.is_farthest_first else self.length
        return length + COMMAND_COST * len(self.actions)

    @property
    def order(self) -> tuple[int, float, int, tuple[str, int, str], tuple[str, int, str]]:
        """Sort key: rank, then cost."""
        return self.rank, self.cost, self.goal, id_order(self.thing), id_order(self.place)


class SubplanGenerator:
    """Generates the subplans that can begin now."""

    def __init__(self, tracker: GoalTracker, *, empty_handed: bool = False) -> None:
        """Creates a generator.

        Args:
            tracker: of the goals.
            empty_handed: whether to generate the subplans that could begin with an empty hand.
        """
        self._tracker = tracker
        self._view: BeliefIndex = tracker.view
        self._history: OutcomeIndex = tracker.history
        self._access: Access = tracker.access
        held = self._view.held
        self.held = self._view.objects[held] if held and not empty_handed else None

    def of_goals(self, goals: frozenset[int]) -> tuple[Subplan, ...]:
        """Returns the subplans of these goals for all objects and places, best first."""
        found = (subplan for index in sorted(goals) for subplan in self._of_goal(index))
        feasible = (subplan for subplan in found if self._access.is_feasible(subplan.actions))
        return tuple(sorted(feasible, key=lambda subplan: subplan.order))

    def put_down(self) -> tuple[Subplan, ...]:
        """Returns subplans that free the hand, best first."""
        if self.held is None and not self._history.holds_unknown_object:
            return ()
        thing, name = (self.held.id, self.held.id) if self.held else ("", "what is in the hand")
        spots = self._tracker.places.surfaces(self.held)
        if self.held is not None and was_obstacle(self.held):
            spots += self._tracker.places.floor_elsewhere(self.held)
        found = [
            Subplan(-1, thing, spot.place.id, f"put {name} down", self._deliver(spot), 0, 0.0)
            for spot in spots
            if self._access.approach(spot.place.id) is not None
        ]
        found = [subplan for subplan in found if self._access.is_feasible(subplan.actions)]
        return tuple(
            sorted(
                found,
                key=lambda plan: (len(plan.actions), self._access.length(plan.place), id_order(plan.place)),
            )
        )

    def _of_goal(self, index: int) -> Iterator[Subplan]:
        progress = self._tracker.progress[index]
        goal = progress.goal
        for match in progress.left:
            thing = match.thing
            if isinstance(goal, FindGoal):
                way = self._access.approach_object(thing.id)
                if way:
                    verb = "go to" if goal.beside and match.evidence != Evidence.WEAK else "make sure of"
                    yield self._subplan(index, thing, "", f"{verb} {thing.id}", way, 2)
            elif isinstance(goal, PlaceGoal):
                yield from self._placing(index, goal, thing)
            elif goal.state in TAP_STATES:
                yield from self._filling(index, goal, thing)
            else:
                yield from self._changing(index, goal, thing)

    def _changing(self, index: int, goal: StateGoal, thing: KnownObject) -> Iterator[Subplan]:
        """Yields the change of an object's state, which also makes sure of a state that is only guessed. Without the
        skill for it, a look from nearby may show the state. What is in the hand has to be put down first."""
        if self.held is not None and thing.id == self.held.id:
            return
        change = action(SKILL_FOR[goal.state], thing.id)
        way = self._approach(thing.id)
        if way is None:
            way = self._access.approach_object(thing.id)
        if way is not None:
            name = change.skill.replace("_", " ")
            yield self._subplan(index, thing, "", f"{name} {thing.id}", (*way, change), 1)
        go = action(words.SKILL_NAVIGATE, thing.id)
        if not self._access.is_allowed(change) and not self._history.outcomes_of(go):
            way = self._access.approach_object(thing.id)
            if way:
                yield self._subplan(index, thing, "", f"make sure of {thing.id}", way, 2)

    def _placing(self, index: int, goal: PlaceGoal, thing: KnownObject) -> Iterator[Subplan]:
        fetching = self._fetch(thing)
        if fetching is None:
            return
        if goal.relation == words.HELD_BY:
            yield self._subplan(index, thing, "", f"fetch {thing.id}", fetching, 1)
            return
        rank = 0 if thing.held else 1
        spots = self._tracker.places.spots(goal, thing)
        moves = bool(fetching) and fetching[0].skill == words.SKILL_NAVIGATE
        can_deliver = False
        taken = [spot for spot in spots if self._tracker.places.was_often_taken(spot)]
        on_floor = [spot.place for spot in spots if spot.skill == words.SKILL_PLACE_NEXT_TO]
        is_furniture = any(self._view.knowledge.is_furniture(place.category) for place in on_floor)
        wants_floor = any(place.put_next_to for place in on_floor)
        wants_floor = wants_floor or (is_furniture and self._gets_company(index, thing))
        for spot in spots:
            delivery = self._deliver(spot, from_elsewhere=moves)
            if delivery:
                can_deliver = True
                preposition = _PREPOSITIONS[spot.skill]
                subgoal = f"put {thing.id} {preposition} {spot.place.id}"
                # On the floor where nothing else is near what the thing is to be near, where that is on the floor
                # itself, where the thing gets company, or there is no other room.
                is_floor = spot.skill == words.SKILL_PLACE_NEXT_TO
                is_second = goal.relation == words.NEAR and is_floor != wants_floor and not taken
                is_doubtful = self._tracker.places.tells_of_another_room(goal, spot.place)
                later = spot in taken or is_second or is_doubtful or self._is_elsewhere(spot)
                yield self._subplan(
                    index, thing, spot.place.id, subgoal, (*fetching, *delivery), rank + later
                )
        if can_deliver or not fetching or fetching[0].skill != words.SKILL_PICK:
            return
        if not self._tracker.places.is_put_where_it_may_belong(goal, thing):  # until a better place is known
            yield self._subplan(index, thing, "", f"take {thing.id} along", fetching, PICK_ONLY)

    def _is_elsewhere(self, spot: Spot) -> bool:
        """Whether what a thing is to be near is in or on another place than the spot."""
        neighbour = self._view.objects.get(spot.beside)
        return neighbour is not None and neighbour.holder not in ("", spot.place.id)

    def _gets_company(self, index: int, thing: KnownObject) -> bool:
        """Whether another goal wants something next to an object, which needs room beside it then."""
        neighbours = (
            self._tracker.places.wanted_neighbour(each.goal)
            for other, each in enumerate(self._tracker.progress)
            if other != index and isinstance(each.goal, PlaceGoal)
        )
        matches = (m for what in neighbours if what for m in self._tracker.matcher.matches(what))
        return any(match.thing.id == thing.id for match in matches)

    def _filling(self, index: int, goal: StateGoal, thing: KnownObject) -> Iterator[Subplan]:
        fetching = self._fetch(thing)
        if fetching is None:
            return
        skill = SKILL_FOR[goal.state]
        for tap in self._view.objects.values():
            if not self._view.knowledge.is_tap(tap.category) or tap.is_missing:
                continue
            moves = bool(fetching) and fetching[0].skill == words.SKILL_NAVIGATE
            way = self._approach(tap.id, from_elsewhere=moves)
            if way is not None:
                actions = (*fetching, *way, action(skill, tap.id))
                yield self._subplan(
                    index, thing, tap.id, f"{skill} {thing.id} at {tap.id}", actions, 0 if thing.held else 1
                )

    def _fetch(self, thing: KnownObject) -> tuple[Action, ...] | None:
        """Returns the actions that get an object into the hand; None if the hand is full or no route is known."""
        if thing.held:
            return ()
        if self.held is not None:
            return None
        way = self._access.approach_object(thing.id)
        if way is None:
            return None
        opening = self._access.open_actions(thing.inside) if thing.inside else ()
        if opening:
            way = self._access.clear_obstacle(thing.inside) or way
        return (*way, *opening, action(words.SKILL_PICK, thing.id))

    def _deliver(self, spot: Spot, *, from_elsewhere: bool = False) -> tuple[Action, ...]:
        """Returns the actions that put the held object in its place; empty if no route is known."""
        goes_beside = bool(spot.beside) and (self.held is None or not self._went_with_held(spot.beside))
        target = spot.beside if goes_beside else spot.place.id
        way = self._approach(target, from_elsewhere=from_elsewhere)
        if way is None:
            return ()
        opening = self._access.open_actions(spot.place.id) if spot.skill == words.SKILL_PLACE_IN else ()
        return (*way, *opening, action(spot.skill, spot.place.id))

    def _went_with_held(self, target: str) -> bool:
        """Whether the robot has gone to a target since it took what it holds, which is then put down near it, or from
        before the place itself."""
        for outcome in reversed(self._history.outcomes):
            if outcome.action.skill == words.SKILL_PICK:
                return False
            if key(outcome.action) == (words.SKILL_NAVIGATE, (target,)):
                return True
        return False

    def _approach(self, target: str, *, from_elsewhere: bool = False) -> tuple[Action, ...] | None:
        """Returns the actions that bring the robot near a target and remove an obstacle; None if no route is known.

        Args:
            target: id of the target.
            from_elsewhere: whether earlier actions of the subplan move the robot, so that it has to come back.
        """
        way = self._access.approach(target)
        if way is None:
            return None
        if way == () and from_elsewhere:
            way = (action(words.SKILL_NAVIGATE, target),)
        return self._access.clear_obstacle(target) or way

    def _subplan(
        self, goal: int, thing: KnownObject, place: str, subgoal: str, actions: tuple[Action, ...], rank: int
    ) -> Subplan:
        first = actions[0].arguments[0] if actions and actions[0].arguments else thing.id
        length = self._access.length(first)
        # Of several doors the farthest is closed first: a nearer one would bar the way to it.
        is_farthest_first = self._tracker.closes_doors(goal) and self._tracker.goals[goal].count != 1
        return Subplan(goal, thing.id, place, subgoal, actions, rank, length, is_farthest_first)
