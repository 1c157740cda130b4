"""Converts generated ROS messages and decoded messages of bags to messages of this package."""

from __future__ import annotations

from typing import Any, TypeVar

from stma_ros.types.message import FieldSpec, Message, field_specs

MessageT = TypeVar("MessageT", bound=Message)


def from_wire(value: Any, type_: type[MessageT]) -> MessageT:
    """Makes a message from an object with the same fields as attributes.

    Raises:
        MessageError: A value does not fit the type of its field.
    """
    values = {spec.name: _field(getattr(value, spec.name), spec) for spec in field_specs(type_)}
    return type_.from_fields(values)


def _field(value: Any, spec: FieldSpec) -> Any:
    if spec.element is None or not issubclass(spec.element, Message):
        return value
    if spec.is_sequence:
        return tuple(from_wire(item, spec.element) for item in value)
    return from_wire(value, spec.element)
