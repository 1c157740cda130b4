"""How promising a frontier is for a question, by what is seen around it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.aims import Aim
from stma_ros.domains.eqa.pictured_things import AT_FRONTIER, near_frontier, view_room
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.room_kinds import likeliest_kind
from stma_ros.types.exploration import FrontierView
from stma_ros.types.sensing import Detection

LENGTH = 2.0
"""Way that is as good as half of the promise [m]; it is also what the look around at the end of a way costs."""

ROOM_AREA = 8.0
"""Unknown floor behind which a whole room may lie [m^2]."""

ANCHORS = 3
"""Things by which a way on is described."""

_AT_A_DOOR = 1.0  # distance of a door from a frontier that lies in its doorway [m]
_NEW_ROOM_BY_DOOR, _NEW_ROOM = 0.8, 0.3  # probability that another room lies behind a frontier
_UNKNOWN_AREA = 4.0  # [m^2] where it is not known
_SHOWN = 0.9  # promise of a frontier whose view shows what is looked for


@dataclass(frozen=True)
class FrontierValue:
    """A frontier as the rules see it.

    Attributes:
        number: its position in the question.
        place: (x, y) in the map [m].
        length: of the way there [m].
        promise: probability that what is looked for is seen there.
        anchors: kinds of the things nearest to it that its view shows.
        room: kind of room that it is in; empty = not known.
    """

    number: int
    place: tuple[float, float]
    length: float
    promise: float
    anchors: tuple[str, ...]
    room: str

    @property
    def value(self) -> float:
        """Promise per way."""
        return self.promise / (self.length + LENGTH)


def frontier_values(
    frontiers: Sequence[FrontierView], aim: Aim, knowledge: CategoryKnowledge
) -> tuple[FrontierValue, ...]:
    """Returns the value of each frontier, in their order. One without a known way comes after all that have one."""
    known = [frontier.length for frontier in frontiers if not math.isnan(frontier.length)]
    unknown_length = 2 * max(known, default=0.0) + LENGTH
    return tuple(
        _value(number, view, aim, knowledge, unknown_length if math.isnan(view.length) else view.length)
        for number, view in enumerate(frontiers)
    )


def _value(
    number: int, frontier: FrontierView, aim: Aim, knowledge: CategoryKnowledge, length: float
) -> FrontierValue:
    near = near_frontier(frontier, AT_FRONTIER)
    shares = view_room(near, knowledge)
    unknown = 1.0 / max(len(knowledge.rooms), 1)
    promise = unknown
    if aim.rooms:
        here = sum(share * aim.rooms.get(room, 0.0) for room, share in shares.items())
        elsewhere = sum(aim.rooms.get(room, 0.0) for room in knowledge.rooms) * unknown
        new = _NEW_ROOM_BY_DOOR if _has_door(near_frontier(frontier, _AT_A_DOOR), knowledge) else _NEW_ROOM
        promise = (1 - new) * here + new * elsewhere
    area = _UNKNOWN_AREA if math.isnan(frontier.unknown_area) else frontier.unknown_area
    promise *= min(1.0, area / ROOM_AREA)
    if any(knowledge.is_kind(thing.category, kind) for thing in near for kind in aim.kinds[:1]):
        promise = max(promise, _SHOWN)
    return FrontierValue(
        number,
        (frontier.center.x, frontier.center.y),
        length,
        promise,
        _anchors(near),
        likeliest_kind(shares)[0],
    )


def _has_door(things: Iterable[Detection], knowledge: CategoryKnowledge) -> bool:
    return any(knowledge.is_door(thing.category) for thing in things)


def _anchors(near: Iterable[Detection]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(thing.category for thing in near))[:ANCHORS]
