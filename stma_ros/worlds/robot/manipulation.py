"""Skills of the arm: each checks its preconditions, brings the base within reach, and changes the state.

All functions are generators of the frames captured meanwhile; they raise SkillError with the reason for the planner,
and Canceled. Texts name an object by the agent's id: the arm reveals nothing else about it.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import SkillRequest, SkillTarget
from stma_ros.types.standard import Pose
from stma_ros.worlds.robot.body import Body, Canceled
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.given_spot import SERVO, spot_at, yaw_for
from stma_ros.worlds.robot.motion import way_length
from stma_ros.worlds.robot.places import docking_pose, standing_place
from stma_ros.worlds.robot.placing import BESIDE_SEARCH, floor_place, free_spot
from stma_ros.worlds.robot.reach import REACH, arm_distance
from stma_ros.worlds.robot.scene import Fixture, Portable, Thing, holder_of, is_obstructed, item_box
from stma_ros.worlds.robot.state import HAND, Spot
from stma_ros.worlds.robot.targets import called, check_reach, footprint, is_finite, target_box, thing_at

FLOOR_CATEGORY: Final = "floor"
"""The category of a target that is a place on the floor."""

_MOVE_LEAF_SECONDS, _HAND_SECONDS, _SWITCH_SECONDS, _TAP_SECONDS = 3.0, 4.0, 1.5, 5.0
_STEP = 0.6  # length of a repositioning of the base for an object at the edge of its reach [m]
_ASIDE, _ASIDE_TOLERANCE = 0.5, 0.1  # to each side for a look into what was opened [m]
_LATE_REACH = 0.4  # excess over the reach for which a repositioning is tried [m]


def move_leaf(
    body: Body, target: SkillTarget, stance: Pose, cancel: CancelToken, *, open_: bool
) -> Iterator[Emission]:
    """Opens or closes a container or a door, from a place that the leaf does not sweep: near the stance, where one is
    given."""
    name = called(target)
    thing = thing_at(body.scene, body.state, target, body.base)
    _check_distance(body, name, thing)
    if thing.portable or not thing.opens:
        raise SkillError(ErrorCode.NOT_OPENABLE, f"{name} does not open")
    if (thing.name in body.state.open_names) == open_:
        code, how = (ErrorCode.ALREADY_OPEN, "open") if open_ else (ErrorCode.ALREADY_CLOSED, "closed")
        raise SkillError(code, f"{name} is {how} already")
    after = body.state.opened(thing.name) if open_ else body.state.closed(thing.name)
    if is_obstructed(body.scene, thing, body.state):
        raise SkillError(
            ErrorCode.BLOCKED, f"something that stands open is in the way of {name}: close it first"
        )
    if is_finite(stance):
        yield from body.drive_to(Placement(stance.position.x, stance.position.y, stance.yaw), cancel)
    dock = docking_pose(body.ground, body.scene.ground(after), body.base, thing)
    how = "open" if open_ else "close"
    if dock is None:
        raise SkillError(ErrorCode.UNREACHABLE, f"there is no free place in front of it to {how} {name} from")
    if is_finite(stance) and math.dist((dock.x, dock.y), (body.base.x, body.base.y)) > _STEP:
        raise SkillError(
            ErrorCode.BAD_STANCE,
            f"the arm cannot {how} {name} from here: the robot stands in the way of its front, or beside it",
        )
    yield from body.drive_to(dock, cancel)
    body.pass_time(_MOVE_LEAF_SECONDS)
    body.change(thing.name, after)
    if open_ and thing.shelves(inside=True):
        with contextlib.suppress(
            Canceled
        ):  # it is open: that is no canceled skill, only one with fewer views
            yield from _look_inside(body, thing, cancel)


def _look_inside(body: Body, thing: Fixture, cancel: CancelToken) -> Iterator[Emission]:
    """Views what was opened from the left and from the right, too, as far as there is room to step aside.

    The view from the middle is the one that ends the skill.
    """
    dock = body.base
    for side in (_ASIDE, -_ASIDE):
        x, y = dock.point(0.0, side)
        way = body.ground.way(body.base, x, y, _ASIDE_TOLERANCE)
        if way is None or way_length(body.base, way) > 3 * _ASIDE:  # longer ones lead around something
            continue
        with contextlib.suppress(SkillError):  # it is open, whatever the base meets beside it
            yield from body.drive_to(Placement(x, y, dock.yaw), cancel, _ASIDE_TOLERANCE)
            yield from body.face(*thing.ahead(0.0), cancel)
            yield from body.capture()
    with contextlib.suppress(SkillError):
        yield from body.drive_to(dock, cancel)


def pick(body: Body, target: SkillTarget, cancel: CancelToken) -> Iterator[Emission]:
    """Picks up a small thing with the empty gripper."""
    name = called(target)
    if body.state.held:
        raise SkillError(
            ErrorCode.HAND_FULL, f"the hand is full: put down what it holds before taking {name}"
        )
    thing = thing_at(body.scene, body.state, target, body.base)
    if not thing.portable:
        _check_distance(body, name, thing)
        raise SkillError(ErrorCode.NOT_PORTABLE, f"{name} cannot be carried")
    yield from _approach(body, name, item_box(thing, body.state), cancel)
    body.pass_time(_HAND_SECONDS)
    if not body.hand.grasps():
        raise SkillError(ErrorCode.GRASP_FAILED, f"the hand closed on nothing: {name} slipped away from it")
    body.change(thing.name, body.state.moved(thing.name, HAND))


def place(
    body: Body, target: SkillTarget, goal: Pose, cancel: CancelToken, *, inside: bool
) -> Iterator[Emission]:
    """Puts the held object onto or into a piece of furniture or another object: at the goal, or where there is room
    without one. A target of the category "floor" is a place on the floor."""
    name = called(target)
    held = _held(body, f"nothing can be put {'into' if inside else 'onto'} {name}")
    if target.category == FLOOR_CATEGORY and not inside:
        yield from _put_on_floor(body, target, held, cancel)
        return
    thing = thing_at(body.scene, body.state, target, body.base)
    _check_distance(body, name, thing)
    if not thing.shelves(inside=inside):
        how = "into" if inside else "onto"
        raise SkillError(ErrorCode.HOLDS_NOTHING, f"nothing can be put {how} {name}")
    if inside and not thing.portable and thing.opens and thing.name not in body.state.open_names:
        raise SkillError(ErrorCode.IS_CLOSED, f"{name} is closed: open it first")
    holder = holder_of(thing, body.state, body.scene)
    heaped = thing.portable and inside  # things in a basket lie as they fall
    if is_finite(goal) and not heaped:
        spot = spot_at(body.scene, body.state, holder, held, goal, inside=inside, name=name)
    else:
        spot = free_spot(body.scene, body.state, holder, held, body.base, inside=inside, name=name)
    # The piece is within reach, while the free place on it may be around a corner.
    yield from _approach(
        body, f"the free place at {name}", held.box_at(spot), cancel, late=math.inf, step=2 * _STEP
    )
    body.pass_time(_HAND_SECONDS)
    body.change(held.name, body.state.moved(held.name, spot))


def _put_on_floor(body: Body, target: SkillTarget, held: Portable, cancel: CancelToken) -> Iterator[Emission]:
    """Puts the held object on the floor, near the middle of the target's box."""
    x, y, _ = target_box(target).centre
    check_reach(called(target), math.dist((x, y), (body.base.x, body.base.y)))
    spot = floor_place(body.scene, body.state, held, body.base, x, y, REACH)
    if spot is None:
        raise SkillError(ErrorCode.NO_ROOM, "there is no free place on the floor there")
    yield from _put_at(body, "the free place on the floor there", held, spot, cancel)


def _put_at(body: Body, name: str, held: Portable, spot: Spot, cancel: CancelToken) -> Iterator[Emission]:
    """Puts the held object at a place on the floor. name: of the place, for the reason of a failure."""
    area = held.box_at(spot).footprint
    check_reach(name, arm_distance(body.scene, body.state, body.base.x, body.base.y, area))
    yield from body.face(spot.x, spot.y, cancel)
    body.pass_time(_HAND_SECONDS)
    body.change(held.name, body.state.moved(held.name, spot))


def place_next_to(body: Body, target: SkillTarget, goal: Pose, cancel: CancelToken) -> Iterator[Emission]:
    """Puts the held object on the floor next to a thing: at the goal, or where there is room without one."""
    name = called(target)
    held = _held(body, f"nothing can be put next to {name}")
    thing = thing_at(body.scene, body.state, target, body.base)
    _check_distance(body, name, thing)
    if is_finite(goal):
        at, within, yaw = (goal.position.x, goal.position.y), SERVO, yaw_for(goal.yaw, held)
        check_reach(f"the place next to {name}", math.dist(at, (body.base.x, body.base.y)))
    else:
        at, within, yaw = footprint(body.state, thing).nearest(body.base.x, body.base.y), BESIDE_SEARCH, None
    spot = floor_place(body.scene, body.state, held, body.base, *at, REACH, within, yaw)
    if spot is None:
        raise SkillError(ErrorCode.SPOT_TAKEN, f"there is no free place on the floor there, next to {name}")
    yield from _put_at(body, f"the free place next to {name}", held, spot, cancel)


def switch(body: Body, target: SkillTarget, cancel: CancelToken, *, on: bool) -> Iterator[Emission]:
    """Switches a device on or off."""
    name = called(target)
    thing = thing_at(body.scene, body.state, target, body.base)
    if not thing.is_device:
        _check_distance(body, name, thing)
        raise SkillError(ErrorCode.NOT_SWITCHABLE, f"{name} cannot be switched on or off")
    if (thing.name in body.state.on_names) == on:
        _check_distance(body, name, thing)
        code, how = (ErrorCode.ALREADY_ON, "on") if on else (ErrorCode.ALREADY_OFF, "off")
        raise SkillError(code, f"{name} is {how} already")
    yield from _approach(body, name, _box(body, thing), cancel)
    body.pass_time(_SWITCH_SECONDS)
    body.change(thing.name, body.state.switched(thing.name, on=on))


def use_tap(body: Body, target: SkillTarget, cancel: CancelToken, *, fill: bool) -> Iterator[Emission]:
    """Fills the held vessel with water, or empties it."""
    name = called(target)
    held = _held(body, f"nothing can be {'filled' if fill else 'emptied'} at {name}")
    if not held.is_vessel:
        raise SkillError(ErrorCode.NOT_A_VESSEL, "what is in the hand holds no liquid")
    thing = thing_at(body.scene, body.state, target, body.base)
    _check_distance(body, name, thing)
    if thing.portable or not thing.is_tap:
        raise SkillError(ErrorCode.NOT_A_TAP, f"there is no water at {name}")
    if (held.name in body.state.full_names) == fill:
        code, how = (ErrorCode.ALREADY_FULL, "full") if fill else (ErrorCode.ALREADY_EMPTY, "empty")
        raise SkillError(code, f"what is in the hand is {how} already")
    yield from _approach(body, name, thing.box, cancel)
    body.pass_time(_TAP_SECONDS)
    body.change(held.name, body.state.filled(held.name, full=fill))


PERFORM: Mapping[str, Callable[[Body, SkillRequest, CancelToken], Iterator[Emission]]] = {
    words.SKILL_OPEN: lambda body, asked, cancel: move_leaf(
        body, asked.targets[0], asked.base_goal, cancel, open_=True
    ),
    words.SKILL_CLOSE: lambda body, asked, cancel: move_leaf(
        body, asked.targets[0], asked.base_goal, cancel, open_=False
    ),
    words.SKILL_PICK: lambda body, asked, cancel: pick(body, asked.targets[0], cancel),
    words.SKILL_PLACE_ON: lambda body, asked, cancel: place(
        body, asked.targets[0], asked.place_goal, cancel, inside=False
    ),
    words.SKILL_PLACE_IN: lambda body, asked, cancel: place(
        body, asked.targets[0], asked.place_goal, cancel, inside=True
    ),
    words.SKILL_PLACE_NEXT_TO: lambda body, asked, cancel: place_next_to(
        body, asked.targets[0], asked.place_goal, cancel
    ),
    words.SKILL_SWITCH_ON: lambda body, asked, cancel: switch(body, asked.targets[0], cancel, on=True),
    words.SKILL_SWITCH_OFF: lambda body, asked, cancel: switch(body, asked.targets[0], cancel, on=False),
    words.SKILL_FILL: lambda body, asked, cancel: use_tap(body, asked.targets[0], cancel, fill=True),
    words.SKILL_EMPTY: lambda body, asked, cancel: use_tap(body, asked.targets[0], cancel, fill=False),
}
"""The execution of each of the arm's skills."""


def _held(body: Body, consequence: str) -> Portable:
    """Returns the held object. Raises SkillError: HAND_EMPTY."""
    if not body.state.held:
        raise SkillError(ErrorCode.HAND_EMPTY, f"the hand is empty: {consequence}")
    return body.scene.items_by_name[body.state.held]


def _box(body: Body, thing: Thing) -> Box:
    return item_box(thing, body.state) if thing.portable else thing.box


def _check_distance(body: Body, name: str, thing: Thing) -> None:
    """Raises SkillError (TOO_FAR) outside of reach, as only there the robot learns the category of an object."""
    place = footprint(body.state, thing)
    check_reach(name, arm_distance(body.scene, body.state, body.base.x, body.base.y, place), told=False)


def _approach(
    body: Body, name: str, box: Box, cancel: CancelToken, *, late: float = _LATE_REACH, step: float = _STEP
) -> Iterator[Emission]:
    """Brings a place within reach and into the middle of the image, moving the base to a free place where needed.

    Args:
        body: the robot.
        name: the agent's id of the object.
        box: box of the object.
        cancel: cancels the motion.
        late: excess over the reach for which a repositioning is tried [m].
        step: length of the repositioning [m].
    """
    x, y, z = box.centre
    area = box.footprint
    nearest = body.camera.nearest_view(z)
    distance = arm_distance(body.scene, body.state, body.base.x, body.base.y, area)
    if distance > REACH or math.hypot(x - body.base.x, y - body.base.y) < nearest:
        standing = standing_place(
            body.scene, body.state, body.ground, body.base, area, nearest=nearest, within=step
        )
        if standing is not None and distance <= REACH + late:
            yield from body.drive_to(standing, cancel)
        else:
            check_reach(name, distance, told=False)
    yield from body.face(x, y, cancel)
