"""The measurement `mapping_latency`: on the ROS graph, the time from the sending of an image until the map, the
frontiers and the scene graph that contain it arrive at a reader, and the processor time of those who make them.

The frames are rendered and serialised beforehand. The nodes are those of a robot that is driven by hand: they run in
their own processes, and the executor begins steps by the stamps of the frames.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import numpy as np

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, ROBOT
from stma_ros.apps.cpu_use import cpu_seconds
from stma_ros.components.decision.executor_config import ExecutorConfig
from stma_ros.components.perception.sources import check_sources
from stma_ros.evaluation.drive_frames import drive_frames
from stma_ros.ros.graph import EXECUTOR, SPATIAL_MEMORY
from stma_ros.ros.mapping_probe import MappingProbe
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.sensing.detectors.names import SEGMENTATION
from stma_ros.storage.cdr import to_cdr
from stma_ros.types import topics
from stma_ros.types.errors import StmaError
from stma_ros.types.settings import setting

_PROBE, _PERCEPTION = "mapping_probe", "perception"
_START = 120.0  # longest time for the nodes to become active [s]
_WARM_UP = 1.0  # of frames whose latency does not count [s]
_QUIET, _PATIENCE = (
    2.0,
    60.0,
)  # after the last frame: silence that ends a row, and the longest wait for it [s]
_POLL = 0.05  # [s]

_SerialFrames = Sequence[Mapping[str, bytes]]


@dataclass(frozen=True)
class MappingLatencySettings:
    preset: str = setting(DEFAULT_PRESET, "preset of the agent whose nodes run")
    source: str = setting(
        SEGMENTATION, "what finds things: perception.source of the agent", validate=check_sources
    )
    width: int = setting(640, "width of the images", unit="px", low=16, high=4096)
    height: int = setting(480, "height of the images", unit="px", low=12, high=4096)
    rate: float = setting(15.0, "frames per second", unit="Hz", low=0.1, high=100)
    frames: int = setting(300, "frames of each row", low=2, high=10_000)


class MappingLatency:
    """The Measurement of latencies on the ROS graph, in one flat: with a step for each frame, and as often as by
    default."""

    name = "mapping_latency"
    total = 2
    columns: ClassVar[Mapping[str, str]] = {
        "group": "preset",
        "preset": "a map",
        "episodes": "frames",
        "map_ms": "map [ms]",
        "map_p95_ms": "p95",
        "frontiers_ms": "frontiers [ms]",
        "frontiers_p95_ms": "p95",
        "scene_graph_ms": "scene graph [ms]",
        "scene_graph_p95_ms": "p95",
        "frames_per_s": "mapped/s",
        "maps_per_s": "maps/s",
        "keyframes_per_s": "keyframes/s",
        "memory_cores": "cores: memory",
        "perception_cores": "perception",
        "load": "load",
    }

    def __init__(self, settings: MappingLatencySettings = MappingLatencySettings()) -> None:
        self._settings = settings
        self._wiring = AGENTS.match(settings.preset, ROBOT).wiring

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        settings = self._settings
        frames = [
            {topic: to_cdr(message) for topic, message in parts.items()}
            for parts in drive_frames(seed, settings.frames, settings.width, settings.height, settings.rate)
        ]
        default = ExecutorConfig.idle_step_period
        yield self._row("with each frame", frames, 0.5 / settings.rate)
        yield self._row(f"every {default:g} s (default)", frames, default)

    def _row(self, how: str, frames: _SerialFrames, step_period: float) -> dict[str, Any]:
        settings = self._settings
        namespace = f"mapping_latency_{os.getpid()}"
        nodes = bring_up(
            preset=settings.preset,
            robot_bridge=_PROBE,
            use_sim_time=False,
            namespace=namespace,
            component_settings={
                EXECUTOR: {"idle_step_period": step_period},
                _PERCEPTION: {"source": settings.source},
            },
        )
        with (
            TemporaryDirectory() as logs,
            NodeProcesses(nodes, Path(logs)) as processes,
            MappingProbe(_PROBE, namespace, self._wiring) as probe,
        ):
            with TaskClient(namespace, follow=()) as client:
                client.wait_until_active(_START, check=processes.check)
            pids = [processes.pid(name) for name in (SPATIAL_MEMORY, _PERCEPTION)]
            before = [cpu_seconds(pid) for pid in pids]
            probe.publish(frames, settings.rate)
            _wait_for_the_last(probe, processes)
            used = [cpu_seconds(pid) - begun for pid, begun in zip(pids, before, strict=True)]
        duration = len(frames) / settings.rate
        return {
            "group": settings.preset,
            "preset": how,
            "episodes": len(frames),
            **_latencies("map", probe.sent, probe.arrived[topics.MAP]),
            **_latencies("frontiers", probe.sent, probe.arrived[topics.FRONTIERS]),
            **_latencies("scene_graph", probe.sent, probe.arrived[topics.SCENE_GRAPH]),
            **_rates(probe.taken, probe.keyframes, probe.arrived[topics.MAP]),
            "memory_cores": used[0] / duration,
            "perception_cores": used[1] / duration,
            "load": os.getloadavg()[0],
        }


def _wait_for_the_last(probe: MappingProbe, processes: NodeProcesses) -> None:
    """Waits until nothing arrives any more. Raises ProcessEndedError when a node has ended."""
    heard, quiet_since = probe.heard, time.monotonic()
    until = quiet_since + _PATIENCE
    while (now := time.monotonic()) < min(until, quiet_since + _QUIET):
        processes.check()
        if probe.heard > heard:
            heard, quiet_since = probe.heard, now
        time.sleep(_POLL)


def _latencies(what: str, sent: Mapping[int, int], arrived: Mapping[int, int]) -> dict[str, float]:
    """Returns the median and the 95th percentile of the times from the sending of a frame to the arrival of the first
    message with its stamp [ms]. Arguments: times [ns] by stamps [ns]."""
    first = min(sent) + _WARM_UP * 1e9
    took = [
        (arrived[stamp] - begun) / 1e6 for stamp, begun in sent.items() if stamp in arrived and stamp >= first
    ]
    if not took:
        raise StmaError(
            f"no {what.replace('_', ' ')} came after the first {_WARM_UP:g} s of frames; give more frames"
        )
    median, p95 = np.percentile(took, (50, 95))
    return {f"{what}_ms": float(median), f"{what}_p95_ms": float(p95)}


def _rates(taken: set[int], keyframes: set[int], arrived: Mapping[int, int]) -> dict[str, float]:
    """Returns the frames that were mapped, the keyframes and the maps, per second between the first and the last map
    [Hz]."""
    first, last = min(arrived), max(arrived)
    seconds = (arrived[last] - arrived[first]) / 1e9
    mapped, looked = (sum(first < stamp <= last for stamp in stamps) for stamps in (taken, keyframes))
    return {
        "frames_per_s": mapped / seconds,
        "keyframes_per_s": looked / seconds,
        "maps_per_s": (len(arrived) - 1) / seconds,
    }
