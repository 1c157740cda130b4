"""The robot's computer restarts during a task: the robot remembers its home and finishes the task.

The bridge with its flat runs on, as a robot's body and home do. All other processes end, properly or by a power
cut, and are started again with the same `memory_dir`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from support.ros.living_nodes import LivingNodes

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from std_srvs.srv import Trigger

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import BRIDGE, NodeSpec
from stma_ros.ros.conversions import from_msg
from stma_ros.ros.graph import LIFECYCLE_MANAGER
from stma_ros.ros.liveliness import NodeDiedError
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import GraphError, TaskClient
from stma_ros.srv import LastSeen
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, SkillRequest, TaskResult, TaskStatus
from stma_ros.types.remembering import ObjectQueryResult, Sighting
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.standard import OccupancyGrid, Time

pytestmark = pytest.mark.slow

FLAT = {"rooms": 3, "width": 160, "height": 120}
TASK = "put the cheese on the side table, then put the sponge in the fridge"  # the cheese is seen and comes first
TO_START, TO_END = 60.0, 60.0  # [s]
LOOKING_ROUND = {words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND}


@dataclass
class Life:
    """Records the messages between one start and the next."""

    skills: list[str] = field(default_factory=list)
    done: list[str] = field(default_factory=list)  # actions that succeeded
    graphs: list[SceneGraph] = field(default_factory=list)
    maps: list[OccupancyGrid] = field(default_factory=list)

    def __call__(self, topic: str, message: Message) -> None:
        match message:
            case SkillRequest():
                self.skills.append(message.action.skill)
            case Outcome() if message.result == Result.SUCCEEDED:
                self.done.append(str(message.action))
            case SceneGraph():
                self.graphs.append(message)
            case OccupancyGrid():
                self.maps.append(message)


class Robot:
    """The processes of the robot's computer, from one start to its end."""

    def __init__(self, ros: LivingNodes, processes: NodeProcesses, client: TaskClient) -> None:
        self._ros = ros
        self._processes = processes
        self._client = client
        self.life = Life()

    def do(self, task: str, until: str = "", then: Callable[[], None] = lambda: None) -> TaskResult:
        """Runs a task; once the skill `until` has succeeded, `then` happens."""
        happened = False

        def watch(topic: str, message: Message) -> None:
            nonlocal happened
            self.life(topic, message)
            if until and not happened and any(action.startswith(until) for action in self.life.done):
                happened = True
                then()

        return self._client.execute(task, progress=watch, timeout=TO_END)

    def last_seen(self, description: str) -> tuple[Sighting, ...]:
        response = self._ros.ask(
            LastSeen, "spatial_memory/last_seen", LastSeen.Request(description=description)
        )
        return from_msg(response.answer, ObjectQueryResult).sightings

    def save(self) -> None:
        reply = self._ros.ask(Trigger, "spatial_memory/save", Trigger.Request())
        assert reply.success, reply.message

    def cut_power(self, names: Iterable[str]) -> None:
        for name in names:
            os.kill(self._processes.pid(name), signal.SIGKILL)


@contextmanager
def started(ros: LivingNodes, computer: Iterable[NodeSpec], logs: Path) -> Iterator[Robot]:
    follow = (topics.SKILL_REQUEST, topics.OUTCOME, topics.SCENE_GRAPH, topics.MAP)
    with NodeProcesses(tuple(computer), logs) as processes, TaskClient(ros.namespace, follow) as client:
        try:
            client.wait_until_active(TO_START)
        except GraphError as error:
            said = (
                f"{name}: {processes.last_output(name)}" for name in (*processes.ended(), LIFECYCLE_MANAGER)
            )
            raise AssertionError("\n".join((str(error), f"ended: {processes.ended()}", *said))) from error
        yield Robot(ros, processes, client)


def cells(grid: OccupancyGrid) -> dict[tuple[int, int], int]:
    """Returns the known cells of a map: value (0 = free) by row and column, counted from the origin of the map
    frame."""
    values = np.asarray(grid.data).reshape(grid.info.height, grid.info.width)
    corner = grid.info.origin.position
    row, column = np.rint(np.array([corner.y, corner.x]) / grid.info.resolution).astype(int)
    return {(row + r, column + c): int(values[r, c]) for r, c in np.argwhere(values >= 0).tolist()}


def assert_remembers(after: Life, before: Iterable[SceneGraph], mapped: OccupancyGrid) -> None:
    """Checks that the first scene graph after a start contains one of those before it, with its stamps, and the first
    map the free cells of the one before it."""
    old, new = cells(mapped), cells(after.maps[0])
    assert {cell for cell, value in old.items() if value == 0} <= new.keys()
    now = first_seen(after.graphs[0])
    lost = [first_seen(graph).items() - now.items() for graph in before]
    assert not all(lost), lost


def first_seen(graph: SceneGraph) -> dict[str, Time]:
    rooms = {room.id: room.first_seen for room in graph.rooms}
    return rooms | {node.id: node.first_seen for node in graph.objects}


def past(sightings: Iterable[Sighting]) -> dict[tuple[str, str, Time, Time], bytes]:
    """Returns the former places of objects, with their times and pictures."""
    return {
        (
            sighting.object_id,
            sighting.place,
            sighting.first_seen,
            sighting.last_seen,
        ): sighting.picture.data.tobytes()
        for sighting in sightings
        if not sighting.present
    }


def test_a_task_is_finished_from_memory_after_a_restart(ros: LivingNodes, tmp_path: Path) -> None:
    specs = bring_up(
        scene="flat_1000", world_settings=FLAT, memory_dir=str(tmp_path / "memory"), namespace=ros.namespace
    )
    computer = [spec for spec in specs if spec.name != BRIDGE]

    with NodeProcesses([spec for spec in specs if spec.name == BRIDGE], tmp_path / "body"):
        with started(ros, computer, tmp_path / "first") as robot:
            canceled = robot.do(TASK, until=words.SKILL_PICK, then=lambda: signal.raise_signal(signal.SIGINT))
            first = robot.life
        assert canceled.status == TaskStatus.CANCELED, canceled.text
        assert words.SKILL_EXPLORE in first.skills

        sighted: dict[tuple[str, str, Time, Time], bytes] = {}
        published = Life()  # before the save

        def save_then_lose_power() -> None:
            sighted.update(past(robot.last_seen("cheese")))
            published.graphs += robot.life.graphs
            published.maps += robot.life.maps
            robot.save()
            robot.cut_power(spec.name for spec in computer)

        with started(ros, computer, tmp_path / "second") as robot:
            with pytest.raises(NodeDiedError) as died:
                robot.do(TASK, until=words.SKILL_PLACE_ON, then=save_then_lose_power)
            second = robot.life
        assert sighted, f"it died before: {died.value}; done: {second.done}"
        first_place = min(sighted, key=lambda stay: stay[2])
        assert first_place[1].startswith("on counter")
        assert sighted[first_place].startswith(b"\xff\xd8"), "a JPEG"

        with started(ros, computer, tmp_path / "third") as robot:
            assert sighted.items() <= past(robot.last_seen("cheese")).items()
            result = robot.do(TASK)
            third = robot.life
    assert result.status == TaskStatus.SUCCEEDED, result.text
    assert not LOOKING_ROUND & {*second.skills, *third.skills}
    assert_remembers(second, first.graphs[-1:], first.maps[-1])
    # The robot goes on during the save, which may hold one step more than what was heard before it.
    assert_remembers(third, second.graphs[len(published.graphs) - 1 :], published.maps[-1])
    assert not any("cheese" in action for action in third.done), "a finished subtask is not repeated"
