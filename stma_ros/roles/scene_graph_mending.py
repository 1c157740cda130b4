"""Uses what is sound of a scene graph expert's reply: bad items are left out or corrected, and counted by reason.

The rules for boxes are in `roles.scene_graph_boxes`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_type_hints

from stma_ros.memory.states import dimension
from stma_ros.models.box_convention import BoxConvention
from stma_ros.roles.scene_graph_boxes import UNUSABLE_BOXES, check_convention, read_box
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

_NO_FIELDS, _NO_NAME = "object without fields", "object without a usable name"
_TOO_MANY = f"object after the first {MAX_OBJECTS}"

LOST_OBJECTS = LOST_PARTS | UNUSABLE_BOXES | {_NO_FIELDS, _NO_NAME, _TOO_MANY}
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
    check_convention(named, boxes, size)
    _count_others(reply, SceneGraphReply, "field of the reply", faults)
    sound = list(faults.sift(named, "objects", lambda item: _object(item, boxes, size, faults)))
    if not sound and (named or faults.is_cut_off):
        reasons = ", ".join(reason for reason, _ in faults.counts)
        raise UnusableReplyError(
            f'names no object that can be used ({reasons}): see "objects" in what was asked for'
        )
    if faults.refused is not None and (not named or len(named) < _count_named(faults.refused)):
        faults.add(AFTER_REFUSAL)
    once = _once(sound, faults)
    for _ in once[MAX_OBJECTS:]:
        faults.add(_TOO_MANY)
    sound, ambiguous = _with_own_labels(once[:MAX_OBJECTS], known_labels, faults)
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


def _count_named(reply: Mapping[str, Any]) -> int:
    """Returns how many objects a reply names, whether they can be used or not."""
    named = reply.get("objects")
    return len(named) if isinstance(named, list | dict) else 0


def _count_others(item: Mapping[str, Any], form: type, what: str, faults: Faults) -> None:
    """Counts the fields that a form does not have."""
    for _ in item.keys() - {field.name for field in fields(form)}:
        faults.add(f"unknown {what}")


# -- objects


def _object(item: object, convention: BoxConvention, size: tuple[int, int], faults: Faults) -> _Sound:
    if not isinstance(item, dict):
        raise BadItemError(_NO_FIELDS)
    name = _name(item.get("name"), _NO_NAME)
    box = read_box(item.get("box"), convention, size, faults)
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


def _once(objects: Sequence[_Sound], faults: Faults) -> list[_Sound]:
    """Returns the objects without those that are named again."""
    once = list(dict.fromkeys(objects))
    for _ in range(len(objects) - len(once)):
        faults.add("object named twice")
    return once


def _with_own_labels(
    objects: Sequence[_Sound], known_labels: Iterable[str], faults: Faults
) -> tuple[list[_Sound], frozenset[str]]:
    """Returns the objects with labels that differ, and the labels that several had."""
    counts = Counter(item.label for item in objects)
    taken = {*known_labels, *counts}
    used: set[str] = set()
    found = []
    for item in objects:
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
