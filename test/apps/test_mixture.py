"""A random order of samples."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.training.mixture import Mixture


@given(st.lists(st.lists(st.integers()), max_size=5), st.integers(0, 2**32 - 1))
def test_each_item_is_drawn_once(added: list[list[int]], seed: int) -> None:
    mixture: Mixture[int] = Mixture(np.random.default_rng(seed))
    for items in added:
        mixture.add(items)
    everything = [item for items in added for item in items]
    first = mixture.draw(len(everything) // 2)
    assert len(mixture) == len(everything) - len(first)
    assert Counter(first + mixture.draw(len(mixture))) == Counter(everything)
    assert len(mixture) == 0


def test_every_item_is_as_likely_to_be_the_first() -> None:
    rng = np.random.default_rng(0)
    firsts: Counter[str] = Counter()
    for _ in range(3000):
        mixture: Mixture[str] = Mixture(rng)
        mixture.add("abc")
        firsts.update(mixture.draw(1))
    assert all(900 < count < 1100 for count in firsts.values())


def test_more_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(IndexError):
        Mixture(np.random.default_rng(0)).draw(1)
