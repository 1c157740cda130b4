"""Keeps what a vision encoder made of an image, so that a model that runs in this process encodes no image twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol


class Tensor(Protocol):
    """An array on whatever device, such as torch.Tensor."""

    @property
    def nbytes(self) -> int: ...


@dataclass(frozen=True)
class EncodedImage:
    """One image as the language model takes it in.

    grid: patches in time, down and across. tokens: (tokens, width) embeddings, which stand in the prompt in the
    image's place. layers: the same shape for each of the first layers of the language model, which some models add
    there (Qwen3-VL's deepstack features).
    """

    grid: tuple[int, int, int]
    tokens: Tensor
    layers: tuple[Tensor, ...] = ()

    @property
    def nbytes(self) -> int:
        return self.tokens.nbytes + sum(layer.nbytes for layer in self.layers)


class VisionCache:
    """The images that were used last, of all roles and models; from any thread. What a model encoded is kept where the
    model is: on its GPU, if it has one.

    hits, misses: how often an image was asked for that was there, or was not.
    """

    def __init__(self, most_bytes: int) -> None:
        """most_bytes: of all that is kept; 0 = nothing is."""
        self.most_bytes = most_bytes
        self.hits = 0
        self.misses = 0
        self._lock = threading.Lock()
        self._bytes = 0
        self._entries: OrderedDict[tuple[Hashable, str], EncodedImage] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """Of all that is kept now."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, model: Hashable, key: str) -> EncodedImage | None:
        """What `model` made of the image with this content (Picture.key); None if that is not known."""
        with self._lock:
            image = self._entries.get((model, key))
            if image is None:
                self.misses += 1
            else:
                self.hits += 1
                self._entries.move_to_end((model, key))
            return image

    def put(self, model: Hashable, key: str, image: EncodedImage) -> None:
        """Makes room by dropping what was not used for longest. An image larger than the whole cache is not kept."""
        with self._lock:
            self._drop((model, key))
            if image.nbytes > self.most_bytes:
                return
            self._entries[model, key] = image
            self._bytes += image.nbytes
            while self._bytes > self.most_bytes:
                self._drop(next(iter(self._entries)))

    def forget(self, model: Hashable) -> None:
        """Drops all that `model` encoded."""
        with self._lock:
            for place in [place for place in self._entries if place[0] == model]:
                self._drop(place)

    def _drop(self, place: tuple[Hashable, str]) -> None:
        image = self._entries.pop(place, None)
        if image is not None:
            self._bytes -= image.nbytes
