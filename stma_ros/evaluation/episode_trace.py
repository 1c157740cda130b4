"""Records an episode for its scorer: ground truth, scene graphs, calls, proposals and critiques."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.errors import StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import ActionProposal, Critique, Outcome, SkillRequest, TaskResult
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import KeyframeDetections, Observation
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot.map_frame import MapFrame


class EpisodeTrace:
    """A tap for either runtime. Holds every ground truth, scene graph, role and model call, proposal, critique, skill
    request, outcome of an action, observation and temporal belief, oldest first.

    Attributes:
        configuration: what the world has drawn from the scene.
        driven: distance that the base has driven, by the outcomes of skills [m].
        frames: number of frames that perception has processed.
        keyframes: number of keyframes among them.
        seconds: wall time from the first to the last of these frames.
        step_latencies: wall time from each observation to the next skill request, or to the task's result [s].
    """

    def __init__(self, configuration: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.configuration = configuration
        self.truths: list[GroundTruth] = []
        self.graphs: list[SceneGraph] = []
        self.calls: list[RoleCall] = []
        self.model_calls: list[ModelCall] = []
        self.proposals: list[ActionProposal] = []
        self.critiques: list[Critique] = []
        self.requests: list[SkillRequest] = []
        self.outcomes: list[Outcome] = []
        self.beliefs: list[TemporalBelief] = []
        self.observations: list[Observation] = []
        self.driven = 0.0
        self.frames = 0
        self.keyframes = 0
        self.step_latencies: list[float] = []
        self._began = self._last = 0.0
        self._observed: float | None = None  # when the observation came that no decision has followed yet

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case GroundTruth():
                self.truths.append(message)
            case SceneGraph():
                self.graphs.append(message)
            case RoleCall():
                self.calls.append(message)
            case ModelCall():
                self.model_calls.append(message)
            case ActionProposal():
                self.proposals.append(message)
            case Critique():
                self.critiques.append(message)
            case SkillRequest():
                self.requests.append(message)
                self._decide()
            case TaskResult():
                self._decide()
            case Outcome():
                self.driven += message.distance
                if message.action.skill != words.SKILL_OBSERVE:
                    self.outcomes.append(message)
            case TemporalBelief():
                self.beliefs.append(message)
            case Observation():
                self.observations.append(message)
                self._observed = time.perf_counter()
            case KeyframeDetections() if not message.revision:
                self._last = time.perf_counter()
                self._began = self._began if self.frames else self._last
                self.frames += 1
                self.keyframes += message.keyframe

    def _decide(self) -> None:
        if self._observed is not None:
            self.step_latencies.append(time.perf_counter() - self._observed)
            self._observed = None

    @property
    def map_frame(self) -> MapFrame:
        """The map frame of the scene, for scorers that know places in the frame of its files."""
        return MapFrame.of_settings(self.configuration)

    @property
    def seconds(self) -> float:
        return self._last - self._began

    @property
    def ending(self) -> GroundTruth:
        """The ground truth at the end. Raises StmaError when the world published none."""
        if not self.truths:
            raise StmaError("the world published no ground truth: there is nothing to score against")
        return self.truths[-1]
