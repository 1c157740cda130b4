"""CDR without ROS: every message type survives unchanged, and rclpy reads and writes the same bytes."""

from __future__ import annotations

import struct
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stma_ros.storage.bag.reader import message_types
from stma_ros.storage.cdr import from_cdr, header_frame, header_stamp, to_cdr
from stma_ros.types.errors import StorageError
from stma_ros.types.message import Message, field_specs
from stma_ros.types.planning import Action, Plan
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.wire import from_wire
from support.storage.message_strategies import messages

TYPES = sorted(message_types().values(), key=lambda type_: type_.ROS_TYPE)


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.__name__)
def test_every_message_type_survives_cdr_unchanged(type_: type[Message]) -> None:
    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(messages(type_))
    def check(message: Message) -> None:
        assert from_cdr(to_cdr(message), type_) == message

    check()


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.__name__)
def test_rclpy_and_our_cdr_read_each_other(type_: type[Message]) -> None:
    serialization = pytest.importorskip("rclpy.serialization", reason="ROS 2 is not installed")
    package = type_.ROS_TYPE.split("/")[0]
    pytest.importorskip(f"{package}.msg", reason=f"{package} is not installed")

    @settings(max_examples=5, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(messages(type_))
    def check(message: Message) -> None:
        native = _to_ros(message)
        theirs, ours = serialization.serialize_message(native), to_cdr(message)
        # Fast CDR leaves alignment bytes uninitialised, and pads the end.
        assert 0 <= len(theirs) - len(ours) < 4
        assert from_cdr(theirs, type_) == message
        assert from_wire(serialization.deserialize_message(ours, type(native)), type_) == message

    check()


@given(st.binary(max_size=40))
def test_bytes_of_another_message_are_refused_with_the_type(data: bytes) -> None:
    with pytest.raises(StorageError, match="stma_ros/msg/Plan"):
        from_cdr(data, Plan)


def test_a_truncated_cdr_message_is_refused() -> None:
    data = to_cdr(Plan(at=StepStamp(task_id="task_1"), actions=(Action("look_around"),)))
    with pytest.raises(StorageError, match="stma_ros/msg/Plan"):
        from_cdr(data[: len(data) // 2], Plan)


@pytest.mark.parametrize("nanoseconds", [0, 1_700_000_000_123_456_789, -1, -2_000_000_001])
def test_the_header_is_read_without_decoding_the_message(nanoseconds: int) -> None:
    data = to_cdr(
        Plan(at=StepStamp(header=Header(Time.from_nanoseconds(nanoseconds), "/map"), task_id="task_1"))
    )
    assert header_stamp(data) == nanoseconds
    assert header_frame(data) == "map"


def test_a_header_of_the_other_byte_order_is_read() -> None:
    data = bytes([0, 0, 0, 0]) + struct.pack(">iII", 5, 7, 4) + b"map\0"
    assert (header_stamp(data), header_frame(data)) == (5_000_000_007, "map")


@given(st.binary(max_size=11))
def test_bytes_too_short_for_a_header_have_no_stamp(data: bytes) -> None:
    with pytest.raises(StorageError, match="no header"):
        header_stamp(data)
    assert header_frame(data) == ""


def _to_ros(message: Message) -> Any:
    package, folder, name = message.ROS_TYPE.split("/")
    made = getattr(import_module(f"{package}.{folder}"), name)()
    for spec in field_specs(type(message)):
        value = getattr(message, spec.name)
        if isinstance(value, Message):
            value = _to_ros(value)
        elif spec.is_sequence:
            value = [_to_ros(item) if isinstance(item, Message) else item for item in value]
        elif spec.is_array and "[" not in spec.ros_type:
            value = value.tolist()
        elif spec.is_array:
            value = np.asarray(value)
        setattr(made, spec.name, value)
    return made
