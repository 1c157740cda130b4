"""The death of any node during a task ends the task with an error that names the node."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from stma_ros.agents.bringup import bring_up
from stma_ros.ros.liveliness import NodeDiedError
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from support.ros.waiting import running

pytestmark = pytest.mark.slow

TO_END = 5.0  # [s], promised
TO_NAME_THE_DEAD = 10.0  # [s], promised
TO_START = 60.0  # [s]
# A long task, so that the death interrupts it: a large flat without the requested object.
TASK = "find the unicorn"
FLAT = {"rooms": 6, "width": 160, "height": 120}

ALIKE = {"perception", "temporal_memory", "planner", "critic"}
"""Nodes that host one component, as spatial memory does."""
VICTIMS = [spec.name for spec in bring_up(bag="recorded") if spec.name not in ALIKE]


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_killed_node_ends_the_running_task_with_its_name(tmp_path: Path, victim: str) -> None:
    specs = bring_up(bag=str(tmp_path / "bag"), world_settings=FLAT)
    killed = 0.0

    def kill(topic: str, message: Message) -> None:
        nonlocal killed
        if not killed:
            os.kill(processes.pid(victim), signal.SIGKILL)
            killed = time.monotonic()

    # Requests are latched and reach a client that connects late, which may take seconds; frames are not.
    with NodeProcesses(specs, tmp_path) as processes, TaskClient(follow=(topics.SKILL_REQUEST,)) as client:
        client.wait_until_active(TO_START)
        try:
            result = client.execute(TASK, progress=kill, timeout=TO_START)
            assert result.status == TaskStatus.ERROR
            text = result.error.text
        except NodeDiedError as error:
            text = str(error)
        assert time.monotonic() - killed < TO_NAME_THE_DEAD
        assert victim in text
        assert processes.ended() == {victim: -signal.SIGKILL}
        pids = [processes.pid(spec.name) for spec in specs]
        done = time.monotonic()
    assert time.monotonic() - done < TO_END
    assert not any(running(pid) for pid in pids)
