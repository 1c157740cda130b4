"""Finds the surfaces and compartments in a data set's scene on which objects can be placed.

A data set states them as habitat-lab's receptacles: `receptacle_aabb_...` in the `user_defined` fields of an object.
The lower side of such a box is a horizontal surface. Exported flats also state `inside` and `clearance` there; without
them a receptacle is inside where the object opens and extends above it, or is a bin or a sink. Without receptacles,
objects can be placed on top of categories with a flat top, and inside nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from stma_ros.worlds.habitat.scene.solid import Solid
from stma_ros.worlds.robot.geometry import FloatArray, Rect
from stma_ros.worlds.robot.scene import Shelf

_OPEN_ABOVE = 1.0  # clearance of an uncovered place [m]
_SMALLEST = 0.1  # smallest side of a place [m]
_EDGE = 0.03  # margin along the edge of a top [m]
_TOP = 0.2, 1.5  # heights of a top within reach of the arm [m]
_BENEATH = 0.05  # a place farther below the top of an object is not on its top [m]
_FLAT = frozenset(
    (
        "table", "desk", "counter", "countertop", "cabinet", "sideboard", "dresser", "drawers", "nightstand", "stand",
        "bench", "stool", "shelf", "island", "workbench", "console", "ottoman", "chest", "cupboard", "rack", "bed",
    )
)  # fmt: skip
_BOWLED = frozenset(("bin", "basket", "sink", "washbasin", "bathtub", "can"))  # last words of categories


@dataclass(frozen=True)
class Receptacle:
    """A receptacle of the data set: its corners (8, 3) in the map as loaded, and with the object open."""

    name: str
    loaded: FloatArray
    open: FloatArray


@dataclass(frozen=True)
class Standing:
    """A surface on which objects can be placed, as it is with the object open. `shift`: its displacement since the
    scene was loaded, along the map's axes [m]."""

    shelf: Shelf
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shelving:
    on: tuple[Standing, ...] = ()
    inside: tuple[Standing, ...] = ()


def shelving_of(
    solid: Solid, category: str, opens: bool, receptacles: Sequence[Receptacle], user: Mapping[str, Any]
) -> Shelving:
    """Returns the surfaces of an object with that box. user: its `user_defined` fields."""
    words = category.split()[-1:]
    if not receptacles:
        return Shelving(on=_top(solid)) if _FLAT.intersection(words) else Shelving()
    on: list[tuple[Standing, Any]] = []
    inside: list[tuple[Standing, Any]] = []
    for receptacle in receptacles:
        place = _standing(solid, receptacle)
        if min(place.shelf.area.width, place.shelf.area.depth) < _SMALLEST:
            continue
        about = user.get(receptacle.name, {})
        beneath = place.shelf.height < solid.high - _BENEATH
        is_inside = about.get("inside", (opens and beneath) or bool(_BOWLED.intersection(words)))
        (inside if is_inside else on).append((place, about.get("clearance")))
    return Shelving(_with_room(on, solid), _with_room(inside, solid))


def _standing(solid: Solid, receptacle: Receptacle) -> Standing:
    local = solid.local(receptacle.open)
    (x0, y0, height), (x1, y1, _) = local.min(axis=0).tolist(), local.max(axis=0).tolist()
    x, y, z = (receptacle.open.mean(axis=0) - receptacle.loaded.mean(axis=0)).tolist()
    return Standing(Shelf(Rect(x0, y0, x1, y1), height, _OPEN_ABOVE), (x, y, z))


def _top(solid: Solid) -> tuple[Standing, ...]:
    x, y = solid.half_x - _EDGE, solid.half_y - _EDGE
    if min(x, y) < _SMALLEST or not _TOP[0] <= solid.high <= _TOP[1]:
        return ()
    return (Standing(Shelf(Rect(-x, -y, x, y), solid.high, _OPEN_ABOVE)),)


def _with_room(places: Sequence[tuple[Standing, Any]], solid: Solid) -> tuple[Standing, ...]:
    """Returns the places with their clearance: the data set's, else up to the next place, or to the top of the object
    around them."""
    found = []
    for place, said in places:
        shelf = place.shelf
        above = [
            other.shelf.height - shelf.height
            for other, _ in places
            if other.shelf.height > shelf.height + _BENEATH and other.shelf.area.overlaps(shelf.area)
        ]
        if shelf.height < solid.high - _BENEATH:
            above.append(solid.high - shelf.height)
        room = float(said) if isinstance(said, (int, float)) else min(above, default=_OPEN_ABOVE)
        found.append(replace(place, shelf=replace(shelf, clearance=float(np.clip(room, 0.0, _OPEN_ABOVE)))))
    return tuple(found)
