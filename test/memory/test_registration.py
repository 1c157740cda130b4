"""Tests of registering keyframes taken with drifted odometry by the objects that they show."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.registration import rotated
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point
from support.memory.keyframes import EYE, GREY, RED, Everywhere, at, look, seen

ROOM = (
    seen("table", (0.0, 2.0, 0.4), (1.4, 0.8, 0.8)),
    seen("chair", (-1.2, 2.2, 0.4), (0.5, 0.5, 0.8)),
    seen("plant", (1.6, 1.8, 0.3), (0.3, 0.3, 0.6)),
    seen("mug", (-0.1, 1.9, 0.85), (0.08, 0.08, 0.1), RED),
    seen("mug", (0.2, 1.9, 0.85), (0.08, 0.08, 0.1), RED),
)


def drifted(turn: float, *detections: Detection) -> tuple[Detection, ...]:
    """Returns the detections as seen by a robot that has turned by `turn` [rad] less than its odometry says."""
    middles = np.array([(d.center.x, d.center.y, d.center.z) for d in detections])
    moved = rotated(middles, turn, EYE).tolist()
    return tuple(
        replace(d, box=BoundingBox3D.upright(Point(*middle), d.size, turn))
        for d, middle in zip(detections, moved, strict=True)
    )


def places(memory: ObjectMemory) -> dict[str, list[float]]:
    return {item.id: item.box.middle.tolist() for item in memory.objects}


@pytest.mark.parametrize("turn", [-0.1, -0.06, 0.06, 0.1])
def test_rotated_keyframe_is_matched_with_the_known_objects(turn: float) -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, *ROOM, eye=EYE, visibility_test=Everywhere())
    before = places(memory)
    look(memory, 2, *drifted(turn, *ROOM), eye=EYE, visibility_test=Everywhere())
    after = places(memory)
    assert after.keys() == before.keys()
    assert all(after[name] == pytest.approx(before[name], abs=0.05) for name in before)


def test_new_object_in_a_rotated_keyframe_gets_its_true_place() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, *ROOM, eye=EYE)
    vase = seen("vase", (0.5, 2.0, 0.95), (0.1, 0.1, 0.3))
    look(memory, 2, *drifted(0.08, *ROOM, vase), eye=EYE)
    assert places(memory)["vase_1"] == pytest.approx([0.5, 2.0, 0.95], abs=0.05)


def test_later_correction_does_not_move_registered_objects() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, *ROOM, eye=EYE)
    look(memory, 2, *drifted(0.08, *ROOM), eye=EYE)
    before = places(memory)
    drift = np.eye(4)
    drift[:2, 3] = 0.3, 0.2
    memory.correct(lambda stamp: drift if stamp >= at(2) else np.eye(4))
    assert places(memory) == before


def test_one_moved_object_causes_no_rotation() -> None:
    memory = ObjectMemory(household_categories())
    look(memory, 1, *ROOM, eye=EYE)
    stool = seen("plant", (1.9, 1.8, 0.3), (0.3, 0.3, 0.6))
    look(memory, 2, *ROOM[:2], stool, *ROOM[3:], eye=EYE)
    assert places(memory)["mug_1"] == pytest.approx([-0.1, 1.9, 0.85])


def test_two_objects_are_too_few_for_a_rotation() -> None:
    memory = ObjectMemory(household_categories())
    boxes = [seen("storage box", (x, 2.0, 0.2), (0.3, 0.3, 0.3), GREY) for x in (0.0, 1.0)]
    look(memory, 1, *boxes, eye=EYE)
    seeming = drifted(0.1, *boxes)
    look(memory, 2, *seeming, eye=EYE)
    center = seeming[1].center
    assert min(math.dist(place, (center.x, center.y, center.z)) for place in places(memory).values()) < 0.01


def test_visibility_is_tested_at_the_registered_places() -> None:
    """The test for missing objects uses the corrected pose, too, so that a hidden object does not become missing."""
    asked: list[np.ndarray] = []

    class Recorder(Everywhere):
        def __call__(self, middle, extent, yaw, /):  # type: ignore[no-untyped-def]
            asked.append(np.asarray(middle))
            return super().__call__(middle, extent, yaw)

    memory = ObjectMemory(household_categories())
    vase = seen("vase", (0.5, 2.0, 0.95), (0.1, 0.1, 0.3))
    look(memory, 1, *ROOM, vase, eye=EYE)
    look(memory, 2, *drifted(0.08, *ROOM), eye=EYE, visibility_test=Recorder(through=0.0, hidden=1.0))
    (where,) = drifted(0.08, vase)
    expected = where.center.x, where.center.y, where.center.z
    assert any(np.allclose(middle, expected, atol=0.02) for asking in asked for middle in asking)
