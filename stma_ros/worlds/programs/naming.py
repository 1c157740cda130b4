"""The names of a home's things for the agent, which tell nothing of ids: tasks are about ids that stand out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from stma_ros.worlds.programs.home_graph import HomeGraph

_STREAM = 1  # among the streams of random numbers of an episode


class Names:
    """Names of nodes: their kind and a number, in the order in which they are seen first.

    Things that are seen together come in an order that is drawn once.
    """

    def __init__(self, graph: HomeGraph, seed: int) -> None:
        self._kinds = {id: node.kind for id, node in graph.nodes.items()}
        drawn = np.random.default_rng((seed % 2**64, _STREAM)).permutation(sorted(graph.nodes))
        self._rank = {int(id): rank for rank, id in enumerate(drawn)}
        self._counts: Counter[str] = Counter()
        self._names: dict[int, str] = {}
        self._ids: dict[str, int] = {}

    def ordered(self, ids: Iterable[int]) -> list[int]:
        """Returns nodes in the order in which an observation names them."""
        return sorted(ids, key=self._rank.__getitem__)

    def see(self, ids: Iterable[int]) -> None:
        """Names those that have no name yet."""
        for id in self.ordered(ids):
            if id not in self._names:
                kind = self._kinds[id]
                self._counts[kind] += 1
                name = f"{kind}_{self._counts[kind]}"
                self._names[id] = name
                self._ids[name] = id

    def of(self, id: int) -> str:
        """Returns the name of a node; its kind while it was not seen."""
        return self._names.get(id, self._kinds[id])

    def id_of(self, name: str) -> int | None:
        """Returns what has a name; None if nothing has."""
        return self._ids.get(name)
