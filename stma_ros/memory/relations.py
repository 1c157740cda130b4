"""Spatial relations of the objects of a scene graph: from placements where there are any, else from their boxes, and,
where those do not tell, from what detectors say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.box_arrays import BoxArray
from stma_ros.memory.boxes import Box
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.detector_names import united
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.floors import Floors
from stma_ros.types.scene_graph import Relation

REST = 0.08
"""Largest distance between an object's underside and the surface that it stands on [m]."""

TOUCH = 0.03
"""The same, where several surfaces are close to each other."""

OVERHANG = 0.05
"""Largest horizontal distance of an object's centre from the footprint of its support [m]."""

RIM = 0.02
"""The same of a small holder: what stands beside a bowl is not in it."""

FLOOR = 0.04
"""An object that begins below this height above the floor [m] stands on it."""

NEAR = 0.4
"""Largest gap between objects that are near each other [m]."""

SAID = 0.2
"""Largest gap between an object and what it is in or on, by the word of a detector alone [m]."""


def relations(
    objects: Sequence[TrackedObject],
    knowledge: CategoryKnowledge,
    room_of: Callable[[TrackedObject], str],
    floors: Floors = Floors(),
    detected: Iterable[Relation] = (),
) -> tuple[Relation, ...]:
    """Returns held-by, in, on, in-room and near facts; an object has at most one place (held by, in or on, or near what
    the robot put it next to on the floor).

    Args:
        objects: of the scene graph.
        knowledge: of their categories.
        room_of: returns the id of an object's room; empty = not known.
        floors: of the building.
        detected: relations that detectors report. Those that the boxes bear out name the detectors; what the boxes say
            otherwise stands.
    """
    said = _Said(detected, objects)
    facts: list[Relation] = []
    here = [item for item in objects if item.is_present]
    # What the robot carries holds what it held before.
    names = {item.id: item for item in objects if item.is_present or item.status is ObjectStatus.HELD}
    places = dict(zip((item.id for item in here), _Places(here, knowledge, floors).found(), strict=True))
    rooms: dict[str, str] = {}

    def known_room(item: TrackedObject) -> str:
        if item.id not in rooms:
            rooms[item.id] = room_of(item)
        return rooms[item.id]

    for item in objects:
        if item.status is ObjectStatus.HELD and item.placement is not None:
            facts.append(item.placement)
        if not item.is_present:
            continue
        holder = None
        placement = item.placement if item.placement is not None and item.placement.object in names else None
        if placement is not None and placement.predicate == words.NEAR:
            moved = names[placement.object].placement_stamp > placement.last_seen
            placement = None if moved else placement  # what it was put next to has been taken away
        if placement is not None:
            facts.append(placement)
            holder = names[placement.object] if placement.predicate != words.NEAR else None
        elif (place := places[item.id]) is not None:
            holder = here[place[0]]
            facts.append(said.confirmed(_fact(item, place[1], holder)))
        elif (told := said.place(item)) is not None:
            facts.append(told)
            holder = names[told.object]
        # The holder's room counts: an object on a shelf may be nearer to the floor of the next room.
        room = (known_room(holder) if holder else "") or known_room(item)
        if room:
            facts.append(
                Relation(
                    item.id,
                    words.IN_ROOM,
                    room,
                    source=EvidenceSource.GEOMETRY,
                    confidence=item.confidence,
                    first_seen=item.first_seen,
                    last_seen=item.last_seen,
                )
            )
    put_near = {(fact.subject, fact.object) for fact in facts if fact.predicate == words.NEAR}
    facts.extend(
        said.confirmed(fact)
        for fact in _near(here)
        if not put_near & {(fact.subject, fact.object), (fact.object, fact.subject)}
    )
    return tuple(facts)


class _Said:
    """What detectors say of the relations between present objects."""

    def __init__(self, relations: Iterable[Relation], objects: Iterable[TrackedObject]) -> None:
        self._items = {item.id: item for item in objects if item.is_present}
        self._facts = {
            (fact.subject, fact.predicate, fact.object): fact
            for fact in relations
            if {fact.subject, fact.object} <= self._items.keys()
        }
        self._places: dict[str, list[Relation]] = {}
        for fact in self._facts.values():
            if fact.predicate in (words.IN, words.ON):
                self._places.setdefault(fact.subject, []).append(fact)

    def confirmed(self, fact: Relation) -> Relation:
        """Returns a measured relation with the names of the detectors that say so, too."""
        if not self._facts:
            return fact
        keys = [(fact.subject, fact.predicate, fact.object)]
        if fact.predicate == words.NEAR:
            keys.append((fact.object, fact.predicate, fact.subject))
        names = united(*(self._facts[key].detectors for key in keys if key in self._facts))
        return replace(fact, detectors=names) if names else fact

    def place(self, item: TrackedObject) -> Relation | None:
        """Returns what an object is in or on by the word of detectors alone, the surest and newest; None = nothing that
        is larger and within reach."""
        possible = [fact for fact in self._places.get(item.id, ()) if self._may_hold(fact.object, item)]
        if not possible:
            return None
        fact = max(possible, key=lambda each: (each.confidence, each.last_seen.nanoseconds, each.object))
        sure = min(fact.confidence, item.confidence, self._items[fact.object].confidence)
        return replace(fact, confidence=sure)

    def _may_hold(self, holder: str, item: TrackedObject) -> bool:
        ones, others = BoxArray.of([item.box]), BoxArray.of([self._items[holder].box])
        is_larger = ones.volume[0] < others.volume[0]
        return bool(is_larger and ones.gaps(others)[0, 0] <= SAID)


class _Places:
    """Infers from boxes what each object is in or on."""

    def __init__(
        self, objects: Sequence[TrackedObject], knowledge: CategoryKnowledge, floors: Floors
    ) -> None:
        self._floors = floors
        self._count = len(objects)
        boxes = [item.box for item in objects]
        # Of an open container, where its inside has been seen: shut, only the front of it may have been.
        insides = [
            box.union(item.open_shape.box) if item.open_shape else box
            for box, item in zip(boxes, objects, strict=True)
        ]
        self._boxes, self._insides = BoxArray.of(boxes), BoxArray.of(insides)
        kinds = {item.category for item in objects}
        furniture = {kind for kind in kinds if knowledge.is_furniture(kind)}
        holding = {kind for kind in kinds if knowledge.is_receptacle(kind)}
        # Bins and sinks contain what stands on their bottom, even if it rises above the rim.
        tubs = {kind for kind in holding if not (knowledge.is_openable(kind) or knowledge.is_surface(kind))}
        # Doors, rugs and mats carry nothing: what lies on them lies on the floor.
        carrying = {
            kind for kind in furniture if knowledge.is_container(kind) or not knowledge.is_openable(kind)
        } - tubs
        self._small = np.array([item.category not in furniture for item in objects], np.bool_)
        self._holds = np.array([item.category in holding for item in objects], np.bool_)
        self._opens = np.array([knowledge.is_openable(item.category) for item in objects], np.bool_)
        self._is_tub = np.array([item.category in tubs for item in objects], np.bool_)
        self._carries = np.array([item.category in carrying for item in objects], np.bool_)

    def found(self) -> list[tuple[int, str] | None]:
        """Returns for each object the index of what carries or contains it, and words.ON or IN; None = nothing does."""
        if not self._count:
            return []
        boxes, small = self._boxes, self._small
        extent, middle = boxes.extent, boxes.middle[:, 2]
        low, high = middle - extent[:, 2] / 2, middle + extent[:, 2] / 2
        inside_low = self._insides.middle[:, 2] - self._insides.extent[:, 2] / 2
        inside_high = inside_low + self._insides.extent[:, 2]
        volume = np.prod(extent, axis=1)
        larger = volume[None] > volume[:, None]
        over = _over(boxes, boxes)
        rise = np.abs(low[:, None] - high[None])

        flat = small & (extent[:, 2] <= 0.5 * extent[:, :2].min(axis=1))
        reach = np.abs(boxes.middle_along(boxes)) + boxes.half_along(boxes)
        footprint = np.all((reach <= extent[None] / 2 + TOUCH)[..., :2], axis=2)
        on_flat = flat[None] & footprint & (rise <= TOUCH) & small[:, None]
        on_flat &= middle[:, None] > middle[None]  # of two thin ones, each is that close to the other
        on_top = self._carries[None] & larger & over & (rise <= REST) & (extent[None, :, 2] > FLOOR)
        floored = low < FLOOR + self._floors.below(middle)
        height = np.where(self._is_tub[None], low[:, None], middle[:, None])
        # Nothing floats: of what begins a little above a rim, the lower part is hidden behind it.
        sticks_out = np.where(self._is_tub, REST, 0.0)
        in_reach = (inside_low[None] - REST <= low[:, None]) & (height <= (inside_high + sticks_out)[None])
        margin = np.where(small, RIM, OVERHANG)
        inside = self._holds[None] & small[:, None] & larger & in_reach
        inside &= _over(boxes, self._insides, margin)
        # What is on the floor is before an open door, and not in what the door belongs to, which has a bottom.
        inside &= ~(floored[:, None] & self._opens[None])
        # On a board of a shelf or the seat of a sofa: within the box, but on the object.
        between = (low[None] - REST <= low[:, None]) & (middle[:, None] <= high[None])
        on_board = self._carries[None] & ~self._holds[None] & small[:, None] & larger & over & between
        on_board &= ~floored[:, None]
        choices = (
            (on_flat, words.ON),
            (on_top & (rise <= TOUCH), words.ON),
            (on_top, words.ON),
            (inside, words.IN),
            (on_board, words.ON),
        )
        found: list[tuple[int, str] | None] = [None] * self._count
        for possible, predicate in reversed(choices):  # the first choice has the last word
            np.fill_diagonal(possible, val=False)
            smallest = np.where(possible, volume[None], np.inf).argmin(axis=1).tolist()
            for index in np.flatnonzero(possible.any(axis=1)).tolist():
                found[index] = smallest[index], predicate
        return found


def _over(
    boxes: BoxArray, others: BoxArray, margin: NDArray[np.float64] | float = OVERHANG
) -> NDArray[np.bool_]:
    """Returns (N, M) whether the centre of each box is above or below the other's footprint, or at most a margin (M,)
    beside it [m]."""
    away = np.abs(boxes.middle_along(others)) <= others.extent[None] / 2 + np.reshape(margin, (1, -1, 1))
    covered: NDArray[np.bool_] = np.all(away[..., :2], axis=2)
    return covered


def _near(objects: Sequence[TrackedObject]) -> Iterator[Relation]:
    boxes = BoxArray.of(item.box for item in objects)
    gaps = boxes.gaps(boxes)
    for one, other in np.argwhere(np.triu(gaps <= NEAR, k=1)).tolist():
        yield _fact(objects[one], words.NEAR, objects[other])


def near_to(box: Box, objects: Sequence[TrackedObject]) -> list[TrackedObject]:
    """Returns the present objects near a box in the map frame."""
    here = [item for item in objects if item.is_present]
    (gaps,) = BoxArray.of([box]).gaps(BoxArray.of(item.box for item in here))
    return [here[index] for index in np.flatnonzero(gaps <= NEAR).tolist()]


def _fact(item: TrackedObject, predicate: str, other: TrackedObject) -> Relation:
    first = max(item.first_seen, other.first_seen)
    last = min(item.last_seen, other.last_seen)
    return Relation(
        item.id,
        predicate,
        other.id,
        source=EvidenceSource.GEOMETRY,
        confidence=min(item.confidence, other.confidence),
        first_seen=first,
        last_seen=max(first, last),
    )
