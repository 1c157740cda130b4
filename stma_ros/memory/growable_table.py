"""Tables that grow by rows."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

ScalarT = TypeVar("ScalarT", bound=np.generic)

_FEWEST = 64


def with_rows(table: NDArray[ScalarT], rows: int) -> NDArray[ScalarT]:
    """Returns the table if it has at least `rows` rows, else a larger one that begins with its rows; the rest is
    undefined.

    The size at least doubles, so that adding one row after the other takes linear time.
    """
    if rows <= len(table):
        return table
    shape: tuple[Any, ...] = (max(rows, 2 * len(table), _FEWEST), *table.shape[1:])
    grown = np.empty(shape, table.dtype)
    grown[: len(table)] = table
    return grown
