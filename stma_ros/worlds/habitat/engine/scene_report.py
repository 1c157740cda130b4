"""Describes a loaded scene as data that can be written as JSON.

Positions and boxes are in Habitat's frame: metres, x right, y up, -z ahead. Rotations are unit quaternions (w, x, y,
z). A box is its lowest and its highest corner. Empty text: unknown.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

OBJECT_IDS = 1 << 20
"""Smallest instance id of an object; smaller ids are those of the annotation, 0 = unknown."""

Vector = tuple[float, float, float]
Rotation = tuple[float, float, float, float]
Box = tuple[Vector, Vector]
Corners = tuple[Vector, ...]
"""The eight corners of a box in the scene; the box's own x changes slowest, its z fastest."""


@dataclass(frozen=True)
class JointReport:
    """One number of an articulated object's joint positions, in the order of `SetJoints.positions`.

    Attributes:
        name: name of the joint in the URDF; a spherical joint has four numbers of the same name.
        link: link that the joint moves.
        kind: "revolute", "prismatic", "spherical" or "planar".
        low: lower limit [rad] or [m]; infinite where there is none.
        high: upper limit, likewise.
        position: position as loaded [rad] or [m].
        shut: the position within the limits that is nearest to 0.
        open: the limit that is farther from `shut`; equal to `shut` where a limit is infinite, or the joint has more
            than one number.
    """

    name: str
    link: str
    kind: str
    low: float
    high: float
    position: float
    shut: float = 0.0
    open: float = 0.0

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> JointReport:
        return cls(**fields)


@dataclass(frozen=True)
class PartReport:
    """A part of an object: its corners with all joints of the object closed, and with all open."""

    name: str
    shut: Corners
    open: Corners

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> PartReport:
        shut, opened = (tuple(map(_vector, fields[how])) for how in ("shut", "open"))
        return cls(fields["name"], shut, opened)


@dataclass(frozen=True)
class ReceptacleReport:
    """A box over a surface or shelf on which objects can be placed: its corners as loaded, when objects may lie on it,
    and with all joints of the object open."""

    name: str
    loaded: Corners
    open: Corners

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ReceptacleReport:
        loaded, opened = (tuple(map(_vector, fields[how])) for how in ("loaded", "open"))
        return cls(fields["name"], loaded, opened)


@dataclass(frozen=True)
class ObjectReport:
    """One rigid or articulated object of a scene.

    Attributes:
        id: instance id in images, at least OBJECT_IDS; the same whenever the scene is loaded.
        name: unique in the scene.
        template: simple name of its template.
        category: from its `user_defined` fields ("category" or "semantic_category"), else the name of its semantic id
            in the scene's lexicon, else derived from the template's name, else empty.
        static: whether it is an obstacle of the navmesh: the scene does not expect it to move, and it consists of
            meshes alone.
        articulated: whether it has links; then `joints` are its joint positions.
        box: box around all its parts as loaded, in its own frame; `rotation`, then `position`, transform it to the
            scene.
        position: of its own frame, as loaded.
        rotation: of its own frame, as loaded.
        user: the `user_defined` fields of its template and its instance.
        parts: the drawn links of an articulated object, the base first.
        receptacles: by their names in `user` (habitat-lab's `receptacle_aabb_...`).
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
    parts: tuple[PartReport, ...] = ()
    receptacles: tuple[ReceptacleReport, ...] = ()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ObjectReport:
        return cls(
            **{
                **fields,
                "box": _box(fields["box"]),
                "position": _vector(fields["position"]),
                "rotation": tuple(fields["rotation"]),
                "joints": tuple(map(JointReport.from_json, fields["joints"])),
                "parts": tuple(map(PartReport.from_json, fields["parts"])),
                "receptacles": tuple(map(ReceptacleReport.from_json, fields["receptacles"])),
            }
        )


@dataclass(frozen=True)
class SurfaceReport:
    """A surface that the stage's own semantic annotation names. id: instance id in images. region: id of a region."""

    id: int
    category: str
    region: str

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> SurfaceReport:
        return cls(**fields)


@dataclass(frozen=True)
class RegionReport:
    """A room or another part of the scene, as annotated.

    Attributes:
        level: id of its storey.
        box: None where the annotation has none.
        outline: corners (x, z) of its floor; empty where the annotation has none.
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
    """A storey, as annotated. box: None where the annotation has none."""

    id: str
    box: Box | None

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> LevelReport:
        return cls(fields["id"], _optional_box(fields["box"]))


@dataclass(frozen=True)
class SceneReport:
    """A loaded scene. box: around its stage and those objects that the engine includes."""

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
