"""The typed question and the typed answer of the scene graph expert, the one role that is shown a picture."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from stma_ros.models.images import Picture

ImageBox = tuple[int, int, int, int]
"""Left, top, right and bottom, each from 0 to WHOLE."""

WHOLE = 1000
"""The picture's width, and its height, in the units of an ImageBox."""


@dataclass(frozen=True)
class SceneObject:
    """`label`: names it within the answer, and in the next one where it is the same thing. `name`: what it is.
    `states`: of types.vocabulary, at most one of each dimension."""

    label: str
    name: str
    box: ImageBox
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class SceneRelation:
    """`subject`: label of an object. `object`: likewise, or with IN_ROOM one of the rooms."""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True)
class SceneView:
    """A scene graph. `room`: where the camera is, one of `rooms`, empty = it does not show. `near`: labels of the
    objects that it is close to. All names are short and plain: lower-case letters, digits, spaces, hyphens and
    apostrophes."""

    room: str = ""
    near: tuple[str, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    rooms: tuple[str, ...] = ()
    relations: tuple[SceneRelation, ...] = ()


@dataclass(frozen=True)
class SceneQuery:
    """`task`: empty = none is known. `previous`: what was answered so far; its boxes are of earlier pictures."""

    task: str
    picture: Picture
    previous: SceneView = SceneView()


class SceneGraphRole(Protocol):
    def build(self, query: SceneQuery) -> SceneView:
        """What the picture shows, the boxes in it. Raises RoleError when there is no usable answer."""
        ...


def question_of(query: SceneQuery) -> str:
    """All of the question but its picture, as plain text."""
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
