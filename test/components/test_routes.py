"""The routes of a spatial belief: what opens is approached from its front."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from stma_ros.components.spatial_memory.routes import Routes
from stma_ros.mapping.spatial_map import MapSnapshot, SpatialMap
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Route
from stma_ros.types.stepped import StepStamp
from support.components.household_components import HOUSEHOLD
from support.mapping.box_world import ALL_ROUND, CAMERA, MOUNT, look, shell
from support.mapping.poses import planar_pose
from support.memory.keyframes import look as see
from support.memory.keyframes import seen

ROBOT = (1.0, 1.0)
FRIDGE = (2.0, 2.0, 0.9), (0.6, 0.6, 1.8)
CABINET_BOX = (1.7, 1.7, 0.0, 2.3, 2.3, 1.8)


def snapshot() -> MapSnapshot:
    room = [*shell(0, 0, 4, 4), CABINET_BOX]
    built = SpatialMap()
    for x, y in (ROBOT, (3.3, 3.3)):
        for yaw in ALL_ROUND:
            pose = planar_pose(x, y, float(yaw)) @ MOUNT
            built.integrate(look(room, pose), CAMERA, pose, (x, y))
    return built.snapshot(ROBOT)


MAP = snapshot()


def objects(*more: object) -> ObjectMemory:
    memory = ObjectMemory(HOUSEHOLD)
    see(memory, 1, seen("fridge", *FRIDGE), *more, eye=np.array([1.0, 1.0, 1.2]))
    return memory


def done(
    step: int, code: ErrorCode = ErrorCode.NONE, task: str = "t", skill: str = words.SKILL_OPEN
) -> TemporalBelief:
    outcome = Outcome(
        step=step,
        action=Action(skill, ("fridge_1",)),
        result=Result.FAILED if code else Result.SUCCEEDED,
        error=Error(code, code.name.lower()) if code else Error(),
    )
    return TemporalBelief(at=StepStamp(task_id=task, step=step), completed=(outcome,))


def to_fridge(routes: Routes, memory: ObjectMemory) -> Route:
    (route,) = [route for route in routes.find(memory.objects, MAP) if route.target == "fridge_1"]
    return route


def side(route: Route) -> tuple[int, float]:
    at = np.array([route.goal.position.x - 2.0, route.goal.position.y - 2.0])
    axis = int(np.abs(at).argmax())
    return axis, math.copysign(1.0, at[axis])


def test_robot_stands_before_the_middle_of_a_side_of_what_opens() -> None:
    goal = to_fridge(Routes(HOUSEHOLD), objects()).goal.position
    off = sorted((abs(goal.x - 2.0), abs(goal.y - 2.0)))
    assert off[0] < 0.3
    assert 0.8 < off[1] < 1.4


def test_another_side_is_chosen_after_a_bad_stance_in_the_same_task() -> None:
    routes, memory, sides = Routes(HOUSEHOLD), objects(), []
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    for step in (1, 2, 3):
        sides.append(side(to_fridge(routes, memory)))
        routes.take(done(step, ErrorCode.BAD_STANCE), ROBOT)
    assert len(set(sides)) == 3
    routes.take(done(4, ErrorCode.BAD_STANCE, task="another"), ROBOT)
    assert side(to_fridge(routes, memory)) == sides[0]


def test_other_failures_do_not_change_the_side() -> None:
    routes, memory = Routes(HOUSEHOLD), objects()
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    first = to_fridge(routes, memory)
    routes.take(done(1, ErrorCode.BLOCKED), ROBOT)
    assert to_fridge(routes, memory) == first


def test_end_of_a_row_is_not_the_front() -> None:
    alone = side(to_fridge(Routes(HOUSEHOLD), objects()))
    beside = [2.0, 2.0]
    beside[alone[0]] -= alone[1] * 0.62
    neighbour = seen("counter", (*beside, 0.45), (0.6, 0.6, 0.9))
    assert side(to_fridge(Routes(HOUSEHOLD), objects(neighbour)))[0] != alone[0]


BEHIND = (3.3, 2.0)
"""A place before the side of the fridge that is farthest from the robot."""


def test_robot_closes_where_it_stood_when_it_opened_also_in_later_tasks() -> None:
    routes, memory = Routes(HOUSEHOLD), objects()
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    assert side(to_fridge(routes, memory)) != (0, 1.0)
    routes.take(done(1), BEHIND)
    assert side(to_fridge(routes, memory)) == (0, 1.0)
    routes.take(done(1, ErrorCode.BLOCKED, task="another"), ROBOT)
    assert side(to_fridge(routes, memory)) == (0, 1.0)


def test_a_side_that_worked_is_no_longer_preferred_once_it_has_failed_or_the_map_has_jumped() -> None:
    memory = objects()
    for jumped in (True, False):
        routes = Routes(HOUSEHOLD)
        first = side(to_fridge(routes, memory))
        routes.take(done(1), BEHIND)
        assert side(to_fridge(routes, memory)) == (0, 1.0)
        if jumped:
            routes.forget()
        else:
            routes.take(done(2, ErrorCode.BAD_STANCE, skill=words.SKILL_CLOSE), ROBOT)
        assert side(to_fridge(routes, memory)) == first


def looked(step: int, target: str = "fridge_1") -> TemporalBelief:
    outcome = Outcome(step=step, action=Action(words.SKILL_EXPLORE, (target,)), result=Result.SUCCEEDED)
    return TemporalBelief(at=StepStamp(task_id="t", step=step), completed=(outcome,))


def test_robot_sees_a_thing_from_other_sides_until_its_state_is_known() -> None:
    routes, memory, before = Routes(HOUSEHOLD), objects(), []
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    route = to_fridge(routes, memory)
    while route.goal.given:
        at = route.goal.position.x, route.goal.position.y
        bearing = math.atan2(at[1] - 2.0, at[0] - 2.0)
        assert all(abs(math.remainder(bearing - other, math.tau)) > math.radians(50) for other in before)
        before.append(bearing)
        routes.take(looked(len(before)), at)
        route = to_fridge(routes, memory)
    assert 3 <= len(before) <= 7
    # In the next task it is a thing to go to again.
    routes.take(TemporalBelief(at=StepStamp(task_id="another")), ROBOT)
    assert to_fridge(routes, memory).goal.given


def test_robot_need_not_come_back_to_what_it_has_looked_at_if_its_state_is_known() -> None:
    routes, memory = Routes(HOUSEHOLD), ObjectMemory(HOUSEHOLD)
    see(memory, 1, seen("bookshelf", *FRIDGE), eye=np.array([1.0, 1.0, 1.2]))
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    (route,) = routes.find(memory.objects, MAP)[:1]
    assert route.goal.given
    routes.take(looked(1, "bookshelf_1"), (route.goal.position.x, route.goal.position.y))
    assert not routes.find(memory.objects, MAP)[0].goal.given


def went(step: int, target: str) -> TemporalBelief:
    outcome = Outcome(step=step, action=Action(words.SKILL_NAVIGATE, (target,)), result=Result.SUCCEEDED)
    return TemporalBelief(at=StepStamp(task_id="t", step=step), completed=(outcome,))


@pytest.mark.parametrize(("category", "turns"), [("basket", True), ("table", False)])
def test_robot_that_stands_before_a_basket_sees_into_it_from_another_side(category: str, turns: bool) -> None:
    routes, memory = Routes(HOUSEHOLD), ObjectMemory(HOUSEHOLD)
    see(memory, 1, seen(category, (2.0, 2.0, 1.9), (0.6, 0.6, 0.2)), eye=np.array([1.0, 1.0, 1.2]))
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    bearings = []
    for step in range(1, 4):
        (route,) = routes.find(memory.objects, MAP)[:1]
        at = route.goal.position.x, route.goal.position.y
        bearings.append(math.atan2(at[1] - 2.0, at[0] - 2.0))
        routes.take(went(step, f"{category}_1"), at)
    apart = [abs(math.remainder(one - other, math.tau)) for one, other in itertools.pairwise(bearings)]
    assert all((each > math.radians(40)) is turns for each in apart[1:])
    # From elsewhere it is a thing to go to as any other.
    routes.take(went(4, "fridge_9"), ROBOT)
    assert routes.find(memory.objects, MAP)[0].goal == Routes(HOUSEHOLD).find(memory.objects, MAP)[0].goal


def test_way_up_to_a_thing_is_gone_in_strides_and_ends_before_it() -> None:
    routes, memory, place = Routes(HOUSEHOLD, max_stride=0.5), objects(), ROBOT
    routes.take(TemporalBelief(at=StepStamp(task_id="t")), ROBOT)
    whole = to_fridge(Routes(HOUSEHOLD), memory)
    route = to_fridge(routes, memory)
    assert route.length == whole.length > 0.5
    at = route.goal.position.x, route.goal.position.y
    assert 0.3 < math.dist(place, at) <= 0.55
    routes.take(looked(1), at)  # part of the way
    assert to_fridge(routes, memory).goal == route.goal
