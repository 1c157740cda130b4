"""The suite `frame_rate`: the rate at which perception and mapping process the frames of a robot that inspects a flat.

The rate is that of the whole running loop: rendering, perception, mapping, planning. With --runtime ros it is that of
the graph of nodes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.flats import FLAT_WORLDS, PERCEPTION
from stma_ros.evaluation.metrics import MEMORY
from stma_ros.evaluation.perception import TASK, Perception
from stma_ros.evaluation.suite import Defaults, Failure, Score
from stma_ros.types.planning import TaskResult
from stma_ros.types.settings import setting


@dataclass(frozen=True)
class FrameRateSettings:
    width: int = setting(640, "width of the images", unit="px", low=16, high=4096)
    height: int = setting(480, "height of the images", unit="px", low=12, high=4096)
    commands: int = setting(30, "commands of an episode", low=1)
    rate: float = setting(
        5.0, "keyframes per second from which an episode counts as solved", unit="Hz", low=0
    )


@dataclass(frozen=True)
class FrameRateEpisode:
    """An Episode of the suite."""

    index: int
    scene: str
    seed: int
    max_commands: int
    rate: float
    group: str = "flat"
    text: str = TASK
    optimal_steps: int = 0

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores success: keyframes arrived at least at the requested rate. `result` is not used."""
        if trace.keyframes < 2:
            return Score(Failure.ERROR, "perception looked at no more than one keyframe")
        rate = (trace.keyframes - 1) / trace.seconds
        detail = (
            f"{trace.keyframes} keyframes of {trace.frames} frames in {trace.seconds:.1f} s: {rate:.1f} Hz"
        )
        measures = {"keyframes_per_s": rate, "frames_per_s": (trace.frames - 1) / trace.seconds}
        return Score(Failure.NONE if rate >= self.rate else Failure.TOO_SLOW, detail, measures)


class FrameRate:
    """A Suite in the flats of the suite `perception`."""

    name = "frame_rate"
    worlds = FLAT_WORLDS
    defaults = Defaults()
    scene_options = ("width", "height")
    columns: ClassVar[Mapping[str, str]] = {"keyframes_per_s": "keyframes/s", MEMORY: "memory [MB]"}

    def __init__(self, settings: FrameRateSettings = FrameRateSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def notes(self) -> tuple[str, ...]:
        return ()

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {}

    @property
    def world_options(self) -> Mapping[str, Any]:
        return {"width": self._settings.width, "height": self._settings.height}

    def check(self, seed: int | None, episodes: int) -> None:
        PERCEPTION.of(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> FrameRateEpisode:
        flat = Perception().episode(seed, index)
        return FrameRateEpisode(index, flat.scene, flat.seed, self._settings.commands, self._settings.rate)
