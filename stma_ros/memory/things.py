"""One remembered thing."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box, taken
from stma_ros.memory.history import Stay, with_past, with_stay
from stma_ros.memory.shapes import Shape, View
from stma_ros.memory.states import OPENNESS, PRESENCE, States, ended, state_in, with_told, without
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import ObjectNode, Relation
from stma_ros.types.standard import ColorRGBA, Point, Time

Reanchoring: TypeAlias = Callable[[Time], NDArray[np.float64]]
"""The rigid 4x4 pose by which the map has been corrected at the place of the keyframe with a stamp."""

NOWHERE = Point(float("nan"), float("nan"), float("nan"))


class Whereabouts(enum.Enum):
    """How it is known where a thing is."""

    SEEN = "seen"
    TOLD = "told"  # it was put there, and not seen since: its box is a guess
    HELD = "held"  # in the hand
    MISSING = "missing"  # it is not where it was, and was not seen elsewhere since


@dataclass(frozen=True)
class RememberedObject:
    """shut, opened: its shape with its door or lid shut (or without any), and open; one of them is there.

    states: one of each dimension. told: the newest fact that places it (words.IN, ON, HELD_BY), until a view
    contradicts it; told_up_to: stamp of the newest such fact ever taken. seen_from: the camera's place at the last
    view; NaN = not known. doubt [0..1]: evidence that it has gone. stays: oldest first, the last one is where it is or
    was last. past: facts that hold no more, oldest first.
    """

    id: str
    category: str
    color: ColorRGBA
    confidence: float
    keyframes: int
    first_seen: Time
    last_seen: Time
    shut: Shape | None
    opened: Shape | None = None
    whereabouts: Whereabouts = Whereabouts.SEEN
    states: States = ()
    told: Relation | None = None
    told_up_to: Time = Time()
    seen_from: Point = NOWHERE
    doubt: float = 0.0
    stays: tuple[Stay, ...] = ()
    past: tuple[Relation, ...] = ()

    @property
    def box(self) -> Box:
        """Of the thing itself, without the swing of its door where that is known. A side that was not shown while it
        was shut may be where it was seen when open."""
        if self.shut is None or self.opened is None:
            return self.shape.box
        return self.shut.extended(self.opened)

    @property
    def shape(self) -> Shape:
        """As it stands now."""
        shape = self.opened if self.shut is None or (self.opened and self.is_open) else self.shut
        assert shape is not None, "a thing has one shape at least"
        return shape

    @property
    def is_open(self) -> bool:
        state = state_in(self.states, OPENNESS)
        return state is not None and state.object == words.STATE_OPEN

    @property
    def is_here(self) -> bool:
        """Whether it is believed to be somewhere in the map."""
        return self.whereabouts in (Whereabouts.SEEN, Whereabouts.TOLD)

    @property
    def is_guessed(self) -> bool:
        """Whether its box is a guess: it was put or dropped there, and not seen since."""
        return self.whereabouts is Whereabouts.TOLD or (
            self.whereabouts is Whereabouts.MISSING
            and not self.shape.sure.any()
            and self.last_seen < self.shape.stamp
        )

    def node(self) -> ObjectNode:
        return ObjectNode(
            id=self.id,
            category=self.category,
            confidence=self.confidence,
            box=BoundingBox3D.aligned(self.box.center, self.box.size),
            color=self.color,
            states=tuple(
                StateEstimate(
                    state=fact.object, source=fact.source, confidence=fact.confidence, stamp=fact.last_seen
                )
                for fact in self.states
            ),
            keyframes=self.keyframes,
            first_seen=self.first_seen,
            last_seen=self.last_seen,
        )

    def with_states(self, states: States) -> RememberedObject:
        """With other states; those that hold no more are remembered as past."""
        if states is self.states:
            return self
        return replace(self, states=states, past=with_past(self.past, ended(self.states, states)))

    def with_view(self, view: View, stamp: Time) -> RememberedObject:
        """With one more view of its shape as it stands now."""
        shape = self.opened if self.is_open else self.shut
        if shape is not None:
            shape = shape.updated(view, stamp)
        elif self.is_open and self.shut is not None:
            # What has swung open is where it was before, or beside it.
            shape = Shape(self.shut.faces, np.zeros((2, 3)), stamp).updated(view, stamp)
        else:
            shape = Shape.seen(view, stamp)
        return replace(self, opened=shape) if self.is_open else replace(self, shut=shape)

    def placed(self, shape: Shape, how: Whereabouts, stay: Stay) -> RememberedObject:
        """Somewhere else: a new stay begins, and what was told of the old place holds no more."""
        item = self.untold(stay.first_seen)
        return replace(
            item,
            shut=shape,
            opened=None,
            whereabouts=how,
            doubt=0.0,
            states=without(item.states, PRESENCE),
            stays=with_stay(item.stays, stay),
        )

    def untold(self, stamp: Time) -> RememberedObject:
        """What was told of its place holds no more from `stamp` on."""
        if self.told is None:
            return self
        return replace(self, told=None, past=with_past(self.past, (replace(self.told, last_seen=stamp),)))

    def missed(self, stamp: Time) -> RememberedObject:
        """It is not where it was."""
        fact = Relation(
            self.id,
            words.STATE,
            words.STATE_MISSING,
            source=EvidenceSource.GEOMETRY,
            confidence=1.0,
            first_seen=stamp,
            last_seen=stamp,
        )
        item = self.untold(stamp)
        return replace(item, whereabouts=Whereabouts.MISSING, states=with_told(item.states, fact))

    def with_place(self, predicate: str, holder: str, room: str) -> RememberedObject:
        """With what is known of the place where it is now."""
        if not self.stays:
            return self
        here = self.stays[-1]
        if (here.predicate, here.holder, here.room) == (predicate, holder, room):
            return self
        here = replace(here, predicate=predicate, holder=holder, room=room)
        return replace(self, stays=(*self.stays[:-1], here))

    def reanchored(self, move: Reanchoring) -> RememberedObject:
        """After a correction of the map."""
        x, y, z = taken(move(self.last_seen), (self.seen_from.x, self.seen_from.y, self.seen_from.z))
        item = replace(
            self,
            shut=self.shut.moved(move(self.shut.stamp)) if self.shut else None,
            opened=self.opened.moved(move(self.opened.stamp)) if self.opened else None,
            seen_from=Point(x, y, z),
            stays=tuple(stay.moved(move(stay.last_seen)) for stay in self.stays),
        )
        # What is seen is where its shape is, which may be of earlier than its stay.
        if item.whereabouts is Whereabouts.SEEN and item.stays:
            return replace(item, stays=(*item.stays[:-1], replace(item.stays[-1], box=item.box)))
        return item
