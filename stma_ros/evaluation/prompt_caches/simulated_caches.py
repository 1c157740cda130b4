"""The two caches of a model server, by what they hold: least-recently-used, as in vLLM."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from itertools import count
from typing import Final

BLOCK: Final = 16
"""Tokens of a block: what prompts share is reused in whole blocks."""


class PrefixCache:
    """Remembers which blocks prompts begin with. A block is known by its tokens and by all blocks before it."""

    def __init__(self, tokens: int) -> None:
        """Creates an empty cache. tokens: how many it holds."""
        self._limit = tokens // BLOCK
        self._numbers = count(1)
        self._blocks: OrderedDict[tuple[int, tuple[Hashable, ...]], int] = OrderedDict()

    def read(self, prompt: Sequence[Hashable]) -> int:
        """Returns how many tokens at the beginning of a prompt are cached, and caches its whole blocks.

        The last token is never taken from the cache: a model reads it to begin its reply.
        """
        before, reused, chain = 0, 0, []
        for begin in range(0, len(prompt) - BLOCK + 1, BLOCK):
            block = before, tuple(prompt[begin : begin + BLOCK])
            if block in self._blocks:
                reused += 1
            else:
                self._blocks[block] = next(self._numbers)
            before = self._blocks[block]
            chain.append(block)
        for block in reversed(chain):  # so that the end of a prompt is dropped before its beginning
            self._blocks.move_to_end(block)
        while len(self._blocks) > self._limit:
            self._blocks.popitem(last=False)
        return min(reused, max(len(prompt) - 1, 0) // BLOCK) * BLOCK


class ImageCache:
    """Remembers which images were encoded, by their content."""

    def __init__(self, images: int) -> None:
        """Creates an empty cache. images: how many it holds."""
        self._limit = images
        self._keys: OrderedDict[str, None] = OrderedDict()

    def read(self, key: str) -> bool:
        """Returns whether the encoding of an image is cached, and caches it."""
        is_cached = key in self._keys
        self._keys[key] = None
        self._keys.move_to_end(key)
        while len(self._keys) > self._limit:
            self._keys.popitem(last=False)
        return is_cached
