"""The skills that the house offers, and which thing a target means."""

from __future__ import annotations

import math

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import ArgumentKind, SkillRequest, SkillSchema, SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.geometry import Placement, Rect

SKILLS = (
    SkillSchema(words.SKILL_NAVIGATE, (ArgumentKind.OBJECT,), "Drive to an object and face it."),
    SkillSchema(
        words.SKILL_EXPLORE,
        (ArgumentKind.FRONTIER,),
        "Drive to a border of the known floor and look around there.",
    ),
    SkillSchema(words.SKILL_LOOK_AROUND, (), "Turn once around in place and look."),
    SkillSchema(
        words.SKILL_OPEN, (ArgumentKind.OPENABLE,), "Open a container within reach and look inside."
    ),
)

VIEWPOINT_TOLERANCE = 1.0  # a look from this near to a frontier's viewpoint is as good [m]
REACH = 1.5  # from the base to the container that it opens, as told and as it is [m]
_MATCH = 0.5  # between the centre of the target's box and that of the piece it means [m]


def check_request(request: SkillRequest) -> None:
    """Raises SkillError for a skill that is not offered or has the wrong number of targets."""
    name = request.action.skill
    if name == words.SKILL_OBSERVE:
        return
    schema = next((skill for skill in SKILLS if skill.name == name), None)
    if schema is None:
        known = ", ".join(skill.name for skill in SKILLS)
        raise SkillError(ErrorCode.SKILL_UNKNOWN, f"there is no skill {name!r} here; there are {known}")
    if len(request.targets) != len(schema.arguments):
        raise SkillError(
            ErrorCode.NO_SUCH_TARGET,
            f"{name} wants {len(schema.arguments)} target(s), the request has {len(request.targets)}",
        )


def standing_pose(request: SkillRequest) -> Placement:
    """The base goal of a request. Raises SkillError when it has none."""
    goal = request.base_goal
    if not _finite(goal):
        raise SkillError(
            ErrorCode.UNREACHABLE,
            f"{request.action} says not where the base is to stand: no known place is near it",
        )
    return Placement(goal.position.x, goal.position.y, goal.yaw)


def container_at_hand(
    flat: Flat, target: SkillTarget, base: Placement, open_names: frozenset[str]
) -> Furniture:
    """The closed container that a target's box and category mean.

    The arm tells nothing about what it does not reach, nor a name other than the agent's own.

    Raises:
        SkillError: first, when the target is out of reach; then, when nothing is there, or nothing that opens,
            or it is open.
    """
    name = _called(target)
    if not _finite(target.pose):
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"{name} has no place: its pose is not a number")
    x, y = target.pose.position.x, target.pose.position.y
    half_x, half_y = _half_extents(target)
    box = Rect(x - half_x, y - half_y, x + half_x, y + half_y)
    _check_reach(name, box, base)
    piece = _meant(flat, target.category, box)
    if piece is None:
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"nothing like {name} is at ({x:.2f}, {y:.2f})")
    _check_reach(name, piece.footprint, base)
    if not piece.is_container:
        raise SkillError(ErrorCode.NOT_OPENABLE, f"{name} does not open")
    if piece.name in open_names:
        raise SkillError(ErrorCode.ALREADY_OPEN, f"{name} is open already")
    return piece


def _check_reach(name: str, place: Rect, base: Placement) -> None:
    distance = place.distance(base.x, base.y)
    if distance > REACH:
        raise SkillError(
            ErrorCode.TOO_FAR,
            f"{name} is {distance:.2f} m away, within reach is {REACH} m: navigate to it first",
        )


def _meant(flat: Flat, category: str, box: Rect) -> Furniture | None:
    """The piece in or near a box, if any: rather of that category, then the nearest."""
    x, y = box.centre
    near = []
    for piece in flat.furniture:
        (cx, cy, _), _size = piece.box
        distance = math.hypot(cx - x, cy - y)
        if distance <= _MATCH or box.overlaps(piece.footprint):
            near.append((piece.category != category, distance, cx, cy, piece))
    return min(near, key=lambda entry: entry[:4])[4] if near else None


def _called(target: SkillTarget) -> str:
    return target.id or target.category or "the target"


def _half_extents(target: SkillTarget) -> tuple[float, float]:
    """Of the target's box along the axes of the map."""
    cosine, sine = abs(math.cos(target.pose.yaw)), abs(math.sin(target.pose.yaw))
    sx, sy = abs(target.size.x) / 2, abs(target.size.y) / 2
    return cosine * sx + sine * sy, sine * sx + cosine * sy


def _finite(pose: Pose) -> bool:
    q = pose.orientation
    return all(math.isfinite(v) for v in (pose.position.x, pose.position.y, q.x, q.y, q.z, q.w))
