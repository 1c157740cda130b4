"""Tests of writing files whole or not at all."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError


def test_a_file_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    target, link = tmp_path / "shared" / "results.json", tmp_path / "results.json"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["results.json", "results.json", "shared"]


def test_a_pipe_is_written_itself() -> None:
    reading, writing = os.pipe()
    write_atomically(Path(f"/dev/fd/{writing}"), "{}")
    assert os.read(reading, 10) == b"{}"
    os.close(reading)
    os.close(writing)


def test_a_named_pipe_is_written_itself(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, "{}")
    assert os.read(reading, 10) == b"{}"
    assert pipe.is_fifo()
    os.close(reading)


def test_a_folder_in_place_of_a_file_is_named_and_no_draft_is_left(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(
        StorageError, match=re.escape("folder cannot be written (Is a directory); name another")
    ):
        write_atomically(tmp_path / "folder", "new")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_full_disk_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "results.json"
    file.write_text("old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageError, match="free space"):
        write_atomically(file, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("results.json", "old")]
