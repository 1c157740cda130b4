"""What actions change in the graph of a home; what they need is checked before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from stma_ros.worlds.programs.home_graph import CLOSE, FACING, INSIDE, ON
from stma_ros.worlds.programs.situation import Turn

Change: TypeAlias = Callable[[Turn], None]


def nothing(turn: Turn) -> None:
    """The action leaves no trace."""


def walk(turn: Turn) -> None:
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


def find(turn: Turn) -> None:
    """Goes there unless it is near."""
    if not turn.finds:
        walk(turn)
        return
    for faced in turn.graph.targets(turn.who, FACING):
        turn.graph.remove(turn.who, FACING, faced)
    turn.near_each_other(turn.who, turn.thing.id)


def grab(turn: Turn) -> None:
    """Takes a thing, or takes it into the other hand, too."""
    graph, who, thing = turn.graph, turn.who, turn.thing.id
    hand, room = turn.free_hand, turn.room
    assert hand is not None, "checked before"
    if thing not in turn.held:
        turn.taken_from[thing] = _, place = turn.place_of(thing)
        if place != room:
            turn.near_each_other(who, place)
    graph.detach(thing, ON, INSIDE, CLOSE)
    graph.add(who, hand, thing)
    turn.near_each_other(who, thing)
    graph.add(thing, INSIDE, room)


def put(relation: str) -> Change:
    def change(turn: Turn) -> None:
        _put_down(turn, relation, turn.place.id)

    return change


def put_back(turn: Turn) -> None:
    _put_down(turn, *turn.taken_from[turn.thing.id])


def _put_down(turn: Turn, relation: str, place: int) -> None:
    thing = turn.thing.id
    turn.let_go(thing)
    turn.near_each_other(turn.who, place)
    turn.near_each_other(thing, place)
    turn.graph.add(thing, relation, place)


def drop(turn: Turn) -> None:
    turn.let_go(turn.thing.id)


def wear(turn: Turn) -> None:
    turn.let_go(turn.thing.id)
    turn.graph.add(turn.thing.id, ON, turn.who)


def take_off(turn: Turn) -> None:
    turn.graph.remove(turn.thing.id, ON, turn.who)


def pour(turn: Turn) -> None:
    turn.graph.add(turn.thing.id, INSIDE, turn.place.id)
    if turn.thing.name == "water":
        turn.let_go(turn.thing.id)


def turn_to(turn: Turn) -> None:
    for faced in turn.graph.targets(turn.who, FACING):
        turn.graph.remove(turn.who, FACING, faced)
    turn.graph.add(turn.who, FACING, turn.thing.id)


def becomes(after: str, before: str) -> Change:
    def change(turn: Turn) -> None:
        turn.graph.change_state(turn.thing.id, [before], [after])

    return change


def sit(turn: Turn) -> None:
    turn.graph.add(turn.who, ON, turn.thing.id)
    for faced in turn.graph.targets(turn.thing.id, FACING):
        turn.graph.add(turn.who, FACING, faced)
    turn.graph.change_state(turn.who, ["LYING"], ["SITTING"])


def lie(turn: Turn) -> None:
    turn.graph.add(turn.who, ON, turn.thing.id)
    turn.graph.change_state(turn.who, ["SITTING"], ["LYING"])


def stand_up(turn: Turn) -> None:
    turn.graph.change_state(turn.who, ["SITTING", "LYING"], [])
