"""Tests of the entity index, which searches 8-bit copies first and still gives the exact result."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from stma_ros.memory.entity_index import EntityIndex
from stma_ros.memory.similarity_kernels import MAX_DIMENSIONS, QUERY_LEVELS, ROW_LEVELS, approximate_cosines
from stma_ros.types.errors import StmaError

CLOSE = 1e-6  # cosines nearer than this are a tie to float32

Vectors = dict[str, NDArray[np.float32]]


def brute_force(known: Vectors, query: NDArray[np.float32]) -> dict[str, float]:
    unit = query.astype(np.float64) / np.linalg.norm(query.astype(np.float64))
    cosines = {}
    for name, vector in known.items():
        wide = vector.astype(np.float64)
        cosines[name] = float(wide @ unit / np.linalg.norm(wide))
    return cosines


def check_against_brute_force(
    index: EntityIndex, known: Vectors, query: NDArray[np.float32], count: int
) -> None:
    found = index.most_similar(query, count)
    cosines = brute_force(known, query)
    best = sorted(cosines.values(), reverse=True)[:count]
    assert len({name for name, _ in found}) == len(found) == min(count, len(known))
    assert [cosine for _, cosine in found] == pytest.approx(best, abs=CLOSE)
    for name, cosine in found:
        assert cosine == pytest.approx(cosines[name], abs=CLOSE)


def directions(dimensions: int, count: int | None = None) -> st.SearchStrategy[NDArray[np.float32]]:
    """Vectors of any size whose squares need not fit into float32."""
    numbers = st.floats(-1, 1, width=32).map(lambda x: 0.0 if abs(x) < 1e-3 else x)
    shape = dimensions if count is None else (count, dimensions)
    size = st.sampled_from([1e-30, 1e-3, 1.0, 1e30])
    vectors = arrays.arrays(np.float32, shape, elements=numbers).filter(
        lambda v: bool(np.all(np.any(v, axis=-1)))
    )
    return st.builds(lambda v, s: (v * np.float32(s)).astype(np.float32), vectors, size)


@st.composite
def histories(draw: st.DrawFn) -> tuple[int, list[tuple[str, list[str], NDArray[np.float32]]]]:
    """Draws a number of dimensions and a list of changes that add, replace or remove vectors."""
    dimensions = draw(st.sampled_from([1, 2, 3, 7]))
    doings = []
    for _ in range(draw(st.integers(1, 8))):
        names = draw(st.lists(st.sampled_from("abcdefghij"), min_size=1, max_size=6))
        if draw(st.booleans()) or not doings:
            doings.append(("add", names, draw(directions(dimensions, len(names)))))
        else:
            doings.append(("remove", names, np.empty(0, np.float32)))
    return dimensions, doings


class TestExact:
    @given(histories(), st.integers(1, 12), st.data())
    def test_most_similar_is_exact_after_any_changes(
        self,
        history: tuple[int, list[tuple[str, list[str], NDArray[np.float32]]]],
        count: int,
        data: st.DataObject,
    ) -> None:
        dimensions, doings = history
        index, known = EntityIndex(dimensions), {}
        for doing, names, vectors in doings:
            if doing == "add":
                index.add(names, vectors)
                known.update(zip(names, vectors, strict=True))
            else:
                for name in names:
                    index.remove(name)
                    known.pop(name, None)
        assert len(index) == len(known)
        assert all((name in index) == (name in known) for name in "abcdefghij")
        check_against_brute_force(index, known, data.draw(directions(dimensions)), count)

    @given(
        st.integers(0, 2**32 - 1),
        st.sampled_from([2, 31, 384, MAX_DIMENSIONS]),
        st.sampled_from([0.0, 1e-7, 1e-4, 1e-2, 0.3]),
        st.sampled_from([1, 8, 50]),
    )
    def test_most_similar_is_exact_among_nearly_equal_vectors(
        self, seed: int, dimensions: int, spread: float, count: int
    ) -> None:
        """The vectors differ by less than the error of rounding to 8 bits."""
        rng = np.random.default_rng(seed)
        center = rng.standard_normal(dimensions)
        vectors = (center + spread * rng.standard_normal((300, dimensions))).astype(np.float32)
        known = {f"e{number}": vector for number, vector in enumerate(vectors)}
        index = EntityIndex(dimensions)
        index.add(list(known), vectors)

        check_against_brute_force(index, known, (center + 0.1).astype(np.float32), count)

    @given(st.integers(0, 2**32 - 1), st.sampled_from([1, 2, 40, MAX_DIMENSIONS]), st.floats(0, 0.99))
    def test_bounds_contain_the_exact_cosines(
        self, seed: int, dimensions: int, share_of_zeros: float
    ) -> None:
        """Every vector's cosine is within the margin that the candidates are chosen by, also for vectors with few
        numbers that differ from zero, which round worst."""
        rng = np.random.default_rng(seed)
        index, vectors = EntityIndex(dimensions), rng.standard_normal((200, dimensions))
        vectors *= rng.random(vectors.shape) >= share_of_zeros
        vectors[:, 0] += 3.0
        index.add([f"e{number}" for number in range(200)], vectors)
        unit = (vectors[0] / np.linalg.norm(vectors[0])).astype(np.float32)

        bounds = index.bounds(unit)

        exact = vectors.astype(np.float32) @ unit.astype(np.float64) / np.linalg.norm(vectors, axis=1)
        assert np.all(bounds.least <= exact)
        assert np.all(exact <= bounds.most)
        assert np.all(bounds.most - bounds.least < 0.2)


class TestTies:
    def test_cosine_of_a_vector_does_not_depend_on_its_row(self) -> None:
        rng = np.random.default_rng(1)
        vector = rng.standard_normal(384)
        names = [f"{number:03d}" for number in rng.permutation(97)]
        index = EntityIndex(384)
        index.add(names, np.tile(vector, (97, 1)))

        found = index.most_similar(vector + rng.standard_normal(384), 5)

        assert [name for name, _ in found] == ["000", "001", "002", "003", "004"]
        assert len({cosine for _, cosine in found}) == 1

    def test_add_keeps_the_last_vector_of_a_repeated_name(self) -> None:
        index = EntityIndex(2)
        index.add(["a", "b", "a"], [[1, 0], [1, 1], [0, 1]])

        assert len(index) == 2
        assert index.most_similar([0, 1], 1)[0][0] == "a"


class TestBounds:
    def test_most_similar_of_an_empty_index_or_count_is_empty(self) -> None:
        index = EntityIndex(3)
        assert index.most_similar([1, 0, 0], 4) == []
        index.add(["a"], [[1, 0, 0]])
        assert index.most_similar([1, 0, 0], 0) == []
        assert index.most_similar([2, 0, 0], 4) == [("a", pytest.approx(1.0))]

    def test_most_similar_to_a_zero_query_is_empty(self) -> None:
        index = EntityIndex(2)
        index.add(["a"], [[1, 0]])
        assert index.most_similar([0, 0], 1) == []

    def test_index_holds_vectors_of_the_largest_dimension(self) -> None:
        for sign in (1, -1):
            rows = np.full((1, MAX_DIMENSIONS), sign * ROW_LEVELS, np.int8)
            query = np.full(MAX_DIMENSIONS, QUERY_LEVELS, np.int16)
            (found,) = approximate_cosines(rows, np.ones(1, np.float32), query, np.float32(1))
            assert found == np.float32(sign * ROW_LEVELS * QUERY_LEVELS * MAX_DIMENSIONS)

    @pytest.mark.parametrize("dimensions", [0, -1, MAX_DIMENSIONS + 1])
    def test_index_refuses_dimensions_that_it_cannot_sum_up(self, dimensions: int) -> None:
        with pytest.raises(StmaError, match=f"1 to {MAX_DIMENSIONS}"):
            EntityIndex(dimensions)


class TestBadInput:
    @pytest.mark.parametrize(
        "vectors",
        [
            [[1, 0]],
            [[1, 0, 0], [1, 0, 0]],
            [[1, 0], [0, 0]],
            [[1, 0], [np.nan, 1]],
            [[1, 0], [np.inf, 1]],
            [1, 0],
        ],
    )
    def test_add_of_bad_vectors_leaves_the_index_unchanged(self, vectors: list[list[float]]) -> None:
        index = EntityIndex(2)
        index.add(["a"], [[3, 4]])

        with pytest.raises(StmaError):
            index.add(["a", "b"], vectors)

        assert len(index) == 1
        assert index.most_similar([3, 4], 2) == [("a", pytest.approx(1.0))]

    @pytest.mark.parametrize("query", [[1, 0, 0], [[1, 0]], [np.nan, 0], [np.inf, 1]])
    def test_most_similar_refuses_a_bad_query(self, query: list[float]) -> None:
        index = EntityIndex(2)
        index.add(["a"], [[1, 0]])
        with pytest.raises(StmaError):
            index.most_similar(query, 1)

    def test_remove_of_an_unknown_entity_changes_nothing(self) -> None:
        index = EntityIndex(2)
        index.add(["a"], [[1, 0]])
        index.remove("b")
        assert len(index) == 1
