"""Vision of the model behind the server: it detects patches of one strong colour and names them by that colour,
since it knows no categories.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stma_ros.memory.colours import colour_word
from stma_ros.models.images import Picture
from stma_ros.roles.scene_graph import BOX_UNITS, Position, SceneGraphReply, SeenObject
from stma_ros.types.standard import ColorRGBA

STRONG = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
"""Colours that walls and floors seldom have."""

SMALLEST, LARGEST = 0.001, 0.3
"""Shares of the picture that a patch may cover."""

FULL = 0.5
"""Share of its box that a patch fills: scattered pixels are no thing."""

MOST = 20

_LEVELS = 16
"""Distinguished levels of each channel."""


def build(question: str, pictures: Sequence[Picture]) -> SceneGraphReply:
    """Of the first picture; the question changes nothing."""
    patches = sorted(_patches(pictures[0].pixels), reverse=True)[:MOST] if pictures else []
    objects, count = [], Counter[str]()
    for _, colour, rows, columns, (height, width) in patches:
        count[colour] += 1
        box = [
            columns.start * BOX_UNITS // width,
            rows.start * BOX_UNITS // height,
            -(-columns.stop * BOX_UNITS // width),
            -(-rows.stop * BOX_UNITS // height),
        ]
        name = f"{colour} thing"
        objects.append(SeenObject(label=f"{name} {count[colour]}", name=name, box=box, states=[]))
    return SceneGraphReply(position=Position(room="", near=[]), objects=objects, rooms=[], relationships=[])


def _patches(pixels: NDArray[np.uint8]) -> Iterator[tuple[int, str, slice, slice, tuple[int, int]]]:
    """Size [px], colour, rows and columns of each, and the size of the picture."""
    levels = pixels.astype(np.int32) * _LEVELS // 256
    bins = (levels[..., 0] * _LEVELS + levels[..., 1]) * _LEVELS + levels[..., 2]
    colours = _colours()[bins]
    height, width = colours.shape
    for number, colour in enumerate(STRONG, start=1):
        patches, _ = ndimage.label(colours == number)
        for index, place in enumerate(ndimage.find_objects(patches), start=1):
            size = int(np.count_nonzero(patches[place] == index))
            share, full = size / colours.size, size / patches[place].size
            if SMALLEST <= share <= LARGEST and full >= FULL:
                yield size, colour, place[0], place[1], (height, width)


@lru_cache(maxsize=1)
def _colours() -> NDArray[np.int8]:
    """For each bin of colours, red the slowest, its number in STRONG, counted from 1; 0 = of none."""
    middles = (np.arange(_LEVELS) + 0.5) / _LEVELS
    words = (
        colour_word(ColorRGBA(red, green, blue, 1.0))
        for red in middles
        for green in middles
        for blue in middles
    )
    return np.array([STRONG.index(word) + 1 if word in STRONG else 0 for word in words], np.int8)
