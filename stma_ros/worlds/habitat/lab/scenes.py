"""Where the scene of an episode is here."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.lab.episodes import LabEpisode
from stma_ros.worlds.habitat.lab.start import scene_from

SCENES = "data/scene_datasets"
"""The folder in which habitat-lab expects scenes, and which it writes in front of their names."""


def scene_name(episode: LabEpisode, folder: Path) -> str:
    """The episode's scene, and its start, as the name of a scene of the world `habitat`.

    folder: in which the scenes are kept. A scene is a file in there, or one that a scene data set (or the house) has
    by that name. Raises ConfigurationError when it must be a file, and is not there.
    """
    path = folder / _below(episode.scene)
    if path.is_file():
        return scene_from(str(path.absolute()), episode.start)
    if PurePosixPath(episode.scene).suffix or "/" in episode.scene:
        raise ConfigurationError(
            f"the scene {episode.scene} of episode {episode.id} is not in {folder.absolute()}: name the folder that it "
            "is in with --set scenes=..."
        )
    return scene_from(episode.scene, episode.start)


def dataset_file(episode: LabEpisode, folder: Path) -> str:
    """The episode's scene data set, for the world's setting `dataset`; empty: it has none. Raises ConfigurationError
    when it is not there."""
    if not episode.dataset:
        return ""
    here, there = Path(episode.dataset), folder / _below(episode.dataset)
    for path in (there, here):
        if path.is_file():
            return str(path.absolute())
    raise ConfigurationError(
        f"the scene data set {episode.dataset} of episode {episode.id} is neither {here.absolute()} nor in "
        f"{folder.absolute()}: name the folder that it is in with --set scenes=..."
    )


def _below(name: str) -> str:
    """Without the folder in front that habitat-lab names."""
    return str(PurePosixPath(name)).removeprefix(f"{SCENES}/")
