"""Which things several pictures show, by the detections that come with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stma_ros.types.exploration import Snapshot
from stma_ros.types.sensing import Detection
from stma_ros.types.standard import Point

SAME_THING = 0.3
"""Detections of one category are of one thing if their centres are at most this far apart [m], besides half of the
longest side of the larger one: a picture may show a part only."""


@dataclass
class ShownThing:
    """A thing.

    Attributes:
        category: kind of thing.
        center: middle of its largest detection [m].
        longest: longest side of that detection [m].
        shown: confidence [0..1] of its clearest detection, by the position of the picture.
    """

    category: str
    center: Point
    longest: float
    shown: dict[int, float] = field(default_factory=dict)

    @property
    def place(self) -> tuple[float, float]:
        """(x, y) in the map [m]."""
        return self.center.x, self.center.y


def shown_things(snapshots: Iterable[Snapshot]) -> Sequence[ShownThing]:
    """Returns the things that snapshots show, in the order in which they are shown first."""
    things: list[ShownThing] = []
    for number, snapshot in enumerate(snapshots):
        for detection in snapshot.detections:
            if detection.category:
                _add(detection, number, things)
    return things


def _add(detection: Detection, picture: int, things: list[ShownThing]) -> None:
    """Adds a detection to the nearest thing that it may be of, or else as a new one."""
    size = detection.size
    longest = max(size.x, size.y, size.z)
    near = [
        (apart, thing)
        for thing in things
        if thing.category == detection.category
        and (apart := _apart(thing.center, detection.center)) <= SAME_THING + max(longest, thing.longest) / 2
    ]
    if near:
        _, thing = min(near, key=lambda pair: pair[0])
        if longest > thing.longest:
            thing.center, thing.longest = detection.center, longest
    else:
        thing = ShownThing(detection.category, detection.center, longest)
        things.append(thing)
    thing.shown[picture] = max(thing.shown.get(picture, 0.0), detection.confidence)


def _apart(one: Point, other: Point) -> float:
    return math.dist((one.x, one.y, one.z), (other.x, other.y, other.z))
