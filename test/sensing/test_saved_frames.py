"""Tests of loading frames from a folder of NumPy files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.sensing.saved_frames import load_frames
from stma_ros.types.errors import BadDepthError, StorageError
from support.library.wall_arrays import MUG, wall_arrays, wall_frame


def write(path: Path, stamp: float, **change: Any) -> None:
    arrays = wall_arrays(stamp, MUG, **change)
    labels = arrays.pop("labels", {})
    if labels:
        arrays |= {"label_ids": list(labels), "label_names": list(labels.values())}
    np.savez(path, **arrays)


def test_saved_frames_are_loaded_in_the_order_of_their_stamps(tmp_path: Path) -> None:
    for name, stamp in (("a", 2.0), ("b", 10.0), ("c", 1.0)):
        write(tmp_path / f"{name}.npz", stamp)
    assert list(load_frames(tmp_path)) == [wall_frame(stamp, MUG) for stamp in (1.0, 2.0, 10.0)]


def test_saved_frame_may_hold_every_argument_of_from_arrays(tmp_path: Path) -> None:
    full = {"base": np.eye(4), "localization": np.eye(4), "camera": "left", "camera_axes": "optical"}
    write(tmp_path / "full.npz", 1.0, **full)
    write(tmp_path / "bare.npz", 2.0, color=None, segmentation=None, labels=None)
    first, second = load_frames(str(tmp_path))
    assert first == wall_frame(1.0, MUG, **full)
    assert second == wall_frame(2.0, color=None, segmentation=None, labels=None)


def test_folder_without_saved_frames_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(StorageError, match=r"holds no frames: files \*\.npz"):
            load_frames(folder)


def test_saved_frame_that_lacks_an_array_is_refused_by_its_file_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "1.npz", stamp=1.0, depth=np.ones((2, 2), np.uint16))
    with pytest.raises(StorageError, match=r"1\.npz lacks k, camera_pose"):
        list(load_frames(tmp_path))
    np.savez(tmp_path / "0.npz", depth=np.ones((2, 2), np.uint16))
    with pytest.raises(StorageError, match=r"0\.npz lacks the array 'stamp'"):
        load_frames(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"not numpy"])
def test_unreadable_saved_frame_is_refused_by_its_file_name(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(StorageError, match=r"bad\.npz cannot be read"):
        load_frames(tmp_path)


def test_pickled_objects_in_a_saved_frame_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "1.npz", stamp=np.array([{}], dtype=object))
    with pytest.raises(StorageError, match="cannot be read"):
        load_frames(tmp_path)


def test_saved_frame_in_the_wrong_units_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "1.npz", 1.0, depth=np.full((60, 80), 2000.0, np.float32))
    with pytest.raises(BadDepthError, match="were these millimetres"):
        list(load_frames(tmp_path))
