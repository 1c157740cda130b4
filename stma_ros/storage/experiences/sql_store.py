"""What stores of experiences in databases with SQL have in common: tables, statements, and the rule of forgetting."""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stma_ros.storage.codec import CodecError
from stma_ros.storage.experiences.document import decode_course, encode_course
from stma_ros.storage.experiences.identity import identify
from stma_ros.storage.experiences.store import (
    Added,
    ExperiencesUnreadableError,
    Unembedded,
    VectorChanges,
)
from stma_ros.types.experience import Experience, Finding, RuleOfThumb
from stma_ros.types.planning import TaskStatus
from stma_ros.types.standard import Time

SCHEMA = 2
"""Version of the tables; `MIGRATIONS` brings older ones up to it."""

_TABLES = """
CREATE TABLE experience (
    number {serial},
    id TEXT NOT NULL UNIQUE,
    domain TEXT NOT NULL,
    task TEXT NOT NULL,
    robot TEXT NOT NULL,
    home TEXT NOT NULL,
    stamp BIGINT NOT NULL,
    status INTEGER NOT NULL,
    score DOUBLE PRECISION NOT NULL,
    justification TEXT NOT NULL,
    occurrences BIGINT NOT NULL,
    steps {bytes} NOT NULL
);
CREATE INDEX worst_first ON experience (score, stamp, number);
CREATE TABLE vector (
    version BIGINT PRIMARY KEY,
    embedder TEXT NOT NULL,
    number BIGINT NOT NULL,
    vector {bytes} NOT NULL,
    UNIQUE (embedder, number)
);
CREATE TABLE finding (
    number BIGINT NOT NULL,
    domain TEXT NOT NULL,
    thing TEXT NOT NULL,
    place TEXT NOT NULL,
    room TEXT NOT NULL,
    found INTEGER NOT NULL
);
CREATE INDEX finding_of_experience ON finding (number);
CREATE INDEX finding_of_thing ON finding (domain, thing);
CREATE TABLE forgotten (version BIGINT PRIMARY KEY, number BIGINT NOT NULL);
CREATE TABLE last_version (version BIGINT NOT NULL);
INSERT INTO last_version VALUES (0);
"""

# What is asked at each step is counted when it changes, so that no question grows with the experiences.
_COUNTS = """
CREATE TABLE rule (
    domain TEXT NOT NULL,
    thing TEXT NOT NULL,
    place TEXT NOT NULL,
    room TEXT NOT NULL,
    found BIGINT NOT NULL,
    looked BIGINT NOT NULL,
    PRIMARY KEY (domain, thing, place, room)
);
INSERT INTO rule
SELECT domain, thing, place, room, sum(found), count(*) FROM finding GROUP BY domain, thing, place, room;
DROP INDEX finding_of_thing;
ALTER TABLE last_version ADD COLUMN experiences BIGINT NOT NULL DEFAULT 0;
UPDATE last_version SET experiences = (SELECT count(*) FROM experience);
CREATE INDEX vector_of_experience ON vector (number);
"""

MIGRATIONS: dict[int, str] = {0: _TABLES, 1: _COUNTS}
"""Statements that bring the tables of a version to the next one. 0 is an empty database."""

_OWN_COLUMNS = "id, domain, task, robot, home, stamp, status, score, justification, occurrences, steps"
_COLUMNS = f"number, {_OWN_COLUMNS}"
_COMPRESSION = 1
_MANY = 500  # rows or numbers in one statement
_MAX_OCCURRENCES = 2**32 - 1  # that a message can hold
_VECTORS = 4096  # in one answer about changes, which bounds the memory for it


class SqlExperienceStore(ABC):
    """The part of an ExperienceStore that does not depend on the database.

    When there are more experiences than it may hold, those with the lowest score are forgotten, and among equal ones
    the oldest.
    """

    _TYPES: ClassVar[dict[str, str]]
    """What the database calls the types in the tables above: serial and bytes."""

    def __init__(self, name: str, capacity: int) -> None:
        """Sets the name in messages, and the largest number of experiences, at least 1."""
        self._name = name
        self._capacity = capacity

    @abstractmethod
    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        """Executes a statement, with a question mark for each value, and returns the rows of its result."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[None]:
        """Makes one transaction of a block, in which nobody else writes."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[None]:
        """Lets a block read from one state of the database."""

    @abstractmethod
    def _errors(self) -> AbstractContextManager[None]:
        """Raises the errors of the database as those of a store."""

    @abstractmethod
    def close(self) -> None:
        """Closes the store."""

    def _statements(self, schema: int) -> list[str]:
        """Returns the statements that bring the tables of a version to the next one."""
        return list(filter(str.strip, MIGRATIONS[schema].format(**self._TYPES).split(";")))

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
            held = self._execute("SELECT number, score, occurrences FROM experience WHERE id = ?", (name,))
            if held:
                self._count_again(experience, *held[0])
                return Added(name, False, ())
            number = self._insert(experience, name)
            self._insert_vectors(embedder, [number], vector.reshape(1, -1))
            self._insert_findings(number, experience.domain, findings)
            return Added(name, True, self._make_room())

    def _count_again(self, experience: Experience, number: int, score: float, occurrences: int) -> None:
        columns: dict[str, object] = {
            "occurrences": min(occurrences + experience.occurrences, _MAX_OCCURRENCES)
        }
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
        self._execute(f"UPDATE experience SET {names} WHERE number = ?", (*columns.values(), number))
        self._next_version()  # what others have read of it is outdated

    def _insert(self, experience: Experience, name: str) -> int:
        ((number,),) = self._execute(
            f"INSERT INTO experience ({_OWN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING number",
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
        self._execute("UPDATE last_version SET experiences = experiences + 1")
        return int(number)

    def _insert_findings(self, number: int, domain: str, findings: Collection[Finding]) -> None:
        about = [(domain, each.thing, each.place, each.room, int(each.found)) for each in findings]
        self._insert_rows("INSERT INTO finding VALUES", [(number, *each) for each in about])
        self._count(about, 1)

    def _delete_findings(self, number: int) -> None:
        about = self._execute(
            "DELETE FROM finding WHERE number = ? RETURNING domain, thing, place, room, found", (number,)
        )
        self._count([tuple(each) for each in about], -1)
        for domain, thing in {(each[0], each[1]) for each in about}:
            self._execute("DELETE FROM rule WHERE domain = ? AND thing = ? AND looked = 0", (domain, thing))

    def _count(self, findings: Sequence[tuple[Any, ...]], sign: int) -> None:
        """Adds findings (domain, thing, place, room, found) to the rules of thumb, or takes them away."""
        looked = Counter(about[:-1] for about in findings)
        found = Counter(about[:-1] for about in findings if about[-1])
        # Each rule is in one row: PostgreSQL changes none twice in a statement.
        self._insert_rows(
            "INSERT INTO rule VALUES",
            [(*rule, sign * found[rule], sign * looked[rule]) for rule in looked],
            "ON CONFLICT (domain, thing, place, room) DO UPDATE SET "
            "found = rule.found + excluded.found, looked = rule.looked + excluded.looked",
        )

    def _insert_rows(self, insert: str, rows: Sequence[tuple[object, ...]], then: str = "") -> None:
        """Inserts rows of the same length by a statement that ends with VALUES."""
        for start in range(0, len(rows), _MANY):
            part = rows[start : start + _MANY]
            marks = ", ".join([f"({', '.join('?' * len(part[0]))})"] * len(part))
            self._execute(f"{insert} {marks} {then}", [value for row in part for value in row])

    def _make_room(self) -> tuple[str, ...]:
        excess = len(self) - self._capacity
        if excess <= 0:
            return ()
        worst = self._execute(
            "SELECT number, id FROM experience ORDER BY score, stamp, number LIMIT ?", (excess,)
        )
        self._delete([number for number, _ in worst])
        return tuple(name for _, name in worst)

    def _delete(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._execute("DELETE FROM experience WHERE number = ?", (number,))
            self._execute("UPDATE last_version SET experiences = experiences - 1")
            self._execute("DELETE FROM vector WHERE number = ?", (number,))
            self._delete_findings(number)
            self._execute("INSERT INTO forgotten VALUES (?, ?)", (self._next_version(), number))

    def embed(self, embedder: str, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        with self._errors(), self._writing():
            held = self._select_many("SELECT number FROM experience WHERE number IN", numbers)
            known = {number for (number,) in held}
            rows = [row for row, number in enumerate(numbers) if number in known]
            self._insert_vectors(embedder, [numbers[row] for row in rows], vectors[rows])

    def _insert_vectors(self, embedder: str, numbers: Sequence[int], vectors: NDArray[np.float32]) -> None:
        for number, vector in zip(numbers, np.ascontiguousarray(vectors, np.float32), strict=True):
            self._execute(
                "INSERT INTO vector (version, embedder, number, vector) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (self._next_version(), embedder, number, vector.tobytes()),
            )

    def _next_version(self) -> int:
        ((version,),) = self._execute("UPDATE last_version SET version = version + 1 RETURNING version")
        return int(version)

    def _last_version(self) -> int:
        ((version,),) = self._execute("SELECT version FROM last_version")
        return int(version)

    def forget(self, ids: Collection[str]) -> int:
        with self._errors(), self._writing():
            numbers = [
                number for (number,) in self._select_many("SELECT number FROM experience WHERE id IN", ids)
            ]
            self._delete(numbers)
            return len(numbers)

    # -- reading

    def version(self) -> int:
        with self._errors():
            return self._last_version()

    def changes(self, embedder: str, version: int) -> VectorChanges:
        with self._errors(), self._reading():
            last = self._last_version()
            if last == version:
                return VectorChanges(last, (), (), np.empty((0, 0), np.float32), ())
            # The text is joined with nothing so that no index of embedders is used, which has all their vectors.
            rows = self._execute(
                "SELECT vector.number, domain, vector, vector.version FROM vector JOIN experience USING (number) "
                "WHERE vector.version > ? AND embedder || '' = ? ORDER BY vector.version LIMIT ?",
                (version, embedder, _VECTORS),
            )
            if len(rows) == _VECTORS:
                last = int(rows[-1][3])
            forgotten = self._execute(
                "SELECT number FROM forgotten WHERE version > ? AND version <= ? ORDER BY version",
                (version, last),
            )
        shape = (len(rows), len(rows[0][2]) // np.float32().nbytes) if rows else (0, 0)
        try:
            vectors = np.frombuffer(b"".join(row[2] for row in rows), np.float32).reshape(shape)
        except ValueError as error:
            raise ExperiencesUnreadableError(
                f"{self._name} is damaged: the vectors of {embedder} differ in length. It is left as it is"
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
            rows = self._execute(
                f"SELECT {_COLUMNS} FROM experience WHERE number NOT IN "
                "(SELECT number FROM vector WHERE embedder = ?) ORDER BY number LIMIT ?",
                (embedder, limit),
            )
        return [Unembedded(row[0], self._experience(row)) for row in rows]

    def read(self, numbers: Collection[int]) -> dict[int, Experience]:
        with self._errors():
            rows = self._select_many(f"SELECT {_COLUMNS} FROM experience WHERE number IN", numbers)
        return {row[0]: self._experience(row) for row in rows}

    def things(self, domain: str) -> Sequence[str]:
        with self._errors():
            rows = self._execute("SELECT DISTINCT thing FROM rule WHERE domain = ?", (domain,))
        return sorted(thing for (thing,) in rows)

    def rules_of_thumb(self, domain: str, things: Collection[str]) -> Sequence[RuleOfThumb]:
        if not things:
            return []
        marks = ", ".join("?" * len(things))
        with self._errors():
            rows = self._execute(
                f"SELECT thing, place, room, found, looked FROM rule WHERE domain = ? AND thing IN ({marks})",
                (domain, *things),
            )
        rules = [
            RuleOfThumb(thing=thing, place=place, room=room, found=found, looked=looked)
            for thing, place, room, found, looked in rows
        ]
        return sorted(rules, key=lambda rule: (rule.thing, -rule.found, -rule.looked, rule.place, rule.room))

    def find(self, prefix: str) -> Sequence[Experience]:
        with self._errors():
            rows = self._execute(
                f"SELECT {_COLUMNS} FROM experience WHERE substr(id, 1, ?) = ? ORDER BY id LIMIT 2",
                (len(prefix), prefix),
            )
        return [self._experience(row) for row in rows]

    def all(self) -> Iterator[Experience]:
        last = 0
        while True:
            with self._errors():
                rows = self._execute(
                    f"SELECT {_COLUMNS} FROM experience WHERE number > ? ORDER BY number LIMIT ?",
                    (last, _MANY),
                )
            if not rows:
                return
            yield from map(self._experience, rows)
            last = rows[-1][0]

    def __len__(self) -> int:
        with self._errors():
            ((count,),) = self._execute("SELECT experiences FROM last_version")
        return int(count)

    def _select_many(self, statement: str, keys: Collection[object]) -> list[tuple[Any, ...]]:
        """Returns the rows of a statement that ends with "IN", for any number of keys."""
        rows: list[tuple[Any, ...]] = []
        listed = list(keys)
        for start in range(0, len(listed), _MANY):
            part = listed[start : start + _MANY]
            marks = ", ".join("?" * len(part))
            rows += self._execute(f"{statement} ({marks})", part)
        return rows

    def _experience(self, row: Sequence[Any]) -> Experience:
        _, name, domain, task, robot, home, stamp, status, score, justification, occurrences, steps = row
        try:
            course = decode_course(json.loads(zlib.decompress(steps)))
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
                steps=course.steps,
                surroundings=course.surroundings,
            )
        except (zlib.error, CodecError, ValueError, TypeError) as error:
            raise ExperiencesUnreadableError(
                f"{self._name} is damaged: experience {name} cannot be read ({error}). It is left as it is; "
                f"`stma experiences forget` drops it"
            ) from error


def _pack(experience: Experience) -> bytes:
    return zlib.compress(json.dumps(encode_course(experience), separators=(",", ":")).encode(), _COMPRESSION)
