"""Reads a data set of episodes with habitat-lab, and writes it as JSON. Runs alone, next to habitat-lab.

    python reader.py DATASET.json.gz OUTPUT.json

The output, all in Habitat's frame (metres, x right, y up, -z ahead; rotations are quaternions (x, y, z, w), transforms
four rows of four numbers that map an object's own frame to Habitat's):

    {"kind": "PointNav-v1" | "ObjectNav-v1",
     "goals": {key: [{"position": [x, y, z], "view_points": [[x, y, z], ...]}, ...]},
     "episodes": [{"id", "scene", "dataset", "start_position", "start_rotation", "goals": key, "category",
                   "geodesic_distance": number | null}, ...]}

    {"kind": "RearrangeDataset-v0",
     "episodes": [{"id", "scene", "dataset", "templates": [folder, ...],
                   "objects": [{"template", "transform"}, ...],
                   "joints": {handle: {link: position}},
                   "targets": [{"object": handle, "start": handle, "goal": handle, "transform"}, ...]}, ...]}

or {"error": reason}; then the exit status is 1. "scene" is without the folder in which habitat-lab stores scenes;
"dataset" is the episode's scene_dataset_config, "default" = none; "category" is empty except for ObjectNav. "templates"
are folders of object configurations that are not in "dataset". "start" and "goal" name the objects that a target lies
on at first and is to be placed on; empty = not stated.

A file does not state its kind; the reader infers it from the fields. A data set is one file, or a file and a folder
`content` next to it with a file for each scene.
"""

from __future__ import annotations

import gzip
import importlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

_POINT, _OBJECT, _REARRANGE = "PointNav-v1", "ObjectNav-v1", "RearrangeDataset-v0"
_KNOWN = f"known are {_POINT}, {_OBJECT} and {_REARRANGE}"
_NO_POINT_GOALS = (  # a field that marks episodes of another kind
    ("instruction", "R2RVLN-v1"),
    ("question", "MP3DEQA-v1"),
    ("goal_object_id", "InstanceImageNav-v1"),
)


class ReadingError(Exception):
    """The data set cannot be read; the text is the reason, for people."""


def kind_of(path: Path) -> str:
    """Returns habitat-lab's name for data sets of this kind, by the first episode. Raises ReadingError."""
    first = _document(path)
    document = first
    if not first.get("episodes"):
        parts = sorted((path.parent / "content").glob("*.json.gz"))
        found = (part for part in map(_document, parts) if part.get("episodes"))
        document = next(found, {})
    episodes = document.get("episodes")
    if not episodes:
        raise ReadingError(f"there are no episodes in {path}, nor in a folder 'content' beside it")
    episode = episodes[0]
    if not isinstance(episode, dict):
        raise ReadingError(
            f"{path} is no data set of episodes: its first episode is {type(episode).__name__}"
        )
    other = next((kind for field, kind in _NO_POINT_GOALS if field in episode), "")
    if other:
        raise ReadingError(f"{path} is a data set of the kind {other}; {_KNOWN}")
    if "rigid_objs" in episode:
        return _REARRANGE
    if "category_to_task_category_id" in first or "goals_by_category" in document:
        return _OBJECT
    if "goals" in episode:
        return _POINT
    fields = ", ".join(sorted(episode))
    raise ReadingError(f"{path} is a data set of an unknown kind: its episodes have {fields}; {_KNOWN}")


def _document(path: Path) -> dict[str, Any]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, EOFError, ValueError) as error:
        raise ReadingError(f"{path} is no *.json.gz of habitat-lab: {error}") from None
    if not isinstance(document, dict):
        raise ReadingError(f"{path} is no data set of episodes: it holds no object with 'episodes'")
    return document


def read(path: Path) -> dict[str, Any]:
    """Returns the document to write. Raises ReadingError."""
    kind = kind_of(path)
    try:
        registration = importlib.import_module("habitat.datasets.registration")
        omegaconf = importlib.import_module("omegaconf")
    except Exception as error:  # noqa: BLE001 - an old one fails with newer packages in many ways
        raise ReadingError(
            f"habitat-lab cannot be imported by {sys.executable}: {type(error).__name__}: {error}. Install it for that "
            "Python, without the versions that it asks for: pip install --no-deps habitat-lab; pip install "
            "'gym>=0.22,<0.23.1' hydra-core omegaconf 'opencv-python-headless<5'"
        ) from None
    # Without a folder of scenes their names stay as they are, except for the default folder in front. Where the kind
    # requires an existing folder, it does not look into it.
    folder = "." if kind == _REARRANGE else ""
    config = omegaconf.OmegaConf.create(
        {"type": kind, "data_path": _plain(path), "split": "", "scenes_dir": folder, "content_scenes": ["*"]}
    )
    try:
        dataset = registration.make_dataset(kind, config=config)
        if kind == _REARRANGE:
            return {"kind": kind, "episodes": [_rearranged(episode) for episode in dataset.episodes]}
        goals: dict[str, list[dict[str, Any]]] = {}
        episodes = []
        for number, episode in enumerate(dataset.episodes):
            key = episode.goals_key if kind == _OBJECT else str(number)
            if key not in goals:
                goals[key] = [_goal(goal) for goal in episode.goals]
            episodes.append(_episode(episode, key))
    except Exception as error:  # noqa: BLE001 - every failure of habitat-lab is caused by the file
        raise ReadingError(
            f"habitat-lab cannot read {path} as {kind}: {type(error).__name__}: {error}"
        ) from None
    return {"kind": kind, "goals": goals, "episodes": episodes}


def _plain(path: Path) -> str:
    """Escapes braces in a path, which habitat-lab would fill in."""
    return str(path).replace("{", "{{").replace("}", "}}")


def _goal(goal: Any) -> dict[str, Any]:
    views = getattr(goal, "view_points", None) or []
    return {
        "position": _numbers(goal.position),
        "view_points": [_numbers(view.agent_state.position) for view in views],
    }


def _episode(episode: Any, goals: str) -> dict[str, Any]:
    return {
        "id": str(episode.episode_id),
        "scene": episode.scene_id,
        "dataset": episode.scene_dataset_config,
        "start_position": _numbers(episode.start_position),
        "start_rotation": _numbers(episode.start_rotation),
        "goals": goals,
        "category": getattr(episode, "object_category", None) or "",
        "geodesic_distance": (episode.info or {}).get("geodesic_distance"),
    }


def _rearranged(episode: Any) -> dict[str, Any]:
    count = len(episode.targets)
    starts, goals = (
        [*(str(handle or "") for handle, *_ in those), *[""] * count]
        for those in (episode.target_receptacles, episode.goal_receptacles)
    )
    return {
        "id": str(episode.episode_id),
        "scene": episode.scene_id,
        "dataset": episode.scene_dataset_config,
        "templates": list(episode.additional_obj_config_paths),
        "objects": [
            {"template": template, "transform": _rows(transform)}
            for template, transform in episode.rigid_objs
        ],
        "joints": {
            handle: {str(link): float(position) for link, position in links.items()}
            for handle, links in episode.ao_states.items()
        },
        "targets": [
            {"object": handle, "start": start, "goal": goal, "transform": _rows(transform)}
            for (handle, transform), start, goal in zip(episode.targets.items(), starts, goals)  # noqa: B905
        ],
    }


def _rows(transform: Any) -> list[list[float]]:
    return [_numbers(row) for row in transform]


def _numbers(values: Any) -> list[float]:
    return [float(value) for value in values]


def main(source: str, output: str) -> int:
    path = Path(source).absolute()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # habitat-lab writes here, and into a folder `data` that it expects here
        os.mkdir("data")
        try:
            result: dict[str, Any] = read(path)
        except ReadingError as error:
            result = {"error": str(error)}
        os.chdir("/")
    with open(output, "w", encoding="utf-8") as file:
        json.dump(result, file)
    return int("error" in result)


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file, whose modules are not meant for this interpreter
    sys.exit(main(*sys.argv[1:]))
