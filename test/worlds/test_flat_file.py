"""A saved flat is loaded unchanged, and other files are refused with the cause."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stma_ros.types.errors import StorageError
from stma_ros.worlds.house.flat_file import VERSION, flat_text, load_flat
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.identity import permuted

FLAT = make_flat(1004, 4)
Document = dict[str, Any]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "flat.json"
    path.write_text(flat_text(FLAT))
    return path


@pytest.mark.parametrize("flat", [FLAT, make_flat(1005, 9), permuted(FLAT, 3)])
def test_a_saved_flat_is_loaded_unchanged_and_saved_to_the_same_bytes(flat: Any, tmp_path: Path) -> None:
    path = tmp_path / "flat.json"
    path.write_text(flat_text(flat))
    loaded = load_flat(path)
    assert loaded == flat
    assert flat_text(loaded) == path.read_text()
    assert loaded.furniture[0].shape.body.vertices.shape == flat.furniture[0].shape.body.vertices.shape


def test_missing_and_truncated_flat_files_are_refused(saved: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        load_flat(tmp_path / "none.json")
    saved.write_bytes(saved.read_bytes()[:-2000])
    with pytest.raises(StorageError, match="cut off"):
        load_flat(saved)
    saved.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StorageError, match="no flat"):
        load_flat(saved)


def _version(document: Document) -> None:
    document["version"] = VERSION + 1


def _format(document: Document) -> None:
    document["format"] = "recipe"


def _no_place(document: Document) -> None:
    document["flat"]["items"][0]["x"] = "left"


def _unknown_kind(document: Document) -> None:
    document["flat"]["items"][0]["category"] = "unicorn"


def _nothing_under_it(document: Document) -> None:
    document["flat"]["items"][0]["support"] = "nobody_1"


def _unknown_name(document: Document) -> None:
    document["flat"]["initial"]["open_names"].append("gate_1")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (_version, f"version {VERSION + 1}.*version {VERSION}"),
        (_format, "holds no flat"),
        (_no_place, "damaged: items.0.x"),
        (_unknown_kind, "unicorn"),
        (_nothing_under_it, "nobody_1"),
        (_unknown_name, "gate_1"),
    ],
)
def test_a_mistake_in_a_flat_file_is_refused_with_the_cause(
    saved: Path, damage: Callable[[Document], None], reason: str
) -> None:
    document = json.loads(saved.read_text())
    damage(document)
    saved.write_text(json.dumps(document))
    with pytest.raises(StorageError, match=reason):
        load_flat(saved)


def test_a_flat_file_with_a_list_is_refused(saved: Path) -> None:
    saved.write_text("[1, 2]")
    with pytest.raises(StorageError, match="holds no flat"):
        load_flat(saved)
