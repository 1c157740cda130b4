"""Finds the scene of an episode on this machine."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.lab.episodes import LabEpisode, RearrangeEpisode
from stma_ros.worlds.habitat.lab.start import scene_from

SCENES = "data/scene_datasets"
"""The folder in which habitat-lab expects scenes, and which it puts in front of their names."""

_REMEDY = "name the folder that it is in with --set scenes=..."


def scene_name(episode: LabEpisode, folder: Path) -> str:
    """Returns the episode's scene, and its start, as the name of a scene of the world `habitat`.

    Args:
        episode: the episode.
        folder: folder of the scenes. A scene is a file in it, or a name that a scene data set (or the house) knows.

    Raises:
        ConfigurationError: the scene must be a file, and the file does not exist.
    """
    path = folder / _below(episode.scene, SCENES)
    if path.is_file():
        return scene_from(str(path.absolute()), episode.start)
    if PurePosixPath(episode.scene).suffix or "/" in episode.scene:
        raise ConfigurationError(
            f"the scene {episode.scene} of episode {episode.id} is not in {folder.absolute()}: {_REMEDY}"
        )
    return scene_from(episode.scene, episode.start)


def dataset_file(episode: LabEpisode | RearrangeEpisode, folder: Path) -> str:
    """Returns the episode's scene data set, for the world's setting `dataset`; empty = none. Raises ConfigurationError
    when the file does not exist."""
    if not episode.dataset:
        return ""
    path = located(episode.dataset, folder)
    if path is None or not path.is_file():
        raise ConfigurationError(
            f"the scene data set {episode.dataset} of episode {episode.id} is neither "
            f"{Path(episode.dataset).absolute()} nor in {folder.absolute()}: {_REMEDY}"
        )
    return str(path)


def located(name: str, folder: Path) -> Path | None:
    """Finds a file or folder that an episode names: below the folder of the scenes, below its parent (which holds
    objects), or from the working directory; None = not found."""
    data = SCENES.partition("/")[0]
    for path in (folder / _below(name, SCENES), folder.parent / _below(name, data), Path(name)):
        if path.exists():
            return path.absolute()
    return None


def _below(name: str, folder: str) -> str:
    """Returns the name without the leading folder that habitat-lab puts in front."""
    return str(PurePosixPath(name)).removeprefix(f"{folder}/")
