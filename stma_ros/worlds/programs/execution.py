"""Executes actions on the scene graph of a home: what each needs, and what it changes.

The actions are those of VirtualHome (Puig et al. 2018), with the preconditions and effects that its programs were
written for. What lies on or in a thing stays behind when it is taken, as there; what comes there while it is held goes
along. Where its public code lets an action pass that cannot be, as putting a thing back that was not taken, or into
itself, the action fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from stma_ros.types.errors import StmaError
from stma_ros.worlds.programs.home_graph import (
    CLOSE,
    FACING,
    HANDS,
    INSIDE,
    ON,
    ROOM,
    HomeGraph,
    Node,
    state_word,
)

Deed: TypeAlias = tuple[str, tuple[int, ...]]
"""An action, such as "GRAB", and the ids of the things that it acts on."""


class PreconditionError(StmaError):
    """An action is not possible in the present state; the text is the reason."""


@dataclass
class Home:
    """A home with somebody in it.

    Attributes:
        graph: its present state.
        name: returns what a node is called in the reasons of a PreconditionError.
        taken_from: where the things in the hands were: relation and id.
    """

    graph: HomeGraph
    name: Callable[[Node], str] = str
    taken_from: dict[int, tuple[str, int]] = field(default_factory=dict)

    def do(self, action: str, things: tuple[int, ...] = ()) -> None:
        """Executes an action, such as "GRAB", on things by their ids.

        Raises:
            PreconditionError: It is not possible. Nothing has changed then.
        """
        known = ACTIONS.get(action)
        if known is None:
            raise PreconditionError(f"there is no action {action!r}, only {', '.join(ACTIONS)}")
        if len(things) != known.things:
            raise PreconditionError(f"{action} acts on {known.things} things, not on {len(things)}")
        missing = [id for id in things if id not in self.graph.nodes]
        if missing:
            raise PreconditionError(f"there is nothing with the id {missing[0]}")
        turn = _Turn(_Situation(self), things)
        lack = known.lack(turn)
        if lack is not None:
            raise PreconditionError(lack.text.format(*map(self.name, lack.nodes)))
        known.change(turn)

    def possible(self, deeds: Iterable[Deed]) -> Iterator[Deed]:
        """Yields those of some actions that can be executed now; nothing changes. Their actions and things exist."""
        situation = _Situation(self)
        for action, things in deeds:
            if ACTIONS[action].lack(_Turn(situation, things)) is None:
                yield action, things


class _Situation:
    """The state of a home between two changes, with what many checks ask for."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.who = home.graph.character.id

    @cached_property
    def near(self) -> frozenset[int]:
        """What the character is next to, and what that is next to or carries."""
        graph = self.home.graph
        beside = graph.targets(self.who, CLOSE)
        near = set(beside)
        for each in beside:
            near.update(graph.targets(each, CLOSE), graph.sources(ON, each))
        return frozenset(near)


class _Turn:
    """One action in the state before it, for checks and changes."""

    def __init__(self, situation: _Situation, things: tuple[int, ...]) -> None:
        self._situation = situation
        self.home = situation.home
        self.graph = self.home.graph
        self.who = situation.who
        self.things = [self.graph.nodes[id] for id in things]

    @property
    def thing(self) -> Node:
        return self.things[0]

    @property
    def place(self) -> Node:
        return self.things[-1]

    @property
    def held(self) -> list[int]:
        return self.graph.targets(self.who, *HANDS)

    @property
    def free_hand(self) -> str | None:
        return next((hand for hand in HANDS if not self.graph.targets(self.who, hand)), None)

    @property
    def room(self) -> int:
        """The room that the character is in."""
        room = self.graph.room_of(self.who)
        assert room is not None, "checked before"
        return room

    def place_of(self, id: int) -> tuple[str, int]:
        """Returns how a thing is where: on or in something, next to something, or else just in the room."""
        for relation in (ON, INSIDE, CLOSE):
            for place in self.graph.targets(id, relation):
                if place != self.who and self.graph.nodes[place].category != ROOM:
                    return relation, place
        return INSIDE, self.room

    def is_near(self, id: int) -> bool:
        return id in self._situation.near

    def faces(self, id: int) -> bool:
        graph = self.graph
        return graph.has(self.who, FACING, id) or any(
            graph.has(other, FACING, id) for other in graph.targets(self.who, FACING)
        )

    @property
    def finds(self) -> bool:
        """Whether the thing is at hand: near or worn."""
        return self.is_near(self.thing.id) or self.graph.has(self.thing.id, ON, self.who)

    def near_each_other(self, one: int, other: int) -> None:
        self.graph.add(one, CLOSE, other)
        self.graph.add(other, CLOSE, one)

    def let_go(self, id: int) -> None:
        for hand in HANDS:
            self.graph.remove(self.who, hand, id)
        self.home.taken_from.pop(id, None)


class _Lack(NamedTuple):
    """Why an action is not possible.

    Attributes:
        text: has a pair of braces for each node.
        nodes: what it names.
    """

    text: str
    nodes: tuple[Node, ...]


_Check: TypeAlias = Callable[["_Turn"], _Lack | None]
_Change: TypeAlias = Callable[["_Turn"], None]


@dataclass(frozen=True)
class _Action:
    """Attributes:
    things: number of things that it acts on.
    needs: return what is lacking, or None.
    change: what it does to the graph.
    """

    things: int
    needs: tuple[_Check, ...]
    change: _Change

    def lack(self, turn: _Turn) -> _Lack | None:
        """Returns the first reason why it is not possible; None if it is."""
        return next((lack for check in self.needs if (lack := check(turn)) is not None), None)


def _unless(holds: bool, text: str, *nodes: Node) -> _Lack | None:
    return None if holds else _Lack(text, nodes)


# -- what actions need


def _near(turn: _Turn) -> _Lack | None:
    return _unless(turn.is_near(turn.thing.id), "{} is not near", turn.thing)


def _near_place(turn: _Turn) -> _Lack | None:
    return _unless(turn.is_near(turn.place.id), "{} is not near", turn.place)


def _upright(turn: _Turn) -> _Lack | None:
    states = turn.graph.states(turn.who)
    return _unless(states.isdisjoint(("SITTING", "LYING")), "one has to stand up first")


def _seated(turn: _Turn) -> _Lack | None:
    states = turn.graph.states(turn.who)
    return _unless(not states.isdisjoint(("SITTING", "LYING")), "one neither sits nor lies")


def _somewhere(turn: _Turn) -> _Lack | None:
    return _unless(turn.graph.room_of(turn.who) is not None, "one is in no room")


def _in_a_room(turn: _Turn) -> _Lack | None:
    return _unless(turn.graph.room_of(turn.thing.id) is not None, "{} is in no room", turn.thing)


def _near_or_reachable(turn: _Turn) -> _Lack | None:
    if turn.finds:
        return None
    return _upright(turn) or _in_a_room(turn)


def _hand_free(turn: _Turn) -> _Lack | None:
    return _unless(turn.free_hand is not None, "no hand is free")


def _holds_something(turn: _Turn) -> _Lack | None:
    return _unless(bool(turn.held), "the hands are empty")


def _holds_it(turn: _Turn) -> _Lack | None:
    return _unless(turn.thing.id in turn.held, "{} is not in a hand", turn.thing)


def _not_enclosed(turn: _Turn) -> _Lack | None:
    for holder in turn.graph.targets(turn.thing.id, INSIDE):
        if "CLOSED" in turn.graph.states(holder):
            return _Lack("{} is in {}, which is closed", (turn.thing, turn.graph.nodes[holder]))
    return None


def _place_open(turn: _Turn) -> _Lack | None:
    closable = "CAN_OPEN" in turn.place.properties
    return _unless(not closable or "OPEN" in turn.graph.states(turn.place.id), "{} is closed", turn.place)


def _place_apart(turn: _Turn) -> _Lack | None:
    thing, place = turn.thing, turn.place
    if thing == place:
        return _Lack("{} cannot be put on or into itself", (thing,))
    return _unless(thing.id not in turn.graph.holders(place.id), "{} is itself on or in {}", place, thing)


def _faced(turn: _Turn) -> _Lack | None:
    return _unless(turn.faces(turn.thing.id), "one does not face {}", turn.thing)


def _in_this_room(turn: _Turn) -> _Lack | None:
    return _unless(turn.graph.room_of(turn.thing.id) == turn.room, "{} is in another room", turn.thing)


def _taken_before(turn: _Turn) -> _Lack | None:
    if turn.thing.id not in turn.home.taken_from:
        return _Lack("{} was not taken from anywhere", (turn.thing,))
    _, place = turn.home.taken_from[turn.thing.id]
    is_there = turn.room == place or turn.is_near(place)
    return _unless(is_there, "{} is not near", turn.graph.nodes[place])


def _worn(turn: _Turn) -> _Lack | None:
    return _unless(turn.graph.has(turn.thing.id, ON, turn.who), "{} is not worn", turn.thing)


def _food(turn: _Turn) -> _Lack | None:
    served = (turn.graph.nodes[id] for id in turn.graph.sources(ON, turn.thing.id))
    edible = any("EATABLE" in each.properties for each in (turn.thing, *served))
    return _unless(edible, "{} is nothing to eat", turn.thing)


def _knife(turn: _Turn) -> _Lack | None:
    return _unless(any("knife" in turn.graph.nodes[id].name for id in turn.held), "no knife is in a hand")


def _can(*properties: str, also: Collection[str] = (), lack: str = "") -> _Check:
    """Returns the check that a thing has one of these properties, or one of these names. lack: says what it lacks."""
    text = lack or f"{{}} is not {' or '.join(properties).lower()}"

    def check(turn: _Turn) -> _Lack | None:
        able = not turn.thing.properties.isdisjoint(properties) or turn.thing.name in also
        return _unless(able, text, turn.thing)

    return check


def _receives(turn: _Turn) -> _Lack | None:
    able = "RECIPIENT" in turn.place.properties or turn.place.name in ("hands_both", "sponge", "face")
    return _unless(able, "nothing can be poured into {}", turn.place)


def _is(state: str) -> _Check:
    def check(turn: _Turn) -> _Lack | None:
        return _unless(
            state in turn.graph.states(turn.thing.id), f"{{}} is not {state_word(state)}", turn.thing
        )

    return check


def _is_not(state: str) -> _Check:
    def check(turn: _Turn) -> _Lack | None:
        return _unless(
            state not in turn.graph.states(turn.thing.id), f"{{}} is {state_word(state)}", turn.thing
        )

    return check


def _has_room_for_a_person(places: Mapping[str, int]) -> _Check:
    """Returns the check that there is a place left. places: their number by what it is; 1 elsewhere."""

    def check(turn: _Turn) -> _Lack | None:
        taken = len(turn.graph.sources(ON, turn.thing.id))
        return _unless(taken < places.get(turn.thing.name, 1), "no place is left on {}", turn.thing)

    return check


# -- what actions change


def _nothing(turn: _Turn) -> None:
    """The action leaves no trace."""


def _walk(turn: _Turn) -> None:
    graph, who, target = turn.graph, turn.who, turn.thing
    room = graph.room_of(target.id)
    assert room is not None, "checked before"
    graph.detach(who, CLOSE, FACING)
    for place in graph.targets(who, INSIDE):
        graph.remove(who, INSIDE, place)
    graph.add(who, INSIDE, room)
    near = [] if room == target.id else [target.id]
    near += [node.id for node in graph.nodes.values() if "BODY_PART" in node.properties]
    if "CAN_OPEN" in target.properties:
        near += graph.sources(INSIDE, target.id)
    near += graph.targets(target.id, ON)
    for carried in (*turn.held, *graph.sources(ON, who)):
        graph.detach(carried, CLOSE, FACING)
        for place in graph.targets(carried, INSIDE):
            graph.remove(carried, INSIDE, place)
        graph.bring(carried, room)
        near.append(carried)
    for each in near:
        turn.near_each_other(who, each)


def _find(turn: _Turn) -> None:
    """Goes there unless it is near."""
    if not turn.finds:
        _walk(turn)
        return
    for faced in turn.graph.targets(turn.who, FACING):
        turn.graph.remove(turn.who, FACING, faced)
    turn.near_each_other(turn.who, turn.thing.id)


def _grab(turn: _Turn) -> None:
    """Takes a thing, or takes it into the other hand, too."""
    graph, who, thing = turn.graph, turn.who, turn.thing.id
    hand, room = turn.free_hand, turn.room
    assert hand is not None, "checked before"
    if thing not in turn.held:
        turn.home.taken_from[thing] = _, place = turn.place_of(thing)
        if place != room:
            turn.near_each_other(who, place)
    graph.detach(thing, ON, INSIDE, CLOSE)
    graph.add(who, hand, thing)
    turn.near_each_other(who, thing)
    graph.add(thing, INSIDE, room)


def _put(relation: str) -> _Change:
    def change(turn: _Turn) -> None:
        _put_down(turn, relation, turn.place.id)

    return change


def _put_back(turn: _Turn) -> None:
    _put_down(turn, *turn.home.taken_from[turn.thing.id])


def _put_down(turn: _Turn, relation: str, place: int) -> None:
    thing = turn.thing.id
    turn.let_go(thing)
    turn.near_each_other(turn.who, place)
    turn.near_each_other(thing, place)
    turn.graph.add(thing, relation, place)


def _drop(turn: _Turn) -> None:
    turn.let_go(turn.thing.id)


def _wear(turn: _Turn) -> None:
    turn.let_go(turn.thing.id)
    turn.graph.add(turn.thing.id, ON, turn.who)


def _take_off(turn: _Turn) -> None:
    turn.graph.remove(turn.thing.id, ON, turn.who)


def _pour(turn: _Turn) -> None:
    turn.graph.add(turn.thing.id, INSIDE, turn.place.id)
    if turn.thing.name == "water":
        turn.let_go(turn.thing.id)


def _turn_to(turn: _Turn) -> None:
    for faced in turn.graph.targets(turn.who, FACING):
        turn.graph.remove(turn.who, FACING, faced)
    turn.graph.add(turn.who, FACING, turn.thing.id)


def _becomes(after: str, before: str) -> _Change:
    def change(turn: _Turn) -> None:
        turn.graph.change_state(turn.thing.id, [before], [after])

    return change


def _sit(turn: _Turn) -> None:
    turn.graph.add(turn.who, ON, turn.thing.id)
    for faced in turn.graph.targets(turn.thing.id, FACING):
        turn.graph.add(turn.who, FACING, faced)
    turn.graph.change_state(turn.who, ["LYING"], ["SITTING"])


def _lie(turn: _Turn) -> None:
    turn.graph.add(turn.who, ON, turn.thing.id)
    turn.graph.change_state(turn.who, ["SITTING"], ["LYING"])


def _stand_up(turn: _Turn) -> None:
    turn.graph.change_state(turn.who, ["SITTING", "LYING"], [])


_SEATS = {"couch": 4, "bed": 4, "loveseat": 2, "sofa": 4, "pianobench": 2, "bench": 2}
_BEDS = {"couch": 2, "bathtub": 2, "bed": 3, "loveseat": 2, "sofa": 2}
_SQUEEZABLE = (
    "cleaning_solution",
    "tooth_paste",
    "shampoo",
    "food_peanut_butter",
    "dish_soap",
    "soap",
    "towel",
    "rag",
    "paper",
    "sponge",
    "food_lemon",
)

_OPENABLE = _can("CAN_OPEN", also=("desk", "window"), lack="{} cannot be opened or closed")
_SWITCHED = _can("HAS_SWITCH", lack="{} has no switch")
_PLUGGED = _can("HAS_PLUG", lack="{} has no plug")
_WALK = _Action(1, (_upright, _in_a_room), _walk)
_CLEAN = _Action(1, (_near,), _becomes("CLEAN", "DIRTY"))
_LOOK = _Action(1, (_faced,), _nothing)
_MOVE = _Action(1, (_can("MOVABLE", also=("chair", "curtain")), _near, _not_enclosed, _hand_free), _nothing)
_DROP = _Action(1, (_holds_it,), _drop)

ACTIONS: Mapping[str, _Action] = {
    "WALK": _WALK,
    "RUN": _WALK,
    "FIND": _Action(1, (_near_or_reachable,), _find),
    "GRAB": _Action(
        1,
        (_can("GRABBABLE", also=("water", "child")), _somewhere, _near, _not_enclosed, _hand_free),
        _grab,
    ),
    "PUTBACK": _Action(2, (_holds_it, _near_place, _place_apart), _put(ON)),
    "PUTIN": _Action(2, (_holds_it, _near_place, _place_apart, _place_open), _put(INSIDE)),
    "PUTOBJBACK": _Action(1, (_holds_it, _taken_before), _put_back),
    "DROP": _DROP,
    "RELEASE": _DROP,
    "OPEN": _Action(
        1,
        (_OPENABLE, _near, _hand_free, _is("CLOSED"), _is_not("ON")),
        _becomes("OPEN", "CLOSED"),
    ),
    "CLOSE": _Action(1, (_OPENABLE, _near, _is("OPEN")), _becomes("CLOSED", "OPEN")),
    "SWITCHON": _Action(1, (_SWITCHED, _near, _is("OFF"), _is_not("PLUGGED_OUT")), _becomes("ON", "OFF")),
    "SWITCHOFF": _Action(1, (_SWITCHED, _near, _is("ON")), _becomes("OFF", "ON")),
    "PLUGIN": _Action(
        1, (_PLUGGED, _near, _hand_free, _is("PLUGGED_OUT")), _becomes("PLUGGED_IN", "PLUGGED_OUT")
    ),
    "PLUGOUT": _Action(
        1,
        (_PLUGGED, _near, _hand_free, _is("PLUGGED_IN")),
        _becomes("PLUGGED_OUT", "PLUGGED_IN"),
    ),
    "WASH": _CLEAN,
    "RINSE": _CLEAN,
    "SCRUB": _CLEAN,
    "WIPE": _Action(1, (_near, _holds_something), _becomes("CLEAN", "DIRTY")),
    "POUR": _Action(
        2, (_can("POURABLE", "DRINKABLE"), _receives, _holds_it, _near_place, _place_apart), _pour
    ),
    "PUTON": _Action(1, (_can("CLOTHES"), _holds_it), _wear),
    "PUTOFF": _Action(1, (_can("CLOTHES"), _worn), _take_off),
    "SIT": _Action(1, (_can("SITTABLE"), _near, _upright, _has_room_for_a_person(_SEATS)), _sit),
    "LIE": _Action(1, (_can("LIEABLE"), _near, _has_room_for_a_person(_BEDS)), _lie),
    "STANDUP": _Action(0, (_seated,), _stand_up),
    "SLEEP": _Action(0, (_seated,), _nothing),
    "WAKEUP": _Action(0, (_seated,), _nothing),
    "TURNTO": _Action(1, (), _turn_to),
    "LOOKAT": _LOOK,
    "POINTAT": _LOOK,
    "WATCH": _Action(1, (_can("LOOKABLE"), _in_this_room, _faced, _not_enclosed), _nothing),
    "DRINK": _Action(1, (_can("DRINKABLE", "RECIPIENT"), _holds_it), _nothing),
    "EAT": _Action(1, (_near, _food), _nothing),
    "CUT": _Action(1, (_can("EATABLE"), _can("CUTTABLE"), _near, _hand_free, _knife), _nothing),
    "READ": _Action(1, (_can("READABLE"), _holds_it), _nothing),
    "TYPE": _Action(1, (_can("HAS_SWITCH", also=("keyboard",)), _near), _nothing),
    "TOUCH": _Action(1, (_near, _not_enclosed), _nothing),
    "SQUEEZE": _Action(1, (_can("CLOTHES", also=_SQUEEZABLE), _near, _hand_free), _nothing),
    "PUSH": _Action(1, (_near, _not_enclosed, _hand_free), _nothing),  # a lever or button, too
    "PULL": _MOVE,
    "MOVE": _MOVE,
    "GREET": _Action(1, (_can("PERSON"),), _nothing),
}
"""What can be done, by the name that programs use."""
