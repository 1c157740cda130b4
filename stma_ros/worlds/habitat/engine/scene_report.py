"""What an engine says about a scene that it has loaded. All of it can be written as JSON.

Positions and boxes are in Habitat's frame: metres, x right, y up, -z ahead. Rotations are unit quaternions
(w, x, y, z). A box is its lowest and its highest corner. Empty text: unknown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OBJECT_IDS = 1 << 20
"""The instance ids of objects begin here; those below it are the annotation's own, 0 = unknown."""

Vector = tuple[float, float, float]
Rotation = tuple[float, float, float, float]
Box = tuple[Vector, Vector]


@dataclass(frozen=True)
class JointReport:
    """One number of an articulated object's joint positions, in the order of `SetJoints.positions`.

    name: the joint's in the URDF; a spherical joint has four numbers, of the same name.
    link: the one that it moves.
    kind: "revolute", "prismatic", "spherical" or "planar".
    low, high: its limits [rad] or [m]; infinite where it has none.
    position: as loaded [rad] or [m].
    """

    name: str
    link: str
    kind: str
    low: float
    high: float
    position: float

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> JointReport:
        return cls(**fields)


@dataclass(frozen=True)
class ObjectReport:
    """One rigid or articulated object of a scene.

    id: its instance id in images, from OBJECT_IDS on; the same whenever the scene is loaded.
    name: unique in the scene.
    template: the simple name of what it is an instance of.
    category: as its `user_defined` fields say ("category" or "semantic_category"), else the name that the scene's
        lexicon has for its semantic id, else made from the template's name, else empty.
    static: the scene does not expect it to move; only such objects are obstacles of the navmesh.
    articulated: it has links; then `joints` are its joint positions.
    box: in its own frame, of all its parts as loaded; rotation, then position, take it to where the object is.
    position, rotation: of its own frame, as loaded.
    user: the `user_defined` fields of its template and its instance.
    """

    id: int
    name: str
    template: str
    category: str
    static: bool
    articulated: bool
    box: Box
    position: Vector
    rotation: Rotation
    user: Mapping[str, Any]
    joints: tuple[JointReport, ...] = ()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ObjectReport:
        return cls(
            **{
                **fields,
                "box": _box(fields["box"]),
                "position": _vector(fields["position"]),
                "rotation": tuple(fields["rotation"]),
                "joints": tuple(map(JointReport.from_json, fields["joints"])),
            }
        )


@dataclass(frozen=True)
class SurfaceReport:
    """One thing that the stage's own semantic annotation names. id: in images. region: id of a region."""

    id: int
    category: str
    region: str

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> SurfaceReport:
        return cls(**fields)


@dataclass(frozen=True)
class RegionReport:
    """A room or another part of the scene, as annotated.

    level: id of the storey that it is on.
    box: None where the annotation gives none.
    outline: corners (x, z) of its floor; empty where the annotation gives none.
    """

    id: str
    category: str
    level: str
    box: Box | None
    outline: tuple[tuple[float, float], ...]

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> RegionReport:
        outline = tuple((x, z) for x, z in fields["outline"])
        return cls(**{**fields, "box": _optional_box(fields["box"]), "outline": outline})


@dataclass(frozen=True)
class LevelReport:
    """A storey, as annotated. box: None where the annotation gives none."""

    id: str
    box: Box | None

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> LevelReport:
        return cls(fields["id"], _optional_box(fields["box"]))


@dataclass(frozen=True)
class SceneReport:
    """A loaded scene. box: around its stage and, as far as the engine counts them in, its objects."""

    scene: str
    box: Box
    objects: tuple[ObjectReport, ...]
    surfaces: tuple[SurfaceReport, ...]
    regions: tuple[RegionReport, ...]
    levels: tuple[LevelReport, ...]

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> SceneReport:
        return cls(
            fields["scene"],
            _box(fields["box"]),
            tuple(map(ObjectReport.from_json, fields["objects"])),
            tuple(map(SurfaceReport.from_json, fields["surfaces"])),
            tuple(map(RegionReport.from_json, fields["regions"])),
            tuple(map(LevelReport.from_json, fields["levels"])),
        )


def _vector(numbers: Sequence[float]) -> Vector:
    x, y, z = numbers
    return x, y, z


def _box(corners: Sequence[Sequence[float]]) -> Box:
    low, high = corners
    return _vector(low), _vector(high)


def _optional_box(corners: Sequence[Sequence[float]] | None) -> Box | None:
    return None if corners is None else _box(corners)
