"""Joins images with the detections of their keyframes, which may come long after them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import Generic, TypeVar

from stma_ros.types.sensing import Detection, KeyframeDetections

MAX_WAITING_BYTES = 256 * 1024 * 1024
"""Bound of the images that wait for detections where keyframes are not known in advance: ten seconds of 640x480 pixels
at 30 Hz."""

MAX_WAITING_DETECTIONS = 64
"""Bound of the keyframes whose images may still come."""

MAX_REVISED = 32
"""Bound of the keyframes whose images are stored since a model's answer may add to their detections."""

ImageT = TypeVar("ImageT")


class KeyframeJoin(Generic[ImageT]):
    """Joins images and detections by stamp, in any order of arrival.

    In a recording, whose keyframes are known in advance, the images of all others are dropped at once, and those of
    keyframes wait until their detections come. Otherwise the oldest images are dropped beyond a bound.

    Detections that a model's answer adds to are joined twice: as they are, and with the answer.
    """

    def __init__(self, keyframes: Collection[int] | None = None) -> None:
        """Makes an empty join. keyframes: stamps of all keyframes of a recording [ns]; None = not known."""
        self._keyframes = keyframes
        self._images: OrderedDict[int, tuple[ImageT, int]] = OrderedDict()
        self._detections: OrderedDict[int, tuple[Detection, ...]] = OrderedDict()
        self._revised: OrderedDict[int, ImageT] = OrderedDict()  # joined, and to be joined again
        self._open: set[int] = set()  # stamps of keyframes that a model's answer adds to [ns]
        self._bytes = 0

    def add_image(
        self, stamp_ns: int, image: ImageT, size: int
    ) -> Iterator[tuple[ImageT, tuple[Detection, ...]]]:
        """Takes an image of `size` bytes, and yields it with its detections if they came before it."""
        if self._keyframes is not None and stamp_ns not in self._keyframes:
            return
        self._remove(stamp_ns)
        self._images[stamp_ns] = image, size
        self._bytes += size
        yield from self._joined(stamp_ns)
        while self._keyframes is None and self._bytes > MAX_WAITING_BYTES:
            self._remove(next(iter(self._images)))

    def add_detections(self, message: KeyframeDetections) -> Iterator[tuple[ImageT, tuple[Detection, ...]]]:
        """Takes detections, and yields those of a keyframe with its image if that came before them."""
        stamp_ns = message.header.stamp.nanoseconds
        if message.revision:
            self._open.discard(stamp_ns)
            image = self._revised.pop(stamp_ns, None)
            if image is not None and message.keyframe:
                yield image, message.detections
                return
        if not message.keyframe:
            return
        if message.awaits_answer:
            self._open.add(stamp_ns)
        self._detections[stamp_ns] = message.detections
        yield from self._joined(stamp_ns)
        while len(self._detections) > MAX_WAITING_DETECTIONS:
            self._detections.popitem(last=False)

    def _joined(self, stamp_ns: int) -> Iterator[tuple[ImageT, tuple[Detection, ...]]]:
        if stamp_ns in self._images and stamp_ns in self._detections:
            image, _ = self._images[stamp_ns]
            self._remove(stamp_ns)
            if stamp_ns in self._open:
                self._revised[stamp_ns] = image
                while len(self._revised) > MAX_REVISED:
                    self._open.discard(self._revised.popitem(last=False)[0])
            yield image, self._detections.pop(stamp_ns)

    def _remove(self, stamp_ns: int) -> None:
        _, size = self._images.pop(stamp_ns, (None, 0))
        self._bytes -= size
