"""Tests that the memory of a home does not depend on the directions of the map's axes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.memory.boxes import Box
from stma_ros.memory.relations import relations
from stma_ros.memory.scene_graph import ObjectMemory
from stma_ros.types import vocabulary as words
from stma_ros.types.planar import off_quarter, turned
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point32, Polygon
from support.memory.keyframes import BLUE, EYE, RED, Everywhere, look, reported, seen

ROOM = (
    seen("table", (0.0, 0.6, 0.37), (1.6, 0.9, 0.75)),
    seen("cupboard", (1.8, 0.4, 0.9), (0.5, 0.9, 1.8)),
    seen("mug", (0.3, 0.5, 0.8), (0.08, 0.08, 0.1), RED),
    seen("plate", (-0.4, 0.7, 0.76), (0.25, 0.25, 0.02), BLUE),
    seen("chair", (-0.6, -0.2, 0.45), (0.45, 0.5, 0.9)),
)


def turned_home(detection: Detection, turn: float) -> Detection:
    """Returns a detection in a map whose axes are turned by -turn [rad]."""
    box = Box.of(detection.box)
    x, y = box.extent[:2] / 2
    outline = turned([(-x, -y), (x, -y), (x, y), (-x, y)], box.yaw + turn) + turned(box.middle[:2], turn)
    return replace(
        detection,
        box=Box(turned(box.middle, turn), box.extent, box.yaw + turn).message,
        yaw_stddev=0.01,
        footprint=Polygon(tuple(Point32(*corner, 0.0) for corner in outline.tolist())),
    )


def remembered(turn: float, drift: float = 0.0) -> ObjectMemory:
    """Returns the memory of the room, seen twice, from which the mug was put on the plate and the chair removed."""
    memory, eye = ObjectMemory(household_categories()), turned(EYE, turn)
    look(memory, 1, *(turned_home(d, turn) for d in ROOM), eye=eye, visibility_test=Everywhere(0.0))
    moved = [turned_home(d, turn + drift) for d in ROOM[:4]]
    look(memory, 2, *moved, eye=eye, visibility_test=Everywhere(1.0))
    memory.add_fact(reported("mug_1", words.HELD_BY, words.ROBOT, 3))
    memory.add_fact(reported("mug_1", words.ON, "plate_1", 4))
    return memory


def facts(memory: ObjectMemory) -> set[tuple[str, str, str]]:
    found = relations(memory.objects, household_categories(), lambda item: "")
    return {(fact.subject, fact.predicate, fact.object) for fact in found}


@settings(deadline=None, max_examples=40)
@given(st.floats(-3.2, 3.2), st.sampled_from([0.0, 0.03, -0.05]))
def test_memory_of_a_turned_home_is_the_turned_memory(turn: float, drift: float) -> None:
    plain, again = remembered(0.0, drift), remembered(turn, drift)
    assert facts(again) == facts(plain)
    assert [item.id for item in again.objects] == [item.id for item in plain.objects]
    for item, other in zip(plain.objects, again.objects, strict=True):
        assert (item.status, item.doubt) == (other.status, pytest.approx(other.doubt))
        assert other.box.middle == pytest.approx(turned(item.box.middle, turn), abs=1e-4)
        assert np.sort(other.box.extent) == pytest.approx(np.sort(item.box.extent), abs=1e-4)
        assert off_quarter(other.box.yaw - item.box.yaw - turn) == pytest.approx(0.0, abs=1e-4)


def test_view_with_another_heading_is_measured_by_its_outline() -> None:
    """A corner of a table seems to lie askew; its outline says how far it reaches along the table's own axes."""
    memory = ObjectMemory(household_categories())
    table = turned_home(ROOM[0], 0.0)
    for second in (1, 2):
        look(memory, second, table, eye=EYE)
    corner = [(0.3, 0.15), (0.8, 0.15), (0.8, 0.6)]
    askew = replace(
        table,
        box=Box(np.array([0.55, 0.4, 0.37]), np.array([0.67, 0.33, 0.75]), 0.73).message,
        yaw_stddev=0.3,
        footprint=Polygon(tuple(Point32(x, y, 0.0) for x, y in corner)),
    )
    look(memory, 3, askew, eye=EYE)
    (item,) = memory.objects
    assert item.box.extent == pytest.approx((1.6, 0.9, 0.75), abs=0.01)
    assert abs(off_quarter(item.box.yaw)) < 0.02
