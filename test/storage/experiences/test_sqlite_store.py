"""Tests of the store of experiences in a SQLite file: what damages it survives, and who may use it at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from stma_ros.storage.experiences import sqlite_store
from stma_ros.storage.experiences.sql_store import SCHEMA
from stma_ros.storage.experiences.sqlite_store import SqliteExperienceStore
from stma_ros.storage.experiences.store import (
    ExperienceNotStoredError,
    ExperiencesUnreadableError,
    ExperiencesVersionError,
)
from support.experiences.made import made

VECTOR = np.arange(1, 5, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "robots" / "experiences.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteExperienceStore]:
    opened = SqliteExperienceStore(path, capacity=100)
    yield opened
    opened.close()


@pytest.mark.parametrize("content", [b"put the mug away\n" * 1000, b"", b"SQLite format 3\0" + b"\0" * 5000])
def test_file_that_is_no_store_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    if content:
        with pytest.raises(ExperiencesUnreadableError, match="left as it is"):
            SqliteExperienceStore(path, capacity=100)
        assert path.read_bytes() == content
    else:  # an empty file is an empty store
        SqliteExperienceStore(path, capacity=100).close()


def test_database_of_another_program_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE song (title TEXT)")
    content = path.read_bytes()
    with pytest.raises(ExperiencesUnreadableError, match="none of experiences"):
        SqliteExperienceStore(path, capacity=100)
    assert path.read_bytes() == content


def test_store_of_a_later_release_is_refused(store: SqliteExperienceStore, path: Path) -> None:
    store.close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA + 1}")
    with pytest.raises(ExperiencesVersionError, match=f"version {SCHEMA + 1}"):
        SqliteExperienceStore(path, capacity=100)


def test_damaged_experience_is_named_and_can_be_forgotten(store: SqliteExperienceStore, path: Path) -> None:
    ids = [store.add(made(number), "lexical", VECTOR).id for number in (1, 2)]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE experience SET steps = x'00' WHERE number = 1")
    with pytest.raises(ExperiencesUnreadableError, match=ids[0]):
        list(store.all())
    store.forget([ids[0]])
    assert [each.id for each in store.all()] == [ids[1]]


def test_truncated_file_is_refused_with_the_remedy(store: SqliteExperienceStore, path: Path) -> None:
    for number in range(20):
        store.add(made(number), "lexical", VECTOR)
    store.close()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(ExperiencesUnreadableError, match="Restore it from a copy"):
        list(SqliteExperienceStore(path, capacity=100).all())
    assert path.read_bytes() == content[: len(content) // 2]


def test_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a file, no folder")
    with pytest.raises(ExperienceNotStoredError, match="name another file"):
        SqliteExperienceStore(tmp_path / "file" / "experiences.db", capacity=100)


def _add_many(store: SqliteExperienceStore) -> None:
    for number in range(2, 200):
        store.add(made(number), "lexical", np.ones(1000, np.float32))


def test_full_disk_loses_nothing_that_was_stored(store: SqliteExperienceStore) -> None:
    first = store.add(made(1), "lexical", VECTOR)
    connection = store._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(ExperienceNotStoredError, match="full: make room"):
        _add_many(store)
    held = [each.id for each in store.all()]
    assert held[0] == first.id
    connection.execute("PRAGMA max_page_count=100000")
    assert store.add(made(500), "lexical", VECTOR).is_new


def test_store_waits_for_the_process_that_makes_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.parent.mkdir()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(sqlite_store, "sleep", lambda _: other.execute("ROLLBACK"))
    store = SqliteExperienceStore(path, capacity=100)
    assert not other.in_transaction
    other.close()
    assert store.add(made(), "lexical", VECTOR).is_new
    store.close()


_WRITER = """
import sys
from pathlib import Path
import numpy as np
from stma_ros.storage.experiences.sqlite_store import SqliteExperienceStore
from support.experiences.made import made

store = SqliteExperienceStore(Path(sys.argv[1]), capacity=1000)
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    print(store.add(made(number), "lexical", np.ones(4, np.float32)).id, flush=True)
"""


def _start_writer(path: Path, first: int, end: int) -> subprocess.Popen[str]:
    """Starts a process that adds the experiences first, ..., end - 1, and prints the id of each that is stored."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", _WRITER, str(path), str(first), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)


def test_eight_processes_open_and_write_one_new_store_at_the_same_time(path: Path) -> None:
    writers = [_start_writer(path, 10 * k, 10 * k + 5) for k in range(1, 9)]
    ids = [line.strip() for writer in writers for line in writer.communicate(timeout=100)[0].splitlines()]
    assert [writer.returncode for writer in writers] == [0] * 8
    store = SqliteExperienceStore(path, capacity=1000)
    assert sorted(each.id for each in store.all()) == sorted(ids)
    assert len(ids) == len(store.changes("lexical", 0).numbers) == 40
    store.close()


@pytest.mark.parametrize("acknowledged", [1, 7, 23])
def test_killed_writer_loses_nothing_that_was_acknowledged(path: Path, acknowledged: int) -> None:
    with _start_writer(path, 1, 1000) as writer:
        assert writer.stdout is not None
        ids = [writer.stdout.readline().strip() for _ in range(acknowledged)]
        writer.kill()
        ids += [line.strip() for line in writer.stdout if line.endswith("\n")]
    store = SqliteExperienceStore(path, capacity=1000)
    held = [each.id for each in store.all()]
    assert held[: len(ids)] == ids
    assert len(held) <= len(ids) + 1
    assert store.add(made(5000), "lexical", VECTOR).is_new
    store.close()


def test_copy_of_the_files_is_a_store(store: SqliteExperienceStore, path: Path, tmp_path: Path) -> None:
    added = store.add(made(), "lexical", VECTOR)
    store.close()
    shutil.copytree(path.parent, tmp_path / "copy")
    copied = SqliteExperienceStore(tmp_path / "copy" / path.name, capacity=100)
    assert [each.id for each in copied.all()] == [added.id]
    copied.close()
