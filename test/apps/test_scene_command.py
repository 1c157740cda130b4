"""Tests of `stma scene`: its output and files, and saved flats as scenes."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from stma_ros.apps import cli
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat_file import flat_text
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.house import House

SEED = 1003


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "my_flat.json"
    path.write_text(flat_text(make_flat(SEED)))
    return path


def test_scene_command_names_every_object_of_the_flat(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["scene", str(SEED)]) == 0
    output = capsys.readouterr().out
    flat = make_flat(SEED)
    assert f"flat {SEED}: {len(flat.layout.rooms)} rooms" in output
    for name in (
        *(room.kind for room in flat.layout.rooms),
        *(piece.category for piece in flat.furniture),
        *(item.category for item in flat.items),
    ):
        assert all(word in output for word in name.split()), name  # a cell may break between words


def test_scene_command_draws_exports_and_saves_a_flat_with_the_given_rooms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawing, model, saved = (tmp_path / name for name in ("f.svg", "f.glb", "f.json"))
    files = ["--draw", str(drawing), "--glb", str(model), "--save", str(saved)]
    assert cli.main(["scene", str(SEED), "--rooms", "4", *files]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("written")] == [
        f"written: {path}" for path in (drawing, model, saved)
    ]
    assert ElementTree.parse(drawing).getroot().tag.endswith("svg")
    assert model.read_bytes()[:4] == b"glTF"
    assert len(json.loads(saved.read_text())["flat"]["layout"]["rooms"]) == 4


def test_scene_command_exports_a_flat_for_habitat_and_explains_how_to_load_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "exported"
    assert cli.main(["scene", str(SEED), "--habitat", str(folder)]) == 0
    output = capsys.readouterr().out
    dataset = folder / f"flat_{SEED}.scene_dataset_config.json"
    assert f"written: {folder}" in output
    assert f"scene_dataset_config_file={str(dataset)!r}, scene_id='flat_{SEED}'" in output
    assert dataset.is_file()
    assert (folder / "scenes" / f"flat_{SEED}.scene_instance.json").is_file()


def test_export_for_habitat_replaces_no_other_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    assert cli.main(["scene", str(SEED), "--habitat", str(tmp_path)]) == cli.EXIT_REFUSED
    assert "holds something else" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
    assert cli.main(["scene", str(SEED), "--habitat", str(tmp_path / "no" / "flat")]) == cli.EXIT_REFUSED
    assert "there is no folder" in capsys.readouterr().err


def test_scene_command_leaves_the_old_file_when_it_cannot_write(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = saved.read_bytes()
    saved.with_name(saved.name + ".tmp").mkdir()
    assert cli.main(["scene", str(SEED + 1), "--save", str(saved)]) != 0
    assert f"{saved} cannot be written" in capsys.readouterr().err
    assert saved.read_bytes() == before


def test_scene_command_shows_a_saved_flat_like_the_generated_one(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["scene", str(SEED)]) == 0
    first = capsys.readouterr().out
    assert cli.main(["scene", str(saved)]) == 0
    assert capsys.readouterr().out == first


def test_scene_command_refuses_a_file_without_a_flat_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, drawing = tmp_path / "metrics.json", tmp_path / "f.svg"
    other.write_text("{}")
    assert cli.main(["scene", str(other), "--draw", str(drawing)]) == cli.EXIT_REFUSED
    assert "metrics.json holds no flat" in capsys.readouterr().err
    assert cli.main(["scene", str(other), "--rooms", "4"]) == cli.EXIT_REFUSED
    assert "leave --rooms out" in capsys.readouterr().err
    assert not drawing.exists()


def test_saved_flat_is_a_scene_with_the_same_start(saved: Path) -> None:
    from_file, from_seed = House(HouseConfig()), House(HouseConfig())
    assert from_file.reset(str(saved), 5) == str(saved)
    from_seed.reset(f"flat_{SEED}", 5)
    assert from_file.flat == from_seed.flat
    assert from_file.robot == from_seed.robot


def test_house_refuses_a_truncated_scene_and_stays_unchanged(saved: Path) -> None:
    house = House(HouseConfig())
    house.reset(str(saved), 5)
    before = house.truth()
    broken = saved.with_name("broken.json")
    broken.write_bytes(saved.read_bytes()[:-200])
    with pytest.raises(
        ConfigurationError, match=r"broken\.json is no flat, or is cut off.*save the flat again"
    ):
        house.reset(str(broken), 5)
    assert house.truth() == before
    with pytest.raises(ConfigurationError, match=r"the rooms it was saved with; leave house\.rooms at 0"):
        House(HouseConfig(rooms=4)).reset(str(saved), 5)


def test_run_in_a_saved_flat_solves_its_task(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    task = ["--task", "sing a song", "--scene", saved.name, "--out", "out"]
    assert cli.main(["run", "--runtime", "local", *task]) == 0
    assert str(saved) in (tmp_path / "out" / "config.yaml").read_text()
