"""Tests of reading detections from JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.detection_names import DetectionNames
from stma_ros.sensing.external.jsonl_file import DetectionsFile, parse_detections, read_detections_file
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.evidence import UNSCORED
from stma_ros.types.sensing import ExternalDetection

SECOND = 1_000_000_000
CUP = {"label": "cup", "score": 0.5, "box": [10, 20, 30.5, 40]}

numbers = st.floats(0, 1000, width=32)
objects = st.fixed_dictionaries(
    {
        "label": st.text(min_size=1, max_size=8).filter(
            lambda text: text.strip() and not text.strip().isdecimal()
        ),
        "score": st.floats(0, 1, width=32),
        "box": st.tuples(numbers, numbers, st.floats(1, 99, width=16), st.floats(1, 99, width=16)).map(
            lambda b: [b[0], b[1], b[0] + b[2], b[1] + b[3]]
        ),
    },
    optional={"track": st.integers(), "mask": st.none()},
)


def parsed(*lines: object, names: DetectionNames = DetectionNames()) -> DetectionsFile:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return parse_detections(text, names)


def only(found: DetectionsFile, stamp: int) -> ExternalDetection:
    (item,) = found.images[stamp].detections
    return item


def test_line_of_one_object_and_line_of_a_list_are_read_alike() -> None:
    one = parsed({"stamp": 12.5, **CUP})
    assert one.images == parsed({"stamp": 12.5, "objects": [CUP]}).images
    item = only(one, 12_500_000_000)
    assert [(each.category, each.score) for each in item.hypotheses] == [("cup", 0.5)]
    assert item.edges == (10, 20, 30.5, 40)
    assert one.problems == ()


def test_an_object_without_a_score_is_not_certain() -> None:
    item = {key: value for key, value in CUP.items() if key != "score"}
    (found,) = parsed({"stamp": 1, "objects": [item]}).images.values()
    assert found.detections[0].hypotheses[0].score == pytest.approx(UNSCORED)


@pytest.mark.parametrize(
    ("text", "stamp"),
    [
        ("12", 12 * SECOND),
        ("1700000000.123456789", 1_700_000_000_123_456_789),
        ("1700000000123456789", 1_700_000_000_123_456_789),
        ("0", 0),
    ],
)
def test_stamps_are_exact_in_seconds_and_in_nanoseconds(text: str, stamp: int) -> None:
    assert list(parsed(f'{{"stamp": {text}, "objects": []}}').images) == [stamp]


def test_empty_list_says_that_nothing_was_found() -> None:
    image = parsed({"stamp": 1, "objects": []}).images[SECOND]
    assert image.detections == ()
    assert not image.error
    assert not image.incomplete


def test_labels_and_categories_of_the_mapping_file_name_the_objects() -> None:
    names = DetectionNames({41: "cup", 0: "person"}, {"couch": "sofa", "person": ""})
    found = parsed(
        {"stamp": 1, **CUP, "label": "41"},
        {"stamp": 2, **CUP, "label": 41},
        {"stamp": 3, **CUP, "label": "couch"},
        {"stamp": 4, **CUP, "label": 0},
        {"stamp": 5, **CUP, "label": "7"},
        names=names,
    )
    named = [[item.hypotheses[0].category for item in image.detections] for image in found.images.values()]
    assert named == [["cup"], ["cup"], ["sofa"], [], []]
    assert not found.images[4 * SECOND].incomplete
    assert "class 7 has no label" in found.images[5 * SECOND].incomplete.text
    assert found.problems == (
        "line 5: an object is left out: class 7 has no label: list the labels as detections_labels in the mapping file",
    )


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "it is no JSON"),
        ("[" * 100_000, "it is no JSON"),
        ("[1]", "no object in braces"),
        (CUP, "no stamp"),
        ({"stamp": "now", **CUP}, "the stamp is no number"),
        ({"stamp": True, **CUP}, "the stamp is no number"),
        ({"stamp": -1, **CUP}, "not a time"),
        ('{"stamp": 1e999999, "objects": []}', "not a time"),
        ({"stamp": float("nan"), **CUP}, "not a time"),
        ({"stamp": 1}, "neither a label with a box nor a list of objects"),
        ({"stamp": 1, "objects": 3}, "neither a label with a box nor a list of objects"),
    ],
)
def test_unusable_line_is_named_by_its_number_and_the_others_are_used(line: object, reason: str) -> None:
    found = parsed({"stamp": 2, **CUP}, "", line, {"stamp": 3, **CUP})
    assert set(found.images) == {2 * SECOND, 3 * SECOND}
    (problem,) = found.problems
    assert problem.startswith("line 3 is left out: ")
    assert reason in problem


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"label": ""}, "its label is no text"),
        ({"label": None}, "its label is no text"),
        ({"score": "high"}, "its score is no number"),
        ({"score": 80}, "a score is not between 0 and 1"),
        ({"score": float("nan")}, "a score is not between 0 and 1"),
        ({"box": None}, "no list of four numbers"),
        ({"box": [1, 2, 3]}, "no list of four numbers"),
        ({"box": [30, 20, 10, 40]}, "empty or reversed"),
        ({"box": [10, float("nan"), 30, 40]}, "an edge of a box is not a number"),
        ({"box": [10, 20, 10**400, 40]}, "an edge of a box is not a number"),
        ({"box": [10, 20, 1e300, 40]}, "beyond all bounds"),
    ],
)
def test_unusable_object_makes_its_image_incomplete_and_is_named_by_its_line(
    changes: dict[str, object], reason: str
) -> None:
    found = parsed({"stamp": 1, "objects": [CUP, {**CUP, **changes}]})
    (problem,) = found.problems
    assert problem.startswith("line 1: an object is left out: ")
    assert reason in problem
    assert only(found, SECOND).hypotheses[0].category == "cup"
    assert reason in found.images[SECOND].incomplete.text


def test_file_without_a_usable_line_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "found.jsonl"
    for text in ("", "no\n"):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigurationError, match=r"found\.jsonl holds no detections"):
            read_detections_file(file, DetectionNames())
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_detections_file(tmp_path / "missing.jsonl", DetectionNames())


@given(st.lists(st.tuples(st.integers(0, 2**31 - 1), st.lists(objects, max_size=3)), max_size=6))
def test_every_object_of_valid_lines_is_read_in_order(
    images: list[tuple[int, list[dict[str, object]]]],
) -> None:
    found = parsed(*({"stamp": stamp, "objects": items} for stamp, items in images))
    assert found.problems == ()
    for stamp in {stamp for stamp, _ in images}:
        labels = [str(item["label"]).strip() for other, items in images if other == stamp for item in items]
        read = found.images[stamp * SECOND].detections
        assert [item.hypotheses[0].category for item in read] == labels


@given(
    st.text(max_size=60)
    | st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["stamp", "label", "score", "box", "objects", "x"]), inner, max_size=5
            )
        ),
        max_leaves=12,
    ).map(json.dumps)
)
def test_no_text_breaks_the_parser(text: str) -> None:
    found = parse_detections(text, DetectionNames())
    assert found.images or found.problems or not text.strip()
