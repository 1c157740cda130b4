"""A store of experiences in one SQLite file, the default."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.storage.codec import CodecError
from stma_ros.storage.experiences.document import decode_steps, encode_steps
from stma_ros.storage.experiences.identity import identify
from stma_ros.storage.experiences.store import (
    Added,
    ExperienceNotStoredError,
    ExperiencesUnreachableError,
    ExperiencesUnreadableError,
    ExperiencesVersionError,
    Unembedded,
    VectorChanges,
)
from stma_ros.types.errors import StorageError
from stma_ros.types.experience import Experience, Finding, RuleOfThumb
from stma_ros.types.planning import TaskStatus
from stma_ros.types.standard import Time

SCHEMA = 1
"""Version of the tables; `_MIGRATIONS` brings older ones up to it."""

_APPLICATION = 0x57E0_A11E  # marks the file as ours, among the files of SQLite

_TABLES = """
CREATE TABLE experience (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    task TEXT NOT NULL,
    robot TEXT NOT NULL,
    home TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    status INTEGER NOT NULL,
    score REAL NOT NULL,
    justification TEXT NOT NULL,
    occurrences INTEGER NOT NULL,
    steps BLOB NOT NULL
);
CREATE INDEX worst_first ON experience (score, stamp, number);
CREATE TABLE vector (
    version INTEGER PRIMARY KEY,
    embedder TEXT NOT NULL,
    number INTEGER NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (embedder, number)
);
CREATE TABLE finding (
    number INTEGER NOT NULL,
    domain TEXT NOT NULL,
    thing TEXT NOT NULL,
    place TEXT NOT NULL,
    room TEXT NOT NULL,
    found INTEGER NOT NULL
);
CREATE INDEX finding_of_experience ON finding (number);
CREATE INDEX finding_of_thing ON finding (domain, thing);
CREATE TABLE forgotten (version INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE last_version (version INTEGER NOT NULL);
INSERT INTO last_version VALUES (0);
"""

_MIGRATIONS: dict[int, str] = {0: _TABLES}
"""Statements that bring the tables of a version to the next one. 0 is an empty file."""

_COLUMNS = "number, id, domain, task, robot, home, stamp, status, score, justification, occurrences, steps"

_WAIT = 10.0  # [s] for other writers
_COMPRESSION = 1
_MANY = 500  # numbers in one statement


class SqliteExperienceStore:
    """An ExperienceStore in a file. A committed write survives a power failure (write-ahead log, full synchronisation).

    When there are more experiences than it may hold, those with the lowest score are forgotten, and among equal ones
    the oldest.
    """

    def __init__(self, path: Path, capacity: int) -> None:
        """Opens the file; it is created with its folder if necessary.

        Args:
            path: The file.
            capacity: Largest number of experiences, at least 1.

        Raises:
            ExperiencesUnreadableError: The file is damaged, or no store of experiences; it is left as it is.
            ExperiencesVersionError: The file is of a later release; it is left as it is.
            ExperienceNotStoredError: The file or its folder cannot be created.
        """
        self._path = path
        self._capacity = capacity
        with self._errors():
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise ExperienceNotStoredError(
                    f"{path.parent} cannot be created ({error.strerror}); name another file"
                ) from error
            self._connection = sqlite3.connect(
                path, timeout=_WAIT, isolation_level=None, check_same_thread=False
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        execute = self._connection.execute
        self._check_version()
        execute("PRAGMA journal_mode=WAL")
        execute("PRAGMA synchronous=FULL")
        if self._schema() < SCHEMA:
            with self._writing():
                while (schema := self._schema()) < SCHEMA:  # another process may have done it meanwhile
                    for statement in filter(str.strip, _MIGRATIONS[schema].split(";")):
                        execute(statement)
                    execute(f"PRAGMA user_version={schema + 1}")
                execute(f"PRAGMA application_id={_APPLICATION}")

    def _schema(self) -> int:
        (schema,) = self._connection.execute("PRAGMA user_version").fetchone()
        return int(schema)

    def _check_version(self) -> None:
        (application,) = self._connection.execute("PRAGMA application_id").fetchone()
        (tables,) = self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != _APPLICATION:
            raise ExperiencesUnreadableError(
                f"{self._path} is a database, but none of experiences; it is left as it is. Name another file"
            )
        if self._schema() > SCHEMA:
            raise ExperiencesVersionError(
                f"{self._path} has tables of version {self._schema()}, this release reads up to {SCHEMA}; it is left "
                "as it is. Update stma_ros, or export the experiences as JSON Lines with the release that wrote them"
            )

    # -- writing

    def add(
        self,
        experience: Experience,
        embedder: str,
        vector: NDArray[np.float32],
        findings: Collection[Finding] = (),
    ) -> Added:
        name = identify(experience)
        with self._errors(), self._writing():
            held = self._connection.execute(
                "SELECT number, score, occurrences FROM experience WHERE id = ?", (name,)
            ).fetchone()
            if held is not None:
                self._count_again(experience, *held)
                return Added(name, False, ())
            number = self._insert(experience, name)
            self._insert_vectors(embedder, [number], vector.reshape(1, -1))
            self._connection.executemany(
                "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (number, experience.domain, each.thing, each.place, each.room, each.found)
                    for each in findings
                ],
            )
            return Added(name, True, self._make_room())

    def _count_again(self, experience: Experience, number: int, score: float, occurrences: int) -> None:
        columns: dict[str, object] = {"occurrences": occurrences + experience.occurrences}
        if experience.score > score:
            columns.update(
                robot=experience.robot,
                home=experience.home,
                stamp=experience.stamp.nanoseconds,
                status=experience.status.value,
                score=experience.score,
                justification=experience.justification,
                steps=_pack(experience),
            )
        names = ", ".join(f"{column} = ?" for column in columns)
        self._connection.execute(
            f"UPDATE experience SET {names} WHERE number = ?", (*columns.values(), number)
        )

    def _insert(self, experience: Experience, name: str) -> int:
        cursor = self._connection.execute(
            f"INSERT INTO experience ({_COLUMNS}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                name,
                experience.domain,
                experience.task,
                experience.robot,
                experience.home,
                experience.stamp.nanoseconds,
                experience.status.value,
                experience.score,
                experience.justification,
                experience.occurrences,
                _pack(experience),
            ),
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _make_room(self) -> tuple[str, ...]:
        excess = len(self) - self._capacity
        if excess <= 0:
            return ()
        worst = self._connection.execute(
            "SELECT number, id FROM experience ORDER BY score, stamp, number LIMIT ?", (excess,)
        ).fetchall()
        self._delete([number for number, _ in worst])
        return tuple(name for _, name in worst)

    def _delete(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._connection.execute("DELETE FROM experience WHERE number = ?", (number,))
            self._connection.execute("DELETE FROM vector WHERE number = ?", (number,))
            self._connection.execute("DELETE FROM finding WHERE number = ?", (number,))
            self._connection.execute("INSERT INTO forgotten VALUES (?, ?)", (self._next_version(), number))

    def embed(self, embedder: str, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        with self._errors(), self._writing():
            held = self._select_many("SELECT number FROM experience WHERE number IN", numbers)
            known = {number for (number,) in held}
            rows = [row for row, number in enumerate(numbers) if number in known]
            self._insert_vectors(embedder, [numbers[row] for row in rows], vectors[rows])

    def _insert_vectors(self, embedder: str, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        for number, vector in zip(numbers, np.ascontiguousarray(vectors, np.float32), strict=True):
            self._connection.execute(
                "INSERT OR IGNORE INTO vector (version, embedder, number, vector) VALUES (?, ?, ?, ?)",
                (self._next_version(), embedder, number, vector.tobytes()),
            )

    def _next_version(self) -> int:
        self._connection.execute("UPDATE last_version SET version = version + 1")
        return self._last_version()

    def _last_version(self) -> int:
        (version,) = self._connection.execute("SELECT version FROM last_version").fetchone()
        return int(version)

    def forget(self, ids: Collection[str]) -> int:
        with self._errors(), self._writing():
            numbers = [
                number for (number,) in self._select_many("SELECT number FROM experience WHERE id IN", ids)
            ]
            self._delete(numbers)
            return len(numbers)

    # -- reading

    def changes(self, embedder: str, version: int) -> VectorChanges:
        with self._errors(), self._reading():
            last = self._last_version()
            if last == version:
                return VectorChanges(last, (), (), np.empty((0, 0), np.float32), ())
            rows = self._connection.execute(
                "SELECT vector.number, domain, vector FROM vector JOIN experience USING (number) "
                "WHERE vector.version > ? AND embedder = ? ORDER BY vector.number",
                (version, embedder),
            ).fetchall()
            forgotten = self._connection.execute(
                "SELECT number FROM forgotten WHERE version > ? ORDER BY version", (version,)
            ).fetchall()
        shape = (len(rows), len(rows[0][2]) // np.float32().nbytes) if rows else (0, 0)
        try:
            vectors = np.frombuffer(b"".join(row[2] for row in rows), np.float32).reshape(shape)
        except ValueError as error:
            raise ExperiencesUnreadableError(
                f"{self._path} is damaged: the vectors of {embedder} differ in length. It is left as it is"
            ) from error
        return VectorChanges(
            last,
            tuple(row[0] for row in rows),
            tuple(row[1] for row in rows),
            vectors,
            tuple(number for (number,) in forgotten),
        )

    def unembedded(self, embedder: str, limit: int) -> Sequence[Unembedded]:
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM experience WHERE number NOT IN "
                "(SELECT number FROM vector WHERE embedder = ?) ORDER BY number LIMIT ?",
                (embedder, limit),
            ).fetchall()
        return [Unembedded(row[0], self._experience(row)) for row in rows]

    def read(self, numbers: Collection[int]) -> dict[int, Experience]:
        with self._errors():
            rows = self._select_many(f"SELECT {_COLUMNS} FROM experience WHERE number IN", numbers)
        return {row[0]: self._experience(row) for row in rows}

    def things(self, domain: str) -> Sequence[str]:
        with self._errors():
            rows = self._connection.execute(
                "SELECT DISTINCT thing FROM finding WHERE domain = ? ORDER BY thing", (domain,)
            ).fetchall()
        return [thing for (thing,) in rows]

    def rules_of_thumb(self, domain: str, things: Collection[str]) -> Sequence[RuleOfThumb]:
        marks = ", ".join("?" * len(things))
        with self._errors():
            rows = self._connection.execute(
                "SELECT thing, place, room, sum(found) AS found, count(*) AS looked FROM finding "
                f"WHERE domain = ? AND thing IN ({marks}) GROUP BY thing, place, room "
                "ORDER BY thing, found DESC, looked DESC, place, room",
                (domain, *things),
            ).fetchall()
        return [
            RuleOfThumb(thing=thing, place=place, room=room, found=found, looked=looked)
            for thing, place, room, found, looked in rows
        ]

    def find(self, prefix: str) -> Sequence[Experience]:
        with self._errors():
            rows = self._connection.execute(
                f"SELECT {_COLUMNS} FROM experience WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 2",
                (len(prefix), prefix),
            ).fetchall()
        return [self._experience(row) for row in rows]

    def all(self) -> Iterator[Experience]:
        last = 0
        while True:
            with self._errors():
                rows = self._connection.execute(
                    f"SELECT {_COLUMNS} FROM experience WHERE number > ? ORDER BY number LIMIT ?",
                    (last, _MANY),
                ).fetchall()
            if not rows:
                return
            yield from map(self._experience, rows)
            last = rows[-1][0]

    def __len__(self) -> int:
        with self._errors():
            (count,) = self._connection.execute("SELECT count(*) FROM experience").fetchone()
        return int(count)

    def close(self) -> None:
        with self._errors():
            self._connection.close()

    def _select_many(self, statement: str, keys: Collection[object]) -> list[tuple[Any, ...]]:
        """Returns the rows of a statement that ends with "IN", for any number of keys."""
        rows: list[tuple[Any, ...]] = []
        listed = list(keys)
        for start in range(0, len(listed), _MANY):
            part = listed[start : start + _MANY]
            marks = ", ".join("?" * len(part))
            rows += self._connection.execute(f"{statement} ({marks})", part).fetchall()
        return rows

    def _experience(self, row: Sequence[Any]) -> Experience:
        _, name, domain, task, robot, home, stamp, status, score, justification, occurrences, steps = row
        try:
            return Experience(
                id=name,
                domain=domain,
                task=task,
                robot=robot,
                home=home,
                stamp=Time.from_nanoseconds(stamp),
                status=TaskStatus(status),
                score=score,
                justification=justification,
                occurrences=occurrences,
                steps=decode_steps(json.loads(zlib.decompress(steps))),
            )
        except (zlib.error, CodecError, ValueError, TypeError) as error:
            raise ExperiencesUnreadableError(
                f"{self._path} is damaged: experience {name} cannot be read ({error}). The file is left as it is; "
                f"`stma experiences forget {name}` drops it"
            ) from error

    # -- transactions

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Makes one transaction of a block; the lock is taken first, so that nothing read in it is outdated."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Lets a block read from one state of the database."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Raises the errors of SQLite as those of a store."""
        try:
            yield
        except sqlite3.Error as error:
            raise _error(self._path, error) from error


def _pack(experience: Experience) -> bytes:
    return zlib.compress(
        json.dumps(encode_steps(experience.steps), separators=(",", ":")).encode(), _COMPRESSION
    )


def _error(path: Path, error: sqlite3.Error) -> StorageError:
    """Returns the error of a store for one of SQLite, which has error codes only from Python 3.11 on."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return ExperiencesUnreachableError(
            f"{path} was being written by another process for {_WAIT:.0f} s; try again, or end that process"
        )
    if "full" in text:
        return ExperienceNotStoredError(f"the disk of {path} is full: make room there, or name another file")
    if "readonly" in text or "unable to open" in text:
        return ExperienceNotStoredError(
            f"{path} cannot be opened for writing ({text}): name a file in a folder that can be written"
        )
    if "malformed" in text or "not a database" in text:
        return ExperiencesUnreadableError(
            f"{path} is damaged, or no store of experiences ({text}); it is left as it is. Restore it from a copy, or "
            "name another file"
        )
    return ExperiencesUnreadableError(f"{path} cannot be used ({text}); it is left as it is")
