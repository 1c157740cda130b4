"""A random order of samples."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.apps.training.shuffle_buffer import ShuffleBuffer


@given(st.lists(st.lists(st.integers()), max_size=5), st.integers(0, 2**32 - 1))
def test_each_item_is_drawn_once(added: list[list[int]], seed: int) -> None:
    buffer: ShuffleBuffer[int] = ShuffleBuffer(np.random.default_rng(seed))
    for items in added:
        buffer.add(items)
    everything = [item for items in added for item in items]
    first = buffer.draw(len(everything) // 2)
    assert len(buffer) == len(everything) - len(first)
    assert Counter(first + buffer.draw(len(buffer))) == Counter(everything)
    assert len(buffer) == 0


def test_every_item_is_as_likely_to_be_the_first() -> None:
    rng = np.random.default_rng(0)
    firsts: Counter[str] = Counter()
    for _ in range(3000):
        buffer: ShuffleBuffer[str] = ShuffleBuffer(rng)
        buffer.add("abc")
        firsts.update(buffer.draw(1))
    assert all(900 < count < 1100 for count in firsts.values())


def test_more_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(IndexError):
        ShuffleBuffer(np.random.default_rng(0)).draw(1)
