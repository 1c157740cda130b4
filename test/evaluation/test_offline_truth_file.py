"""Files with the ground truth of a place, as a person writes them."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.offline import truth_file
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.standard import Header, Point, Point32, Polygon, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom

TRUTH = """\
format: stma_ros truth
version: 1
frame: map
rooms:
  - {name: lab, category: office, footprint: [[0, 0], [5, 0], [5, 4], [0, 4]]}
objects:
  - {name: table, category: table, center: [1, 1, 0.4], size: [1.2, 0.8, 0.8]}
  - {category: mug, center: [1, 1, 0.85], size: [0.1, 0.1, 0.1], support: table}
  - {name: fridge, category: fridge, center: [4, 3, 0.9], size: [0.6, 0.6, 1.8], states: [closed]}
  - {name: box, category: box, center: [4, 3, 1], size: [0.3, 0.3, 0.3], support: fridge, inside: true}
  - {name: pea, category: pea, center: [4, 3, 1], size: [0, 0, 0], support: box, inside: true}
  - {category: lamp, center: [9, 9, 1], size: [0.2, 0.2, 0.3], states: [on]}
"""


def read(tmp_path: Path, text: str) -> GroundTruth:
    file = tmp_path / "truth.yaml"
    file.write_text(text)
    return truth_file.read_truth(file)


def refusal(tmp_path: Path, text: str) -> str:
    with pytest.raises(ConfigurationError) as error:
        read(tmp_path, text)
    return str(error.value).removeprefix(str(tmp_path / "truth.yaml"))


def test_omitted_fields_of_a_truth_file_are_filled_in(tmp_path):
    table, mug, fridge, box, pea, lamp = read(tmp_path, TRUTH).objects
    assert [thing.room for thing in (table, mug, lamp)] == ["lab", "lab", ""]
    assert (mug.support, mug.inside) == ("table", False)
    assert len({table.name, mug.name, lamp.name}) == 3
    assert [thing.hidden for thing in (table, fridge, box, pea)] == [False, False, True, True]


def test_states_on_and_off_are_read_as_words(tmp_path):
    assert read(tmp_path, TRUTH).objects[-1].states == ("on",)


def test_a_truth_in_another_frame_is_transformed_into_the_map(tmp_path):
    moved = TRUTH.replace("frame: map", f"frame: lab\ntransform: {{x: 10, y: 20, yaw: {math.pi / 2}}}")
    truth = read(tmp_path, moved)
    table = truth.objects[0]
    assert (table.center.x, table.center.y, table.center.z) == pytest.approx((9, 21, 0.4))
    assert (table.size.x, table.size.y) == pytest.approx((1.2, 0.8))
    assert table.yaw == pytest.approx(math.pi / 2)
    corner = truth.rooms[0].footprint.points[2]
    assert (corner.x, corner.y) == pytest.approx((6, 25))
    assert truth.header.frame_id == ""
    assert table.room == "lab"


def test_a_truth_file_may_be_json(tmp_path):
    text = '{"format": "stma_ros truth",\n "version": 1,\n "objects": [{"category": "mug", "center": [1, 2, 3],\n'
    assert read(tmp_path, text + ' "size": [0.1, 0.1, 0.1]}]}').objects[0].center == Point(1, 2, 3)
    assert refusal(tmp_path, text + ' "size": [0.1, 0.1]}]}').startswith(", line 4: objects[0].size")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("states: [on]", "states: [lit]", ", line 12: objects[5].states[0]: there is no state 'lit'"),
        ("support: table}", "support: tabel}", ", line 8: objects[1].support: there is no object named"),
        ("name: box", "name: fridge", ", line 10: objects[3].name: 'fridge' is named twice"),
        ("size: [1.2, 0.8, 0.8]", "size: [1.2, -1, 0.8]", ", line 7: objects[0].size[1]"),
        (
            "size: [1.2, 0.8, 0.8]",
            "sise: [1.2, 1, 0.8]",
            ", line 7: objects[0].sise: there is no key 'sise'. Did you mean 'size'",
        ),
        (
            "states: [closed]",
            "colour: red",
            ", line 9: objects[2].colour: there is no key 'colour'. There are: ",
        ),
        ("size: [1.2, 0.8, 0.8]", "hidden: true", ", line 7: objects[0].size: is missing"),
        ("rooms:", "roms:", ", line 4: roms: there is no key 'roms'. Did you mean 'rooms'?"),
        ("center: [9, 9, 1]", "center: [9, .nan, 1]", ", line 12: objects[5].center[1]"),
        ("states: [closed]", "room: hall", ", line 9: objects[2].room: there is no room 'hall'"),
        ("support: fridge, ", "", ", line 10: objects[3].inside: inside of what?"),
        ("version: 1", "version: 2", " has version 2"),
        ("stma_ros truth", "stma_ros questions", " is another kind of file"),
        ("states: [on]}", "states: [on", ", line 13, cannot be read as YAML"),
    ],
)
def test_a_mistake_in_a_truth_file_is_refused_with_key_and_line(tmp_path, old, new, message):
    assert old in TRUTH
    assert refusal(tmp_path, TRUTH.replace(old, new)).startswith(message)


def test_a_missing_truth_file_is_refused_by_name(tmp_path):
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml cannot be read"):
        truth_file.read_truth(tmp_path / "nowhere.yaml")


@given(st.text(max_size=200))
def test_any_text_as_a_truth_file_is_read_or_refused(tmp_path_factory, text):
    file = tmp_path_factory.getbasetemp() / "any.yaml"
    file.write_text(f"format: stma_ros truth\nversion: 1\nobjects: {text}", encoding="utf-8")
    with contextlib.suppress(ConfigurationError):
        truth_file.read_truth(file)


NUMBERS = st.floats(-50, 50).map(lambda value: round(value, 4))
SIZES = st.floats(0, 5).map(lambda value: round(value, 4))
THINGS = st.builds(
    GroundTruthObject,
    category=st.sampled_from(["mug", "yes", "1"]),
    box=st.builds(
        BoundingBox3D.upright,
        st.builds(Point, NUMBERS, NUMBERS, NUMBERS),
        st.builds(Vector3, SIZES, SIZES, SIZES),
        st.floats(-3.0, 3.0).map(lambda yaw: round(yaw, 4)),
    ),
    room=st.sampled_from(["", "hall"]),
    hidden=st.booleans(),
    states=st.sampled_from([(), ("on",), ("closed", "off")]),
)


@given(st.lists(THINGS, max_size=4))
def test_a_written_truth_file_is_read_back(tmp_path_factory, things):
    hall = GroundTruthRoom(
        name="hall",
        category="hallway",
        footprint=Polygon(tuple(Point32(x, y, 0) for x, y in ((0, 0), (1, 0), (1, 1)))),
    )
    named = tuple(
        GroundTruthObject(
            name=f"thing_{k}",
            category=thing.category,
            box=thing.box,
            room=thing.room,
            states=thing.states,
        )
        for k, thing in enumerate(things)
    )
    truth = GroundTruth(header=Header(frame_id="map"), scene="a flat", rooms=(hall,), objects=named)
    file = tmp_path_factory.getbasetemp() / "written.yaml"
    truth_file.write(file, truth)
    assert truth_file.read_truth(file) == truth


def test_an_object_held_by_the_robot_is_not_written_to_a_truth_file(tmp_path):
    held = GroundTruthObject(name="m", category="mug", support="robot")
    truth_file.write(tmp_path / "truth.yaml", GroundTruth(objects=(held,)))
    assert truth_file.read_truth(tmp_path / "truth.yaml").objects == ()
