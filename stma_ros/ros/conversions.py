"""Converts messages of `types` to ROS messages and back, by the fields of the types."""

from __future__ import annotations

import array
import importlib
from functools import cache
from typing import Any

from stma_ros.types.message import FieldSpec, Message, field_specs
from stma_ros.types.wire import from_wire as from_msg

__all__ = ["from_msg", "generated_class", "msg_class", "to_msg"]

_TYPECODES = {"sequence<int8>": "b", "sequence<uint8>": "B", "sequence<float>": "f", "sequence<double>": "d"}


def msg_class(type_: type[Message]) -> Any:
    """Returns the generated class of a message type."""
    return generated_class(type_.ROS_TYPE)


@cache
def generated_class(ros_type: str) -> Any:
    """Returns the class of the type "package/msg/Name". Raises ImportError, AttributeError or ValueError for an unknown
    one."""
    package, kind, name = ros_type.split("/")
    return getattr(importlib.import_module(f"{package}.{kind}"), name)


def to_msg(message: Message) -> Any:
    """Converts a message to the ROS message with the same values; `from_msg(to_msg(x), type(x)) == x`."""
    msg = msg_class(type(message))()
    for spec in field_specs(type(message)):
        setattr(msg, spec.name, _ros_value(getattr(message, spec.name), spec))
    return msg


def _ros_value(value: Any, spec: FieldSpec) -> Any:
    if spec.is_array:
        if spec.ros_type not in _TYPECODES:
            return value  # fixed size: rosidl wants a numpy array
        # rosidl takes an array.array as it is, and copies anything else number by number.
        numbers = array.array(_TYPECODES[spec.ros_type])
        numbers.frombytes(memoryview(value).cast("B") if value.size else b"")
        return numbers
    if spec.element is None or not issubclass(spec.element, Message):
        return list(value) if spec.is_sequence else value
    return [to_msg(item) for item in value] if spec.is_sequence else to_msg(value)
