"""Puts several pictures with captions and boxes into one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import PIL.Image

from stma_ros.types.sensing import Detection
from stma_ros.visual import colours
from stma_ros.visual.drawables import Picture

Size: TypeAlias = tuple[int, int]
"""Width and height [px]."""

_COLUMNS = 3
_GAP = 8  # between pictures [px]
_CAPTION = 30  # height of a caption [px]
_FRAME = 4  # width of the frame of a picture [px]
_LINE = 2  # height of the box of a caption: a line, as viewers write the name of a box beside its middle [px]
_GROUND = (24, 27, 33)


@dataclass(frozen=True, eq=False)
class Tile:
    """One of the pictures.

    Attributes:
        picture: in RGB.
        caption: below it.
        colour: of caption and frame.
        is_framed: whether it has a frame.
        detections: with boxes in its pixels, that are outlined.
    """

    picture: PIL.Image.Image
    caption: str
    colour: colours.RGB
    is_framed: bool = False
    detections: tuple[Detection, ...] = ()


def contact_sheet(tiles: Sequence[Tile], width: int) -> Picture:
    """Returns all pictures in rows, each `width` px wide, with captions as labelled lines below them.

    Raises:
        ValueError: there is no picture.
    """
    if not tiles:
        raise ValueError("a contact sheet needs at least one picture")
    columns = min(_COLUMNS, len(tiles))
    height = max(_height(tile, width) for tile in tiles)
    pitch = width + _GAP, height + _CAPTION + _GAP
    rows = -(-len(tiles) // columns)
    sheet = PIL.Image.new("RGB", (columns * pitch[0] + _GAP, rows * pitch[1] + _GAP), _GROUND)
    boxes, shades, labels = [], [], []
    for number, tile in enumerate(tiles):
        left = _GAP + number % columns * pitch[0]
        top = _GAP + number // columns * pitch[1]
        small = tile.picture.resize((width, _height(tile, width)), PIL.Image.Resampling.LANCZOS)
        if tile.is_framed:
            around = (width + 2 * _FRAME, small.height + 2 * _FRAME)
            sheet.paste(PIL.Image.new("RGB", around, tile.colour), (left - _FRAME, top - _FRAME))
        sheet.paste(small, (left, top))
        scale = width / tile.picture.width
        for detection in tile.detections:
            roi = detection.roi
            right, bottom = roi.x_offset + roi.width, roi.y_offset + roi.height
            corners = np.array([(roi.x_offset, roi.y_offset), (right, bottom)]) * scale
            # Within the picture: a viewer may need long for a box that is far larger.
            boxes.append(np.add(corners.clip(max=small.size), (left, top)).reshape(-1).tolist())
            shades.append(colours.TARGET)
            labels.append(detection.category)
        bottom = top + small.height + _FRAME
        boxes.append([left, bottom, left + width, bottom + _LINE])
        shades.append(tile.colour)
        labels.append(tile.caption)
    return Picture(np.asarray(sheet), np.array(boxes, np.float32), colours.rows(shades), tuple(labels))


def _height(tile: Tile, width: int) -> int:
    return max(1, round(tile.picture.height * width / tile.picture.width))
