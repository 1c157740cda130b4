"""Tests of the index of experiences against a look at each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.experience_index import ExperienceIndex, SimilarityWeights
from stma_ros.types.errors import StmaError

_HALF = 6


def _vectors(rng: np.random.Generator, count: int) -> np.ndarray:
    """Returns vectors of which some differ only a little, and some have the same task."""
    centers = rng.standard_normal((3, 2 * _HALF))
    spread = rng.choice([1e-4, 0.1, 1.0])
    noise = rng.standard_normal((count, 2 * _HALF))
    vectors = (centers[rng.integers(0, 3, count)] + spread * noise).astype(np.float32)
    same_tasks = rng.integers(0, count, count)
    vectors[:, :_HALF] = vectors[same_tasks, :_HALF]
    return vectors


def _cosines(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    vectors, query = vectors.astype(np.float64), query.astype(np.float64)
    return vectors @ query / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(query))


@given(
    seed=st.integers(0, 2**32 - 1),
    count=st.integers(1, 40),
    task=st.sampled_from([0.0, 0.3, 1.0]),
    graph=st.sampled_from([0.2, 1.0]),
    top=st.integers(1, 8),
)
def test_found_experiences_have_the_greatest_weighted_sums(
    seed: int, count: int, task: float, graph: float, top: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors = _vectors(rng, count)
    index = ExperienceIndex(2 * _HALF)
    index.add(range(count), vectors)
    removed = set(rng.integers(0, count, count // 4).tolist())
    for number in removed:
        index.remove(number)
    replaced = rng.integers(0, count, count // 4)
    vectors[replaced] = vectors[rng.permutation(replaced)]
    index.add(np.unique(replaced).tolist(), vectors[np.unique(replaced)])
    removed -= set(replaced.tolist())
    query = _vectors(rng, 1)[0]
    found = index.most_similar(query, SimilarityWeights(task, graph), top)

    by_task, by_graph = (
        _cosines(vectors[:, :_HALF], query[:_HALF]),
        _cosines(vectors[:, _HALF:], query[_HALF:]),
    )
    sums = {
        number: task * by_task[number] + graph * by_graph[number]
        for number in range(count)
        if number not in removed
    }
    assert len({each.number for each in found}) == len(found) == min(top, len(sums))
    assert [each.total for each in found] == pytest.approx(
        sorted(sums.values(), reverse=True)[:top], abs=1e-6
    )
    for each in found:
        assert each.total == pytest.approx(sums[each.number], abs=1e-6)
        assert (each.task, each.graph) == pytest.approx(
            (by_task[each.number], by_graph[each.number]), abs=1e-6
        )


def test_of_equal_experiences_the_older_ones_come_first() -> None:
    index = ExperienceIndex(2 * _HALF)
    index.add([7, 30, 4], np.ones((3, 2 * _HALF), np.float32))
    found = index.most_similar(np.ones(2 * _HALF, np.float32), SimilarityWeights(), 2)
    assert [each.number for each in found] == [4, 7]


def test_weights_decide_between_a_like_task_and_a_like_scene() -> None:
    here, there = np.eye(_HALF, dtype=np.float32)[:2]
    index = ExperienceIndex(2 * _HALF)
    index.add([1, 2], np.stack([np.r_[here, there], np.r_[there, here]]))
    query = np.r_[here, here]
    assert index.most_similar(query, SimilarityWeights(0.6, 0.4), 1)[0].number == 1
    assert index.most_similar(query, SimilarityWeights(0.4, 0.6), 1)[0].number == 2


def test_index_of_an_odd_length_is_refused() -> None:
    with pytest.raises(StmaError, match="even"):
        ExperienceIndex(3)
