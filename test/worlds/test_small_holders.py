"""Small things that hold others: a bowl, a basket, a pile; and the floor as a place."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import Point, Pose, Time
from stma_ros.worlds.house.flat import Item
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS
from stma_ros.worlds.house.rendering.owned_meshes import owned_meshes
from stma_ros.worlds.house.truth import truth_of
from stma_ros.worlds.robot.body import Body
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement, Rect
from stma_ros.worlds.robot.given_spot import spot_at
from stma_ros.worlds.robot.manipulation import FLOOR_CATEGORY
from stma_ros.worlds.robot.places import standing_place
from stma_ros.worlds.robot.placing import free_spot, room_for
from stma_ros.worlds.robot.scene import Shelf, holder_of, is_hidden, is_in_view, item_box
from stma_ros.worlds.robot.skills import perform
from stma_ros.worlds.robot.state import FLOOR, HAND, SceneState, Spot
from stma_ros.worlds.robot.targets import footprint
from stma_ros.worlds.robot.truth import bounding_box
from support.worlds.two_rooms import FLAT, KITCHEN


def _item(name: str, category: str, y: float) -> Item:
    table = FLAT.furniture_by_name["table_1"]
    x, y = table.placement.point(0.2, y)
    return Item(name, category, "table_1", False, x, y, 0.74, 0.0, 1.0, ALL_ITEMS[category].colours[0])


BASKET, POTATO, ONION = (
    _item("basket_1", "wicker basket", 0.35),
    _item("potato_1", "potato", -0.4),
    _item("onion_1", "onion", -0.5),
)
HOME = replace(
    FLAT,
    items=(*FLAT.items, BASKET, POTATO, ONION),
    initial=replace(
        FLAT.initial,
        open_names=FLAT.initial.open_names | {"fridge_1"},
        spots={**FLAT.initial.spots, **{item.name: item.spot for item in (BASKET, POTATO, ONION)}},
    ),
)


class Robot:
    """A robot that goes to what it handles."""

    def __init__(self, state: SceneState = HOME.initial) -> None:
        self.body = Body(replace(HOME, initial=state), Camera(), None, KITCHEN, np.random.default_rng(0))

    @property
    def state(self) -> SceneState:
        return self.body.state

    def do(self, skill: str, name: str) -> None:
        """Performs a skill on a thing. Raises SkillError."""
        item, piece = HOME.items_by_name.get(name), HOME.fixed_by_name.get(name)
        thing = item or piece
        assert thing is not None
        front = piece.ahead(0.8) if piece is not None else None
        place = standing_place(
            HOME, self.state, self.body.ground, self.body.base, footprint(self.state, thing), front=front
        )
        assert place is not None
        for _ in self.body.drive_to(place, CancelToken()):
            pass
        given = bounding_box(item_box(item, self.state) if item else piece.box)  # type: ignore[union-attr]
        self.ask(skill, SkillTarget(id=name, category=thing.category, pose=given.center, size=given.size))

    def put_on_floor(self, x: float, y: float) -> None:
        """Puts what is held on the floor at a place, from where the robot is. Raises SkillError."""
        self.ask("place_on", SkillTarget(id="floor", category=FLOOR_CATEGORY, pose=Pose.planar(x, y, 0.0)))

    def ask(self, skill: str, target: SkillTarget) -> None:
        request = SkillRequest(action=Action(skill, (target.id,)), targets=(target,))
        for _ in perform(self.body, request, CancelToken()):
            pass


def _local(state: SceneState, name: str, holder: str) -> tuple[float, float, float]:
    """Returns the place of a thing in the frame of another."""
    spot, of = state.spots[name], state.spots[holder]
    return (*of.placement.local(spot.x, spot.y), spot.z - of.z)


def test_things_are_put_into_a_basket_side_by_side_and_travel_with_it() -> None:
    robot = Robot()
    for name in ("potato_1", "onion_1"):
        robot.do("pick", name)
        robot.do("place_in", "basket_1")
        assert robot.state.spots[name].support == "basket_1"
        assert robot.state.spots[name].inside
    boxes = [item_box(HOME.items_by_name[name], robot.state).footprint for name in ("potato_1", "onion_1")]
    assert not boxes[0].overlaps(boxes[1])
    before = _local(robot.state, "potato_1", "basket_1")
    robot.do("pick", "basket_1")
    assert not is_in_view(HOME, POTATO, robot.state)
    robot.do("place_on", "table_1")
    assert robot.state.spots["basket_1"].support == "table_1"
    assert robot.state.spots["potato_1"].support == "basket_1"
    assert _local(robot.state, "potato_1", "basket_1") == pytest.approx(before)
    robot.do("pick", "potato_1")
    assert robot.state.held == "potato_1"


def test_place_in_a_basket_is_not_exact_since_things_lie_as_they_fall() -> None:
    robot = Robot()
    robot.do("pick", "potato_1")
    box = bounding_box(item_box(BASKET, robot.state))
    target = SkillTarget(id="basket_1", category="wicker basket", pose=box.center, size=box.size)
    elsewhere = Pose.planar(5.0, 3.0, 0.0)
    request = SkillRequest(action=Action("place_in", ("basket_1",)), targets=(target,), place_goal=elsewhere)
    for _ in perform(robot.body, request, CancelToken()):
        pass
    assert robot.state.spots["potato_1"].support == "basket_1"


def test_thing_in_a_basket_in_a_closed_fridge_is_hidden() -> None:
    spot = Spot("fridge_1", True, 2.9, 3.6, 0.5, 0.0)
    inside = Spot("basket_1", True, 2.9, 3.6, 0.52, 0.0)
    state = HOME.initial.moved("basket_1", spot).moved("potato_1", inside)
    assert not is_hidden(HOME, POTATO, state)
    assert is_hidden(HOME, POTATO, state.closed("fridge_1"))
    drawn = {mesh.name for mesh in owned_meshes(HOME, state.closed("fridge_1"))}
    assert not {"basket_1", "potato_1"} & drawn


def test_truth_tells_what_a_thing_is_in_and_the_room_of_what_carries_it() -> None:
    inside = Spot("basket_1", True, BASKET.x, BASKET.y, BASKET.z + 0.1, 0.0)
    state = HOME.initial.moved("potato_1", inside)
    (potato,) = (
        thing for thing in truth_of(HOME, "", KITCHEN, state, Time()).objects if thing.name == "potato_1"
    )
    assert (potato.support, potato.inside, potato.room) == ("basket_1", True, "room_1")
    held = truth_of(HOME, "", KITCHEN, state.moved("basket_1", HAND), Time())
    boxes = {thing.name: thing.box.center.position for thing in held.objects}
    assert boxes["potato_1"] == boxes["basket_1"]


def test_truth_tells_the_room_of_the_robot_for_what_it_holds_at_a_wall() -> None:
    state = HOME.initial.moved("basket_1", HAND)
    facing_the_wall = Placement(3.8, 3.2, 0.0)
    truth = truth_of(HOME, "", facing_the_wall, state, Time())
    rooms = {thing.name: thing.room for thing in truth.objects}
    assert rooms["basket_1"] == "room_1"


def test_thing_that_holds_nothing_is_named() -> None:
    robot = Robot()
    robot.do("pick", "onion_1")
    with pytest.raises(SkillError, match="nothing can be put onto potato_1") as caught:
        robot.do("place_on", "potato_1")
    assert caught.value.code == ErrorCode.HOLDS_NOTHING


def _on(holder: Item, thing: Item, *others: Item) -> Spot:
    """Returns the place at which a thing from the hand comes to stand on a small holder, among others.

    Raises:
        SkillError: there is none, whether or not the place is given.
    """
    items = (holder, thing, *others)
    home = replace(FLAT, items=items, initial=SceneState(spots={item.name: item.spot for item in items}))
    state = home.initial.moved(thing.name, HAND)
    place = holder_of(holder, state, home)
    middle = Pose.upright(Point(holder.x, holder.y, holder.box.high), 0.0)
    try:
        return free_spot(home, state, place, thing, KITCHEN, inside=False, name="it")
    except SkillError:
        with pytest.raises(SkillError):
            spot_at(home, state, place, thing, middle, inside=False, name="it")
        raise


def _standing(category: str, support: str, x: float, y: float, z: float) -> Item:
    kind = ALL_ITEMS[category]
    return Item(f"{category}_{x}_{y}", category, support, False, x, y, z, 0.0, 1.0, kind.colours[0])


def test_thing_on_a_plate_stays_below_the_board_over_the_plate() -> None:
    shelf = FLAT.furniture_by_name["shelf_1"]
    level = shelf.shape.on[1]
    plate = _standing("plate", "shelf_1", *shelf.placement.point(*level.area.centre), level.height)
    bottle = _standing("wine bottle", "shelf_1", 0.0, 0.0, 0.0)
    room = level.clearance - plate.box.size[2]
    low, tall = (replace(bottle, scale=(room + more) / bottle.box.size[2]) for more in (-0.01, 0.01))
    assert low.box_at(_on(plate, low)).high < level.height + level.clearance
    with pytest.raises(SkillError) as caught:
        _on(plate, tall)
    assert caught.value.code == ErrorCode.DOES_NOT_FIT


def test_thing_larger_than_its_plate_is_not_put_into_what_stands_beside_the_plate() -> None:
    plate, magazine = (_standing(kind, "table_1", 0.6, 2.1, 0.74) for kind in ("plate", "magazine"))
    north, east = (
        _standing("radio", "table_1", 0.6, 2.36, 0.74),
        _standing("radio", "table_1", 0.78, 2.1, 0.74),
    )
    assert magazine.box_at(_on(plate, magazine)).gap(north.box) == 0.0
    assert magazine.box_at(_on(plate, magazine, north)).gap(north.box) > 0.0
    with pytest.raises(SkillError) as caught:
        _on(plate, magazine, north, east)
    assert caught.value.code == ErrorCode.NO_ROOM


def test_basket_is_full_at_last() -> None:
    many = [replace(POTATO, name=f"potato_{k}") for k in range(2, 80)]
    home = replace(HOME, items=(*HOME.items, *many))
    state = replace(
        HOME.initial,
        spots={**HOME.initial.spots, **{item.name: Spot(FLOOR, False, 1, 1, 0, 0) for item in many}},
    )
    levels = []

    def put(item: Item) -> SceneState:
        basket = holder_of(BASKET, state)
        spot = free_spot(home, state, basket, item, KITCHEN, inside=True, name="the basket")
        levels.append(round(spot.z - BASKET.z, 3))
        return state.moved(item.name, spot)

    with pytest.raises(SkillError) as caught:  # noqa: PT012 (one of them is too many)
        for item in many:
            state = put(item)
    assert caught.value.code == ErrorCode.NO_ROOM
    assert levels == sorted(levels)  # the lowest layer is filled first
    assert len(set(levels)) == 3


def test_pizza_may_be_larger_than_its_plate_but_not_twice_as_large() -> None:
    plate = Shelf(Rect(-0.1, -0.1, 0.1, 0.1), 0.03, 1.0)

    def room(side: float, *, overhang: bool) -> Rect | None:
        return room_for(
            plate, np.array((-side, -side, 0.0)) / 2, np.array((side, side, 0.02)) / 2, overhang=overhang
        )

    middle = room(0.3, overhang=True)
    assert middle is not None
    assert (middle.centre, middle.area) == (pytest.approx((0.0, 0.0)), pytest.approx(0.0))
    assert room(0.3, overhang=False) is None
    assert room(0.45, overhang=True) is None


def test_thing_is_put_on_the_floor_near_the_given_place_clear_of_others() -> None:
    robot = Robot()
    robot.do("pick", "onion_1")
    x, y = robot.body.base.point(0.9, 0.0)
    robot.put_on_floor(x, y)
    spot = robot.state.spots["onion_1"]
    assert spot.support == FLOOR
    assert math.dist((spot.x, spot.y), (x, y)) < 0.8
    assert HOME.layout.room_at(spot.x, spot.y) == 0
    robot.do("pick", "potato_1")
    robot.body.base = replace(robot.body.base, yaw=0.0)
    robot.put_on_floor(spot.x, spot.y)
    other = robot.state.spots["potato_1"]
    assert math.dist((spot.x, spot.y), (other.x, other.y)) > 0.08


def test_place_on_the_floor_out_of_reach_is_refused_and_the_thing_stays_in_the_hand() -> None:
    robot = Robot(HOME.initial.moved("onion_1", HAND))
    with pytest.raises(SkillError, match=r"floor is 4\.10 m away") as caught:
        robot.put_on_floor(6.5, 2.0)
    assert caught.value.code == ErrorCode.TOO_FAR
    assert robot.state.held == "onion_1"


def test_thing_is_not_put_on_the_floor_behind_a_wall() -> None:
    robot = Robot(HOME.initial.moved("onion_1", HAND))
    robot.body.base = Placement(3.6, 3.0, 0.0)
    with pytest.raises(SkillError, match="the free place on the floor there is behind a wall") as caught:
        robot.put_on_floor(4.6, 3.0)
    assert caught.value.code == ErrorCode.TOO_FAR
    assert robot.state.held == "onion_1"


_POSES = st.tuples(*(st.floats(-3, 3) for _ in range(4)))


@given(_POSES, _POSES, st.lists(_POSES, max_size=3))
def test_load_keeps_its_place_on_what_is_moved_anywhere(
    bottom: tuple[float, ...], load: tuple[float, ...], places: list[tuple[float, ...]]
) -> None:
    state = SceneState(spots={"tray": Spot("table", False, *bottom), "cup": Spot("tray", False, *load)})
    before = _local(state, "cup", "tray")
    for place in places:
        state = state.moved("tray", HAND).moved("tray", Spot("shelf", False, *place))
    assert _local(state, "cup", "tray") == pytest.approx(before, abs=1e-6)
    assert state.load("tray") == ("cup",)
    assert state.base_of("cup") == state.spots["tray"]
