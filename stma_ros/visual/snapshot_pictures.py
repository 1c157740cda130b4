"""Reads the pictures of snapshots, in a smaller size, and marks frontiers in them."""

from __future__ import annotations

import PIL.Image
from PIL import ImageDraw

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.storage.lossy_color import decode_image
from stma_ros.types.errors import BadImageError
from stma_ros.types.exploration import FrontierView
from stma_ros.types.standard import CompressedImage, Point
from stma_ros.visual import colours
from stma_ros.visual.snapshots import place_across

_ARROW = (
    (0.0, 0.17),
    (0.065, 0.08),
    (0.025, 0.08),
    (0.025, 0.0),
    (-0.025, 0.0),
    (-0.025, 0.08),
    (-0.065, 0.08),
)
"""Corners of the mark: to the right and up from the lower edge, as shares of the picture's width."""


_MOST_UNEQUAL = 10.0  # sides of a picture: a strip of pixels would become huge when it is enlarged


def readable_picture(picture: CompressedImage) -> PIL.Image.Image | None:
    """Returns a picture in RGB; None if it cannot be read, or is a mere strip."""
    try:
        read = decode_image(picture, "RGB")
    except BadImageError:
        return None
    return read if max(read.size) <= _MOST_UNEQUAL * min(read.size) else None


def scaled_picture(picture: CompressedImage, width: int) -> PIL.Image.Image | None:
    """Returns a picture in RGB, `width` px wide; None for one that is not readable."""
    read = readable_picture(picture)
    if read is None:
        return None
    height = max(1, round(read.height * width / read.width))
    return read.resize((width, height), PIL.Image.Resampling.LANCZOS)


def frontier_picture(
    view: FrontierView, center: Point | None, camera: PinholeCamera | None, width: int
) -> PIL.Image.Image | None:
    """Returns what was seen in the direction of a frontier, with an arrow at its lower edge where the frontier is.

    Args:
        view: the view of the frontier.
        center: of the frontier in the map; None = not known, without an arrow.
        camera: the camera that took the picture; None = not known, without an arrow.
        width: of the result [px].

    Returns:
        The picture in RGB; None if it cannot be read.
    """
    picture = scaled_picture(view.view.picture, width)
    if picture is None or center is None or camera is None:
        return picture
    across = place_across(center, view.view.camera, camera)
    if across is not None:
        arrow = [((across + x) * width, picture.height - 1 - y * width) for x, y in _ARROW]
        ImageDraw.Draw(picture).polygon(arrow, fill=colours.TOWARDS, outline=(255, 255, 255))
    return picture
