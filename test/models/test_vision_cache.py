"""What is kept of encoded images: the latest, by model and content, within a bound."""

from __future__ import annotations

import threading

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.models.vision_cache import EncodedImage, VisionCache

MODEL, OTHER_MODEL = "one", "another"


def image(nbytes: int = 40) -> EncodedImage:
    """Half of it tokens, half of it one layer."""
    return EncodedImage((1, 2, 2), np.zeros(nbytes // 2, np.uint8), (np.zeros(nbytes // 2, np.uint8),))


class TestKnown:
    def test_an_image_is_known_by_model_and_content(self) -> None:
        cache, kept = VisionCache(100), image()

        cache.put(MODEL, "a", kept)

        assert cache.get(MODEL, "a") is kept
        assert cache.get(MODEL, "b") is None
        assert cache.get(OTHER_MODEL, "a") is None
        assert (cache.hits, cache.misses) == (1, 2)

    def test_a_model_that_goes_takes_its_images_with_it(self) -> None:
        cache = VisionCache(100)
        cache.put(MODEL, "a", image())
        cache.put(OTHER_MODEL, "a", image())

        cache.forget(MODEL)

        assert cache.get(MODEL, "a") is None
        assert cache.get(OTHER_MODEL, "a") is not None
        assert cache.nbytes == 40


class TestBound:
    def test_tokens_and_layers_count(self) -> None:
        cache = VisionCache(100)

        cache.put(MODEL, "a", image(40))

        assert cache.nbytes == 40

    def test_what_was_not_used_for_longest_makes_room(self) -> None:
        cache = VisionCache(100)
        for key in "ab":
            cache.put(MODEL, key, image())
        cache.get(MODEL, "a")

        cache.put(MODEL, "c", image())

        assert cache.get(MODEL, "b") is None
        assert cache.get(MODEL, "a") is not None
        assert cache.get(MODEL, "c") is not None
        assert cache.nbytes == 80

    def test_an_image_larger_than_the_cache_is_not_kept_and_drops_no_other(self) -> None:
        cache = VisionCache(100)
        cache.put(MODEL, "a", image())

        cache.put(MODEL, "b", image(102))

        assert cache.get(MODEL, "b") is None
        assert cache.get(MODEL, "a") is not None

    def test_an_image_that_is_put_again_counts_once(self) -> None:
        cache, newer = VisionCache(100), image(60)
        cache.put(MODEL, "a", image())

        cache.put(MODEL, "a", newer)

        assert cache.get(MODEL, "a") is newer
        assert (len(cache), cache.nbytes) == (1, 60)

    @given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 70)), max_size=40))
    def test_never_more_than_the_bound(self, told: list[tuple[str, int]]) -> None:
        cache = VisionCache(100)
        for key, half in told:
            cache.put(MODEL, key, image(2 * half))

            assert cache.nbytes <= 100

        kept = (cache.get(MODEL, key) for key in "abcdef")
        assert cache.nbytes == sum(found.nbytes for found in kept if found is not None)


def test_many_threads_at_once() -> None:
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
