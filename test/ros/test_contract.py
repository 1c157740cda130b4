"""The Python types and the ROS interfaces define the same messages."""

from __future__ import annotations

import array
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message

from stma_ros.ros.conversions import from_msg, msg_class, to_msg
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Constants, FieldSpec, Message, MessageError, field_specs
from stma_ros.types.planning import SkillSchema
from stma_ros.types.standard import Header, Image
from support.storage.message_strategies import messages

INTERFACES = Path(__file__).resolve().parents[2]


def _all_types(base: type[Message] = Message) -> Iterator[type[Message]]:
    for type_ in base.__subclasses__():
        yield type_
        yield from _all_types(type_)


# A type without a name in ROS never travels. Types of packages that are not installed are only read from bags, by the
# bags' own definitions.
TYPES = sorted(
    (t for t in set(_all_types()) if hasattr(t, "ROS_TYPE") and find_spec(t.ROS_TYPE.split("/")[0])),
    key=lambda type_: type_.ROS_TYPE,
)
ENUMS = [
    (type_, spec)
    for type_ in TYPES
    for spec in field_specs(type_)
    if spec.element is not None and issubclass(spec.element, Constants)
]


@pytest.mark.parametrize("type_", TYPES, ids=lambda type_: type_.ROS_TYPE)
def test_python_types_and_ros_messages_have_the_same_fields_in_the_same_order(type_):
    generated = msg_class(type_).get_fields_and_field_types()
    assert [(spec.name, spec.ros_type) for spec in field_specs(type_)] == list(generated.items())


def test_every_ros_message_has_a_python_type():
    ours = {type_.ROS_TYPE for type_ in TYPES}
    assert {f"stma_ros/msg/{file.stem}" for file in (INTERFACES / "msg").glob("*.msg")} <= ours


def test_every_topic_has_a_known_message_type():
    assert {spec.type for spec in topics.TOPICS.values()} <= set(TYPES)


def _prefix(spec: FieldSpec, constants: dict[str, int]) -> str:
    """Returns the prefix of an enumeration's constants: the name of its field where a message has several."""
    name = spec.name.upper().removesuffix("S") + "_"
    return name if any(constant.startswith(name) for constant in constants) else ""


@pytest.mark.parametrize(("type_", "spec"), ENUMS, ids=lambda value: getattr(value, "name", ""))
def test_constants_of_a_message_agree_with_the_members_of_its_enumeration(type_, spec):
    constants = _constants(type_)
    prefix = _prefix(spec, constants)
    members = {prefix + member.name: int(member) for member in spec.element}
    others = [_prefix(other, constants) for owner, other in ENUMS if owner is type_ and other is not spec]
    own = {
        name: value
        for name, value in constants.items()
        if name.startswith(prefix) and not any(other and name.startswith(other) for other in others)
    }
    assert own == members


def _constants(type_: type[Message]) -> dict[str, int]:
    generated = msg_class(type_)
    return {
        name: getattr(generated, name) for name in generated.__prepare__(type_.__name__, ()) if name.isupper()
    }


def test_every_constant_belongs_to_an_enumeration():
    owners = {type_ for type_, _ in ENUMS}
    assert {
        type_ for type_ in TYPES if type_.ROS_TYPE.startswith("stma_ros/") and _constants(type_)
    } == owners


def test_error_codes_lie_in_the_declared_range():
    assert all(code == ErrorCode.NONE or 100 <= code < 700 for code in ErrorCode)


@settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.sampled_from(TYPES).flatmap(messages))
def test_a_message_survives_serialization_unchanged(message):
    generated = msg_class(type(message))
    received = deserialize_message(serialize_message(to_msg(message)), generated)
    assert from_msg(received, type(message)) == message


def test_an_enumeration_value_unknown_to_the_python_type_is_refused():
    msg = msg_class(SkillSchema)(arguments=array.array("B", [99]))
    with pytest.raises(MessageError, match="99"):
        from_msg(msg, SkillSchema)


def test_received_arrays_are_read_only():
    image = Image.from_array(Header(), np.zeros((4, 6), np.uint16), "16UC1")
    received = from_msg(to_msg(image), Image)
    with pytest.raises(ValueError):
        received.data[0] = 1


def test_a_large_image_is_converted_without_a_loop_over_its_pixels():
    """A conversion pixel by pixel takes seconds; the limit is generous for slow machines."""
    image = Image.from_array(Header(), np.zeros((480, 640, 3), np.uint8), "rgb8")
    started = time.perf_counter()
    for _ in range(10):
        from_msg(to_msg(image), Image)
    assert (time.perf_counter() - started) / 10 < 0.02
