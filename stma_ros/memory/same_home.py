"""Compares a knowledge graph with the present home by the exits of rooms, which are permanent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.types import vocabulary as words

_ENOUGH = 2  # rooms with the same exits: one may agree by chance


@dataclass
class _Exit:
    room: str = ""
    door: str = ""

    def contradicts(self, other: _Exit) -> bool:
        """Returns whether both name a room or a door, but not the same."""
        return _differ(self.room, other.room) or _differ(self.door, other.door)


def is_same_home(
    remembered: KnowledgeGraph, seen: KnowledgeGraph, complete: Collection[str] = ()
) -> bool | None:
    """Compares the exits of rooms that two graphs have in common.

    Args:
        remembered: the older graph.
        seen: the graph of what was seen so far.
        complete: rooms of which all exits were seen; other rooms may have more.

    Returns:
        Whether it is the same home; None = too little was seen.
    """
    known_exits, seen_exits = _exits_of_rooms(remembered), _exits_of_rooms(seen)
    common = [room for room in seen_exits if room in known_exits]
    for room in common:
        missing = known_exits[room].keys() - seen_exits[room].keys()
        if _contradicts(seen_exits[room], known_exits[room]) or (missing and room in complete):
            return False
    agreeing = sum(seen_exits[room].keys() == known_exits[room].keys() for room in common)
    return True if agreeing >= max(1, min(_ENOUGH, len(known_exits))) else None


def _exits_of_rooms(graph: KnowledgeGraph) -> dict[str, dict[str, _Exit]]:
    """Returns for each room with a known exit what lies in each direction."""
    plan: dict[str, dict[str, _Exit]] = {}
    for fact in graph.facts:
        if fact.predicate.startswith(words.EXIT):
            way = plan.setdefault(fact.subject, {}).setdefault(
                fact.predicate.removeprefix(words.EXIT), _Exit()
            )
            way.room = "" if fact.object == words.UNEXPLORED else fact.object
        elif fact.predicate.startswith(words.DOOR):
            way = plan.setdefault(fact.subject, {}).setdefault(
                fact.predicate.removeprefix(words.DOOR), _Exit()
            )
            way.door = fact.object
    return plan


def _contradicts(seen_exits: Mapping[str, _Exit], known_exits: Mapping[str, _Exit]) -> bool:
    return any(
        direction not in known_exits or way.contradicts(known_exits[direction])
        for direction, way in seen_exits.items()
    )


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)
