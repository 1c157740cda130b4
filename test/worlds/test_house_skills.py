"""The arm's skills: their effects and every cause of failure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import SkillTarget
from stma_ros.types.standard import Point, Pose, Vector3
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body, Canceled
from stma_ros.worlds.robot.boxes import Box
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.given_spot import SERVO
from stma_ros.worlds.robot.manipulation import PERFORM
from stma_ros.worlds.robot.placing import free_spot
from stma_ros.worlds.robot.reach import arm_distance
from stma_ros.worlds.robot.skills import SKILLS
from stma_ros.worlds.robot.state import FLOOR, HAND, ROBOT, Spot
from stma_ros.worlds.robot.targets import thing_at
from support.worlds.two_rooms import (
    FLAT,
    KITCHEN,
    LIVING_ROOM,
    body_in,
    box_now,
    code_of,
    do,
    go_to,
    named,
    request,
    target_at,
    target_of,
)


def holding(item: str, **changes: object) -> Body:
    return body_in(replace(FLAT.initial.moved(item, HAND), **changes))  # type: ignore[arg-type]


def faces(body: Body, x: float, y: float) -> bool:
    bearing = math.atan2(y - body.base.y, x - body.base.x) - body.base.yaw
    return abs(math.remainder(bearing, 2 * math.pi)) < 0.02


# -- effects


def test_a_container_can_be_opened_and_closed() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    began = body.now
    assert do(body, "open", "fridge_1") is None
    assert "fridge_1" in body.state.open_names
    assert body.now - began > 2e9
    assert faces(body, *named("fridge_1").ahead(0.0))
    assert code_of(do(body, "open", "fridge_1")) == ErrorCode.ALREADY_OPEN
    assert do(body, "close", "fridge_1") is None
    assert "fridge_1" not in body.state.open_names
    assert code_of(do(body, "close", "fridge_1")) == ErrorCode.ALREADY_CLOSED


def test_an_object_can_be_taken_out_of_a_container_and_put_back() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    assert code_of(do(body, "pick", target_of(body, "apple_1"))) == ErrorCode.NO_SUCH_TARGET
    assert do(body, "open", "fridge_1") is None
    assert do(body, "pick", "apple_1") is None
    assert body.state.held == "apple_1"
    assert do(body, "close", "fridge_1") is None
    assert code_of(do(body, "place_in", "fridge_1")) == ErrorCode.IS_CLOSED
    assert do(body, "open", "fridge_1") is None
    assert do(body, "place_in", "fridge_1") is None
    spot = body.state.spots["apple_1"]
    assert (spot.support, spot.inside, body.state.held) == ("fridge_1", True, "")


@pytest.mark.parametrize("surface", ["counter_1", "stove_1", "shelf_1"])
def test_an_object_can_be_placed_on_a_surface(surface: str) -> None:
    body = holding("mug_1")
    go_to(body, surface)
    assert do(body, "place_on", surface) is None
    spot = body.state.spots["mug_1"]
    assert (spot.support, spot.inside) == (surface, False)
    assert faces(body, spot.x, spot.y)
    box = box_now(body, "mug_1")
    (x, y, z), (_, _, height) = box.centre, box.size
    assert box_now(body, surface).footprint.contains(x, y)
    assert z - height / 2 == pytest.approx(spot.z, abs=0.01)


def test_an_object_can_be_placed_in_a_receptacle_that_does_not_open() -> None:
    body = holding("mug_1")
    go_to(body, "sink_1")
    assert do(body, "place_in", "sink_1") is None
    assert body.state.spots["mug_1"].inside


def next_to_fridge(body: Body, x: float = math.nan, y: float = math.nan) -> ErrorCode | None:
    """Puts the held thing next to the fridge: at a place along its front (x) and sides (y), or anywhere."""
    fridge = named("fridge_1")
    goal = Pose.none() if math.isnan(x) else Pose(Point(*fridge.placement.point(x, y), 0.0))
    asked = replace(request("place_next_to", target_of(body, "fridge_1")), place_goal=goal)
    try:
        list(skills.perform(body, asked, CancelToken()))
    except SkillError as error:
        return code_of(error)
    return None


def test_an_object_can_be_put_on_the_floor_next_to_a_thing() -> None:
    body = holding("mug_1")
    go_to(body, "fridge_1")
    assert next_to_fridge(body) is None
    spot = body.state.spots["mug_1"]
    assert (spot.support, spot.z, body.state.held) == (FLOOR, 0.0, "")
    assert 0.0 < box_now(body, "mug_1").gap(named("fridge_1").box) < 0.5
    assert faces(body, spot.x, spot.y)


def test_an_object_is_put_on_the_floor_at_the_place_of_the_request() -> None:
    depth, width, _ = named("fridge_1").size
    body = holding("mug_1")
    go_to(body, "fridge_1")
    assert next_to_fridge(body, depth / 2 + 0.15, 0.3 * width) is None
    x, y = named("fridge_1").placement.point(depth / 2 + 0.15, 0.3 * width)
    spot = body.state.spots["mug_1"]
    assert math.dist((spot.x, spot.y), (x, y)) <= SERVO


def test_an_object_stays_in_the_hand_where_the_floor_is_taken_or_out_of_reach() -> None:
    body = holding("mug_1")
    go_to(body, "fridge_1")
    assert next_to_fridge(body, 0.0, 0.0) == ErrorCode.SPOT_TAKEN  # in the fridge
    assert next_to_fridge(body, 5.0, 0.0) == ErrorCode.TOO_FAR
    assert body.state.held == "mug_1"
    assert code_of(do(body_in(), "place_next_to", "fridge_1")) == ErrorCode.HAND_EMPTY


def test_devices_can_be_switched_on_and_off() -> None:
    for base, name in ((LIVING_ROOM, "lamp_1"), (KITCHEN, "radio_1")):
        body = body_in(base=base)
        go_to(body, name)
        assert code_of(do(body, "switch_off", name)) == ErrorCode.ALREADY_OFF
        assert do(body, "switch_on", name) is None
        assert body.state.on_names == {name}
        assert code_of(do(body, "switch_on", name)) == ErrorCode.ALREADY_ON
        assert do(body, "switch_off", name) is None
        assert not body.state.on_names


def test_a_vessel_can_be_filled_and_emptied() -> None:
    body = holding("mug_1")
    go_to(body, "sink_1")
    assert code_of(do(body, "empty", "sink_1")) == ErrorCode.ALREADY_EMPTY
    assert do(body, "fill", "sink_1") is None
    assert body.state.full_names == {"mug_1"}
    assert code_of(do(body, "fill", "sink_1")) == ErrorCode.ALREADY_FULL
    assert do(body, "empty", "sink_1") is None
    assert not body.state.full_names


def test_an_object_on_the_floor_can_be_picked_up() -> None:
    lying = Spot(FLOOR, False, 2.4, 3.0, 0.0, 0.0)
    body = body_in(FLAT.initial.moved("mug_1", lying))
    assert do(body, "pick", "mug_1") is None
    assert body.state.held == "mug_1"
    assert math.hypot(body.base.x - 2.4, body.base.y - 3.0) > 0.8  # where the camera sees the floor


def asked_to_open(body: Body, name: str, x: float, y: float) -> SkillError | None:
    """Opens a piece from a stance in the frame of the piece."""
    piece = FLAT.furniture_by_name[name]
    stance = Pose.planar(*piece.placement.point(x, y), 0.0)
    body.begin()
    try:
        list(
            PERFORM["open"](
                body, replace(request("open", target_of(body, name)), base_goal=stance), CancelToken()
            )
        )
    except SkillError as error:
        return error
    return None


def test_a_container_is_opened_from_the_stance_of_the_request() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    assert asked_to_open(body, "fridge_1", 1.3, 0.3) is None
    x, y = FLAT.furniture_by_name["fridge_1"].placement.local(body.base.x, body.base.y)
    assert math.dist((x, y), (1.3, 0.3)) <= 0.6
    assert "fridge_1" in body.state.open_names


def test_an_opened_container_is_viewed_from_three_places() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    places = []
    capture = body.capture

    def noted() -> Iterator[Emission]:
        places.append((body.base.x, body.base.y))
        yield from capture()

    body.capture = noted  # type: ignore[method-assign]
    assert do(body, "open", "fridge_1") is None
    x, y = body.base.x, body.base.y
    sideways = [FLAT.furniture_by_name["fridge_1"].placement.local(*place)[1] for place in [(x, y), *places]]
    assert max(sideways) - sideways[0] == pytest.approx(0.5, abs=0.1)
    assert sideways[0] - min(sideways) == pytest.approx(0.5, abs=0.1)
    assert faces(body, *FLAT.furniture_by_name["fridge_1"].ahead(0.0))


# -- causes of failure


def test_a_container_is_not_opened_from_a_stance_beside_its_front() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    error = asked_to_open(body, "fridge_1", 0.9, 1.1)
    assert code_of(error) == ErrorCode.BAD_STANCE
    assert "fridge_1" not in body.state.open_names


def test_pick_fails_with_the_cause() -> None:
    body = body_in()
    go_to(body, "table_1")
    assert code_of(do(body, "pick", "table_1")) == ErrorCode.NOT_PORTABLE
    assert do(body, "pick", "mug_1") is None
    assert code_of(do(body, "pick", "mug_2")) == ErrorCode.HAND_FULL
    assert code_of(do(body_in(), "pick", target_at(Box((3.0, 2.0, 1.0), (0.1, 0.1, 0.1)), "mug"))) == (
        ErrorCode.NO_SUCH_TARGET
    )


def test_place_skills_fail_with_the_cause() -> None:
    body = body_in()
    go_to(body, "table_1")
    assert code_of(do(body, "place_on", "table_1")) == ErrorCode.HAND_EMPTY
    body = holding("mug_1")
    go_to(body, "table_1")
    assert code_of(do(body, "place_in", "table_1")) == ErrorCode.HOLDS_NOTHING
    assert code_of(do(body, "place_on", "mug_2")) == ErrorCode.HOLDS_NOTHING
    go_to(body, "fridge_1")
    assert code_of(do(body, "place_on", "fridge_1")) == ErrorCode.HOLDS_NOTHING


def test_an_object_larger_than_a_shelf_does_not_fit_even_when_it_is_empty() -> None:
    sink = FLAT.furniture_by_name["sink_1"]
    huge = replace(FLAT.items_by_name["mug_1"], scale=12.0)
    with pytest.raises(SkillError, match="too large for sink_9") as raised:
        free_spot(FLAT, FLAT.initial, sink, huge, KITCHEN, inside=True, name="sink_9")
    assert raised.value.code == ErrorCode.DOES_NOT_FIT


def test_a_full_shelf_takes_no_further_object() -> None:
    stove = FLAT.furniture_by_name["stove_1"]
    shelf = stove.shape.on[0]
    state = FLAT.initial
    corners = itertools.product((0.25, 0.75), repeat=2)
    for name, (a, b) in zip(("mug_2", "apple_1", "book_1", "radio_1"), corners, strict=True):
        x, y = stove.placement.point(
            shelf.area.x0 + a * shelf.area.width, shelf.area.y0 + b * shelf.area.depth
        )
        state = state.moved(name, Spot("stove_1", False, x, y, shelf.height, 0.0))
    large = replace(FLAT.items_by_name["mug_1"], scale=2.5)
    with pytest.raises(SkillError, match="stove_9 is full") as raised:
        free_spot(FLAT, state, stove, large, KITCHEN, inside=False, name="stove_9")
    assert raised.value.code == ErrorCode.NO_ROOM
    assert free_spot(FLAT, FLAT.initial, stove, large, KITCHEN, inside=False, name="").support == "stove_1"


def test_open_and_close_fail_with_the_cause() -> None:
    body = body_in()
    go_to(body, "table_1")
    for name in ("table_1", "mug_1"):
        assert code_of(do(body, "open", name)) == ErrorCode.NOT_OPENABLE


def test_switching_filling_and_emptying_fail_with_the_cause() -> None:
    body = body_in()
    go_to(body, "table_1")
    assert code_of(do(body, "switch_on", "table_1")) == ErrorCode.NOT_SWITCHABLE
    assert code_of(do(body, "fill", "table_1")) == ErrorCode.HAND_EMPTY
    body = holding("apple_1")
    go_to(body, "sink_1")
    assert code_of(do(body, "fill", "sink_1")) == ErrorCode.NOT_A_VESSEL
    body = holding("mug_1")
    go_to(body, "table_1")
    assert code_of(do(body, "fill", "table_1")) == ErrorCode.NOT_A_TAP


@pytest.mark.parametrize("skill", sorted(PERFORM))
def test_a_failed_skill_reveals_nothing_about_objects_out_of_reach(skill: str) -> None:
    needs_something = skill in ("place_on", "place_in", "place_next_to", "fill", "empty")
    body = holding("mug_1") if needs_something else body_in()
    for name in ("lamp_1", "shelf_1", "chest_1", "book_1"):
        error = do(body, skill, target_of(body, name))
        assert code_of(error) == ErrorCode.TOO_FAR, name
        assert "it is " in str(error)
        assert named(name).category not in str(error)
    nowhere = SkillTarget(
        id="it", category="mug", pose=Pose.none(), size=Vector3(math.nan, math.nan, math.nan)
    )
    assert code_of(do(body, skill, nowhere)) == ErrorCode.NO_SUCH_TARGET
    assert body.base == KITCHEN


def test_the_arm_does_not_reach_through_walls() -> None:
    shelf = FLAT.furniture_by_name["shelf_1"]
    assert arm_distance(FLAT, FLAT.initial, 3.6, 3.6, shelf.footprint) == math.inf
    moved = Spot(FLOOR, False, 4.6, 3.0, 0.0, 0.0)
    body = body_in(FLAT.initial.moved("mug_1", moved), Placement(3.6, 3.0, 0.0))
    assert code_of(do(body, "pick", "mug_1")) == ErrorCode.TOO_FAR


@pytest.mark.parametrize("skill", sorted(PERFORM))
@pytest.mark.parametrize("x", [4.18, 4.6])
def test_the_arm_does_not_tell_whether_a_thing_is_behind_a_wall(skill: str, x: float) -> None:
    there = FLAT.initial.moved("mug_1", Spot(FLOOR, False, x, 3.0, 0.0, 0.0))
    target = target_of(body_in(there), "mug_1")
    told = []
    for state in (there, FLAT.initial):
        if skill in ("place_on", "place_in", "place_next_to", "fill", "empty"):
            state = state.moved("mug_2", HAND)
        error = do(body_in(state, Placement(3.6, 3.0, 0.0)), skill, target)
        told.append((code_of(error), str(error)))
    assert told[0] == told[1]
    assert told[0][0] == ErrorCode.TOO_FAR


def test_the_arm_tells_that_nothing_is_at_a_wall_that_it_reaches() -> None:
    body = body_in(base=Placement(3.2, 3.0, 0.0))
    for x in (3.98, 4.06):  # on the wall, and in it
        picture = target_at(Box((x, 3.0, 1.0), (0.02, 0.2, 0.2)), "picture")
        assert code_of(do(body, "switch_on", picture)) == ErrorCode.NO_SUCH_TARGET


def test_the_arm_does_not_tell_the_distance_of_a_thing_from_where_its_box_is_not() -> None:
    fridge = named("fridge_1")
    x, y = fridge.ahead(1.55)
    body = body_in(base=Placement(x, y, math.pi / 2))
    box = box_now(body, "fridge_1")
    nearer = replace(box, centre=(box.centre[0], box.centre[1] - 0.09, box.centre[2]))
    error = do(body, "open", target_at(nearer, "fridge"))
    assert code_of(error) == ErrorCode.TOO_FAR
    assert "1.55" not in str(error)


# -- resolution of targets


@pytest.mark.parametrize(("dx", "dy", "dz"), [(0.06, 0.0, 0.05), (-0.15, 0.05, 0.0), (0.0, -0.1, 0.12)])
def test_a_target_with_an_inaccurate_box_means_the_nearest_object_of_its_category(
    dx: float, dy: float, dz: float
) -> None:
    body = body_in()
    go_to(body, "table_1")
    box = box_now(body, "mug_1")
    x, y, z = box.centre
    target = target_at(replace(box, centre=(x + dx, y + dy, z + dz)), "mug")
    here = Point(x + dx, y + dy, z + dz)
    nearest = min(
        ("mug_1", "mug_2"), key=lambda name: math.dist(box_now(body, name).centre, (here.x, here.y, here.z))
    )
    assert thing_at(FLAT, body.state, target, body.base).name == nearest


def test_a_target_is_resolved_by_category_first_and_by_box_when_the_category_is_wrong() -> None:
    body = body_in()
    go_to(body, "table_1")
    box = box_now(body, "mug_1")
    x, y, z = box.centre
    table = target_at(Box((x, y, z - 0.3), (0.7, 1.0, 0.7)), "table")
    assert thing_at(FLAT, body.state, table, body.base).name == "table_1"
    cup = target_at(box, "cup")
    assert thing_at(FLAT, body.state, cup, body.base).name == "mug_1"


def test_a_thing_under_another_name_comes_before_what_it_is_in() -> None:
    chest = FLAT.furniture_by_name["chest_1"]
    level, (x, y, _) = chest.shape.inside[0], chest.box.centre
    inside = Spot("chest_1", True, x, y, level.height, 0.0)
    body = body_in(FLAT.initial.opened("chest_1").moved("book_1", inside), LIVING_ROOM)
    go_to(body, "chest_1")
    box = box_now(body, "book_1")
    x, y, z = box.centre
    letter = target_at(replace(box, centre=(x, y, z + box.size[2] / 2 + 0.01)), "letter")
    assert thing_at(FLAT, body.state, letter, body.base).name == "book_1"
    drawers = target_at(chest.box, "dresser")
    assert thing_at(FLAT, body.state, drawers, body.base).name == "chest_1"


@pytest.mark.parametrize("away", [(-0.23, 0.0, 0.0), (0.0, -0.21, 0.0), (0.0, 0.0, 0.26)])
def test_a_small_thing_farther_from_the_target_than_an_arm_corrects_is_not_picked(
    away: tuple[float, float, float],
) -> None:
    body = body_in()
    go_to(body, "table_1")
    box = box_now(body, "mug_1")
    x, y, z = (place + shift for place, shift in zip(box.centre, away, strict=True))
    target = target_at(replace(box, centre=(x, y, z)), "mug")
    assert code_of(do(body, "pick", target)) == ErrorCode.NO_SUCH_TARGET


def test_a_thing_of_another_category_beside_the_target_is_not_picked() -> None:
    body = body_in()
    go_to(body, "table_1")
    box = box_now(body, "mug_1")
    x, y, z = box.centre
    beside = target_at(replace(box, centre=(x - 0.12, y, z)), "cup")
    assert code_of(do(body, "pick", beside)) == ErrorCode.NO_SUCH_TARGET


@given(yaw=st.floats(-math.pi, math.pi), share=st.floats(0.0, 0.95), turn=st.floats(-math.pi, math.pi))
def test_a_fixture_is_found_by_any_box_that_overlaps_its_own(yaw: float, share: float, turn: float) -> None:
    fridge = FLAT.furniture_by_name["fridge_1"]
    box = fridge.box
    away = share * min(box.size[:2]) / 2 + 0.05
    x, y, z = box.centre
    given = Box((x + away * math.cos(turn), y + away * math.sin(turn), z), (0.2, 0.2, 0.2), yaw)
    body = body_in()
    go_to(body, "fridge_1")
    assert thing_at(FLAT, body.state, target_at(given, "fridge"), body.base).name == "fridge_1"


def test_a_fixture_is_not_found_by_a_box_beside_it() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    fridge = FLAT.furniture_by_name["fridge_1"]
    x, y = fridge.placement.point(fridge.size[0] / 2 + 0.2, 0.0)
    beside = target_at(Box((x, y, 1.0), (0.1, 0.1, 0.1)), "fridge")
    assert code_of(do(body, "open", beside)) == ErrorCode.NO_SUCH_TARGET


def test_a_target_that_is_gone_is_not_taken_for_the_furniture_it_stood_on() -> None:
    body = body_in()
    go_to(body, "table_1")
    was = target_of(body, "mug_1")
    away = body.state.moved("mug_1", FLAT.items_by_name["book_1"].spot)
    body.state = away.moved("mug_2", FLAT.items_by_name["book_1"].spot)
    assert code_of(do(body, "pick", was)) == ErrorCode.NO_SUCH_TARGET


# -- invariants


def test_every_skill_is_offered_once_and_can_be_performed() -> None:
    names = [schema.name for schema in SKILLS]
    assert len(names) == len(set(names))
    assert set(PERFORM) < set(names)


class _OnceOpen(CancelToken):
    """A token that is set as soon as something has opened."""

    def __init__(self, body: Body) -> None:
        super().__init__()
        self._body, self._before = body, body.state.open_names

    @property
    def canceled(self) -> bool:
        return self._body.state.open_names != self._before


def test_a_cancel_after_a_container_has_opened_only_ends_the_look_inside() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    list(PERFORM["open"](body, request("open", target_of(body, "fridge_1")), _OnceOpen(body)))
    assert "fridge_1" in body.state.open_names


def test_a_cancel_stops_a_skill_before_it_changes_the_scene() -> None:
    body = body_in()
    go_to(body, "fridge_1")
    body.base = Placement(body.base.x, body.base.y, body.base.yaw + 2.0)
    token = CancelToken()
    token.cancel("enough")
    with pytest.raises(Canceled):
        list(PERFORM["open"](body, request("open", target_of(body, "fridge_1")), token))
    assert body.state == FLAT.initial


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(sorted(PERFORM)),
        st.sampled_from([thing.name for thing in (*FLAT.fixed, *FLAT.items)]),
    ),
    min_size=1,
    max_size=12,
)


@given(steps=_STEPS)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_every_object_is_in_one_valid_place_after_any_sequence_of_skills(
    steps: list[tuple[str, str]],
) -> None:
    body = body_in()
    for skill, name in steps:
        if name in body.state.spots and body.state.spots[name].support == ROBOT:
            continue
        area = box_now(body, name).footprint
        body.base = KITCHEN if area.centre[0] < 4.0 else LIVING_ROOM
        before = body.state
        go_to(body, name)
        error = do(body, skill, name)
        if error is not None:
            assert body.state == before
        assert body.state.spots.keys() == FLAT.items_by_name.keys()
        assert sum(spot.support == ROBOT for spot in body.state.spots.values()) <= 1
        for item, spot in body.state.spots.items():
            if spot.support not in (ROBOT, FLOOR):
                piece = FLAT.furniture_by_name[spot.support]
                shelves = piece.shape.inside if spot.inside else piece.shape.on
                assert any(abs(shelf.height - spot.z) < 1e-6 for shelf in shelves), item
                assert box_now(body, item).footprint.overlaps(piece.footprint)
        assert not body.ground.collides(body.base.x, body.base.y)
