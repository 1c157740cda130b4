"""Finds the object that a target's box and category refer to; texts name only the agent's own id."""

from __future__ import annotations

import math
from collections.abc import Iterator

from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import OrientedRect, Placement
from stma_ros.worlds.robot.reach import REACH, arm_distance
from stma_ros.worlds.robot.scene import Scene, Thing, is_in_view, item_box
from stma_ros.worlds.robot.state import SceneState

# An arm moves to the given box, looks with its camera, and corrects its way to the thing that it was sent for: it finds
# a small thing beside the gripper's fingers, and a leaf or a handle that is a hand's breadth from where it should be.
_SERVO = 0.15  # greatest distance of the given centre from a small thing of the category [m]
_FIXTURE_SERVO = 0.1  # greatest distance between the given box and that of a fixture of the category [m]
# It takes for the target what is there under another name, as a detector confuses names, but seeks nothing else.
_OTHER_SERVO = 0.05  # the first distance, for a small thing of another category [m]
_LIKE = 4.0  # greatest ratio of the longest sides of the target's box and of an object of another category
_MUCH_LIKE = 2.0  # the same, for one that comes before others: a bottle before the cabinet that it stands in


def called(target: SkillTarget) -> str:
    return target.id or target.category or "the target"


def target_box(target: SkillTarget) -> Box:
    """Returns the target's box; an unknown size counts as zero.

    Raises:
        SkillError: NO_SUCH_TARGET when its pose is not finite.
    """
    if not is_finite(target.pose):
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"{called(target)} has no place: its pose is not a number")
    sx, sy, sz = (
        abs(side) if math.isfinite(side) else 0.0 for side in (target.size.x, target.size.y, target.size.z)
    )
    place = target.pose.position
    return Box((place.x, place.y, place.z), (sx, sy, sz), target.pose.yaw)


def thing_at(scene: Scene, state: SceneState, target: SkillTarget, base: Placement) -> Thing:
    """Returns the object that a target refers to: among the visible ones, preferably one of its category, then the
    nearest.

    Raises:
        SkillError: NO_SUCH_TARGET when nothing is there; TOO_FAR for a box out of the arm's reach, also behind a wall,
            whether or not an object is there.
    """
    name, given = called(target), target_box(target)
    check_reach(name, given.footprint.distance(base.x, base.y))
    meant = min(_candidates(scene, state, target.category, given), key=lambda entry: entry[0], default=None)
    if meant is None:
        # A box may reach into the wall at which its object would be; what is out of reach lies beyond the wall.
        within = given.footprint.grown(_FIXTURE_SERVO)
        check_reach(name, arm_distance(scene, state, base.x, base.y, within))
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"nothing like {name} is there")
    return meant[1]


def footprint(state: SceneState, thing: Thing) -> OrientedRect:
    """Returns the area that the arm must reach: the object in its present state, seen from above; of a closed door, the
    opening."""
    if thing.portable:
        return item_box(thing, state).footprint
    opened = thing.name in state.open_names
    return thing.box_when(opened).footprint if opened else thing.footprint


def check_reach(name: str, distance: float, *, told: bool = True) -> None:
    """Raises SkillError: TOO_FAR. told: whether the text states the distance, which must not be that of an object: the
    robot knows the given box only."""
    if distance > REACH:
        far = f"{distance:.2f} m away" if told else "too far away"
        away = far if math.isfinite(distance) else "behind a wall or a closed door"
        raise SkillError(
            ErrorCode.TOO_FAR, f"{name} is {away}, within reach is {REACH} m: navigate to it first"
        )


def is_finite(pose: Pose) -> bool:
    q = pose.orientation
    return all(math.isfinite(v) for v in (pose.position.x, pose.position.y, q.x, q.y, q.z, q.w))


_Rank = tuple[bool, bool, float, float, Box]


def _candidates(scene: Scene, state: SceneState, category: str, given: Box) -> Iterator[tuple[_Rank, Thing]]:
    """Yields the objects that the box may refer to with their ranks, smallest = best; ties are broken by place."""
    for piece in scene.fixed:
        other = piece.category != category
        # The box may have been seen before something opened or closed it.
        boxes = piece.box_when(piece.name in state.open_names), piece.box
        away, distance, box = min(
            (box.distance(*given.centre), _flat_distance(box, given), box) for box in boxes
        )
        if other:
            matches = away == 0.0 and _size_ratio(box, given) <= _LIKE
        else:
            matches = min(box.gap(given) for box in boxes) <= _FIXTURE_SERVO
        if matches:
            yield (other, _is_unlike(other, box, given), away, distance, box), piece
    for item in scene.items:
        if not is_in_view(scene, item, state):
            continue
        other = item.category != category
        box = item_box(item, state)
        away, distance = box.distance(*given.centre), math.dist(box.centre, given.centre)
        if away <= (_OTHER_SERVO if other else _SERVO) and not (other and _size_ratio(box, given) > _LIKE):
            yield (other, _is_unlike(other, box, given), away, distance, box), item


def _flat_distance(a: Box, b: Box) -> float:
    return math.dist(a.centre[:2], b.centre[:2])


def _is_unlike(other: bool, box: Box, given: Box) -> bool:
    """Whether the box of an object of another category is much smaller or larger than the given one."""
    return other and _size_ratio(box, given) > _MUCH_LIKE


def _size_ratio(box: Box, given: Box) -> float:
    """Returns the ratio of the longest sides, at least 1."""
    sides = sorted((max(box.size), max(given.size)))
    return sides[1] / sides[0] if sides[0] > 0 else math.inf
