"""Tables whose rows become more."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

ScalarT = TypeVar("ScalarT", bound=np.generic)

_FEWEST = 64


def with_rows(table: NDArray[ScalarT], rows: int) -> NDArray[ScalarT]:
    """The table itself if it has so many rows, else a larger one that begins with its rows; what the others hold is not
    defined. It at least doubles, so that adding one row after the other takes linear time."""
    if rows <= len(table):
        return table
    shape: tuple[Any, ...] = (max(rows, 2 * len(table), _FEWEST), *table.shape[1:])
    grown = np.empty(shape, table.dtype)
    grown[: len(table)] = table
    return grown
