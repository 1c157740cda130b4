"""The folder of a run, and the names of its files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from stma_ros.storage.bag.metadata import METADATA_FILE
from stma_ros.storage.bag.split_files import BAG_FILE, BAG_FILES
from stma_ros.storage.files import write_atomically
from stma_ros.storage.memory_store import RECORDED_MEMORY
from stma_ros.storage.provenance import provenance
from stma_ros.types.errors import StorageError
from stma_ros.types.telemetry import REPLIES_FILE

_CONFIG = "config.yaml"
_METRICS = "metrics.json"
_REPORT = "report.html"
_DECISIONS = "decisions.jsonl"
VIEW_FILE = "view.rrd"
_LOGS = "logs"
_MARK = "stma_ros_run"  # the key by which config.yaml tells a run folder of ours from other folders
_FORMAT = 1
_OURS = (
    _CONFIG,
    _METRICS,
    _REPORT,
    _DECISIONS,
    _LOGS,
    METADATA_FILE,
    REPLIES_FILE,
    RECORDED_MEMORY,
    VIEW_FILE,
)


class RunFolder:
    """Paths and files of one run. It is a rosbag2 folder, too: `ros2 bag info RUN_DIR` reads it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bag = path / BAG_FILE
        self.config = path / _CONFIG
        self.metrics = path / _METRICS
        self.report = path / _REPORT
        self.decisions = path / _DECISIONS
        self.logs = path / _LOGS

    @classmethod
    def create(cls, path: Path, *, replace: bool = False) -> RunFolder:
        """Makes the folder, or takes an empty one; `replace` allows to empty one that an earlier run left.

        Raises StorageError for a folder with anything else in it, and where none can be made.
        """
        folder = cls(path)
        try:
            if path.is_dir() and any(path.iterdir()):
                folder._clear(replace)
            folder.logs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{path} cannot hold a run ({error.strerror}); name another folder") from error
        return folder

    @property
    def has_bag(self) -> bool:
        """Whether a recorder has begun to write here: that is the first thing that it leaves."""
        return (self.path / METADATA_FILE).exists()

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """An existing run; raises StorageError where `path` is none."""
        folder = cls(path)
        if not folder._is_ours():
            raise StorageError(f"{path} is not a run's folder: it has no {_CONFIG} of ours")
        return folder

    def write_config(self, settings: Mapping[str, Any], *, seed: int | None = None) -> None:
        """Writes what it takes to repeat the run: settings, seed, versions and the source's revision."""
        content = {
            _MARK: _FORMAT,
            "settings": dict(settings),
            "seed": seed,
            **provenance(),
        }
        write_atomically(self.config, yaml.safe_dump(content, sort_keys=False))

    def read_config(self) -> dict[str, Any]:
        """Raises StorageError where the file is missing or garbled."""
        try:
            content = yaml.safe_load(self.config.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError, UnicodeDecodeError) as error:
            raise StorageError(f"{self.config} cannot be read: {error}") from error
        if not isinstance(content, dict) or _MARK not in content:
            raise StorageError(f"{self.config} was not written by stma_ros; name the folder of a run")
        return content

    def settings(self) -> dict[str, Any]:
        """Settings and seed from config.yaml; empty where there is none yet."""
        if not self.config.exists():
            return {}
        content = self.read_config()
        return {**content["settings"], "seed": content["seed"]}

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        write_atomically(self.metrics, json.dumps(metrics, indent=2) + "\n")

    def read_metrics(self) -> dict[str, Any]:
        """Raises StorageError where the file is missing or garbled."""
        try:
            return dict(json.loads(self.metrics.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise StorageError(f"{self.metrics} cannot be read: {error}") from error

    def _is_ours(self) -> bool:
        try:
            self.read_config()
        except StorageError:
            return False
        return True

    def _clear(self, replace: bool) -> None:
        if not self._is_ours():
            raise StorageError(f"{self.path} is not empty and holds no earlier run; name a new folder")
        if not replace:
            raise StorageError(f"{self.path} holds an earlier run; name a new folder, or remove that one")
        # config.yaml goes last: a removal that is cut short leaves a folder that can be replaced again.
        entries = [*self.path.glob(BAG_FILES), *(self.path / name for name in _OURS)]
        for entry in sorted(entries, key=lambda entry: entry.name == _CONFIG):
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink(missing_ok=True)
