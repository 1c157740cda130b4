"""The folder of a run, and the names of its files."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from stma_ros.storage.bag.metadata import METADATA_FILE
from stma_ros.storage.bag.split_files import BAG_FILE
from stma_ros.storage.files import write_atomically
from stma_ros.storage.provenance import provenance
from stma_ros.types.errors import StmaError, StorageError

_CONFIG = "config.yaml"
_METRICS = "metrics.json"
_REPORT = "report.html"
_DECISIONS = "decisions.jsonl"
VIEW_FILE = "view.rrd"
_LOGS = "logs"
_MARK = "stma_ros_run"  # key of config.yaml that identifies run folders
_FORMAT = 1


class RunFolder:
    """The folder of a run, with the paths of its files. It is also a rosbag2 folder (`ros2 bag info RUN_DIR`)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.bag = path / BAG_FILE
        self.config = path / _CONFIG
        self.metrics = path / _METRICS
        self.report = path / _REPORT
        self.decisions = path / _DECISIONS
        self.logs = path / _LOGS

    @classmethod
    def create(cls, path: Path) -> RunFolder:
        """Creates the folder of a run.

        Args:
            path: Path of a new or empty folder.

        Raises:
            StorageError: The folder contains files, or cannot be created.
        """
        folder = cls(path)
        try:
            if path.is_dir() and any(path.iterdir()):
                raise folder._taken()
            path.mkdir(parents=True, exist_ok=True)
            folder.logs.mkdir()  # fails where another command has taken the folder since it was found empty
        except OSError as error:
            raise StorageError(f"{path} cannot hold a run ({error.strerror}); name another folder") from error
        return folder

    @property
    def has_bag(self) -> bool:
        """Whether a recorder has written the metadata of a bag, which it does first."""
        return (self.path / METADATA_FILE).exists()

    @classmethod
    def open(cls, path: Path) -> RunFolder:
        """Opens the folder of an existing run.

        Raises:
            StorageError: The folder is not that of a run.
        """
        folder = cls(path)
        if not folder._is_run():
            raise StorageError(f"{path} is not a run's folder: it has no {_CONFIG} of ours")
        return folder

    @contextmanager
    def removed_if_refused(self) -> Iterator[Callable[[], None]]:
        """Removes the folder if its run is refused before it begins, so that the mended command can name it again.

        Yields what is to be called when the run begins.
        """
        begun: list[bool] = []
        try:
            yield lambda: begun.append(True)
        except StmaError:
            if not begun:
                shutil.rmtree(self.path, ignore_errors=True)
            raise

    def write_config(self, settings: Mapping[str, Any], *, seed: int | None = None) -> None:
        """Writes config.yaml: settings, seed, package versions and source revision of the run."""
        content = {
            _MARK: _FORMAT,
            "settings": dict(settings),
            "seed": seed,
            **provenance(),
        }
        write_atomically(self.config, yaml.safe_dump(content, sort_keys=False))

    def read_config(self) -> dict[str, Any]:
        """Returns the content of config.yaml.

        Raises:
            StorageError: The file is missing or malformed.
        """
        try:
            content = yaml.safe_load(self.config.read_text(encoding="utf-8"))
        except (OSError, yaml.YAMLError, ValueError) as error:
            raise StorageError(f"{self.config} cannot be read: {error}") from error
        if not isinstance(content, dict) or _MARK not in content:
            raise StorageError(f"{self.config} was not written by stma_ros; name the folder of a run")
        return content

    def settings(self) -> dict[str, Any]:
        """Returns settings and seed from config.yaml; empty if the file does not exist yet.

        Raises:
            StorageError: The file is malformed.
        """
        if not self.config.exists():
            return {}
        content = self.read_config()
        settings = content.get("settings")
        if not isinstance(settings, dict):
            raise StorageError(f"{self.config} has no settings of a run; name another folder")
        return {**settings, "seed": content.get("seed")}

    def write_metrics(self, metrics: Mapping[str, Any]) -> None:
        """Writes metrics.json."""
        write_atomically(self.metrics, json.dumps(metrics, indent=2) + "\n")

    def read_metrics(self) -> dict[str, Any]:
        """Returns the content of metrics.json.

        Raises:
            StorageError: The file is missing or malformed.
        """
        try:
            metrics = json.loads(self.metrics.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise StorageError(f"{self.metrics} cannot be read: {error}") from error
        if not isinstance(metrics, dict):
            raise StorageError(f"{self.metrics} holds no metrics of a run; remove it")
        return metrics

    def _is_run(self) -> bool:
        try:
            self.read_config()
        except StorageError:
            return False
        return True

    def _taken(self) -> StorageError:
        if self._is_run():
            return StorageError(f"{self.path} holds an earlier run; name a new folder, or remove that one")
        return StorageError(f"{self.path} is not empty, and not the folder of a run; name a new folder")
