"""Reads the messages of one MCAP file, which may be unfinished or damaged."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from mcap.data_stream import ReadDataStream
from mcap.exceptions import EndOfFile
from mcap.opcode import Opcode
from mcap.records import Channel, Schema, Statistics

from stma_ros.storage.bag.mcap.chunk import (
    Buffer,
    ChunkError,
    Packed,
    declaration,
    inner_records,
    message_at,
    unpack,
)
from stma_ros.storage.bag.mcap.records import Record, Records, begins_as_bag
from stma_ros.storage.bag.messages import Damage, Definition, NoBagError, OnDamage, RawMessage
from stma_ros.types.errors import StorageError

_SCHEMALESS = 0


class McapFile:
    """An MCAP file; one chunk at a time is in memory."""

    def __init__(self, path: Path, definitions: dict[str, Definition]) -> None:
        """Makes a reader.

        Args:
            path: The file.
            definitions: Mapping to which the definitions in the file are added as they are found.
        """
        self.path = path
        self._definitions = definitions
        self._schemas: dict[int, Schema] = {}
        self._channels: dict[int, Channel] = {}
        self._nameless: set[int] = set()
        self._knows_all_channels = False

    def counts(self) -> dict[tuple[str, str], int] | None:
        with self._opened() as stream:
            statistics = self._read_summary(Records(stream.fileno(), (), _ignore))
        if statistics is None:
            return None
        counts: Counter[tuple[str, str]] = Counter()
        for channel in self._channels.values():
            schema = self._schemas.get(channel.schema_id)
            count = statistics.channel_message_counts.get(channel.id, 0)
            counts[channel.topic, schema.name if schema else ""] += count
        return dict(counts)

    def messages(self, on_damage: OnDamage, wanted: Callable[[str], bool]) -> Iterator[RawMessage]:
        def damaged(offset: int, text: str, is_cut: bool = False) -> None:
            on_damage(Damage(self.path, offset, text, is_cut))

        self._nameless.clear()
        with self._opened() as stream:
            if not begins_as_bag(stream.fileno()):
                raise NoBagError("holds no bag; name a run's folder or an .mcap file")
            records = Records(stream.fileno(), self._channels, damaged)
            self._knows_all_channels = self._read_summary(records) is not None
            yield from self._messages(records, damaged, wanted)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        try:
            with self.path.open("rb") as stream:
                yield stream
        except FileNotFoundError as error:
            raise StorageError(f"{self.path} is missing; name a run's folder or an .mcap file") from error
        except OSError as error:
            raise StorageError(f"{self.path} cannot be read ({error.strerror})") from error

    def _messages(
        self, records: Records, damaged: Callable[[int, str], None], wanted: Callable[[str], bool]
    ) -> Iterator[RawMessage]:
        for record in records:
            try:
                if record.opcode == Opcode.CHUNK:
                    if self._may_hold(records, record, wanted):
                        yield from self._chunk(record, unpack(records.read(record)), damaged, wanted)
                elif record.opcode == Opcode.MESSAGE:
                    body = records.read(record)
                    packed = message_at(body, 0, len(body))
                    yield from self._message(body, packed, record.offset, damaged, wanted)
                elif record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                    self._declare(declaration(record.opcode, records.read(record)))
            except ChunkError as error:
                lost = records.index_after(record).total() if record.opcode == Opcode.CHUNK else 0
                what = "chunk" if record.opcode == Opcode.CHUNK else "record"
                count = f"some {lost}" if lost else "an unknown number of"
                damaged(record.offset, f"a {what} is damaged ({error}); {count} messages are lost")

    def _may_hold(self, records: Records, chunk: Record, wanted: Callable[[str], bool]) -> bool:
        """Returns whether a chunk may contain wanted messages, or declarations that occur nowhere else."""
        if not self._knows_all_channels:
            return True
        found = records.index_after(chunk)
        return not found or any(
            number not in self._channels or wanted(self._channels[number].topic) for number in found
        )

    def _chunk(
        self,
        record: Record,
        content: Buffer,
        damaged: Callable[[int, str], None],
        wanted: Callable[[str], bool],
    ) -> Iterator[RawMessage]:
        for item in inner_records(content):
            if isinstance(item, (Schema, Channel)):
                self._declare(item)
            else:
                yield from self._message(content, item, record.offset, damaged, wanted)

    def _message(
        self,
        content: Buffer,
        packed: Packed,
        offset: int,
        damaged: Callable[[int, str], None],
        wanted: Callable[[str], bool],
    ) -> Iterator[RawMessage]:
        channel = self._channels.get(packed.channel)
        if channel is None:
            if packed.channel not in self._nameless:
                self._nameless.add(packed.channel)
                damaged(
                    offset, f"the topic of channel {packed.channel} is not known; its messages are left out"
                )
        elif wanted(channel.topic):
            schema = self._schemas.get(channel.schema_id)
            data = bytes(content[packed.start : packed.end])
            yield RawMessage(channel.topic, schema.name if schema else "", packed.log_time, data)

    def _declare(self, item: Schema | Channel) -> None:
        if isinstance(item, Schema):
            self._schemas[item.id] = item
            if item.data:
                self._definitions[item.name] = Definition(item.encoding, item.data.decode(errors="replace"))
        else:
            self._channels[item.id] = item

    def _read_summary(self, records: Records) -> Statistics | None:
        """Reads the declarations in the summary section, since the original ones may be damaged.

        Returns:
            The statistics of the file; None if they are missing or damaged, or if the summary does not repeat every
                topic with its type.
        """
        statistics = None
        for record in records.summary():
            try:
                if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                    self._declare(declaration(record.opcode, records.read(record)))
                elif record.opcode == Opcode.STATISTICS:
                    statistics = Statistics.read(ReadDataStream(BytesIO(records.read(record))))
            except (ChunkError, struct.error, EndOfFile):
                return None
        schemas = {channel.schema_id for channel in self._channels.values()}
        return statistics if schemas and schemas <= {_SCHEMALESS, *self._schemas} else None


def _ignore(offset: int, text: str, is_cut: bool) -> None:
    """Ignores damage, which is reported when the messages are read."""
