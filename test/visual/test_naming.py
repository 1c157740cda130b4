"""Tests of the names of objects for people."""

from __future__ import annotations

import pytest

from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.visual.naming import labels


@pytest.mark.parametrize(
    ("name", "category", "label"),
    [
        ("mug_1", "mug", "mug 1"),
        ("coffee_table_12", "coffee table", "coffee table 12"),
        ("thing_room_1", "room", "thing room 1"),
        ("bed_3", "sofa", "bed 3 (sofa)"),
        ("fridge", "kitchen unit", "fridge"),
        ("mug_1", "", "mug 1"),
    ],
)
def test_object_is_called_by_its_id_and_by_its_kind_where_that_is_another_one(
    name: str, category: str, label: str
) -> None:
    graph = SceneGraph(objects=(ObjectNode(id=name, category=category),))
    assert labels(graph) == {name: label}
