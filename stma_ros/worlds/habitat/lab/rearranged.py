"""Writes the scenes of rearrangement episodes as a scene data set of their own.

A rearrangement episode is a scene of a data set with additional objects, some of them from elsewhere, and with some
doors and drawers open. As a *.scene_instance.json it is complete: every engine and viewer that knows the data set's
scenes can load it, and `reset(scene, seed)` takes it by its name.

Nothing of the data set is copied: the new configuration refers to its folders.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.spatial.transform import Rotation

from stma_ros.types.errors import ConfigurationError, StorageError
from stma_ros.worlds.habitat.engine.naming import simple_name
from stma_ros.worlds.habitat.engine.things import LINK_POSITIONS
from stma_ros.worlds.habitat.export.folder import cached_folder, store
from stma_ros.worlds.habitat.lab.episodes import AddedObject, FloatArray, RearrangeEpisode, Target
from stma_ros.worlds.habitat.lab.naming import Names
from stma_ros.worlds.habitat.lab.scene_files import (
    ARTICULATED,
    RIGID,
    handles_of,
    read_scene,
)
from stma_ros.worlds.habitat.lab.scenes import located
from stma_ros.worlds.habitat.scene.dataset_files import (
    DATASET_SUFFIX,
    INSTANCE_SUFFIX,
    OBJECT_SUFFIX,
    DatasetFiles,
)

VERSION: Final = 1
"""Version of the data set's form."""

_MARK: Final = "stma_ros_episodes.json"
_LISTS: Final = ("navmesh_instances", "semantic_scene_descriptor_instances")
"""Sections that may map names to files, in addition to listing folders."""


@dataclass(frozen=True)
class StagedScene:
    """The scene of an episode.

    Attributes:
        name: name in the data set.
        categories: categories of its objects by habitat-sim's names for them; an empty category is unknown.
        targets: targets of the episode.
        starts: positions (3,) of the targets' objects in Habitat's frame [m], by name as above.
    """

    name: str
    categories: Mapping[str, str]
    targets: tuple[Target, ...]
    starts: Mapping[str, FloatArray]


@dataclass(frozen=True)
class StagedEpisodes:
    """The staged scenes of episodes. dataset: path of the configuration. scenes: one for each episode, or a text with
    the reason why the episode has none."""

    dataset: Path
    scenes: tuple[StagedScene | str, ...]


class _UnfitError(Exception):
    """An episode does not fit its scene."""


def stage_episodes(
    episodes: Sequence[RearrangeEpisode], dataset: str, name: str, scenes: Path, folder: str = ""
) -> StagedEpisodes:
    """Writes the scenes of episodes that share one data set, unless they exist already.

    Args:
        episodes: the episodes.
        dataset: path of the data set's configuration.
        name: name of the episodes.
        scenes: folder to which the episodes' file names refer.
        folder: folder in which the data set is written; empty = in the user's cache.

    Raises:
        ConfigurationError: a file that an episode names is missing, or the scenes cannot be written.
    """
    stager = _Stager(episodes, DatasetFiles(dataset), scenes)
    files: dict[str, bytes] = {}
    staged: list[StagedScene | str] = []
    for number, episode in enumerate(episodes):
        scene = f"{name}_{number:05d}"
        try:
            instance = stager.instance(episode)
            targets = _targets(episode, instance)
            starts = _starts(targets, instance)
        except _UnfitError as unfit:
            staged.append(f"episode {episode.id} {unfit}")
            continue
        files[f"scenes/{scene}{INSTANCE_SUFFIX}"] = _json(instance)
        staged.append(StagedScene(scene, stager.names.of_scene(instance), targets, starts))
    files[f"{name}{DATASET_SUFFIX}"] = _json(stager.config())
    files[_MARK] = _json({"version": VERSION, "dataset": str(stager.files.path)})
    content = sha256(b"\0".join(files[key] for key in sorted(files))).hexdigest()[:16]
    written = cached_folder(folder, "episodes") / f"{name}-{content}-v{VERSION}"
    try:
        store(files, written, _MARK)
    except StorageError as error:
        raise ConfigurationError(f"{error}; with --set cache_folder=...") from error
    return StagedEpisodes(written.absolute() / f"{name}{DATASET_SUFFIX}", tuple(staged))


class _Stager:
    """Builds the scenes of episodes. files: files of the data set with the original scenes. names: categories of their
    objects."""

    def __init__(self, episodes: Sequence[RearrangeEpisode], files: DatasetFiles, scenes: Path) -> None:
        self.files = files
        self._scenes = scenes
        self._folders = list(
            dict.fromkeys(self._folder(each, name) for each in episodes for name in each.templates)
        )
        self._instances = {
            simple_name(path.name): path for path in files.of("scene_instances", INSTANCE_SUFFIX)
        }
        configs = [path for folder in self._folders for path in sorted(folder.glob(f"*{OBJECT_SUFFIX}"))]
        configs += files.of("objects", OBJECT_SUFFIX)
        self._templates = {simple_name(path.name): path.absolute() for path in reversed(configs)}
        self.names = Names(files, self._templates)
        self._scenes_read: dict[Path, Mapping[str, Any]] = {}

    def instance(self, episode: RearrangeEpisode) -> Mapping[str, Any]:
        """Returns the content of the episode's *.scene_instance.json."""
        base = self._base(episode)
        added = [self._added(thing, episode) for thing in episode.objects]
        articulated = [dict(entry) for entry in base.get(ARTICULATED, ())]
        by_handle = {
            handle: entry
            for (handle, _), entry in zip(handles_of(base, ARTICULATED), articulated, strict=True)
        }
        for handle, links in episode.joints.items():
            if handle not in by_handle:
                raise _UnfitError(
                    f"opens {handle!r}, which its scene {episode.scene} has not: it has "
                    f"{', '.join(by_handle) or 'nothing that opens'}"
                )
            entry, positions = by_handle[handle], {str(link): position for link, position in links.items()}
            entry["user_defined"] = {**entry.get("user_defined", {}), LINK_POSITIONS: positions}
        return {**base, RIGID: [*base.get(RIGID, ()), *added], ARTICULATED: articulated}

    def config(self) -> Mapping[str, Any]:
        """Returns the data set's configuration with absolute paths, the objects of the episodes, and only
        their scenes."""
        config = {section: self._absolute(section, entry) for section, entry in self.files.config.items()}
        objects = dict(config.get("objects", {}))
        paths = dict(objects.get("paths", {}))
        paths[".json"] = [*paths.get(".json", ()), *map(str, self._folders)]
        defaults = {
            key: value
            for key, value in config.get("scene_instances", {}).items()
            if key == "default_attributes"
        }
        return {
            **config,
            "objects": {**objects, "paths": paths},
            "scene_instances": {**defaults, "paths": {".json": ["scenes"]}},
        }

    def _absolute(self, section: str, entry: Any) -> Any:
        if not isinstance(entry, dict):
            return entry
        named = {key: self._from_here(value) for key, value in entry.items() if isinstance(value, str)}
        paths = {
            ending: [self._from_here(pattern) for pattern in patterns]
            for ending, patterns in entry.get("paths", {}).items()
        }
        return {
            **entry,
            **(named if section in _LISTS else {}),
            **({"paths": paths} if paths else {}),
        }

    def _from_here(self, path: str) -> str:
        return str(self.files.path.absolute().parent / path)

    def _folder(self, episode: RearrangeEpisode, name: str) -> Path:
        folder = located(name, self._scenes)
        if folder is None:
            raise ConfigurationError(
                f"the objects of episode {episode.id} are in {name}, which is neither here nor beside "
                f"{self._scenes.absolute()}: name the folder of the scenes, which the objects are beside, with "
                "--set scenes=..."
            )
        return folder

    def _base(self, episode: RearrangeEpisode) -> Mapping[str, Any]:
        """Returns the content of the scene that the episode is based on."""
        path = self._scene_file(episode)
        if path not in self._scenes_read:
            self._scenes_read[path] = read_scene(path)
        return self._scenes_read[path]

    def _scene_file(self, episode: RearrangeEpisode) -> Path:
        path = self._instances.get(simple_name(episode.scene)) or located(episode.scene, self._scenes)
        if path is None or not path.name.endswith(INSTANCE_SUFFIX):
            raise ConfigurationError(
                f"the scene {episode.scene} of episode {episode.id} is not among the {len(self._instances)} of "
                f"{self.files.path}: complete the data set"
            )
        return path

    def _added(self, thing: AddedObject, episode: RearrangeEpisode) -> Mapping[str, Any]:
        config = self._templates.get(simple_name(thing.template))
        if config is None:
            raise ConfigurationError(
                f"the object {thing.template} of episode {episode.id} is neither in {self.files.path} nor in "
                f"{', '.join(map(str, self._folders)) or 'a folder that the episode names'}: complete the data set"
            )
        x, y, z, w = Rotation.from_matrix(thing.transform[:3, :3]).as_quat().tolist()
        return {
            "template_name": str(config),
            "translation_origin": "COM",  # the transform refers to the object's own frame
            "translation": np.round(thing.transform[:3, 3], 9).tolist(),
            "rotation": [w, x, y, z],
            "motion_type": "kinematic",
        }


def _targets(episode: RearrangeEpisode, instance: Mapping[str, Any]) -> tuple[Target, ...]:
    """Returns the targets of an episode with the objects' names in its scene: habitat-lab counts only the objects that
    the episode adds, which are the last in the scene."""
    before = len(instance[RIGID]) - len(episode.objects)
    of_lab = (handle for handle, _ in handles_of({RIGID: instance[RIGID][before:]}, RIGID))
    of_scene = [handle for handle, _ in handles_of(instance, RIGID)][before:]
    names = dict(zip(of_lab, of_scene, strict=True))
    return tuple(replace(target, thing=names.get(target.thing, target.thing)) for target in episode.targets)


def _starts(targets: Sequence[Target], instance: Mapping[str, Any]) -> dict[str, FloatArray]:
    places = {
        handle: np.array(entry.get("translation", (0.0, 0.0, 0.0)))
        for handle, entry in handles_of(instance, RIGID)
    }
    missing = next((target.thing for target in targets if target.thing not in places), None)
    if missing is not None:
        raise _UnfitError(f"is about {missing!r}, which is not in its scene")
    return {target.thing: places[target.thing] for target in targets}


def _json(document: Mapping[str, Any]) -> bytes:
    return (json.dumps(document, indent=1, sort_keys=True) + "\n").encode()
