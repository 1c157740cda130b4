"""The floors of a building, and on which of them something is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stma_ros.types.errors import ConfigurationError

SLAB = 0.3
"""What is less than this below a floor [m] counts as on it: the slab is there, and heights are not exact."""

STOREY = 2.2
"""Least distance of a floor from the next one [m]."""


@dataclass(frozen=True)
class Floors:
    """The floors of a building, numbered from 0 for the lowest. By default there is one, at z = 0.

    Attributes:
        heights: of the floors above z = 0 of the map, ascending [m].
    """

    heights: tuple[float, ...] = (0.0,)

    def __post_init__(self) -> None:
        steps = [upper - lower for lower, upper in zip(self.heights, self.heights[1:], strict=False)]
        if (
            not self.heights
            or not all(map(math.isfinite, self.heights))
            or min(steps, default=STOREY) < STOREY
        ):
            raise ValueError(
                f"not the floors of a building: {self.heights}; want one or more heights in metres, from the lowest "
                f"to the highest, each at least {STOREY:g} m above the one before"
            )

    @classmethod
    def parse(cls, text: str) -> Floors:
        """Reads heights with commas between them [m]; an empty text is one floor at z = 0.

        Raises:
            ConfigurationError: The text is something else, or floors are less than STOREY apart.
        """
        if not text.strip():
            return cls()
        try:
            return cls(tuple(sorted(float(height) for height in text.split(","))))
        except ValueError as error:
            raise ConfigurationError(
                f'{text!r} is not a list of heights, such as "0, 2.8": {error}'
            ) from error

    def number(self, z: float) -> int:
        """Returns the number of the floor on which something at height z [m] of the map is: of those that are not
        above it the highest one, and the lowest one for what is below all."""
        return int(self._numbers(z))

    def below(self, z: ArrayLike) -> NDArray[np.float64]:
        """Returns the heights of the floors on which things at heights `z` (...) of the map are [m]."""
        return np.asarray(self.heights)[self._numbers(z)]

    def is_between(self, z: float) -> bool:
        """Whether a base at height z [m] of the map stands on none of several floors, but on stairs or in a lift. Where
        there is one floor, it stands on that, whatever its height."""
        return len(self.heights) > 1 and abs(z - self.heights[self.number(z)]) > SLAB

    def _numbers(self, z: ArrayLike) -> NDArray[np.intp]:
        found = np.searchsorted(np.asarray(self.heights) - SLAB, z, side="right") - 1
        return np.maximum(found, 0)


def check_floors(text: str) -> None:
    """Raises ConfigurationError for a text that `Floors.parse` does not read."""
    Floors.parse(text)
