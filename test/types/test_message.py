"""Messages hold exactly the values of their ROS fields."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import stma_ros.types
from stma_ros.types.causality import message_id, message_ref
from stma_ros.types.errors import BadImageError
from stma_ros.types.message import MessageError
from stma_ros.types.planning import Action, Outcome, Plan, Task
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import Header, Image, OccupancyGrid, Pose, Time
from stma_ros.types.stepped import StepStamp


@given(st.floats(width=32) | st.floats(allow_nan=True, allow_infinity=True, width=32))
def test_float32_fields_hold_float32_values_unchanged(value: float) -> None:
    stored = Relation(confidence=value).confidence
    assert stored == value or (math.isnan(stored) and math.isnan(value))


def test_a_double_is_rounded_once_when_the_message_is_made() -> None:
    assert Relation(confidence=0.1).confidence == np.float32(0.1)


def test_messages_with_nan_in_the_same_fields_are_equal() -> None:
    assert Route(target="mug_1") == Route(target="mug_1")
    assert hash(Pose.none()) == hash(Pose.none())


@pytest.mark.parametrize("value", [-1, 2**32, 1.5])
def test_a_value_out_of_range_is_refused_with_the_name_of_the_field(value: float) -> None:
    with pytest.raises(MessageError, match=r"StepStamp\.step \(uint32\)"):
        StepStamp(step=value)  # type: ignore[arg-type]


def test_a_text_given_for_a_sequence_is_refused() -> None:
    with pytest.raises(MessageError, match=r"Action\.arguments"):
        Action("open", "cupboard_1")  # type: ignore[arg-type]


def test_a_wrong_nested_type_is_refused() -> None:
    with pytest.raises(MessageError, match="expected Action, got Task"):
        Outcome(action=Task())  # type: ignore[arg-type]


def test_arrays_are_read_only_copies_of_their_source() -> None:
    cells = np.zeros(4, np.int8)
    grid = OccupancyGrid(data=cells)
    cells[0] = 100
    assert grid.data[0] == 0
    with pytest.raises(ValueError, match="read-only"):
        grid.data[0] = 1


@given(st.integers(min_value=0, max_value=2**31 * 10**9 - 1))
def test_times_preserve_every_nanosecond(nanoseconds: int) -> None:
    assert Time.from_nanoseconds(nanoseconds).nanoseconds == nanoseconds


@pytest.mark.parametrize(
    ("array", "encoding"),
    [
        (np.arange(24, dtype=np.uint8).reshape(2, 4, 3), "rgb8"),
        (np.arange(8, dtype=np.uint16).reshape(2, 4), "16UC1"),
        (np.arange(8, dtype=np.float32).reshape(2, 4), "32FC1"),
    ],
)
def test_an_image_returns_the_pixels_it_was_made_of(array: np.ndarray, encoding: str) -> None:
    image = Image.from_array(Header(), array, encoding)
    assert np.array_equal(image.array(), array)


def test_rows_of_an_image_may_be_padded() -> None:
    padded = np.arange(10, dtype=np.uint8)
    image = Image(height=2, width=4, encoding="mono8", step=5, data=padded)
    assert image.array().tolist() == [[0, 1, 2, 3], [5, 6, 7, 8]]


def test_order_of_bytes_is_of_no_account_where_numbers_have_one_byte() -> None:
    image = Image(
        height=1, width=3, encoding="mono8", is_bigendian=1, step=3, data=np.arange(3, dtype=np.uint8)
    )
    assert image.array().tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("image", "cause"),
    [
        (Image(height=2, width=2, encoding="rgb8", step=6, data=np.zeros(11, np.uint8)), "truncated"),
        (
            Image(height=2, width=2, encoding="yuv422", step=4, data=np.zeros(8, np.uint8)),
            "publish one of rgb8",
        ),
        (
            Image(height=2, width=2, encoding="16UC1", is_bigendian=1, step=4, data=np.zeros(8, np.uint8)),
            "endian",
        ),
        (Image(), "not read here"),
    ],
)
def test_an_invalid_image_is_refused_with_the_cause(image: Image, cause: str) -> None:
    with pytest.raises(BadImageError, match=cause):
        image.array()


def test_message_ids_name_a_step_a_task_or_a_stamp() -> None:
    stamp = Header(Time.from_nanoseconds(1_500_000_000))
    assert message_id(Plan(at=StepStamp(task_id="task_1", step=3))) == "task_1/3"
    assert message_id(Task(task_id="task_1")) == "task_1"
    assert message_id(Image(header=stamp)) == "1500000000"
    assert message_ref("plan", Plan(at=StepStamp(task_id="t", step=1, revision=2))).revision == 2


def test_no_type_uses_the_marker_kw_only_which_python_3_10_cannot_resolve_as_a_type_hint() -> None:
    folder = Path(stma_ros.types.__file__).parent
    assert not [path.name for path in folder.glob("*.py") if "KW_ONLY" in path.read_text()]
