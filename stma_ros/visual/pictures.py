"""Draws camera images: a sample of all, and every keyframe with its detections."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from stma_ros.sensing.encodings import color_in_rgb
from stma_ros.types import topics
from stma_ros.types.errors import BadImageError
from stma_ros.types.message import Message
from stma_ros.types.sensing import Detection, KeyframeDetections
from stma_ros.types.standard import Image
from stma_ros.visual import colours, paths
from stma_ros.visual.drawables import Drawn, Picture
from stma_ros.visual.drawing_context import DrawingContext
from stma_ros.visual.keyframe_join import KeyframeJoin


class CameraPictures:
    """Draws the camera's image at most once in `period_ns`, and every keyframe."""

    def __init__(
        self, context: DrawingContext, period_ns: int, keyframes: Collection[int] | None = None
    ) -> None:
        """keyframes: as in KeyframeJoin."""
        self._context = context
        self._period_ns = period_ns
        self._last_ns: int | None = None
        self._join: KeyframeJoin[NDArray[np.uint8]] = KeyframeJoin(keyframes)

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        if topic == topics.COLOR and isinstance(message, Image):
            try:
                pixels = color_in_rgb(message)
            except BadImageError:
                return  # perception reports it as a fault of that frame
            stamp = message.header.stamp.nanoseconds
            if self._last_ns is None or abs(stamp - self._last_ns) >= self._period_ns:
                self._last_ns = stamp
                yield self._drawn(paths.COLOR, message, Picture(pixels))
            yield from self._keyframes(stamp, self._join.add_image(stamp, pixels, pixels.nbytes))
        elif isinstance(message, KeyframeDetections):
            yield from self._keyframes(message.header.stamp.nanoseconds, self._join.add_detections(message))

    def _keyframes(
        self, stamp: int, joined: Iterable[tuple[NDArray[np.uint8], tuple[Detection, ...]]]
    ) -> Iterator[Drawn]:
        for pixels, detections in joined:
            yield Drawn(paths.KEYFRAME, stamp or self._context.stamp_ns, "", labelled(pixels, detections))

    def _drawn(self, path: str, message: Image, picture: Picture) -> Drawn:
        return Drawn(path, self._context.stamp_ns, message.header.frame_id, picture)


def labelled(pixels: NDArray[np.uint8], detections: tuple[Detection, ...]) -> Picture:
    """Draws large boxes first, so that small objects are on top of the furniture that they stand on."""
    ordered = sorted(detections, key=lambda detection: -detection.roi.width * detection.roi.height)
    return Picture(
        pixels,
        np.array([_edges(detection) for detection in ordered], np.float32).reshape(-1, 4),
        colours.rows(colours.of_category(detection.category) for detection in ordered),
        tuple(detection.category for detection in ordered),
    )


def _edges(detection: Detection) -> tuple[int, int, int, int]:
    roi = detection.roi
    return roi.x_offset, roi.y_offset, roi.x_offset + roi.width, roi.y_offset + roi.height
