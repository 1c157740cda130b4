"""Converts what habitat_sim reports about a loaded scene to plain data.

The facts are spread over several interfaces, which differ a little between versions.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from typing import Any

from .naming import as_words, is_known, lexicon_from
from .scene_report import Box, JointReport, LevelReport, RegionReport, Rotation, SurfaceReport, Vector


def vector_of(value: Any) -> Vector:
    """Converts a magnum.Vector3, or an array of three numbers."""
    return float(value[0]), float(value[1]), float(value[2])


def rotation_of(value: Any) -> Rotation:
    """Converts a magnum.Quaternion."""
    return (float(value.scalar), *vector_of(value.vector))


def box_of(value: Any) -> Box | None:
    """Converts a magnum.Range3D, or the box type of earlier versions; None for an empty box."""
    if hasattr(value, "min"):
        low, high = vector_of(value.min), vector_of(value.max)
    else:
        center, sizes = vector_of(value.center), vector_of(value.sizes)
        low = (center[0] - sizes[0] / 2, center[1] - sizes[1] / 2, center[2] - sizes[2] / 2)
        high = (center[0] + sizes[0] / 2, center[1] + sizes[1] / 2, center[2] + sizes[2] / 2)
    finite = all(map(math.isfinite, (*low, *high)))
    return (low, high) if finite and all(a <= b for a, b in zip(low, high)) and low != high else None  # noqa: B905


def box_of_node(node: Any) -> Box | None:
    """Returns the box around all that is drawn below a SceneNode, in the node's own frame."""
    node.compute_cumulative_bb()
    return box_of(node.cumulative_bb)


def fields_of(configuration: Any) -> dict[str, Any]:
    """Converts a habitat_sim Configuration, such as `user_defined` fields, to JSON values: vectors become lists."""
    if configuration is None:
        return {}
    fields: dict[str, Any] = {
        str(key): _plain(configuration.get(key)) for key in configuration.get_keys_and_types()
    }
    for key in configuration.get_subconfig_keys():
        fields[str(key)] = fields_of(configuration.get_subconfig(key))
    return fields


def lexicon_of(semantics: Any) -> dict[int, str]:
    """Returns the names of a SemanticScene by semantic id; empty for None."""
    named = [category for category in _listed(semantics, "categories") if category is not None]
    return lexicon_from((int(category.index()), str(category.name())) for category in named)


def surfaces_of(semantics: Any) -> tuple[SurfaceReport, ...]:
    """Returns the surfaces that the annotation of the stage names."""
    regions = {region.id for region in regions_of(semantics)}
    return tuple(
        SurfaceReport(int(thing.semantic_id), category, region if region in regions else "")
        for thing in _listed(semantics, "objects")
        for category, region in [(_category(thing), _id(getattr(thing, "region", None)))]
        if thing is not None and int(thing.semantic_id) > 0 and is_known(category)
    )


def regions_of(semantics: Any) -> tuple[RegionReport, ...]:
    return tuple(
        RegionReport(
            str(region.id),
            _category(region),
            _id(region.level),
            box_of(region.aabb),
            tuple((float(point[0]), float(point[1])) for point in _listed(region, "poly_loop_points")),
        )
        for region in _listed(semantics, "regions")
        if region is not None
    )


def levels_of(semantics: Any) -> tuple[LevelReport, ...]:
    return tuple(
        LevelReport(str(level.id), box_of(level.aabb))
        for level in _listed(semantics, "levels")
        if level is not None
    )


def all_meshes(thing: Any, is_articulated: bool) -> bool:
    """Whether an object consists of meshes alone. habitat_sim ends the process when it makes a navmesh of a static
    object with boxes or other primitives."""
    template: Any = getattr(thing, "creation_attributes", None)
    if not is_articulated:
        return not (template.render_asset_is_primitive or template.collision_asset_is_primitive)
    try:
        robot = ElementTree.parse(str(template.urdf_fullpath))
    except (AttributeError, OSError, ElementTree.ParseError):
        return False  # unknown before 0.3.2
    return all(shape.tag == "mesh" for shape in robot.iterfind(".//visual/geometry/*"))


def joints_of(thing: Any) -> tuple[JointReport, ...]:
    """Returns one report for each joint position of an articulated object, in their order."""
    positions = list(thing.joint_positions)
    low, high = (list(limits) for limits in thing.joint_position_limits)
    joints = []
    for link in thing.get_link_ids():
        first = thing.get_link_joint_pos_offset(link)
        for index in range(first, first + thing.get_link_num_joint_pos(link)):
            kind = str(thing.get_link_joint_type(link)).rsplit(".", 1)[-1].lower()
            joint = JointReport(
                str(thing.get_link_joint_name(link)),
                str(thing.get_link_name(link)),
                kind,
                float(low[index]),
                float(high[index]),
                float(positions[index]),
                *_shut_and_open(kind, float(low[index]), float(high[index]), float(positions[index])),
            )
            joints.append((index, joint))
    return tuple(joint for _, joint in sorted(joints, key=lambda entry: entry[0]))


def _shut_and_open(kind: str, low: float, high: float, position: float) -> tuple[float, float]:
    """Returns the values of JointReport.shut and JointReport.open."""
    if kind not in ("revolute", "prismatic") or not (
        math.isfinite(low) and math.isfinite(high) and low < high
    ):
        return position, position
    shut = min(max(0.0, low), high)
    return shut, max(low, high, key=lambda limit: abs(limit - shut))


def _listed(owner: Any, name: str) -> Iterable[Any]:
    return list(getattr(owner, name, None) or ())


def _id(owner: Any) -> str:
    return "" if owner is None else str(owner.id)


def _category(owner: Any) -> str:
    category = None if owner is None else owner.category
    return "" if category is None else as_words(str(category.name()))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "scalar") and hasattr(value, "vector"):
        return list(rotation_of(value))
    try:
        return [_plain(item) for item in value]
    except TypeError:
        pass
    try:
        return float(value)  # an angle
    except TypeError:
        return str(value)
