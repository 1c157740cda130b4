"""The port for text embeddings, and its back ends by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MINILM, LEXICAL = "minilm", "lexical"


class Embedder(Protocol):
    """Texts of similar meaning get vectors of similar direction."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns (N, dimensions), of any length but zero; equal texts have equal vectors, empty ones too."""
        ...


def _minilm() -> Embedder:
    from stma_ros.models.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def _lexical() -> Embedder:
    from stma_ros.models.lexical import LexicalEmbedder

    return LexicalEmbedder()


EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {MINILM: _minilm, LEXICAL: _lexical}
"""Making one loads its libraries; raises MissingDependencyError where they are not installed."""
