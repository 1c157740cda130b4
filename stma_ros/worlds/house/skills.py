"""The skills that the house offers, and which thing a target means."""

from __future__ import annotations

import math

from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import ArgumentKind, SkillRequest, SkillSchema, SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.house.flat import Flat, Furniture
from stma_ros.worlds.house.geometry import Placement, Rect

NAVIGATE, EXPLORE, LOOK_AROUND, OPEN, OBSERVE = "navigate", "explore", "look_around", "open", "observe"

SKILLS = (
    SkillSchema(NAVIGATE, (ArgumentKind.OBJECT,), "Drive to an object and face it."),
    SkillSchema(
        EXPLORE, (ArgumentKind.FRONTIER,), "Drive to a border of the known floor and look around there."
    ),
    SkillSchema(LOOK_AROUND, (), "Turn once around in place and look."),
    SkillSchema(OPEN, (ArgumentKind.CONTAINER,), "Open a container within reach and look inside."),
)

VIEWPOINT_TOLERANCE = 1.0  # a look from this near to a frontier's viewpoint is as good [m]
REACH = 1.5  # from the base to a container that it opens [m]
_MATCH = 0.5  # between the centre of the target's box and that of the piece it means [m]


def check_request(request: SkillRequest) -> None:
    """Raises SkillError for a skill that is not offered or has the wrong number of targets."""
    name = request.action.skill
    if name == OBSERVE:
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


def meant_container(flat: Flat, target: SkillTarget) -> Furniture:
    """The container that a target's category and box in the map mean.

    Raises:
        SkillError: nothing stands there, or what stands there does not open.
    """
    if not _finite(target.pose):
        raise SkillError(
            ErrorCode.NO_SUCH_TARGET, f"{_called(target)} has no place: its pose is not a number"
        )
    x, y = target.pose.position.x, target.pose.position.y
    half_x, half_y = _half_extents(target)
    box = Rect(x - half_x, y - half_y, x + half_x, y + half_y)
    near = []
    for piece in flat.furniture:
        (cx, cy, _), _size = piece.box
        distance = math.hypot(cx - x, cy - y)
        if distance <= _MATCH or box.overlaps(piece.footprint):
            near.append((piece.category != target.category, distance, cx, cy, piece))
    if not near:
        raise SkillError(ErrorCode.NO_SUCH_TARGET, f"nothing like {_called(target)} is at ({x:.2f}, {y:.2f})")
    piece = min(near, key=lambda entry: entry[:4])[4]
    if not piece.is_container:
        raise SkillError(ErrorCode.NOT_OPENABLE, f"{_called(target)} does not open")
    return piece


def check_openable(container: Furniture, base: Placement, open_names: frozenset[str]) -> None:
    """Raises SkillError when the container is open already or out of reach."""
    if container.name in open_names:
        raise SkillError(ErrorCode.ALREADY_OPEN, f"the {container.category} is open already")
    distance = container.footprint.distance(base.x, base.y)
    if distance > REACH:
        raise SkillError(
            ErrorCode.TOO_FAR,
            f"the {container.category} is {distance:.2f} m away, within reach is {REACH} m: "
            "navigate to it first",
        )


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
