"""Scene graph expert: builds a scene graph of a picture (MCoT-Memory, section 3.1).

A picture may contain writing, and a reply may repeat it. Names are therefore reduced to a few plain words when a reply
is read. Of a reply with bad parts, the sound objects are used (`roles.scene_graph_mending`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from stma_ros.models.box_convention import BoxConvention
from stma_ros.roles.scene_graph_form import SceneGraphReply, SeenObject
from stma_ros.roles.scene_graph_mending import LOST_OBJECTS, mended
from stma_ros.roles.spec import Rendering, Role, RoleSpec, Wait
from stma_ros.roles.tolerance import Counts, Faults, Tolerance

if TYPE_CHECKING:
    from stma_ros.models.images import Picture

ImageBox = tuple[int, int, int, int]
"""Left, top, right and bottom, each from 0 to `models.box_convention.BOX_UNITS`."""


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
        faults: what was left out of a reply or corrected, and how often, by reason.
    """

    room: str = ""
    near: tuple[str, ...] = ()
    objects: tuple[SceneObject, ...] = ()
    rooms: tuple[str, ...] = ()
    relations: tuple[SceneRelation, ...] = ()
    faults: Counts = ()

    @property
    def lacks_objects(self) -> bool:
        """Whether objects were named that are not among `objects`."""
        return any(reason in LOST_OBJECTS for reason, _ in self.faults)


@dataclass(frozen=True)
class SceneQuery:
    """The question to the scene graph expert.

    Attributes:
        task: text of the task; empty = there is none yet.
        picture: colour image of a keyframe.
        previous: the graph so far; its boxes are in earlier pictures.
        boxes: convention of the boxes that are asked for.
    """

    task: str
    picture: Picture
    previous: SceneView = SceneView()
    boxes: BoxConvention = BoxConvention.THOUSANDTHS


SceneGraphRole: TypeAlias = Role[SceneQuery, SceneView]
"""Returns a scene graph of the picture, with boxes in that picture."""

# -- the question


def _text(query: SceneQuery) -> str:
    """Returns the question without its picture."""
    task = f"Task: {query.task}" if query.task else "Task: none yet"
    known = "\n".join(_known(query.previous))
    graph = f"The graph so far:\n{known}" if known else ""
    return "\n\n".join(filter(None, (task, _asked_boxes(query), graph)))


def _asked_boxes(query: SceneQuery) -> str:
    """Returns the convention of the boxes; empty for the one that the prompt names."""
    match query.boxes:
        case BoxConvention.TOP_FIRST:
            return 'Order of each "box": [top, left, bottom, right], from 0 to 1000.'
        case BoxConvention.PIXELS:
            size = f"{query.picture.width} wide and {query.picture.height} high"
            return f'Unit of each "box": pixels instead of 0 to 1000. The picture is {size}.'
        case BoxConvention.FRACTIONS:
            return 'Unit of each "box": fractions from 0 to 1, with three decimals, instead of 0 to 1000.'
    return ""


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


def _mend(reply: dict[str, Any], query: SceneQuery, faults: Faults) -> object:
    labels = [item.label for item in query.previous.objects]
    return mended(reply, query.boxes, (query.picture.width, query.picture.height), labels, faults)


def _noted(view: SceneView, faults: Counts) -> SceneView:
    return replace(view, faults=faults)


SCENE_GRAPH = RoleSpec(
    name="scene_graph",
    question=SceneQuery,
    answer=SceneView,
    reply=SceneGraphReply,
    text=_text,
    render=_render,
    read=_read,
    tolerance=Tolerance(_mend, _noted),
    wait=Wait.BELIEFS,
    questions=64,  # keyframes that wait for their step at most
    questions_setting="questions_per_step",
    has_images=True,
    follows_default=False,
)
