"""Unpacks the chunks of MCAP files and finds the records in them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple, TypeAlias

import lz4.frame
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile
from mcap.opcode import Opcode
from mcap.records import Channel, Schema

_HEAD = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")
_MAX_BYTES = 1024**3  # of an unpacked chunk; a larger size is damaged

Buffer: TypeAlias = bytes | memoryview


class ChunkError(ValueError):
    """A damaged chunk or record; the text describes the damage."""


class Packed(NamedTuple):
    """A message in an unpacked chunk, without a copy of its data.

    Attributes:
        channel: Id of its channel.
        log_time: Log time [ns].
        start, end: Position of its data [bytes].
    """

    channel: int
    log_time: int
    start: int
    end: int


def unpack(body: bytes) -> Buffer:
    """Returns the uncompressed records of a chunk.

    Raises:
        ChunkError: The chunk is damaged.
    """
    try:
        size, checksum, name = struct.unpack_from("<QII", body, 16)
        compression = body[32 : 32 + name].decode()
        content = memoryview(body)[40 + name :]
        records = _decompress(content, compression, size)
    except (struct.error, zstandard.ZstdError, RuntimeError, ValueError, MemoryError) as error:
        raise ChunkError(str(error) or type(error).__name__) from error
    if len(records) != size:
        raise ChunkError(f"{len(records)} bytes come out of it, not {size}")
    if checksum and zlib.crc32(records) != checksum:
        raise ChunkError("its checksum does not match")
    return records


def inner_records(records: Buffer) -> Iterator[Packed | Schema | Channel]:
    """Yields the records of an unpacked chunk.

    Raises:
        ChunkError: A record is damaged.
    """
    position = 0
    while position < len(records):
        if position + _HEAD.size > len(records):
            raise ChunkError("it ends in the middle of a record")
        opcode, length = _HEAD.unpack_from(records, position)
        start, end = position + _HEAD.size, position + _HEAD.size + length
        if end > len(records):
            raise ChunkError("a record in it is longer than the chunk")
        if opcode == Opcode.MESSAGE:
            yield message_at(records, start, end)
        elif opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
            yield declaration(opcode, bytes(records[start:end]))
        elif opcode == 0:
            raise ChunkError("it holds something that is no record")
        position = end


def message_at(records: Buffer, start: int, end: int) -> Packed:
    """Returns the message whose record has its body at this position.

    Raises:
        ChunkError: The body is too short.
    """
    if end - start < _MESSAGE.size:
        raise ChunkError("a message in it is too short")
    channel, _, log_time, _ = _MESSAGE.unpack_from(records, start)
    return Packed(channel, log_time, start + _MESSAGE.size, end)


def declaration(opcode: int, body: bytes) -> Schema | Channel:
    """Parses a schema or channel record.

    Raises:
        ChunkError: The record is damaged.
    """
    stream = ReadDataStream(BytesIO(body))
    try:
        item: Schema | Channel = (Schema if opcode == Opcode.SCHEMA else Channel).read(stream)
    except (EndOfFile, struct.error, UnicodeDecodeError) as error:
        raise ChunkError(f"a declaration in it is damaged ({error})") from error
    return item


def _decompress(content: memoryview, compression: str, size: int) -> Buffer:
    if size > _MAX_BYTES:
        raise ChunkError(f"it claims to hold {size} bytes")
    if compression == "zstd":
        # The library allocates the size that is stated in the frame.
        if zstandard.frame_content_size(content) not in (-1, size):
            raise ChunkError("its sizes contradict one another")
        return zstandard.ZstdDecompressor().decompress(content, max_output_size=size)
    if compression == "lz4":
        if lz4.frame.get_frame_info(content)["content_size"] not in (0, size):
            raise ChunkError("its sizes contradict one another")
        return bytes(lz4.frame.decompress(content))
    if compression:
        raise ChunkError(f"its compression {compression!r} is not known")
    return content
