"""What actions need: checks that return what is lacking, so that what is possible is known without doing it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeAlias

from stma_ros.worlds.programs.home_graph import INSIDE, ON, Node, state_word
from stma_ros.worlds.programs.situation import Turn


class Lack(NamedTuple):
    """Why an action is not possible.

    Attributes:
        text: has a pair of braces for each node.
        nodes: what it names.
    """

    text: str
    nodes: tuple[Node, ...]


Check: TypeAlias = Callable[[Turn], Lack | None]


def _unless(holds: bool, text: str, *nodes: Node) -> Lack | None:
    return None if holds else Lack(text, nodes)


def near(turn: Turn) -> Lack | None:
    return _unless(turn.is_near(turn.thing.id), "{} is not near", turn.thing)


def near_place(turn: Turn) -> Lack | None:
    return _unless(turn.is_near(turn.place.id), "{} is not near", turn.place)


def upright(turn: Turn) -> Lack | None:
    states = turn.graph.states(turn.who)
    return _unless(states.isdisjoint(("SITTING", "LYING")), "one has to stand up first")


def seated(turn: Turn) -> Lack | None:
    states = turn.graph.states(turn.who)
    return _unless(not states.isdisjoint(("SITTING", "LYING")), "one neither sits nor lies")


def somewhere(turn: Turn) -> Lack | None:
    return _unless(turn.graph.room_of(turn.who) is not None, "one is in no room")


def in_a_room(turn: Turn) -> Lack | None:
    return _unless(turn.graph.room_of(turn.thing.id) is not None, "{} is in no room", turn.thing)


def near_or_reachable(turn: Turn) -> Lack | None:
    if turn.finds:
        return None
    return upright(turn) or in_a_room(turn)


def hand_free(turn: Turn) -> Lack | None:
    return _unless(turn.free_hand is not None, "no hand is free")


def holds_something(turn: Turn) -> Lack | None:
    return _unless(bool(turn.held), "the hands are empty")


def holds_it(turn: Turn) -> Lack | None:
    return _unless(turn.thing.id in turn.held, "{} is not in a hand", turn.thing)


def not_enclosed(turn: Turn) -> Lack | None:
    for holder in turn.graph.targets(turn.thing.id, INSIDE):
        if "CLOSED" in turn.graph.states(holder):
            return Lack("{} is in {}, which is closed", (turn.thing, turn.graph.nodes[holder]))
    return None


def place_open(turn: Turn) -> Lack | None:
    closable = "CAN_OPEN" in turn.place.properties
    return _unless(not closable or "OPEN" in turn.graph.states(turn.place.id), "{} is closed", turn.place)


def place_apart(turn: Turn) -> Lack | None:
    thing, place = turn.thing, turn.place
    if thing == place:
        return Lack("{} cannot be put on or into itself", (thing,))
    return _unless(thing.id not in turn.graph.holders(place.id), "{} is itself on or in {}", place, thing)


def faced(turn: Turn) -> Lack | None:
    return _unless(turn.faces(turn.thing.id), "one does not face {}", turn.thing)


def in_this_room(turn: Turn) -> Lack | None:
    return _unless(turn.graph.room_of(turn.thing.id) == turn.room, "{} is in another room", turn.thing)


def taken_before(turn: Turn) -> Lack | None:
    if turn.thing.id not in turn.taken_from:
        return Lack("{} was not taken from anywhere", (turn.thing,))
    _, place = turn.taken_from[turn.thing.id]
    is_there = turn.room == place or turn.is_near(place)
    return _unless(is_there, "{} is not near", turn.graph.nodes[place])


def worn(turn: Turn) -> Lack | None:
    return _unless(turn.graph.has(turn.thing.id, ON, turn.who), "{} is not worn", turn.thing)


def food(turn: Turn) -> Lack | None:
    served = (turn.graph.nodes[id] for id in turn.graph.sources(ON, turn.thing.id))
    edible = any("EATABLE" in each.properties for each in (turn.thing, *served))
    return _unless(edible, "{} is nothing to eat", turn.thing)


def knife(turn: Turn) -> Lack | None:
    return _unless(any("knife" in turn.graph.nodes[id].name for id in turn.held), "no knife is in a hand")


def able(*properties: str, also: Collection[str] = (), lack: str = "") -> Check:
    """Returns the check that a thing has one of these properties, or one of these names. lack: says what it lacks."""
    text = lack or f"{{}} is not {' or '.join(properties).lower()}"

    def check(turn: Turn) -> Lack | None:
        able = not turn.thing.properties.isdisjoint(properties) or turn.thing.name in also
        return _unless(able, text, turn.thing)

    return check


def receives(turn: Turn) -> Lack | None:
    able = "RECIPIENT" in turn.place.properties or turn.place.name in ("hands_both", "sponge", "face")
    return _unless(able, "nothing can be poured into {}", turn.place)


def has_state(state: str) -> Check:
    def check(turn: Turn) -> Lack | None:
        return _unless(
            state in turn.graph.states(turn.thing.id), f"{{}} is not {state_word(state)}", turn.thing
        )

    return check


def has_not_state(state: str) -> Check:
    def check(turn: Turn) -> Lack | None:
        return _unless(
            state not in turn.graph.states(turn.thing.id), f"{{}} is {state_word(state)}", turn.thing
        )

    return check


def has_room_for_a_person(places: Mapping[str, int]) -> Check:
    """Returns the check that there is a place left. places: their number by what it is; 1 elsewhere."""

    def check(turn: Turn) -> Lack | None:
        taken = len(turn.graph.sources(ON, turn.thing.id))
        return _unless(taken < places.get(turn.thing.name, 1), "no place is left on {}", turn.thing)

    return check
