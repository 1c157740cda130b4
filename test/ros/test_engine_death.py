"""The engine of a simulated world dies during a task.

The task ends with an error that names the engine, no node ends, and the repeated task succeeds with the memory.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import bridge_of
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, SkillRequest, TaskStatus
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.settings import SettingValue
from stma_ros.types.standard import OccupancyGrid
from support.ros.waiting import eventually
from support.worlds.habitat_available import why_not_in_a_process
from support.worlds.standin_python import children, standin_python, state_of

pytestmark = pytest.mark.slow

TO_END = 10.0  # [s] from the engine's death to the task's end, promised
TO_START = 120.0  # [s]
TO_LEAVE = 5.0  # [s] for all nodes to end, promised
# Found at about the tenth command, after some containers were opened.
SCENE, SEED, TASK = "flat_1004000300", 1_004_000_300, "find the clock"
DIES_IN = 14  # command
BRIDGE = bridge_of("habitat")
FOLLOWED = (topics.SKILL_REQUEST, topics.OUTCOME, topics.SCENE_GRAPH, topics.MAP)

MessageT = TypeVar("MessageT", bound=Message)


class Heard:
    """Records the messages of a task."""

    def __init__(self) -> None:
        self._messages: list[Message] = []

    def __call__(self, topic: str, message: Message) -> None:
        self._messages.append(message)

    def all(self, kind: type[MessageT]) -> list[MessageT]:
        return [message for message in self._messages if isinstance(message, kind)]

    @property
    def opened(self) -> set[tuple[str, ...]]:
        """Returns the containers that were opened, by the robot's own ids."""
        outcomes = self.all(Outcome)
        return {
            one.action.arguments
            for one in outcomes
            if one.action.skill == words.SKILL_OPEN and one.result == Result.SUCCEEDED
        }


class HeardEnough(Exception):
    pass


def leave(topic: str, message: Message) -> None:
    if isinstance(message, SkillRequest):
        raise HeardEnough


def known(grid: OccupancyGrid) -> int:
    return int(np.count_nonzero(grid.data >= 0))


def ids(graph: SceneGraph) -> set[str]:
    return {thing.id for thing in graph.objects} | {room.id for room in graph.rooms}


@pytest.mark.parametrize(
    "engine",
    [
        "stand-in",
        pytest.param(
            "habitat-sim",
            marks=pytest.mark.skipif(
                bool(why_not_in_a_process()), reason=f"habitat: {why_not_in_a_process()}"
            ),
        ),
    ],
)
def test_the_death_of_the_engine_ends_the_task_and_a_new_task_uses_the_memory(
    tmp_path: Path, engine: str
) -> None:
    if engine == "stand-in":
        pytest.importorskip("open3d", reason="the stand-in needs Open3D: pip install 'stma_ros[house]'")
    python = standin_python(tmp_path) if engine == "stand-in" else ""
    settings: dict[str, SettingValue] = {
        "width": 160,
        "height": 120,
        "python": python,
        "flats": str(tmp_path / "flats"),
    }
    specs = bring_up(
        world="habitat", scene=SCENE, seed=SEED, world_settings=settings, start_deadline=TO_START
    )
    first, second = Heard(), Heard()
    killed = 0.0

    def kill(topic: str, message: Message) -> None:
        nonlocal killed
        first(topic, message)
        if isinstance(message, SkillRequest) and message.step == DIES_IN:
            (pid,) = children(processes.pid(BRIDGE))
            os.kill(pid, signal.SIGKILL)
            killed = time.monotonic()

    with NodeProcesses(specs, tmp_path / "logs") as processes, TaskClient(follow=FOLLOWED) as client:
        client.wait_until_active(TO_START)

        ended = client.execute(TASK, progress=kill, timeout=TO_START)
        assert killed
        assert time.monotonic() - killed < TO_END
        assert (ended.status, ended.error.code) == (TaskStatus.ERROR, ErrorCode.WORLD_FAILED)
        assert f"{BRIDGE}: the Habitat engine" in ended.text
        assert "killed by signal 9" in ended.text
        assert processes.ended() == {}
        assert not children(processes.pid(BRIDGE))

        result = client.execute(TASK, progress=second, timeout=TO_START)
        assert result.status == TaskStatus.SUCCEEDED, result.text
        assert processes.ended() == {}

        # The clock of the world continues, and known places are not explored again.
        last, next_ = first.all(Outcome)[-1], second.all(Outcome)[0]
        assert next_.header.stamp.nanoseconds > last.header.stamp.nanoseconds
        assert len(ids(first.all(SceneGraph)[-1])) > 20
        assert ids(first.all(SceneGraph)[-1]) <= ids(second.all(SceneGraph)[0])
        assert known(first.all(OccupancyGrid)[-1]) <= known(second.all(OccupancyGrid)[0])
        assert first.opened
        assert not first.opened & second.opened

        # An engine that hangs does not keep its node from ending.
        (pid,) = children(processes.pid(BRIDGE))
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(HeardEnough):
            client.execute(TASK, progress=leave, timeout=TO_START)
        log, left = processes.log(BRIDGE), time.monotonic()
    assert time.monotonic() - left < TO_LEAVE
    assert "killed: it did not end" not in log.read_text()
    eventually(lambda: state_of(pid) == "Z", "the end of the engine")
