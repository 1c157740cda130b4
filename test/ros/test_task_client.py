"""Sending and cancelling tasks from outside the graph."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from rclpy.node import Node

from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.conversions import from_msg
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.lifecycle_manager import LifecycleManager
from stma_ros.ros.liveliness import NodeDiedError
from stma_ros.ros.task_client import PROGRESS_TOPICS, GraphError, TaskClient
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.planning import TaskStatus
from support.ros.small_graph import WALKERS, Floor, about_floor, make_floor
from support.ros.waiting import PATIENCE, eventually


@pytest.fixture
def executor(ros: Any) -> ExecutorHost:
    Floor.started.clear()
    executor: ExecutorHost = ros.add(ExecutorHost, WALKERS)
    ros.up(executor, ros.add(WorldBridge, make_floor, about_floor, world="floor"))
    return executor


@pytest.fixture
def client(ros: Any) -> Iterator[TaskClient]:
    with TaskClient(ros.namespace, (*PROGRESS_TOPICS, topics.CANCEL)) as client:
        yield client


def walks(client: TaskClient) -> bool:
    """Returns whether the graph accepts and finishes another task."""
    return client.execute("walk", timeout=PATIENCE).status == TaskStatus.SUCCEEDED


def test_task_client_reports_progress(executor: ExecutorHost, client: TaskClient) -> None:
    heard: list[str] = []
    result = client.execute("walk", 5, lambda topic, message: heard.append(topic), timeout=PATIENCE)
    assert result.status == TaskStatus.SUCCEEDED
    assert sorted(heard) == sorted([topics.TASK, topics.SKILL_REQUEST, topics.OUTCOME, topics.TASK_RESULT])


def test_ctrl_c_cancels_the_task_and_its_skill(executor: ExecutorHost, client: TaskClient) -> None:
    heard: dict[str, Message] = {}

    def interrupt(topic: str, message: Message) -> None:
        heard[topic] = message
        if topic == topics.SKILL_REQUEST:
            assert Floor.started.wait(PATIENCE)
            signal.raise_signal(signal.SIGINT)

    result = client.execute("hang", progress=interrupt, timeout=60.0)
    assert result.status == TaskStatus.CANCELED
    assert heard[topics.CANCEL].task_id == result.task_id  # type: ignore[attr-defined]
    assert heard[topics.TASK_RESULT] == result
    assert walks(client)


def test_task_client_cancels_a_task_that_takes_too_long(executor: ExecutorHost, client: TaskClient) -> None:
    with pytest.raises(GraphError, match="the end of the task 'hang': did not come in time"):
        client.execute("hang", timeout=0.1)
    assert walks(client)


def test_task_client_reports_a_missing_executor(client: TaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stma_ros.ros.task_client._REPEAT", 0.1)
    with pytest.raises(GraphError, match="executor does not offer execute_task"):
        client.execute("walk")


def test_task_client_stops_waiting_when_the_executor_dies(
    ros: Any, executor: ExecutorHost, client: TaskClient
) -> None:
    assert walks(client)
    ros.remove(executor)
    eventually(lambda: client._watch.dead)
    with pytest.raises(NodeDiedError, match="executor died"):
        client.execute("walk", timeout=PATIENCE)


def test_task_client_spins_only_after_its_construction(
    executor: ExecutorHost, ros: Any, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    add = Node.add_waitable

    def add_slowly(node: Node, waitable: Any) -> None:
        add(node, waitable)
        time.sleep(0.2)  # rclpy's action client has its lock only after this

    monkeypatch.setattr(Node, "add_waitable", add_slowly)
    with TaskClient(ros.namespace) as client:
        assert walks(client)
    assert "AttributeError" not in capfd.readouterr().err


def test_task_client_drops_an_unreadable_message_and_goes_on(
    executor: ExecutorHost,
    client: TaskClient,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    broken: list[Any] = []

    def from_msg_but_the_first(msg: Any, type_: type[Message]) -> Message:
        if not broken:
            broken.append(msg)
            raise ValueError("it was cut off")
        return from_msg(msg, type_)

    monkeypatch.setattr("stma_ros.ros.task_client.from_msg", from_msg_but_the_first)
    assert walks(client)
    assert broken
    assert "ValueError: it was cut off" in capfd.readouterr().err
    assert walks(client)


def test_task_client_waits_until_all_nodes_are_active(ros: Any, client: TaskClient) -> None:
    ros.add(ExecutorHost, WALKERS)
    ros.add(LifecycleManager, node_names=["executor", "sim_bridge"])
    named: list[str] = []

    def tell(missing: str) -> None:
        if "sim_bridge" in missing and not named:
            named.append(missing)
            ros.add(WorldBridge, make_floor, about_floor, world="floor")

    client.wait_until_active(60.0, tell)  # fails unless the bridge is named: only the callback starts it
    assert named
    client.restart(60.0)
    assert walks(client)


def test_world_that_takes_long_to_reset_is_asked_once(
    executor: ExecutorHost, client: TaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    reset, seeds = Floor.reset, []

    def reset_slowly(floor: Floor, scene: str, seed: int) -> str:
        seeds.append(seed)
        time.sleep(0.5)
        return reset(floor, scene, seed)

    monkeypatch.setattr("stma_ros.ros.task_client._REPEAT", 0.1)
    monkeypatch.setattr(Floor, "reset", reset_slowly)
    assert client.reset_world("floor", 3, PATIENCE) == "floor"
    assert walks(client)
    assert seeds == [3]


def test_task_client_reports_a_missing_lifecycle_manager(client: TaskClient) -> None:
    with pytest.raises(GraphError, match=r"not active within 0\.1 s: lifecycle_manager has not started"):
        client.wait_until_active(0.1)
