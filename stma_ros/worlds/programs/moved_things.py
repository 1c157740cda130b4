"""Places the movable things of a home anew, so that nobody can know where they are by having seen the published one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from stma_ros.worlds.programs.home_graph import (
    CHARACTER,
    CLOSE,
    FACING,
    HANDS,
    INSIDE,
    ON,
    ROOM,
    HomeGraph,
    Node,
)

_STREAM = 2  # among the streams of random numbers of an episode
_BUILDING: Final = frozenset({ROOM, "Characters", "Walls", "Ceiling", "Floor", "Floors", "Doors", "Windows"})
_FURNITURE: Final = frozenset({"Furniture", "Appliances", "placable_objects"})


def with_things_moved(graph: HomeGraph, seed: int) -> HomeGraph:
    """Returns a copy of a home in which every movable thing is on or in a piece of furniture that the seed draws."""
    moved = graph.copy()
    places = list(_places(graph))
    rng = np.random.default_rng((seed % 2**64, _STREAM))
    for id in movable_things(graph) if places else ():
        _place(moved, id, *places[int(rng.integers(len(places)))])
    return moved


def movable_things(graph: HomeGraph) -> list[int]:
    """Returns what can be grabbed, by ids. What is held, worn or poured into something stays there, and so does what
    carries furniture or a person, as a mat does."""
    return [id for id in sorted(graph.nodes) if _is_movable(graph, id)]


def _is_movable(graph: HomeGraph, id: int) -> bool:
    node = graph.nodes[id]
    if "GRABBABLE" not in node.properties or "BODY_PART" in node.properties or _is_poured(graph, node):
        return False
    on_somebody = any(graph.nodes[place].name == CHARACTER for place in graph.targets(id, ON))
    held = any(graph.sources(hand, id) for hand in HANDS)
    load = (graph.nodes[each] for each in graph.load(id))
    is_fixed = any("GRABBABLE" not in each.properties and not _is_poured(graph, each) for each in load)
    return not (on_somebody or held or is_fixed)


def _is_poured(graph: HomeGraph, node: Node) -> bool:
    is_liquid = node.name == "water" or not node.properties.isdisjoint(("POURABLE", "DRINKABLE"))
    vessels = (graph.nodes[place] for place in graph.targets(node.id, INSIDE))
    return is_liquid and any("RECIPIENT" in vessel.properties for vessel in vessels)


def _places(graph: HomeGraph) -> Iterator[tuple[str, int]]:
    """Yields the relation and the id of each place that things may get."""
    for id in sorted(graph.nodes):
        node = graph.nodes[id]
        is_part_of_home = node.category not in _BUILDING and "GRABBABLE" not in node.properties
        if not is_part_of_home or graph.room_of(id) is None:
            continue
        if "SURFACES" in node.properties or _is_used(graph, ON, node):
            yield ON, id
        if ("CONTAINERS" in node.properties or _is_used(graph, INSIDE, node)) and _can_be_open(graph, node):
            yield INSIDE, id


def _is_used(graph: HomeGraph, relation: str, node: Node) -> bool:
    """Whether things that can be grabbed are on or in a piece of furniture already."""
    there = (graph.nodes[id] for id in graph.sources(relation, node.id))
    return node.category in _FURNITURE and any("GRABBABLE" in each.properties for each in there)


def _can_be_open(graph: HomeGraph, node: Node) -> bool:
    """Whether what is in it can be taken out: it is not closed for good, as what is switched on without a switch."""
    states = graph.states(node.id)
    stays_on = "ON" in states and "HAS_SWITCH" not in node.properties
    return "CLOSED" not in states or ("CAN_OPEN" in node.properties and not stays_on)


def _place(graph: HomeGraph, id: int, relation: str, place: int) -> None:
    room = graph.room_of(place)
    assert room is not None, "no place is in no room"
    for each in (ON, INSIDE):
        for former in graph.targets(id, each):
            graph.remove(id, each, former)
    graph.add(id, relation, place)
    graph.bring(id, room)
    for moved in (id, *graph.load(id)):
        graph.detach(moved, CLOSE, FACING)
        graph.add(moved, CLOSE, place)
        graph.add(place, CLOSE, moved)
