"""Retrieval from the knowledge graph (STMA, algorithms 1 and 3): the entities most similar to a query, and their
neighbourhood."""

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
    """A part of a knowledge graph.

    Attributes:
        seeds: entities most similar to the query.
        entities: the seeds and the entities reached from them, nearest first, then the places around the robot.
        facts: facts between these entities, and facts on one of them alone, by their subject.
    """

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
    """Retrieves the part of the graph that concerns a query (STMA, algorithm 1).

    Beyond the paper, the expansion can be limited, so that no home is too large for a prompt, and the places around the
    robot belong to the result, since facts are of no use without the ways between places.

    Args:
        graph: the knowledge graph.
        index: embeddings of its entities.
        query: (dimensions,) embedding, of any length but zero.
        top: number of seeds, n in the paper (appendix A.2).
        hops: depth of the expansion, K in the paper.
        directed: follow facts from subject to object only.
        limit: entities at most, seeds counted, all of which stay; 0 = any number.
        around: the robot's entity.
        places: number of nearest places to `around` that belong to the result, without their contents.
        facts: facts at most; 0 = any number. Those that begin at the places around come first, then those of near
            entities.

    Returns:
        The subgraph.

    Raises:
        StmaError: the query has another shape or is not finite.
    """
    similar = tuple(name for name, _ in index.most_similar(query, top))
    ways = network(graph, around, places)
    reached, found = graph.neighbourhood(similar, hops, directed=directed, limit=limit, also=ways)
    if facts and len(found) > facts:
        first = sorted(range(len(found)), key=lambda number: found[number].subject not in ways)
        found = tuple(found[number] for number in sorted(first[:facts]))
    return Subgraph(similar, reached, found)


def network(graph: KnowledgeGraph, start: str, limit: int) -> dict[str, None]:
    """Returns `start`, its place, and the nearest places that exits lead to, with the doors between, in the order in
    which they are reached.

    Args:
        graph: the knowledge graph.
        start: the robot's entity.
        limit: number of places.
    """
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
