"""Selects few pictures that together show everything: the co-visibility clustering of 3D-Mem.

Things that one picture shows together are one cluster. While no picture shows a whole cluster, it is divided in two, by
place.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 20  # of dividing a cluster in two, at most: the division mostly settles after a few


def covering_pictures(
    shown: Sequence[Mapping[str, float]], places: Mapping[str, tuple[float, float]]
) -> tuple[int, ...]:
    """Returns the positions of pictures of which at least one shows each thing, in ascending order.

    Of pictures that show a cluster, one that was selected for another cluster comes first, then the one that shows most
    things, then the one that shows the cluster most clearly.

    Args:
        shown: for each picture the things that it shows, with the confidence [0..1] that they are there.
        places: (x, y) of each thing in the map [m]. Things that no picture shows are left out.
    """
    seen = [thing for thing in places if any(thing in picture for picture in shown)]
    selected: dict[int, None] = {}
    clusters = [seen] if seen else []
    while clusters:
        cluster = max(clusters, key=len)
        clusters.remove(cluster)
        picture = _picture_of(cluster, shown, selected)
        if picture is None:
            at = np.array([places[thing] for thing in cluster])
            for half in _halves(at):
                clusters.append([thing for thing, belongs in zip(cluster, half, strict=True) if belongs])
        else:
            selected[picture] = None
    return tuple(sorted(selected))


def _picture_of(
    cluster: Sequence[str], shown: Sequence[Mapping[str, float]], selected: Collection[int]
) -> int | None:
    """Returns the position of the picture that shows a cluster best; None if none shows all of it."""
    whole = [number for number, things in enumerate(shown) if all(thing in things for thing in cluster)]
    return max(
        whole,
        key=lambda number: (
            number in selected,
            len(shown[number]),
            sum(shown[number][thing] for thing in cluster),
        ),
        default=None,
    )


def _halves(at: NDArray[np.float64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Divides points in two groups by 2-means, begun with two points far apart; neither group is empty.

    Args:
        at: (n, 2) places [m]; n > 1.
    """
    first = int(np.argmax(_distances(at, at.mean(axis=0))))
    centers = at[first], at[int(np.argmax(_distances(at, at[first])))]
    nearer = np.arange(len(at)) < len(at) // 2  # for points all at one place
    for _ in range(_ROUNDS):
        split = _distances(at, centers[0]) < _distances(at, centers[1])
        if not split.any() or split.all() or (split == nearer).all():
            break
        nearer = split
        centers = at[nearer].mean(axis=0), at[~nearer].mean(axis=0)
    return nearer, ~nearer


def _distances(at: NDArray[np.float64], to: NDArray[np.float64]) -> NDArray[np.float64]:
    distances: NDArray[np.float64] = np.linalg.norm(at - to, axis=1)
    return distances
