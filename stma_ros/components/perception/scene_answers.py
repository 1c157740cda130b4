"""Answers of the scene graph expert as messages, and back."""

from __future__ import annotations

from stma_ros.models.errors import ModelError
from stma_ros.roles.scene_graph import SceneGraphRole, SceneObject, SceneQuery, SceneRelation, SceneView
from stma_ros.roles.tolerance import faults_in, faults_text
from stma_ros.types.common import Error
from stma_ros.types.errors import RoleError
from stma_ros.types.scene_answer import PicturedObject, SceneAnswer
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Header


class NoSceneError(RoleError):
    """The expert gave no answer.

    Attributes:
        is_canceled: whether the asker ended the question, which says nothing of the model.
    """

    def __init__(self, error: Error, *, is_canceled: bool) -> None:
        super().__init__(error.text)
        self.code = error.code
        self.is_canceled = is_canceled


def answer_of(role: SceneGraphRole, query: SceneQuery) -> SceneView | NoSceneError:
    """Returns the answer of the expert, or why there is none."""
    try:
        return role.answer(query)
    except RoleError as error:
        return NoSceneError(Error.of(error), is_canceled=isinstance(error, ModelError) and error.is_canceled)


def to_message(answer: SceneView | NoSceneError, header: Header) -> SceneAnswer:
    """Returns an answer as a message. header: of the camera frame that it speaks of."""
    if isinstance(answer, NoSceneError):
        return SceneAnswer(header=header, error=Error.of(answer), is_canceled=answer.is_canceled)
    return SceneAnswer(
        header=header,
        room=answer.room,
        near=answer.near,
        objects=tuple(map(_pictured, answer.objects)),
        rooms=answer.rooms,
        relations=tuple(Relation(each.subject, each.predicate, each.object) for each in answer.relations),
        faults=faults_text(answer.faults),
    )


def from_message(message: SceneAnswer) -> SceneView | NoSceneError:
    """Returns the answer in a message."""
    if message.error:
        return NoSceneError(message.error, is_canceled=message.is_canceled)
    return SceneView(
        message.room,
        message.near,
        tuple(map(_object, message.objects)),
        message.rooms,
        tuple(SceneRelation(each.subject, each.predicate, each.object) for each in message.relations),
        tuple(faults_in(message.faults).items()),
    )


def _pictured(item: SceneObject) -> PicturedObject:
    left, top, right, bottom = item.box
    return PicturedObject(
        label=item.label,
        name=item.name,
        left=left,
        top=top,
        right=right,
        bottom=bottom,
        states=item.states,
    )


def _object(item: PicturedObject) -> SceneObject:
    return SceneObject(item.label, item.name, (item.left, item.top, item.right, item.bottom), item.states)
