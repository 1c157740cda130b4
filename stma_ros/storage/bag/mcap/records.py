"""Walks over the records of an MCAP file, and over its damaged places: https://mcap.dev/spec."""

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
_PEEK_BYTES = 512  # enough of a record for the lengths of its fields
_SEARCH_BYTES = 1024 * 1024
_LONGEST = 1024**3  # [bytes] of a record that is read whole; a longer one is a damaged length
_MESSAGE_HEAD = 22
_INDEX_ENTRY = 16  # [bytes] per message in a message index
# What a search may find: the first byte and the upper half of the length, which is zero.
_CANDIDATE = re.compile(rb"[\x03-\x07\x0f](?=[\s\S]{4}\x00{4})")
_CHUNK = re.compile(rb"\x06(?=[\s\S]{4}\x00{4})")


class Record(NamedTuple):
    """Where a record begins, what it is, and how long its body is, which begins 9 bytes later."""

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
    """The records of the data section, in order, of a file open for reading.

    `damaged(offset, text, is_cut)` is told of each place where there is none; the walk goes on with the next
    that can be made out. A record counts as sound when its fields agree with its length, or else (a message)
    when another record follows it. `channels` holds the ids of the channels known so far.
    """

    def __init__(
        self, file: int, channels: Container[int], damaged: Callable[[int, str, bool], None]
    ) -> None:
        self._file = file
        self._size = os.fstat(file).st_size
        self._channels = channels
        self._damaged = damaged
        self.is_finished = ends_as_bag(file, self._size)

    def read(self, record: Record) -> bytes:
        """The body of a record; shorter where the file has become so."""
        return self._read(record.body, record.length)

    def summary(self) -> Iterator[Record]:
        """The records of the summary section; none where there is none, or its checksum does not match."""
        position = _summary_start(self._file, self._size)
        while position is not None and position < self._size:
            record, state = self._judge(position)
            if record is None or state is not _State.SOUND:
                return
            yield record
            position = None if record.opcode == Opcode.FOOTER else record.end

    def index_after(self, chunk: Record) -> Counter[int]:
        """How many messages a chunk has of each channel, by the index that follows it; empty without a sound one."""
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
        """Whether there is a record anywhere."""
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
        except struct.error:  # the peek ends too early: at the file's end, or within an absurd length
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
        # A longer record than its fields need is one of a later version of the format, or damaged.
        sound = (own or 0) <= record.length and self._may_begin(record.end)
        return record, _State.SOUND if sound else _State.BROKEN

    def _may_begin(self, position: int) -> bool:
        """Whether a record, or the end of a file that was cut, can be at this place."""
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
        """The first place from `start` on where a record, of those that may be, can be made out."""
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
            return (
                False  # in a chunk whose head is damaged: without that, nothing tells whether it is as it was
            )
        if record.opcode == Opcode.MESSAGE:
            channel = int.from_bytes(self._read(record.body, 2), "little")
            return channel in self._channels and self._may_begin(record.end)
        return self._may_begin(record.end)

    @cached_property
    def _has_chunks(self) -> bool:
        """Found out, where there is damage, by a look through the file for one that is whole."""
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


_CONTENT = frozenset((Opcode.SCHEMA, Opcode.CHANNEL, Opcode.MESSAGE))  # what chunks hold
_KNOWN = frozenset(int(opcode) for opcode in Opcode)


def begins_as_bag(file: int) -> bool:
    """Whether there is an MCAP file's mark at the beginning, or, where that is damaged, any record at all."""
    return (
        os.pread(file, len(MCAP0_MAGIC), 0) == MCAP0_MAGIC or Records(file, (), lambda *_: None).holds_any()
    )


def ends_as_bag(file: int, size: int) -> bool:
    """Whether a file of this many bytes ends with the mark that a recorder sets when it closes a file."""
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
    if checksum and (checked > _LONGEST or zlib.crc32(os.pread(file, checked, start)) != checksum):
        return None
    return int(start)


def _is_absurd(record: Record) -> bool:
    too_long = record.length > _LONGEST and record.opcode != Opcode.ATTACHMENT
    too_short = record.length < _MESSAGE_HEAD and record.opcode == Opcode.MESSAGE
    return record.opcode == 0 or too_long or too_short


def _is_chunk(record: Record, peek: bytes) -> bool:
    """Whether a record has the fields of a chunk, whatever it calls itself."""
    try:
        return _own_length(Opcode.CHUNK, peek[_HEAD.size :]) == record.length
    except struct.error:
        return False


def _own_length(opcode: int, body: bytes) -> int | None:
    """The length of a body by the lengths within it; None where they do not determine it. Raises struct.error."""

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
