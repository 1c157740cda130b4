"""Random draws of which a part persists: a detector repeats most of its mistakes while it sees the same view.

A mistake with the share p of the views of a thing persists in the share p * PERSISTENT of its view cells: as long as
the camera stays in the cell, the mistake is the same in every frame. The rest is drawn for each frame. A view cell is a
sector of 30 degrees around the thing, in its own axes, and a band of distances (each 1.5 times the one before).

Draws depend on the episode's seed and on the geometry of things, never on names or their order.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PERSISTENT = 0.5
"""Share of the mistakes that persist within a view cell."""

SECTORS, BAND = 12, 1.5
"""Sectors around a thing, and the ratio of the distances at the ends of a band."""

CERTAINTY = 4.0
"""Concentration of the scores: see `Draws.score`."""

_STREAM = 24  # number of the random stream
_EVENTS, _CHOICES = 9, 3
_NEAREST = 0.3  # distance at which the bands begin [m]


@dataclass(frozen=True)
class Cell:
    """A thing (`key`, of its geometry) in a view cell."""

    key: int
    sector: int
    band: int


def key_of(category: str, x: float, y: float, z: float, yaw: float) -> int:
    """Returns the number of a thing that stands there when the episode begins."""
    return zlib.crc32(f"{category} {x:.3f} {y:.3f} {z:.3f} {yaw:.3f}".encode())


def cell_of(key: int, bearing: float, distance: float) -> Cell:
    """Returns the view cell of a thing.

    Args:
        key: of the thing.
        bearing: direction from the thing to the camera in the thing's axes [rad].
        distance: from the thing to the camera on the floor [m].
    """
    sector = int((bearing % (2 * math.pi)) / (2 * math.pi) * SECTORS) % SECTORS
    band = int(math.log(max(distance, _NEAREST) / _NEAREST) / math.log(BAND))
    return Cell(key, sector, band)


@dataclass(frozen=True, eq=False)
class _Numbers:
    events: NDArray[np.float64]  # (_EVENTS) uniform
    choices: NDArray[np.float64]  # (_CHOICES) uniform
    generator: np.random.Generator


class Draws:
    """The draws for one thing in one frame. Events are told apart by their number, choices too.

    Args:
        persistent: numbers of the view cell.
        fresh: numbers of the frame.
    """

    def __init__(self, persistent: _Numbers, fresh: _Numbers) -> None:
        self._persistent = persistent
        self._fresh = fresh

    @property
    def generator(self) -> np.random.Generator:
        """Draws what is new in each frame."""
        return self._fresh.generator

    def happens(self, event: int, share: float) -> bool:
        """Whether a mistake happens that has this share of all views."""
        return self._source(event, share) is not None

    def choice(self, event: int, share: float, number: int) -> float:
        """Returns a uniform number [0, 1) for the details of a mistake that happens: the same as long as it
        persists."""
        source = self._source(event, share) or self._fresh
        return float(source.choices[number])

    def score(self, event: int, share: float) -> float:
        """Returns the score of what may be wrong, 1 where it never is.

        Scores are calibrated: of all labels with the score c, the share c is right. They follow the Beta distribution
        with the mean 1 - share and the concentration CERTAINTY; so those of right labels follow Beta(a + 1, b) and
        those of wrong ones Beta(a, b + 1), with a = CERTAINTY * (1 - share) and b = CERTAINTY * share.
        """
        if share <= 0:
            return 1.0
        share = min(share, 0.999)
        a, b = CERTAINTY * (1 - share), CERTAINTY * share
        wrong = self.happens(event, share)
        score = self._fresh.generator.beta(a, b + 1) if wrong else self._fresh.generator.beta(a + 1, b)
        return float(np.clip(score, 0.01, 1.0))

    def _source(self, event: int, share: float) -> _Numbers | None:
        persists = share * PERSISTENT
        if self._persistent.events[event] < persists:
            return self._persistent
        if self._fresh.events[event] < (share - persists) / (1 - persists):
            return self._fresh
        return None


class Chance:
    """Makes the draws of one episode."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.frames = np.random.default_rng((seed, _STREAM))
        self._cells: dict[Cell, _Numbers] = {}

    def of(self, cells: Sequence[Cell]) -> list[Draws]:
        """Returns the draws of one frame for the things that it shows. cells: in an order of their geometry."""
        return [Draws(self._of_cell(cell), _numbers(self.frames)) for cell in cells]

    def _of_cell(self, cell: Cell) -> _Numbers:
        if cell not in self._cells:
            seeds = (self._seed, _STREAM, cell.key, cell.sector, cell.band)
            self._cells[cell] = _numbers(np.random.default_rng(seeds))
        return self._cells[cell]


def _numbers(generator: np.random.Generator) -> _Numbers:
    drawn = generator.random(_EVENTS + _CHOICES)
    return _Numbers(drawn[:_EVENTS], drawn[_EVENTS:], generator)
