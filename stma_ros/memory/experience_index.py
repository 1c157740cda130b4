"""Finds the experiences that are most similar to the present task and scene graph (MCoT-Memory, equations 7 and 8).

An experience has one vector, [task, graph], and so has a query. Both halves are indexed by themselves, since the
weights of their similarities come with the query; the result is exact.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.growable_table import with_rows
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
        self._graphs = EntityIndex(self._half)
        # The same tasks come again and again: each is held and compared once.
        self._tasks = EntityIndex(self._half)
        self._uses: Counter[str] = Counter()  # experiences of each task
        self._task_rows: NDArray[np.intp] = np.empty(0, np.intp)  # in `_tasks`, by the rows of `_graphs`

    def __len__(self) -> int:
        return len(self._graphs)

    def add(self, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        """Adds experiences, or replaces those with the same numbers.

        Args:
            numbers: N different numbers.
            vectors: (N, 2 D), both halves not zero.
        """
        for number in numbers:
            self.remove(number)
        first = len(self)
        self._graphs.add([str(number) for number in numbers], vectors[:, self._half :])
        names = [_digest(vector) for vector in vectors[:, : self._half]]
        new = {name: row for row, name in enumerate(names) if name not in self._tasks}
        self._tasks.add(list(new), vectors[list(new.values()), : self._half])
        self._uses.update(names)
        self._task_rows = with_rows(self._task_rows, len(self))
        self._task_rows[first : len(self)] = [self._tasks.row_of(name) for name in names]

    def remove(self, number: int) -> None:
        """Removes an experience if it is known."""
        name = str(number)
        if name not in self._graphs:
            return
        row = self._graphs.row_of(name)
        task_row = int(self._task_rows[row])
        self._graphs.remove(name)
        self._task_rows[row] = self._task_rows[len(self)]  # the last row has moved to its place
        task = self._tasks.name_at(task_row)
        self._uses[task] -= 1
        if not self._uses[task]:
            del self._uses[task]
            self._tasks.remove(task)
            self._task_rows[self._task_rows == len(self._tasks)] = task_row

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
        task_rows = self._task_rows[:total]
        least = (weights.task * tasks.least)[task_rows] + weights.graph * graphs.least
        most = (weights.task * tasks.most)[task_rows] + weights.graph * graphs.most
        rows = np.flatnonzero(most >= np.partition(least, total - count)[total - count])
        by_task = self._tasks.cosines(task_rows[rows], task)
        by_graph = self._graphs.cosines(rows, graph)
        sums = weights.task * by_task + weights.graph * by_graph
        found = [
            Similar(int(self._graphs.name_at(row)), *values)
            for row, *values in zip(
                rows.tolist(), sums.tolist(), by_task.tolist(), by_graph.tolist(), strict=True
            )
        ]
        return sorted(found, key=lambda each: (-each.total, each.number))[:count]


def _digest(vector: NDArray[np.float32]) -> str:
    return hashlib.blake2b(np.ascontiguousarray(vector).tobytes(), digest_size=16).hexdigest()


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return (vector / np.linalg.norm(vector.astype(np.float64))).astype(np.float32)
