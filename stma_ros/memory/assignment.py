"""Pairwise costs between detections and tracked objects, and their optimal assignment.

A detection is a view of an object of its category if their boxes overlap; colour, size and distance decide between
several candidates. A detector separates the objects of one keyframe, so detections and objects are paired one to one,
at the least total cost over the keyframe (Hungarian method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.colours import color_offsets
from stma_ros.types.standard import ColorRGBA

Costs = NDArray[np.float64]
Mask = NDArray[np.bool_]

SKIN = 0.05
"""Boxes are grown by this much [m] before they are compared: boxes of visible surfaces may have no thickness, and noise
moves them."""

SAME_SHARE = 0.3
"""A detection that shares at least this part of the smaller volume with an object's box may be a view of it; neighbours
share less, by their grown boxes."""

SAME_PLACE = 0.6
"""Two objects of one category cannot share this part of the smaller volume: they are one object."""

UNLIKE = 0.9
"""Colour distance from which on two detections are different objects: more than light and shade explain."""

ALIKE = 0.5
"""Colour distance up to which an object at another place may be the same one."""

SIZE_RATIO = 1.7
"""Ratio of the longest sides up to which an object at another place may be the same one."""

SAME_SIZE = 1.35
"""Ratio of the longest sides up to which two objects of different categories at one place may be the same one."""

SAME_HEIGHT = 1.7
"""The same for the heights of their grown boxes: what stands on a rug is no odd view of it."""

WITHIN = 0.8
"""A view of a part of a piece of furniture lies in its box with at least this share of its volume."""

LENGTH_KNOWN = 1.1
"""Two parts reach at most as far as this multiple of the known length of the object of which they are."""

MISLABELLED = 0.4
"""Cost of the assumption that a detector told the wrong category."""

NEW = 1.0
"""Cost of a new object; a permitted pair costs less."""

FORBIDDEN = 1e6


@dataclass(frozen=True)
class AssociationConfig:
    """Limits for partial views of one object that do not overlap.

    Attributes:
        max_gap: largest gap between two partial views of one object [m].
        max_gap_share: the same as a share of the larger view's longest side.
    """

    max_gap: float = 0.25
    max_gap_share: float = 0.5


@dataclass(frozen=True)
class Appearances:
    """The compared properties of N detections or objects.

    Attributes:
        kinds: (N,) a number for the category of each.
        boxes: of the N.
        colors: of the N.
        partial: (N,) whether there may be more of it.
        colored: (N,) whether its colour tells it apart from others of its category.
        lengths: (N,) length of what is known to be there, and only shows in parts [m]; 0 = it is not known.
    """

    kinds: NDArray[np.int64]
    boxes: BoxArray
    colors: Sequence[ColorRGBA]
    partial: Mask
    colored: Mask
    lengths: NDArray[np.float64]

    @cached_property
    def offsets(self) -> NDArray[np.float64]:
        """(N, 4) colours as points whose distances say how unlike they look, see `colours.color_offsets`."""
        return color_offsets(self.colors)

    def __len__(self) -> int:
        return len(self.kinds)


def same_kind(ones: Appearances, others: Appearances) -> Mask:
    """Returns (N, M) whether two are of one category."""
    same: Mask = np.equal.outer(ones.kinds, others.kinds)
    return same


def unlikeness(ones: Appearances, others: Appearances) -> Costs:
    """Returns (N, M) colour distances, see `colours.color_offsets`; 0 where a colour was not measured."""
    apart = ones.offsets[:, None] - others.offsets[None]
    distances: Costs = np.nan_to_num(np.sqrt((apart * apart).sum(axis=2)), nan=0.0)
    return distances


def shared(ones: Appearances, others: Appearances) -> Costs:
    """Returns (N, M) the share of the smaller volume that two boxes have in common, each grown by SKIN.

    The overlap is measured along the axes of the others.
    """
    volume, volumes = ((each.boxes.extent + 2 * SKIN).prod(axis=1) for each in (ones, others))
    share: Costs = ones.boxes.common_volume(others.boxes, SKIN) / np.minimum.outer(volume, volumes)
    return share


def pair(
    seen: Appearances, known: Appearances, config: AssociationConfig = AssociationConfig()
) -> list[int | None]:
    """Pairs detections with known objects.

    Args:
        seen: N detections.
        known: M objects.
        config: limits for partial views.

    Returns:
        For each detection the index of the object that it shows; None = none of them.
    """
    if not len(seen) or not len(known):
        return [None] * len(seen)
    return assigned(_costs(seen, known, config))


def assigned(costs: Costs) -> list[int | None]:
    """Returns the optimal one-to-one assignment (Hungarian method).

    Args:
        costs: (N, M), up to NEW for permitted pairs, FORBIDDEN for others.

    Returns:
        For each row its column; None where no pair is cheaper than NEW, so that no distant pair is made only to assign
            every row.
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
    """Returns (N, M) costs below NEW where the two may be one object, else FORBIDDEN."""
    apart, half = seen.boxes.middle_along(known.boxes), seen.boxes.half_along(known.boxes)
    known_half = known.boxes.extent[None] / 2
    beyond = (half - apart - known_half).clip(0) + (half + apart - known_half).clip(0)
    longest = np.maximum.outer(seen.boxes.longest, known.boxes.longest)
    off = np.sqrt((beyond * beyond).sum(axis=2)) + 0.3 * np.sqrt((apart * apart).sum(axis=2))
    size = np.abs(_log_ratio(seen.boxes.longest + SKIN, known.boxes.longest + SKIN))
    colour = unlikeness(seen, known)
    colored = known.colored[None]
    costs = off / (0.15 + 0.5 * longest) + 0.1 * size + np.where(colored, 0.4, 0.1) * colour
    costs_of_place = costs = np.minimum(costs, 0.95 * NEW)

    kind = same_kind(seen, known)
    share = shared(seen, known)
    # A neighbour of another colour is another object; at the same place it is another side of this one.
    allowed = kind & (share > SAME_SHARE) & ~(colored & (colour >= UNLIKE) & (share < SAME_PLACE))
    # Views side by side are parts of one object, unless the union is much larger than either.
    joined = np.maximum(apart + half, known_half) - np.minimum(apart - half, -known_half)
    # Parts extend its length, or lie around its corner; two objects back to back in two rooms are deeper.
    length = np.maximum.outer(seen.boxes.length, known.boxes.length)
    parts = (
        (seen.partial[:, None] | known.partial[None])
        & (seen.boxes.gaps(known.boxes) <= np.minimum(config.max_gap, config.max_gap_share * longest))
        & (joined.max(axis=2) <= 1.5 * longest)
        & (joined[:, :, :2].min(axis=2) <= 1.1 * length)
    )
    # What sticks out of a bag here and there is one thing, if it is that long.
    parts |= joined.max(axis=2) <= LENGTH_KNOWN * known.lengths[None]
    parts &= kind & ~(colored & (colour >= ALIKE))
    costs = np.where(allowed, costs, np.where(parts, np.minimum(costs + 0.3, 0.97 * NEW), FORBIDDEN))
    doubtful = np.minimum(costs_of_place + MISLABELLED, 0.98 * NEW)
    return np.where(~kind & _mislabelled(seen, known, share, colour), doubtful, costs)


def coincident(seen: Appearances, known: Appearances) -> Mask:
    """Returns (N, M) whether the two are at one place, where two objects cannot be; a detector may have told different
    categories."""
    share = shared(seen, known)
    found: Mask = np.where(
        same_kind(seen, known),
        share >= SAME_PLACE,
        _mislabelled(seen, known, share, unlikeness(seen, known)),
    )
    return found


def _mislabelled(seen: Appearances, known: Appearances, share: Costs, colour: Costs) -> Mask:
    """Returns (N, M) whether the two may be one object of which a detector told different categories: at one place, of
    one size and colour, or a part of a piece of furniture.

    Args:
        seen: N detections.
        known: M objects.
        share: (N, M) as `shared` tells it.
        colour: (N, M) as `unlikeness` tells it.
    """
    larger = _log_ratio(seen.boxes.longest + 0.02, known.boxes.longest + 0.02)
    higher = _log_ratio(seen.boxes.extent[:, 2] + 2 * SKIN, known.boxes.extent[:, 2] + 2 * SKIN)
    colored = seen.colored[:, None] | known.colored[None]
    same = (
        (share >= SAME_PLACE)
        & (np.abs(larger) <= np.log(SAME_SIZE))
        & (np.abs(higher) <= np.log(SAME_HEIGHT))
    )
    part = (share >= WITHIN) & (larger <= 0) & seen.partial[:, None] & ~colored
    found: Mask = (same | part) & ~(colored & (colour >= UNLIKE))
    return found


def alike(seen: Appearances, known: Appearances) -> Mask:
    """Returns (N, M) whether the two may be one object that was moved: of one category, colour and size."""
    found: Mask = same_kind(seen, known) & look_alike(seen, known)
    return found


def look_alike(seen: Appearances, known: Appearances) -> Mask:
    """Returns (N, M) whether the two are of one colour and size; of a partial view, the size is not known."""
    ratio = np.abs(_log_ratio(seen.boxes.longest + 0.02, known.boxes.longest + 0.02))
    sized = (ratio <= np.log(SIZE_RATIO)) | seen.partial[:, None]
    found: Mask = (unlikeness(seen, known) < ALIKE) & sized
    return found


def only_pairs(possible: Mask) -> list[tuple[int, int]]:
    """Returns the pairs (row, column) that are the only choice of both."""
    single = possible & (possible.sum(axis=1) == 1)[:, None] & (possible.sum(axis=0) == 1)[None]
    return [(int(row), int(column)) for row, column in np.argwhere(single)]


def _log_ratio(ones: NDArray[np.float64], others: NDArray[np.float64]) -> Costs:
    """Returns (N, M) the logarithms of the ratios of N lengths to M others."""
    ratios: Costs = np.subtract.outer(np.log(ones), np.log(others))
    return ratios
