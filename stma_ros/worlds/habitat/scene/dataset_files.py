"""Which scenes there are, by the names that people give."""

from __future__ import annotations

import glob
import json
from pathlib import Path
from typing import Any

from stma_ros.types.errors import ConfigurationError

DATASET_SUFFIX, INSTANCE_SUFFIX = ".scene_dataset_config.json", ".scene_instance.json"
_MESHES = (".glb", ".gltf", ".ply", ".obj")


def is_dataset(name: str) -> bool:
    return name.endswith(DATASET_SUFFIX)


def is_scene_file(name: str) -> bool:
    """Whether it looks like a file that is a scene by itself."""
    return name.endswith((INSTANCE_SUFFIX, *_MESHES))


def scenes_of(dataset: str) -> list[str]:
    """The names of a data set's scenes, sorted: those of its *.scene_instance.json files, else of its stages.

    Raises:
        ConfigurationError: it cannot be read, or has none.
    """
    path = Path(dataset).expanduser()
    try:
        config: Any = json.loads(path.read_text(encoding="utf-8"))
        for kind, endings in (
            ("scene_instances", (INSTANCE_SUFFIX,)),
            ("stages", (".stage_config.json", ".glb")),
        ):
            paths = config.get(kind, {}).get("paths", {})
            patterns = [pattern for listed in paths.values() for pattern in listed]
            names = {name for pattern in patterns for name in _names(path.parent, pattern, endings)}
            if names:
                return sorted(names)
    except (OSError, ValueError, AttributeError, TypeError) as error:
        raise ConfigurationError(
            f"the scene data set {dataset!r} cannot be read ({error}): give the path of a *{DATASET_SUFFIX}"
        ) from error
    raise ConfigurationError(
        f"the scene data set {dataset!r} has no scenes: the folders that it names are empty or not there"
    )


def _names(folder: Path, pattern: str, endings: tuple[str, ...]) -> list[str]:
    """Of the files that a pattern of the configuration means, which may name a folder."""
    found = []
    for path in glob.glob(str(folder / pattern)):
        inside = glob.glob(f"{glob.escape(path)}/*") if Path(path).is_dir() else [path]
        found += [Path(each).name for each in inside]
    return [name.removesuffix(ending) for name in found for ending in endings if name.endswith(ending)]
