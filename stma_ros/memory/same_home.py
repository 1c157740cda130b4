"""Whether a knowledge graph describes the home that is seen now: exits of rooms stay, whatever happens to objects."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.types import vocabulary as words

_ENOUGH = 2  # rooms with the same exits: one may agree by chance


@dataclass
class _Way:
    room: str = ""
    door: str = ""

    def contradicts(self, other: _Way) -> bool:
        """Whether both name a room or a door, and not the same."""
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
    known, told = _plan(remembered), _plan(seen)
    common = [room for room in told if room in known]
    for room in common:
        missing = known[room].keys() - told[room].keys()
        if _contradicts(told[room], known[room]) or (missing and room in complete):
            return False
    agreeing = sum(told[room].keys() == known[room].keys() for room in common)
    return True if agreeing >= max(1, min(_ENOUGH, len(known))) else None


def _plan(graph: KnowledgeGraph) -> dict[str, dict[str, _Way]]:
    """Returns for each room with a known exit what lies in each direction."""
    plan: dict[str, dict[str, _Way]] = {}
    for fact in graph.facts:
        if fact.predicate.startswith(words.EXIT):
            way = plan.setdefault(fact.subject, {}).setdefault(
                fact.predicate.removeprefix(words.EXIT), _Way()
            )
            way.room = "" if fact.object == words.UNEXPLORED else fact.object
        elif fact.predicate.startswith(words.DOOR):
            way = plan.setdefault(fact.subject, {}).setdefault(
                fact.predicate.removeprefix(words.DOOR), _Way()
            )
            way.door = fact.object
    return plan


def _contradicts(told: Mapping[str, _Way], known: Mapping[str, _Way]) -> bool:
    return any(direction not in known or way.contradicts(known[direction]) for direction, way in told.items())


def _differ(one: str, other: str) -> bool:
    return bool(one and other and one != other)
