"""A vision-language model as a detector that frames do not wait for: its answers may come late."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import partial

from stma_ros.components.perception.scene_answers import NoSceneError, answer_of, from_message, to_message
from stma_ros.components.perception.scene_model import SceneModel
from stma_ros.components.perception.vlm_detector import AskedFrame, VlmDetector
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.depth_segments import DepthLimits
from stma_ros.sensing.detectors.port import DetectorOutput
from stma_ros.sensing.frame_steps import FrameStep
from stma_ros.sensing.light import is_black
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission, OpenQuestion
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.scene_answer import SceneAnswer
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time

MAX_AWAITED = 4
"""Answers about earlier steps that are awaited at most while a step is asked about. Beyond it the model is slower than
the questions come, and the answers would come later and later."""


@dataclass
class _Asked:
    """A keyframe that the model was asked about.

    Attributes:
        question: the question.
        until: stamp from which on the keyframe goes on without an answer [ns].
        answer: its answer; None = it has not come.
        is_lost: whether none will come.
        is_late: whether the keyframe has gone on without it.
    """

    question: AskedFrame
    until: int
    answer: SceneAnswer | None = None
    is_lost: bool = False
    is_late: bool = False

    @property
    def is_open(self) -> bool:
        """Whether an answer may still come."""
        return self.answer is None and not self.is_lost


class BackgroundVlmDetector(VlmDetector):
    """A VlmDetector with open questions.

    The keyframes of a step are asked about when all its frames are known. They wait for their answers until the
    camera's frames are some time on. Then they go on without, and the answers revise them. Where no frames come, as a
    simulator waits for the step, no answer is late.
    """

    def __init__(self, model: SceneModel, knowledge: CategoryKnowledge, limits: DepthLimits) -> None:
        """Makes a detector.

        Args:
            model: As of VlmDetector; asked in other threads.
            knowledge: As of VlmDetector.
            limits: As of VlmDetector.
        """
        super().__init__(model, knowledge, limits)
        self._wait = round((model.wait or 0.0) * NANOSECONDS_PER_SECOND)
        self._announced: deque[CameraFrame] = deque()  # keyframes for which it is not decided whether to ask
        # By the stamps of keyframes [ns], in their order:
        self._asked: dict[int, _Asked] = {}
        self._passed: dict[int, DetectorOutput] = {}  # those that the model is not asked about
        self._questions_due: list[OpenQuestion] = []
        self._revisions: list[tuple[CameraFrame, DetectorOutput]] = []

    def receive(self, topic: str, message: Message) -> None:
        if isinstance(message, SceneAnswer):
            self._take(message)
        else:
            super().receive(topic, message)
            self._ask_about_known_steps()

    def announce(self, frame: CameraFrame, is_keyframe: bool) -> None:
        super().announce(frame, is_keyframe)
        if is_keyframe:
            self._announced.append(frame)
        self._ask_about_known_steps()

    def is_ready(self, frame: CameraFrame) -> bool:
        stamp = frame.stamp.nanoseconds
        asked = self._asked.get(stamp)
        if asked is None:
            return stamp in self._passed
        return not asked.is_open or self._newest.nanoseconds > asked.until

    def detect(self, frame: CameraFrame) -> DetectorOutput:
        stamp = frame.stamp.nanoseconds
        while self._announced and self._announced[0].stamp <= frame.stamp:
            self._decide(self._announced.popleft())
        self._passed = {other: output for other, output in self._passed.items() if other >= stamp}
        if stamp in self._passed:
            return self._passed.pop(stamp)
        asked = self._asked[stamp]
        if not asked.is_open:
            return self._answered(self._asked.pop(stamp))
        asked.is_late = True
        return DetectorOutput(derived_from=asked.question.step.sources, awaits_answer=True)

    def take_questions(self) -> tuple[OpenQuestion, ...]:
        questions, self._questions_due = tuple(self._questions_due), []
        return questions

    def take_revisions(self) -> tuple[tuple[CameraFrame, DetectorOutput], ...]:
        revisions, self._revisions = tuple(self._revisions), []
        return revisions

    # -- questions

    def _ask_about_known_steps(self) -> None:
        while self._announced and super().is_ready(self._announced[0]):
            self._decide(self._announced.popleft())

    def _decide(self, frame: CameraFrame) -> None:
        """Asks about a keyframe, or passes it over."""
        asked = self._choose(frame)
        stamp = frame.stamp.nanoseconds
        if isinstance(asked, DetectorOutput):
            self._passed[stamp] = asked
            return
        end = max(frame.stamp, asked.step.end).nanoseconds
        self._asked[stamp] = _Asked(asked, end + self._wait)
        self._questions_due.append(OpenQuestion(topics.SCENE_ANSWER, asked.at, partial(self._ask, asked)))

    def _question(self, frame: CameraFrame, step: FrameStep) -> AskedFrame | DetectorOutput:
        if frame.color is not None and is_black(frame.color):
            error = Error(ErrorCode.BAD_IMAGE, "the model is not asked about a black image")
            return DetectorOutput(derived_from=step.sources, error=error)
        earlier = (each for each in self._asked.values() if each.question.step.end != step.end)
        awaited = sum(each.is_open for each in earlier)
        if awaited < MAX_AWAITED:
            return super()._question(frame, step)
        error = Error(
            ErrorCode.MODEL_BUDGET,
            f"the model is not asked about this step, as it has yet to answer about {awaited} keyframes of others: it "
            "is slower than perception.questions_per_step and questions_per_minute allow",
        )
        return DetectorOutput(derived_from=step.sources, error=error)

    def _ask(self, asked: AskedFrame) -> SceneAnswer:
        """Called in another thread."""
        return to_message(answer_of(self._model.role, asked.query), asked.at.header)

    # -- answers

    def _take(self, message: SceneAnswer) -> None:
        """Takes an answer. As they come in the order of the questions, those to earlier ones will not come."""
        answered = message.header.stamp.nanoseconds
        for stamp, asked in tuple(self._asked.items()):
            if stamp <= answered and asked.is_open:
                asked.answer = message if stamp == answered else None
                asked.is_lost = stamp < answered
                if asked.is_late:
                    self._revisions.append((asked.question.frame, self._answered(self._asked.pop(stamp))))

    def _answered(self, asked: _Asked) -> DetectorOutput:
        if asked.answer is None:
            error = Error(ErrorCode.ROLE_FAILED, "the model's answer about this keyframe was lost")
            return self._output(asked.question, NoSceneError(error, is_canceled=True))
        output = self._output(asked.question, from_message(asked.answer))
        calls: tuple[Emission, ...] = tuple((topics.MODEL_CALL, call) for call in asked.answer.calls)
        return replace(
            output,
            derived_from=(*output.derived_from, message_ref(topics.SCENE_ANSWER, asked.answer)),
            telemetry=(*calls, *output.telemetry),
        )

    def _now_at(self, frame: CameraFrame) -> Time:
        return self._newest
