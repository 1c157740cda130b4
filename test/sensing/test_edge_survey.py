"""Tests of the comparison of edges of depth with those of colour, in views of simulated flats."""

from __future__ import annotations

import numpy as np
import pytest

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.edge_survey import PERIOD, EdgeSurvey, offset_note
from stma_ros.types.standard import Header, Time
from stma_ros.worlds.house.labelled_views import labelled_flat

FLATS = (900_100, 900_101)
CAMERA = PinholeCamera.from_horizontal_fov(320, 240, 1.2)  # only the pixels count


@pytest.fixture(scope="module")
def views() -> list[CameraFrame]:
    frames = []
    for seed in FLATS:
        flat = labelled_flat(seed, 16)
        for shown in flat.views:
            header = Header(Time.from_nanoseconds(len(frames) * PERIOD))
            view = DepthView(shown.depth_mm, CAMERA, np.eye(4))
            frames.append(CameraFrame(header=header, parts={}, view=view, color=shown.colour))
    return frames


def _offset(frames: list[CameraFrame], right: int, down: int) -> tuple[int, int] | None:
    """Returns what is found where colour is displaced."""
    survey = EdgeSurvey()
    for frame in frames:
        assert frame.color is not None
        moved = np.roll(frame.color, (down, right), axis=(0, 1))
        survey.take(CameraFrame(header=frame.header, parts={}, view=frame.view, color=moved))
    return survey.offset()


def test_edges_that_fit_are_not_reported(views: list[CameraFrame]) -> None:
    assert _offset(views, 0, 0) is None
    assert _offset(views, 1, 0) is None


@pytest.mark.parametrize(("right", "down"), [(8, 0), (-14, 0), (0, 10), (12, -6)])
def test_displaced_colour_is_reported_with_its_displacement(
    views: list[CameraFrame], right: int, down: int
) -> None:
    assert _offset(views, right, down) == (right, down)


def test_few_edges_tell_nothing(views: list[CameraFrame]) -> None:
    assert _offset(views[:1], 12, 0) is None


def test_frames_in_quick_succession_and_without_images_are_passed_over(views: list[CameraFrame]) -> None:
    first = views[0]
    survey = EdgeSurvey()
    for nanoseconds in range(0, PERIOD, PERIOD // 100):
        header = Header(Time.from_nanoseconds(nanoseconds))
        survey.take(
            CameraFrame(header=header, parts={}, view=first.view, color=np.roll(first.color, 12, axis=1))
        )
        survey.take(CameraFrame(header=header, parts={}))
    assert survey.offset() is None


def test_note_says_where_colour_lies_and_what_to_do() -> None:
    note = offset_note(-12, 6)
    assert note.startswith("the edges of colour lie 12 pixels to the left of those of depth, and 6 below")
    assert "topics.depth_camera_info" in note
