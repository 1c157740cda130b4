"""The heading of a visible surface: the direction of the rectangle on whose edges its points lie, seen from above.

Faces of furniture are upright and at right angles, so that most points of a view project onto the edges of one
rectangle (L-shape fitting by the closeness criterion of Zhang, Xu, Dong and Dolan, "Efficient L-Shape Fitting for
Vehicle Detection Using Laser Scanners", IV 2017). A table top fills its rectangle; its own edges decide there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.thinning import thinned
from stma_ros.types.jit import kernel

POINTS = 256
"""Points from which a heading is estimated, at most."""

EDGE = 0.02
"""A point within this distance of an edge [m], or within two sigma of noise, lies on it."""

_STEP = float(np.deg2rad(1.5))
_COUNT = 60
_TRIM = 0.01

STDDEV, DECAY = float(np.deg2rad(24)), 5.5
"""Standard deviation of a heading without any contrast between directions [rad], and how fast it falls with the
contrast: measured on views of flats."""

FEW = 60
"""With this number of points, the standard deviation is larger by half."""


def heading(points: NDArray[np.float64], sigma: float) -> tuple[float, float]:
    """Returns the heading of a surface in [0, pi/2) and its standard deviation [rad].

    Args:
        points: (N, 2) seen from above, at least one [m].
        sigma: noise of the points [m].
    """
    few = thinned(points, max(1, -(-len(points) // POINTS)))
    x, y = np.ascontiguousarray((few - few.mean(axis=0)).T)
    tolerance = max(EDGE, 2 * sigma)
    angles: NDArray[np.float64] = _STEP * np.arange(_COUNT, dtype=np.float64)
    scores = _closeness(x, y, angles, tolerance)
    best, highest = float(angles[scores.argmax()]), float(scores.max())
    contrast = (highest - float(np.median(scores))) / highest
    for step in (_STEP / 3, _STEP / 9):
        angles = best + step * np.arange(-3, 4, dtype=np.float64)
        best = float(angles[_closeness(x, y, angles, tolerance).argmax()])
    best += _turn_to_edges(x, y, best, tolerance)
    stddev = STDDEV * np.exp(-DECAY * contrast) * np.sqrt(1 + FEW / len(points))
    return best % (np.pi / 2), float(stddev)


@kernel
def _turn_to_edges(x: NDArray[np.float64], y: NDArray[np.float64], angle: float, tolerance: float) -> float:
    """Returns by how much the edges are turned against a direction near theirs: least squares over their points.

    The closeness is nearly the same within two degrees of the direction of a short face, so that noise decides there.
    """
    cosine, sine = np.cos(angle), np.sin(angle)
    along, across = cosine * x + sine * y, cosine * y - sine * x
    trim = int(len(x) * _TRIM)
    low, high = _ends(along, trim)
    left, right = _ends(across, trim)
    is_front, is_side = right - left < 2 * tolerance, high - low < 2 * tolerance  # one face
    sums = np.zeros((4, 6))  # of each edge
    for k in range(len(x)):
        distances = np.array([along[k] - low, high - along[k], across[k] - left, right - across[k]])
        edge = distances.argmin()
        if abs(distances[edge]) >= tolerance:
            continue
        position, offset = (along[k], across[k]) if edge >= 2 else (across[k], -along[k])
        if (edge == 3 and is_front) or (edge == 1 and is_side):
            edge -= 1
        sums[edge] += np.array(
            [1.0, position, offset, position * offset, position * position, offset * offset]
        )
    product, difference = 0.0, 0.0
    for count, position, offset, both, position_squared, offset_squared in sums:
        if count > 0:
            product += both - position * offset / count
            difference += position_squared - position**2 / count - offset_squared + offset**2 / count
    turn = 0.5 * np.arctan2(2 * product, difference) if difference > 0 else 0.0
    return turn if abs(turn) <= 2 * _STEP else 0.0


@kernel
def _ends(values: NDArray[np.float64], trim: int) -> tuple[float, float]:
    """Returns the least and the greatest of the values that remain without the `trim` least and the `trim` greatest."""
    least, greatest = np.full(trim + 1, np.inf), np.full(trim + 1, -np.inf)
    for value in values:
        if value < least[trim]:
            at = trim
            while at > 0 and least[at - 1] > value:
                least[at] = least[at - 1]
                at -= 1
            least[at] = value
        if value > greatest[trim]:
            at = trim
            while at > 0 and greatest[at - 1] < value:
                greatest[at] = greatest[at - 1]
                at -= 1
            greatest[at] = value
    return least[trim], greatest[trim]


@kernel
def _closeness(
    x: NDArray[np.float64], y: NDArray[np.float64], angles: NDArray[np.float64], tolerance: float
) -> NDArray[np.float64]:
    """Returns for each angle how many of the points lie on the edges of their rectangle in that direction."""
    count = len(x)
    trim = int(count * _TRIM)
    scores = np.empty(len(angles))
    along, across = np.empty(count), np.empty(count)
    for number in range(len(angles)):
        cosine, sine = np.cos(angles[number]), np.sin(angles[number])
        for k in range(count):
            along[k], across[k] = cosine * x[k] + sine * y[k], cosine * y[k] - sine * x[k]
        low, high = _ends(along, trim)
        left, right = _ends(across, trim)
        total = 0.0
        for k in range(count):
            off = (
                min(min(along[k] - low, high - along[k]), min(across[k] - left, right - across[k]))
                / tolerance
            )
            total += 1 / (1 + off * off)
        scores[number] = total
    return scores
