"""Messages over a socket: one frame each, of a JSON object and named arrays.

A frame: a head of fixed size (what it is, the two lengths, two checksums), the JSON text, the arrays one after the
other. The checksums cover the head and the text; arrays are checked by their sizes.
"""

from __future__ import annotations

import json
import math
import socket
import struct
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import ClosedError, DamagedFrameError, DeadlineError

VERSION = 1
"""Both sides have to speak the same."""

_MAGIC = b"SHE1"
_HEAD = struct.Struct("<4sIQI")  # magic, length of the text, length of the arrays, checksum of the text
_CHECK = struct.Struct("<I")  # checksum of the above
_LONGEST_TEXT = 1 << 28  # [bytes]
_LONGEST_ARRAYS = 1 << 32  # [bytes]
_PLAIN = frozenset(("|b1", "|u1", "<i4", "<i8", "<f4", "<f8"))

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Message:
    """body: a JSON object. arrays: by name; bool, uint8, int32, int64, float32 or float64."""

    body: Mapping[str, Any]
    arrays: Arrays = field(default_factory=dict)


def encode(message: Message) -> list[bytes]:
    """The parts of a frame, to be sent one after the other. Raises ValueError for what cannot be sent."""
    blobs, described = [], []
    for name, array in message.arrays.items():
        kind = array.dtype.newbyteorder("<").str
        if kind not in _PLAIN:
            raise ValueError(f"arrays of {array.dtype} cannot be sent")
        blobs.append(np.ascontiguousarray(array, kind).tobytes())
        described.append([name, kind, list(array.shape)])
    text = json.dumps([message.body, described]).encode()
    size = sum(map(len, blobs))
    if len(text) > _LONGEST_TEXT or size > _LONGEST_ARRAYS:
        raise ValueError(f"a message of {len(text)} + {size} bytes cannot be sent: it is too long")
    head = _HEAD.pack(_MAGIC, len(text), size, zlib.crc32(text))
    return [head + _CHECK.pack(zlib.crc32(head)) + text, *blobs]


def decode(read: Callable[[int], bytearray]) -> Message:
    """The next message. `read(n)` gives exactly n bytes or raises.

    Raises DamagedFrameError, and what `read` raises.
    """
    prefix = bytes(read(_HEAD.size + _CHECK.size))
    head = prefix[: _HEAD.size]
    magic, text_length, size, text_sum = _HEAD.unpack(head)
    (head_sum,) = _CHECK.unpack(prefix[_HEAD.size :])
    if (
        magic != _MAGIC
        or head_sum != zlib.crc32(head)
        or text_length > _LONGEST_TEXT
        or size > _LONGEST_ARRAYS
    ):
        raise DamagedFrameError("what arrived does not begin as a message does")
    text = read(text_length)
    if zlib.crc32(text) != text_sum:
        raise DamagedFrameError("the text of a message is damaged")
    body, kinds = _read_text(text)
    blobs = {}
    for name, kind, shape in kinds:
        length = np.dtype(kind).itemsize * math.prod(shape)
        if length > size:
            raise DamagedFrameError("the arrays of a message are longer than it is")
        size -= length
        blobs[name] = np.frombuffer(read(length), kind).reshape(shape)
    if size:
        raise DamagedFrameError("a message is longer than its arrays")
    return Message(body, blobs)


def _read_text(text: bytearray) -> tuple[dict[str, Any], list[tuple[str, str, list[int]]]]:
    try:
        body, described = json.loads(text)
        kinds = [(name, kind, shape) for name, kind, shape in described]
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedFrameError(f"the text of a message cannot be read: {error}") from None
    for name, kind, shape in kinds:
        sizes = shape if isinstance(shape, list) else [None]
        plain = isinstance(name, str) and kind in _PLAIN
        if not plain or not all(isinstance(size, int) and size >= 0 for size in sizes):
            raise DamagedFrameError(
                f"a message has an array that cannot be read: {name!r} {kind!r} {shape!r}"
            )
    if not isinstance(body, dict):
        raise DamagedFrameError("the text of a message is no JSON object")
    return body, kinds


class Channel:
    """One end of a stream socket between two processes, for messages."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def send(self, message: Message, deadline: float | None = None) -> None:
        """deadline: of time.monotonic(); None = wait for ever. Raises ClosedError, DeadlineError, ValueError."""
        for part in encode(message):
            self._limit(deadline)
            try:
                self._connection.sendall(part)
            except TimeoutError:
                raise DeadlineError("a message was not taken in time") from None
            except OSError as error:
                raise ClosedError(f"a message could not be sent: {error}") from None

    def receive(self, deadline: float | None = None) -> Message:
        """deadline: as in `send`. Raises ClosedError, DeadlineError, DamagedFrameError."""

        def read(length: int) -> bytearray:
            buffer = bytearray(length)
            rest = memoryview(buffer)
            while rest:
                self._limit(deadline)
                rest = rest[self._receive(rest) :]
            return buffer

        return decode(read)

    def close(self) -> None:
        self._connection.close()

    def _receive(self, rest: memoryview) -> int:
        try:
            count = self._connection.recv_into(rest)
        except TimeoutError:
            raise DeadlineError("no answer in time") from None
        except OSError as error:
            raise ClosedError(f"nothing can be received: {error}") from None
        if count == 0:
            raise ClosedError("the other side has closed the connection")
        return count

    def _limit(self, deadline: float | None) -> None:
        rest = None if deadline is None else deadline - time.monotonic()
        if rest is not None and rest <= 0:
            raise DeadlineError("no time is left")
        self._connection.settimeout(rest)
