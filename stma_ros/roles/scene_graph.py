"""Scene graph expert: builds a scene graph of a picture (MCoT-Memory, section 3.1).

A picture may contain writing, and a reply may repeat it. Names are therefore reduced to a few plain words when a reply
is read.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from stma_ros.memory.states import dimension
from stma_ros.roles.reply import Checked
from stma_ros.roles.spec import Rendering, Role, RoleSpec, Wait
from stma_ros.types import vocabulary as words

if TYPE_CHECKING:
    from stma_ros.models.images import Picture

ImageBox = tuple[int, int, int, int]
"""Left, top, right and bottom, each from 0 to BOX_UNITS."""

BOX_UNITS = 1000
"""Width and height of a picture in the units of an ImageBox."""


@dataclass(frozen=True)
class SceneObject:
    """An object in a picture.

    Attributes:
        label: identifies the object within the answer; the next answer uses the same label for the same object.
        name: its kind.
        box: the pixels that it covers.
        states: words of types.vocabulary, at most one of each dimension.
    """

    label: str
    name: str
    box: ImageBox
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class SceneRelation:
    """A relation between two objects, or of an object to a room.

    Attributes:
        subject: label of an object.
        predicate: "in", "on", "near" or "in room".
        object: label of an object; with "in room" the name of a room.
    """

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True)
class SceneView:
    """A scene graph.

    All names are short and plain: lower-case letters, digits, spaces, hyphens and apostrophes.

    Attributes:
        room: the camera's room, one of `rooms`; empty = unknown.
        near: labels of the objects that are close to the camera.
        objects: the objects in the picture.
        rooms: names of the rooms in the picture.
        relations: between these objects and rooms.
    """

    room: str = ""
    near: tuple[str, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    rooms: tuple[str, ...] = ()
    relations: tuple[SceneRelation, ...] = ()


@dataclass(frozen=True)
class SceneQuery:
    """The question to the scene graph expert.

    Attributes:
        task: text of the task; empty = there is none yet.
        picture: colour image of a keyframe.
        previous: the graph so far; its boxes are in earlier pictures.
    """

    task: str
    picture: Picture
    previous: SceneView = SceneView()


SceneGraphRole: TypeAlias = Role[SceneQuery, SceneView]
"""Returns a scene graph of the picture, with boxes in that picture."""

# -- the question


def _text(query: SceneQuery) -> str:
    """Returns the question without its picture."""
    task = f"Task: {query.task}" if query.task else "Task: none yet"
    known = "\n".join(_known(query.previous))
    return f"{task}\n\nThe graph so far:\n{known}" if known else task


def _known(view: SceneView) -> Iterator[str]:
    if view.room or view.near:
        yield f"position: {', '.join([*filter(None, [view.room]), *(f'near {name}' for name in view.near)])}"
    if view.rooms:
        yield f"rooms: {', '.join(view.rooms)}"
    for item in view.objects:
        yield f"{item.label}: {', '.join([item.name, *item.states])}"
    for relation in view.relations:
        yield f"({relation.subject}, {relation.predicate}, {relation.object})"


def _render(query: SceneQuery) -> Rendering:
    return query.picture, _text(query)


# -- the reply

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


def _object(item: SeenObject) -> SceneObject:
    left, top, right, bottom = item.box
    return SceneObject(item.label, item.name, (left, top, right, bottom), tuple(item.states))


def _read(reply: SceneGraphReply, query: SceneQuery) -> SceneView:
    return SceneView(
        reply.position.room,
        tuple(dict.fromkeys(reply.position.near)),
        tuple(_object(item) for item in reply.objects),
        tuple(dict.fromkeys(reply.rooms)),
        tuple(SceneRelation(item.subject, item.predicate, item.object) for item in reply.relationships),
    )


SCENE_GRAPH = RoleSpec(
    name="scene_graph",
    question=SceneQuery,
    answer=SceneView,
    reply=SceneGraphReply,
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.BELIEFS,
    questions=8,  # keyframes in a step; more are rare
    has_images=True,
    follows_default=False,
)
