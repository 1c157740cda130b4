"""Embeddings of words and letters: no model, no download, the same on every machine."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

_DIMENSIONS = 256
_WORD = re.compile(r"\w+")
_LETTERS = 3  # length of the pieces of words that count beside the words
_PIECE_WEIGHT = 0.3


class LexicalEmbedder:
    """An Embedder. Each word, and with less weight each three letters of it, adds to one of the dimensions, with a
    sign; which one and which sign follow from its checksum ("feature hashing", Weinberger et al. 2009)."""

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
            yield bounded[start : start + _LETTERS], _PIECE_WEIGHT
