"""One object of the scene graph, tracked over keyframes."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.boxes import Box, taken
from stma_ros.memory.colours import colour_word
from stma_ros.memory.existence import SETTLED, Existence
from stma_ros.memory.label_votes import LabelVotes
from stma_ros.memory.place_history import PlaceInterval, with_ended_facts, with_interval
from stma_ros.memory.shapes import Shape, ShapeEvidence
from stma_ros.memory.states import OPENNESS, PRESENCE, States, ended, state_in, with_reported, without
from stma_ros.memory.viewpoints import Position
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import ObjectNode, Relation
from stma_ros.types.standard import ColorRGBA, Point, Time

CorrectionLookup: TypeAlias = Callable[[Time], NDArray[np.float64]]
"""Returns, for the stamp of a keyframe, the rigid 4x4 pose by which the map was corrected at that keyframe's place."""

FAINT_VIEWS = 2
"""An object with so few views may be a mistake of the detector, or a part of another one."""

NEAR_BY = 1.0
"""A camera is near by within this horizontal distance of an object [m]; from there hardly anything shows better."""

UNKNOWN_POINT = Point(float("nan"), float("nan"), float("nan"))


class ObjectStatus(enum.Enum):
    """On what evidence the place of an object is known."""

    SEEN = "seen"
    ASSUMED = "assumed"  # it was put there, and not seen since: its box is a guess
    HELD = "held"  # in the hand
    MISSING = "missing"  # it is not where it was, and was not seen elsewhere since
    SUSPECT = "suspect"  # the frame of the map has jumped, and it was not seen since


@dataclass(frozen=True)
class TrackedObject:
    """The state of one object: its category, its shape, its states, and its present and earlier places.

    Attributes:
        category: the likeliest one, by `votes`.
        doubt: evidence that it has gone from its place [0..1].
        exceeded_from: position of the camera whose view went far beyond the known shape and was not believed; NaN = the
            last view did not.
        first_seen_from: position of the camera when it was first seen in this frame of the map; NaN = not known.
        seen_from_elsewhere: whether it was seen from another place, too: a detector repeats its mistakes at one place.
        votes: of the categories in all views.
        color_votes: of the colour words in all views.
        doubted_from: position of the camera that saw the last of this evidence; NaN = there is none.
        existence: the belief that there is such an object at all.
        detectors: names of those that have found it, sorted.
    """

    id: str
    category: str
    color: ColorRGBA
    keyframes: int
    first_seen: Time
    last_seen: Time
    closed_shape: Shape | None
    open_shape: Shape | None = None
    status: ObjectStatus = ObjectStatus.SEEN
    states: States = ()
    placement: Relation | None = None
    placement_stamp: Time = Time()
    camera_position: Point = UNKNOWN_POINT
    doubt: float = 0.0
    doubted_from: Point = UNKNOWN_POINT
    exceeded_from: Point = UNKNOWN_POINT
    first_seen_from: Point = UNKNOWN_POINT
    seen_from_elsewhere: bool = False
    votes: LabelVotes = LabelVotes()
    color_votes: LabelVotes = LabelVotes()
    existence: Existence = Existence()
    detectors: tuple[str, ...] = ()
    place_history: tuple[PlaceInterval, ...] = ()
    past_facts: tuple[Relation, ...] = ()

    @property
    def confidence(self) -> float:
        """The probability that it exists and is of its category [0..1]."""
        return self.existence.probability * self.votes.share

    @cached_property
    def box(self) -> Box:
        """The object's box in the map frame, without the swing of its door where that is known.

        Sides that no view showed while the object was closed may be where they were seen while it was open.
        """
        if self.closed_shape is None or self.open_shape is None:
            return self.shape.box
        return self.closed_shape.extended(self.open_shape)

    @property
    def shape(self) -> Shape:
        """The shape in the object's present state: open or closed."""
        shape = (
            self.open_shape
            if self.closed_shape is None or (self.open_shape and self.is_open)
            else self.closed_shape
        )
        assert shape is not None, "a thing has one shape at least"
        return shape

    @property
    def colour(self) -> str:
        """The basic colour word that most of its views say; empty = its colour was not measured."""
        return next(iter(self.color_votes.shares), "") or colour_word(self.color)

    @property
    def is_open(self) -> bool:
        """Whether the newest known state says that it is open."""
        state = state_in(self.states, OPENNESS)
        return state is not None and state.object == words.STATE_OPEN

    @property
    def is_present(self) -> bool:
        """Whether it is believed to be somewhere in the map: neither missing nor in the robot's hand."""
        return self.status in (ObjectStatus.SEEN, ObjectStatus.ASSUMED)

    @property
    def is_faint(self) -> bool:
        """Whether few views have shown it, with too low scores or labels too different to be sure of it."""
        return self.keyframes <= FAINT_VIEWS and self.confidence < SETTLED

    @property
    def is_tentative(self) -> bool:
        """Whether another look must tell whether it exists."""
        return self.is_faint or not self.existence.is_settled

    @property
    def is_worth_a_look(self) -> bool:
        """Whether a look from near by would tell of a likely object whether it exists."""
        if self.status is not ObjectStatus.SEEN or self.existence.is_unlikely:
            return False
        return self.keyframes <= FAINT_VIEWS or not self._was_seen_near_by

    @property
    def _was_seen_near_by(self) -> bool:
        """Whether one of the last looks at its place was from near by."""
        half = self.box.extent[:2] / 2
        for each in self.existence.places:
            if each.place is None:
                continue
            beyond = np.abs(self.box.local(np.array(each.place))[:2]) - half
            if np.hypot(*beyond.clip(0)) <= NEAR_BY:
                return True
        return False

    @property
    def has_guessed_box(self) -> bool:
        """Whether the box is a guess: the object was put or dropped there, and no keyframe has shown it since."""
        return self.status is ObjectStatus.ASSUMED or (
            self.status is ObjectStatus.MISSING
            and not self.shape.support.any()
            and self.last_seen < self.shape.stamp
        )

    def suspected(self) -> TrackedObject:
        """Returns the object after the frame of the map has jumped: nothing of it holds before it is seen again."""
        item = self.without_placement(self.last_seen)
        votes, colours = (LabelVotes(earlier=each.total) for each in (self.votes, self.color_votes))
        return replace(
            item,
            status=ObjectStatus.SUSPECT,
            doubt=0.0,
            doubted_from=UNKNOWN_POINT,
            exceeded_from=UNKNOWN_POINT,
            first_seen_from=UNKNOWN_POINT,
            votes=votes,
            color_votes=colours,
            existence=Existence(earlier=self.existence.log_odds),
        ).with_states(())

    def node(self) -> ObjectNode:
        """Returns the object as a node of the scene graph message."""
        return ObjectNode(
            id=self.id,
            category=self.category,
            confidence=self.confidence,
            box=self.box.message,
            color=self.color,
            states=tuple(
                StateEstimate(
                    state=fact.object,
                    source=fact.source,
                    confidence=fact.confidence,
                    stamp=fact.last_seen,
                    detectors=fact.detectors,
                )
                for fact in self.states
            ),
            keyframes=self.keyframes,
            first_seen=self.first_seen,
            last_seen=self.last_seen,
            detectors=tuple(filter(None, self.detectors)),
        )

    def with_states(self, states: States) -> TrackedObject:
        """Returns the object with other states; states that ended move to `past_facts`."""
        if states is self.states:
            return self
        return replace(
            self, states=states, past_facts=with_ended_facts(self.past_facts, ended(self.states, states))
        )

    def with_evidence(self, evidence: ShapeEvidence, stamp: Time) -> TrackedObject:
        """Returns the object with one more view of its present shape.

        Args:
            evidence: the view.
            stamp: of the keyframe, or of the keyframe that this one was registered to.
        """
        shape = self.open_shape if self.is_open else self.closed_shape
        if shape is not None:
            shape = shape.updated(evidence, stamp)
        elif self.is_open and self.closed_shape is not None:
            # An opened leaf is where it was before, or next to it.
            shape = self.closed_shape.unsupported(stamp).updated(evidence, stamp)
        else:
            shape = Shape.from_evidence(evidence, stamp)
        return replace(self, open_shape=shape) if self.is_open else replace(self, closed_shape=shape)

    def moved_to(self, shape: Shape, how: ObjectStatus, interval: PlaceInterval) -> TrackedObject:
        """Returns the object at another place: a new interval begins, and the placement of the old one ends.

        Args:
            shape: its shape there, as seen or as guessed.
            how: on what evidence it is there.
            interval: the new entry of its place history.
        """
        item = self.without_placement(interval.first_seen)
        return replace(
            item,
            closed_shape=shape,
            open_shape=None,
            status=how,
            doubt=0.0,
            states=without(item.states, PRESENCE),
            place_history=with_interval(item.place_history, interval),
        )

    def without_placement(self, stamp: Time) -> TrackedObject:
        """Returns the object without its placement, which becomes a past fact that ended at `stamp`."""
        if self.placement is None:
            return self
        return replace(
            self,
            placement=None,
            past_facts=with_ended_facts(self.past_facts, (replace(self.placement, last_seen=stamp),)),
        )

    def marked_missing(self, stamp: Time) -> TrackedObject:
        """Returns the object marked as missing from `stamp` on: a view shows that it is not at its place."""
        fact = Relation(
            self.id,
            words.STATE,
            words.STATE_MISSING,
            source=EvidenceSource.GEOMETRY,
            confidence=1.0,
            first_seen=stamp,
            last_seen=stamp,
        )
        item = self.without_placement(stamp)
        return replace(item, status=ObjectStatus.MISSING, states=with_reported(item.states, fact))

    def with_place(self, predicate: str, holder: str, room: str) -> TrackedObject:
        """Returns the object with its present place named: what it is in or on (predicate and id of the holder) and its
        room."""
        if not self.place_history:
            return self
        here = self.place_history[-1]
        if (here.predicate, here.holder, here.room) == (predicate, holder, room):
            return self
        here = replace(here, predicate=predicate, holder=holder, room=room)
        return replace(self, place_history=(*self.place_history[:-1], here))

    def corrected(self, move: CorrectionLookup) -> TrackedObject:
        """Returns the object after a correction of the map: each part moves as the keyframe that showed it."""
        last_move = move(self.last_seen)

        def moved(place: Position) -> Position:
            return tuple(taken(last_move, place).tolist())

        def point(place: Point, move: NDArray[np.float64]) -> Point:
            return Point(*taken(move, (place.x, place.y, place.z)).tolist())

        item = replace(
            self,
            closed_shape=self.closed_shape.moved(move(self.closed_shape.stamp))
            if self.closed_shape
            else None,
            open_shape=self.open_shape.moved(move(self.open_shape.stamp)) if self.open_shape else None,
            camera_position=point(self.camera_position, last_move),
            first_seen_from=point(self.first_seen_from, move(self.first_seen)),
            doubted_from=point(self.doubted_from, last_move),
            exceeded_from=point(self.exceeded_from, last_move),
            votes=self.votes.moved(moved),
            color_votes=self.color_votes.moved(moved),
            existence=self.existence.moved(moved),
            place_history=tuple(interval.moved(move(interval.last_seen)) for interval in self.place_history),
        )
        # A seen object is where its shape is, which may be older than the interval.
        if item.status is ObjectStatus.SEEN and item.place_history:
            return replace(
                item, place_history=(*item.place_history[:-1], replace(item.place_history[-1], box=item.box))
            )
        return item
