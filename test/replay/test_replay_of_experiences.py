"""Replay of a run with experiences: it begins with those of the run's begin, and leaves the store as it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.replay.exact_replay import replay
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.experiences.recorded import RECORDED_EXPERIENCES, record_experiences
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.errors import StorageError
from support.experiences.made import made


def _held(path: Path) -> list[tuple[str, int]]:
    with ExperienceMemory(path) as memory:
        return [(each.task, each.occurrences) for each in memory]


def test_replay_begins_with_the_experiences_of_the_begin_and_adds_none_to_the_store(tmp_path: Path) -> None:
    store = tmp_path / "experiences.db"
    with ExperienceMemory(store) as memory:
        memory.add(made())
    run = RunFolder.create(tmp_path / "run")
    overrides = {"experience_memory": {"store": str(store)}}
    options = {"width": 160, "height": 120}
    spec = SessionSpec(LOCAL, "mcot_memory", overrides, "house", options)
    with open_local(spec, run, record=True) as session:
        session.start_episode("flat_1003", 1003, (), run)
        session.run_task("look for a mug", 3)
    after = _held(store)
    result = replay(Bag(run.path))
    assert result.same
    assert result.tallies[topics.EXPERIENCES].same >= 1
    assert _held(run.path / RECORDED_EXPERIENCES) == [(made().task, 1)]
    assert _held(store) == after


def test_copy_holds_what_others_have_just_written(tmp_path: Path) -> None:
    store = tmp_path / "experiences.db"
    with ExperienceMemory(store) as memory:
        memory.add(made())  # still in the write-ahead log
        record_experiences(str(store), tmp_path / "run")
        assert _held(tmp_path / "run" / RECORDED_EXPERIENCES) == [(made().task, 1)]


def test_store_that_does_not_exist_yet_is_no_copy(tmp_path: Path) -> None:
    for store in ("", str(tmp_path / "later.db")):
        record_experiences(store, tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert not (tmp_path / "later.db").exists()


def test_store_that_cannot_be_copied_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    store = tmp_path / "experiences.db"
    store.write_bytes(b"no database at all" * 100)
    before = hashlib.sha256(store.read_bytes()).digest()
    with pytest.raises(StorageError, match=r"experiences\.db cannot be recorded"):
        record_experiences(str(store), tmp_path / "run")
    assert hashlib.sha256(store.read_bytes()).digest() == before
