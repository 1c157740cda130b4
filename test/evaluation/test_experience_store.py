"""The measurement `experience_store`, on stores of a few experiences."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stma_ros.evaluation import experience_store
from stma_ros.evaluation.experience_store import ExperienceStoreSettings, ExperienceStoreSpeed
from stma_ros.evaluation.made_experiences import DOMAIN, MadeExperiences, WordVectors
from stma_ros.library.experience_memory import ExperienceMemory, Retrieved
from stma_ros.memory.findings import findings
from stma_ros.types.errors import ConfigurationError

_QUERIES = 3


def _rows(monkeypatch: pytest.MonkeyPatch, store: Path) -> list[dict[str, Any]]:
    monkeypatch.setattr(experience_store, "SIZES", (20, 40))
    settings = ExperienceStoreSettings(store=str(store), dimensions=16, queries=_QUERIES)
    return list(ExperienceStoreSpeed(settings).rows(1000))


def test_store_is_measured_at_each_size_and_retrieval_is_exact(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    rows = _rows(monkeypatch, tmp_path / "experiences.db")

    assert [(row["preset"], row["group"], row["recall"]) for row in rows] == [
        ("SQLite", "20 experiences", 100),
        ("SQLite", "40 experiences", 100),
    ]
    assert all(row.keys() == ExperienceStoreSpeed.columns.keys() for row in rows)
    with ExperienceMemory(tmp_path / "experiences.db") as memory:
        assert len(memory) == 40 + _QUERIES  # those that came into the full store replaced others


def test_retrieval_that_misses_the_best_has_less_recall(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    retrieve = ExperienceMemory.retrieve

    def worse(memory: ExperienceMemory, *about: Any, top: int, **options: Any) -> list[Retrieved]:
        found = retrieve(memory, *about, top=20, **options)
        return [found[0], *found[-2:]]

    monkeypatch.setattr(ExperienceMemory, "retrieve", worse)
    (small, _) = _rows(monkeypatch, tmp_path / "experiences.db")
    assert small["recall"] == pytest.approx(100 / 3)


def test_store_that_holds_experiences_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with ExperienceMemory(tmp_path / "experiences.db") as memory:
        memory.add(next(MadeExperiences(1)))
    with pytest.raises(ConfigurationError, match="name a new file or an empty database"):
        _rows(monkeypatch, tmp_path / "experiences.db")


def test_made_experiences_follow_from_the_seed_and_tell_where_their_things_were() -> None:
    one, same, other = (list(islice(MadeExperiences(seed), 5)) for seed in (1, 1, 2))

    assert one == same
    assert one != other
    for experience in one:
        assert experience.domain == DOMAIN
        in_vain, found = [
            [each for each in findings(experience) if each.thing and each.found == way]
            for way in (False, True)
        ]
        of_task, besides = found[:2], found[2:]
        assert (len(in_vain), len(besides)) == (4, 24)
        assert all(each.thing in experience.task for each in of_task)
        assert not {each.place for each in in_vain} & {each.place for each in of_task}


def test_made_experiences_have_different_tasks_if_they_shall() -> None:
    alike, different = (
        {each.task for each in islice(MadeExperiences(1, all_different=way), 500)} for way in (False, True)
    )

    assert len(alike) < 500 == len(different)


def test_texts_with_words_in_common_have_similar_vectors() -> None:
    vectors = WordVectors(64).embed(["put the mug on the desk", "put the mug on the bed", "close it", ""])
    task, like, unlike, empty = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    assert task @ like > 0.7 > task @ unlike
    assert empty @ empty == pytest.approx(1)
