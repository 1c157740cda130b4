"""Words for the main colours of things, where people would agree on one."""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import open3d as o3d
from numpy.typing import NDArray

from stma_ros.worlds.house.flat import Item
from stma_ros.worlds.house.kinds import palette
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.meshes import EMPTY, Colour, Mesh, merge

COLOUR_WORDS: Final[dict[Colour, str]] = {
    palette.RED: "red",
    palette.BLUE: "blue",
    palette.ROYAL: "blue",
    palette.GREEN: "green",
    palette.YELLOW: "yellow",
    palette.ORANGE: "orange",
    palette.PINK: "pink",
    palette.PURPLE: "purple",
    palette.WHITE: "white",
    palette.BLACK: "black",
    palette.GREY: "grey",
    palette.BROWN: "brown",
}
"""Common colour words by colour. A colour between two words, such as teal or steel, has none."""

_SHADE = 40  # largest difference of the channels of two shades of a colour

_VIEWS: Final = ((2, -1), (0, -1), (0, 1), (1, -1), (1, 1))
"""Axis and sign of the directions of view at a standing object: from above, and from the sides."""

_SPACING, _MOST_ACROSS = 0.01, 250  # between the rays of a view [m], and the most rays in a row


def item_colour(item: Item) -> str:
    """Returns the word for the main colour of an item; empty where there is none."""
    word = COLOUR_WORDS.get(item.colour, "")
    return word if word and _is_item_mostly(item.category, item.colour, item.look.lining) else ""


@cache
def _is_item_mostly(category: str, colour: Colour, lining: Colour | None) -> bool:
    kind = ITEMS[category]
    inside = kind.lining(lining) if kind.lining and lining is not None else EMPTY
    return is_mostly(merge([kind.build(colour), inside]), colour)


def is_mostly(mesh: Mesh, colour: Colour) -> bool:
    """Whether an object that stands upright shows mostly that colour from every side with much of it: a toothbrush has
    at best a coloured handle, a phone lies with its dark screen up."""
    alike = np.abs(mesh.colours.astype(int) - colour).max(axis=1) <= _SHADE
    seen = [alike[_seen_along(mesh, axis, sign)] for axis, sign in _VIEWS]
    most = max(map(len, seen))
    return all(view.mean() >= 0.5 for view in seen if 2 * len(view) >= most)


def _seen_along(mesh: Mesh, axis: int, sign: int) -> NDArray[np.int64]:
    """Returns the triangle that each ray of a view hits first."""
    low, high = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
    across = [other for other in range(3) if other != axis]
    spacing = max(_SPACING, float((high - low).max()) / _MOST_ACROSS)
    steps = [np.arange(low[other] + spacing / 2, high[other], spacing) for other in across]
    grid = np.stack(np.meshgrid(*steps), axis=-1).reshape(-1, 2)
    rays = np.zeros((len(grid), 6), np.float32)
    rays[:, across] = grid
    rays[:, axis] = low[axis] - 1 if sign > 0 else high[axis] + 1
    rays[:, 3 + axis] = sign
    scene = o3d.t.geometry.RaycastingScene()
    tensor = o3d.core.Tensor.from_numpy
    scene.add_triangles(tensor(mesh.vertices.astype(np.float32)), tensor(mesh.triangles.astype(np.uint32)))
    met: NDArray[np.int64] = scene.cast_rays(tensor(rays))["primitive_ids"].numpy().astype(np.int64)
    return met[met < len(mesh.triangles)]
