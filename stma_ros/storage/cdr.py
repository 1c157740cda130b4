"""Serialises messages to CDR, the encoding of DDS and bags, and back, without ROS."""

from __future__ import annotations

import re
import struct
from typing import Any, TypeVar

import numpy as np
from rosbags.serde import SerdeError
from rosbags.typesys.store import Typestore

from stma_ros.storage.definitions import definitions
from stma_ros.types.errors import StorageError
from stma_ros.types.message import FieldSpec, Message, MessageError, field_specs
from stma_ros.types.standard import NANOSECONDS_PER_SECOND
from stma_ros.types.wire import from_wire

MessageT = TypeVar("MessageT", bound=Message)

_STAMP, _FRAME = 4, 12
"""Offsets of stamp and frame of a message's header [bytes], after the header of CDR, whose second byte gives the byte
order."""

_INTEGERS = re.compile(r"sequence<(u?int\d+)>")


def to_cdr(message: Message) -> bytes:
    """Returns the message as little-endian CDR, with the same bytes that Fast DDS sends."""
    store = definitions().store(message.ROS_TYPE)
    return bytes(store.serialize_cdr(_to_store(message, store), message.ROS_TYPE, little_endian=True))


def from_cdr(data: bytes, type_: type[MessageT]) -> MessageT:
    """Returns the message in the bytes.

    Raises:
        StorageError: The bytes are not a message of that type.
    """
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


def header_stamp(data: bytes) -> int:
    """Returns the stamp [ns] of a message whose first field is a header, without decoding the rest.

    Raises:
        StorageError: The data are too short for a header.
    """
    if len(data) < _FRAME:
        raise StorageError(f"{len(data)} bytes that hold no header: the message is damaged")
    seconds, nanoseconds = struct.unpack_from(f"{_order(data)}iI", data, _STAMP)
    stamp: int = seconds * NANOSECONDS_PER_SECOND + nanoseconds
    return stamp


def header_frame(data: bytes) -> str:
    """Returns the coordinate frame of such a message, without leading slashes; empty if the data are too short."""
    if len(data) < _FRAME + 4:
        return ""
    (length,) = struct.unpack_from(f"{_order(data)}I", data, _FRAME)
    name = data[_FRAME + 4 : _FRAME + 4 + max(0, length - 1)]
    return name.decode("utf-8", "replace").lstrip("/")


def _order(data: bytes) -> str:
    return "<" if data[1] & 1 else ">"
