"""Tests of the cache of encoded images, which holds the latest ones by model and content within a bound."""

from __future__ import annotations

import threading

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.vision_cache import EncodedImage, VisionCache

MODEL, OTHER_MODEL = "one", "another"


def image(nbytes: int = 40) -> EncodedImage:
    """Returns an encoded image of nbytes bytes, half of them tokens and half of them one layer."""
    return EncodedImage((1, 2, 2), np.zeros(nbytes // 2, np.uint8), (np.zeros(nbytes // 2, np.uint8),))


class TestLookup:
    def test_vision_cache_finds_an_image_by_model_and_content(self) -> None:
        cache, stored = VisionCache(100), image()

        cache.put(MODEL, "a", stored)

        assert cache.get(MODEL, "a") is stored
        assert cache.get(MODEL, "b") is None
        assert cache.get(OTHER_MODEL, "a") is None
        assert (cache.hits, cache.misses) == (1, 2)

    def test_vision_cache_forgets_the_images_of_one_model(self) -> None:
        cache = VisionCache(100)
        cache.put(MODEL, "a", image())
        cache.put(OTHER_MODEL, "a", image())

        cache.forget(MODEL)

        assert cache.get(MODEL, "a") is None
        assert cache.get(OTHER_MODEL, "a") is not None
        assert cache.nbytes == 40


class TestBound:
    def test_size_of_the_vision_cache_includes_tokens_and_layers(self) -> None:
        cache = VisionCache(100)

        cache.put(MODEL, "a", image(40))

        assert cache.nbytes == 40

    def test_vision_cache_drops_the_image_that_was_not_used_for_longest(self) -> None:
        cache = VisionCache(100)
        for key in "ab":
            cache.put(MODEL, key, image())
        cache.get(MODEL, "a")

        cache.put(MODEL, "c", image())

        assert cache.get(MODEL, "b") is None
        assert cache.get(MODEL, "a") is not None
        assert cache.get(MODEL, "c") is not None
        assert cache.nbytes == 80

    def test_vision_cache_does_not_store_an_image_larger_than_itself(self) -> None:
        cache = VisionCache(100)
        cache.put(MODEL, "a", image())

        cache.put(MODEL, "b", image(102))

        assert cache.get(MODEL, "b") is None
        assert cache.get(MODEL, "a") is not None

    def test_vision_cache_counts_an_image_once_when_it_is_stored_again(self) -> None:
        cache, newer = VisionCache(100), image(60)
        cache.put(MODEL, "a", image())

        cache.put(MODEL, "a", newer)

        assert cache.get(MODEL, "a") is newer
        assert (len(cache), cache.nbytes) == (1, 60)

    @given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 70)), max_size=40))
    def test_vision_cache_never_exceeds_its_bound(self, changes: list[tuple[str, int]]) -> None:
        cache = VisionCache(100)
        for key, half in changes:
            cache.put(MODEL, key, image(2 * half))

            assert cache.nbytes <= 100

        found_images = (cache.get(MODEL, key) for key in "abcdef")
        assert cache.nbytes == sum(found.nbytes for found in found_images if found is not None)


def test_vision_cache_counts_correctly_when_many_threads_use_it() -> None:
    cache, start = VisionCache(100), threading.Barrier(4)

    def work(name: int) -> None:
        start.wait(10.0)
        for at in range(300):
            key = f"{(at * (name + 1)) % 5}"
            if cache.get(MODEL, key) is None:
                cache.put(MODEL, key, image())

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)

    assert cache.hits + cache.misses == 4 * 300
    assert (len(cache), cache.nbytes) == (2, 80)
