"""Makes a flat in which an activity can be done: with its rooms and furniture, and its things at random places that
fulfil the initial conditions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from stma_ros.types.errors import ConfigurationError, SkillError
from stma_ros.worlds.bddl.definitions import problem_of
from stma_ros.worlds.bddl.expressions import Atom, Literal, literals
from stma_ros.worlds.bddl.problem import ANY, Problem
from stma_ros.worlds.house.activities.classes import DOOR, FLOOR, PREDICATES, ROOMS, furniture_of, item_of
from stma_ros.worlds.house.building.layout import ROOM_COUNTS, Layout, make_layout
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.door_hanging import hang_doors, initial_state
from stma_ros.worlds.house.furnishing.furniture_placement import furnish, further_piece
from stma_ros.worlds.house.furnishing.item_placement import stock
from stma_ros.worlds.house.furnishing.looks import with_looks
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS
from stma_ros.worlds.house.truth import room_name
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.placing import floor_place, free_spot
from stma_ros.worlds.robot.scene import Thing, holder_of
from stma_ros.worlds.robot.state import HAND, SceneState, Spot

_LAYOUTS, _FLATS = (
    1000,
    48,
)  # layouts and, of those with the right rooms, flats that are tried for an activity
_STREAM = 61  # number of the stream of random numbers
_PLACES = 20  # places that are tried for a thing on the floor
_STEP_BACK, _REACH = 0.6, 2.0  # of who puts things on the floor [m]
_ALSO_CALLED = {"trash can": "bin", "hamper": "basket"}
"""Words for small things that are names of furniture, too."""

_HOLDING = ("ontop", "inside")


@dataclass(frozen=True, eq=False)
class ActivityHome:
    """An activity in a flat.

    Attributes:
        problem: the activity; what stands for all things of a class in a room is replaced by these.
        flat: the flat at the begin.
        names: the world's names of the instances; those of floors are names of rooms.
    """

    problem: Problem
    flat: Flat
    names: Mapping[str, str]


class _DoesNotFitError(Exception):
    """A flat does not suit an activity, for a reason."""


@lru_cache(maxsize=16)
def activity_home(activity: str, seed: int) -> ActivityHome:
    """Returns a flat for an activity.

    Args:
        activity: name of the activity.
        seed: of the flat, and of the places of things.

    Raises:
        MissingDependencyError: the package with the definitions is not installed.
        ConfigurationError: there is no such activity, it cannot be read, it needs what flats have not, or none of the
            flats that are tried suits it.
    """
    return home_for(problem_of(activity), seed)


def home_for(problem: Problem, seed: int) -> ActivityHome:
    """Returns a flat for a problem. Raises ConfigurationError as activity_home."""
    check(problem)
    reason = "no flat has the rooms"
    counts = list(ROOM_COUNTS)
    flats = 0
    for attempt in range(_LAYOUTS):
        rng = np.random.default_rng((seed, attempt, _STREAM))
        layout = make_layout(rng, counts[attempt % len(counts)])
        if flats == _FLATS:
            break
        if _has_rooms(problem, layout):
            flats += 1
            try:
                return _Furnisher(problem, rng, seed, layout).home()
            except _DoesNotFitError as error:
                reason = str(error)
    raise ConfigurationError(
        f"no flat of {flats} suits the activity {problem.name}: {reason}; try another seed"
    )


def _has_rooms(problem: Problem, layout: Layout) -> bool:
    """Whether a flat has one room of every needed kind, so that its name tells which one is meant."""
    kinds = [room.kind for room in layout.rooms]
    return all(kinds.count(ROOMS[atom.terms[1]]) == 1 for atom in _of(problem.initial, "inroom"))


def check(problem: Problem) -> None:
    """Raises ConfigurationError for an activity that needs what flats have not: a predicate, a room, or a class."""
    atoms = [literal.atom for literal in (*problem.initial, *literals(problem.goal))]
    unknown = sorted({atom.predicate for atom in atoms} - PREDICATES)
    if unknown:
        raise ConfigurationError(
            f"the activity {problem.name} has the predicate {unknown[0]}, which flats do not know; they know "
            f"{', '.join(sorted(PREDICATES))}"
        )
    for atom in _of(problem.initial, "inroom"):
        if atom.terms[1] not in ROOMS:
            raise ConfigurationError(f"the activity {problem.name} has a {atom.terms[1]}, which no flat has")
    for category, instances in problem.objects.items():
        if not any(_is_used(problem, instance) for instance in instances):
            continue
        if category not in (FLOOR, DOOR) and not furniture_of(category) and not item_of(category):
            raise ConfigurationError(
                f"the activity {problem.name} has the class {category}, which no flat has"
            )


def _is_used(problem: Problem, instance: str) -> bool:
    """Whether an activity says more of a thing than where it stands: some are listed that play no part."""
    atoms = [literal.atom for literal in (*problem.initial, *literals(problem.goal))]
    named = (instance, problem.category(instance))
    return any(term in named for atom in atoms if atom.predicate != "inroom" for term in atom.terms)


def _of(initial: Iterable[Literal], *predicates: str) -> Iterator[Atom]:
    return (each.atom for each in initial if each.expected and each.atom.predicate in predicates)


class _Furnisher:
    """One attempt to make a flat. Raises _DoesNotFitError."""

    def __init__(self, problem: Problem, rng: np.random.Generator, seed: int, layout: Layout) -> None:
        self._problem, self._rng, self._seed = problem, rng, seed
        self._layout = layout
        kinds = [room.kind for room in layout.rooms]
        self._rooms = {
            atom.terms[0]: kinds.index(ROOMS[atom.terms[1]])
            for atom in _of(problem.initial, "inroom")
            if _is_used(problem, atom.terms[0])
        }
        self._names: dict[str, str] = {
            instance: room_name(room)
            for instance, room in self._rooms.items()
            if problem.category(instance) == FLOOR
        }

    def home(self) -> ActivityHome:
        furniture = self._furnished(furnish(self._rng, self._layout))
        problem = self._without_wildcards(furniture)
        doors = hang_doors(self._seed, self._layout, furniture)
        used = {piece.name for piece in furniture if piece.name in self._names.values()}
        mentioned = frozenset[str]().union(*(_words(item_of(category)) for category in problem.objects))
        items = tuple(
            item
            for item in stock(self._rng, self._layout, furniture)
            if item.support not in used and not mentioned & _words(item.category)
        )
        state = initial_state(self._seed, furniture, doors, items)
        flat = Flat(self._seed, self._layout, furniture, items, doors, state)
        self._bind_doors(flat)
        flat = with_looks(self._with_things(flat))
        return ActivityHome(problem, replace(flat, initial=self._states(flat)), self._names)

    def _furnished(self, furniture: Sequence[Furniture]) -> tuple[Furniture, ...]:
        """Returns the furniture with that of the activity, which gets names, and without what has the same name in the
        same room."""
        standing = list(furniture)
        for instance, room in self._fixed():
            kinds = self._kinds_for(instance)
            free = sorted(
                (
                    piece
                    for piece in standing
                    if piece.room == room and piece.name not in self._names.values()
                ),
                key=lambda piece: -piece.size[0] * piece.size[1],
            )
            piece = next((piece for kind in kinds for piece in free if piece.category == kind), None)
            if piece is None:
                piece = self._another(standing, kinds, room)
                standing.append(piece)
            self._names[instance] = piece.name
        bound = [piece for piece in standing if piece.name in self._names.values()]
        items = [item_of(category) for category in self._problem.objects]
        wild = [(room, kind) for _, room, kinds in self._wildcards() for kind in kinds]
        return tuple(
            piece
            for piece in standing
            if piece in bound
            or (piece.room, piece.category) in wild
            or (
                not any(piece.room == other.room and _are_confused(piece, other) for other in bound)
                and not any(_may_be_called(piece, name) for name in items)
            )
        )

    def _fixed(self) -> Iterator[tuple[str, int]]:
        """Yields the pieces of furniture of the activity with their rooms."""
        for instance, room in self._rooms.items():
            if furniture_of(self._problem.category(instance)) and not instance.endswith(ANY):
                yield instance, room
        for atom in _of(self._problem.initial, "ontop"):
            thing, place = atom.terms
            category = self._problem.category(thing)
            if place in self._rooms and not item_of(category) and furniture_of(category):
                yield thing, self._rooms[place]

    def _kinds_for(self, instance: str) -> list[str]:
        """Returns the kinds of furniture that an instance can be, best first: those that hold things as the activity
        says."""
        atoms = [literal.atom for literal in (*self._problem.initial, *literals(self._problem.goal))]
        named = (instance, self._problem.category(instance))
        relations = {atom.predicate for atom in atoms if len(atom.terms) == 2 and atom.terms[1] in named}

        def misfit(kind: str) -> int:
            shape = FURNITURE[kind].shape(FURNITURE[kind].least, FURNITURE[kind].colours[0])
            return ("ontop" in relations and not shape.on) + ("inside" in relations and not shape.inside)

        return sorted(furniture_of(self._problem.category(instance)), key=misfit)

    def _another(self, standing: Sequence[Furniture], kinds: Sequence[str], room: int) -> Furniture:
        for kind in kinds:
            piece = further_piece(self._rng, self._layout, standing, kind, room)
            if piece is not None:
                number = sum(other.category == kind for other in standing) + 1
                return replace(piece, name=f"{kind.replace(' ', '_')}_{number}")
        raise _DoesNotFitError(f"there is no room for a {kinds[0]} in the {self._layout.rooms[room].kind}")

    def _wildcards(self) -> Iterator[tuple[str, int, tuple[str, ...]]]:
        """Yields what stands for all furniture of a class in a room, with the room and the kinds."""
        for instance, room in self._rooms.items():
            if instance.endswith(ANY):
                yield instance, room, furniture_of(self._problem.category(instance))

    def _without_wildcards(self, furniture: Sequence[Furniture]) -> Problem:
        objects = dict(self._problem.objects)
        for instance, room, kinds in self._wildcards():
            category = self._problem.category(instance)
            named = set(self._names.values())
            found = [
                piece.name
                for piece in furniture
                if piece.room == room and piece.category in kinds and piece.name not in named
            ]
            others = {f"{category}_{name}": name for name in found}
            self._names.update(others)
            self._names.pop(instance, None)
            objects[category] = (*(each for each in objects[category] if each != instance), *others)
        initial = tuple(
            literal for literal in self._problem.initial if not literal.atom.terms[0].endswith(ANY)
        )
        return replace(self._problem, objects=objects, initial=initial)

    def _bind_doors(self, flat: Flat) -> None:
        for instance, room in self._rooms.items():
            if self._problem.category(instance) != DOOR:
                continue
            free = [
                door.name
                for door in flat.doors
                if room in door.doorway.rooms and door.name not in self._names.values()
            ]
            if not free:
                raise _DoesNotFitError("a room has too few doors")
            self._names[instance] = free[0]

    def _with_things(self, flat: Flat) -> Flat:
        """Returns the flat with the small things of the activity, each on or in its holder."""
        counts: dict[str, int] = {}
        for atom in self._in_order(list(_of(self._problem.initial, *_HOLDING))):
            thing, holder = atom.terms
            kind = ALL_ITEMS[item_of(self._problem.category(thing))]
            counts[kind.name] = counts.get(kind.name, 0) + 1
            colour, scale = kind.variants[int(self._rng.integers(len(kind.variants)))]
            name = f"{kind.name.replace(' ', '_')}_a{counts[kind.name]}"
            item = Item(name, kind.name, "", False, 0.0, 0.0, 0.0, 0.0, scale, colour)
            flat = self._with_thing(flat, item, holder, inside=atom.predicate == "inside")
            self._names[thing] = name
        return flat

    def _in_order(self, atoms: list[Atom]) -> Iterator[Atom]:
        """Yields the places of small things, those of holders first."""
        while atoms:
            ready = [atom for atom in atoms if atom.terms[1] in self._names]
            if not ready:
                raise _DoesNotFitError(f"{atoms[0]} is about something that has no place")
            for atom in ready:
                atoms.remove(atom)
                if atom.terms[0] not in self._names:
                    yield atom

    def _with_thing(self, flat: Flat, item: Item, holder: str, *, inside: bool) -> Flat:
        with_item = replace(flat, items=(*flat.items, item), initial=flat.initial.moved(item.name, HAND))
        state = with_item.initial
        try:
            if self._problem.category(holder) == FLOOR:
                spot = self._on_floor(with_item, item, self._rooms[holder])
            else:
                name = self._names[holder]
                thing = with_item.fixed_by_name.get(name) or with_item.items_by_name[name]
                place = holder_of(thing, state)  # as if alone, so that a seed's home stays what it is
                inside = inside_of(thing, inside=inside)
                around = place.placement.point(*self._rng.uniform(-1.0, 1.0, 2).tolist())
                base = Placement(*around, 0.0)
                spot = free_spot(with_item, state, place, item, base, inside=inside, name=name)
        except SkillError as error:
            raise _DoesNotFitError(f"{item.name}: {error}") from error
        placed = replace(
            item, support=spot.support, inside=spot.inside, x=spot.x, y=spot.y, z=spot.z, yaw=spot.yaw
        )
        return replace(flat, items=(*flat.items, placed), initial=flat.initial.moved(item.name, spot))

    def _on_floor(self, flat: Flat, item: Item, room: int) -> Spot:
        area = self._layout.rooms[room].floor.bounds
        for _ in range(_PLACES):
            x, y = self._rng.uniform((area.x0, area.y0), (area.x1, area.y1)).tolist()
            base = Placement(x - _STEP_BACK, y, float(self._rng.uniform(-np.pi, np.pi)))
            if flat.layout.room_at(x, y) == room:
                spot = floor_place(flat, flat.initial, item, base, x, y, _REACH)
                if spot is not None:
                    return spot
        raise _DoesNotFitError(
            f"the floor of the {self._layout.rooms[room].kind} has no room for {item.name}"
        )

    def _states(self, flat: Flat) -> SceneState:
        """Returns the initial state: furniture of the activity is closed and off unless the activity says otherwise."""
        state = flat.initial
        ours = frozenset(self._names.values())
        is_open = {self._names[atom.terms[0]] for atom in _of(self._problem.initial, "open")}
        is_on = {self._names[atom.terms[0]] for atom in _of(self._problem.initial, "toggled_on")}
        opened = (state.open_names - ours) | (is_open & flat.openable_names)
        return replace(state, open_names=opened, on_names=(state.on_names - ours) | is_on)


def inside_of(thing: Thing, *, inside: bool) -> bool:
    """Whether things are put into another one, where an activity says "inside" or "ontop": a bookshelf has boards only,
    and a basin has no top."""
    return inside if thing.shelves(inside=inside) else not inside


def _words(name: str) -> frozenset[str]:
    return frozenset(name.split()) - {"of"}


def _may_be_called(piece: Furniture, name: str) -> bool:
    """Whether people may mean a piece by the name of a small thing: a bin by "recycling bin" or "trash can"."""
    word = piece.category.split()[-1]
    return bool(name) and word in (name.split()[-1], _ALSO_CALLED.get(name))


def _are_confused(one: Furniture, other: Furniture) -> bool:
    """Whether people call two pieces by one word: a coffee table is a table."""
    return one.category.split()[-1] == other.category.split()[-1]
