"""Resolves the names in a scene data set's configuration to files, without an engine."""

from __future__ import annotations

import glob
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.engine.naming import simple_name

DATASET_SUFFIX, INSTANCE_SUFFIX = ".scene_dataset_config.json", ".scene_instance.json"
OBJECT_SUFFIX, ARTICULATED_SUFFIX = ".object_config.json", ".ao_config.json"
_MESHES = (".glb", ".gltf", ".ply", ".obj")


def is_dataset(name: str) -> bool:
    return name.endswith(DATASET_SUFFIX)


def is_scene_file(name: str) -> bool:
    """Whether the name looks like a file that is a scene by itself."""
    return name.endswith((INSTANCE_SUFFIX, *_MESHES))


class DatasetFiles:
    """A data set by its configuration.

    Attributes:
        path: path of the *.scene_dataset_config.json.
        config: its content.

    Raises:
        ConfigurationError: the configuration cannot be read.
    """

    def __init__(self, dataset: str) -> None:
        self.path = Path(dataset).expanduser()
        try:
            self.config: Mapping[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
            if not isinstance(self.config, dict):
                raise ValueError("it holds no JSON object")
            for section, entry in self.config.items():
                if isinstance(entry, dict) and not _are_paths(entry.get("paths", {})):
                    raise ValueError(f"{section}.paths holds no lists of paths by file endings")
        except (OSError, ValueError) as error:
            raise self._unreadable(error) from error

    def of(self, section: str, *endings: str) -> Iterator[Path]:
        """Yields the files of a section ("objects", "scene_instances" ...) with one of these endings. Raises
        ConfigurationError for a malformed section."""
        try:
            for pattern in self._patterns(section):
                for path in sorted(glob.glob(str(self.path.parent / pattern))):
                    inside = sorted(glob.glob(f"{glob.escape(path)}/*")) if Path(path).is_dir() else [path]
                    yield from (Path(each) for each in inside if each.endswith(endings))
        except AttributeError as error:
            raise self._unreadable(error) from error

    def named(self, section: str, name: str, ending: str) -> Path | None:
        """Returns the file that a section has for `name`: the one that the section maps the name to, else the file with
        that name, with or without a word for its kind ("home.semantic_config.json"); None = there is none."""
        key = Path(name).name
        entry = self.config.get(section, {})
        listed = entry.get(name) if isinstance(entry, dict) else None
        if isinstance(listed, str):
            return self.path.parent / listed
        files = self.of(section, ending)
        return next((path for path in files if key in (path.stem, path.stem.rpartition(".")[0])), None)

    def _patterns(self, section: str) -> Sequence[str]:
        paths = self.config.get(section, {}).get("paths", {})
        return list(dict.fromkeys(pattern for listed in paths.values() for pattern in listed))

    def _unreadable(self, error: Exception) -> ConfigurationError:
        return ConfigurationError(
            f"the scene data set {str(self.path)!r} cannot be read ({error}): give the path of a *{DATASET_SUFFIX}"
        )


def _are_paths(entry: object) -> bool:
    return isinstance(entry, dict) and all(
        isinstance(paths, list) and all(isinstance(path, str) for path in paths) for paths in entry.values()
    )


def scenes_of(dataset: str) -> list[str]:
    """Returns the names of a data set's scenes, sorted: those of its *.scene_instance.json files, else of its stages.

    Raises:
        ConfigurationError: it cannot be read, or has none.
    """
    files = DatasetFiles(dataset)
    for section, endings in (
        ("scene_instances", (INSTANCE_SUFFIX,)),
        ("stages", (".stage_config.json", ".glb")),
    ):
        names = {simple_name(path.name) for path in files.of(section, *endings)}
        if names:
            return sorted(names)
    raise ConfigurationError(
        f"the scene data set {dataset!r} has no scenes: the folders that it names are empty or not there"
    )
