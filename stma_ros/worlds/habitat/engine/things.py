"""Manages the objects of a loaded scene: their instance ids, poses and joints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .errors import Code, EngineError
from .interface import Change, Place, SetJoints, Show
from .naming import category_of, simple_name
from .parts import parts_of
from .reading import all_meshes, box_of, box_of_node, fields_of, joints_of, rotation_of, vector_of
from .scene_report import OBJECT_IDS, Box, ObjectReport

LINK_POSITIONS = "link_positions"
"""The `user_defined` field of an instance with the initial joint positions [rad, m], by the index of the link that each
joint moves: {"3": 0.45}. The scene's own `initial_joint_pose` lists them in an order that only an engine knows."""

_NOWHERE = (0.0, -10_000.0, 0.0)  # position of hidden objects [m]: outside of every image and ray
_EMPTY: Box = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class Things:
    """The rigid and articulated objects of the scene that was just loaded. Their pixels bear their ids from now on.

    Args:
        habitat: the module.
        magnum: the module.
        simulator: habitat_sim.Simulator.
        lexicon: names by semantic id.
    """

    def __init__(self, habitat: Any, magnum: Any, simulator: Any, lexicon: Mapping[int, str]) -> None:
        managers = (simulator.get_rigid_object_manager(), simulator.get_articulated_object_manager())
        rigid, articulated = (
            sorted(manager.get_objects_by_handle_substring("").values(), key=lambda thing: thing.object_id)
            for manager in managers
        )
        self.rigid_count = len(rigid)
        self.articulated_count = len(articulated)
        self._things: dict[int, _Thing] = {}
        for number, thing in enumerate([*rigid, *articulated]):
            is_articulated = number >= len(rigid)
            self._things[OBJECT_IDS + number] = _Thing(
                habitat, magnum, thing, OBJECT_IDS + number, is_articulated, lexicon
            )

    @property
    def reports(self) -> tuple[ObjectReport, ...]:
        return tuple(thing.report for thing in self._things.values())

    def reset(self) -> None:
        """Restores the loaded state of all objects."""
        for thing in self._things.values():
            thing.reset()

    def apply(self, change: Change) -> None:
        """Raises EngineError for an unknown object, or for positions that it cannot take."""
        thing = self._things.get(change.id)
        if thing is None:
            raise EngineError(
                Code.FAILED,
                f"the scene has no object {change.id}: it has {len(self._things)}, from {OBJECT_IDS} on",
            )
        if isinstance(change, Place):
            thing.place(change.position, change.rotation)
        elif isinstance(change, Show):
            thing.show(change.shown)
        elif isinstance(change, SetJoints):
            thing.set_joints(change.positions)


class _Thing:
    def __init__(
        self,
        habitat: Any,
        magnum: Any,
        thing: Any,
        number: int,
        is_articulated: bool,
        lexicon: Mapping[int, str],
    ) -> None:
        motion = habitat.physics.MotionType
        self._magnum = magnum
        self._thing = thing
        self._moving = motion.KINEMATIC
        is_static = thing.motion_type == motion.STATIC and all_meshes(thing, is_articulated)
        self._resting = motion.STATIC if is_static else motion.KINEMATIC
        thing.motion_type = self._moving
        if is_articulated:
            _set_links(thing, fields_of(thing.user_attributes).get(LINK_POSITIONS, {}))
        self.report = _report(magnum, thing, number, is_articulated, is_static, lexicon)
        thing.motion_type = self._resting  # without gravity: objects move by `apply` only
        self._shown = True
        self._position, self._rotation = thing.translation, thing.rotation
        for node in _visual_nodes(thing, is_articulated):
            node.semantic_id = number

    def reset(self) -> None:
        self.set_joints([joint.position for joint in self.report.joints])
        self._shown = True
        self.place(self.report.position, self.report.rotation)

    def place(self, position: Sequence[float], rotation: Sequence[float]) -> None:
        self._position = vector(self._magnum, position)
        self._rotation = quaternion(self._magnum, rotation)
        if self._shown:
            self._move(self._position)

    def show(self, shown: bool) -> None:
        self._shown = shown
        self._move(self._position if shown else self._magnum.Vector3(*_NOWHERE))

    def set_joints(self, positions: Sequence[float]) -> None:
        numbers = list(map(float, positions))
        if len(numbers) != len(self.report.joints) or not all(map(math.isfinite, numbers)):
            raise EngineError(
                Code.FAILED,
                f"the object {self.report.name!r} cannot take the joint positions {numbers}: it has "
                f"{len(self.report.joints)}",
            )
        if not numbers:
            return
        self._thing.motion_type = self._moving
        self._thing.joint_positions = numbers
        self._rest()

    def _move(self, position: Any) -> None:
        self._thing.motion_type = self._moving  # habitat_sim does not move static objects
        self._thing.translation = position
        self._thing.rotation = self._rotation
        self._rest()

    def _rest(self) -> None:
        # Static objects are obstacles of the navmesh: a hidden one would extend it to its hiding place.
        self._thing.motion_type = self._resting if self._shown else self._moving


def _set_links(thing: Any, positions: Mapping[str, float]) -> None:
    """Raises EngineError for an unknown link, or one that is not moved by a single joint position."""
    joints = list(thing.joint_positions)
    moved = {str(link): link for link in thing.get_link_ids() if thing.get_link_num_joint_pos(link) == 1}
    for name, position in positions.items():
        if name not in moved:
            raise EngineError(
                Code.FAILED,
                f"no single joint of {thing.handle!r} moves its link {name}, which is to be at {position}: it has "
                f"{', '.join(moved) or 'none'}",
            )
        joints[thing.get_link_joint_pos_offset(moved[name])] = float(position)
    if positions:
        thing.joint_positions = joints


def vector(magnum: Any, numbers: Sequence[float]) -> Any:
    """Returns a magnum.Vector3 of finite numbers; magnum ends the process on others."""
    values = list(map(float, numbers))
    if len(values) != 3 or not all(map(math.isfinite, values)):
        raise EngineError(Code.FAILED, f"{values} is no position: three finite numbers are")
    return magnum.Vector3(*values)


def quaternion(magnum: Any, numbers: Sequence[float]) -> Any:
    """Returns a magnum.Quaternion of (w, x, y, z), normalised and checked likewise."""
    values = list(map(float, numbers))
    length = math.sqrt(sum(value * value for value in values))
    if len(values) != 4 or not math.isfinite(length) or length < 1e-6:
        raise EngineError(
            Code.FAILED, f"{values} is no rotation: four finite numbers w, x, y, z, not all 0, are"
        )
    w, x, y, z = (value / length for value in values)
    return magnum.Quaternion(magnum.Vector3(x, y, z), w).normalized()


def _report(
    magnum: Any, thing: Any, number: int, is_articulated: bool, is_static: bool, lexicon: Mapping[int, str]
) -> ObjectReport:
    made_of = getattr(thing, "creation_attributes", None)
    template = simple_name(str(made_of.handle if made_of is not None else thing.handle).rsplit("_:", 1)[0])
    known_by = thing if hasattr(thing, "semantic_id") else made_of
    semantic_id = int(getattr(known_by, "semantic_id", 0))
    user = fields_of(thing.user_attributes)
    box = box_of(thing.aabb) if hasattr(thing, "aabb") else box_of_node(thing.root_scene_node)
    joints = joints_of(thing) if is_articulated else ()
    parts, receptacles = parts_of(magnum, thing, joints, user, is_articulated)
    return ObjectReport(
        id=number,
        name=str(thing.handle),
        template=template,
        category=category_of(user, lexicon, semantic_id, template),
        static=is_static,
        articulated=is_articulated,
        box=box or _EMPTY,
        position=vector_of(thing.translation),
        rotation=rotation_of(thing.rotation),
        user=user,
        joints=joints,
        parts=parts,
        receptacles=receptacles,
    )


def _visual_nodes(thing: Any, is_articulated: bool) -> Iterator[Any]:
    yield from thing.visual_scene_nodes
    if is_articulated:
        for link in (-1, *thing.get_link_ids()):
            yield from thing.get_link_visual_nodes(link)
