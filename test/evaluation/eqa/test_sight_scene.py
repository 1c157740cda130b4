"""Views with full knowledge agree with the world's own camera."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.sight_scene import SightScene
from stma_ros.evaluation.eqa.generation.survey import Survey, Where, places_seen, survey_pieces
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.geometry import Placement

CAMERA = Camera()


@pytest.fixture(scope="module")
def home() -> QuestionHome:
    return QuestionHome(1003)


@pytest.fixture(scope="module")
def scene(home: QuestionHome) -> SightScene:
    return SightScene(home.flat, home.state, CAMERA)


def poses(home: QuestionHome) -> list[Placement]:
    return [start_pose(home.flat, np.random.default_rng(seed)) for seed in range(6)]


def test_pixels_are_those_of_the_rendered_image(home: QuestionHome, scene: SightScene) -> None:
    renderer = Renderer(home.flat, CAMERA)
    for pose in poses(home):
        owners, counts = np.unique(renderer.render(pose, home.state).owner, return_counts=True)
        rendered = {renderer.owners[o]: c for o, c in zip(owners.tolist(), counts.tolist(), strict=True)}
        pixels = scene.pixels(pose)
        assert all(abs(pixels.get(name, 0) - count) <= 5 for name, count in rendered.items())


def test_estimates_are_near_the_pixels_of_large_things(home: QuestionHome, scene: SightScene) -> None:
    compared = 0
    for pose in poses(home):
        pixels = scene.pixels(pose)
        place, yaw = np.array([[pose.x, pose.y]]), np.array([pose.yaw])
        for piece in home.pieces:
            middle = scene.centre(piece.name)
            off = math.atan2(middle[1] - pose.y, middle[0] - pose.x) - pose.yaw
            if pixels.get(piece.name, 0) > 800 and math.cos(off) > 0.9:
                estimate, share = scene.estimates(place, yaw, piece.name)
                assert estimate[0] == pytest.approx(pixels[piece.name], rel=0.5)
                assert 0.0 < share[0] <= 2.0
                compared += 1
    assert compared >= 5


def test_a_thing_that_something_hides_has_no_estimated_pixels(home: QuestionHome, scene: SightScene) -> None:
    hidden = 0
    for pose in poses(home)[:3]:
        for piece in home.pieces:
            middle = scene.centre(piece.name)
            yaw = math.atan2(middle[1] - pose.y, middle[0] - pose.x)
            if piece.name not in scene.pixels(Placement(pose.x, pose.y, yaw)):
                pixels, share = scene.estimates(np.array([[pose.x, pose.y]]), np.array([yaw]), piece.name)
                assert (pixels[0], share[0]) == (0.0, 0.0)
                hidden += 1
    assert hidden > 10


def test_the_places_of_a_survey_lie_in_its_rooms_alone(home: QuestionHome, scene: SightScene) -> None:
    rooms = tuple(range(len(home.room_kinds)))
    viewpoints = np.array([room.floor.centre for room in home.flat.layout.rooms])
    for where in (Where.FLOOR, Where.SURFACES):
        everywhere = places_seen(home, scene, Survey(where, rooms), viewpoints).shape[1]
        single = [places_seen(home, scene, Survey(where, (room,)), viewpoints).shape[1] for room in rooms]
        assert sum(single) == everywhere
        assert min(single) > 0


def test_a_survey_of_surfaces_leaves_out_what_is_closed_and_bears_nothing(home: QuestionHome) -> None:
    rooms = tuple(range(len(home.room_kinds)))
    pieces = survey_pieces(home, Survey(Where.SURFACES, rooms))
    assert {"sofa", "table"} <= {piece.category for piece in pieces}
    wardrobes = [piece for piece in home.pieces if piece.category in ("wardrobe", "fridge")]
    assert wardrobes
    for piece in wardrobes:
        assert (piece in pieces) == (piece.name in home.state.open_names)
