"""Messages between the two processes arrive unchanged, and damage is detected."""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

from stma_ros.worlds.habitat.engine.errors import (
    ClosedError,
    DamagedFrameError,
    DeadlineError,
    ProtocolError,
)
from stma_ros.worlds.habitat.engine.protocol import Channel, Message, decode, encode

_PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
_JSON = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
_ARRAYS = arrays_of.arrays(
    st.sampled_from([np.bool_, np.uint8, np.int32, np.int64, np.float32, np.float64]),
    arrays_of.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
_MESSAGES = st.builds(
    Message,
    st.dictionaries(st.text(), _JSON, max_size=3),
    st.dictionaries(st.text(), _ARRAYS, max_size=3),
)


def reader(content: bytes) -> Callable[[int], bytearray]:
    """Returns a connection that is closed after that content."""
    stream = io.BytesIO(content)

    def read(length: int) -> bytearray:
        part = stream.read(length)
        if len(part) < length:
            raise ClosedError("the end")
        return bytearray(part)

    return read


def frame(message: Message) -> bytes:
    return b"".join(encode(message))


def same(one: Message, other: Message) -> bool:
    return (
        one.body == other.body
        and list(one.arrays) == list(other.arrays)
        and all(_same_array(one.arrays[name], other.arrays[name]) for name in one.arrays)
    )


def _same_array(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@given(_MESSAGES)
def test_an_engine_message_is_decoded_unchanged(message: Message) -> None:
    assert same(decode(reader(frame(message))), message)


@given(_MESSAGES, st.data())
def test_a_truncated_engine_message_is_detected(message: Message, data: st.DataObject) -> None:
    whole = frame(message)
    length = data.draw(st.integers(0, len(whole) - 1))
    with pytest.raises(ClosedError):
        decode(reader(whole[:length]))


@given(_MESSAGES, st.data())
def test_a_damaged_head_or_text_of_an_engine_message_is_detected(
    message: Message, data: st.DataObject
) -> None:
    whole = bytearray(frame(message))
    covered = len(encode(message)[0])  # the head and the text; arrays are checked by their sizes
    place = data.draw(st.integers(0, covered - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(DamagedFrameError):
        decode(reader(bytes(whole)))


@given(st.binary(min_size=24, max_size=200))
def test_random_bytes_are_refused_as_an_engine_message(noise: bytes) -> None:
    with pytest.raises(ProtocolError):
        decode(reader(noise))


@pytest.mark.parametrize(
    "text",
    [
        "[1, []]",
        "[{}, 7]",
        "{}",
        '[{}, [["name", "<f4", [-1]]]]',
        '[{}, [["name", "<f4", "many"]]]',
        '[{}, [["name", "<f4", [1000]]]]',
        '[{}, [["name", "|O", [1]]]]',
        '[{}, [["name", "<f4"]]]',
        "[" * 100_000,
    ],
)
def test_a_well_framed_message_with_invalid_content_is_detected(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stma_ros.worlds.habitat.engine.protocol.json.dumps", lambda content: text)
    whole = frame(Message({}, {"x": np.zeros(2, np.uint8)}))
    with pytest.raises(DamagedFrameError):
        decode(reader(whole))


def test_arrays_longer_than_declared_are_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stma_ros.worlds.habitat.engine.protocol.json.dumps", lambda content: "[{}, []]")
    whole = frame(Message({}, {"x": np.zeros(2, np.uint8)}))
    with pytest.raises(DamagedFrameError, match="longer"):
        decode(reader(whole))


def test_arrays_of_unsupported_types_are_refused() -> None:
    with pytest.raises(ValueError, match="complex"):
        encode(Message({}, {"x": np.zeros(1, np.complex128)}))


def test_arrays_of_any_byte_order_and_memory_layout_are_sent_unchanged() -> None:
    array = np.arange(6, dtype=">f8").reshape(2, 3).T
    arrived = decode(reader(frame(Message({}, {"x": array})))).arrays["x"]
    np.testing.assert_array_equal(arrived, array)


def test_channels_carry_messages_larger_than_the_socket_buffer() -> None:
    one, other = socket.socketpair()
    message = Message({"a": 1}, {"x": np.random.default_rng(1).random(1_000_000)})
    with one, other:
        sender = threading.Thread(target=Channel(one).send, args=(message,))
        sender.start()
        arrived = Channel(other).receive(time.monotonic() + 60)
        sender.join()
    assert same(arrived, message)


def test_a_closed_channel_and_a_silent_one_raise_different_errors() -> None:
    one, other = socket.socketpair()
    with one, other:
        with pytest.raises(DeadlineError):
            Channel(one).receive(time.monotonic() + 0.05)
        with pytest.raises(DeadlineError):  # the other end does not read
            Channel(one).send(Message({"text": "x" * 10_000_000}), time.monotonic() + 0.05)
        other.close()
        with pytest.raises(ClosedError):
            Channel(one).receive()
        with pytest.raises(ClosedError):
            Channel(one).send(Message({}))
