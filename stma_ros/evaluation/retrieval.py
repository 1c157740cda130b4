"""The measurement `retrieval`: the time to retrieve from a large knowledge graph, compared with the published
algorithms on networkx.

All take turns on the same graph, vectors and queries. The package's retrieval and the published one have to return the
same result; a third row measures the spatial memory's default configuration, which reaches no more entities than a
prompt can hold. The time to embed a query, equal for all, is excluded.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from stma_ros.components.knowledge_memory.knowledge_memory import KnowledgeMemoryConfig
from stma_ros.evaluation.home_graphs import DIMENSIONS, HomeGraph, make_home_graph
from stma_ros.evaluation.timing import timed
from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.exclusive_facts import is_link
from stma_ros.memory.knowledge_graph import KnowledgeGraph
from stma_ros.memory.retrieval import Subgraph, retrieve
from stma_ros.types.errors import StmaError
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import setting

SIZES = (10_000, 100_000, 1_000_000)
"""Numbers of entities of the graphs."""

OURS, CONFIGURED, PUBLISHED = "stma_ros", "stma_ros, as configured", "networkx"
"""The retrieval that a row measures, in place of a preset."""

_ROUNDS = 3  # rounds of all queries, alternating, so that other load of the machine affects all alike


@dataclass(frozen=True)
class RetrievalSettings:
    largest: int = setting(SIZES[-1], "entities that a graph has at most", low=SIZES[0], high=SIZES[-1])
    queries: int = setting(25, "queries to each graph", low=1, high=10_000)
    top: int = setting(8, "entities most like the query from which the graph is expanded", low=1, high=1000)
    hops: int = setting(3, "facts that the expansion follows", low=0, high=20)


class RetrievalSpeed:
    """The Measurement of retrieval. Each size has its graph; the queries are the same for all."""

    name = "retrieval"
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "implementation",
        "group": "graph",
        "episodes": "queries",
        "retrieval_ms": "retrieval [ms]",
        "speed_up": "speed-up",
        "entities_found": "entities found",
        "facts_found": "facts found",
    }

    def __init__(self, settings: RetrievalSettings = RetrievalSettings()) -> None:
        self._settings = settings
        self._sizes = tuple(size for size in SIZES if size <= settings.largest)

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def total(self) -> int:
        return 3 * len(self._sizes)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        """Yields three rows for each size: medians over the queries. Raises StmaError where the package's retrieval and
        the published one differ."""
        for size in self._sizes:
            yield from self._measure(size, seed)

    def _measure(self, size: int, seed: int) -> Iterator[dict[str, Any]]:
        top, hops = self._settings.top, self._settings.hops
        home = make_home_graph(size, self._settings.queries, seed)
        graph, index = KnowledgeGraph(), EntityIndex(DIMENSIONS)
        graph.update(home.facts)
        index.add(home.names, home.vectors)
        published = _Published(home)
        sides: dict[str, Callable[[NDArray[np.float32]], Subgraph]] = {
            OURS: partial(_ours, graph, index, top, hops, 0),
            CONFIGURED: partial(_ours, graph, index, top, hops, KnowledgeMemoryConfig().entities),
            PUBLISHED: partial(published.retrieve, top=top, hops=hops),
        }
        took: dict[str, list[float]] = {side: [] for side in sides}
        found: dict[str, list[Subgraph]] = {}
        for _ in range(_ROUNDS):
            for side, answer in sides.items():
                answers = [timed(partial(answer, query)) for query in home.queries]
                took[side] += [seconds for _, seconds in answers]
                found[side] = [subgraph for subgraph, _ in answers]
        for ours, theirs in zip(found[OURS], found[PUBLISHED], strict=True):
            _check(ours, theirs)
        medians = {side: statistics.median(seconds) for side, seconds in took.items()}
        for side, seconds in medians.items():
            yield {
                "preset": side,
                "group": f"{size} entities",
                "episodes": self._settings.queries,
                "retrieval_ms": 1e3 * seconds,
                "speed_up": medians[PUBLISHED] / seconds,
                "entities_found": statistics.median(len(subgraph.entities) for subgraph in found[side]),
                "facts_found": statistics.median(len(subgraph.facts) for subgraph in found[side]),
            }


def _ours(
    graph: KnowledgeGraph, index: EntityIndex, top: int, hops: int, limit: int, query: NDArray[np.float32]
) -> Subgraph:
    return retrieve(graph, index, query, top=top, hops=hops, limit=limit)


class _Published:
    """STMA's algorithms 1 and 3, as printed, over an undirected networkx graph and all cosines at once."""

    def __init__(self, home: HomeGraph) -> None:
        self._names = home.names
        self._vectors = home.vectors
        self._graph: nx.MultiGraph[str] = nx.MultiGraph()
        for fact in home.facts:
            if is_link(fact):
                self._graph.add_edge(fact.subject, fact.object, fact=fact)

    def retrieve(self, query: NDArray[np.float32], top: int, hops: int) -> Subgraph:
        """Returns the subgraph with the facts that link two entities, and no others."""
        cosines = self._vectors @ (query / np.linalg.norm(query))
        best = np.argpartition(cosines, -top)[-top:]
        reached: set[str] = set()
        for row in best:
            name = self._names[row]
            reached |= nx.single_source_shortest_path_length(self._graph, name, cutoff=hops).keys()
        edges: Iterable[tuple[str, str, Relation]] = self._graph.subgraph(reached).edges(data="fact")
        return Subgraph(entities=tuple(reached), facts=tuple(fact for _, _, fact in edges))


def _check(ours: Subgraph, published: Subgraph) -> None:
    links = sum(is_link(fact) for fact in ours.facts)
    if set(ours.entities) != set(published.entities) or links != len(published.facts):
        raise StmaError(
            f"retrieval found {len(ours.entities)} entities and {links} links where the published algorithm found "
            f"{len(published.entities)} and {len(published.facts)}; one of the two is wrong"
        )
