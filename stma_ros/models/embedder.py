"""The port through which text becomes vectors, and its back ends by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MINILM, LEXICAL = "minilm", "lexical"


class Embedder(Protocol):
    """Texts that mean alike get vectors that point alike."""

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(N, dimensions), of any length but zero; the same text always has the same vector, an empty one too."""
        ...


def _minilm() -> Embedder:
    from stma_ros.models.minilm import MiniLmEmbedder

    return MiniLmEmbedder()


def _lexical() -> Embedder:
    from stma_ros.models.lexical import LexicalEmbedder

    return LexicalEmbedder()


EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {MINILM: _minilm, LEXICAL: _lexical}
"""Making one loads its libraries; raises MissingDependencyError where they are not installed."""
