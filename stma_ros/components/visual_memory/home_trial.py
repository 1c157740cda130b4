"""Finds out whether remembered pictures are of this home: whether their furniture is where they say."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.visual_memory.recent_views import View
from stma_ros.mapping.transforms import apply, inverse
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection

_LARGE = 0.6  # longest side of what is taken for furniture, which stays where it is [m]
_CELL = 1.0  # detections of a category in one cell of this size are compared once [m]
_WITHIN = 4.0  # range in which furniture is looked for [m]
_SAME_PLACE = 0.8  # a thing of the category this close is it [m]
_SLACK = 0.4  # a surface so far behind a thing is seen through its place [m]
_MARGIN = 0.1  # of the image at each side, in which things are cut off
_ENOUGH = 3  # things that are not there, of which one memory is taken to be of another home
_CONFIRMING = 2  # things that are there, of which it is taken to be of this one


class HomeTrial:
    """Compares the furniture in remembered pictures with the frames that are seen now.

    Where the depth of a frame reaches beyond the place of a piece, it is not there. What is hidden, and what is merely
    not recognised, says nothing.
    """

    def __init__(self, remembered: Iterable[Snapshot]) -> None:
        """Begins a trial of these pictures."""
        self._pieces: dict[tuple[str, ...], Detection] = {}
        for snapshot in remembered:
            for found in snapshot.detections:
                longest = max(found.size.x, found.size.y, found.size.z)
                if longest >= _LARGE and math.isfinite(found.center.x + found.center.y + found.center.z):
                    self._pieces[_key(found)] = found
        self._there: set[tuple[str, ...]] = set()
        self._gone: set[tuple[str, ...]] = set()

    def look(self, views: Sequence[View]) -> bool | None:
        """Returns whether all views so far say that it is this home (True) or another one (False); None = they do not
        say. views: further ones."""
        for view in views:
            self._compare(view)
        gone = len(self._gone - self._there)
        if gone >= _ENOUGH and gone > 2 * len(self._there):
            return False
        return True if len(self._there) >= _CONFIRMING and len(self._there) > gone else None

    def _compare(self, view: View) -> None:
        for key, piece in self._pieces.items():
            place = np.array([piece.center.x, piece.center.y, piece.center.z])
            if any(
                found.category == piece.category
                and np.linalg.norm(place - (found.center.x, found.center.y, found.center.z)) <= _SAME_PLACE
                for found in view.snapshot.detections
            ):
                self._there.add(key)
            elif _is_seen_through(view, place, piece):
                self._gone.add(key)


def _is_seen_through(view: View, place: NDArray[np.float64], piece: Detection) -> bool:
    """Whether a frame shows surfaces behind the place of a piece of furniture, where it is to be."""
    x, y, z = apply(inverse(view.depth.camera_pose), place).tolist()
    camera = view.depth.camera
    if not 0.5 < z < _WITHIN:
        return False
    column, row = camera.cx + camera.fx * x / z, camera.cy + camera.fy * y / z
    if not (
        _MARGIN * camera.width <= column < (1 - _MARGIN) * camera.width
        and _MARGIN * camera.height <= row < (1 - _MARGIN) * camera.height
    ):
        return False
    half = max(piece.size.x, piece.size.y) / 2
    return bool(view.depth.depth_mm[int(row), int(column)] * 1e-3 > z + half + _SLACK)


def _key(found: Detection) -> tuple[str, ...]:
    cell = (round(value / _CELL) for value in (found.center.x, found.center.y))
    return (found.category, *map(str, cell))
