"""Finds a short tour over viewpoints that sees everything."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.eqa.generation.walking import WalkingDistances
from stma_ros.worlds.robot.geometry import FloatArray

_EAGERNESS: Final = (0.0, 0.15, 0.5, 2.0, 10.0)
"""Trials of the greedy choice: how much a metre of the way counts against what a viewpoint shows [1/m]."""


def shortest_tour(
    walking: WalkingDistances, nodes: NDArray[np.int64], seen: NDArray[np.bool_]
) -> tuple[int, ...]:
    """Returns the stops, as cells of `walking`, of the shortest tour found from the start that sees everything.

    Greedy cover, whose order is improved by 2-opt, and from which the stops that the others make needless are dropped;
    the best of a few trials. It ends at its last stop.

    Args:
        walking: distances between cells.
        nodes: (V,) cells that may be stops, the start among them.
        seen: (V, T) what each of them sees; everything is seen from some.
    """
    finder = _TourFinder(walking, nodes, seen)
    tours = [finder.tour(eagerness) for eagerness in _EAGERNESS]
    return min(tours, key=lambda tour: (finder.length(tour), tour))


class _TourFinder:
    def __init__(self, walking: WalkingDistances, nodes: NDArray[np.int64], seen: NDArray[np.bool_]) -> None:
        self._walking, self._nodes, self._seen = walking, nodes, seen
        self._row = {int(node): k for k, node in enumerate(nodes)}
        self._fields: dict[int, FloatArray] = {}

    def tour(self, eagerness: float) -> tuple[int, ...]:
        start = self._walking.start_node
        left = ~self._seen[self._row[start]]
        stops: list[int] = []
        here = start
        while left.any():
            gains = (self._seen & left).sum(axis=1)
            worth = np.where(gains > 0, gains / (1.0 + eagerness * self._field(here)[self._nodes]), -1.0)
            best = int(np.argmax(worth))
            here = int(self._nodes[best])
            stops.append(here)
            left &= ~self._seen[best]
        return self._pruned(self._ordered(stops))

    def length(self, stops: Sequence[int]) -> float:
        """Returns the length of the tour on the raster [m]."""
        return sum(self._between(a, b) for a, b in itertools.pairwise((self._walking.start_node, *stops)))

    def _ordered(self, stops: Sequence[int]) -> list[int]:
        """Orders stops by the nearest next, then by 2-opt with an open end."""
        left, order, here = sorted(stops), [], self._walking.start_node
        while left:
            here = min(left, key=lambda node: (self._between(here, node), node))
            left.remove(here)
            order.append(here)
        improved = True
        while improved:
            improved = False
            for i, j in itertools.combinations(range(len(order) + 1), 2):
                other = order[:i] + order[i:j][::-1] + order[j:]
                if self.length(other) < self.length(order) - 1e-9:
                    order, improved = other, True
        return order

    def _pruned(self, stops: list[int]) -> tuple[int, ...]:
        """Drops stops as long as the others see everything, the one that saves most first."""
        while True:
            shorter = [stops[:k] + stops[k + 1 :] for k in range(len(stops))]
            enough = [tour for tour in shorter if self._sees_all(tour)]
            if not enough:
                return tuple(stops)
            stops = self._ordered(min(enough, key=self.length))

    def _sees_all(self, stops: Sequence[int]) -> bool:
        rows = [self._row[node] for node in (self._walking.start_node, *stops)]
        return bool(self._seen[rows].any(axis=0).all())

    def _between(self, a: int, b: int) -> float:
        return float(self._field(a)[b])

    def _field(self, node: int) -> FloatArray:
        if node not in self._fields:
            self._fields[node] = self._walking.after({node: 0.0})
        return self._fields[node]
