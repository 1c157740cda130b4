"""From what the scene graph expert says of a picture to detections, placed by the depth that belongs to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.perception.boxes_to_segments import PixelBox, pixels_of, segments_of
from stma_ros.components.perception.detections import STRUCTURE, detection, in_order, shown
from stma_ros.mapping.depth_noise import noise_level
from stma_ros.mapping.segments import find_segments
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.states import dimension
from stma_ros.roles.scene_graph import SceneObject
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.types.sensing import Detection

TRUST = 0.7
"""How sure it is that a thing is there which a model names."""

SAME = 0.3
"""Share that the boxes of two views of one thing have in common, of all that either covers."""

SAME_PLACE = 0.6
"""Likewise for boxes with different names: they are two names for one thing."""


@dataclass(frozen=True)
class Told:
    """A thing that was named. detection: None where depth does not tell where it is."""

    category: str
    states: tuple[str, ...]
    box: PixelBox
    detection: Detection | None


def told(
    objects: Iterable[SceneObject],
    view: DepthView,
    color: NDArray[np.uint8],
    max_range: float,
    min_pixels: int,
    knowledge: CategoryKnowledge,
) -> list[Told]:
    """What was named in a picture of `view`, under its canonical name, without the building and without
    states that such things do not have.

    color: (H, W, 3) RGB, the picture; max_range: beyond it depth is not looked at [m]; min_pixels: with fewer it is not
    taken for a thing.
    """
    named = [(knowledge.canonical(item.name), item) for item in objects]
    named = [(kind, item) for kind, item in named if kind not in STRUCTURE and not knowledge.is_room(kind)]
    things = [
        Told(kind, _fitting(kind, item.states, knowledge), pixels_of(item.box, view.depth_mm.shape), None)
        for kind, item in named
    ]
    noise = noise_level(view.depth_mm)
    ids = segments_of(view.depth_mm, view.camera, [thing.box for thing in things], max_range, noise)
    numbers = range(1, len(things) + 1)
    for segment in find_segments(
        view.depth_mm, view.camera, view.camera_pose, ids, numbers, max_range, noise
    ):
        if len(segment.points) >= min_pixels:
            thing = things[segment.id - 1]
            found = detection(thing.category, TRUST, segment, shown(segment, color), thing.states, knowledge)
            things[segment.id - 1] = replace(thing, detection=found)
    return things


def joined(
    segmented: Sequence[Detection], things: Iterable[Told], knowledge: CategoryKnowledge
) -> tuple[Detection, ...]:
    """What a segmentation told apart, with the states that were named of it and that the view itself did not tell; and
    what was named besides. Where the two have different names for one place, the segmentation's counts."""
    found, free = list(segmented), set(range(len(segmented)))
    added = []
    for thing in things:
        shares = {index: _shared(found[index], thing.box) for index in sorted(free)}
        same = [
            n
            for n in shares
            if shares[n] >= SAME and _same_kind(found[n].category, thing.category, knowledge)
        ]
        if same:
            index = max(same, key=shares.__getitem__)
            free.remove(index)
            found[index] = _with_states(found[index], thing.states)
        elif thing.detection is not None and not any(share >= SAME_PLACE for share in shares.values()):
            added.append(thing.detection)
    return in_order((*found, *added))


def _fitting(kind: str, states: tuple[str, ...], knowledge: CategoryKnowledge) -> tuple[str, ...]:
    has = {
        "openness": knowledge.is_openable(kind),
        "power": knowledge.is_device(kind),
        "filling": knowledge.is_vessel(kind),
    }
    return tuple(state for state in states if has.get(dimension(state)))


def _same_kind(one: str, other: str, knowledge: CategoryKnowledge) -> bool:
    return knowledge.are_related(one, other) or knowledge.is_alike(one, other)


def _shared(seen: Detection, box: PixelBox) -> float:
    rows, columns = box
    roi = seen.roi
    bottom, right = roi.y_offset + roi.height, roi.x_offset + roi.width
    high = min(bottom, rows.stop) - max(roi.y_offset, rows.start)
    wide = min(right, columns.stop) - max(roi.x_offset, columns.start)
    common = int(max(high, 0) * max(wide, 0))
    area = int((rows.stop - rows.start) * (columns.stop - columns.start))
    return common / (roi.height * roi.width + area - common)


def _with_states(seen: Detection, states: tuple[str, ...]) -> Detection:
    told_of = {dimension(state) for state in seen.states}
    more = tuple(state for state in states if dimension(state) not in told_of)
    return replace(seen, states=(*seen.states, *more)) if more else seen
