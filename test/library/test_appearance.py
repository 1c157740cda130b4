"""States and colours of objects, estimated from their pixels."""

from __future__ import annotations

import colorsys

import numpy as np
import pytest
from numpy.typing import NDArray

from stma_ros.library.scene.appearance import own_color, states
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.door_state import SegmentedFrame
from stma_ros.mapping.segments import Segment, find_segments
from stma_ros.types import vocabulary as words
from support.components.household_components import HOUSEHOLD

CAMERA = PinholeCamera.from_horizontal_fov(160, 120, 1.57)
GREY, WATER, SCREEN, ROYAL = (150, 150, 150), (70, 170, 235), (90, 170, 255), (46, 72, 160)


def thing(
    pixels: int = 40, depth_mm: int = 1000, at_border: bool = False, behind: bool = False
) -> tuple[Segment, SegmentedFrame]:
    """Returns a square view with the given number of pixels a side.

    Args:
        behind: whether its left part is hidden by something nearer.
    """
    depth = np.full((120, 160), depth_mm, np.uint16)
    ids = np.ones((120, 160), np.uint16)
    top = 0 if at_border else 10
    ids[top : top + pixels, 20 : 20 + pixels] = 7
    if behind:
        depth[:, : 20 + pixels // 4] = depth_mm // 2
        ids[:, : 20 + pixels // 4] = 2
    (segment,) = find_segments(depth, CAMERA, np.eye(4), ids, [7], 6.0, 0.0)
    return segment, SegmentedFrame(depth, ids, CAMERA, np.eye(4), 0.0, 0)


def painted(
    count: int, *spots: tuple[tuple[int, int, int], int], rest: tuple[int, int, int] = GREY
) -> NDArray[np.uint8]:
    color = np.tile(np.array(rest, np.uint8), (count, 1))
    start = 0
    for rgb, number in spots:
        color[start : start + number] = rgb
        start += number
    return color


def look(category: str, *spots: tuple[tuple[int, int, int], int], **view: int) -> tuple[str, ...]:
    segment, sight = thing(**view)
    return states(category, segment, sight, painted(len(segment.points), *spots), HOUSEHOLD)


def test_a_bright_device_is_on() -> None:
    assert look("radio", (SCREEN, 40)) == (words.STATE_ON,)
    assert look("radio") == (words.STATE_OFF,)


def test_a_device_with_few_bright_pixels_has_no_power_state() -> None:
    assert look("radio", (SCREEN, 2)) == ()


@pytest.mark.parametrize("view", [{"pixels": 4}, {"depth_mm": 5000}, {"at_border": True}, {"behind": True}])
def test_a_poor_view_does_not_call_a_device_off(view: dict[str, int]) -> None:
    assert look("radio", **view) == ()
    assert look("radio", (SCREEN, 10), **view) == (words.STATE_ON,)


def test_an_object_that_is_no_device_has_no_power_state() -> None:
    assert look("book", (SCREEN, 40)) == ()


@pytest.mark.parametrize("brightness", [0.4, 0.7, 1.0])
def test_a_vessel_with_water_is_full_at_any_brightness(brightness: float) -> None:
    water = tuple(int(channel * brightness) for channel in WATER)
    assert look("cup", ((water[0], water[1], water[2]), 100)) == (words.STATE_FULL,)


@pytest.mark.parametrize("glaze", [GREY, ROYAL, (58, 102, 176), (56, 150, 152), SCREEN])
def test_blue_crockery_is_not_full(glaze: tuple[int, int, int]) -> None:
    assert look("mug", (glaze, 1600)) == (words.STATE_EMPTY,)


def test_a_small_or_far_view_does_not_call_a_vessel_empty() -> None:
    assert look("mug", pixels=3) == ()
    assert look("mug", depth_mm=4000) == ()
    assert look("mug", at_border=True) == ()


def test_a_partly_hidden_vessel_is_not_called_empty() -> None:
    assert look("cup", behind=True) == ()
    assert look("cup", (WATER, 100), behind=True) == (words.STATE_FULL,)


def test_a_kettle_has_a_power_state_and_a_fill_state() -> None:
    assert look("kettle", (WATER, 100)) == (words.STATE_OFF, words.STATE_FULL)
    assert look("kettle", (SCREEN, 100)) == (words.STATE_ON, words.STATE_EMPTY)


def test_water_in_bright_light_does_not_count_as_a_lit_display() -> None:
    hue, saturation, _ = colorsys.rgb_to_hsv(*(channel / 255 for channel in WATER))
    bright = tuple(round(channel * 255) for channel in colorsys.hsv_to_rgb(hue, saturation, 1.0))
    assert look("kettle", ((bright[0], bright[1], bright[2]), 300)) == (words.STATE_OFF, words.STATE_FULL)


def test_states_of_one_object_belong_to_different_dimensions() -> None:
    found = look("oven", (SCREEN, 100))
    assert len({words.STATE_DIMENSION[word] for word in found}) == len(found)


def test_the_colour_of_an_object_leaves_out_its_water_and_light() -> None:
    assert own_color("mug", painted(100, (WATER, 60)), HOUSEHOLD) == own_color("mug", painted(100), HOUSEHOLD)
    assert own_color("radio", painted(100, (SCREEN, 60)), HOUSEHOLD) == own_color(
        "radio", painted(100), HOUSEHOLD
    )
    blue = own_color("book", painted(100, (WATER, 60)), HOUSEHOLD)
    assert (blue.b, blue.a) == (pytest.approx(WATER[2] / 255), 1.0)


def test_an_object_that_is_all_light_has_no_colour() -> None:
    assert own_color("table lamp", painted(100, (SCREEN, 95)), HOUSEHOLD).a == 0
