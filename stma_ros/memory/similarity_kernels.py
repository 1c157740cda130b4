"""Cosines between one query and many rounded vectors, as fast as memory delivers them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

ROW_LEVELS, QUERY_LEVELS = 127, 32_767
"""The greatest size of a rounded number, in rows and in the query."""

MAX_DIMENSIONS = (2**31 - 1) // (ROW_LEVELS * QUERY_LEVELS)
"""Up to here (516) no sum of products overflows its 32 bits."""

_STREAMS = 8
"""Parts of the rows that are read in turn. One stream waits for memory: with 77 MB, eight take half of its time."""


@kernel
def approximate_cosines(
    rows: NDArray[np.int8], scales: NDArray[np.float32], query: NDArray[np.int16], query_scale: np.float32
) -> NDArray[np.float32]:
    """Returns the N products of rounded vectors with a rounded query, scaled back.

    rows: (N, D), scales: (N,), query: (D,), with D <= MAX_DIMENSIONS and no number greater than its levels.
    """
    count, dimensions = rows.shape
    cosines = np.empty(count, np.float32)
    part = (count + _STREAMS - 1) // _STREAMS
    for start in range(part):
        for i in range(start, count, part):
            row = rows[i]
            total = np.int32(0)
            for k in range(dimensions):
                # numba widens sums and products to 64 bits; cut back to 32 at once, this is one instruction of SIMD.
                total = np.int32(total + np.int32(np.int32(row[k]) * np.int32(query[k])))
            cosines[i] = total * scales[i] * query_scale
    return cosines
