"""Other libraries read all messages and values of our bags by the definitions stored in them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcap.exceptions import EndOfFile
from mcap.reader import NonSeekingReader, make_reader
from rosbags.highlevel import AnyReader

from stma_ros.storage.bag.reader import message_types
from stma_ros.storage.bag.writer import BagWriter
from stma_ros.storage.cdr import to_cdr
from stma_ros.storage.recording import RecordingConfig
from stma_ros.types.message import Message
from stma_ros.types.wire import from_wire
from support.storage.message_strategies import messages

TYPES = sorted(message_types().values(), key=lambda type_: type_.ROS_TYPE)
EVERYTHING = st.tuples(*map(messages, TYPES))
SPLIT = RecordingConfig(max_file_time=1.0)
SECOND = 1_000_000_000


def record(writer: BagWriter, said: tuple[Message, ...]) -> None:
    """Records every message twice, into two files."""
    for number in range(2):
        for message in said:
            topic = f"/{type(message).__name__}"
            writer.add_topic(topic, message.ROS_TYPE)
            writer.write(topic, to_cdr(message), number * SECOND)


def in_bytes(said: tuple[Message, ...]) -> list[tuple[str, bytes]]:
    return [(message.ROS_TYPE, to_cdr(message)) for message in said]


@settings(max_examples=2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(EVERYTHING)
def test_rosbags_reads_every_message_type(said: tuple[Message, ...]) -> None:
    with tempfile.TemporaryDirectory() as place:
        with BagWriter(Path(place), config=SPLIT) as writer:
            record(writer, said)
        with AnyReader([Path(place)]) as reader:
            read = [
                from_wire(reader.deserialize(data, connection.msgtype), message_types()[connection.msgtype])
                for connection, _, data in reader.messages()
            ]
        assert read == [*said, *said]


@settings(max_examples=2, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(EVERYTHING)
def test_mcap_reads_every_bag_file_with_and_without_its_index(said: tuple[Message, ...]) -> None:
    with tempfile.TemporaryDirectory() as place:
        with BagWriter(Path(place), config=SPLIT) as writer:
            record(writer, said)
            # As a recorder that is killed now leaves it: the first file is closed, the second is not.
            writer.flush()
            assert list(streamed(Path(place, "run_1.mcap"))) == in_bytes(said)
        for file in ("run.mcap", "run_1.mcap"):
            with Path(place, file).open("rb") as stream:
                reader = make_reader(stream, validate_crcs=True)
                read = [
                    (schema.name, message.data) for schema, _, message in reader.iter_messages() if schema
                ]
            assert read == in_bytes(said)


def streamed(file: Path) -> Iterator[tuple[str, bytes]]:
    with file.open("rb") as stream, suppress(EndOfFile):
        for schema, _, message in NonSeekingReader(stream).iter_messages(log_time_order=False):
            assert schema is not None
            yield schema.name, message.data
