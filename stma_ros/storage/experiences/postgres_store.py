"""A store of experiences on a PostgreSQL server, which robots without a common disk share."""

from __future__ import annotations

import os
import re
import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import parse_qs, unquote, urlsplit

from stma_ros.storage.experiences.sql_store import SCHEMA, SqlExperienceStore
from stma_ros.storage.experiences.store import (
    ExperienceNotStoredError,
    ExperiencesUnreachableError,
    ExperiencesUnreadableError,
    ExperiencesVersionError,
)
from stma_ros.types.errors import ConfigurationError, MissingDependencyError, StorageError

if TYPE_CHECKING:
    from pg8000.native import Connection

SCHEMES: Final = ("postgresql", "postgres")
"""Beginnings of the URLs of such stores."""

_PASSWORD = "PGPASSWORD"  # the variable of PostgreSQL's own programs
_NAMESPACE = "stma_ros"  # schema of the tables in the database
_LOCK = 0x57E0_A11E  # advisory lock while the tables are made
_WAIT = 10  # [s] for an answer
_OPTIONS = ("host", "sslmode", "sslrootcert")
_VERIFYING = ("verify-ca", "verify-full")  # values of sslmode with which the server's certificate is checked
_ENCRYPTION = {
    "": None,
    "disable": False,
    "allow": None,
    "prefer": None,
    "require": True,
}  # by other values of it
_QUESTION_MARK = re.compile(r"\?")

_NOT_STORED = ("42501", "53100", "25006")  # no permission, disk full, read-only
_UNREACHABLE = ("08", "57P", "53", "55P03")  # beginnings: connection, shutdown, resources, lock


def is_postgres_url(store: str) -> bool:
    """Whether the name of a store is a URL of PostgreSQL."""
    return store.partition("://")[0] in SCHEMES and "://" in store


class PostgresExperienceStore(SqlExperienceStore):
    """An ExperienceStore in the schema "stma_ros" of a database. A connection that was lost is made again."""

    _TYPES: ClassVar[dict[str, str]] = {"serial": "BIGSERIAL PRIMARY KEY", "bytes": "BYTEA"}

    def __init__(self, url: str, capacity: int) -> None:
        """Connects to the server, and makes the tables if there are none.

        Args:
            url: "postgresql://USER@HOST:PORT/DATABASE", with "?sslmode=require" for an encrypted connection,
                "?sslmode=verify-full" for one to a server whose certificate is checked ("&sslrootcert=FILE": by the
                authorities in a file instead of those of the system), or "?host=/FOLDER" for a socket in a folder. The
                password is in the environment variable PGPASSWORD.
            capacity: Largest number of experiences, at least 1.

        Raises:
            ExperiencesUnreachableError: The server does not answer.
            ExperiencesVersionError: The tables are of a later release; they are left as they are.
            ExperienceNotStoredError: The user may not make tables.
            MissingDependencyError: pg8000 is not installed.
            ConfigurationError: The URL is none, has an option that is not known, or holds a password, which would be
                recorded with each run.
        """
        self._arguments = arguments_of(url)
        super().__init__(url, capacity)
        self._connection: Connection | None = None
        with self._errors():
            self._execute("SELECT 1")

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with self._errors():
                connection.close()

    def _connected(self) -> Connection:
        if self._connection is None:
            try:
                from pg8000.native import Connection
            except ImportError as error:
                raise MissingDependencyError(
                    f"{self._name} needs pg8000 ({error}): pip install 'stma_ros[postgres]', in a checkout "
                    "`make postgres`, or name a file"
                ) from error
            connection = Connection(**self._arguments, timeout=_WAIT)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _prepare(self, connection: Connection) -> None:
        """Makes the tables, or brings them up to date, while all others wait; who may only read needs neither."""
        connection.run(f"SET search_path TO {_NAMESPACE}")
        if self._schema(connection) == SCHEMA:
            return
        connection.run("SELECT pg_advisory_lock(:lock)", lock=_LOCK)
        try:
            schema = self._schema(connection)  # another process may have done it meanwhile
            connection.run("BEGIN")
            connection.run(f"CREATE SCHEMA IF NOT EXISTS {_NAMESPACE}")
            connection.run("CREATE TABLE IF NOT EXISTS tables (version INTEGER NOT NULL)")
            for version in range(schema, SCHEMA):
                for statement in self._statements(version):
                    connection.run(statement)
            connection.run("DELETE FROM tables")
            connection.run("INSERT INTO tables VALUES (:version)", version=SCHEMA)
            connection.run("COMMIT")
        finally:
            connection.run("ROLLBACK")  # of what failed, before the lock can be given back
            connection.run("SELECT pg_advisory_unlock(:lock)", lock=_LOCK)

    def _schema(self, connection: Connection) -> int:
        """Returns the version of the tables; 0 = there are none. Raises ExperiencesVersionError for a later one."""
        ((table,),) = connection.run("SELECT to_regclass(:name)::text", name=f"{_NAMESPACE}.tables")
        versions = connection.run("SELECT version FROM tables") if table else ()
        schema = int(versions[0][0]) if versions else 0
        if schema > SCHEMA:
            raise ExperiencesVersionError(
                f"{self._name} has tables of version {schema}, this release reads up to {SCHEMA}; they are left as "
                "they are. Update stma_ros, or export the experiences with the release that wrote them"
            )
        return schema

    def _execute(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        numbers = iter(range(len(values)))
        named = _QUESTION_MARK.sub(lambda _: f":v{next(numbers)}", statement)
        given = {f"v{number}": _sendable(value) for number, value in enumerate(values)}
        rows: list[Any] | None = self._connected().run(named, **given)
        return rows or []

    @contextmanager
    def _writing(self) -> Iterator[None]:
        # One writer at a time, so that versions become visible in their order.
        yield from self._transaction("BEGIN", "LOCK TABLE last_version IN EXCLUSIVE MODE")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        yield from self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def _transaction(self, *begin: str) -> Iterator[None]:
        for statement in begin:
            self._execute(statement)
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._connection is not None:
                self._roll_back(self._connection)
            raise

    def _roll_back(self, connection: Connection) -> None:
        from pg8000.exceptions import Error

        try:
            connection.run("ROLLBACK")
        except (Error, OSError):  # the connection is what failed
            self._connection = None

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except StorageError:
            raise
        except OSError as error:
            self._connection = None
            raise self._unreachable(str(error)) from error
        except Exception as error:
            raised = self._error(error)
            if raised is None:
                raise
            raise raised from error

    def _error(self, error: Exception) -> StorageError | None:
        """Returns the error of a store for one of pg8000; None for any other."""
        from pg8000.exceptions import DatabaseError, Error, InterfaceError

        if not isinstance(error, Error):
            return None
        if isinstance(error, InterfaceError):
            self._connection = None
            return self._unreachable(str(error))
        about = error.args[0] if isinstance(error, DatabaseError) and error.args else {}
        code, text = (
            (about.get("C", ""), about.get("M", str(error))) if isinstance(about, dict) else ("", str(error))
        )
        if code in _NOT_STORED:
            return ExperienceNotStoredError(
                f"{self._name} cannot be written ({text}); the experiences in it are unchanged"
            )
        if code.startswith(_UNREACHABLE):
            self._connection = None
            return self._unreachable(text)
        return ExperiencesUnreadableError(f"{self._name} cannot be used ({text}); it is left as it is")

    def _unreachable(self, cause: str) -> ExperiencesUnreachableError:
        return ExperiencesUnreachableError(
            f"{self._name} does not answer ({cause}); check that the server runs and lets this host in, or name "
            "another store"
        )


def arguments_of(url: str) -> dict[str, Any]:
    """Returns the arguments of pg8000 for a URL. Raises ConfigurationError for one that is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or 5432
    except ValueError as error:
        raise ConfigurationError(f"{_hidden(url)} is no URL of a server: {error}") from error
    if parts.scheme not in SCHEMES:
        raise ConfigurationError(f"{_hidden(url)} is no URL of PostgreSQL, which begins with postgresql://")
    options = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
    if parts.password or "password" in options:
        raise ConfigurationError(
            f"{_hidden(url)} holds a password, which would be recorded with each run: leave it out, and set "
            f"{_PASSWORD} in the environment"
        )
    unknown = options.keys() - set(_OPTIONS)
    if unknown:
        raise ConfigurationError(
            f"{_hidden(url)} has the option {min(unknown)!r}; there are: {', '.join(_OPTIONS)}"
        )
    arguments: dict[str, Any] = {
        "user": unquote(parts.username or "") or "postgres",
        "password": os.environ.get(_PASSWORD),
        "database": unquote(parts.path.lstrip("/")) or "postgres",
        "port": port,
    }
    folder = options.get("host", "")
    if folder.startswith("/"):
        arguments["unix_sock"] = f"{folder}/.s.PGSQL.{port}"
    else:
        arguments["host"] = parts.hostname or folder or "localhost"
    encryption = _encryption(options.get("sslmode", ""), options.get("sslrootcert", ""))
    if encryption is not None:
        arguments["ssl_context"] = encryption
    return arguments


def _encryption(mode: str, authorities: str) -> ssl.SSLContext | bool | None:
    """Returns how pg8000 encrypts a connection in a mode of PostgreSQL; None = if the server can, as by default.

    Args:
        mode: value of sslmode; empty = the default.
        authorities: file with the certificates of authorities; empty = those of the system.

    Raises:
        ConfigurationError: There is no such mode, or the file cannot be read, or would not be used.
    """
    if mode in _VERIFYING:
        try:
            context = ssl.create_default_context(cafile=authorities or None)
        except OSError as error:
            raise ConfigurationError(f"sslrootcert={authorities} cannot be read ({error})") from error
        context.check_hostname = mode == "verify-full"
        return context
    if mode not in _ENCRYPTION:
        raise ConfigurationError(
            f"there is no sslmode={mode}; there are: {', '.join(filter(None, (*_ENCRYPTION, *_VERIFYING)))}"
        )
    if authorities:
        raise ConfigurationError(
            f"sslrootcert is for sslmode={' or '.join(_VERIFYING)}; add it, or leave it out"
        )
    return _ENCRYPTION[mode]


def _hidden(url: str) -> str:
    """Returns a URL without its password, and without its options, of which one may be a password."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", url).partition("?")[0]


def _sendable(value: object) -> object:
    """Returns a value as PostgreSQL can hold it: its texts have no character 0."""
    return value.replace("\0", "") if isinstance(value, str) else value
