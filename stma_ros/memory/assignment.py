"""Which detection of a keyframe is a view of which remembered thing.

A detection is a view of a thing of its category when their boxes share room; colour, size and distance say which of
several it is. Within one keyframe a segmentation tells things apart, so detections and things are paired one to one,
the best pairs over the whole keyframe (Hungarian method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from stma_ros.memory.colours import color_offsets
from stma_ros.types.standard import ColorRGBA

Costs = NDArray[np.float64]
Mask = NDArray[np.bool_]

SKIN = 0.05
"""Boxes of seen surfaces may have no thickness, and noise moves them: they are grown by this much [m] before they are
compared."""

SAME_SHARE = 0.3
"""A view that shares at least this much of the smaller volume with a remembered box may be a view of the same thing;
less is what neighbours share by their grown skins."""

SAME_PLACE = 0.6
"""Two things of one category cannot share this much of the smaller one's volume: they are one thing."""

UNLIKE = 0.9
"""A colour that is this far from the remembered one is not light and shade: it is another thing."""

ALIKE = 0.5
"""A colour within this of the remembered one may be the same thing at another place."""

SIZE_RATIO = 1.7
"""Likewise for the ratio of the longest sides."""

NEW = 1.0
"""What it costs to take a detection for a new thing; a pair that is allowed at all costs less."""

FORBIDDEN = 1e6


@dataclass(frozen=True)
class AssociationConfig:
    """max_gap [m]: how far apart two partial views of one thing may lie, at most; max_gap_share: and as a share of
    the larger view's longest side."""

    max_gap: float = 0.25
    max_gap_share: float = 0.5


@dataclass(frozen=True)
class Appearances:
    """How N things look, to be compared. kinds: (N,) one number for each category; faces: (N, 2, 3) low and high
    corners of their boxes [m]; partial: (N,) whose box is known in part only; colored: (N,) whose colour tells things
    of their category apart: that of small things does, while each side of a piece of furniture may look different."""

    kinds: NDArray[np.int64]
    faces: NDArray[np.float64]
    colors: Sequence[ColorRGBA]
    partial: Mask
    colored: Mask

    @property
    def low(self) -> NDArray[np.float64]:
        return self.faces[:, 0]

    @property
    def high(self) -> NDArray[np.float64]:
        return self.faces[:, 1]

    @cached_property
    def middle(self) -> NDArray[np.float64]:
        middle: NDArray[np.float64] = self.faces.mean(axis=1)
        return middle

    @cached_property
    def longest(self) -> NDArray[np.float64]:
        """(N,) longest sides [m]."""
        longest: NDArray[np.float64] = (self.high - self.low).max(axis=1)
        return longest

    @cached_property
    def length(self) -> NDArray[np.float64]:
        """(N,) longer sides seen from above [m]."""
        length: NDArray[np.float64] = (self.high - self.low)[:, :2].max(axis=1)
        return length

    @cached_property
    def offsets(self) -> NDArray[np.float64]:
        return color_offsets(self.colors)

    def __len__(self) -> int:
        return len(self.kinds)


def same_kind(ones: Appearances, others: Appearances) -> Mask:
    """(N, M) whether they are of one category."""
    same: Mask = np.equal.outer(ones.kinds, others.kinds)
    return same


def unlikeness(ones: Appearances, others: Appearances) -> Costs:
    """(N, M) how unlike their colours are (colours.color_offsets); 0 where one was not measured."""
    apart = ones.offsets[:, None] - others.offsets[None]
    distances: Costs = np.nan_to_num(np.sqrt((apart * apart).sum(axis=2)), nan=0.0)
    return distances


def shared(ones: Appearances, others: Appearances) -> Costs:
    """(N, M) share of the smaller volume that two boxes have in common, each grown by its skin."""
    overlap = np.minimum(ones.high[:, None], others.high[None]) - np.maximum(
        ones.low[:, None], others.low[None]
    )
    volume = (ones.high - ones.low + 2 * SKIN).prod(axis=1)
    volumes = (others.high - others.low + 2 * SKIN).prod(axis=1)
    share: Costs = (overlap + 2 * SKIN).clip(0).prod(axis=2) / np.minimum.outer(volume, volumes)
    return share


def gaps(ones: Appearances, others: Appearances) -> Costs:
    """(N, M) distance between the nearest points of two boxes [m]."""
    apart = np.maximum(ones.low[:, None] - others.high[None], others.low[None] - ones.high[:, None]).clip(0)
    distances: Costs = np.sqrt((apart * apart).sum(axis=2))
    return distances


def pair(
    seen: Appearances, known: Appearances, config: AssociationConfig = AssociationConfig()
) -> list[int | None]:
    """For each detection in `seen` the index of the thing in `known` that it shows; None: of none of them."""
    if not len(seen) or not len(known):
        return [None] * len(seen)
    return assigned(_costs(seen, known, config))


def assigned(costs: Costs) -> list[int | None]:
    """For each row the column of the cheapest one-to-one assignment (Hungarian method), costs (N, M) up to NEW.

    None where it is cheaper to stay alone: so no far pair is made only to leave nobody alone.
    """
    alone = np.full((len(costs), len(costs)), FORBIDDEN)
    np.fill_diagonal(alone, NEW)
    rows, columns = linear_sum_assignment(np.hstack([costs, alone]))
    found: list[int | None] = [None] * len(costs)
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if column < costs.shape[1]:
            found[row] = column
    return found


def _costs(seen: Appearances, known: Appearances, config: AssociationConfig) -> Costs:
    """(N, M) below NEW where the two may be one thing."""
    beyond = (known.low[None] - seen.low[:, None]).clip(0) + (seen.high[:, None] - known.high[None]).clip(0)
    between = seen.middle[:, None] - known.middle[None]
    longest = np.maximum.outer(seen.longest, known.longest)
    off = np.sqrt((beyond * beyond).sum(axis=2)) + 0.3 * np.sqrt((between * between).sum(axis=2))
    size = np.abs(np.subtract.outer(np.log(seen.longest + SKIN), np.log(known.longest + SKIN)))
    colour = unlikeness(seen, known)
    colored = known.colored[None]
    costs = off / (0.15 + 0.5 * longest) + 0.1 * size + np.where(colored, 0.4, 0.1) * colour
    costs = np.minimum(costs, 0.95 * NEW)

    kind = same_kind(seen, known)
    share = shared(seen, known)
    # Of another colour and beside it, it is another thing; at the very same place it is its other side.
    allowed = kind & (share > SAME_SHARE) & ~(colored & (colour >= UNLIKE) & (share < SAME_PLACE))
    # Side by side: one thing seen in two parts, unless it would grow to much more than either.
    joined = np.maximum(seen.high[:, None], known.high[None]) - np.minimum(seen.low[:, None], known.low[None])
    # Parts lie along its length, or round a corner of it; two things back to back, in two rooms, lie deeper.
    length = np.maximum.outer(seen.length, known.length)
    parts = (
        kind
        & (seen.partial[:, None] | known.partial[None])
        & (gaps(seen, known) <= np.minimum(config.max_gap, config.max_gap_share * longest))
        & (joined.max(axis=2) <= 1.5 * longest)
        & (joined[:, :, :2].min(axis=2) <= 1.1 * length)
        & ~(colored & (colour >= ALIKE))
    )
    return np.where(allowed, costs, np.where(parts, np.minimum(costs + 0.3, 0.97 * NEW), FORBIDDEN))


def alike(seen: Appearances, known: Appearances) -> Mask:
    """(N, M) whether the two look like one thing that may have been moved: of one kind, colour and size."""
    ratio = np.abs(np.subtract.outer(np.log(seen.longest + 0.02), np.log(known.longest + 0.02)))
    sized = (ratio <= np.log(SIZE_RATIO)) | seen.partial[:, None]
    found: Mask = same_kind(seen, known) & (unlikeness(seen, known) < ALIKE) & sized
    return found


def only_pairs(possible: Mask) -> list[tuple[int, int]]:
    """The pairs (row, column) that are each the only choice of both."""
    single = possible & (possible.sum(axis=1) == 1)[:, None] & (possible.sum(axis=0) == 1)[None]
    return [(int(row), int(column)) for row, column in np.argwhere(single)]
