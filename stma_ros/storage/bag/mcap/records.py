"""Iterates over the records of an MCAP file and skips damaged places. Format: https://mcap.dev/spec."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Container, Iterator
from contextlib import suppress
from enum import Enum, auto
from functools import cached_property
from typing import NamedTuple

from mcap.opcode import Opcode
from mcap.writer import MCAP0_MAGIC

from stma_ros.storage.bag.mcap.chunk import ChunkError, unpack

_HEAD = struct.Struct("<BQ")
_FOOTER = struct.Struct("<BQQQI")
_PEEK_BYTES = 512  # beginning of a record that includes the lengths of its fields
_SEARCH_BYTES = 1024 * 1024
_MAX_BYTES = 1024**3  # of a record; a larger length is damaged
_MESSAGE_HEAD = 22
_INDEX_ENTRY = 16  # bytes per message in a message index
# Candidates of a search: an opcode, and a length whose upper half is zero.
_CANDIDATE = re.compile(rb"[\x03-\x07\x0f](?=[\s\S]{4}\x00{4})")
_CHUNK = re.compile(rb"\x06(?=[\s\S]{4}\x00{4})")


class Record(NamedTuple):
    """Position and type of a record.

    Attributes:
        offset: Position of the record [bytes]; its body begins 9 bytes later.
        opcode: Type of the record.
        length: Length of the body [bytes].
    """

    offset: int
    opcode: int
    length: int

    @property
    def body(self) -> int:
        return self.offset + _HEAD.size

    @property
    def end(self) -> int:
        return self.body + self.length


class _State(Enum):
    SOUND = auto()
    CUT = auto()
    BROKEN = auto()


class Records:
    """An iterable of the records in the data section of a file, in order.

    After a damaged place the iteration continues with the next record that can be recognised. A record is taken to be
    sound if its fields agree with its length or, for a message, if another record follows it.

    Attributes:
        is_finished: Whether the recorder closed the file.
    """

    def __init__(
        self, file: int, channels: Container[int], damaged: Callable[[int, str, bool], None]
    ) -> None:
        """Makes an iterable.

        Args:
            file: Descriptor of a file that is open for reading.
            channels: Ids of the channels that are known so far.
            damaged: Called for each damaged place with its offset, a description, and whether the file only ends there.
        """
        self._file = file
        self._size = os.fstat(file).st_size
        self._channels = channels
        self._damaged = damaged
        self.is_finished = ends_as_bag(file, self._size)

    def read(self, record: Record) -> bytes:
        """Returns the body of a record; it is shorter if the file was truncated meanwhile."""
        return self._read(record.body, record.length)

    def summary(self) -> Iterator[Record]:
        """Yields the records of the summary section; none if it is missing or its checksum does not match."""
        position = _summary_start(self._file, self._size)
        while position is not None and position < self._size:
            record, state = self._judge(position)
            if record is None or state is not _State.SOUND:
                return
            yield record
            position = None if record.opcode == Opcode.FOOTER else record.end

    def index_after(self, chunk: Record) -> Counter[int]:
        """Returns the number of messages of each channel in a chunk, by its index; empty if that is damaged."""
        counts: Counter[int] = Counter()
        position = chunk.end
        while position < self._size:
            record, state = self._judge(position)
            if record is None or state is not _State.SOUND:
                return Counter()
            if record.opcode != Opcode.MESSAGE_INDEX:
                break
            counts[int.from_bytes(self._read(record.body, 2), "little")] += (
                record.length - 6
            ) // _INDEX_ENTRY
            position = record.end
        return counts

    def __iter__(self) -> Iterator[Record]:
        position: int | None = len(MCAP0_MAGIC)
        if self._read(0, len(MCAP0_MAGIC)) != MCAP0_MAGIC:
            position = self._search(0)
            self._damaged(0, "the file does not begin as an MCAP file does", False)
        while position is not None and position < self._size:
            record, state = self._judge(position)
            if state is _State.CUT:
                self._damaged(position, "the file ends in the middle of a record", True)
                return
            if state is _State.BROKEN:
                position = self._skip(position, record)
                continue
            assert record is not None
            if record.opcode in (Opcode.DATA_END, Opcode.FOOTER):
                return
            yield record
            position = record.end
        if position is not None and not self.is_finished:
            self._damaged(self._size, "the file has no end mark: its recorder did not come to close it", True)

    def holds_any(self) -> bool:
        """Returns whether the file contains a record."""
        return self._search(0) is not None

    def _skip(self, position: int, record: Record | None) -> int | None:
        after = self._search(position + 1)
        if after is not None:
            self._damaged(position, f"{after - position} bytes are damaged and skipped", False)
            return after
        runs_over = record is not None and record.opcode in _KNOWN and record.end > self._size
        text = f"nothing can be read from here to the file's end ({self._size - position} bytes)"
        self._damaged(position, text, runs_over and not self.is_finished)
        return None

    def _judge(self, position: int) -> tuple[Record | None, _State]:
        peek = self._read(position, _HEAD.size + _PEEK_BYTES)
        if len(peek) < _HEAD.size:
            return None, _State.BROKEN if self.is_finished else _State.CUT
        record = Record(position, *_HEAD.unpack_from(peek))
        try:
            own = _own_length(record.opcode, peek[_HEAD.size :])
        except (
            struct.error
        ):  # the data end before the fields do: the end of the file, or an implausible length
            cut = record.end > self._size and len(peek) < _HEAD.size + _PEEK_BYTES and not self.is_finished
            return record, _State.CUT if cut else _State.BROKEN
        if _is_absurd(record):
            return record, _State.BROKEN
        if record.end > self._size:
            cut = own == record.length and not self.is_finished
            return record, _State.CUT if cut else _State.BROKEN
        if own == record.length:
            return record, _State.SOUND
        if record.opcode in (Opcode.DATA_END, Opcode.FOOTER) or _is_chunk(record, peek):
            return record, _State.BROKEN
        # A record that is longer than its fields is of a later version of the format, or damaged.
        sound = (own or 0) <= record.length and self._may_begin(record.end)
        return record, _State.SOUND if sound else _State.BROKEN

    def _may_begin(self, position: int) -> bool:
        """Returns whether a record, or the end of a truncated file, can be at this position."""
        peek = self._read(position, _HEAD.size + _PEEK_BYTES)
        if len(peek) < _HEAD.size:
            return not self.is_finished
        record = Record(position, *_HEAD.unpack_from(peek))
        try:
            own = _own_length(record.opcode, peek[_HEAD.size :])
        except struct.error:
            return not self.is_finished and record.end > self._size
        if _is_absurd(record) or (record.end > self._size and self.is_finished):
            return False
        return record.opcode in _KNOWN if own is None else own == record.length

    def _search(self, start: int, candidate: re.Pattern[bytes] = _CANDIDATE) -> int | None:
        """Returns the first position from `start` on at which a record is recognised among the candidates."""
        while start < self._size:
            block = self._read(start, _SEARCH_BYTES + _HEAD.size)
            for found in candidate.finditer(block, 0, len(block)):
                if found.start() < _SEARCH_BYTES and self._is_found(start + found.start()):
                    return start + found.start()
            start += _SEARCH_BYTES
        return None

    def _is_found(self, position: int) -> bool:
        record, state = self._judge(position)
        if record is None or state is not _State.SOUND:
            return False
        if record.opcode == Opcode.CHUNK:
            return True
        if record.opcode in _CONTENT and self._has_chunks:
            # It is in a chunk with a damaged header, without whose checksum its content cannot be verified.
            return False
        if record.opcode == Opcode.MESSAGE:
            channel = int.from_bytes(self._read(record.body, 2), "little")
            return channel in self._channels and self._may_begin(record.end)
        return self._may_begin(record.end)

    @cached_property
    def _has_chunks(self) -> bool:
        """Whether the file has chunks: whether a search finds a complete one."""
        position = self._search(0, _CHUNK)
        while position is not None:
            record, _ = self._judge(position)
            assert record is not None
            with suppress(ChunkError):
                unpack(self.read(record))
                return True
            position = self._search(position + 1, _CHUNK)
        return False

    def _read(self, position: int, count: int) -> bytes:
        return os.pread(self._file, max(0, min(count, self._size - position)), position)


_CONTENT = frozenset((Opcode.SCHEMA, Opcode.CHANNEL, Opcode.MESSAGE))  # records in chunks
_KNOWN = frozenset(int(opcode) for opcode in Opcode)


def begins_as_bag(file: int) -> bool:
    """Returns whether a file begins with the magic bytes of MCAP or, if they are damaged, contains any record."""
    return (
        os.pread(file, len(MCAP0_MAGIC), 0) == MCAP0_MAGIC or Records(file, (), lambda *_: None).holds_any()
    )


def ends_as_bag(file: int, size: int) -> bool:
    """Returns whether a file of this size [bytes] ends with the magic bytes that are written when it is closed."""
    mark = len(MCAP0_MAGIC)
    return size > mark and os.pread(file, mark, size - mark) == MCAP0_MAGIC


def _summary_start(file: int, size: int) -> int | None:
    footer = size - len(MCAP0_MAGIC) - _FOOTER.size
    if footer < 0 or not ends_as_bag(file, size):
        return None
    opcode, length, start, _, checksum = _FOOTER.unpack(os.pread(file, _FOOTER.size, footer))
    if (opcode, length) != (Opcode.FOOTER, _FOOTER.size - _HEAD.size) or not 0 < start <= footer:
        return None
    checked = footer + _FOOTER.size - 4 - start
    if checksum and (checked > _MAX_BYTES or zlib.crc32(os.pread(file, checked, start)) != checksum):
        return None
    return int(start)


def _is_absurd(record: Record) -> bool:
    too_long = record.length > _MAX_BYTES and record.opcode != Opcode.ATTACHMENT
    too_short = record.length < _MESSAGE_HEAD and record.opcode == Opcode.MESSAGE
    return record.opcode == 0 or too_long or too_short


def _is_chunk(record: Record, peek: bytes) -> bool:
    """Returns whether a record has the fields of a chunk, whatever its opcode."""
    try:
        return _own_length(Opcode.CHUNK, peek[_HEAD.size :]) == record.length
    except struct.error:
        return False


def _own_length(opcode: int, body: bytes) -> int | None:
    """Returns the length of a body according to the lengths of its fields; None if they do not determine it.

    Raises:
        struct.error: The body is too short.
    """

    def text(at: int) -> int:
        return at + 4 + int(struct.unpack_from("<I", body, at)[0])

    if opcode == Opcode.CHUNK:
        data = text(28)
        return data + 8 + int(struct.unpack_from("<Q", body, data)[0])
    if opcode == Opcode.MESSAGE_INDEX:
        return text(2)
    if opcode == Opcode.SCHEMA:
        return text(text(text(2)))
    if opcode == Opcode.CHANNEL:
        return text(text(text(4)))
    if opcode == Opcode.HEADER:
        return text(text(0))
    return {Opcode.DATA_END: 4, Opcode.FOOTER: 20}.get(Opcode(opcode)) if opcode in _KNOWN else None
