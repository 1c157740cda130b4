"""Doors: what a closed one blocks, what an open one shows, and how the robot passes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.furnishing.door_hanging import hang_doors, initial_state
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.identity import permuted
from stma_ros.worlds.house.starting import closed_doors_on_way, start_pose
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.motion import BASE_RADIUS
from stma_ros.worlds.robot.state import SceneState
from support.worlds.two_rooms import FLAT, KITCHEN, LIVING_ROOM, body_in, code_of, do, go_to, target_of

SHUT = FLAT.initial.closed("door_1")
DOOR = FLAT.doors[0]
few = settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


def hung(swing: int, hinge: int) -> Door:
    return replace(DOOR, swing=swing, hinge=hinge)


@pytest.mark.parametrize("swing", [-1, 1])
@pytest.mark.parametrize("hinge", [-1, 1])
@pytest.mark.parametrize("yaw", [0.0, 0.2, math.pi / 2, math.radians(105.0)])
def test_a_closed_door_fills_its_opening_and_an_open_leaf_stands_in_the_room_next_to_the_jamb(
    swing: int, hinge: int, yaw: float
) -> None:
    opening = replace(DOOR.doorway.opening, yaw=yaw)
    door = replace(hung(swing, hinge), doorway=replace(DOOR.doorway, opening=opening))
    closed, opened = door.box_when(False), door.box_when(True)
    assert closed.size[0] < 0.3  # its own x axis points in the direction of the swing
    assert closed.size[1] >= 2 * opening.half_x
    assert opening.local(*closed.centre[:2])[1] == pytest.approx(0.0, abs=0.01)
    assert min(opened.size[:2]) > 0.5
    assert opening.local(*opened.centre[:2])[1] * swing > 0.3
    assert closed.yaw == opened.yaw == door.placement.yaw
    leaf = door.obstacles(open_=True)[-1]
    along, across = opening.local(leaf.x, leaf.y)
    assert 0.35 < along * hinge < opening.half_x
    far = across * swing + leaf.half_along(opening.yaw + math.pi / 2)
    assert 0.7 < far <= 0.95  # furniture keeps that far away


def test_a_closed_door_blocks_the_path() -> None:
    body = body_in(SHUT)
    with pytest.raises(SkillError) as raised:
        list(body.drive_to(LIVING_ROOM, CancelToken()))
    assert raised.value.code == ErrorCode.UNREACHABLE
    assert body.base.x < 4.0 - BASE_RADIUS
    assert closed_doors_on_way(FLAT, SHUT, KITCHEN, LIVING_ROOM.x, LIVING_ROOM.y) == (DOOR,)
    assert closed_doors_on_way(FLAT, FLAT.initial, KITCHEN, LIVING_ROOM.x, LIVING_ROOM.y) == ()
    assert closed_doors_on_way(FLAT, SHUT, KITCHEN, 40.0, 2.0) is None


@pytest.mark.parametrize("start", [KITCHEN, LIVING_ROOM])
def test_a_door_can_be_opened_and_closed_from_either_side(start: Placement) -> None:
    body = body_in(SHUT, start)
    go_to(body, "door_1")
    assert code_of(do(body, "close", "door_1")) == ErrorCode.ALREADY_CLOSED
    assert do(body, "open", "door_1") is None
    assert code_of(do(body, "open", "door_1")) == ErrorCode.ALREADY_OPEN
    assert (body.base.x < 4.06) == (start is KITCHEN)
    assert all(math.hypot(leaf.x - body.base.x, leaf.y - body.base.y) > BASE_RADIUS for leaf in DOOR.sweep)
    other = LIVING_ROOM if start is KITCHEN else KITCHEN
    list(body.drive_to(other, CancelToken()))
    assert math.hypot(body.base.x - other.x, body.base.y - other.y) < 0.05
    go_to(body, "door_1")
    assert do(body, "close", "door_1") is None
    assert body.state == SHUT
    assert not body.ground.collides(body.base.x, body.base.y)


def test_an_open_door_is_reached_at_its_leaf() -> None:
    body = body_in(base=Placement(6.2, 2.1, math.pi))
    assert DOOR.footprint.distance(body.base.x, body.base.y) > 2.0
    assert do(body, "close", "door_1") is None
    assert body.state == SHUT


def test_a_door_cannot_be_carried_switched_or_used_as_a_shelf() -> None:
    body = body_in(SHUT)
    go_to(body, "door_1")
    assert code_of(do(body, "pick", "door_1")) == ErrorCode.NOT_PORTABLE
    assert code_of(do(body, "switch_on", "door_1")) == ErrorCode.NOT_SWITCHABLE


def test_a_door_leaf_is_blocked_by_an_open_leaf_in_its_path() -> None:
    fridge = FLAT.furniture_by_name["fridge_1"]
    inwards = hung(1, 1)  # into the kitchen, towards the fridge
    near = replace(fridge, placement=Placement(3.6, 3.0, -math.pi / 2))
    flat = replace(
        FLAT,
        doors=(inwards,),
        furniture=tuple(near if piece is fridge else piece for piece in FLAT.furniture),
        initial=FLAT.initial.closed("door_1").opened("fridge_1"),
    )
    body = body_in(SHUT)
    body.scene = flat
    body.state = flat.initial
    list(body.drive_to(Placement(2.8, 2.1, 0.0), CancelToken()))
    target = target_of(body, "door_1")
    assert code_of(do(body, "open", target)) == ErrorCode.BLOCKED
    body.state = body.state.closed("fridge_1")
    assert do(body, "open", target) is None


@given(seed=st.integers(1000, 10**6))
@few
def test_every_room_is_reachable_when_all_doors_are_open(seed: int) -> None:
    flat = make_flat(seed)
    state = flat.initial.opened(*(door.name for door in flat.doors))
    x, y = flat.layout.doorways[0].opening.centre
    clearance, reachable = flat.ground(state).reachable_from(Placement(x, y, 0.0))
    for doorway in flat.layout.doorways:
        assert reachable[clearance.cell(*doorway.opening.centre)]
    for door in flat.doors:
        assert door.footprint == flat.layout.doorways[door.index].opening
        assert not any(
            leaf.overlaps(piece.footprint)
            for leaf in door.sweep
            for piece in flat.furniture
            if piece.kind.solid
        )


def test_initial_door_states_follow_from_the_seed_of_the_flat_and_are_plausible() -> None:
    flat = make_flat(1004)
    again = hang_doors(1004, flat.layout, flat.furniture)
    assert again == flat.doors
    assert initial_state(1004, flat.furniture, again, flat.items) == flat.initial
    beds = [make_flat(seed, 4) for seed in range(1000, 1008)]
    doors = sum(len(f.doors) for f in beds)
    ajar = sum(door.name in f.initial.open_names for f in beds for door in f.doors)
    assert 0.3 < doors / sum(len(f.layout.doorways) for f in beds) <= 1.0
    assert 0.35 < ajar / doors < 0.95
    containers = [(f, piece) for f in beds for piece in f.containers]
    assert sum(piece.name in f.initial.open_names for f, piece in containers) < 0.15 * len(containers)


def test_an_episode_starts_clear_of_door_leaves_with_every_room_connected() -> None:
    flat = make_flat(1004)
    for seed in range(3):
        start = start_pose(flat, np.random.default_rng(seed))
        for state in (SceneState(), SceneState().opened(*flat.openable_names)):
            assert not flat.ground(state).collides(start.x, start.y)


def test_permuting_identities_renames_doors_with_their_states() -> None:
    other = permuted(FLAT, 3)
    assert {door.name for door in other.doors}.isdisjoint(door.name for door in FLAT.doors)
    assert len(other.initial.open_names) == len(FLAT.initial.open_names)
    assert other.initial.open_names <= other.openable_names
    assert other.initial.spots.keys() == other.items_by_name.keys()
    assert {spot.support for spot in other.initial.spots.values()} <= other.furniture_by_name.keys()
