"""Finds the object that a target's box and category mean; texts name only the agent's own id."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.robot.boxes import Box, footprint_of, gap
from stma_ros.worlds.robot.geometry import Placement, Rect
from stma_ros.worlds.robot.reach import REACH
from stma_ros.worlds.robot.scene import Scene, Thing, is_in_view, item_box
from stma_ros.worlds.robot.state import SceneState

_MATCH = 0.5  # between the centre of the target's box and that of the furniture or door it means [m]
_ITEM_MATCH = 0.35  # the same for a small thing [m]
_OTHER_MATCH = 0.15  # ... whose category was taken for another one [m]
_LIKE = 4.0  # between the longest sides of a box and of a thing of another category that it still means


def called(target: SkillTarget) -> str:
    return target.id or target.category or "the target"


def target_box(target: SkillTarget) -> Box:
    """The target's box along the axes of the map; a size that is not known counts as none.

    Raises:
        SkillError: NO_SUCH_TARGET, when its pose is no place.
    """
    if not is_finite(target.pose):
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"{called(target)} has no place: its pose is not a number")
    cosine, sine = abs(math.cos(target.pose.yaw)), abs(math.sin(target.pose.yaw))
    sx, sy, sz = (
        abs(side) if math.isfinite(side) else 0.0 for side in (target.size.x, target.size.y, target.size.z)
    )
    place = target.pose.position
    return (place.x, place.y, place.z), (cosine * sx + sine * sy, sine * sx + cosine * sy, sz)


def thing_at(scene: Scene, state: SceneState, target: SkillTarget, base: Placement) -> Thing:
    """The thing that a target means: of those that can be seen, rather one of its category, then the nearest.

    Raises:
        SkillError: NO_SUCH_TARGET when nothing is there; TOO_FAR for a box that is out of the arm's reach, whatever
            is there.
    """
    name, told = called(target), target_box(target)
    check_reach(name, footprint_of(told).distance(base.x, base.y))
    meant = min(_candidates(scene, state, target.category, told), key=lambda entry: entry[0], default=None)
    if meant is None:
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"nothing like {name} is there")
    return meant[1]


def footprint(state: SceneState, thing: Thing) -> Rect:
    """What the arm must get to: the thing as it is now, seen from above; of a closed door the opening."""
    if thing.portable:
        return footprint_of(item_box(thing, state))
    opened = thing.name in state.open_names
    return footprint_of(thing.box_when(opened)) if opened else thing.footprint


def check_reach(name: str, distance: float) -> None:
    """Raises SkillError: TOO_FAR."""
    if distance > REACH:
        away = f"{distance:.2f} m away" if math.isfinite(distance) else "behind a wall or a closed door"
        raise SkillError(
            ErrorCode.TOO_FAR, f"{name} is {away}, within reach is {REACH} m: navigate to it first"
        )


def is_finite(pose: Pose) -> bool:
    q = pose.orientation
    return all(math.isfinite(v) for v in (pose.position.x, pose.position.y, q.x, q.y, q.z, q.w))


_Rank = tuple[bool, float, float, tuple[float, float, float]]


def _candidates(scene: Scene, state: SceneState, category: str, told: Box) -> Iterator[tuple[_Rank, Thing]]:
    """The things that the box may mean with their ranks, the best of which is least; ties are broken by place."""
    for piece in scene.fixed:
        other = piece.category != category
        box = piece.box_when(piece.name in state.open_names)
        distance = min(_flat_distance(box, told), _flat_distance(piece.box, told))
        if distance > _MATCH and gap(box, told) > 0.0:
            continue
        if not (other and not _is_sized_like(box, told)):
            yield (other, gap((told[0], (0.0, 0.0, 0.0)), box), distance, box[0]), piece
    for item in scene.items:
        if not is_in_view(scene, item, state):
            continue
        other = item.category != category
        box = item_box(item, state)
        distance = math.dist(box[0], told[0])
        near = distance <= (_OTHER_MATCH if other else _ITEM_MATCH)
        if near and not (other and not _is_sized_like(box, told)):
            yield (other, distance, distance, box[0]), item


def _flat_distance(a: Box, b: Box) -> float:
    return math.dist(a[0][:2], b[0][:2])


def _is_sized_like(box: Box, told: Box) -> bool:
    return max(box[1]) <= _LIKE * max(told[1]) and max(told[1]) <= _LIKE * max(box[1])
