"""The episodes of a habitat-lab data set, read by the interpreter that has habitat-lab, in the frame of the map."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, FiniteFloat, ValidationError

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.habitat.axes import points_to_map
from stma_ros.worlds.habitat.habitat import PYTHON_VARIABLE
from stma_ros.worlds.habitat.lab.start import Start

POINT_GOALS, OBJECT_GOALS = "PointNav-v1", "ObjectNav-v1"
"""The kinds of data sets, as habitat-lab calls them."""

DEADLINE = 600.0
"""For reading a data set: the largest have some hundred megabytes [s]."""

_READER = Path(__file__).parent / "reader.py"
_LAST_WORDS = 5  # lines
_DEFAULT = "default"  # habitat-lab's word for no scene data set

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LabGoal:
    """position (3,): of the goal, or of the object. view_points (N, 3): places on the floor from which an object can be
    seen, all near it; N = 0 where the data set has none. In the map frame [m]."""

    position: FloatArray
    view_points: FloatArray


@dataclass(frozen=True, eq=False)
class LabEpisode:
    """One episode. Any of the goals will do.

    id: its own in the data set. scene: without the folder that scenes are kept in. dataset: its scene data set's file;
    empty = none. category: of the object that is sought; empty for point goals. geodesic: of the shortest way from the
    start to a goal, as the data set says [m]; None: it does not.
    """

    id: str
    scene: str
    dataset: str
    start: Start
    goals: tuple[LabGoal, ...]
    category: str
    geodesic: float | None


@dataclass(frozen=True)
class EpisodeSet:
    """kind: POINT_GOALS or OBJECT_GOALS. episodes: at least one, in the order of the data set."""

    kind: str
    episodes: tuple[LabEpisode, ...]


def read_episodes(path: Path, python: str = "", deadline: float = DEADLINE) -> EpisodeSet:
    """The episodes in a *.json.gz of habitat-lab, with those in the folder `content` beside it. They are read once.

    python: the interpreter that has habitat-lab; empty: the one that has habitat-sim (see habitat.PYTHON_VARIABLE).

    Raises:
        ConfigurationError: there is no such file or interpreter, the interpreter has no habitat-lab, the data set is of
            a kind that is not known, or holds what no robot can begin with.
    """
    if not path.is_file():
        raise ConfigurationError(f"there is no data set of episodes {path}: give the path of its *.json.gz")
    return _read(path.absolute(), path.stat().st_mtime_ns, python or _usual_python(), deadline)


def _usual_python() -> str:
    return os.environ.get(PYTHON_VARIABLE) or sys.executable


@lru_cache(maxsize=4)
def _read(path: Path, written: int, python: str, deadline: float) -> EpisodeSet:
    """written: when the file was, so that another is read again [ns]."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "episodes.json"
        try:
            done = subprocess.run(
                [python, str(_READER), str(path), str(output)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=deadline,
                env={"MAGNUM_LOG": "quiet", "HABITAT_SIM_LOG": "quiet", **os.environ},
            )
        except OSError as error:
            raise ConfigurationError(
                f"the interpreter for habitat-lab, {python}, cannot be started: {error.strerror}. Give the path of a "
                "Python that has habitat-lab"
            ) from None
        except subprocess.TimeoutExpired:
            raise ConfigurationError(
                f"{python} did not read {path} within {deadline:g} s and was ended: give a smaller data set"
            ) from None
        if not output.is_file():
            words = "\n".join(done.stdout.decode(errors="replace").splitlines()[-_LAST_WORDS:])
            raise ConfigurationError(
                f"{python} ended with exit status {done.returncode} when it read {path}. Name a Python of 3.9 or newer "
                f"that has habitat-lab. The last that it said:\n{words}"
            )
        text = output.read_bytes()
    return episodes_of(text, path)


def episodes_of(text: bytes, path: Path) -> EpisodeSet:
    """What the reader has written about the data set at `path`. Raises ConfigurationError."""
    try:
        refusal = _Refusal.model_validate_json(text)
    except ValidationError:
        pass
    else:
        raise ConfigurationError(refusal.error)
    try:
        document = _Document.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        more = f", and {error.error_count() - 1} more" if error.error_count() > 1 else ""
        raise ConfigurationError(
            f"{path} holds what cannot be used, at {where}: {first['msg']}{more}. Mend the data set, or take another"
        ) from None
    goals = {
        key: tuple(LabGoal(_to_map([goal.position])[0], _to_map(goal.view_points)) for goal in those)
        for key, those in document.goals.items()
    }
    missing = next((e for e in document.episodes if not goals.get(e.goals)), None)
    if missing is not None:
        raise ConfigurationError(f"{path} has no goal for its episode {missing.id}: take it out")
    return EpisodeSet(document.kind, tuple(_episode(each, goals[each.goals]) for each in document.episodes))


def _unit(rotation: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    if not 0.9 < sum(part * part for part in rotation) < 1.1:
        raise ValueError("it is no rotation: its four numbers have not the length 1")
    return rotation


_Vector = tuple[FiniteFloat, FiniteFloat, FiniteFloat]
_Rotation = Annotated[
    tuple[FiniteFloat, FiniteFloat, FiniteFloat, FiniteFloat],
    AfterValidator(_unit),
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Refusal(_Strict):
    error: str


class _Goal(_Strict):
    position: _Vector
    view_points: list[_Vector]


class _Episode(_Strict):
    id: str
    scene: str
    dataset: str
    start_position: _Vector
    start_rotation: _Rotation
    goals: str
    category: str
    geodesic_distance: Annotated[FiniteFloat, Field(ge=0)] | None


class _Document(_Strict):
    kind: Literal["PointNav-v1", "ObjectNav-v1"]
    goals: dict[str, list[_Goal]]
    episodes: list[_Episode]


def _episode(read: _Episode, goals: tuple[LabGoal, ...]) -> LabEpisode:
    x, y, z = _to_map([read.start_position])[0].tolist()
    dataset = "" if read.dataset == _DEFAULT else read.dataset
    start = Start(x, y, z, heading(read.start_rotation))
    return LabEpisode(read.id, read.scene, dataset, start, goals, read.category, read.geodesic_distance)


def heading(rotation: tuple[float, float, float, float]) -> float:
    """The yaw in the map of a robot with that rotation (x, y, z, w) in Habitat, where it looks along its -z [rad]."""
    x, y, z, w = rotation
    ahead = -2 * (x * z + w * y), -2 * (y * z - w * x), 2 * (x * x + y * y) - 1
    east, north, _ = points_to_map(np.array([ahead]))[0]
    return float(np.arctan2(north, east))


def _to_map(points: list[_Vector]) -> FloatArray:
    return points_to_map(np.array(points, np.float64).reshape(-1, 3))
