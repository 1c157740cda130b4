"""Run folders: other files are never overwritten, and a run states how to repeat it."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.storage.run_folder import RunFolder
from stma_ros.types.errors import StorageError


def test_a_run_folder_holds_the_settings_to_repeat_the_run(tmp_path: Path) -> None:
    folder = RunFolder.create(tmp_path / "a" / "run")
    folder.write_config({"planner.horizon": 3, "world": "house"}, seed=7)
    folder.write_metrics({"success_rate": 100.0})
    read = RunFolder.open(tmp_path / "a" / "run")
    config = read.read_config()
    assert config["settings"] == {"planner.horizon": 3, "world": "house"}
    assert config["seed"] == 7
    assert "numpy" in config["versions"]
    assert "revision" in config
    assert read.read_metrics() == {"success_rate": 100.0}
    assert folder.logs.is_dir()
    assert (folder.bag.name, folder.report.name) == ("run.mcap", "report.html")


def test_a_folder_that_is_no_run_is_never_changed(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(StorageError, match="not the folder of a run"):
        RunFolder.create(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("began", [False, True])
def test_a_run_that_is_refused_before_it_begins_leaves_no_folder(tmp_path: Path, began: bool) -> None:
    folder = RunFolder.create(tmp_path / "run")

    def refuse() -> None:
        with folder.removed_if_refused() as begin:
            folder.write_config({})
            if began:
                begin()
            raise StorageError("refused")

    with pytest.raises(StorageError, match="refused"):
        refuse()
    assert folder.path.exists() is began


def test_an_earlier_run_is_never_replaced(tmp_path: Path) -> None:
    first = RunFolder.create(tmp_path / "run")
    first.write_config({})
    first.bag.write_bytes(b"bag")
    with pytest.raises(StorageError, match="holds an earlier run"):
        RunFolder.create(tmp_path / "run")
    assert first.bag.read_bytes() == b"bag"


def test_an_empty_folder_becomes_a_run_folder(tmp_path: Path) -> None:
    assert RunFolder.create(tmp_path).logs.is_dir()


def test_a_file_in_place_of_the_run_folder_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        RunFolder.create(tmp_path / "file" / "run")


@pytest.mark.parametrize("content", [None, "just: yaml", "{", "- a list", "stma_ros_run: 1\na: 2024-13-45"])
def test_other_folders_are_not_opened_as_runs(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "config.yaml").write_text(content)
    with pytest.raises(StorageError, match=r"not a run's folder"):
        RunFolder.open(tmp_path)


def test_malformed_files_of_a_run_are_named(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.config.write_text("stma_ros_run: 1\n")
    with pytest.raises(StorageError, match=r"config\.yaml has no settings"):
        folder.settings()
    folder.metrics.write_text("[1]")
    with pytest.raises(StorageError, match=r"metrics\.json holds no metrics"):
        folder.read_metrics()
