"""Tests of the folders of runs when several commands start at the same time, and of checks of other outputs."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stma_ros.apps import folders
from stma_ros.apps.folders import check_output, output_folder
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import ConfigurationError, StorageError


def before_making(monkeypatch: pytest.MonkeyPatch, name: str, happens: Callable[[Path], object]) -> None:
    """Lets something happen once, just before a folder of that name is made."""
    make = Path.mkdir
    done: list[Path] = []

    def mkdir(path: Path, *args: Any, **options: Any) -> None:
        if path.name == name and not done:
            done.append(path)
            happens(path)
        make(path, *args, **options)

    monkeypatch.setattr(Path, "mkdir", mkdir)


def test_folders_of_runs_are_numbered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert [output_folder(None, "run").path for _ in range(2)] == [Path("runs/run-1"), Path("runs/run-2")]
    assert output_folder(None, "demo").path == Path("runs/demo-1")


def test_commands_that_start_at_the_same_time_get_folders_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    others: list[RunFolder] = []
    before_making(monkeypatch, "run-1", lambda path: others.append(output_folder(None, "run")))
    assert output_folder(None, "run").path == Path("runs/run-2")
    assert others[0].path == Path("runs/run-1")


def test_a_named_folder_that_another_command_has_just_taken_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before_making(monkeypatch, "logs", lambda path: RunFolder.create(tmp_path / "mine"))
    with pytest.raises(StorageError, match="mine cannot hold a run"):
        output_folder(tmp_path / "mine", "run")


def test_a_file_in_place_of_the_folder_of_all_runs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").write_text("")
    with pytest.raises(StorageError, match="--out"):
        output_folder(None, "run")


def test_an_output_that_cannot_be_written_is_refused_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_output("--json", tmp_path / "results.json")
    check_output("--json", Path("/dev/null"))
    with pytest.raises(ConfigurationError, match=r"--json: .* is a folder; name a file in it"):
        check_output("--json", tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "results.json")
    with pytest.raises(ConfigurationError, match=r"--json: there is no folder .*nowhere"):
        check_output("--json", tmp_path / "link")

    def refuse(dir: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(folders, "TemporaryFile", refuse)
    with pytest.raises(ConfigurationError, match=r"nothing can be written to .*\(Permission denied\)"):
        check_output("--json", tmp_path / "results.json")
