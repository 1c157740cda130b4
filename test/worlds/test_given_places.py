"""Putting things down at a given place: the arm's tolerance, and why it fails."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.standard import Point, Pose
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.given_spot import DROP, RISE, SERVO, spot_at
from stma_ros.worlds.robot.state import FLOOR, HAND, SceneState, Spot
from support.worlds.two_rooms import FLAT, body_in, box_now, code_of, go_to, request, target_of

COUNTER = FLAT.furniture_by_name["counter_1"]
(TOP,) = COUNTER.shape.on
SHELF = FLAT.furniture_by_name["shelf_1"]
MUG = FLAT.items_by_name["mug_1"]
LYING = Spot(FLOOR, False, 0.0, 0.0, 0.0, 0.0)
HELD = replace(FLAT.initial, spots={**dict.fromkeys(FLAT.initial.spots, LYING), "mug_1": HAND})
"""The mug is in the hand, and nothing is on any piece of furniture."""


def goal(x: float, y: float, z: float, yaw: float = 0.0) -> Pose:
    """Returns a place in the frame of the counter, its height above the floor."""
    place = COUNTER.placement
    return Pose(Point(*place.point(x, y), z), Pose.planar(0, 0, place.yaw + yaw).orientation)


def box_at(spot: Spot) -> Box:
    return MUG.box_at(spot)


def put(where: Pose, state: SceneState = HELD) -> Spot:
    return spot_at(FLAT, state, COUNTER, MUG, where, inside=False, name="it")


def code_at(where: Pose, state: SceneState = HELD) -> ErrorCode:
    with pytest.raises(SkillError, match="it") as error:
        put(where, state)
    return error.value.code


def occupied(x: float, y: float) -> SceneState:
    """Returns the state with a radio at a place of the counter."""
    return HELD.moved("radio_1", Spot("counter_1", False, *COUNTER.placement.point(x, y), TOP.height, 0.0))


@given(
    x=st.floats(-0.05, 0.05),
    y=st.floats(-0.25, 0.25),
    dz=st.floats(-RISE + 0.01, DROP - 0.01),
    yaw=st.floats(-7, 7),
)
def test_thing_stands_at_the_given_place_in_line_with_the_piece(
    x: float, y: float, dz: float, yaw: float
) -> None:
    where = goal(x, y, TOP.height + dz, yaw)
    box = box_at(put(where))
    assert math.dist(box.centre[:2], (where.position.x, where.position.y)) < 1e-6
    assert box.low == pytest.approx(TOP.height, abs=0.01)
    assert math.remainder(box.yaw - COUNTER.placement.yaw, math.pi / 2) == pytest.approx(0, abs=1e-6)


@given(x=st.floats(-0.3, 0.3), y=st.floats(-0.8, 0.8))
def test_thing_is_within_the_arms_tolerance_or_is_not_put_down(x: float, y: float) -> None:
    where = goal(x, y, TOP.height)
    state = occupied(0.0, 0.0)
    try:
        box = box_at(put(where, state))
    except SkillError:
        return
    assert math.dist(box.centre[:2], (where.position.x, where.position.y)) <= SERVO + 1e-6
    assert box.gap(FLAT.items_by_name["radio_1"].box_at(state.spots["radio_1"])) > 0


def test_arm_evades_what_is_beside_the_given_place() -> None:
    state = occupied(0.0, 0.12)
    box = box_at(put(goal(0.0, 0.0, TOP.height), state))
    assert 0 < math.dist(box.centre[:2], COUNTER.placement.point(0, 0)) <= SERVO


def test_place_is_taken_where_nothing_is_free_within_the_tolerance() -> None:
    state = occupied(0.0, 0.0)
    for name, y in (("mug_2", -0.2), ("book_1", 0.22)):
        state = state.moved(name, Spot("counter_1", False, *COUNTER.placement.point(0.0, y), TOP.height, 0.0))
    assert code_at(goal(0.0, 0.0, TOP.height), state) == ErrorCode.SPOT_TAKEN


@pytest.mark.parametrize("dz", [DROP + 0.02, -RISE - 0.02])
def test_there_is_no_surface_at_another_height(dz: float) -> None:
    assert code_at(goal(0.0, 0.0, TOP.height + dz)) == ErrorCode.NO_SURFACE


def test_there_is_no_surface_beside_the_piece() -> None:
    assert code_at(goal(0.0, TOP.area.y1 + 0.3, TOP.height)) == ErrorCode.NO_SURFACE


def test_the_nearest_of_several_levels_is_chosen() -> None:
    levels = SHELF.shelves(inside=False)
    for level in levels:
        x, y = SHELF.placement.point(*level.area.centre)
        where = Pose(Point(x, y, level.height + 0.05), Pose.planar(0, 0, SHELF.placement.yaw).orientation)
        spot = spot_at(FLAT, HELD, SHELF, MUG, where, inside=False, name="it")
        assert spot.z == level.height


def test_thing_is_turned_by_a_quarter_where_it_does_not_fit_as_asked() -> None:
    book = FLAT.items_by_name["book_1"]
    longer = max(book.box_at(LYING).size[:2])
    long = replace(book, scale=(TOP.area.width + 0.02) / longer)
    for yaw in (0.0, math.pi / 2):
        spot = spot_at(FLAT, HELD, COUNTER, long, goal(0, 0, TOP.height, yaw), inside=False, name="it")
        box = long.box_at(spot)
        assert all(COUNTER.box.footprint.contains(*corner) for corner in box.footprint.corners)


def test_thing_that_is_too_large_for_every_place_does_not_fit() -> None:
    huge = replace(MUG, scale=20.0)
    with pytest.raises(SkillError) as error:
        spot_at(FLAT, HELD, COUNTER, huge, goal(0, 0, TOP.height), inside=False, name="it")
    assert error.value.code == ErrorCode.DOES_NOT_FIT


def asked_to_place(body: Body, where: Pose) -> ErrorCode:
    asked = replace(request("place_on", target_of(body, "counter_1")), place_goal=where)
    body.begin()
    try:
        list(skills.perform(body, asked, CancelToken()))
    except SkillError as error:
        return code_of(error)
    return ErrorCode.NONE


def test_skill_puts_the_held_thing_at_the_place_of_the_request() -> None:
    body = body_in(HELD)
    go_to(body, "counter_1")
    where = goal(0.0, 0.3, TOP.height)
    assert asked_to_place(body, where) == ErrorCode.NONE
    x, y, _ = box_now(body, "mug_1").centre
    assert math.dist((x, y), (where.position.x, where.position.y)) <= SERVO
    assert body.state.held == ""


def test_failed_skill_leaves_the_thing_in_the_hand() -> None:
    body = body_in(HELD)
    go_to(body, "counter_1")
    assert asked_to_place(body, goal(0.0, 0.0, TOP.height + 1.0)) == ErrorCode.NO_SURFACE
    assert body.state.held == "mug_1"
