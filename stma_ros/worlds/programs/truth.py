"""The true state of a home as a message, for reports; the agent has other names for the things."""

from __future__ import annotations

from stma_ros.types import vocabulary as words
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON, ROOM, HomeGraph, Node, state_word
from stma_ros.worlds.programs.senses import is_enclosed, rooms


def ground_truth(graph: HomeGraph, scene: str) -> GroundTruth:
    """Returns all things of a home, named by class and id. scene: the activity."""
    who = graph.character.id
    things = (node for node in graph.nodes.values() if node.category != ROOM and node.id != who)
    return GroundTruth(
        scene=scene,
        room=_room(graph, who),
        rooms=tuple(
            GroundTruthRoom(name=str(graph.nodes[id]), category=graph.nodes[id].name) for id in rooms(graph)
        ),
        objects=tuple(_thing(graph, node, who) for node in things),
    )


def _thing(graph: HomeGraph, node: Node, who: int) -> GroundTruthObject:
    support, inside = _support(graph, node.id, who)
    return GroundTruthObject(
        name=str(node),
        category=node.name,
        room=_room(graph, node.id),
        support=support,
        inside=inside,
        hidden=is_enclosed(graph, node.id),
        fixed="GRABBABLE" not in node.properties,
        states=tuple(sorted(map(state_word, graph.states(node.id)))),
    )


def _support(graph: HomeGraph, id: int, who: int) -> tuple[str, bool]:
    """Returns what a thing is on or in, and whether it is inside; nothing for what is worn."""
    if any(graph.has(who, hand, id) for hand in HANDS):
        return words.ROBOT, False
    for relation in (ON, INSIDE):
        for place in graph.targets(id, relation):
            if place not in (id, who) and graph.nodes[place].category != ROOM:
                return str(graph.nodes[place]), relation == INSIDE
    return "", False


def _room(graph: HomeGraph, id: int) -> str:
    room = graph.room_of(id)
    return "" if room is None else str(graph.nodes[room])
