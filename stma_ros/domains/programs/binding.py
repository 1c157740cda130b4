"""Chooses which things of a home are meant by the things of a task, and says which wishes hold of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from stma_ros.domains.programs.believed_home import BelievedHome
from stma_ros.domains.programs.commands import WALK, read_command
from stma_ros.domains.programs.observed_home import YOU, kind_of
from stma_ros.domains.programs.wishes import HELD, IN, IS_STATE, ME, ON, OPPOSITES, Wanted, Wish

Binding = Mapping[Wanted, str]
"""The name of each thing of a task; things that are not known are missing."""


def bind(wishes: Sequence[Wish], home: BelievedHome, avoided: Collection[str] = ()) -> Binding:
    """Returns names for the things of the wishes, another one for each; those with the most wishes choose first.

    Preferred is what can be as it is wished, and is in the right room, since few things can be carried there; then what
    most wishes about it hold of, what is held or was handled, and what is near.

    Args:
        wishes: Of the task.
        home: As it is believed to be.
        avoided: Names that are not to be taken.
    """
    bound: dict[Wanted, str] = {}
    touched = {name for each in map(read_command, home.done) if each.verb != WALK for name in each.names}
    things = dict.fromkeys(thing for wish in wishes for thing in wish.things)
    rooms = set(map(kind_of, home.seen.rooms))
    wishes_about = {wanted: [wish for wish in wishes if wanted in wish.things] for wanted in things}
    order = sorted(things, key=lambda thing: (thing.kind not in rooms, -len(wishes_about[thing])))
    for wanted in (*order, *order):  # once more, as only then all others are known
        bound.pop(wanted, None)
        about = wishes_about[wanted]
        free = [n for n in home.of_kind(wanted.kind) if n not in bound.values() and n not in avoided]
        if any(_is_awaited(wish, wanted, free, bound, home) for wish in about):
            continue
        if free:
            bound[wanted] = max(free, key=lambda name: _fitness(name, wanted, about, bound, home, touched))
    return bound


def _is_awaited(wish: Wish, wanted: Wanted, free: Sequence[str], bound: Binding, home: BelievedHome) -> bool:
    """Whether a thing shall be in a room that was not seen yet: the one that is meant may be there already."""
    if wish.subject != wanted or wish.object is None or wish.negated:
        return False
    room = bound.get(wish.object, "")
    if room not in home.seen.rooms or room in home.looked_at:
        return False
    return all(home.room_of(name) != room for name in free)


def _fitness(
    name: str,
    wanted: Wanted,
    about: Sequence[Wish],
    bound: Binding,
    home: BelievedHome,
    touched: Collection[str],
) -> tuple[bool, int, int, bool, bool, bool]:
    trial = {**bound, wanted: name}
    met = [wish for wish in about if holds(wish, trial, home)]
    rooms = sum(
        wish.relation == IN and trial.get(wish.object, "") in home.seen.rooms for wish in met if wish.object
    )
    can_be = all(_can_be(name, wish, home) for wish in about if wish.relation == IS_STATE)
    return can_be, rooms, len(met), home.is_held(name), name in touched, home.room_of(name) == home.here


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
    is_of_room = wish.object is not None and bound.get(wish.object) in home.seen.rooms
    if is_of_room and wish.subject != ME and wish.subject not in kept and home.is_held(bound[wish.subject]):
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
