"""Finds the entities whose embeddings are most similar to a query: exact, with a first pass over 8-bit copies.

Every vector is stored twice, as it is and rounded to 8 bits. The error that rounding can cause in a cosine is known for
each vector (the length of the rounded part), so the rounded copies, a quarter of the size, determine which few vectors
can be among the best, and only those are compared exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.memory.growable_table import with_rows
from stma_ros.memory.similarity_kernels import MAX_DIMENSIONS, QUERY_LEVELS, ROW_LEVELS, approximate_cosines
from stma_ros.types.errors import StmaError

_ROUNDING = 1e-5
"""Largest error of float32 arithmetic [cosine]: a unit vector's length is off by at most 1e-7, as is the scaled sum;
the length of what was rounded off, itself below 0.1, by D * 2^-24 of it, 3e-6."""

_CHUNK = 8192  # vectors that are rounded at once, which bounds the memory for it


class CosineBounds(NamedTuple):
    """Lower and upper bounds of N cosines, in the order of the index."""

    least: NDArray[np.float32]
    most: NDArray[np.float32]


class EntityIndex:
    """Unit vectors of entities by name, in one growing (N, D) table."""

    def __init__(self, dimensions: int) -> None:
        """Creates an empty index.

        Args:
            dimensions: D, the length of the embeddings.

        Raises:
            StmaError: there are no dimensions, or more than the 8-bit comparison can sum up.
        """
        if not 1 <= dimensions <= MAX_DIMENSIONS:
            raise StmaError(
                f"an index of entities holds embeddings of 1 to {MAX_DIMENSIONS} dimensions, not {dimensions}; "
                "choose a smaller embedder"
            )
        self._dimensions = dimensions
        self._names: list[str] = []
        self._rows: dict[str, int] = {}
        self._vectors: NDArray[np.float32] = np.empty((0, dimensions), np.float32)
        self._rounded: NDArray[np.int8] = np.empty((0, dimensions), np.int8)
        self._scales: NDArray[np.float32] = np.empty(0, np.float32)
        self._errors: NDArray[np.float32] = np.empty(0, np.float32)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def add(self, names: Sequence[str], vectors: ArrayLike) -> None:
        """Adds embeddings, or replaces those of known entities; of a name that occurs twice, the last one counts.

        Args:
            names: N names of entities.
            vectors: (N, D), of any length but zero.

        Raises:
            StmaError: the vectors have another shape or are not finite; the index is then unchanged.
        """
        vectors = np.asarray(vectors, np.float32)
        if vectors.shape != (len(names), self._dimensions):
            raise StmaError(
                f"{len(names)} names want embeddings of shape {(len(names), self._dimensions)}, got {vectors.shape}"
            )
        lengths = _lengths(vectors)
        if not np.all(np.isfinite(lengths)) or np.any(lengths == 0):
            raise StmaError("an embedding has no direction: it is all zero or not finite")
        latest = {name: position for position, name in enumerate(names)}
        rows = np.array([self._row(name) for name in latest], np.intp)
        positions = np.array(list(latest.values()), np.intp)
        self._reserve(len(self._names))
        for start in range(0, len(rows), _CHUNK):
            taken = positions[start : start + _CHUNK]
            self._store(rows[start : start + _CHUNK], vectors[taken], lengths[taken])

    def remove(self, name: str) -> None:
        """Removes an entity if it is known; the last row moves to its place."""
        row = self._rows.pop(name, None)
        if row is None:
            return
        last = self._names.pop()
        if last != name:
            self._names[row] = last
            self._rows[last] = row
            for table in (self._vectors, self._rounded, self._scales, self._errors):
                table[row] = table[len(self._names)]

    def most_similar(self, query: ArrayLike, count: int) -> list[tuple[str, float]]:
        """Finds the entities with the greatest cosine to a query.

        Args:
            query: (D,) vector; a query of length zero is similar to nothing.
            count: number of entities.

        Returns:
            Names and cosines, best first; ties in the order of names.

        Raises:
            StmaError: the query has another shape or is not finite.
        """
        query = np.asarray(query, np.float32)
        if query.shape != (self._dimensions,):
            raise StmaError(f"the query has shape {query.shape}, the entities' {(self._dimensions,)}")
        length = np.linalg.norm(query.astype(np.float64))
        if not np.isfinite(length):
            raise StmaError("the query is not finite")
        if not self._names or count <= 0 or length == 0:
            return []
        unit = (query / length).astype(np.float32)
        count = min(count, len(self))
        rows = self._candidates(unit, count)
        cosines = self.cosines(rows, unit)
        best = (
            cosines >= np.partition(cosines, len(rows) - count)[len(rows) - count]
        )  # more only where some tie
        ranked = sorted(
            (-cosine, self._names[row])
            for row, cosine in zip(rows[best].tolist(), cosines[best].tolist(), strict=True)
        )
        return [(name, -negative) for negative, name in ranked[:count]]

    def row_of(self, name: str) -> int:
        """Returns the row of an entity of the index. New entities get the next rows, in order."""
        return self._rows[name]

    def name_at(self, row: int) -> str:
        """Returns the name of the entity in a row of the index."""
        return self._names[row]

    def cosines(self, rows: NDArray[np.intp], unit: NDArray[np.float32]) -> NDArray[np.float64]:
        """Returns the cosines between a unit vector (D,) and the entities in some rows of the index."""
        # Not a matrix product: the cosine of a vector must not depend on the other rows.
        cosines: NDArray[np.float64] = (self._vectors[rows].astype(np.float64) * unit).sum(axis=1)
        return cosines

    def bounds(self, unit: NDArray[np.float32]) -> CosineBounds:
        """Returns bounds of the cosines between a unit vector (D,) and every entity, from the 8-bit copies alone.

        With row u = a + d, where a is its rounded copy, and query q = b + e likewise, a.b is computed, and |u.q - a.b|
        = |d.q + a.e| <= |d| + (1 + |d|) |e|.
        """
        total = len(self)
        scale = np.abs(unit).max() / np.float32(QUERY_LEVELS)
        rounded = np.rint(unit / scale).astype(np.int16)
        query_error = np.linalg.norm(unit - rounded * scale)
        cosines = approximate_cosines(self._rounded[:total], self._scales[:total], rounded, scale)
        errors = self._errors[:total] * (1 + query_error) + (query_error + np.float32(_ROUNDING))
        return CosineBounds(cosines - errors, cosines + errors)

    def _candidates(self, unit: NDArray[np.float32], count: int) -> NDArray[np.intp]:
        """Returns the rows that can be among the best `count`: those whose upper bound reaches the count-th lower
        bound."""
        bounds = self.bounds(unit)
        total = len(bounds.least)
        floor = np.partition(bounds.least, total - count)[total - count]
        return np.flatnonzero(bounds.most >= floor)

    def _row(self, name: str) -> int:
        """Returns the row of an entity; a new row for a new entity."""
        row = self._rows.setdefault(name, len(self._names))
        if row == len(self._names):
            self._names.append(name)
        return row

    def _store(
        self, rows: NDArray[np.intp], vectors: NDArray[np.float32], lengths: NDArray[np.float64]
    ) -> None:
        units = (vectors / lengths[:, None]).astype(np.float32)
        scales = np.abs(units).max(axis=1) / np.float32(ROW_LEVELS)
        rounded = np.rint(units / scales[:, None]).astype(np.int8)
        self._vectors[rows] = units
        self._rounded[rows] = rounded
        self._scales[rows] = scales
        self._errors[rows] = np.linalg.norm(units - rounded * scales[:, None], axis=1)

    def _reserve(self, rows: int) -> None:
        self._vectors = with_rows(self._vectors, rows)
        self._rounded = with_rows(self._rounded, rows)
        self._scales = with_rows(self._scales, rows)
        self._errors = with_rows(self._errors, rows)


def _lengths(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Returns the lengths of rows; in 64 bits, where no float32 overflows when squared."""
    lengths: NDArray[np.float64] = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
    return lengths
