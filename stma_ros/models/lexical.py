"""Embeddings by feature hashing of words and letters: without a model, and the same on every machine."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_DIMENSIONS = 256
_WORD = re.compile(r"\w+")
_LETTERS = 3  # length of the n-grams of letters
_NGRAM_WEIGHT = 0.3  # relative to a word


class LexicalEmbedder:
    """An Embedder by feature hashing (Weinberger et al. 2009).

    Each word, and with less weight each n-gram of its letters, adds to or subtracts from one of the dimensions; its
    checksum decides which one, and the sign.
    """

    dimensions = _DIMENSIONS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), _DIMENSIONS), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            for feature, weight in _features(text):
                code = zlib.crc32(feature.encode())
                vector[(code >> 1) % _DIMENSIONS] += weight if code & 1 else -weight
            if not vector.any():
                vector[0] = 1.0
        return vectors


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text.casefold()):
        yield word, 1.0
        bounded = f"<{word}>"
        for start in range(len(bounded) - _LETTERS + 1):
            yield bounded[start : start + _LETTERS], _NGRAM_WEIGHT
