"""Keyframes as the scene graph expert sees them (MCoT-Memory, section 3.1): asks it, in order, and makes detections of
what it says.

Of a reply, the objects go on: each box with the depth in it is a detection, which spatial memory merges by the same
rules as any other. Who is who is decided there (docs/adr/0002), and so are rooms and relations, from the places of the
things: position, rooms and relationships of the reply are no part of an update. They are checked, and are part of the
graph that the next question holds.

That graph is a record of the expert's own answers, not the scene graph of spatial memory: how far that has come when a
keyframe is looked at depends on the speed of the parts, and no decision may (docs/architecture.md). For the same reason
a keyframe waits until it is known of which task it is (frame_steps).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.components.perception.box_grounding import joined, told
from stma_ros.components.perception.frame_steps import FrameStep, FrameSteps
from stma_ros.components.role_calls import role_call
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.models.images import Picture
from stma_ros.roles.scene_graph import SCENE_GRAPH, SceneGraphRole, SceneQuery, SceneView
from stma_ros.sensing.camera_frame import DepthView
from stma_ros.types import topics
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Observation, SceneGraphUpdate, Step
from stma_ros.types.stepped import StepStamp

MAX_KEYFRAMES, MAX_FRAMES = 64, 512
"""That wait for the step that they belong to. Where none is begun, the oldest are looked at all the same, for no task:
a step that is older than so many will not come any more."""

MAX_KNOWN = 64
"""Objects, and relations, that the record holds, and MAX_ROOMS; the newest."""

MAX_ROOMS = 16


@dataclass(frozen=True)
class Shown:
    """A keyframe as it is laid before the expert. color: (H, W, 3) uint8 RGB."""

    view: DepthView
    color: NDArray[np.uint8]
    picture: Picture


class SceneExpert:
    """alone: there is no segmentation besides. Then a keyframe of which the role says nothing usable is none: one that
    shows nothing would say that all things in view are gone."""

    def __init__(
        self,
        role: SceneGraphRole,
        knowledge: CategoryKnowledge,
        max_range: float,
        min_pixels: int,
        alone: bool,
    ) -> None:
        """max_range, min_pixels: as in `told_views.told`."""
        self._role = role
        self._knowledge = knowledge
        self._max_range = max_range
        self._min_pixels = min_pixels
        self._alone = alone
        self._steps = FrameSteps()
        self._waiting: deque[tuple[SceneGraphUpdate, Shown | None]] = deque()
        self._keyframes = 0  # of those that wait
        self._known = SceneView()
        self._now = FrameStep()
        self._calls = 0  # in this step

    def hear(self, message: Task | Observation | Step) -> Iterator[Emission]:
        self._steps.take(message)
        return self._go_on()

    def look(self, update: SceneGraphUpdate, shown: Shown | None) -> Iterator[Emission]:
        """Take what is to be said of the next frame; call in the order of stamps. shown: None where the frame is no
        keyframe, and what is to be said is all there is."""
        self._waiting.append((update, shown))
        self._keyframes += shown is not None
        return self._go_on()

    def _go_on(self) -> Iterator[Emission]:
        while self._waiting:
            update, shown = self._waiting[0]
            step = FrameStep() if shown is None else self._steps.of(update.header.stamp)
            if step is None and self._keyframes <= MAX_KEYFRAMES and len(self._waiting) <= MAX_FRAMES:
                return
            self._waiting.popleft()
            if shown is None:
                yield topics.SCENE_GRAPH_UPDATE, update
            else:
                self._keyframes -= 1
                yield from self._ask(update, shown, step or FrameStep())

    def _ask(self, update: SceneGraphUpdate, shown: Shown, step: FrameStep) -> Iterator[Emission]:
        if step.task_id != self._now.task_id:
            self._known = SceneView()
        again = (step.task_id, step.step) == (self._now.task_id, self._now.step)
        self._calls = self._calls + 1 if again else 0
        self._now = step
        query = SceneQuery(step.text, shown.picture, self._known)
        update = replace(update, based_on=(*update.based_on, *step.sources))
        problem: RoleError | None = None
        try:
            view = self._role.answer(query)
        except RoleError as error:
            problem = error
            if self._alone:
                update = SceneGraphUpdate(
                    header=update.header,
                    looked_up_to=update.looked_up_to,
                    error=Error.of(error),
                    based_on=update.based_on,
                )
        else:
            self._known = _evolved(self._known, view)
            things = told(
                view.objects, shown.view, shown.color, self._max_range, self._min_pixels, self._knowledge
            )
            update = replace(update, detections=joined(update.detections, things, self._knowledge))
        at = StepStamp(header=update.header, task_id=step.task_id, step=step.step, revision=self._calls)
        yield role_call(SCENE_GRAPH, query, at, error=str(problem or ""))
        yield topics.SCENE_GRAPH_UPDATE, update


def _evolved(before: SceneView, now: SceneView) -> SceneView:
    """What is known after a view: what it shows, and of earlier views what has not been named again."""
    labels = {item.label for item in now.objects}
    objects = (*now.objects, *(item for item in before.objects if item.label not in labels))[:MAX_KNOWN]
    rooms = tuple(dict.fromkeys((*now.rooms, *before.rooms)))[:MAX_ROOMS]
    kept = {item.label for item in objects}
    older = (
        relation
        for relation in before.relations
        if relation.subject in kept - labels and relation.object in kept | {*rooms}
    )
    return SceneView(now.room, now.near, objects, rooms, (*now.relations, *older)[:MAX_KNOWN])
