"""Snapshots and views of frontiers with drawn pictures."""

from __future__ import annotations

import numpy as np

from stma_ros.models.images import Picture, picture
from stma_ros.types.exploration import FrontierView, Snapshot
from stma_ros.types.standard import CompressedImage

RED, BLUE = (200, 30, 30), (30, 60, 200)


def drawn(patch: tuple[int, int, int] | None = None, shade: int = 225) -> Picture:
    """Returns a picture of a wall of a grey shade, with a patch of one colour."""
    pixels = np.full((60, 80, 3), shade, np.uint8)
    if patch is not None:
        pixels[20:40, 30:50] = patch
    return picture(pixels)


def snapshot(shown: Picture, name: str = "") -> Snapshot:
    """Returns a snapshot with a picture."""
    data = np.frombuffer(shown.png, np.uint8)
    return Snapshot(id=name, picture=CompressedImage(format="png", data=data))


def frontier(length: float, shown: Picture) -> FrontierView:
    """Returns the view of a frontier. length: of the way there [m]."""
    return FrontierView(length=length, view=snapshot(shown))
