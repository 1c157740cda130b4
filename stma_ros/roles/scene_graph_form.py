"""The form of the scene graph expert's replies: what its prompt asks for, and what servers hold it to.

What is sound of a reply of another form is used all the same (`roles.scene_graph_mending`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Annotated, Literal

from stma_ros.memory.states import dimension
from stma_ros.models.box_convention import BOX_UNITS
from stma_ros.roles.reply import Checked
from stma_ros.types import vocabulary as words

MAX_OBJECTS = 64
"""Most objects in a reply."""

MAX_WORDS, MAX_LETTERS = 5, 40
"""Most words, and most characters, in a name."""

_NOT_PLAIN = re.compile(r"[^a-z0-9' -]+")


def plain_name(text: str) -> str:
    """Returns a name in plain letters, cut to MAX_WORDS and MAX_LETTERS. Raises ValueError if no letter is left."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    parts = _NOT_PLAIN.sub(" ", letters).split()
    name = " ".join(parts[:MAX_WORDS])[:MAX_LETTERS].strip(" '-")
    if not any(letter.isalpha() for letter in name):
        raise ValueError("a name needs plain English letters")
    return name


def _plain_or_empty(text: str) -> str:
    return plain_name(text) if text.strip() else ""


def _box(box: list[int]) -> list[int]:
    if len(box) != 4 or min(box) < 0 or max(box) > BOX_UNITS or box[0] >= box[2] or box[1] >= box[3]:
        raise ValueError(
            f"a box is [left, top, right, bottom] in whole numbers from 0 to {BOX_UNITS}, right and bottom the larger "
            "ones"
        )
    return box


Name = Annotated[str, Checked(plain_name)]


@dataclass(frozen=True)
class SeenObject:
    label: Name
    name: Name
    box: Annotated[list[int], Checked(_box)]
    states: list[Literal["open", "closed", "on", "off", "full", "empty"]]

    def __post_init__(self) -> None:
        """Raises ValueError for two states of one dimension."""
        if len({dimension(state) for state in self.states}) < len(self.states):
            raise ValueError(f"{self.label} cannot be {' and '.join(self.states)} at once")


@dataclass(frozen=True)
class Relationship:
    """object: a label; with "in room" a room."""

    subject: Name
    predicate: Literal["in", "on", "near", "in room"]
    object: Name


@dataclass(frozen=True)
class Position:
    """room: empty where it does not show. near: labels."""

    room: Annotated[str, Checked(_plain_or_empty)]
    near: list[Name]


@dataclass(frozen=True)
class SceneGraphReply:
    position: Position
    objects: list[SeenObject]
    rooms: list[Name]
    relationships: list[Relationship]

    def __post_init__(self) -> None:
        """Raises ValueError for too many objects, ambiguous labels and undefined names."""
        labels = {item.label for item in self.objects}
        if len(self.objects) > MAX_OBJECTS:
            raise ValueError(f"{len(self.objects)} objects are too many, name {MAX_OBJECTS} at most")
        if len(labels) < len(self.objects):
            raise ValueError(
                f"two objects have one label; labels must differ within {MAX_WORDS} words and {MAX_LETTERS} letters"
            )
        _expect(self.position.near, labels, "objects")
        _expect([self.position.room] if self.position.room else [], self.rooms, "rooms")
        for relation in self.relationships:
            _expect([relation.subject], labels, "objects")
            in_room = relation.predicate == words.IN_ROOM
            _expect([relation.object], self.rooms if in_room else labels, "rooms" if in_room else "objects")
            if relation.subject == relation.object:
                raise ValueError(f"{relation.subject} cannot be {relation.predicate} itself")


def _expect(names: list[str], known: Collection[str], where: str) -> None:
    missing = [name for name in names if name not in known]
    if missing:
        raise ValueError(f"{missing[0]!r} is not among the {where}")
