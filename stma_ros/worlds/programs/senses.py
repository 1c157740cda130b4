"""What somebody sees of a home: what is in the room and in nothing that is closed."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON, ROOM, HomeGraph


def rooms(graph: HomeGraph) -> Iterator[int]:
    return (id for id, node in graph.nodes.items() if node.category == ROOM)


def seen_things(graph: HomeGraph) -> Iterator[int]:
    """Yields what the character sees, apart from itself and rooms. It always sees what it holds and wears, and its
    body, which VirtualHome has as things in some room."""
    who = graph.character.id
    here = graph.room_of(who)
    carried = {*graph.targets(who, *HANDS), *graph.sources(ON, who)}
    for id, node in graph.nodes.items():
        if node.category == ROOM or id == who:
            continue
        is_with_it = id in carried or "BODY_PART" in node.properties
        if is_with_it or (graph.room_of(id) == here and not is_enclosed(graph, id)):
            yield id


def is_enclosed(graph: HomeGraph, id: int) -> bool:
    """Whether a node, or something that it is on or in, directly or further up, is in something closed.

    What stands on a closed thing is in the open, and so are things in a circle, which some files have: two curtains,
    each in the other one.
    """
    return any(
        "CAN_OPEN" in graph.nodes[holder].properties
        and "CLOSED" in graph.states(holder)
        and each not in graph.holders(holder)
        for each in (id, *graph.holders(id))
        for holder in graph.targets(each, INSIDE)
    )
