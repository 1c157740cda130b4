"""What of the knowledge graph matters now (STMA, algorithms 1 and 3): the entities most like the query, and what is a
few facts away from them."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.exclusive_facts import is_link
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation


@dataclass(frozen=True)
class Subgraph:
    """seeds: the entities that the expansion began at. entities: these and what was reached, nearest first, then the
    places around. facts: all that hold between them or say something of one of them, by their subject."""

    seeds: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    facts: tuple[Relation, ...] = ()


def retrieve(
    graph: KnowledgeGraph,
    index: EntityIndex,
    query: NDArray[np.float32],
    *,
    top: int = 8,
    hops: int = 3,
    directed: bool = False,
    limit: int = 0,
    around: str = "",
    places: int = 0,
    facts: int = 0,
) -> Subgraph:
    """Algorithm 1. query: an embedding, (dimensions,), of any length but zero. top: n, hops: K (appendix A.2).
    directed: follow facts from subject to object only. Raises StmaError for a query of another shape.

    Beyond the paper: the expansion ends at `limit` entities (0 = none), so that no home is too large for a prompt; and
    since what is retrieved is no use without the ways between, the `places` nearest places to the entity `around` (the
    robot), as far as exits lead, belong to the result, though not what is in them. Of two entities any number of facts
    may hold: of more than `facts` (0 = any number), those that begin at these places come first, then at what is
    near."""
    similar = tuple(name for name, _ in index.most_similar(query, top))
    ways = network(graph, around, places)
    reached, found = graph.neighbourhood(similar, hops, directed=directed, limit=limit, also=ways)
    if facts and len(found) > facts:
        first = sorted(range(len(found)), key=lambda number: found[number].subject not in ways)
        found = tuple(found[number] for number in sorted(first[:facts]))
    return Subgraph(similar, reached, found)


def network(graph: KnowledgeGraph, start: str, limit: int) -> dict[str, None]:
    """The entity `start`, where it is, and the nearest places that exits lead to from there, with the doors between:
    `limit` places in all, in the order in which they are reached."""
    reached: dict[str, None] = {}
    if limit < 1 or start not in graph:
        return reached
    reached[start] = None
    border = deque(f.object for f in graph.about(start) if f.subject == start and f.predicate == words.IN)
    places = 0
    while border and places < limit:
        place = border.popleft()
        if place in reached:
            continue
        reached[place] = None
        places += 1
        for fact in graph.about(place):
            if fact.predicate.startswith(words.EXIT) and is_link(fact):
                border.append(fact.object if fact.subject == place else fact.subject)
            elif fact.predicate.startswith(words.DOOR):
                reached[fact.object] = None
    return reached
