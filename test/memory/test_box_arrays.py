"""Tests of how upright boxes of any heading lie to one another."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.types.planar import turned

_CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    place = st.floats(-2, 2)
    side = st.floats(0.05, 2)
    middle = np.array([draw(place) for _ in range(3)])
    return Box(middle, np.array([draw(side) for _ in range(3)]), draw(st.floats(-4, 4)))


def gap(one: Box, other: Box) -> float:
    return float(BoxArray.of([one]).gaps(BoxArray.of([other]))[0, 0])


def grid(box: Box, count: int = 9) -> NDArray[np.float64]:
    """Returns points of a box, spread evenly, with its corners."""
    shares = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, count)] * 3), axis=-1).reshape(-1, 3)
    return turned(shares * box.extent, box.yaw) + box.middle


def test_gap_of_aligned_boxes_is_the_distance_of_their_faces() -> None:
    one = Box(np.array([0.0, 0, 0]), np.array([1.0, 1, 1]))
    beside = Box(np.array([2.0, 0, 0]), np.array([1.0, 3, 1]), np.pi / 2)
    assert gap(one, beside) == pytest.approx(0.0)  # its long side lies along x
    assert gap(one, Box(np.array([1.5, 0, 2.0]), np.array([1.0, 1, 1]))) == pytest.approx(np.hypot(0.5, 1.0))


def test_gap_of_a_turned_box_is_that_of_its_corner() -> None:
    one = Box(np.array([0.0, 0, 0]), np.array([1.0, 1, 1]))
    diamond = Box(np.array([2.0, 0, 0]), np.array([1.0, 1, 1]), np.pi / 4)
    assert gap(one, diamond) == pytest.approx(1.5 - np.sqrt(0.5))


@given(boxes(), boxes())
def test_gap_is_symmetric_and_bounded_by_the_distances_of_points(one: Box, other: Box) -> None:
    found = gap(one, other)
    assert found == pytest.approx(gap(other, one), abs=1e-9)
    nearest = np.linalg.norm(grid(one)[:, None] - grid(other)[None], axis=2).min()
    spacing = (np.linalg.norm(one.extent) + np.linalg.norm(other.extent)) / 16
    assert nearest - spacing - 1e-9 <= found <= nearest + 1e-9


@given(boxes(), boxes(), st.floats(-4, 4))
def test_gap_does_not_change_when_both_boxes_are_turned(one: Box, other: Box, turn: float) -> None:
    pose = np.eye(4)
    pose[:3, :3] = turned(np.eye(3), turn).T
    pose[:3, 3] = 1.0, -2.0, 0.5
    assert gap(one.moved(pose), other.moved(pose)) == pytest.approx(gap(one, other), abs=1e-9)


@given(boxes(), boxes())
def test_union_contains_both_boxes(one: Box, other: Box) -> None:
    union = one.union(other).grown(
        0.07 * float(np.hypot(*other.extent[:2]))
    )  # nearly equal headings count as equal
    for box in (one, other):
        assert all(union.contains(corner) for corner in turned(_CORNERS * box.extent, box.yaw) + box.middle)


@given(boxes())
def test_box_is_restored_from_its_faces_and_from_its_message(box: Box) -> None:
    for again in (Box.of_faces(box.faces, box.yaw), Box.of(box.message)):
        assert again.middle == pytest.approx(box.middle)
        assert again.extent == pytest.approx(box.extent)
        assert np.cos(again.yaw - box.yaw) == pytest.approx(1.0)
