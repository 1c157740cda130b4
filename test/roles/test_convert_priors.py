"""Tests of the script that converts public data to the household's table of priors, on small sources."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from stma_ros.evaluation.activities.selection import NAMES, is_reporting

SCRIPT = Path(__file__).parents[2] / "scripts" / "convert_priors.py"
ACTIVITY = """
(define (problem tidying-0)
    (:domain omnigibson)
    (:objects mug.n.04_1 mug.n.04_2 - mug.n.04 countertop.n.01_1 - countertop.n.01)
    (:init
        (ontop mug.n.04_1 countertop.n.01_1) (ontop mug.n.04_2 countertop.n.01_1) ; two, in one place
        (inside half__apple.n.01_1 mug.n.04_1)
        (inroom countertop.n.01_1 dining_room) (inroom cabinet.n.01_1 kitchen)
    )
    (:goal
        (and
            (forall (?mug.n.04 - mug.n.04) (inside ?mug.n.04 ?cabinet.n.01_1))
            (not (ontop ?mug.n.04_1 ?bed.n.01_1))
        )
    )
)
"""
CATEGORIES = (
    "category,synset,mass (auto)\nmug,mug.n.04,0.3\nbottom_cabinet,cabinet.n.01,40\nanvil,anvil.n.01,90\n"
)
SYNSETS = (
    "synset,sceneObject,objectType\nmug.n.04,0,rigidBody\ncabinet.n.01,1,rigidBody\n"
    "anvil.n.01,0,rigidBody\nwater.n.06,0,liquid\n"
)
SCENES = {
    "home": {
        "kitchen_0": {"bottom_cabinet-abc": 3, "mug-x": 1},
        "kitchen_1": {"bottom_cabinet-d": 1},
        "childs_room_0": {},
    }
}
PLACINGS = {"food_apple": [{"destination": "kitchen_counter", "relation": "ON", "room": "null"}]}
PROPERTIES = {"food_apple": ["GRABBABLE"], "couch": ["SITTABLE"]}


@pytest.fixture
def table(tmp_path: Path) -> dict[str, object]:
    bddl, virtualhome, out = tmp_path / "bddl", tmp_path / "virtualhome", tmp_path / "priors.json"
    (bddl / "activity_definitions" / "tidying").mkdir(parents=True)
    (bddl / "generated_data").mkdir()
    virtualhome.mkdir()
    (bddl / "activity_definitions" / "tidying" / "problem0.bddl").write_text(ACTIVITY)
    kept_apart = bddl / "activity_definitions" / next(filter(is_reporting, NAMES))
    kept_apart.mkdir()
    (kept_apart / "problem0.bddl").write_text(ACTIVITY)
    (bddl / "generated_data" / "category_mapping.csv").write_text(CATEGORIES)
    (bddl / "generated_data" / "synsets.csv").write_text(SYNSETS)
    (bddl / "generated_data" / "combined_room_object_list.json").write_text(json.dumps({"scenes": SCENES}))
    (virtualhome / "object_script_placing.json").write_text(json.dumps(PLACINGS))
    (virtualhome / "properties_data.json").write_text(json.dumps(PROPERTIES))
    command = [sys.executable, SCRIPT, "--bddl", bddl, "--virtualhome", virtualhome, "--out", out]
    subprocess.run(command, check=True, timeout=60)
    content: dict[str, object] = json.loads(out.read_text())
    return content


def test_places_are_counted_once_for_each_activity_that_is_not_for_reporting_only(
    table: dict[str, object],
) -> None:
    assert table["places"] == {
        "bddl": {"mug": {"cabinet": 1, "countertop": 1}},
        "virtualhome": {"apple": {"kitchen counter": 1}},
    }


def test_rooms_are_counted_by_scene_and_by_activity(table: dict[str, object]) -> None:
    assert table["totals"] == {"kitchen": 2, "childs room": 1}
    assert table["rooms"] == {
        "scenes": {"bottom cabinet": {"kitchen": 2}, "cabinet": {"kitchen": 2}, "mug": {"kitchen": 1}},
        "activities": {
            "cabinet": {"kitchen": 1},
            "countertop": {"dining room": 1},
            "mug": {"dining room": 1, "kitchen": 1},
        },
    }


def test_light_solid_things_and_what_can_be_grabbed_are_portable(table: dict[str, object]) -> None:
    assert table["portable"] == ["apple", "mug"]
