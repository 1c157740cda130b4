"""A cache of encoded images, which saves a model in this process from encoding an image twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Protocol


class Tensor(Protocol):
    """An array on any device, such as torch.Tensor."""

    @property
    def nbytes(self) -> int: ...


@dataclass(frozen=True)
class EncodedImage:
    """Output of the vision encoder for one image.

    Attributes:
        grid: number of patches in time, height and width.
        tokens: (tokens, width) embeddings that represent the image in the prompt.
        layers: embeddings of the same shape that some models add at the first layers of the language model
            (Qwen3-VL's deepstack features).
    """

    grid: tuple[int, int, int]
    tokens: Tensor
    layers: tuple[Tensor, ...] = ()

    @property
    def nbytes(self) -> int:
        return self.tokens.nbytes + sum(layer.nbytes for layer in self.layers)


class VisionCache:
    """A least-recently-used cache of encoded images, shared by all roles and models. Thread-safe.

    Encoded images stay on the model's device.

    Attributes:
        hits, misses: number of requests with and without an entry.
    """

    def __init__(self, max_bytes: int) -> None:
        """Creates an empty cache of at most `max_bytes`; 0 caches nothing."""
        self.max_bytes = max_bytes
        self.hits = 0
        self.misses = 0
        self._lock = threading.Lock()
        self._bytes = 0
        self._entries: OrderedDict[tuple[Hashable, str], EncodedImage] = OrderedDict()

    @property
    def nbytes(self) -> int:
        """Size of all entries."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, model: Hashable, key: str) -> EncodedImage | None:
        """Returns the encoding of an image by `model`; None if there is none. key: see Picture.key."""
        with self._lock:
            image = self._entries.get((model, key))
            if image is None:
                self.misses += 1
            else:
                self.hits += 1
                self._entries.move_to_end((model, key))
            return image

    def put(self, model: Hashable, key: str, image: EncodedImage) -> None:
        """Adds an encoding, and drops the least recently used ones. An image larger than the cache is not added."""
        with self._lock:
            self._drop((model, key))
            if image.nbytes > self.max_bytes:
                return
            self._entries[model, key] = image
            self._bytes += image.nbytes
            while self._bytes > self.max_bytes:
                self._drop(next(iter(self._entries)))

    def forget(self, model: Hashable) -> None:
        """Drops all encodings of `model`."""
        with self._lock:
            for entry in [entry for entry in self._entries if entry[0] == model]:
                self._drop(entry)

    def _drop(self, entry: tuple[Hashable, str]) -> None:
        image = self._entries.pop(entry, None)
        if image is not None:
            self._bytes -= image.nbytes
