"""Chooses which things of a home are meant by the things of a task, and says which wishes hold of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np
from scipy.optimize import linear_sum_assignment

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.commands import WALK, read_command
from stma_ros.domains.programs.observed_home import YOU
from stma_ros.domains.programs.wishes import (
    HELD,
    IS_STATE,
    ME,
    ON,
    OPPOSITES,
    Wanted,
    Wish,
    place_of_state,
    rooms_of_places,
    seats_in_their_rooms,
)

Binding = Mapping[Wanted, str]
"""The name of each thing of a task; things that are not known are missing."""


_ROUNDS = 3  # of choices, since what is best of one kind depends on what was chosen of the others


def bind(wishes: Sequence[Wish], home: BelievedHome, avoided: Collection[str] = ()) -> Binding:
    """Returns names for the things of the wishes, another one for each. Those of a kind are chosen together.

    Preferred is what can be as it is wished, and is in the right room, since few things can be carried there; then what
    most wishes about it hold of, what is held or was handled, and what is near.

    Args:
        wishes: Of the task.
        home: As it is believed to be.
        avoided: Names that are not to be taken.
    """
    choice = _Choice(wishes, home)

    def choose(things: Sequence[Wanted], others: Binding) -> Binding:
        names = [name for name in home.of_kind(things[0].kind) if name not in avoided]
        return choice.of_kind(things, names, others)

    return chosen_by_kind(sorted(choice.about, key=choice.turn), choose)


def chosen_by_kind(
    things: Iterable[Wanted], choose: Callable[[Sequence[Wanted], Binding], Binding]
) -> Binding:
    """Returns names for things, of which those of a kind are chosen together.

    Args:
        things: Of a task; the kind of the first one comes first.
        choose: Returns names for things of one kind, by those of the things of other kinds.
    """
    by_kind: dict[str, list[Wanted]] = {}
    for thing in things:
        by_kind.setdefault(thing.kind, []).append(thing)
    bound: Binding = {}
    for kind, alike in (*by_kind.items(),) * _ROUNDS:
        others = {thing: name for thing, name in bound.items() if thing.kind != kind}
        bound = {**others, **choose(alike, others)}
    return bound


def staying_in_hand(wishes: Iterable[Wish], home: BelievedHome) -> Collection[Wanted]:
    """Returns the things that are not put down just in a room: they shall be held, or come on or into others, and so
    into the rooms of these."""
    return {
        wish.subject
        for wish in wishes
        if not wish.negated and wish.object is not None and wish.object.kind not in home.room_kinds
    }


class _Choice:
    """Chooses among the things of a home.

    Attributes:
        about: The wishes about each thing of a task, with those that follow from them.
    """

    def __init__(self, wishes: Sequence[Wish], home: BelievedHome) -> None:
        self._home = home
        self._kept = staying_in_hand(wishes, home)
        commands = map(read_command, home.done)
        self._touched = {name for command in commands if command.verb != WALK for name in command.names}
        self.about = _by_thing((*wishes, *rooms_of_places(wishes, home.room_kinds)))
        self._seats = _by_thing(seats_in_their_rooms(wishes))

    def turn(self, thing: Wanted) -> tuple[bool, bool, tuple[int, int], int]:
        """Returns when a thing gets its name: first rooms, then what is handled first, then what most wishes are about.

        So the thing to which one goes next is the nearest one, wherever one is.
        """
        about = self.about[thing]
        is_known = all(self._home.of_kind(each.kind) for wish in about for each in wish.things)
        first = min(map(self._when, about))
        return not self._is_room(thing), not is_known, first, -len(about)

    def _when(self, wish: Wish) -> tuple[int, int]:
        """Returns when a wish is worked on: places first, then states, then what is held."""
        if wish.relation == IS_STATE:
            return 1, place_of_state(wish)
        goes_along = wish.subject in self._kept and self._is_room(wish.object)
        return (2, 0) if wish.relation == HELD or goes_along else (0, 0)

    def _is_room(self, thing: Wanted | None) -> bool:
        return thing is not None and thing.kind in self._home.room_kinds

    def of_kind(self, things: Sequence[Wanted], names: Iterable[str], others: Binding) -> Binding:
        """Returns the best names for things of one kind, where there are enough of them.

        Args:
            things: By their turn.
            names: Of this kind.
            others: The names of the things of other kinds.
        """
        free = [thing for thing in things if not self._is_awaited(thing, others)]
        preferred = sorted(names, key=self._preference)
        fitness = [[self._fitness(thing, name, others) for name in preferred] for thing in free]
        return {free[row]: preferred[column] for row, column in best_pairs(fitness)}

    def _preference(self, name: str) -> tuple[bool, bool, bool]:
        home = self._home
        return not home.is_held(name), name not in self._touched, home.room_of(name) != home.here

    def _is_awaited(self, thing: Wanted, others: Binding) -> bool:
        """Whether a thing shall be in a room that was not seen yet: the one that is meant may be there already."""
        rooms = {
            others.get(wish.object, "")
            for wish in (*self.about[thing], *self._seats.get(thing, ()))
            if wish.subject == thing and wish.object is not None and not wish.negated
        }
        return not rooms.intersection(self._home.seen.rooms) <= set(self._home.looked_at)

    def _fitness(self, thing: Wanted, name: str, others: Binding) -> tuple[bool, int, int, int, bool]:
        """Returns how well a name suits a thing: whether it can be so at all, how many wishes about rooms and how many
        of all hold of it, whether it is a seat where one shall be, and whether nothing is left to do."""
        about, trial = self.about[thing], {**others, thing: name}
        met = [wish for wish in about if self._is_met(wish, trial)]
        rooms = sum(_is_of_room(wish, trial, self._home) for wish in met)
        seats = sum(self._is_met(wish, trial) for wish in self._seats.get(thing, ()))
        can_be = all(_can_be(name, wish, self._home) for wish in about if wish.relation == IS_STATE)
        return can_be, rooms, len(met), seats, len(met) == len(about)

    def _is_met(self, wish: Wish, bound: Binding) -> bool:
        """Whether a wish speaks for the names of its things; any will do for one that has none yet.

        What is in the hand can come into any room. It may be there for other reasons than to be held, which is the last
        thing to be done.
        """
        if wish.relation == HELD and not wish.negated:
            return False
        unknown = next((thing for thing in wish.things if thing not in bound), None)
        if unknown is not None:
            names = set(self._home.of_kind(unknown.kind)).difference(bound.values())
            return any(self._is_met(wish, {**bound, unknown: name}) for name in names)
        is_carried = wish.subject in self._kept and self._home.is_held(bound.get(wish.subject, ""))
        if is_carried and _is_of_room(wish, bound, self._home) and not wish.negated:
            return True
        return holds(wish, bound, self._home, self._kept)


def _by_thing(wishes: Iterable[Wish]) -> dict[Wanted, list[Wish]]:
    found: dict[Wanted, list[Wish]] = {}
    for wish in wishes:
        for thing in dict.fromkeys(wish.things):
            found.setdefault(thing, []).append(wish)
    return found


def best_pairs(fitness: Sequence[Sequence[Sequence[int]]]) -> Iterator[tuple[int, int]]:
    """Yields pairs of a row and a column, each in one pair at most, whose figures have the greatest sums: the first
    figure counts before the second, and so on. Where that leaves a choice, the first rows get the first columns, apart
    from rows whose last figure is 1."""
    if not fitness or not fitness[0]:
        return
    figures = np.array(fitness, dtype=np.int64)
    rows, columns, number = figures.shape
    score = np.outer(np.arange(rows, 0, -1), np.arange(columns, 0, -1)) * (1 - figures[:, :, -1])
    for each in reversed(range(number)):
        score = score + figures[:, :, each] * (rows * score.max() + 1)
    yield from zip(*linear_sum_assignment(score, maximize=True), strict=True)


def _is_of_room(wish: Wish, bound: Binding, home: BelievedHome) -> bool:
    return wish.object is not None and bound.get(wish.object) in home.seen.rooms


def _can_be(name: str, wish: Wish, home: BelievedHome) -> bool:
    """Whether a thing can have a state: what is neither on nor off cannot be switched."""
    opposite = OPPOSITES.get(wish.state)
    return opposite is None or not {wish.state, opposite}.isdisjoint(home.states(name))


def holds(wish: Wish, bound: Binding, home: BelievedHome, kept: Collection[Wanted] = ()) -> bool:
    """Whether something is as it is wished to be, as far as is known; not if one of its things is not known.

    Args:
        wish: Of the task.
        bound: The names of its things.
        home: As it is believed to be.
        kept: What shall stay in the hand; what else is held is in no room for good.
    """
    if any(thing not in bound for thing in wish.things):
        return False
    if (
        _is_of_room(wish, bound, home)
        and wish.subject != ME
        and wish.subject not in kept
        and home.is_held(bound[wish.subject])
    ):
        return False
    return _is_so(wish, bound, home) is not wish.negated


def _is_so(wish: Wish, bound: Binding, home: BelievedHome) -> bool:
    if wish.relation == HELD:
        return home.is_held(bound[wish.subject])
    if wish.relation == IS_STATE:
        states = home.seen.states if wish.subject == ME else home.states(bound[wish.subject])
        return wish.state in states
    assert wish.object is not None, "a relation has an object"
    target = YOU if wish.object == ME else bound[wish.object]
    if wish.subject == ME:
        return target in home.seen.seats if wish.relation == ON else home.here == target
    name = bound[wish.subject]
    if target in home.seen.rooms:
        return home.room_of(name) == target
    return (wish.relation, target) in home.places(name)
