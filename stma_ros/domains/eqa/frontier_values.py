"""How promising a frontier is for a question, by what is seen in its direction."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.aims import Aim
from stma_ros.domains.eqa.seen_scene import view_room
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.room_kinds import likeliest_kind
from stma_ros.types.exploration import FrontierView

NEW_ROOM = 0.3
"""Probability that what lies behind a frontier is another room than the one that is seen before it."""

LENGTH = 3.0
"""Way that is as good as half of the promise [m]."""

ANCHORS = 3
"""Things by which a way on is described."""


@dataclass(frozen=True)
class FrontierValue:
    """A frontier as the rules see it.

    Attributes:
        number: its position in the question.
        promise: probability that the aim's kind of room, or the aim, is there.
        value: promise per way.
        anchors: kinds of the most prominent things in its view.
        room: kind of room that its view shows; empty = not known.
    """

    number: int
    promise: float
    value: float
    anchors: tuple[str, ...]
    room: str


def frontier_values(
    frontiers: Sequence[FrontierView], aim: Aim, knowledge: CategoryKnowledge
) -> tuple[FrontierValue, ...]:
    """Returns the value of each frontier, in their order."""
    return tuple(_value(number, view, aim, knowledge) for number, view in enumerate(frontiers))


def _value(number: int, frontier: FrontierView, aim: Aim, knowledge: CategoryKnowledge) -> FrontierValue:
    shares = view_room(frontier.view.detections, knowledge)
    unknown = 1.0 / max(len(knowledge.rooms), 1)
    promise = unknown
    if aim.rooms:
        here = sum(share * aim.rooms.get(room, 0.0) for room, share in shares.items())
        anywhere = sum(aim.rooms.get(room, 0.0) for room in knowledge.rooms) * unknown
        promise = (1 - NEW_ROOM) * here + NEW_ROOM * anywhere
    shown = any(
        knowledge.is_kind(detection.category, kind)
        for detection in frontier.view.detections
        for kind in aim.kinds[:1]
    )
    if shown:
        promise = max(promise, 0.9)
    length = 0.0 if math.isnan(frontier.length) else frontier.length
    return FrontierValue(
        number,
        promise,
        promise / (length + LENGTH),
        _anchors(frontier),
        likeliest_kind(shares)[0],
    )


def _anchors(frontier: FrontierView) -> tuple[str, ...]:
    """Returns the kinds of the largest things in the view, largest first."""
    size: dict[str, int] = {}
    for detection in frontier.view.detections:
        size[detection.category] = size.get(detection.category, 0) + detection.pixels
    return tuple(sorted(size, key=lambda kind: (-size[kind], kind))[:ANCHORS])
