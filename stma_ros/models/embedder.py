"""The interface of text embeddings, and its implementations by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

MINILM, LEXICAL = "minilm", "lexical"


class Embedder(Protocol):
    """Embeds texts as vectors; texts of similar meaning get vectors of similar direction."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns (N, dimensions) float32 vectors, none of them zero.

        Equal texts, also empty ones, have equal vectors.
        """
        ...


@runtime_checkable
class LimitedEmbedder(Embedder, Protocol):
    """An embedder that reads texts up to some length."""

    def excess(self, text: str) -> int:
        """Returns the number of tokens at the end of a text that are not read."""
        ...


@runtime_checkable
class NamedEmbedder(Embedder, Protocol):
    """An embedder that names its model; vectors of models with different names are never compared."""

    @property
    def name(self) -> str:
        """Name and version of the model."""
        ...


def _minilm() -> Embedder:
    from stma_ros.models.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def _lexical() -> Embedder:
    from stma_ros.models.lexical import LexicalEmbedder

    return LexicalEmbedder()


EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {MINILM: _minilm, LEXICAL: _lexical}
"""Factories of embedders. They import the libraries, and raise MissingDependencyError if these are not installed."""
