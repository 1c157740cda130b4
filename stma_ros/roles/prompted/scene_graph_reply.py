"""What the scene graph expert replies. A picture may hold writing, and a reply may repeat it: names are cut down to a
few plain words before anything else reads them."""

from __future__ import annotations

import re
import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, model_validator

from stma_ros.memory.states import dimension
from stma_ros.roles.prompted.replies import Reply
from stma_ros.roles.scene_contract import WHOLE, SceneObject, SceneRelation, SceneView
from stma_ros.types import vocabulary as words

MOST_OBJECTS = 64
MOST_WORDS, MOST_LETTERS = 5, 40
"""Of a name."""

_NOT_PLAIN = re.compile(r"[^a-z0-9' -]+")


def plain_name(text: str) -> str:
    """A name in plain letters, shortened to MOST_WORDS and MOST_LETTERS. Raises ValueError where nothing is left."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    parts = _NOT_PLAIN.sub(" ", letters).split()
    name = " ".join(parts[:MOST_WORDS])[:MOST_LETTERS].strip(" '-")
    if not any(letter.isalpha() for letter in name):
        raise ValueError("a name needs plain English letters")
    return name


def _plain_or_empty(text: str) -> str:
    return plain_name(text) if text.strip() else ""


def _box(box: list[int]) -> list[int]:
    if len(box) != 4 or min(box) < 0 or max(box) > WHOLE or box[0] >= box[2] or box[1] >= box[3]:
        raise ValueError(
            f"a box is [left, top, right, bottom] in whole numbers from 0 to {WHOLE}, right and bottom the larger ones"
        )
    return box


Name = Annotated[str, AfterValidator(plain_name)]


class SeenObject(Reply):
    label: Name
    name: Name
    box: Annotated[list[int], AfterValidator(_box)]
    states: list[Literal["open", "closed", "on", "off", "full", "empty"]]

    @model_validator(mode="after")
    def _has_one_state_a_dimension(self) -> SeenObject:
        if len({dimension(state) for state in self.states}) < len(self.states):
            raise ValueError(f"{self.label} cannot be {' and '.join(self.states)} at once")
        return self


class Relationship(Reply):
    """object: a label; with "in room" a room."""

    subject: Name
    predicate: Literal["in", "on", "near", "in room"]
    object: Name


class Position(Reply):
    """room: empty where it does not show. near: labels."""

    room: Annotated[str, AfterValidator(_plain_or_empty)]
    near: list[Name]


class SceneGraphReply(Reply):
    position: Position
    objects: list[SeenObject]
    rooms: list[Name]
    relationships: list[Relationship]

    @model_validator(mode="after")
    def _names_only_what_is_there(self) -> SceneGraphReply:
        labels = {item.label for item in self.objects}
        if len(self.objects) > MOST_OBJECTS:
            raise ValueError(f"{len(self.objects)} objects are too many, name {MOST_OBJECTS} at most")
        if len(labels) < len(self.objects):
            raise ValueError(
                f"two objects have one label; labels must differ within {MOST_WORDS} words and {MOST_LETTERS} letters"
            )
        _expect(self.position.near, labels, "objects")
        _expect([self.position.room] if self.position.room else [], self.rooms, "rooms")
        for relation in self.relationships:
            _expect([relation.subject], labels, "objects")
            within = relation.predicate == words.IN_ROOM
            _expect([relation.object], self.rooms if within else labels, "rooms" if within else "objects")
            if relation.subject == relation.object:
                raise ValueError(f"{relation.subject} cannot be {relation.predicate} itself")
        return self

    def view(self) -> SceneView:
        """The same as the role's answer."""
        return SceneView(
            self.position.room,
            tuple(dict.fromkeys(self.position.near)),
            tuple(_object(item) for item in self.objects),
            tuple(dict.fromkeys(self.rooms)),
            tuple(SceneRelation(item.subject, item.predicate, item.object) for item in self.relationships),
        )


def _expect(names: list[str], known: set[str] | list[str], where: str) -> None:
    missing = [name for name in names if name not in known]
    if missing:
        raise ValueError(f"{missing[0]!r} is not among the {where}")


def _object(item: SeenObject) -> SceneObject:
    left, top, right, bottom = item.box
    return SceneObject(item.label, item.name, (left, top, right, bottom), tuple(item.states))
