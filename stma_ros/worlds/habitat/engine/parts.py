"""Reads the parts of objects from habitat_sim: the links of articulated objects, closed and open, and the receptacles
of habitat-lab, which are in frames that only habitat_sim knows."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .reading import box_of_node, vector_of
from .scene_report import Corners, JointReport, PartReport, ReceptacleReport

_RECEPTACLE = "receptacle_aabb_"
_BASE = -1  # id of the link that an articulated object stands on


def parts_of(
    magnum: Any, thing: Any, joints: Sequence[JointReport], user: Mapping[str, Any], is_articulated: bool
) -> tuple[tuple[PartReport, ...], tuple[ReceptacleReport, ...]]:
    """Returns the links of an object that was just loaded, and its receptacles. Restores the joints afterwards.

    Args:
        magnum: the module.
        thing: object of habitat_sim.
        joints: joints of the object.
        user: its `user_defined` fields.
        is_articulated: whether the object has links.
    """
    described = list(_receptacles(user))
    if not is_articulated:
        frame = _asset_frame(thing)
        found = [(name, _corners(magnum, frame, box)) for name, _, box in described]
        return (), tuple(ReceptacleReport(name, corners, corners) for name, corners in found)
    seen = [
        _links(magnum, thing, described, [getattr(joint, how) for joint in joints])
        for how in ("shut", "open", "position")
    ]
    (shut_links, _), (open_links, open_places), (_, loaded_places) = seen
    return (
        tuple(PartReport(name, shut_links[name], open_links[name]) for name in shut_links),
        tuple(ReceptacleReport(name, loaded_places[name], open_places[name]) for name in open_places),
    )


def _links(
    magnum: Any, thing: Any, described: Sequence[tuple[str, str, Any]], positions: Sequence[float]
) -> tuple[dict[str, Corners], dict[str, Corners]]:
    """Returns the corners of the links, and of the receptacles, by name, with the joints at those positions."""
    thing.joint_positions = list(positions)
    scale = float(getattr(thing, "global_scale", 1.0))
    links: dict[str, Corners] = {}
    places: dict[str, Corners] = {}
    for link in (_BASE, *thing.get_link_ids()):
        node, name = thing.get_link_scene_node(link), str(thing.get_link_name(link))
        frame, box = node.absolute_transformation(), box_of_node(node)
        if box is not None:
            links[name] = _corners(magnum, frame, box)
        for receptacle, parent, local in described:
            if parent == name:
                scaled = [[scale * number for number in corner] for corner in local]
                places[receptacle] = _corners(magnum, frame, scaled)
    return links, places


def _receptacles(user: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yields the name, the link and the box of each receptacle. `scale` is half the extents of the box."""
    for name, fields in user.items():
        if not (name.startswith(_RECEPTACLE) and isinstance(fields, Mapping)):
            continue
        middle, half = _vector(fields.get("position")), _vector(fields.get("scale"))
        if middle and half:
            low = [a - abs(b) for a, b in zip(middle, half)]  # noqa: B905 - evaluated by Python 3.9, too
            high = [a + abs(b) for a, b in zip(middle, half)]  # noqa: B905
            yield name, str(fields.get("parent_link", "")), (low, high)


def _asset_frame(thing: Any) -> Any:
    """Returns the frame of an object's file in habitat_sim: scaled, upright, and not moved to its centre of mass."""
    nodes = list(thing.visual_scene_nodes)
    node = nodes[1] if len(nodes) > 1 else thing.root_scene_node
    return node.absolute_transformation()


def _corners(magnum: Any, frame: Any, box: Sequence[Sequence[float]]) -> Corners:
    return tuple(
        vector_of(frame.transform_point(magnum.Vector3(*corner)))
        for corner in itertools.product(*zip(*box))  # noqa: B905
    )


def _vector(value: Any) -> list[float]:
    """Returns the numbers of a vector; empty for any other value."""
    if isinstance(value, list) and len(value) == 3 and all(isinstance(each, (int, float)) for each in value):
        return value
    return []
