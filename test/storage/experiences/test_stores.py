"""Tests of what all stores of experiences do: in a file, and on a PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.storage.experiences import sql_store
from stma_ros.storage.experiences.postgres_store import PostgresExperienceStore
from stma_ros.storage.experiences.sql_store import SqlExperienceStore
from stma_ros.storage.experiences.sqlite_store import SqliteExperienceStore
from stma_ros.storage.experiences.store import VectorChanges
from stma_ros.types.experience import Finding, RuleOfThumb
from stma_ros.types.standard import Time
from support.experiences.made import made
from support.experiences.postgres import dropped, postgres_server

VECTOR = np.arange(1, 5, dtype=np.float32)

Open = Callable[[int], SqlExperienceStore]
"""Opens one and the same store with a capacity."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with TemporaryDirectory() as folder, postgres_server(Path(folder) / "data") as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Open]:
    opened: list[SqlExperienceStore] = []
    url = request.getfixturevalue("server") if request.param == "postgres" else ""

    def open_one(capacity: int = 100) -> SqlExperienceStore:
        path = tmp_path / "experiences.db"
        opened.append(
            PostgresExperienceStore(url, capacity) if url else SqliteExperienceStore(path, capacity)
        )
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()
    if url:
        dropped(url)


@pytest.fixture
def store(open_store: Open) -> SqlExperienceStore:
    return open_store(100)


def test_experience_is_read_as_it_was_added(store: SqlExperienceStore, open_store: Open) -> None:
    added = store.add(made(), "lexical", VECTOR)
    other = open_store(100)
    assert list(other.all()) == [made(id=added.id)]
    assert other.find(added.id[:5]) == [made(id=added.id)]
    assert len(other) == 1


def test_same_experience_is_counted_and_its_better_judged_version_stays(store: SqlExperienceStore) -> None:
    first = store.add(made(), "lexical", VECTOR)
    worse = store.add(made(score=0.25, robot="robot_2", stamp=Time(9)), "lexical", VECTOR)
    assert (worse.id, worse.is_new) == (first.id, False)
    (held,) = store.all()
    assert (held.score, held.robot, held.occurrences) == (0.5, "robot_1", 2)
    store.add(made(score=0.75, robot="robot_3"), "lexical", VECTOR)
    (held,) = store.all()
    assert (held.score, held.robot, held.occurrences) == (0.75, "robot_3", 3)


def test_version_grows_when_an_experience_is_counted_once_more(store: SqlExperienceStore) -> None:
    store.add(made(), "lexical", VECTOR)
    before = store.changes("lexical", 0)
    store.add(made(score=0.75), "lexical", VECTOR)
    after = store.changes("lexical", before.version)
    assert after.version == store.version() > before.version
    assert (after.numbers, after.forgotten) == ((), ())


def test_experience_is_counted_up_to_what_a_message_can_hold(store: SqlExperienceStore) -> None:
    most = 2**32 - 1
    for occurrences in (most - 1, 1, 1, most):
        store.add(made(occurrences=occurrences), "lexical", VECTOR)
    (held,) = store.all()
    assert held.occurrences == most


def test_full_store_forgets_the_lowest_scores_and_of_equal_ones_the_oldest(open_store: Open) -> None:
    store = open_store(2)
    ids = [
        store.add(made(number, score=score), "lexical", VECTOR).id for number, score in ((1, 0.5), (2, 0.75))
    ]
    assert store.add(made(3, score=0.75), "lexical", VECTOR).forgotten == (ids[0],)
    assert store.add(made(4, score=0.75), "lexical", VECTOR).forgotten == (ids[1],)
    worst = store.add(made(5, score=0.25), "lexical", VECTOR)
    assert worst.forgotten == (worst.id,)
    assert len(store) == 2


def test_changes_tell_what_other_programs_added_and_forgot(
    store: SqlExperienceStore, open_store: Open
) -> None:
    other = open_store(100)
    before = store.changes("lexical", 0)
    ids = [other.add(made(number), "lexical", VECTOR * number).id for number in (1, 2)]
    after = store.changes("lexical", before.version)
    assert after.numbers == (1, 2)
    assert after.domains == ("household", "household")
    assert np.array_equal(after.vectors, np.stack([VECTOR, VECTOR * 2]))
    assert other.forget([ids[0], "unknown"]) == 1
    last = store.changes("lexical", after.version)
    assert (last.numbers, last.forgotten) == ((), (1,))
    assert store.changes("lexical", last.version).version == last.version
    assert store.changes("lexical", 0).numbers == (2,)


def test_experiences_without_a_vector_of_an_embedder_are_named_until_they_have_one(
    store: SqlExperienceStore,
) -> None:
    store.add(made(1), "lexical", VECTOR)
    store.add(made(2), "minilm", VECTOR)
    (missing,) = store.unembedded("minilm", 10)
    assert (missing.number, missing.experience.task) == (1, made(1).task)
    store.embed("minilm", [missing.number, 77], np.stack([VECTOR, VECTOR]))  # 77: forgotten meanwhile
    assert store.unembedded("minilm", 10) == []
    assert set(store.changes("minilm", 0).numbers) == {1, 2}


def test_many_changes_come_in_parts(store: SqlExperienceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "_VECTORS", 2)
    ids = [store.add(made(number), "lexical", VECTOR * number).id for number in (1, 2, 3, 4, 5)]
    store.forget(ids[1:2])
    told: list[VectorChanges] = [store.changes("lexical", 0)]
    while (changes := store.changes("lexical", told[-1].version)).version != told[-1].version:
        told.append(changes)
    assert [each.numbers for each in told] == [(1, 3), (4, 5), ()]
    assert [each.forgotten for each in told] == [(), (), (2,)]
    assert np.array_equal(told[1].vectors, np.stack([VECTOR * 4, VECTOR * 5]))


_BEFORE_COUNTS = """
DROP TABLE rule;
ALTER TABLE last_version DROP COLUMN experiences;
DROP INDEX vector_of_experience;
CREATE INDEX finding_of_thing ON finding (domain, thing)
"""


def test_store_of_an_earlier_release_is_brought_up_to_date(open_store: Open) -> None:
    store = open_store(100)
    found, in_vain = Finding("mug", "cupboard", "kitchen", True), Finding("mug", "cupboard", "kitchen", False)
    for number, finding in ((1, found), (2, in_vain)):
        store.add(made(number), "lexical", VECTOR, [finding])
    for statement in _BEFORE_COUNTS.split(";"):
        store._execute(statement)
    is_server = isinstance(store, PostgresExperienceStore)
    store._execute("UPDATE tables SET version = 1" if is_server else "PRAGMA user_version=1")
    updated = open_store(2)
    assert len(updated) == 2
    expected = RuleOfThumb(thing="mug", place="cupboard", room="kitchen", found=1, looked=2)
    assert updated.rules_of_thumb("household", ["mug"]) == [expected]
    added = updated.add(made(3, score=0.75), "lexical", VECTOR, [found])
    assert len(added.forgotten) == 1
    assert [(rule.found, rule.looked) for rule in updated.rules_of_thumb("household", ["mug"])] == [(1, 2)]


def test_rules_of_thumb_count_the_findings_of_all_experiences(store: SqlExperienceStore) -> None:
    found, in_vain = Finding("mug", "cupboard", "kitchen", True), Finding("mug", "oven", "kitchen", False)
    ids = [
        store.add(made(1), "lexical", VECTOR, [in_vain, found]).id,
        store.add(made(2), "lexical", VECTOR, [found, Finding("book", "desk", "", True)]).id,
        store.add(made(3, domain="pddl"), "lexical", VECTOR, [found]).id,
    ]
    assert store.things("household") == ["book", "mug"]
    assert store.rules_of_thumb("household", ["mug", "plate"]) == [
        RuleOfThumb(thing="mug", place="cupboard", room="kitchen", found=2, looked=2),
        RuleOfThumb(thing="mug", place="oven", room="kitchen", found=0, looked=1),
    ]
    assert store.rules_of_thumb("household", []) == []
    store.forget(ids[:1])
    assert [rule.looked for rule in store.rules_of_thumb("household", ["mug"])] == [1]


_FINDINGS = st.builds(
    Finding, st.sampled_from(["mug", "book"]), st.sampled_from(["", "sink"]), st.just(""), st.booleans()
)


@given(
    added=st.lists(st.lists(_FINDINGS, max_size=3), max_size=6),
    forgotten=st.sets(st.integers(0, 5)),
    capacity=st.integers(1, 6),
)
def test_rules_of_thumb_and_number_are_those_of_the_experiences_that_are_held(
    added: list[list[Finding]], forgotten: set[int], capacity: int
) -> None:
    store = SqliteExperienceStore(Path(":memory:"), capacity)
    held: dict[str, list[Finding]] = {}
    for number, findings in enumerate(added, start=1):
        result = store.add(made(number), "lexical", VECTOR, findings)
        held[result.id] = findings
        by_request = [result.id] if number in forgotten else []
        store.forget(by_request)
        for id in {*result.forgotten, *by_request}:
            del held[id]
    looks = [each for findings in held.values() for each in findings]
    counted = {
        (thing, place): (
            sum(each.found for each in looks if (each.thing, each.place) == (thing, place)),
            sum((each.thing, each.place) == (thing, place) for each in looks),
        )
        for thing, place in {(each.thing, each.place) for each in looks}
    }
    rules = store.rules_of_thumb("household", store.things("household"))
    assert {(rule.thing, rule.place): (rule.found, rule.looked) for rule in rules} == counted
    assert len(store) == len(list(store.all())) == len(held)
    store.close()


def test_hostile_texts_stay_texts_but_for_what_a_database_cannot_hold(store: SqlExperienceStore) -> None:
    task = "'; DROP TABLE experience; -- ? :v0 %s \0 {0}"
    added = store.add(made(task=task), "lexical", VECTOR)
    (held,) = store.find(added.id)
    assert held.task.replace("\0", "") == task.replace("\0", "")
    assert store.find("' OR 1=1 --") == []
