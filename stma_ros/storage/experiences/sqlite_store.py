"""A store of experiences in one SQLite file, the default."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any, ClassVar

from stma_ros.storage.experiences.sql_store import SCHEMA, SqlExperienceStore
from stma_ros.storage.experiences.store import (
    ExperienceNotStoredError,
    ExperiencesUnreachableError,
    ExperiencesUnreadableError,
    ExperiencesVersionError,
)
from stma_ros.types.errors import StorageError

_APPLICATION = 0x57E0_A11E  # marks the file as ours, among the files of SQLite

_WAIT = 10.0  # [s] for other writers
_PAUSE = 0.01  # [s] between two attempts


class SqliteExperienceStore(SqlExperienceStore):
    """An ExperienceStore in a file, of which no power failure takes what is written (synchronised write-ahead log)."""

    _TYPES: ClassVar[dict[str, str]] = {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "bytes": "BLOB"}

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
        super().__init__(str(path), capacity)
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

    def close(self) -> None:
        with self._errors():
            self._connection.close()

    def _prepare(self) -> None:
        self._check_version()
        self._write_ahead()
        self._execute("PRAGMA synchronous=FULL")
        if self._schema() < SCHEMA:
            with self._writing():
                while (schema := self._schema()) < SCHEMA:  # another process may have done it meanwhile
                    for statement in self._statements(schema):
                        self._execute(statement)
                    self._execute(f"PRAGMA user_version={schema + 1}")
                self._execute(f"PRAGMA application_id={_APPLICATION}")

    def _write_ahead(self) -> None:
        """Switches to a write-ahead log, for which SQLite itself does not wait until others have written."""
        deadline = monotonic() + _WAIT
        while True:
            try:
                self._execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or monotonic() > deadline:
                    raise
                sleep(_PAUSE)

    def _schema(self) -> int:
        ((schema,),) = self._execute("PRAGMA user_version")
        return int(schema)

    def _check_version(self) -> None:
        # In this order: a process that makes the tables marks the file in the same transaction.
        ((tables,),) = self._execute("SELECT count(*) FROM sqlite_master")
        ((application,),) = self._execute("PRAGMA application_id")
        if tables and application != _APPLICATION:
            raise ExperiencesUnreadableError(
                f"{self._name} is a database, but none of experiences; it is left as it is. Name another file"
            )
        if self._schema() > SCHEMA:
            raise ExperiencesVersionError(
                f"{self._name} has tables of version {self._schema()}, this release reads up to {SCHEMA}; it is left "
                "as it is. Update stma_ros, or export the experiences as JSON Lines with the release that wrote them"
            )

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        return self._connection.execute(statement, values).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        # The lock is taken first, so that nothing read in the transaction is outdated.
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._execute("ROLLBACK")
            raise

    @contextmanager
    def _reading(self) -> Iterator[None]:
        self._execute("BEGIN")
        try:
            yield
        finally:
            self._execute("ROLLBACK")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _error(self._name, error) from error


def _error(path: str, error: sqlite3.Error) -> StorageError:
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
