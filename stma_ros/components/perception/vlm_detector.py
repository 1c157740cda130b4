"""A vision-language model as a detector: the role scene_graph (MCoT-Memory, section 3.1) is asked about each keyframe.

The objects of a reply become detections: depth locates each box, and spatial memory associates them by the same rules
as any other detection (docs/adr/0002). What it says of how objects are to each other goes along with them. Rooms are
those of the map: position and rooms of the reply are validated, and are part of the graph in the next question.

This graph is a record of the model's own answers rather than the scene graph of spatial memory: the state of the latter
when a keyframe is processed depends on the speed of the components, and decisions must not (docs/architecture.md). For
the same reason a keyframe waits until its task is known (sensing.frame_steps).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from stma_ros.components.perception.question_budget import QuestionBudget
from stma_ros.components.perception.scene_answers import NoSceneError, answer_of
from stma_ros.components.perception.scene_model import SceneModel
from stma_ros.components.role_calls import role_call
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.models.box_convention import BOX_UNITS
from stma_ros.models.images import picture
from stma_ros.roles.scene_graph import (
    SCENE_GRAPH,
    ImageBox,
    SceneObject,
    SceneQuery,
    SceneView,
)
from stma_ros.roles.tolerance import faults_text
from stma_ros.sensing.camera_frame import CameraFrame, DepthView
from stma_ros.sensing.detectors.box_grounding import ground_boxes
from stma_ros.sensing.detectors.categories import thing_category
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import (
    DetectedObject,
    Detector,
    DetectorOutput,
    ObjectRelation,
    PixelBox,
    pixel_box,
)
from stma_ros.sensing.frame_steps import FrameStep, FrameSteps
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import MODEL_AWAY, ErrorCode
from stma_ros.types.evidence import UNMEASURED, UNSCORED, EvidenceSource, StateEstimate
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Observation, Step
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time
from stma_ros.types.stepped import StepStamp

MAX_KNOWN = 64
"""Largest number of objects, and of relations, in the graph; the newest are stored."""

MAX_ROOMS = 16

_BETWEEN_OBJECTS = (words.IN, words.ON, words.NEAR)

MOST_DOUBLINGS = 3
"""How often the pause after a question without an answer is doubled at most, so that a server that is back is asked
within minutes."""


@dataclass(frozen=True)
class AskedFrame:
    """A keyframe that a role is asked about.

    Attributes:
        frame: the keyframe.
        step: its step.
        query: the question.
        at: step and number of the question.
        since: when it was asked.
    """

    frame: CameraFrame
    step: FrameStep
    query: SceneQuery
    at: StepStamp
    since: Time


class VlmDetector(Detector):
    """Asks the role about keyframes, once their task and all frames of their step are known, and locates the objects
    that it names.

    Keyframes beyond the limits are passed over, as are those that follow a question to a model that was not reached or
    did not answer in time, for a pause that doubles with each further one. They have an error: they are no evidence
    that anything is absent.
    """

    def __init__(self, model: SceneModel, knowledge: CategoryKnowledge, limits: DepthLimits) -> None:
        """Makes a detector.

        Args:
            model: Names the objects in a picture.
            knowledge: Knowledge of categories.
            limits: Limits for depth to be used in a detection.
        """
        self._model = model
        self._knowledge = knowledge
        self._limits = limits
        self._budget = QuestionBudget(model.questions)
        self._paused_since, self._paused_until = -1, 0  # [ns]
        self._unanswered = 0  # questions since the last answer
        self._pause = Error()
        self._newest = Time()  # stamp of the newest frame
        self._steps = FrameSteps()
        self._known = SceneView()
        self._now = FrameStep()
        self._task_id = ""  # of the newest task
        self._calls = 0  # number of calls in this step

    def receive(self, topic: str, message: Message) -> None:
        if isinstance(message, Task | Observation | Step):
            self._steps.take(message)

    def announce(self, frame: CameraFrame, is_keyframe: bool) -> None:
        self._newest = frame.stamp
        if is_keyframe:
            self._budget.announce(frame.stamp)

    def is_ready(self, frame: CameraFrame) -> bool:
        step = self._steps.of(frame.stamp)
        return step is not None and self._newest >= step.end

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        """Finds the objects in a keyframe. One whose step is not known yet is taken for one of the newest step."""
        asked = self._choose(frame)
        if isinstance(asked, DetectorOutput):
            return asked
        return self._output(asked, answer_of(self._model.role, asked.query))

    def _choose(self, frame: CameraFrame) -> AskedFrame | DetectorOutput:
        """Returns the question about a keyframe, or the output for one that the role is not asked about. Called once
        for each keyframe."""
        known_step = self._steps.of(frame.stamp)
        if known_step is not None:
            self._begin(known_step)
        step = self._now
        key = (step.task_id, step.step) if known_step else None
        is_chosen = self._budget.chooses(frame.stamp, key, step.end, step.begin)
        if frame.stamp.nanoseconds < self._paused_until:
            return DetectorOutput(derived_from=step.sources, error=self._pause)
        if not is_chosen:
            return DetectorOutput(derived_from=step.sources, error=self._passed_over())
        asked = self._question(frame, step)
        if isinstance(asked, AskedFrame):
            self._budget.spend(frame.stamp, key)
        return asked

    def _question(self, frame: CameraFrame, step: FrameStep) -> AskedFrame | DetectorOutput:
        """Returns the question about a chosen keyframe, or the output for one that cannot be asked about now."""
        assert frame.color is not None
        query = SceneQuery(
            step.text, picture(frame.color, self._model.image_pixels), self._known, self._model.boxes
        )
        at = StepStamp(header=frame.header, task_id=step.task_id, step=step.step, revision=self._calls)
        self._calls += 1
        return AskedFrame(frame, step, query, at, self._now_at(frame))

    def _output(self, asked: AskedFrame, answer: SceneView | NoSceneError) -> DetectorOutput:
        """Returns what the answer says of a keyframe, and takes it into the graph of its task."""
        frame, step = asked.frame, asked.step
        assert frame.view is not None
        objects: tuple[DetectedObject, ...] = ()
        relations: tuple[ObjectRelation, ...] = ()
        error = incomplete = Error()
        in_part = ""
        if isinstance(answer, NoSceneError):
            error = Error.of(answer)
            if not answer.is_canceled:
                self._pause_after(error, asked, self._now_at(frame))
        else:
            self._unanswered = self._paused_until = 0
            if step.task_id == self._now.task_id:
                self._known = _evolved(self._known, answer)
            objects, relations = self._place(answer.objects, frame.view), _relations(answer)
            in_part = faults_text(answer.faults)
            if answer.lacks_objects:
                incomplete = Error(ErrorCode.ROLE_FAILED, f"the model's reply was used in part: {in_part}")
        call = role_call(SCENE_GRAPH, asked.query, asked.at, error=error.text or in_part)
        return DetectorOutput(objects, step.sources, (call,), error, incomplete, relations=relations)

    def _now_at(self, frame: CameraFrame) -> Time:
        """Returns the time at which the role is asked about a frame, or has answered."""
        return frame.stamp

    def _begin(self, step: FrameStep) -> None:
        """Counts the calls of each step anew; each task begins with an empty graph, and ends a pause that began before
        it."""
        if step.task_id and step.task_id != self._task_id:
            self._task_id = step.task_id
            self._known = SceneView()
            if self._paused_since <= step.begin.nanoseconds:
                self._paused_until = self._unanswered = 0
        if (step.task_id, step.step) != (self._now.task_id, self._now.step):
            self._calls = 0
        self._now = step

    def _pause_after(self, error: Error, asked: AskedFrame, now: Time) -> None:
        """Begins a pause; not again for a question that was asked before it."""
        if asked.since.nanoseconds <= self._paused_since:
            return
        if error.code in MODEL_AWAY and self._model.questions.pause:
            pause = self._model.questions.pause * 2 ** min(self._unanswered, MOST_DOUBLINGS)
            self._unanswered += 1
            self._paused_since = now.nanoseconds
            self._paused_until = now.nanoseconds + round(pause * NANOSECONDS_PER_SECOND)
            until = self._paused_until / NANOSECONDS_PER_SECOND
            self._pause = Error(
                error.code, f"not asked before {until:.1f} s (perception.model_pause): {error.text}"
            )

    def _passed_over(self) -> Error:
        limits = self._model.questions
        return Error(
            ErrorCode.MODEL_BUDGET,
            "the model is not asked about all keyframes: perception.questions_per_step and questions_per_minute allow "
            f"{limits.per_step or 'any number'} and {limits.per_minute or 'any number'}",
        )

    def _place(self, objects: Iterable[SceneObject], view: DepthView) -> tuple[DetectedObject, ...]:
        """Returns the objects under their canonical names, without parts of the building."""
        named = [(thing_category(item.name, self._knowledge), item) for item in objects]
        named = [(kind, item) for kind, item in named if kind]
        boxes = [pixels_of(item.box, view.depth_mm.shape) for _, item in named]
        return tuple(
            DetectedObject(kind, UNSCORED, box, segment, states=_states(item), names=frozenset((item.label,)))
            for (kind, item), box, segment in zip(
                named, boxes, ground_boxes(view, boxes, self._limits), strict=True
            )
        )


def pixels_of(box: ImageBox, shape: tuple[int, ...]) -> PixelBox:
    """Returns the rows and columns of an image of `shape` (H, W) in a box, at least one of each."""
    height, width = shape
    left, top, right, bottom = box
    in_pixels = (
        left * width / BOX_UNITS,
        top * height / BOX_UNITS,
        right * width / BOX_UNITS,
        bottom * height / BOX_UNITS,
    )
    return pixel_box(in_pixels, shape)


def _states(item: SceneObject) -> tuple[StateEstimate, ...]:
    return tuple(
        StateEstimate(state=state, source=EvidenceSource.DETECTOR, confidence=UNMEASURED)
        for state in item.states
    )


def _relations(answer: SceneView) -> tuple[ObjectRelation, ...]:
    """Returns the relations between objects."""
    return tuple(
        ObjectRelation(each.subject, each.predicate, each.object, UNMEASURED)
        for each in answer.relations
        if each.predicate in _BETWEEN_OBJECTS
    )


def _evolved(before: SceneView, now: SceneView) -> SceneView:
    """Returns the graph after a view: the objects of the view, and those of earlier views that were not named again."""
    labels = {item.label for item in now.objects}
    objects = (*now.objects, *(item for item in before.objects if item.label not in labels))[:MAX_KNOWN]
    rooms = tuple(dict.fromkeys((*now.rooms, *before.rooms)))[:MAX_ROOMS]
    known = {item.label for item in objects}
    older = (
        relation
        for relation in before.relations
        if relation.subject in known - labels and relation.object in known | {*rooms}
    )
    return SceneView(now.room, now.near, objects, rooms, (*now.relations, *older)[:MAX_KNOWN])
