"""Stand-in for a vision-language model: it detects patches of one saturated colour and names them by that colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from stma_ros.memory.colours import colour_word
from stma_ros.models.box_convention import BOX_UNITS
from stma_ros.models.images import Picture
from stma_ros.roles.scene_graph_form import Position, SceneGraphReply, SeenObject
from stma_ros.types.standard import ColorRGBA

SATURATED = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
"""Colours that walls and floors rarely have."""

MIN_SHARE, MAX_SHARE = 0.001, 0.3
"""Smallest and largest share of the picture that a patch covers."""

MIN_FILL = 0.5
"""Smallest share of its box that a patch fills, which excludes scattered pixels."""

MAX_OBJECTS = 20

_LEVELS = 16
"""Number of levels of each channel that are distinguished."""


def build(question: str, pictures: Sequence[Picture]) -> SceneGraphReply:
    """Returns the objects in the first picture; the question is ignored."""
    patches = sorted(_patches(pictures[0].pixels), reverse=True)[:MAX_OBJECTS] if pictures else []
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
    """Yields size [px], colour, rows and columns of each patch, and height and width of the picture."""
    levels = pixels.astype(np.int32) * _LEVELS // 256
    bins = (levels[..., 0] * _LEVELS + levels[..., 1]) * _LEVELS + levels[..., 2]
    colours = _colours()[bins]
    height, width = colours.shape
    for number, colour in enumerate(SATURATED, start=1):
        patches, _ = ndimage.label(colours == number)
        for index, place in enumerate(ndimage.find_objects(patches), start=1):
            size = int(np.count_nonzero(patches[place] == index))
            share, fill = size / colours.size, size / patches[place].size
            if MIN_SHARE <= share <= MAX_SHARE and fill >= MIN_FILL:
                yield size, colour, place[0], place[1], (height, width)


@lru_cache(maxsize=1)
def _colours() -> NDArray[np.int8]:
    """Returns the number of each colour bin in SATURATED, counted from 1; 0 = none.

    Bins are ordered by red, then green, then blue.
    """
    centres = (np.arange(_LEVELS) + 0.5) / _LEVELS
    words = (
        colour_word(ColorRGBA(red, green, blue, 1.0))
        for red in centres
        for green in centres
        for blue in centres
    )
    return np.array([SATURATED.index(word) + 1 if word in SATURATED else 0 for word in words], np.int8)
