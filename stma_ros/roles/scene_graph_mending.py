"""Uses what is sound of a scene graph expert's reply: bad items are left out or corrected, and counted by reason.

Rules for boxes:

- Corners in the wrong order are exchanged. A coordinate at most SLACK beyond the picture is moved to its edge.
- A box that reaches farther is no box of this picture, and its object is left out.
- If more boxes reach that far than do not, or if all numbers of all boxes are fractions although other units
  were asked for, the boxes are of another convention: the places of all objects would be wrong, and the whole reply is
  refused. Pixels in place of thousandths cannot be told from a reply where the picture is smaller than 1000 pixels;
  `stma doctor --model` finds them out by a picture with known places.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_type_hints

from stma_ros.memory.states import dimension
from stma_ros.models.box_convention import BOX_UNITS, BoxConvention, Corners
from stma_ros.roles.scene_graph_form import (
    MAX_LETTERS,
    MAX_OBJECTS,
    MAX_WORDS,
    Position,
    Relationship,
    SceneGraphReply,
    SeenObject,
    plain_name,
)
from stma_ros.roles.spec import UnusableReplyError
from stma_ros.roles.tolerance import AFTER_REFUSAL, LOST_PARTS, BadItemError, Faults
from stma_ros.types import vocabulary as words

SLACK = 0.05
"""Share of the picture by which a box may reach beyond it; the rest of such a box is believed."""

_NO_FIELDS, _NO_NAME = "object without fields", "object without a usable name"
_NO_BOX, _NO_AREA = "object without a usable box", "object with a box of no area"
_BEYOND, _TOO_MANY = "object with a box far beyond the picture", f"object after the first {MAX_OBJECTS}"

LOST_OBJECTS = LOST_PARTS | {_NO_FIELDS, _NO_NAME, _NO_BOX, _NO_AREA, _BEYOND, _TOO_MANY}
"""Reasons for which objects that were, or may have been, named are missing from the answer."""

_STATES = frozenset(get_args(get_args(get_type_hints(SeenObject)["states"])[0]))
_PREDICATES = frozenset(get_args(get_type_hints(Relationship)["predicate"]))


@dataclass(frozen=True)
class _Sound:
    """An object that can be used. label: empty if none was given. box: [left, top, right, bottom] in thousandths."""

    label: str
    name: str
    box: tuple[int, int, int, int]
    states: tuple[str, ...]


def mended(
    reply: dict[str, Any],
    boxes: BoxConvention,
    size: tuple[int, int],
    known_labels: Iterable[str],
    faults: Faults,
) -> dict[str, Any]:
    """Returns the data of a SceneGraphReply with what is sound of a reply.

    Args:
        reply: the reply as it was parsed.
        boxes: convention that was asked for.
        size: width and height of the picture [px].
        known_labels: labels of the graph so far.
        faults: counts what is left out or corrected.

    Raises:
        UnusableReplyError: the reply has no list of objects, objects were named and none of them can be used, or the
            boxes are of another convention.
    """
    named = reply.get("objects")
    if not isinstance(named, list):
        raise UnusableReplyError('has no list "objects"; it may be empty')
    _check_convention(named, boxes, size)
    _count_others(reply, SceneGraphReply, "field of the reply", faults)
    sound = list(faults.sift(named, "objects", lambda item: _object(item, boxes, size, faults)))
    if not sound and (named or faults.is_cut_off):
        reasons = ", ".join(reason for reason, _ in faults.counts)
        raise UnusableReplyError(
            f'names no object that can be used ({reasons}): see "objects" in what was asked for'
        )
    if not sound and faults.follows_refusal:
        faults.add(AFTER_REFUSAL)
    for _ in sound[MAX_OBJECTS:]:
        faults.add(_TOO_MANY)
    sound, ambiguous = _with_own_labels(sound[:MAX_OBJECTS], known_labels, faults)
    labels = _Labels({item.label for item in sound}, ambiguous)
    rooms = list(dict.fromkeys(faults.sift(reply.get("rooms"), "rooms", _room)))
    relations = faults.sift(
        reply.get("relationships"), "relationships", lambda item: _relation(item, labels, rooms, faults)
    )
    return {
        "position": _position(reply.get("position"), labels, rooms, faults),
        "objects": [
            {"label": item.label, "name": item.name, "box": list(item.box), "states": list(item.states)}
            for item in sound
        ],
        "rooms": rooms,
        "relationships": list(relations),
    }


def _count_others(item: Mapping[str, Any], form: type, what: str, faults: Faults) -> None:
    """Counts the fields that a form does not have."""
    for _ in item.keys() - {field.name for field in fields(form)}:
        faults.add(f"unknown {what}")


# -- boxes


def numbers_of(box: object) -> Corners | None:
    """Returns the four numbers of a box; None for anything else."""
    if not isinstance(box, list) or len(box) != 4:
        return None
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in box):
        return None
    try:
        one, two, three, four = map(float, box)
    except OverflowError:
        return None
    return (one, two, three, four) if all(map(math.isfinite, (one, two, three, four))) else None


def numbered_boxes(items: Iterable[object]) -> Iterator[Corners]:
    """Yields the numbers of the boxes of all objects that have such."""
    for item in items:
        numbers = numbers_of(item.get("box")) if isinstance(item, dict) else None
        if numbers is not None:
            yield numbers


def _check_convention(named: Sequence[object], asked: BoxConvention, size: tuple[int, int]) -> None:
    found = list(numbered_boxes(named))
    if asked is not BoxConvention.FRACTIONS and _are_fractions(found):
        raise _other_convention(asked, BoxConvention.FRACTIONS, "all their numbers are fractions")
    beyond = [box for box in found if not _is_near(box, asked, size)]
    if 2 * len(beyond) <= len(found):
        return
    others = [other for other in (BoxConvention.PIXELS, BoxConvention.THOUSANDTHS) if other is not asked]
    fitting = [other for other in others if all(_is_near(box, other, size) for box in found)]
    reason = f"{len(beyond)} of {len(found)} reach far beyond the picture"
    raise _other_convention(asked, fitting[0] if fitting else None, reason)


def _are_fractions(boxes: Sequence[Corners]) -> bool:
    return any(any(box) for box in boxes) and all(0 <= value <= 1 for box in boxes for value in box)


def _is_near(box: Corners, convention: BoxConvention, size: tuple[int, int]) -> bool:
    """Returns whether a box is in the picture, or at most SLACK beyond it."""
    limits = convention.limits(*size)
    return all(-SLACK * most <= value <= (1 + SLACK) * most for value, most in zip(box, limits, strict=True))


def _other_convention(asked: BoxConvention, seen: BoxConvention | None, reason: str) -> UnusableReplyError:
    remedy = (
        f"seem to be {seen.value}. Set model.boxes={seen.value} if this goes on"
        if seen
        else "fit no convention"
    )
    return UnusableReplyError(f"draws boxes that are not {asked.value} as asked for ({reason}) and {remedy}")


def _box(
    value: object, convention: BoxConvention, size: tuple[int, int], faults: Faults
) -> tuple[int, int, int, int]:
    numbers = numbers_of(value)
    if numbers is None:
        raise BadItemError(_NO_BOX)
    if not _is_near(numbers, convention, size):
        raise BadItemError(_BEYOND)
    corners = convention.corners(numbers, *size)
    left, right = sorted(corners[::2])
    top, bottom = sorted(corners[1::2])
    if (left, top, right, bottom) != corners:
        faults.add("box with corners in the wrong order")
    if min(left, top) < 0 or max(right, bottom) > BOX_UNITS:
        faults.add("box beyond the edge of the picture")
    left, top, right, bottom = (min(max(edge, 0), BOX_UNITS) for edge in (left, top, right, bottom))
    if left >= right or top >= bottom:
        raise BadItemError(_NO_AREA)
    (left, right), (top, bottom) = _whole(left, right), _whole(top, bottom)
    return int(left), int(top), int(right), int(bottom)


def _whole(start: float, stop: float) -> tuple[int, int]:
    """Returns both ends in whole numbers, at least one apart."""
    first = min(round(start), BOX_UNITS - 1)
    return first, max(round(stop), first + 1)


# -- objects


def _object(item: object, convention: BoxConvention, size: tuple[int, int], faults: Faults) -> _Sound:
    if not isinstance(item, dict):
        raise BadItemError(_NO_FIELDS)
    name = _name(item.get("name"), _NO_NAME)
    box = _box(item.get("box"), convention, size, faults)
    _count_others(item, SeenObject, "field of an object", faults)
    try:
        label = _name(item.get("label"), "")
    except BadItemError:
        label = ""
    return _Sound(label, name, box, tuple(_states(item.get("states"), faults)))


def _name(value: object, reason: str) -> str:
    """Returns a plain name. Raises BadItemError with the reason for anything that has none."""
    try:
        if isinstance(value, str):
            return plain_name(value)
    except ValueError:
        pass
    raise BadItemError(reason)


def _word(value: object) -> str:
    """Returns a word as the vocabulary spells it; empty for anything but a text."""
    return " ".join(value.lower().replace("_", " ").split()) if isinstance(value, str) else ""


def _states(value: object, faults: Faults) -> Iterator[str]:
    def known(item: object) -> str:
        if _word(item) not in _STATES:
            raise BadItemError("unknown state")
        return _word(item)

    states = tuple(dict.fromkeys(faults.sift(value, "states", known)))
    dimensions = Counter(map(dimension, states))
    for state in states:
        if dimensions[dimension(state)] == 1:
            yield state
        else:
            faults.add("state that another one contradicts")


def _with_own_labels(
    objects: Sequence[_Sound], known_labels: Iterable[str], faults: Faults
) -> tuple[list[_Sound], frozenset[str]]:
    """Returns the objects with labels that differ, and the labels that several had; what is named twice counts once."""
    once = list(dict.fromkeys(objects))
    for _ in range(len(objects) - len(once)):
        faults.add("object named twice")
    counts = Counter(item.label for item in once)
    taken = {*known_labels, *counts}
    used: set[str] = set()
    found = []
    for item in once:
        if not item.label or item.label in used:
            faults.add("label of several objects" if item.label else "object without a label")
            item = replace(item, label=_new_label(item.name, taken))
            taken.add(item.label)
        used.add(item.label)
        found.append(item)
    return found, frozenset(label for label, count in counts.items() if label and count > 1)


def _new_label(name: str, taken: Collection[str]) -> str:
    """Returns the name with the smallest number that makes a new label, within the limits of names."""
    base = " ".join(name.split()[: MAX_WORDS - 1])[: MAX_LETTERS - 5].strip(" '-")
    return next(label for number in itertools.count(1) if (label := f"{base} {number}") not in taken)


# -- rooms and relations


@dataclass(frozen=True)
class _Labels:
    """Labels of the objects that are used. ambiguous: those that several objects had."""

    all: Collection[str]
    ambiguous: Collection[str]

    def check(self, label: str, what: str) -> str:
        """Returns the label of one object. Raises BadItemError for any other."""
        if label in self.ambiguous:
            raise BadItemError(f"{what} with a label of several objects")
        if label not in self.all:
            raise BadItemError(f"{what} with an unknown label")
        return label


def _room(item: object) -> str:
    return _name(item, "room without a usable name")


def _position(item: object, labels: _Labels, rooms: Collection[str], faults: Faults) -> dict[str, Any]:
    where: dict[str, Any] = item if isinstance(item, dict) else {}
    if item is not None and not isinstance(item, dict):
        faults.add("position without fields")
    _count_others(where, Position, "field of the position", faults)
    room = where.get("room")

    def near(name: object) -> str:
        return labels.check(_name(name, "position near a thing without a name"), "position")

    def in_room(name: object) -> str:
        if (found := _room(name)) not in rooms:
            raise BadItemError("position in an unknown room")
        return found

    named = [] if room is None or room == "" else [room]
    return {
        "room": next(faults.sift(named, "room", in_room), ""),
        "near": list(faults.sift(where.get("near"), "near", near)),
    }


def _relation(item: object, labels: _Labels, rooms: Collection[str], faults: Faults) -> dict[str, Any]:
    if not isinstance(item, dict):
        raise BadItemError("relation without fields")
    subject, target = (_name(item.get(key), "relation without names") for key in ("subject", "object"))
    predicate = _word(item.get("predicate"))
    if predicate not in _PREDICATES:
        raise BadItemError("relation with an unknown predicate")
    labels.check(subject, "relation")
    if predicate != words.IN_ROOM:
        labels.check(target, "relation")
    elif target not in rooms:
        raise BadItemError("relation to an unknown room")
    if subject == target:
        raise BadItemError("relation of a thing to itself")
    _count_others(item, Relationship, "field of a relation", faults)
    return {"subject": subject, "predicate": predicate, "object": target}
