"""Executes actions on the scene graph of a home: what each needs, and what it changes.

The actions are those of VirtualHome (Puig et al. 2018), with the preconditions and effects that its programs were
written for. What lies on or in a thing stays behind when it is taken, as there. Where its public code lets an action
pass that cannot be, as putting a thing back that was not taken, the action fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from stma_ros.types.errors import StmaError
from stma_ros.worlds.programs.home_graph import CLOSE, FACING, HANDS, INSIDE, ON, ROOM, HomeGraph, Node


class PreconditionError(StmaError):
    """An action is not possible in the present state; the text is the reason."""


@dataclass
class Home:
    """A home with somebody in it.

    Attributes:
        graph: its present state.
        taken_from: where the things in the hands were: relation and id.
    """

    graph: HomeGraph
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
        turn = _Turn(self, [self.graph.nodes[id] for id in things])
        for check in known.needs:
            check(turn)
        known.change(turn)


class _Turn:
    """One action in the state before it, for checks and changes."""

    def __init__(self, home: Home, things: list[Node]) -> None:
        self.home = home
        self.graph = home.graph
        self.who = home.graph.character.id
        self.things = things

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
        """The room that the character is in. Raises PreconditionError in none."""
        room = self.graph.room_of(self.who)
        if room is None:
            raise PreconditionError("one is in no room")
        return room

    def place_of(self, id: int) -> tuple[str, int]:
        """Returns how a thing is where: on or in something, next to something, or else just in the room."""
        for relation in (ON, INSIDE, CLOSE):
            for place in self.graph.targets(id, relation):
                if place != self.who and self.graph.nodes[place].category != ROOM:
                    return relation, place
        return INSIDE, self.room

    def is_near(self, id: int) -> bool:
        """Whether the character is next to a thing, or next to something that it is next to or on."""
        graph = self.graph
        return graph.has(self.who, CLOSE, id) or any(
            graph.has(other, CLOSE, id) or graph.has(id, ON, other)
            for other in graph.targets(self.who, CLOSE)
        )

    def faces(self, id: int) -> bool:
        graph = self.graph
        return graph.has(self.who, FACING, id) or any(
            graph.has(other, FACING, id) for other in graph.targets(self.who, FACING)
        )

    def near_each_other(self, one: int, other: int) -> None:
        self.graph.add(one, CLOSE, other)
        self.graph.add(other, CLOSE, one)

    def let_go(self, id: int) -> None:
        for hand in HANDS:
            self.graph.remove(self.who, hand, id)
        self.home.taken_from.pop(id, None)


_Check = Callable[[_Turn], None]
_Change = Callable[[_Turn], None]


@dataclass(frozen=True)
class _Action:
    """Attributes:
    things: number of things that it acts on.
    needs: raise PreconditionError where it is not possible.
    change: what it does to the graph.
    """

    things: int
    needs: tuple[_Check, ...]
    change: _Change


def _require(holds: bool, reason: str) -> None:
    if not holds:
        raise PreconditionError(reason)


# -- what actions need


def _near(turn: _Turn) -> None:
    _require(turn.is_near(turn.thing.id), f"{turn.thing} is not near")


def _near_place(turn: _Turn) -> None:
    _require(turn.is_near(turn.place.id), f"{turn.place} is not near")


def _upright(turn: _Turn) -> None:
    states = turn.graph.states(turn.who)
    _require(not states & {"SITTING", "LYING"}, "one has to stand up first")


def _seated(turn: _Turn) -> None:
    _require(bool(turn.graph.states(turn.who) & {"SITTING", "LYING"}), "one neither sits nor lies")


def _in_a_room(turn: _Turn) -> None:
    _require(turn.graph.room_of(turn.thing.id) is not None, f"{turn.thing} is in no room")


def _hand_free(turn: _Turn) -> None:
    _require(turn.free_hand is not None, "no hand is free")


def _holds_something(turn: _Turn) -> None:
    _require(bool(turn.held), "the hands are empty")


def _holds_it(turn: _Turn) -> None:
    _require(turn.thing.id in turn.held, f"{turn.thing} is not in a hand")


def _not_enclosed(turn: _Turn) -> None:
    for holder in turn.graph.targets(turn.thing.id, INSIDE):
        is_closed = "CLOSED" in turn.graph.states(holder)
        _require(not is_closed, f"{turn.thing} is in {turn.graph.nodes[holder]}, which is closed")


def _place_open(turn: _Turn) -> None:
    closable = "CAN_OPEN" in turn.place.properties
    _require(not closable or "OPEN" in turn.graph.states(turn.place.id), f"{turn.place} is closed")


def _faced(turn: _Turn) -> None:
    _require(turn.faces(turn.thing.id), f"one does not face {turn.thing}")


def _in_this_room(turn: _Turn) -> None:
    _require(turn.graph.room_of(turn.thing.id) == turn.room, f"{turn.thing} is in another room")


def _taken_before(turn: _Turn) -> None:
    _require(turn.thing.id in turn.home.taken_from, f"{turn.thing} was not taken from anywhere")
    _, place = turn.home.taken_from[turn.thing.id]
    is_there = turn.room == place or turn.is_near(place)
    _require(is_there, f"{turn.graph.nodes[place]} is not near")


def _worn(turn: _Turn) -> None:
    _require(turn.graph.has(turn.thing.id, ON, turn.who), f"{turn.thing} is not worn")


def _food(turn: _Turn) -> None:
    served = (turn.graph.nodes[id] for id in turn.graph.sources(ON, turn.thing.id))
    edible = any("EATABLE" in each.properties for each in (turn.thing, *served))
    _require(edible, f"{turn.thing} is nothing to eat")


def _knife(turn: _Turn) -> None:
    _require(any("knife" in turn.graph.nodes[id].name for id in turn.held), "no knife is in a hand")


def _can(*properties: str, also: Collection[str] = ()) -> _Check:
    """Returns the check that a thing has one of these properties, or one of these names."""

    def check(turn: _Turn) -> None:
        able = not turn.thing.properties.isdisjoint(properties) or turn.thing.name in also
        _require(able, f"{turn.thing} is not {' or '.join(properties).lower()}")

    return check


def _receives(turn: _Turn) -> None:
    able = "RECIPIENT" in turn.place.properties or turn.place.name in ("hands_both", "sponge", "face")
    _require(able, f"nothing can be poured into {turn.place}")


def _is(state: str) -> _Check:
    def check(turn: _Turn) -> None:
        _require(state in turn.graph.states(turn.thing.id), f"{turn.thing} is not {state.lower()}")

    return check


def _is_not(state: str) -> _Check:
    def check(turn: _Turn) -> None:
        _require(state not in turn.graph.states(turn.thing.id), f"{turn.thing} is {state.lower()}")

    return check


def _has_room_for_a_person(places: Mapping[str, int]) -> _Check:
    """Returns the check that there is a place left. places: their number by what it is; 1 elsewhere."""

    def check(turn: _Turn) -> None:
        taken = len(turn.graph.sources(ON, turn.thing.id))
        _require(taken < places.get(turn.thing.name, 1), f"no place is left on {turn.thing}")

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
    for held in turn.held:
        graph.detach(held, CLOSE, FACING)
        for place in graph.targets(held, INSIDE):
            graph.remove(held, INSIDE, place)
        graph.add(held, INSIDE, room)
        near.append(held)
    for each in near:
        turn.near_each_other(who, each)


def _find(turn: _Turn) -> None:
    """Goes there unless it is near."""
    if not turn.is_near(turn.thing.id) and not turn.graph.has(turn.thing.id, ON, turn.who):
        for check in (_upright, _in_a_room):
            check(turn)
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

_WALK = _Action(1, (_upright, _in_a_room), _walk)
_CLEAN = _Action(1, (_near,), _becomes("CLEAN", "DIRTY"))
_LOOK = _Action(1, (_faced,), _nothing)
_MOVE = _Action(1, (_can("MOVABLE", also=("chair", "curtain")), _near, _not_enclosed, _hand_free), _nothing)
_DROP = _Action(1, (_holds_it,), _drop)

ACTIONS: Mapping[str, _Action] = {
    "WALK": _WALK,
    "RUN": _WALK,
    "FIND": _Action(1, (), _find),
    "GRAB": _Action(
        1,
        (_can("GRABBABLE", also=("water", "child")), _near, _not_enclosed, _hand_free),
        _grab,
    ),
    "PUTBACK": _Action(2, (_holds_it, _near_place), _put(ON)),
    "PUTIN": _Action(2, (_holds_it, _near_place, _place_open), _put(INSIDE)),
    "PUTOBJBACK": _Action(1, (_holds_it, _taken_before), _put_back),
    "DROP": _DROP,
    "RELEASE": _DROP,
    "OPEN": _Action(
        1,
        (_can("CAN_OPEN", also=("desk", "window")), _near, _hand_free, _is("CLOSED"), _is_not("ON")),
        _becomes("OPEN", "CLOSED"),
    ),
    "CLOSE": _Action(
        1, (_can("CAN_OPEN", also=("desk", "window")), _near, _is("OPEN")), _becomes("CLOSED", "OPEN")
    ),
    "SWITCHON": _Action(
        1, (_can("HAS_SWITCH"), _near, _is("OFF"), _is_not("PLUGGED_OUT")), _becomes("ON", "OFF")
    ),
    "SWITCHOFF": _Action(1, (_can("HAS_SWITCH"), _near, _is("ON")), _becomes("OFF", "ON")),
    "PLUGIN": _Action(
        1, (_can("HAS_PLUG"), _near, _hand_free, _is("PLUGGED_OUT")), _becomes("PLUGGED_IN", "PLUGGED_OUT")
    ),
    "PLUGOUT": _Action(
        1,
        (_can("HAS_PLUG"), _near, _hand_free, _is("PLUGGED_IN")),
        _becomes("PLUGGED_OUT", "PLUGGED_IN"),
    ),
    "WASH": _CLEAN,
    "RINSE": _CLEAN,
    "SCRUB": _CLEAN,
    "WIPE": _Action(1, (_near, _holds_something), _becomes("CLEAN", "DIRTY")),
    "POUR": _Action(2, (_can("POURABLE", "DRINKABLE"), _receives, _holds_it, _near_place), _pour),
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
