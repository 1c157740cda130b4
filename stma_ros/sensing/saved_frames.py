"""Reads RGB-D frames from a folder of NumPy files, one file for each frame."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types.errors import StorageError

_NEEDED: Final = ("depth", "k", "camera_pose", "stamp")
_ARRAYS: Final = (*_NEEDED, "color", "segmentation", "base", "localization")
_LABELS: Final = ("label_ids", "label_names")
_TEXTS: Final = ("camera_axes", "camera")


def load_frames(folder: str | PathLike[str]) -> Iterator[CameraFrame]:
    """Yields the frames of a folder in the order of their stamps.

    Each file `*.npz` (numpy.savez) is a frame. It holds arrays under the names and with the units of
    `CameraFrame.from_arrays`. The arrays depth, k, camera_pose and stamp are required; color, segmentation, base,
    localization, camera_axes and camera are optional. A segmentation comes with label_ids (N,) and label_names (N,)
    of text instead of `labels`.

    Args:
        folder: Folder with the files; their names may be in any order. One file is read at a time.

    Raises:
        StorageError: The folder does not exist or holds no such file, or a file cannot be read or lacks an array.
        BadImageError, BadDepthError, PoseJumpError: The arrays do not fit one another (CameraFrame.from_arrays).
    """
    files = sorted(Path(folder).glob("*.npz"))
    if not files:
        raise StorageError(f"{folder} holds no frames: files *.npz are looked for, made with numpy.savez")
    stamped = sorted((_stamp(path), path) for path in files)
    return (_frame(path) for _, path in stamped)


def _stamp(path: Path) -> float:
    stamp = _read(path, ("stamp",))
    if "stamp" not in stamp:
        raise StorageError(f"{path} lacks the array 'stamp' [s]; a frame has at least {', '.join(_NEEDED)}")
    return float(stamp["stamp"])


def _frame(path: Path) -> CameraFrame:
    found = _read(path, (*_ARRAYS, *_LABELS, *_TEXTS))
    missing = [name for name in _NEEDED if name not in found]
    if missing:
        raise StorageError(
            f"{path} lacks {', '.join(missing)}; a frame has at least {', '.join(_NEEDED)} (CameraFrame.from_arrays)"
        )
    arguments: dict[str, Any] = {name: found[name] for name in _ARRAYS if name in found}
    arguments |= {name: str(found[name]) for name in _TEXTS if name in found}
    arguments["stamp"] = float(found["stamp"])
    if all(name in found for name in _LABELS):
        pairs = zip(found["label_ids"].tolist(), found["label_names"].tolist(), strict=True)
        arguments["labels"] = {int(id_): str(name) for id_, name in pairs}
    return CameraFrame.from_arrays(**arguments)


def _read(path: Path, names: tuple[str, ...]) -> dict[str, NDArray[Any]]:
    """Returns those of the named arrays that the file holds, by name. Pickled objects are not loaded."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in names if name in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise StorageError(f"{path} cannot be read ({error}); make it with numpy.savez") from error
