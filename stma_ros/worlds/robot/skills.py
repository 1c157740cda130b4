"""The skills of the simulated robot, and their execution."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import ArgumentKind, SkillRequest, SkillSchema
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.manipulation import PERFORM
from stma_ros.worlds.robot.targets import is_finite

SKILLS = (
    SkillSchema(
        name=words.SKILL_NAVIGATE,
        arguments=(ArgumentKind.OBJECT,),
        description="Drive to an object and face it.",
    ),
    SkillSchema(
        name=words.SKILL_EXPLORE,
        arguments=(ArgumentKind.FRONTIER,),
        description="Drive to a border of the known floor and look around there.",
    ),
    SkillSchema(
        name=words.SKILL_LOOK_AROUND, arguments=(), description="Turn once around in place and look."
    ),
    SkillSchema(
        name=words.SKILL_OPEN,
        arguments=(ArgumentKind.OPENABLE,),
        description="Open a container or a door within reach and look inside.",
    ),
    SkillSchema(
        name=words.SKILL_CLOSE,
        arguments=(ArgumentKind.OPENABLE,),
        description="Close a container or a door within reach.",
    ),
    SkillSchema(
        name=words.SKILL_PICK,
        arguments=(ArgumentKind.PORTABLE,),
        description="Take an object within reach into the empty hand.",
    ),
    SkillSchema(
        name=words.SKILL_PLACE_ON,
        arguments=(ArgumentKind.SURFACE,),
        description="Put what is in the hand onto a surface within reach.",
    ),
    SkillSchema(
        name=words.SKILL_PLACE_IN,
        arguments=(ArgumentKind.RECEPTACLE,),
        description="Put what is in the hand into something within reach, which must be open if it opens.",
    ),
    SkillSchema(
        name=words.SKILL_PLACE_NEXT_TO,
        arguments=(ArgumentKind.STANDING,),
        description="Put what is in the hand on the floor, next to something within reach that stands there.",
    ),
    SkillSchema(
        name=words.SKILL_SWITCH_ON,
        arguments=(ArgumentKind.DEVICE,),
        description="Switch on a device within reach.",
    ),
    SkillSchema(
        name=words.SKILL_SWITCH_OFF,
        arguments=(ArgumentKind.DEVICE,),
        description="Switch off a device within reach.",
    ),
    SkillSchema(
        name=words.SKILL_FILL,
        arguments=(ArgumentKind.TAP,),
        description="Fill the vessel in the hand at a tap within reach.",
    ),
    SkillSchema(
        name=words.SKILL_EMPTY,
        arguments=(ArgumentKind.TAP,),
        description="Pour out the vessel in the hand at a tap within reach.",
    ),
)

_VIEWPOINT_TOLERANCE = 1.0  # a view within this distance of a frontier's viewpoint is as good [m]


def perform(body: Body, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
    """Yields the motions of one skill; the caller captures the frame at its end. Raises SkillError and Canceled."""
    check(request)
    skill = request.action.skill
    if skill in words.MOTIONS:
        body.may_slip()
    if skill == words.SKILL_NAVIGATE:
        yield from body.drive_to(_standing_pose(request), cancel)
    elif skill == words.SKILL_EXPLORE:
        yield from body.drive_to(_standing_pose(request), cancel, _VIEWPOINT_TOLERANCE)
        yield from body.look_around(cancel)
    elif skill == words.SKILL_LOOK_AROUND:
        yield from body.look_around(cancel)
    elif skill in PERFORM:
        yield from PERFORM[skill](body, request, cancel)


def check(request: SkillRequest) -> None:
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


def _standing_pose(request: SkillRequest) -> Placement:
    """Returns the base goal of a request. Raises SkillError when it has none."""
    goal = request.base_goal
    if not is_finite(goal):
        raise SkillError(
            ErrorCode.UNREACHABLE,
            f"{request.action} says not where the base is to stand: no known place is near it",
        )
    return Placement(goal.position.x, goal.position.y, goal.yaw)
