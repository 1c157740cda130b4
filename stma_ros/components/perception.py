"""Perception: from camera frames to what one keyframe shows.

It knows nothing of earlier keyframes but where they were taken from: identity across views is the business of
the scene graph (memory.scene_graph).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.appearance import own_color, states
from stma_ros.components.frames import (
    FrameConfig,
    FrameParts,
    PoseGuard,
    View,
    color_in_rgb,
    part,
    segment_ids,
    station_of,
    view_of,
)
from stma_ros.components.pictures import thumbnail
from stma_ros.mapping.depth_noise import depth_noise, noise_level
from stma_ros.mapping.openness import Sight
from stma_ros.mapping.segments import Segment, find_segments
from stma_ros.mapping.warm_up import warm_up
from stma_ros.types import topics
from stma_ros.types.causality import source
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import BadImageError, StmaError
from stma_ros.types.message import Message
from stma_ros.types.sensing import Detection, SceneGraphUpdate, SegmentLabel, SegmentLabels
from stma_ros.types.settings import setting
from stma_ros.types.standard import (
    Image,
    Point,
    Pose,
    PoseStamped,
    RegionOfInterest,
    Vector3,
)

FLOOR = "floor"
STRUCTURE = frozenset({"wall", FLOOR, "ceiling"})
"""Categories that are the building, not things in it; the map holds them."""

CHANGE = 0.1
"""A pixel whose depth is another by more than this [m], and six sigma of noise, shows another thing."""

PIXELS_OF_FAIR_EVIDENCE = 30

PIXELS_OF_A_LOOK = 8000
"""States and colour are looked for on about this many pixels, where there are so many."""


@dataclass(frozen=True)
class PerceptionConfig(FrameConfig):
    keyframe_distance: float = setting(0.3, "a frame this far from the last keyframe is one", unit="m", low=0)
    keyframe_turn: float = setting(
        0.35, "a frame turned this much from the last keyframe is one", unit="rad", low=0
    )
    keyframe_change: float = setting(
        0.01, "a frame is a keyframe when this share of its depth changed since the last one", low=0, high=1
    )
    max_range: float = setting(6.0, "depth beyond this is not looked at", unit="m", low=0.5, high=60)
    min_pixels: int = setting(
        12, "seen pixels below which a segment is not taken for a thing", unit="px", low=1
    )


class Perception:
    def __init__(self, config: PerceptionConfig) -> None:
        warm_up()
        self._config = config
        self._frames = FrameParts(topics.FRAME)
        self._guard = PoseGuard(config.max_speed)
        self._last_keyframe: tuple[Pose, NDArray[np.uint16]] | None = None

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        parts = self._frames.add(topic, message)
        return () if parts is None else ((topics.SCENE_GRAPH_UPDATE, self._look(parts)),)

    def _look(self, parts: Mapping[str, Message]) -> SceneGraphUpdate:
        header = part(parts, topics.LOCALIZATION, PoseStamped).header  # its frame is the map's
        stamp = header.stamp
        based_on = tuple(source(topic, parts[topic]) for topic in topics.FRAME)
        try:
            station = station_of(parts)
            self._guard.check(station)
            view = view_of(parts)
            if not self._is_keyframe(station.base, view.depth_mm):
                return SceneGraphUpdate(header, stamp, based_on=based_on)
            color = color_in_rgb(part(parts, topics.COLOR, Image))
            detections = self._detect(view, color, parts)
        except StmaError as error:
            return SceneGraphUpdate(header, stamp, error=Error.of(error), based_on=based_on)
        self._last_keyframe = station.base, view.depth_mm
        picture = thumbnail(part(parts, topics.COLOR, Image).header, color)
        return SceneGraphUpdate(header, stamp, True, detections, picture, based_on=based_on)

    def _is_keyframe(self, base: Pose, depth_mm: NDArray[np.uint16]) -> bool:
        if self._last_keyframe is None or self._last_keyframe[1].shape != depth_mm.shape:
            return True
        last_base, last_depth = self._last_keyframe
        here, there = base.position, last_base.position
        turned = abs((base.yaw - last_base.yaw + np.pi) % (2 * np.pi) - np.pi)
        return bool(
            np.hypot(here.x - there.x, here.y - there.y) >= self._config.keyframe_distance
            or turned >= self._config.keyframe_turn
            or _changed_share(depth_mm, last_depth) >= self._config.keyframe_change
        )

    def _detect(
        self, view: View, color: NDArray[np.uint8], parts: Mapping[str, Message]
    ) -> tuple[Detection, ...]:
        ids = segment_ids(part(parts, topics.SEGMENTATION, Image))
        if color.shape[:2] != view.depth_mm.shape or ids.shape != view.depth_mm.shape:
            raise BadImageError(
                f"depth is {view.depth_mm.shape}, colour {color.shape[:2]}, segmentation {ids.shape} (rows, "
                "columns); publish all three from one camera"
            )
        known = part(parts, topics.SEGMENTATION_LABELS, SegmentLabels).labels
        labels = {label.id: label for label in known if label.category not in STRUCTURE}
        floor = next((label.id for label in known if label.category == FLOOR), 0)
        noise = noise_level(view.depth_mm)
        segments = find_segments(
            view.depth_mm, view.camera, view.camera_pose, ids, labels, self._config.max_range, noise
        )
        sight = Sight(view.depth_mm, ids, view.camera, view.camera_pose, noise, floor)
        detections = [
            _detection(labels[segment.id], segment, sight, color)
            for segment in segments
            if len(segment.points) >= self._config.min_pixels
        ]
        # The order of the segments' ids is the segmentation's own affair; the order of places is not.
        return tuple(sorted(detections, key=lambda d: (d.roi.y_offset, d.roi.x_offset, d.category, d.pixels)))


def _detection(label: SegmentLabel, segment: Segment, sight: Sight, color: NDArray[np.uint8]) -> Detection:
    pixels = len(segment.index)
    shown = color.reshape(-1, 3)[segment.index[:: max(1, pixels // PIXELS_OF_A_LOOK)]]
    # A handful of pixels is weak evidence, whatever the segmentation says.
    trust = 1.0 if np.isnan(label.confidence) else label.confidence
    confidence = trust * (1 - np.exp(-pixels / PIXELS_OF_FAIR_EVIDENCE))
    rows, columns = segment.rows, segment.columns
    roi = RegionOfInterest(columns.start, rows.start, rows.stop - rows.start, columns.stop - columns.start)
    return Detection(
        label.category,
        confidence,
        Point(*segment.center),
        Vector3(*segment.size),
        own_color(label.category, shown),
        states(label.category, segment, sight, shown),
        roi,
        pixels,
        segment.truncated,
    )


def _changed_share(depth_mm: NDArray[np.uint16], before_mm: NDArray[np.uint16]) -> float:
    """Share of the pixels measured in both, every fourth each way, whose depth changed by more than noise does."""
    now, before = depth_mm[::4, ::4] * 1e-3, before_mm[::4, ::4] * 1e-3
    measured = (now > 0) & (before > 0)
    now, before = now[measured], before[measured]
    noise = noise_level(depth_mm) * depth_noise(np.maximum(now, before))
    return float(np.mean(np.abs(now - before) > CHANGE + 6 * noise)) if len(now) else 1.0
