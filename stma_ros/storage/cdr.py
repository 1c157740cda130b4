"""Messages to and from CDR, the bytes that DDS carries and bags hold, without ROS."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import numpy as np
from rosbags.serde import SerdeError
from rosbags.typesys.store import Typestore

from stma_ros.storage.definitions import definitions
from stma_ros.types.errors import StorageError
from stma_ros.types.message import FieldSpec, Message, MessageError, field_specs
from stma_ros.types.wire import from_wire

MessageT = TypeVar("MessageT", bound=Message)

_INTEGERS = re.compile(r"sequence<(u?int\d+)>")


def to_cdr(message: Message) -> bytes:
    """The message as CDR, little-endian, as Fast DDS would send it."""
    store = definitions().store(message.ROS_TYPE)
    return bytes(store.serialize_cdr(_to_store(message, store), message.ROS_TYPE, little_endian=True))


def from_cdr(data: bytes, type_: type[MessageT]) -> MessageT:
    """The message in the bytes; raises StorageError where they are not one of that type."""
    try:
        stored = definitions().store(type_.ROS_TYPE).deserialize_cdr(data, type_.ROS_TYPE)
        return from_wire(stored, type_)
    except (SerdeError, MessageError, IndexError) as error:
        raise StorageError(f"{len(data)} bytes that are no {type_.ROS_TYPE}: {error}") from error


def _to_store(message: Message, store: Typestore) -> Any:
    values = {
        spec.name: _field(getattr(message, spec.name), spec, store) for spec in field_specs(type(message))
    }
    return store.types[message.ROS_TYPE](**values)


def _field(value: Any, spec: FieldSpec, store: Typestore) -> Any:
    if isinstance(value, Message):
        return _to_store(value, store)
    if spec.is_sequence:
        if integers := _INTEGERS.fullmatch(spec.ros_type):
            return np.array(value, integers[1])
        return [_to_store(item, store) if isinstance(item, Message) else item for item in value]
    return value
