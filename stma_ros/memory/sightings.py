"""What a keyframe shows, and what one detection in it makes of what is remembered of the thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from stma_ros.memory.absence import Glimpse, Visibility
from stma_ros.memory.association import Looks
from stma_ros.memory.boxes import Box, Corner
from stma_ros.memory.colours import blended
from stma_ros.memory.history import Stay
from stma_ros.memory.registration import turned
from stma_ros.memory.shapes import Shape, View
from stma_ros.memory.states import PRESENCE, with_seen, with_told, without
from stma_ros.memory.things import NOWHERE, RememberedObject, Whereabouts
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import CompressedImage, Point, Pose, Time

COLOR_VIEWS = 10
"""The colour of a thing is its mean over about the last so many views."""


@dataclass(frozen=True)
class Keyframe:
    """What one keyframe shows. viewpoint: (3,) of the camera in the map frame [m]; None = not known, and then the
    keyframe is no evidence of what is not there. glimpse: compares boxes with its depth image. placed_as_of: the
    stamp whose error of localisation its places share; None = its own.
    """

    stamp: Time
    detections: Sequence[Detection]
    viewpoint: Corner | None = None
    glimpse: Glimpse | None = None
    picture: CompressedImage | None = None
    placed_as_of: Time | None = None

    @property
    def seen_from(self) -> Point:
        return NOWHERE if self.viewpoint is None else Point(*self.viewpoint)

    @property
    def pictured(self) -> Time:
        """Its stamp when it has a picture, else 0."""
        return self.stamp if self.picture is not None and len(self.picture.data) else Time()

    @property
    def anchor(self) -> Time:
        """When the map is corrected, what this keyframe shows moves as things of this stamp do."""
        return self.stamp if self.placed_as_of is None else self.placed_as_of

    def registered(self, turn: float, stamp: Time) -> Keyframe:
        """As if it had been taken `turn` [rad] farther to the left, so that it fits what is remembered of `stamp`."""
        at = self.viewpoint
        if at is None:
            return self
        middles = np.array([(d.center.x, d.center.y, d.center.z) for d in self.detections]).reshape(-1, 3)
        detections = tuple(
            replace(detection, box=replace(detection.box, center=Pose(Point(*middle))))
            for detection, middle in zip(self.detections, turned(middles, turn, at).tolist(), strict=True)
        )
        glimpse = None if self.glimpse is None else _turned_glimpse(self.glimpse, -turn, at)
        return replace(self, detections=detections, glimpse=glimpse, placed_as_of=stamp)

    def in_order(self) -> list[Detection]:
        """The detections by category and place: what becomes of them must not depend on the detector's order."""
        return sorted(self.detections, key=_order)

    def view(self, detection: Detection, hidden: bool | None = None) -> View:
        """hidden: whether something stood before the thing; None = not known."""
        whole = not detection.truncated
        return View(box_of(detection), self.viewpoint, not whole or bool(hidden), whole and hidden is False)


def _turned_glimpse(glimpse: Glimpse, turn: float, viewpoint: Corner) -> Glimpse:
    """Takes the boxes that it is asked for `turn` [rad] farther to the left."""

    def look(low: ArrayLike, high: ArrayLike, /) -> Visibility:
        lows, highs = np.asarray(low, np.float64), np.asarray(high, np.float64)
        middle, half = turned((lows + highs) / 2, turn, viewpoint), (highs - lows) / 2
        return glimpse(middle - half, middle + half)

    return look


def _order(detection: Detection) -> tuple[str, float, float, float, float, float, float, int]:
    at, size = detection.center, detection.size
    return detection.category, at.x, at.y, at.z, size.x, size.y, size.z, detection.pixels


def box_of(detection: Detection) -> Box:
    return Box.of(detection.center, detection.size)


def looks_of(detections: Sequence[Detection], kinds: Sequence[int], small: Sequence[bool]) -> Looks:
    """kinds: a number for the category of each; small: whether it is a small thing."""
    middle = np.array([(d.center.x, d.center.y, d.center.z) for d in detections]).reshape(-1, 3)
    half = np.array([(d.size.x, d.size.y, d.size.z) for d in detections]).reshape(-1, 3) / 2
    return Looks(
        np.array(kinds, np.int64),
        np.stack([middle - half, middle + half], axis=1),
        [d.color for d in detections],
        np.array([d.truncated for d in detections], np.bool_),
        np.array(small, np.bool_),
    )


def looks_of_known(things: Sequence[RememberedObject], kinds: Sequence[int], small: Sequence[bool]) -> Looks:
    """Likewise, of remembered things as they stand now."""
    shapes = [item.shape for item in things]
    sides = np.array([shape.sure for shape in shapes]).reshape(-1, 2, 3)[:, :, :2]
    return Looks(
        np.array(kinds, np.int64),
        np.array([shape.faces for shape in shapes]).reshape(-1, 2, 3),
        [item.color for item in things],
        (sides == 0).any(axis=(1, 2)),  # some side has never been shown: there may be more of it
        np.array(small, np.bool_),
    )


def seen_first(name: str, detection: Detection, keyframe: Keyframe) -> RememberedObject:
    """A new thing."""
    stamp, view = keyframe.stamp, keyframe.view(detection)
    item = RememberedObject(
        name,
        detection.category,
        detection.color,
        detection.confidence,
        1,
        stamp,
        stamp,
        None,
        states=with_seen((), name, detection.states, stamp),
        seen_from=keyframe.seen_from,
        stays=(Stay("", "", "", view.box, stamp, stamp, keyframe.pictured),),
    )
    return item.with_view(view, keyframe.anchor)


def seen_elsewhere(item: RememberedObject, detection: Detection, keyframe: Keyframe) -> RememberedObject:
    """A thing that was not where it had been, at another place."""
    stamp, view = keyframe.stamp, keyframe.view(detection)
    stay = Stay("", "", "", view.box, stamp, stamp, keyframe.pictured)
    return seen_again(
        item.placed(Shape.seen(view, keyframe.anchor), Whereabouts.SEEN, stay), detection, keyframe, None
    )


def seen_again(
    item: RememberedObject, detection: Detection, keyframe: Keyframe, hidden: bool | None
) -> RememberedObject:
    """A thing where it is known or expected to be. hidden: as in Keyframe.view."""
    stamp, view = keyframe.stamp, keyframe.view(detection, hidden)
    whereabouts = item.whereabouts
    if item.is_guessed:
        item = replace(item, shut=None)
    if whereabouts is Whereabouts.TOLD:
        whereabouts = Whereabouts.SEEN
    states = with_seen(item.states, item.id, detection.states, stamp)
    if whereabouts is Whereabouts.MISSING and item.told_up_to != stamp:  # told and seen at once: told wins
        whereabouts = Whereabouts.SEEN
        states = without(states, PRESENCE)
    item = item.with_states(states).with_view(view, keyframe.anchor)
    here = item.stays[-1]
    # A picture with all of the thing is not given up for one with a part of it.
    picture = here.picture if detection.truncated and here.picture.nanoseconds else keyframe.pictured
    return replace(
        item,
        whereabouts=whereabouts,
        confidence=1 - (1 - item.confidence) * (1 - detection.confidence),
        color=blended(item.color, detection.color, 1 / min(item.keyframes + 1, COLOR_VIEWS)),
        keyframes=item.keyframes + 1,
        last_seen=stamp,
        seen_from=keyframe.seen_from,
        doubt=0.0,
        stays=(*item.stays[:-1], replace(here, box=item.box, last_seen=stamp, picture=picture)),
    )


def joined(one: RememberedObject, other: RememberedObject) -> RememberedObject:
    """Two parts of one thing; the first one's id and history stay."""
    keyframes = one.keyframes + other.keyframes
    states = one.states
    for fact in other.states:
        states = with_told(states, replace(fact, subject=one.id))
    newer = one if other.last_seen < one.last_seen else other
    return replace(
        one,
        shut=one.shut.joined(other.shut) if one.shut and other.shut else one.shut or other.shut,
        opened=one.opened.joined(other.opened) if one.opened and other.opened else one.opened or other.opened,
        states=states,
        told=one.told or (replace(other.told, subject=one.id) if other.told else None),
        confidence=1 - (1 - one.confidence) * (1 - other.confidence),
        color=blended(one.color, other.color, other.keyframes / keyframes),
        keyframes=keyframes,
        first_seen=min(one.first_seen, other.first_seen),
        last_seen=newer.last_seen,
        seen_from=newer.seen_from,
        stays=(*one.stays[:-1], replace(newer.stays[-1], first_seen=one.stays[-1].first_seen)),
    )
