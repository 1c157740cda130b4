"""The measurement `bridge`: steps per second of a simulated world by itself, and behind its ROS node.

In a step the robot turns a little, and captures a frame of colour, depth and segmentation.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from stma_ros.agents.node_spec import NodeSpec, bridge_of
from stma_ros.agents.registry import AGENTS
from stma_ros.ros.bridge_probe import BridgeProbe
from stma_ros.ros.processes import NodeProcesses
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.types.settings import setting
from stma_ros.worlds.registry import make_world, world_entry

_LOOK = SkillRequest(action=Action(words.SKILL_LOOK_AROUND))
_FRAME_RATE = 10.0  # of simulated time: one frame for each small turn [Hz]
_SCENE, _PATIENCE = "flat_1000", 300.0


@dataclass(frozen=True)
class BridgeSettings:
    world: str = setting("habitat", "which world", choices=("habitat", "house"))
    width: int = setting(640, "width of the camera's images", unit="px", low=16, high=4096)
    height: int = setting(480, "height of the camera's images", unit="px", low=12, high=4096)
    looks: int = setting(5, "full turns, of about 60 steps each", low=1, high=1000)


class BridgeSpeed:
    """The Measurement of the bridge. The rows are measured one after the other, so that each has the whole machine."""

    name = "bridge"
    total = 2
    columns: ClassVar[Mapping[str, str]] = {
        "group": "world",
        "preset": "how",
        "episodes": "steps",
        "steps_per_s": "steps/s",
        "ms_per_step": "per step [ms]",
    }

    def __init__(self, settings: BridgeSettings = BridgeSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        yield self._row("by itself", *self._alone(seed))
        yield self._row("through the bridge", *self._through_bridge(seed))

    @property
    def _options(self) -> dict[str, Any]:
        return {
            "width": self._settings.width,
            "height": self._settings.height,
            "frame_rate": _FRAME_RATE,
        }

    def _row(self, how: str, steps: int, seconds: float) -> dict[str, Any]:
        return {
            "group": self._settings.world,
            "preset": how,
            "episodes": steps,
            "steps_per_s": steps / seconds,
            "ms_per_step": 1000 * seconds / steps,
        }

    def _alone(self, seed: int) -> tuple[int, float]:
        """Returns the number of steps and their duration [s]."""
        with closing(make_world(self._settings.world, self._options)) as world:
            world.reset(_SCENE, seed)
            _count(world.execute(_LOOK, CancelToken()))  # the first one prepares much
            begun = time.perf_counter()
            steps = sum(_count(world.execute(_LOOK, CancelToken())) for _ in range(self._settings.looks))
            return steps, time.perf_counter() - begun

    def _through_bridge(self, seed: int) -> tuple[int, float]:
        world, namespace = self._settings.world, f"bridge_speed_{os.getpid()}"
        wiring = AGENTS.match(offer=world_entry(world).offer).wiring
        options = {f"world.{name}": value for name, value in self._options.items()}
        bridge = bridge_of(world)
        node = NodeSpec(bridge, namespace, {"world": world, "scene": _SCENE, "seed": seed, **options})
        with TemporaryDirectory() as logs, NodeProcesses([node], Path(logs)) as processes:

            def died() -> str:
                return processes.last_output(bridge) if processes.ended() else ""

            with BridgeProbe(wiring, bridge, namespace, died) as probe:
                probe.activate(_PATIENCE)
                probe.perform(_LOOK, _PATIENCE)
                first = probe.steps
                begun = time.perf_counter()
                for _ in range(self._settings.looks):
                    probe.perform(_LOOK, _PATIENCE)
                return probe.steps - first, time.perf_counter() - begun


def _count(emissions: Iterator[tuple[str, Any]]) -> int:
    return sum(topic == topics.SEGMENTATION for topic, _ in emissions)
