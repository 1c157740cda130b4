"""Tells the things that a goal means from others of their class that already are as it wants them.

"The computer is switched on" asks for nothing where another computer is. Such a goal also gets the rooms of its things,
or, where these are the same, all things that have to be so: "the first cup is on the table; the second cup is on the
table" where there is one already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from stma_ros.evaluation.programs.conditions import Condition, Goal, RelationCondition
from stma_ros.evaluation.programs.implications import stated
from stma_ros.evaluation.programs.matching import free_things, fulfilled_by, siblings
from stma_ros.worlds.programs.home_graph import INSIDE, ROOM, HomeGraph

Rooms: TypeAlias = Mapping[int, Condition]
"""The condition that a thing is in its room, by the id of the thing."""


def lasting_rooms(goal: Goal, before: HomeGraph, after: HomeGraph) -> Rooms:
    """Returns the rooms of those things of a goal that are in the same room before and after the activity."""
    return {
        id: RelationCondition(id, INSIDE, room)
        for id in free_things(goal.conditions, before)
        if before.nodes[id].category != ROOM
        for room in before.targets(id, INSIDE)
        if before.nodes[room].category == ROOM and after.has(id, INSIDE, room)
    }


def identified(goal: Goal, start: HomeGraph, rooms: Rooms) -> Goal | None:
    """Returns the goal with the givens that it needs, so that nothing that it changes is so at the start.

    A part whose things nothing tells apart, as two shirts that are exchanged, gets none.

    Args:
        goal: without givens.
        start: graph at the start of an episode.
        rooms: of its things in the home as published, which tell them apart.

    Returns:
        None if the whole goal is fulfilled at the start all the same.
    """
    meant = set(free_things(goal.conditions, start))
    givens = dict.fromkeys(
        each for part in _parts(goal, start) for each in _givens(part, start, rooms, meant)
    )
    if fulfilled_by((*goal.conditions, *givens), start) is not None:
        return None
    return replace(goal, givens=tuple(givens))


def _parts(goal: Goal, graph: HomeGraph) -> list[tuple[Condition, ...]]:
    """Returns the conditions of each thing, room or person that a goal changes, without those that others imply."""
    who = graph.character.id
    parts: dict[int, list[Condition]] = {}
    for condition in stated(goal.conditions, graph):
        changed = next((id for id in condition.nodes if id != who), who)
        parts.setdefault(changed, []).append(condition)
    return [tuple(conditions) for conditions in parts.values()]


def _givens(
    part: tuple[Condition, ...], start: HomeGraph, rooms: Rooms, meant: set[int]
) -> tuple[Condition, ...]:
    """Returns what a part of a goal needs besides. meant: all things of the goal."""
    if fulfilled_by(part, start) is None:
        return ()
    for givens in _rooms_to_name(part, start, rooms):
        if fulfilled_by((*part, *givens), start) is None:
            return givens
    return _others(part, start, meant)


def _rooms_to_name(
    part: Sequence[Condition], graph: HomeGraph, rooms: Rooms
) -> Iterator[tuple[Condition, ...]]:
    """Yields the room of each thing alone, and then all of them. A thing that was moved may be in another one."""
    said = [
        rooms[id]
        for id in free_things(part, graph)
        if id in rooms and rooms[id].holds(graph) and rooms[id] not in part and len(siblings(id, graph)) > 1
    ]
    yield from ((each,) for each in said)
    yield tuple(said)


def _others(part: tuple[Condition, ...], start: HomeGraph, meant: set[int]) -> tuple[Condition, ...]:
    """Returns the conditions of the other things that are as the part wants its own, so that they are counted; none if
    the goal means these, too."""
    wanted = part
    while (found := fulfilled_by(wanted, start)) is not None:
        others = set(found.values()) - set(free_things(wanted, start))
        if not others or others & meant:
            return ()
        as_wanted = (each.of(found) for each in wanted)
        wanted = (*wanted, *(each for each in dict.fromkeys(as_wanted) if others.intersection(each.nodes)))
    return wanted[len(part) :]
