"""Draws the pictures of the frontiers of a step, with the lengths of the ways; the chosen one has a frame."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.types import vocabulary as words
from stma_ros.types.exploration import FrontierView, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Plan
from stma_ros.types.scene_graph import Frontiers
from stma_ros.types.standard import CameraInfo, Point
from stma_ros.visual import colours, paths
from stma_ros.visual.contact_sheet import Tile, contact_sheet
from stma_ros.visual.drawables import Clear, Drawn
from stma_ros.visual.drawing_context import DrawingContext, pinhole_of
from stma_ros.visual.snapshot_pictures import frontier_picture

_WIDTH = 240  # of a picture [px]
_MOST = 24  # frontiers that are shown besides the chosen one


class FrontierPictures:
    """Draws a sheet for each belief, and again once the plan of its step says which frontier was chosen."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._camera: PinholeCamera | None = None
        self._frontiers = Frontiers()
        self._belief = VisualBelief()
        self._plan = Plan()

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        match message:
            case CameraInfo():
                self._camera = pinhole_of(message)
                return
            case Frontiers():
                self._frontiers = message
            case VisualBelief():
                self._belief = message
            case Plan():
                self._plan = message
            case _:
                return
        if _of_one_step(message, self._belief):
            yield self._sheet()

    def _sheet(self) -> Drawn:
        known = self._frontiers if _of_one_step(self._frontiers, self._belief) else Frontiers()
        centers = {frontier.id: frontier.center for frontier in known.frontiers}
        chosen = chosen_frontier(self._plan.actions) if _of_one_step(self._plan, self._belief) else ""
        tiles = [
            tile
            for number, view in enumerate(self._belief.frontiers)
            if number < _MOST or view.frontier == chosen
            if (tile := self._tile(view, centers, chosen)) is not None
        ]
        return self._context.unplaced(
            paths.FRONTIER_VIEWS, contact_sheet(tiles, _WIDTH) if tiles else Clear()
        )

    def _tile(self, view: FrontierView, centers: Mapping[str, Point], chosen: str) -> Tile | None:
        center = centers.get(view.frontier)
        picture = frontier_picture(view, center, self._camera, _WIDTH)
        if picture is None:
            return None
        way = f", {view.length:.1f} m" if math.isfinite(view.length) else ""
        is_chosen = bool(chosen) and view.frontier == chosen
        caption = f"{self._context.name(view.frontier)}{way}"
        return Tile(picture, caption, colours.TARGET if is_chosen else colours.FRONTIER, is_chosen)


def chosen_frontier(actions: Iterable[Action]) -> str:
    """Returns the id of the frontier to which actions lead first; empty = to none."""
    to_frontiers = (action for action in actions if action.skill == words.SKILL_EXPLORE)
    return next((action.arguments[0] for action in to_frontiers if action.arguments), "")


def _of_one_step(message: Frontiers | Plan | VisualBelief, belief: VisualBelief) -> bool:
    return bool(belief.task_id) and (message.task_id, message.step) == (belief.task_id, belief.step)
