"""Solves an activity with full knowledge, by the robot's own skills: proof that it can be done, and with how many
commands."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from stma_ros.evaluation.activities.facts import ActivityFacts
from stma_ros.evaluation.household_tasks.oracle_planner import InstantBody, OracleRobot, Reference
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Point, Pose, Time
from stma_ros.worlds.bddl.expressions import Atom, Way, holds, ways
from stma_ros.worlds.house.activities.instantiation import ActivityHome, inside_of
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Furniture, Item
from stma_ros.worlds.house.truth import room_name, truth_of
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.given_spot import spot_at
from stma_ros.worlds.robot.manipulation import FLOOR_CATEGORY
from stma_ros.worlds.robot.scene import Thing, holder_of, item_box
from stma_ros.worlds.robot.state import FLOOR
from stma_ros.worlds.robot.targets import is_finite

_PASSES = 2
_WAYS = 24  # ways to reach a goal that are tried
_AROUND = [math.radians(angle) for angle in range(0, 360, 45)]
_BESIDE = (
    0.03,
    0.12,
    0.2,
    0.3,
    0.4,
)  # distances between the edges of things that are put next to each other [m]


@dataclass(frozen=True)
class Unsolved:
    """Why the oracle did not solve an activity."""

    reason: str


def solve(home: ActivityHome, start: Placement) -> Reference | Unsolved:
    """Returns the commands that reach the goal of an activity, or why none were found.

    Args:
        home: the activity in its flat.
        start: pose of the robot at the begin.
    """
    reason = "its goal cannot be reached"
    objects = home.problem.objects
    for way in islice(_consistent(ways(home.problem.goal, objects)), _WAYS):
        for contents_first in (True, False):
            quick = _Solver(home, InstantBody(home.flat, start))
            try:
                quick.run(way, contents_first=contents_first)
                if not quick.is_reached():
                    reason = f"left after all: {quick.left(way)}"
                    continue
                body = Body(home.flat, Camera(), None, start, np.random.default_rng(0))
                solver = _Solver(home, body)
                solver.run(way, contents_first=contents_first)
            except SkillError as error:
                reason = f"{error.code.name}: {error}"
                continue
            if solver.is_reached():
                return Reference(tuple(solver.robot.actions), body.state, body.base)
    return Unsolved(reason)


def _consistent(found: Iterator[Way]) -> Iterator[Way]:
    """Yields the ways that want no atom to be true and false."""
    for way in islice(found, 50 * _WAYS):
        unwanted = {each.atom for each in way if not each.expected}
        if not any(each.expected and each.atom in unwanted for each in way):
            yield way


class _Solver:
    """Carries out the literals of a way."""

    def __init__(self, home: ActivityHome, body: Body) -> None:
        self._home, self._body = home, body
        self.robot = OracleRobot(home.flat, body)

    @property
    def _facts(self) -> ActivityFacts:
        home = self._home
        truth = truth_of(home.flat, "", self._body.base, self._body.state, Time())
        return ActivityFacts(truth, home.flat, home.names)

    def is_reached(self) -> bool:
        return holds(self._home.problem.goal, self._home.problem.objects, self._facts)

    def left(self, way: Way) -> str:
        facts = self._facts
        return ", ".join(str(each) for each in way if facts.holds(each.atom) is not each.expected)

    def run(self, way: Way, *, contents_first: bool) -> None:
        """Carries out what is not so yet. Raises SkillError."""
        wanted = [each.atom for each in way if each.expected]
        places = _completed([atom for atom in wanted if atom.predicate in ("inside", "ontop")])
        beside = [atom for atom in wanted if atom.predicate in ("nextto", "touching")]
        for _ in range(_PASSES):  # what lies on a thing is moved with it
            for atom in self._in_order(places, contents_first=contents_first):
                if not self._facts.holds(atom):
                    thing = atom.terms[0]
                    self._put(atom, [self._other(each, thing) for each in beside if thing in each.terms])
        for atom in beside:
            if not self._facts.holds(atom):
                self._put_beside(atom, places)
        if self._body.state.held:
            self.robot.free_hand()
        for atom in wanted:
            if atom.predicate in ("toggled_on", "open") and not self._facts.holds(atom):
                skill = words.SKILL_OPEN if atom.predicate == "open" else words.SKILL_SWITCH_ON
                self.robot.act(skill, self._thing(atom.terms[0]))
        for literal in way:
            if not literal.expected and self._facts.holds(literal.atom):
                self._undo(literal.atom)

    def _in_order(self, places: Sequence[Atom], *, contents_first: bool) -> list[Atom]:
        """Returns places in an order: what is put into or onto a thing before that is moved, or after; and what lies on
        others now before these."""
        by_thing = {atom.terms[0]: atom for atom in places}

        def rank(atom: Atom) -> tuple[int, int]:
            thing = atom.terms[0]
            depth = _depth(thing, by_thing)
            name = self._home.names[thing]
            return -depth if contents_first else depth, -self._level(name)

        return sorted(places, key=rank)

    def _level(self, name: str) -> int:
        """Returns how many small things carry a thing."""
        spot = self._body.state.spots.get(name)
        return 0 if spot is None else 1 + self._level(spot.support)

    def _undo(self, atom: Atom) -> None:
        if atom.predicate == "open":
            self.robot.act(words.SKILL_CLOSE, self._thing(atom.terms[0]))
        elif atom.predicate == "toggled_on":
            self.robot.act(words.SKILL_SWITCH_OFF, self._thing(atom.terms[0]))

    @staticmethod
    def _other(atom: Atom, term: str) -> str:
        return next(other for other in atom.terms if other != term) if len(set(atom.terms)) > 1 else term

    def _thing(self, instance: str) -> Furniture | Item | Door:
        name = self._home.names[instance]
        return self._home.flat.items_by_name.get(name) or self._home.flat.fixed_by_name[name]

    def _take(self, instance: str) -> Item:
        item = self._thing(instance)
        if not isinstance(item, Item):
            raise SkillError(ErrorCode.NOT_PORTABLE, f"{instance} cannot be carried")
        if self._body.state.held != item.name:
            self.robot.free_hand()
            self.robot.act(words.SKILL_PICK, item)
        return item

    def _put(self, atom: Atom, neighbours: Sequence[str] = ()) -> None:
        """Puts a thing where an atom says, next to one of its neighbours there if there is one."""
        item = self._take(atom.terms[0])
        place = self._home.names[atom.terms[1]]
        if self._room_index(place) is not None:
            self._put_on_floor(item, place, neighbours)
            return
        holder = self._thing(atom.terms[1])
        assert not isinstance(holder, Door)
        inside = inside_of(holder, inside=atom.predicate == "inside")
        for neighbour in neighbours:
            other = self._thing(neighbour)
            if (
                isinstance(other, Item)
                and self._body.state.spots[other.name].support == holder.name
                and self._put_at(item, holder, self._goals_around(item, other), other, inside=inside)
            ):
                return
        self._place(holder, inside=inside)

    def _place(self, holder: Furniture | Item, *, inside: bool, goal: Pose = Pose.none()) -> None:
        opens = inside and isinstance(holder, Furniture) and holder.opens
        if opens and holder.name not in self._body.state.open_names:
            self.robot.act(words.SKILL_OPEN, holder)
        if is_finite(goal):
            self.robot.navigate_to_place(holder.name, goal.position.x, goal.position.y, goal.position.z)
        self.robot.act(words.SKILL_PLACE_IN if inside else words.SKILL_PLACE_ON, holder, goal)

    def _put_at(
        self, item: Item, holder: Furniture | Item, goals: Iterable[Pose], other: Thing, *, inside: bool
    ) -> bool:
        """Puts the held thing at that of the goals at which it is closest to another thing. Returns whether any is
        free."""
        state, flat = self._body.state, self._home.flat
        beside = item_box(other, state) if other.portable else other.box
        free: list[tuple[float, int, Pose]] = []
        for goal in goals:
            try:
                spot = spot_at(
                    flat, state, holder_of(holder, state, flat), item, goal, inside=inside, name=holder.name
                )
            except SkillError:
                continue
            free.append((item.box_at(spot).gap(beside), len(free), goal))
        if not free:
            return False
        self._place(holder, inside=inside, goal=min(free)[2])
        return True

    def _goals_around(self, item: Item, other: Item) -> Iterator[Pose]:
        box = item_box(other, self._body.state)
        low, high = item.extents(0.0)
        reach = max(high[0] - low[0], high[1] - low[1]) / 2 + max(box.size[:2]) / 2
        for beside in _BESIDE:
            for angle in _AROUND:
                x, y = (
                    box.centre[k] + (reach + beside) * part
                    for k, part in enumerate((math.cos(angle), math.sin(angle)))
                )
                yield Pose.upright(Point(x, y, box.low), 0.0)

    def _put_beside(self, atom: Atom, places: Sequence[Atom]) -> None:
        """Puts the first thing next to the second one, or the other way round where only that can be carried."""
        first, second = atom.terms
        if not isinstance(self._thing(first), Item):
            first, second = second, first
        item, other = self._take(first), self._thing(second)
        wanted = next((each for each in places if each.terms[0] == first), None)
        state = self._body.state
        if isinstance(other, Item):
            support = state.spots[other.name].support
            if support == FLOOR:
                self._put_down_near(item, [item_box(other, state).centre[:2]])
                return
            holder = self._home.flat.furniture_by_name.get(support) or self._home.flat.items_by_name[support]
            inside = state.spots[other.name].inside
            if self._put_at(item, holder, self._goals_around(item, other), other, inside=inside):
                return
            self._place(holder, inside=inside)
            return
        if wanted is not None and self._room_index(self._home.names[wanted.terms[1]]) is None:
            holder_wanted = self._thing(wanted.terms[1])
            assert not isinstance(holder_wanted, Door)
            if self._put_at(
                item, holder_wanted, self._goals_towards(holder_wanted, other), other, inside=False
            ):
                return
        near = sorted(
            (
                piece
                for piece in self._home.flat.furniture
                if piece.shape.on and piece.name != other.name and piece.footprint.gap(other.footprint) < 0.3
            ),
            key=lambda piece: piece.footprint.gap(other.footprint),
        )
        for piece in near:
            if self._put_at(item, piece, self._goals_towards(piece, other), other, inside=False):
                return
        self._put_down_near(item, _points_around(other))

    @staticmethod
    def _goals_towards(holder: Furniture | Item, other: Furniture | Door) -> Iterator[Pose]:
        """Yields places on a piece, those nearest to another thing first."""
        if not isinstance(holder, Furniture):
            return
        for shelf in holder.shape.on:
            area = shelf.area
            points = [
                holder.placement.point(area.x0 + area.width * a / 6, area.y0 + area.depth * b / 8)
                for a in range(7)
                for b in range(9)
            ]
            for x, y in sorted(points, key=lambda point: other.footprint.distance(*point)):
                yield Pose.upright(Point(x, y, shelf.height), 0.0)

    def _put_on_floor(self, item: Item, room: str, neighbours: Sequence[str]) -> None:
        points = []
        for neighbour in neighbours:
            other = self._thing(neighbour)
            if isinstance(other, Item) and self._body.state.spots[other.name].support != FLOOR:
                continue
            points += (
                [item_box(other, self._body.state).centre[:2]]
                if isinstance(other, Item)
                else _points_around(other)
            )
        index = self._room_index(room)
        assert index is not None
        area = self._home.flat.layout.rooms[index].floor.bounds
        grid = [
            (area.x0 + area.width * a / 6, area.y0 + area.depth * b / 6)
            for a in range(1, 6)
            for b in range(1, 6)
        ]
        middle = area.centre
        points += sorted(grid, key=lambda point: math.dist(point, middle))
        self._put_down_near(item, points)

    def _put_down_near(self, item: Item, points: Iterable[tuple[float, float]]) -> None:
        """Puts the held thing on the floor near the first possible point."""
        reason = SkillError(ErrorCode.NO_ROOM, f"there is no place on the floor for {item.name}")
        for x, y in points:
            try:
                self.robot.navigate_to_place(FLOOR_CATEGORY, x, y, 0.0)
                target = SkillTarget(id=FLOOR_CATEGORY, category=FLOOR_CATEGORY, pose=Pose.planar(x, y, 0.0))
                action = Action(words.SKILL_PLACE_ON, (FLOOR_CATEGORY,))
                self.robot.ask(SkillRequest(action=action, targets=(target,)))
            except SkillError as error:
                reason = error
            else:
                return
        raise reason

    def _room_index(self, name: str) -> int | None:
        rooms = range(len(self._home.flat.layout.rooms))
        return next((index for index in rooms if room_name(index) == name), None)


def _points_around(thing: Furniture | Door) -> list[tuple[float, float]]:
    """Returns points on the floor close to the sides of a thing, those in front of it first."""
    if isinstance(thing, Door):
        return [thing.ahead(0.4), thing.ahead(-0.4)]
    depth, width, _ = thing.size
    local = [(depth / 2 + 0.25, share * width) for share in (0.5, -0.5, 0.3, -0.3, 0.0)]
    local += [(share * depth, side * (width / 2 + 0.25)) for share in (0.3, 0.0) for side in (1, -1)]
    return [thing.placement.point(*point) for point in local]


def _completed(places: Sequence[Atom]) -> list[Atom]:
    """Returns one place of each thing. Of several, that on another thing that moves counts, and the others are those of
    that thing: a pizza on a plate and in the fridge means that the plate is in the fridge."""
    found: dict[str, Atom] = {}
    queue = list(places)
    moved = {atom.terms[0] for atom in places}
    while queue:
        atom = queue.pop(0)
        thing, place = atom.terms
        old = found.get(thing)
        if old is None or old == atom:
            found[thing] = atom
        elif place in moved and old.terms[1] not in moved:
            found[thing] = atom
            queue.append(Atom(old.predicate, (place, old.terms[1])))
        elif old.terms[1] != thing and place != old.terms[1]:
            queue.append(Atom(atom.predicate, (old.terms[1], place)))
            moved.add(old.terms[1])
    return list(found.values())


def _depth(thing: str, places: Mapping[str, Atom], seen: frozenset[str] = frozenset()) -> int:
    """Returns how many things that move are to carry a thing, itself included."""
    atom = places.get(thing)
    if atom is None or thing in seen:
        return 0
    return 1 + _depth(atom.terms[1], places, seen | {thing})
