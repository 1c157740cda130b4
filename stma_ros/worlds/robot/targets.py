"""Finds the object that a target's box and category refer to; texts name only the agent's own id."""

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

_MATCH = 0.5  # between the centre of the target's box and that of the furniture or door [m]
_ITEM_MATCH = 0.35  # the same for a small thing [m]
_OTHER_MATCH = 0.15  # ... of another category than the target's [m]
_LIKE = 4.0  # greatest ratio of the longest sides of the target's box and of an object of another category


def called(target: SkillTarget) -> str:
    return target.id or target.category or "the target"


def target_box(target: SkillTarget) -> Box:
    """Returns the target's box along the axes of the map; an unknown size counts as zero.

    Raises:
        SkillError: NO_SUCH_TARGET when its pose is not finite.
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
    """Returns the object that a target refers to: among the visible ones, preferably one of its category, then the
    nearest.

    Raises:
        SkillError: NO_SUCH_TARGET when nothing is there; TOO_FAR for a box out of the arm's reach, whether or not an
            object is there.
    """
    name, given = called(target), target_box(target)
    check_reach(name, footprint_of(given).distance(base.x, base.y))
    meant = min(_candidates(scene, state, target.category, given), key=lambda entry: entry[0], default=None)
    if meant is None:
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"nothing like {name} is there")
    return meant[1]


def footprint(state: SceneState, thing: Thing) -> Rect:
    """Returns the area that the arm must reach: the object in its present state, seen from above; of a closed door, the
    opening."""
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


def _candidates(scene: Scene, state: SceneState, category: str, given: Box) -> Iterator[tuple[_Rank, Thing]]:
    """Yields the objects that the box may refer to with their ranks, smallest = best; ties are broken by place."""
    for piece in scene.fixed:
        other = piece.category != category
        box = piece.box_when(piece.name in state.open_names)
        distance = min(_flat_distance(box, given), _flat_distance(piece.box, given))
        if distance > _MATCH and gap(box, given) > 0.0:
            continue
        if not (other and not _is_sized_like(box, given)):
            yield (other, gap((given[0], (0.0, 0.0, 0.0)), box), distance, box[0]), piece
    for item in scene.items:
        if not is_in_view(scene, item, state):
            continue
        other = item.category != category
        box = item_box(item, state)
        distance = math.dist(box[0], given[0])
        near = distance <= (_OTHER_MATCH if other else _ITEM_MATCH)
        if near and not (other and not _is_sized_like(box, given)):
            yield (other, distance, distance, box[0]), item


def _flat_distance(a: Box, b: Box) -> float:
    return math.dist(a[0][:2], b[0][:2])


def _is_sized_like(box: Box, given: Box) -> bool:
    return max(box[1]) <= _LIKE * max(given[1]) and max(given[1]) <= _LIKE * max(box[1])
