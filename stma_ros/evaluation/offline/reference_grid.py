"""Reads a reference map in the format of Nav2's map_server: a YAML file next to its image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from pydantic import ConfigDict, Field

from stma_ros.mapping.occupancy import FREE, OCCUPIED, UNKNOWN
from stma_ros.storage.written_file import FileModel, error_at, read_yaml, validated
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Header, MapMetaData, OccupancyGrid, Pose

_PICTURES = (".pgm", ".png", ".bmp")  # written by map_saver
_OPAQUE = 255
_GREY = 205  # map_saver's value for unknown, which its own threshold may classify as free


class _MapFile(FileModel):
    """The keys of map_server; further keys of other programs are ignored."""

    model_config = ConfigDict(extra="ignore")

    image: Annotated[str, Field(min_length=1)]
    resolution: Annotated[float, Field(gt=0)]
    origin: tuple[float, float, float]
    negate: Literal[0, 1] = 0
    occupied_thresh: Annotated[float, Field(ge=0, le=1)] = 0.65
    free_thresh: Annotated[float, Field(ge=0, le=1)] = 0.196
    mode: Literal["trinary", "scale"] = "trinary"


def read_grid(path: Path) -> OccupancyGrid:
    """Reads the map as a message: free, occupied or unknown by its two thresholds, in map_server's trinary mode.

    Raises:
        ConfigurationError: the file is wrong, naming key and line, or its image is missing.
    """
    if path.suffix.lower() in _PICTURES:
        raise ConfigurationError(f"{path} is the picture of a map; give the .yaml beside it")
    content = read_yaml(path)
    if "image" not in content:
        raise ConfigurationError(
            f"{path} is no map of Nav2's map_server: it has no 'image'; give one that has"
        )
    file = validated(path, content, _MapFile)
    if file.free_thresh > file.occupied_thresh:
        raise error_at(path, ("free_thresh",), "is above occupied_thresh: nothing would be unknown; lower it")
    pixels = _pixels(path, file)
    shade, alpha = pixels[..., 0] / 255, pixels[..., 1]
    occupied = shade if file.negate else 1 - shade
    cells: NDArray[np.int8] = np.full(occupied.shape, UNKNOWN, np.int8)
    cells[occupied > file.occupied_thresh] = OCCUPIED
    cells[occupied < file.free_thresh] = FREE
    cells[(alpha < _OPAQUE) | (pixels[..., 0] == _GREY)] = UNKNOWN
    info = MapMetaData(
        resolution=float(np.float32(file.resolution)),
        width=cells.shape[1],
        height=cells.shape[0],
        origin=Pose.planar(*file.origin),
    )
    # The first row of an image is at its top, where y is greatest.
    return OccupancyGrid(Header(), info, np.ascontiguousarray(cells[::-1]).reshape(-1))


def _pixels(path: Path, file: _MapFile) -> NDArray[np.uint8]:
    """Returns (H, W, 2): mean of the colour channels, and opacity."""
    image = path.parent / file.image
    try:
        with Picture.open(image) as picture:
            channels = np.asarray(picture.convert("RGBA"))
    except (OSError, ValueError, Picture.DecompressionBombError) as error:
        raise error_at(path, ("image",), f"{image} cannot be read as a picture ({error})") from error
    return np.dstack((channels[..., :3].mean(axis=2).round().astype(np.uint8), channels[..., 3]))
