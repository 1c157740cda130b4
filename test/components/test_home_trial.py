"""Tests of how remembered pictures are told to be of this home or of another one."""

from __future__ import annotations

import math

import numpy as np

from stma_ros.components.visual_memory.home_trial import HomeTrial
from stma_ros.components.visual_memory.recent_views import View
from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.transforms import camera_mount
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection, ObjectHypothesis
from stma_ros.types.standard import Point, Vector3
from support.mapping.poses import planar_pose

CAMERA = PinholeCamera.from_horizontal_fov(80, 60, math.pi / 2)
PLACES = ((2.0, 0.0), (2.5, 1.0), (2.5, -1.0))
KINDS = ("sofa", "table", "wardrobe")


def piece(category: str, x: float, y: float, size: float = 0.8) -> Detection:
    return Detection(
        hypotheses=(ObjectHypothesis(category=category, score=0.9),),
        box=BoundingBox3D.upright(Point(x, y, 1.0), Vector3(size, size, size), 0.0),
    )


def room(size: float = 0.8) -> tuple[Detection, ...]:
    return tuple(piece(kind, *place, size) for kind, place in zip(KINDS, PLACES, strict=True))


def view(*found: Detection, depth_mm: int = 1500) -> View:
    """Returns a view along the map's x axis, with surfaces at one depth."""
    pose = planar_pose(0.0, 0.0, 0.0) @ camera_mount(0.0, 0.0, 1.2)
    depth = np.full((60, 80), depth_mm, np.uint16)
    return View(Snapshot(id="now", detections=found), DepthView(depth, CAMERA, pose))


def test_home_is_told_by_its_furniture_at_its_places():
    trial = HomeTrial([Snapshot(detections=room())])
    assert trial.look([view()]) is None
    assert trial.look([view(piece("sofa", 2.3, 0.2))]) is None
    assert trial.look([view(piece("table", 2.5, 1.2))]) is True


def test_another_home_is_told_by_seeing_through_the_places_of_furniture():
    assert HomeTrial([Snapshot(detections=room())]).look([view(depth_mm=5000)]) is False


def test_furniture_that_is_hidden_elsewhere_or_not_measured_says_nothing():
    trial = HomeTrial([Snapshot(detections=room())])
    assert trial.look([view(depth_mm=1000), view(depth_mm=0)]) is None
    behind = HomeTrial([Snapshot(detections=(piece("sofa", -2.0, 0.0), piece("bed", -3.0, 0.0)))])
    assert behind.look([view(depth_mm=5000)]) is None


def test_piece_without_a_place_says_nothing():
    lost = piece("sofa", math.nan, 0.0)
    assert HomeTrial([Snapshot(detections=(lost,))]).look([view(lost, depth_mm=5000)]) is None


def test_small_things_say_nothing_as_they_are_moved():
    small = HomeTrial([Snapshot(detections=room(size=0.2))])
    assert small.look([view(depth_mm=5000)]) is None
    assert small.look([view(*room(size=0.2))]) is None


def test_thing_of_another_kind_at_the_place_of_a_piece_is_not_it():
    trial = HomeTrial([Snapshot(detections=room())])
    assert trial.look([view(piece("sink", 2.0, 0.0), piece("stove", 2.5, 1.0))]) is None


def test_a_few_moved_pieces_do_not_make_another_home():
    stayed = [piece(f"shelf {number}", 2.0, 1.5 - number) for number in range(3)]
    trial = HomeTrial([Snapshot(detections=(*room(), *stayed))])
    assert trial.look([view(*stayed, depth_mm=5000)]) is None
    assert trial.look([view(*stayed, *room()[:1])]) is True
