"""Perception: picks keyframes among camera frames and detects their objects.

A detector finds the objects in a keyframe (detector_registry). Perception remembers only where earlier keyframes were
taken: objects are associated across views in the scene graph (memory.scene_graph).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from stma_ros.components.perception.detector_registry import DETECTORS
from stma_ros.components.perception.question_budget import QuestionLimits
from stma_ros.components.perception.sources import check_shares, check_sources, source_names
from stma_ros.library.scene.keyframes import KeyframeConfig, KeyframeSelector, with_detections
from stma_ros.mapping.warm_up import warm_up
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.knowledge_settings import KnowledgeConfig
from stma_ros.models.vision.networks import HOUSE
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.detectors.names import SEGMENTATION
from stma_ros.sensing.detectors.port import Detector, DetectorOutput
from stma_ros.types import topics
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission, OpenQuestion
from stma_ros.types.message import Message
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.settings import setting
from stma_ros.types.standard import Time

MAX_KEYFRAMES, MAX_FRAMES = 64, 512
"""Keyframes and frames that wait for the detector at most. Of more, the oldest is handed to the detector all the same:
what it waits for, such as the step that a frame belongs to, will not come any more."""


@dataclass(frozen=True)
class PerceptionConfig(KeyframeConfig, KnowledgeConfig):
    source: str = setting(
        SEGMENTATION,
        "what finds things: the camera's segmentation, a network in this process (perception.network), the "
        "detections of other nodes and files, a model that sees (model.scene_graph), or several of "
        f"{', '.join(DETECTORS)} joined by +, the best places first",
        validate=check_sources,
    )
    recall: str = setting(
        "",
        "share of the things in plain view that a source finds: a number, or one for each, such as network=0.85, "
        "model=0.6; empty = a usual one",
        validate=check_shares,
    )
    precision: str = setting(
        "",
        "share of a source's finds with a score of 0.5 that are right, in the same form; empty = 0.5: its scores are "
        "probabilities",
        validate=check_shares,
    )
    network: str = setting(
        HOUSE,
        f"network of perception.source=network: the YAML file that describes it, or {HOUSE}, which was trained in the "
        "simulated house alone",
    )
    network_device: str = setting("cpu", "where that network runs", choices=("cpu", "cuda"))
    network_threads: int = setting(1, "threads of that network on the CPU", low=1, high=64)

    detections_tolerance: float = setting(
        0.05,
        "largest difference between the stamps of a frame and of the detections of perception.source=detections",
        unit="s",
        low=0,
    )
    detections_wait: float = setting(
        1.0,
        "how long a keyframe waits for those detections, by the stamps of later frames; without them it is not used",
        unit="s",
        low=0,
    )

    questions_per_step: int = setting(
        8,
        "keyframes of a step that a model is asked about at most, spread over the step; 0 = any number",
        low=0,
    )
    questions_per_minute: int = setting(
        60, "keyframes of a minute that a model is asked about at most; 0 = any number", low=0
    )
    model_wait: float = setting(
        -1.0,
        "how long the keyframes of a step wait for the answers of a model, by the stamps of later frames; then they go "
        "on without, and the answers revise what was seen in them; -1 = until they come. Where no frames come, as from "
        "a simulator that waits for the step, they wait in any case",
        unit="s",
        low=-1,
    )
    model_pause: float = setting(
        30.0,
        "how long a model is not asked after it was not reached or did not answer in time, unless a new task begins; "
        "0 = it is asked about the next keyframe",
        unit="s",
        low=0,
    )

    @property
    def answer_wait(self) -> float | None:
        """How long a keyframe waits for a model [s]; None = until it answers."""
        return None if self.model_wait < 0 else self.model_wait

    @property
    def question_limits(self) -> QuestionLimits:
        """The limits of the questions to a model."""
        return QuestionLimits(self.questions_per_step, self.questions_per_minute, self.model_pause)

    def uses(self, part: str) -> bool:
        parts = (part for name in source_names(self.source) for part in DETECTORS[name].parts)
        return part in (topics.COLOR, *topics.DEPTH_FRAME, *parts)


@dataclass(frozen=True)
class _Pending:
    """An update that waits to be emitted, with the frame if it is a keyframe without detections yet."""

    update: KeyframeDetections
    keyframe: CameraFrame | None


class Perception:
    """Picks keyframes and emits the objects that a detector finds in them, in the order of the frames' stamps.

    Later frames wait while the detector is not ready for a keyframe.
    """

    def __init__(self, config: PerceptionConfig, knowledge: CategoryKnowledge, detector: Detector) -> None:
        """Makes a component.

        Args:
            config: The settings.
            knowledge: Knowledge of categories in the domain.
            detector: A detector that is not shared (detector_registry).
        """
        warm_up()
        self._knowledge = knowledge
        self._guesses = config.guesses
        self._detector = detector
        self._selector = KeyframeSelector(config)
        self._waiting: deque[_Pending] = deque()
        self._waiting_keyframes = 0
        self._looked_up_to = Time()
        self._awaiting: dict[
            int, KeyframeDetections
        ] = {}  # by stamp [ns]; those without detections, to be revised

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if isinstance(message, CameraFrame):
            update = replace(
                self._selector.look(message), derived_from=(message_ref(topics.CAMERA_FRAME, message),)
            )
            self._waiting.append(_Pending(update, message if update.keyframe else None))
            self._waiting_keyframes += update.keyframe
            self._detector.announce(message, update.keyframe)
        else:
            self._detector.receive(topic, message)
        return chain(self._revise(), self._go_on())

    def take_questions(self) -> Sequence[OpenQuestion]:
        """Returns the questions to a model that were begun since the last call."""
        return self._detector.take_questions()

    def _go_on(self) -> Iterator[Emission]:
        while self._waiting:
            first = self._waiting[0]
            if first.keyframe is None:
                self._waiting.popleft()
                self._looked_up_to = first.update.processed_until
                yield topics.KEYFRAME_DETECTIONS, first.update
                continue
            full = self._waiting_keyframes > MAX_KEYFRAMES or len(self._waiting) > MAX_FRAMES
            if not self._detector.is_ready(first.keyframe) and not full:
                return
            self._waiting.popleft()
            self._waiting_keyframes -= 1
            yield from self._detect(first.update, first.keyframe)

    def _detect(self, update: KeyframeDetections, frame: CameraFrame) -> Iterator[Emission]:
        output = self._detector.detect(frame)
        self._looked_up_to = update.processed_until
        if output.awaits_answer:
            self._awaiting[frame.stamp.nanoseconds] = update
        yield from self._emit(update, frame, output)

    def _revise(self) -> Iterator[Emission]:
        """Emits keyframes once more whose answers have come late."""
        for frame, output in self._detector.take_revisions():
            update = self._awaiting.pop(frame.stamp.nanoseconds)
            yield from self._emit(update, frame, output, revision=1)

    def _emit(
        self, update: KeyframeDetections, frame: CameraFrame, output: DetectorOutput, revision: int = 0
    ) -> Iterator[Emission]:
        if output.has_failed:
            self._selector.failed(frame.stamp)
        yield from output.telemetry
        found = with_detections(update, frame, output, self._guesses, self._knowledge)
        yield (
            topics.KEYFRAME_DETECTIONS,
            replace(
                found,
                revision=revision,
                processed_until=self._looked_up_to,
                awaits_answer=output.awaits_answer,
                derived_from=(*update.derived_from, *output.derived_from),
            ),
        )
