"""Looks of things: no colour tells a state, and the colour that names a thing is its main one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.evaluation.household_tasks.main_colour import COLOUR_WORDS, item_colour
from stma_ros.worlds.house.config import HouseConfig
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.furnishing.looks import LAMP_LIGHTS, recoloured
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ITEMS
from stma_ros.worlds.house.kinds.looks import PICTURES, PLAIN, SCREENS, STANDBY, Look
from stma_ros.worlds.house.meshes import Colour
from stma_ros.worlds.house.place import flat_of
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.rendering.sunlight import sun_of
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture

CAMERA = Camera(160, 120)
vessels = pytest.mark.parametrize("category", sorted(k.name for k in ITEMS.values() if k.full))


@cache
def flats() -> tuple[Flat, ...]:
    return tuple(make_flat(seed, 4) for seed in range(1000, 1016))


def things(names: frozenset[str] | set[str]) -> Iterator[Furniture | Item]:
    for flat in flats():
        yield from (thing for thing in (*flat.furniture, *flat.items) if thing.category in names)


def item(category: str, look: Look = PLAIN) -> Item:
    return Item("it", category, "", False, 0, 0, 0, 0, 1.0, ITEMS[category].colours[0], look)


def piece(category: str, look: Look = PLAIN) -> Furniture:
    kind = FURNITURE[category]
    return Furniture("it", category, 0, Placement(0, 0, 0), kind.least, kind.colours[0], look)


def shown(colours: NDArray[np.uint8]) -> set[Colour]:
    return {tuple(row) for row in np.unique(colours, axis=0).tolist()}


def test_vessels_drinks_and_lamps_have_many_colours() -> None:
    mugs = [thing for thing in things({"mug", "cup", "glass", "bowl"}) if isinstance(thing, Item)]
    assert len({mug.colour for mug in mugs}) >= 8
    assert len({mug.look.liquid for mug in mugs}) >= 7
    assert len({mug.look.lining for mug in mugs}) >= 4
    lights = {thing.look.light for thing in things({"floor lamp", "table lamp", "torch"})}
    assert len(lights) >= 6
    assert lights <= set(LAMP_LIGHTS)
    assert len({thing.look.picture for thing in things(SCREENS)}) >= 4


def test_a_colour_of_a_drink_is_also_that_of_an_empty_vessel() -> None:
    items = [item for flat in flats() for item in flat.items if item.is_vessel]
    assert {item.look.liquid for item in items} & {item.colour for item in items}


@vessels
def test_a_liquid_has_its_colour_and_does_not_stand_out_of_the_vessel(category: str) -> None:
    vessel = item(category, Look(liquid=(1, 2, 3)))
    low, high = vessel.body.bounds()
    if category in ("teapot", "vase"):
        assert not len(vessel.liquid.triangles)
        return
    assert shown(vessel.liquid.colours) == {(1, 2, 3)}
    liquid_low, liquid_high = vessel.liquid.bounds()
    assert (liquid_low >= low).all()
    assert liquid_high[2] < high[2]
    assert (liquid_high <= high).all()
    assert not len(item(category, Look(liquid=None)).liquid.triangles)


@vessels
def test_an_inside_has_its_colour_and_keeps_the_size_of_the_vessel(category: str) -> None:
    plain, lined = item(category), item(category, Look(lining=(1, 2, 3)))
    np.testing.assert_array_equal(plain.body.bounds(), lined.body.bounds())
    assert ((1, 2, 3) in shown(lined.body.colours)) == (ITEMS[category].lining is not None)


def test_a_standby_light_shines_while_the_device_is_off_only() -> None:
    look = Look(light=(9, 9, 200), standby=(255, 0, 0))
    for category in STANDBY:
        device = piece(category, look) if category in FURNITURE else item(category, look)
        off, on = shown(device.shining(False).colours), shown(device.shining(True).colours)
        assert off == {(255, 0, 0)}
        assert (255, 0, 0) not in on
        dark = replace(device, look=replace(look, standby=None))
        assert not len(dark.shining(False).triangles)


def test_a_screen_shows_its_picture_within_its_frame() -> None:
    plain = piece("tv").shining(True)
    for number, picture in enumerate(PICTURES):
        screen = piece("tv", Look(picture=number)).shining(True)
        assert shown(screen.colours) == {picture.background, *(patch[4] for patch in picture.patches)}
        np.testing.assert_allclose(screen.bounds(), plain.bounds(), atol=0.003)


def test_a_lamp_with_an_opaque_shade_shines_from_its_ends() -> None:
    clear, opaque = (
        piece("floor lamp", Look(light=(1, 2, 3))),
        piece("floor lamp", Look(light=(1, 2, 3), opaque_shade=True)),
    )
    assert 0 < len(opaque.shining(True).triangles) < len(clear.shining(True).triangles)
    assert len(clear.switched(True).triangles) == 0
    whole = len(opaque.shining(True).triangles) + len(opaque.switched(True).triangles)
    assert whole == len(clear.shining(True).triangles)


def test_things_without_states_have_no_look() -> None:
    assert all(thing.look == PLAIN for thing in things({"book", "apple", "sofa", "wardrobe"}))


def test_the_colour_that_names_a_thing_is_the_main_colour_in_its_images() -> None:
    named = agreeing = 0
    for flat in flats():
        renderer = Renderer(flat, CAMERA)
        renderer.set_daylight(flat.seed)
        for one in flat.items:
            if one.inside or not (one.is_vessel or one.is_device) or not item_colour(one):
                continue
            support = flat.furniture_by_name[one.support]
            base = Placement(*Placement(one.x, one.y, support.placement.yaw).point(0.9, 0.0), 0.0)
            facing = replace(base, yaw=support.placement.yaw + math.pi)
            picture = renderer.render(facing, flat.initial)
            where = picture.owner == renderer.owners.index(one.name)
            if where.sum() >= 25:
                named += 1
                word = nearest_word(np.median(picture.colour[where], axis=0))
                agreeing += word == COLOUR_WORDS[one.colour]
    assert named >= 25
    assert agreeing / named >= 0.9, f"{agreeing} of {named}"


def nearest_word(colour: NDArray[np.float64]) -> str:
    """Returns the word of the palette's colour with the most similar direction, of the grey ones the nearest."""

    def distance(other: Colour) -> float:
        scale = max(colour.max(), 1.0) / max(other)
        return float(np.abs(colour - np.array(other) * min(scale, 1.15)).sum() + 60 * max(scale - 1.15, 0))

    return COLOUR_WORDS[min(COLOUR_WORDS, key=distance)]


def test_recolouring_changes_only_colours_of_vessels_and_devices() -> None:
    flat = flats()[0]
    other = recoloured(flat, 3)
    assert recoloured(flat, 3) == other
    assert recoloured(flat, 4) != other
    changed = [(a, b) for a, b in zip(flat.items, other.items, strict=True) if a != b]
    assert changed
    for before, after in changed:
        assert before.is_vessel or before.is_device
        assert replace(after, look=before.look, colour=before.colour) == before
    for before, after in zip(flat.furniture, other.furniture, strict=True):
        assert replace(after, look=before.look) == before


def test_a_palette_seed_recolours_the_flats_of_the_world() -> None:
    plain, other = HouseConfig(rooms=4), HouseConfig(rooms=4, palette_seed=3)
    assert flat_of("flat_1000", plain) == flats()[0]
    assert flat_of("flat_1000", other) == recoloured(flats()[0], 3)


def daylight(flat: Flat, episode: int | None, base: Placement) -> Picture:
    renderer = Renderer(flat, CAMERA)
    if episode is not None:
        renderer.set_daylight(episode)
    return renderer.render(base, flat.initial)


def test_the_sun_brightens_patches_that_vary_with_the_episode_and_changes_no_depth() -> None:
    flat = flats()[0]
    sunny = [episode for episode in range(30) if sun_of(flat.seed, episode) is not None]
    assert 15 <= len(sunny) < 30
    patches = []
    for other in flats()[:6]:
        for seed in range(4):
            base = start_pose(other, np.random.default_rng(seed))
            plain = daylight(other, None, base)
            for episode in range(6):
                lit = daylight(other, episode, base)
                np.testing.assert_array_equal(lit.depth, plain.depth)
                np.testing.assert_array_equal(lit.owner, plain.owner)
                assert (lit.colour >= plain.colour).all()
                patches.append((lit.colour.astype(int) - plain.colour).max(axis=2) > 15)
    shares = np.array([patch.mean() for patch in patches])
    assert 0.04 < (shares > 0.005).mean() < 0.9
    assert shares.max() < 0.6
    assert len({patch.tobytes() for patch in patches}) > 8
    cloudy = next(episode for episode in range(30) if episode not in sunny)
    base = start_pose(flat, np.random.default_rng(1))
    np.testing.assert_array_equal(daylight(flat, cloudy, base).colour, daylight(flat, None, base).colour)
