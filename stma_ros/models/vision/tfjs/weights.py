"""Reads the weights of a model from its binary files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.tfjs.errors import GraphModelError

_STORED: Mapping[str, np.dtype[Any]] = {
    "float32": np.dtype("<f4"),
    "float16": np.dtype("<f2"),
    "int32": np.dtype("<i4"),
    "uint8": np.dtype("u1"),
    "uint16": np.dtype("<u2"),
    "bool": np.dtype("u1"),
}
_LOADED: Mapping[str, np.dtype[Any]] = {
    "float32": np.dtype(np.float32),
    "int32": np.dtype(np.int32),
    "uint8": np.dtype(np.int32),
    "bool": np.dtype(np.bool_),
}


def read_weights(
    manifest: Iterable[Mapping[str, Any]], folder: Path, source: Path
) -> dict[str, NDArray[Any]]:
    """Reads all weights, and restores those that are stored in fewer bits.

    Args:
        manifest: The groups of weights: the files of each, which continue one another, and what they contain.
        folder: Where the files are.
        source: The JSON file, for errors.

    Returns:
        The weights by name, as float32, int32 or bool.

    Raises:
        GraphModelError: A file cannot be read or has another size than its weights, or the manifest is malformed.
    """
    weights: dict[str, NDArray[Any]] = {}
    for group in manifest:
        try:
            paths, entries = list(group["paths"]), list(group["weights"])
        except (KeyError, TypeError) as error:
            raise GraphModelError(
                f"{source}: a group of the weightsManifest has no paths or no weights; get the file anew"
            ) from error
        data = b"".join(_read_file(name, folder, source) for name in paths)
        offset = 0
        for entry in entries:
            name, stored, shape = _layout(entry, source)
            size = math.prod(shape) * stored.itemsize
            part = data[offset : offset + size]
            offset += size
            if len(part) == size:  # otherwise the data is too short, which is reported with the whole size
                weights[name] = _restored(np.frombuffer(part, stored).reshape(shape), entry, source)
        if offset != len(data):
            raise GraphModelError(
                f"{', '.join(str(folder / name) for name in paths)}: {len(data)} bytes instead of the {offset} that "
                f"{source.name} describes; the download is incomplete, or the files belong to another model"
            )
    return weights


def _read_file(name: Any, folder: Path, source: Path) -> bytes:
    if not isinstance(name, str) or Path(name).is_absolute() or ".." in Path(name).parts:
        raise GraphModelError(
            f"{source}: weights are expected beside this file, and not in {name!r}; correct weightsManifest.paths"
        )
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise GraphModelError(
            f"{folder / name} cannot be read ({error.strerror}); get it, and lay it beside {source.name}"
        ) from error


def _layout(entry: Any, source: Path) -> tuple[str, np.dtype[Any], tuple[int, ...]]:
    """Returns the name of a weight, the type of elements in which it is stored, and its shape."""
    try:
        name, shape = str(entry["name"]), tuple(int(size) for size in entry["shape"])
        kind = (entry.get("quantization") or entry)["dtype"]
        stored, _ = _STORED[kind], _LOADED[entry["dtype"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise GraphModelError(
            f"{source}: the weight {str(entry)[:200]} is malformed or of an unknown type; known are "
            f"{', '.join(_STORED)}"
        ) from error
    if min(shape, default=0) < 0:
        raise GraphModelError(f"{source}: the weight {name!r} has the shape {shape}; get the file anew")
    return name, stored, shape


def _restored(values: NDArray[Any], entry: Mapping[str, Any], source: Path) -> NDArray[Any]:
    """Returns the numbers that stored ones stand for: value * scale + min, except in 16-bit floating point."""
    loaded = _LOADED[entry["dtype"]]
    quantization = entry.get("quantization")
    if quantization and quantization["dtype"] != "float16":
        try:
            scale, least = float(quantization["scale"]), float(quantization["min"])
        except (KeyError, TypeError, ValueError) as error:
            raise GraphModelError(
                f"{source}: the weight {entry['name']!r} is stored in fewer bits without a scale and a min; "
                "get the file anew"
            ) from error
        values = values.astype(np.float64) * scale + least
        if loaded.kind == "i":
            values = np.floor(values + 0.5)  # as JavaScript rounds
    return values.astype(loaded)
