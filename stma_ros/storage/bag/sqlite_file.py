"""Reads the messages of one SQLite file of rosbag2, which is the default format from Foxy to Humble."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from stma_ros.storage.bag.messages import Damage, Definition, NoBagError, OnDamage, RawMessage

_ORDER = "SELECT id, topic_id, timestamp FROM messages ORDER BY timestamp, id"
_ROW = "SELECT topic_id, timestamp, data FROM messages WHERE id = ?"
_LONGEST_GAP = 3_000  # consecutive ids without a message, after which the search for messages ends

_Topics = Mapping[int, tuple[str, str]]  # name and type, by id


class SqliteFile:
    """A .db3 file.

    Messages are ordered by log time, and by the order of the recording if log times are equal. Messages after a damaged
    place are in the order of the recording.
    """

    def __init__(self, path: Path, definitions: dict[str, Definition]) -> None:
        """Makes a reader.

        Args:
            path: The file.
            definitions: Mapping to which the definitions in the file are added when it is first read.
        """
        self.path = path
        self._definitions = definitions

    def counts(self) -> dict[tuple[str, str], int] | None:
        query = (
            "SELECT name, type, count(messages.id) FROM topics LEFT JOIN messages ON topics.id = topic_id "
            "GROUP BY topics.id ORDER BY topics.id"
        )
        with closing(self._open()) as base:
            try:
                self._read_definitions(base)
                return {(name, ros_type): count for name, ros_type, count in base.execute(query)}
            except sqlite3.Error:
                return None  # the damage is reported when the file is read

    def messages(self, on_damage: OnDamage, wanted: Callable[[str], bool]) -> Iterator[RawMessage]:
        with closing(self._open()) as base:
            topics: _Topics = {}
            last = (-1, 0)
            try:
                self._read_definitions(base)
                rows = base.execute("SELECT id, name, type FROM topics")
                topics = {
                    number: (str(name), str(ros_type)) for number, name, ros_type in rows if wanted(name)
                }
                for number, topic, stamp in base.execute(_ORDER):
                    if topic in topics and isinstance(stamp, int) and (stamp, number) > last:
                        yield from _messages(base.execute(_ROW, (number,)), topics)
                        last = (stamp, number)
            except sqlite3.Error as error:
                lost = yield from _rescued(base, topics, last)
                text = f"the database is damaged ({_first_line(error)}); {lost} messages are lost"
                on_damage(Damage(self.path, 0, text))

    def _open(self) -> sqlite3.Connection:
        # A file that was not closed properly can be opened only for writing or as immutable.
        for mode in ("mode=ro", "immutable=1"):
            try:
                base = sqlite3.connect(f"{self.path.resolve().as_uri()}?{mode}", uri=True)
                base.execute(
                    "PRAGMA writable_schema = ON"
                )  # otherwise a truncated file is refused as a whole
                found = {
                    name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                }
            except sqlite3.Error as error:
                problem = f"cannot be read ({_first_line(error)})"
                continue
            if found >= {"topics", "messages"}:
                return base
            base.close()
            problem = "has no tables of topics and messages"
        raise NoBagError(f"holds no bag that can be read: it {problem}; name another file")

    def _read_definitions(self, base: sqlite3.Connection) -> None:
        if not base.execute("SELECT name FROM sqlite_master WHERE name = 'message_definitions'").fetchall():
            return  # Humble and older
        query = "SELECT topic_type, encoding, encoded_message_definition FROM message_definitions"
        for name, encoding, text in base.execute(query):
            if isinstance(text, str) and text:
                self._definitions[name] = Definition(encoding, text)


def _rescued(
    base: sqlite3.Connection, topics: _Topics, last: tuple[int, int]
) -> Generator[RawMessage, None, str]:
    """Reads each message by its id, because the order is damaged; messages up to `last` are left out.

    Returns:
        The number of messages that could not be read, in words.
    """
    try:
        (highest,) = base.execute("SELECT max(id) FROM messages").fetchone()
    except sqlite3.Error:
        highest = None  # the end is missing
    number = gap = lost = 0
    while gap < _LONGEST_GAP and (highest is None or number < highest):
        number += 1
        gap += 1
        try:
            rows = base.execute(_ROW, (number,)).fetchall()
        except sqlite3.Error:
            lost += 1
            continue
        if rows:
            gap = 0
        yield from _messages(
            (row for row in rows if isinstance(row[1], int) and (row[1], number) > last), topics
        )
    return "an unknown number of" if highest is None else f"some {lost}"


def _messages(rows: Iterable[tuple[int, int, bytes]], topics: _Topics) -> Iterator[RawMessage]:
    for topic, stamp, data in rows:
        # The columns of a damaged file may contain values of any type.
        if topic in topics and isinstance(stamp, int) and isinstance(data, bytes):
            yield RawMessage(*topics[topic], stamp, data)


def _first_line(error: sqlite3.Error) -> str:
    """Returns the beginning of an error's text, since some errors quote the content of the file."""
    return str(error).partition("\n")[0][:100]
