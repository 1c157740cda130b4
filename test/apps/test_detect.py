"""Tests of `stma detect`, which shows what a network finds in photographs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from stma_ros.apps import cli
from support.models.vision_networks import HEIGHT, WIDTH, constant_network


@pytest.fixture
def network(tmp_path: Path) -> Path:
    """The file of a network that sees a mug in the right half of every picture."""
    constant_network(tmp_path / "tiny.onnx", {"rows": [[0.5, 0.0, 1.0, 1.0, 0.8, 0]]})
    path = tmp_path / "tiny.yaml"
    path.write_text(
        f"network: tiny.onnx\ninput: {{name: image, size: [{WIDTH}, {HEIGHT}]}}\n"
        "outputs: {kind: rows, rows: rows, boxes: normalised}\nlabels: [mug]\n",
        encoding="utf-8",
    )
    return path


def test_objects_are_printed_and_drawn_into_a_copy(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.jpg"
    Image.new("RGB", (200, 100), (250, 250, 250)).save(photo)
    before = photo.read_bytes()
    assert cli.main(["detect", str(network), str(photo), "--out", str(tmp_path / "out")]) == 0
    assert "photo.jpg: mug 0.80" in capsys.readouterr().out
    drawn = np.asarray(Image.open(tmp_path / "out" / "photo.png")).astype(int)
    changed = np.abs(drawn - 250).max(axis=2) > 20
    assert changed[:, :99].sum() == 0
    assert changed[0, 100:].all()
    assert changed[:, 199].all()
    assert photo.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"), [(None, "cannot be read"), (b"no picture", "an image of 10 bytes cannot be read")]
)
def test_file_that_is_no_picture_is_refused_with_the_reason(
    network: Path, tmp_path: Path, content: bytes | None, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.png"
    if content is not None:
        photo.write_bytes(content)
    assert cli.main(["detect", str(network), str(photo), "--out", str(tmp_path / "out")]) != 0
    assert says in capsys.readouterr().err


def test_picture_that_is_far_too_large_is_refused(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.png"
    Image.new("1", (20_000, 10_000)).save(photo)
    assert cli.main(["detect", str(network), str(photo), "--out", str(tmp_path / "out")]) != 0
    said = capsys.readouterr().err
    assert "photo.png: an image is too large" in said
    assert "make it smaller" in said


def test_truncated_picture_of_a_turned_phone_is_refused_with_the_reason(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "photo.jpg"
    orientation = Image.Exif()
    orientation[ExifTags.Base.Orientation] = 6
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (100, 200, 3), np.uint8)).save(
        photo, exif=orientation
    )
    photo.write_bytes(photo.read_bytes()[:4000])
    assert cli.main(["detect", str(network), str(photo), "--out", str(tmp_path / "out")]) != 0
    assert "image file is truncated" in capsys.readouterr().err


def test_photograph_is_never_replaced_and_two_of_one_name_are_refused(
    network: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photos = [tmp_path / "a" / "photo.png", tmp_path / "b" / "photo.png"]
    for photo in photos:
        photo.parent.mkdir()
        Image.new("RGB", (20, 10)).save(photo)
    before = photos[0].read_bytes()
    assert cli.main(["detect", str(network), str(photos[0]), "--out", str(photos[0].parent)]) == 2
    assert cli.main(["detect", str(network), *map(str, photos), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("name another folder with --out") == 2
    assert photos[0].read_bytes() == before


def test_picture_of_a_phone_held_upright_is_turned(network: Path, tmp_path: Path) -> None:
    photo = tmp_path / "photo.jpg"
    orientation = Image.Exif()
    orientation[ExifTags.Base.Orientation] = 6  # turned by a quarter
    Image.new("RGB", (200, 100)).save(photo, exif=orientation)
    assert cli.main(["detect", str(network), str(photo), "--out", str(tmp_path / "out")]) == 0
    assert Image.open(tmp_path / "out" / "photo.png").size == (100, 200)
