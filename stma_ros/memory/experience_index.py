"""Finds the experiences that are most similar to the present task and scene graph (MCoT-Memory, equations 7 and 8).

An experience has one vector, [task, graph], and so has a query. Both halves are indexed by themselves, since the
weights of their similarities come with the query; the result is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.entity_index import EntityIndex
from stma_ros.types.errors import StmaError


@dataclass(frozen=True)
class SimilarityWeights:
    """Weights of the two similarities in equation 7, of which at least one is positive.

    Attributes:
        task: lambda 1, of the similarity of the tasks' texts.
        graph: lambda 2, of the similarity of the present scene graph and the final one of the experience.
    """

    task: float = 0.5
    graph: float = 0.5


class Similar(NamedTuple):
    """An experience and its similarities: the weighted sum, and the two cosines."""

    number: int
    total: float
    task: float
    graph: float


class ExperienceIndex:
    """The vectors of experiences by their numbers."""

    def __init__(self, dimensions: int) -> None:
        """Creates an empty index. dimensions: 2 D, the length of a vector."""
        if dimensions % 2:
            raise StmaError(f"a vector of task and graph has an even length, not {dimensions}")
        self._half = dimensions // 2
        # Both have the same numbers in the same rows, as they are always changed together.
        self._tasks = EntityIndex(self._half)
        self._graphs = EntityIndex(self._half)

    def __len__(self) -> int:
        return len(self._tasks)

    def add(self, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Adds experiences, or replaces those with the same numbers. vectors: (N, 2 D), both halves not zero."""
        names = [str(number) for number in numbers]
        self._tasks.add(names, vectors[:, : self._half])
        self._graphs.add(names, vectors[:, self._half :])

    def remove(self, number: int) -> None:
        """Removes an experience if it is known."""
        self._tasks.remove(str(number))
        self._graphs.remove(str(number))

    def most_similar(
        self, query: NDArray[np.float32], weights: SimilarityWeights, count: int
    ) -> list[Similar]:
        """Returns the `count` most similar experiences, best first; of equal ones, the older ones first.

        Args:
            query: (2 D,) vector [task, graph] of the present.
            weights: of the two similarities.
            count: number of experiences.
        """
        total = len(self)
        count = min(count, total)
        if count <= 0:
            return []
        task, graph = _unit(query[: self._half]), _unit(query[self._half :])
        tasks, graphs = self._tasks.bounds(task), self._graphs.bounds(graph)
        least = weights.task * tasks.least + weights.graph * graphs.least
        most = weights.task * tasks.most + weights.graph * graphs.most
        rows = np.flatnonzero(most >= np.partition(least, total - count)[total - count])
        by_task, by_graph = self._tasks.cosines(rows, task), self._graphs.cosines(rows, graph)
        sums = weights.task * by_task + weights.graph * by_graph
        found = [
            Similar(int(self._tasks.name_at(row)), *values)
            for row, *values in zip(
                rows.tolist(), sums.tolist(), by_task.tolist(), by_graph.tolist(), strict=True
            )
        ]
        return sorted(found, key=lambda each: (-each.total, each.number))[:count]


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vector / np.linalg.norm(vector.astype(np.float64))).astype(np.float32)
