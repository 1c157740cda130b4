"""The scene graph expert, answered by a model that sees (MCoT-Memory, section 3.1)."""

from __future__ import annotations

from stma_ros.roles.prompted.asking import Asking, Line
from stma_ros.roles.prompted.prompt import load_prompt
from stma_ros.roles.prompted.scene_graph_reply import SceneGraphReply
from stma_ros.roles.scene_contract import SceneQuery, SceneView, question_of


class PromptedSceneGraph:
    """A SceneGraphRole."""

    def __init__(self, line: Line) -> None:
        self._asking = Asking(line, load_prompt("scene_graph"), SceneGraphReply)

    def build(self, query: SceneQuery) -> SceneView:
        return self._asking.answer(question_of(query), SceneGraphReply.view, (query.picture,))
