"""Tests of the store of experiences on a PostgreSQL server: connections, damages and messages."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.storage.experiences.postgres_store import (
    PostgresExperienceStore,
    arguments_of,
    is_postgres_url,
)
from stma_ros.storage.experiences.sql_store import SCHEMA
from stma_ros.storage.experiences.store import (
    ExperienceNotStoredError,
    ExperiencesUnreachableError,
    ExperiencesVersionError,
)
from stma_ros.types.errors import ConfigurationError
from support.experiences.made import graph_of, made
from support.experiences.postgres import connected, dropped, postgres_server

VECTOR = np.ones(4, np.float32)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with TemporaryDirectory() as folder, postgres_server(Path(folder) / "data") as url:
        yield url


@pytest.fixture
def url(server: str) -> Iterator[str]:
    yield server
    dropped(server)


def test_robots_share_what_they_learn_by_a_url(url: str) -> None:
    with ExperienceMemory(url) as one, ExperienceMemory(url) as other:
        added = one.add(made())
        (found,) = other.retrieve("put the mug in the sink", graph_of("mug", "sink"))
        assert found.experience.id == added.id
        assert [str(rule) for rule in other.rules_of_thumb("find a mug", domain="household")] == [
            "mug: in or on a table, 1 of 1 times"
        ]


def test_several_clients_make_the_tables_and_write_at_the_same_time(url: str) -> None:
    errors: list[Exception] = []

    def write(first: int) -> None:
        try:
            store = PostgresExperienceStore(url, 1000)
            for number in range(first, first + 5):
                store.add(made(number), "lexical", VECTOR)
            store.close()
        except Exception as error:  # noqa: BLE001 - shown by the assertion below
            errors.append(error)

    threads = [threading.Thread(target=write, args=(10 * k,)) for k in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    store = PostgresExperienceStore(url, 1000)
    assert len(store) == len(store.changes("lexical", 0).numbers) == 40
    store.close()


def test_connection_that_the_server_ended_is_an_error_once_and_then_made_again(url: str) -> None:
    store = PostgresExperienceStore(url, 100)
    store.add(made(1), "lexical", VECTOR)
    with connected(url) as administrator:
        administrator.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
        )
    with pytest.raises(ExperiencesUnreachableError, match="check that the server runs"):
        len(store)
    assert len(store) == 1
    assert store.add(made(2), "lexical", VECTOR).is_new
    store.close()


def test_failed_write_leaves_the_store_usable_and_unchanged(url: str) -> None:
    store = PostgresExperienceStore(url, 100)
    store.add(made(1), "lexical", VECTOR)
    with connected(url) as administrator:
        administrator.run("ALTER DATABASE postgres SET default_transaction_read_only = on")
    try:
        reader = PostgresExperienceStore(url, 100)
        with pytest.raises(ExperienceNotStoredError, match="unchanged"):
            reader.add(made(2), "lexical", VECTOR)
        assert len(reader) == 1
        reader.close()
    finally:
        with connected(url) as administrator:
            administrator.run("SET default_transaction_read_only = off")
            administrator.run("ALTER DATABASE postgres SET default_transaction_read_only = off")
    store.close()


def test_tables_of_a_later_release_are_refused(url: str) -> None:
    PostgresExperienceStore(url, 100).close()
    with connected(url) as administrator:
        administrator.run("UPDATE stma_ros.tables SET version = version + 1")
    with pytest.raises(ExperiencesVersionError, match=f"version {SCHEMA + 1}"):
        PostgresExperienceStore(url, 100)


def test_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(ExperiencesUnreachableError, match="robots@localhost:1/fleet does not answer"):
        PostgresExperienceStore("postgresql://robots@localhost:1/fleet", 100)


@pytest.mark.parametrize(
    "url", ["robots:secret@localhost:1/fleet", "robots@localhost:1/fleet?password=secret"]
)
def test_password_in_a_url_is_refused_without_telling_it(url: str) -> None:
    with pytest.raises(ConfigurationError, match="set PGPASSWORD") as refusal:
        PostgresExperienceStore(f"postgresql://{url}", 100)
    assert "secret" not in str(refusal.value)


def test_password_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "secret")
    assert arguments_of("postgresql://robots@host:1/fleet?sslmode=require") == {
        "user": "robots",
        "password": "secret",
        "database": "fleet",
        "port": 1,
        "host": "host",
        "ssl_context": True,
    }


@pytest.mark.parametrize(("mode", "checks_name"), [("verify-ca", False), ("verify-full", True)])
def test_mode_that_verifies_checks_the_certificate_of_the_server(mode: str, checks_name: bool) -> None:
    context = arguments_of(f"postgresql://host/fleet?sslmode={mode}")["ssl_context"]
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, checks_name)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ("", {}),
        ("?sslmode=prefer", {}),
        ("?sslmode=disable", {"ssl_context": False}),
        ("?sslmode=require", {"ssl_context": True}),
    ],
)
def test_mode_that_does_not_verify_is_passed_on(options: str, arguments: dict[str, bool]) -> None:
    found = arguments_of(f"postgresql://host/fleet{options}")
    assert {name: value for name, value in found.items() if name == "ssl_context"} == arguments


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("sslmode=VERIFY-FULL", "no sslmode=VERIFY-FULL; there are: disable, .*verify-full"),
        ("ssl_mode=require", "has the option 'ssl_mode'; there are: host, sslmode, sslrootcert"),
        ("sslmode=require&sslrootcert=root.crt", "sslrootcert is for sslmode=verify-ca or verify-full"),
        ("sslmode=verify-full&sslrootcert=/nowhere/root.crt", "/nowhere/root.crt cannot be read"),
    ],
)
def test_option_that_would_not_be_followed_is_refused(options: str, message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        arguments_of(f"postgresql://host/fleet?{options}")


def test_name_of_the_database_is_unquoted() -> None:
    assert arguments_of("postgresql://host/my%20fleet")["database"] == "my fleet"


@pytest.mark.parametrize("url", ["mysql://host/fleet", "postgresql://host:many/fleet"])
def test_url_of_something_else_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="no URL"):
        PostgresExperienceStore(url, 100)


def test_only_urls_of_postgresql_are_taken_for_one() -> None:
    assert is_postgres_url("postgresql://host/fleet")
    assert is_postgres_url("postgres://host/fleet")
    for other in ("experiences.db", "/tmp/postgresql/experiences.db", "postgresql"):
        assert not is_postgres_url(other)
