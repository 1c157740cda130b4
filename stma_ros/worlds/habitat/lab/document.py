"""Validates the reader's document and converts it to types of this package."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    FiniteFloat,
    Tag,
    TypeAdapter,
    ValidationError,
)

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.first_problem import first_problem
from stma_ros.worlds.habitat.axes import points_to_map
from stma_ros.worlds.habitat.lab.episodes import (
    OBJECT_GOALS,
    POINT_GOALS,
    REARRANGEMENT,
    AddedObject,
    EpisodeSet,
    LabEpisode,
    LabGoal,
    LabSet,
    RearrangeEpisode,
    RearrangeSet,
    Target,
)
from stma_ros.worlds.habitat.lab.start import Start

_DEFAULT = "default"  # habitat-lab's word for no scene data set

FloatArray = NDArray[np.float64]


def episodes_of(text: bytes, path: Path) -> LabSet:
    """Converts the reader's output about the data set at `path`. Raises ConfigurationError."""
    try:
        document = _WRITTEN.validate_json(text)
    except ValidationError as error:
        where, reason = first_problem(error)
        more = f", and {error.error_count() - 1} more" if error.error_count() > 1 else ""
        raise ConfigurationError(
            f"{path} holds what cannot be used, at {where}: {reason}{more}. Mend the data set, or take another"
        ) from None
    match document:
        case _Refusal():
            raise ConfigurationError(document.error)
        case _Rearranging():
            return RearrangeSet(tuple(map(_rearranged, document.episodes)))
        case _Navigation():
            return _navigation(document, path)
    raise AssertionError(document)


def _unit(rotation: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    if not 0.9 < sum(part * part for part in rotation) < 1.1:
        raise ValueError("it is no rotation: its four numbers have not the length 1")
    return rotation


_Vector = tuple[FiniteFloat, FiniteFloat, FiniteFloat]
_Row = tuple[FiniteFloat, FiniteFloat, FiniteFloat, FiniteFloat]
_Rotation = Annotated[_Row, AfterValidator(_unit)]


def _rigid(rows: tuple[_Row, _Row, _Row, _Row]) -> tuple[_Row, _Row, _Row, _Row]:
    turn = np.array(rows)[:3, :3]
    if not np.allclose(turn @ turn.T, np.eye(3), atol=0.05) or np.linalg.det(turn) < 0:
        raise ValueError("it is no transform of a rigid thing: it does not just turn and move")
    return rows


_Transform = Annotated[tuple[_Row, _Row, _Row, _Row], AfterValidator(_rigid)]


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


class _Navigation(_Strict):
    kind: Literal["PointNav-v1", "ObjectNav-v1"]
    goals: dict[str, list[_Goal]]
    episodes: Annotated[list[_Episode], Field(min_length=1)]


class _Added(_Strict):
    template: str
    transform: _Transform


class _Target(_Strict):
    object: str
    start: str
    goal: str
    transform: _Transform


class _RearrangeEpisode(_Strict):
    id: str
    scene: str
    dataset: str
    templates: list[str]
    objects: list[_Added]
    joints: dict[str, dict[int, FiniteFloat]]
    targets: Annotated[list[_Target], Field(min_length=1)]


class _Rearranging(_Strict):
    kind: Literal["RearrangeDataset-v0"]
    episodes: Annotated[list[_RearrangeEpisode], Field(min_length=1)]


def _form(document: Any) -> str:
    return "refusal" if "error" in document else str(document.get("kind"))


_WRITTEN: TypeAdapter[_Refusal | _Navigation | _Rearranging] = TypeAdapter(
    Annotated[
        Annotated[_Refusal, Tag("refusal")]
        | Annotated[_Navigation, Tag(POINT_GOALS)]
        | Annotated[_Navigation, Tag(OBJECT_GOALS)]
        | Annotated[_Rearranging, Tag(REARRANGEMENT)],
        Discriminator(_form),
    ]
)


def _navigation(document: _Navigation, path: Path) -> EpisodeSet:
    goals = {
        key: tuple(LabGoal(_to_map([goal.position])[0], _to_map(goal.view_points)) for goal in those)
        for key, those in document.goals.items()
    }
    missing = next((e for e in document.episodes if not goals.get(e.goals)), None)
    if missing is not None:
        raise ConfigurationError(f"{path} has no goal for its episode {missing.id}: take it out")
    return EpisodeSet(document.kind, tuple(_episode(each, goals[each.goals]) for each in document.episodes))


def _episode(read: _Episode, goals: tuple[LabGoal, ...]) -> LabEpisode:
    x, y, z = _to_map([read.start_position])[0].tolist()
    start = Start(x, y, z, heading(read.start_rotation))
    return LabEpisode(
        read.id, read.scene, _dataset(read.dataset), start, goals, read.category, read.geodesic_distance
    )


def heading(rotation: tuple[float, float, float, float]) -> float:
    """Returns the yaw in the map [rad] of a robot with that rotation (x, y, z, w) in Habitat, where it looks along its
    -z."""
    x, y, z, w = rotation
    ahead = -2 * (x * z + w * y), -2 * (y * z - w * x), 2 * (x * x + y * y) - 1
    east, north, _ = points_to_map(np.array([ahead]))[0]
    return float(np.arctan2(north, east))


def _rearranged(read: _RearrangeEpisode) -> RearrangeEpisode:
    return RearrangeEpisode(
        id=read.id,
        scene=read.scene,
        dataset=_dataset(read.dataset),
        templates=tuple(read.templates),
        objects=tuple(AddedObject(each.template, np.array(each.transform)) for each in read.objects),
        joints=read.joints,
        targets=tuple(
            Target(each.object, each.start, each.goal, np.array(each.transform)) for each in read.targets
        ),
    )


def _dataset(named: str) -> str:
    return "" if named == _DEFAULT else named


def _to_map(points: list[_Vector]) -> FloatArray:
    return points_to_map(np.array(points, np.float64).reshape(-1, 3))
