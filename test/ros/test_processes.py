"""Start, crash and end of real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.action import ActionClient

from stma_ros.action import ExecuteTask
from stma_ros.agents.bringup import bring_up
from stma_ros.agents.node_spec import RECORDER, NodeSpec
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.lifecycle_manager import LifecycleManager
from stma_ros.ros.processes import NodeProcesses, ProcessEndedError, ros_arguments
from stma_ros.ros.spin import SHOW_THREADS
from stma_ros.ros.task_client import GraphError, TaskClient
from stma_ros.types import topics
from stma_ros.types.planning import Plan, PlanRequest, TaskStatus
from stma_ros.types.stepped import StepStamp
from support.environment import python_environment
from support.ros.small_graph import Floor, about_floor, make_floor
from support.ros.waiting import eventually, running

TO_END = 5.0  # [s], documented limit
TO_NAME_THE_DEAD = 10.0  # [s], documented limit
AT_ONCE = 1.0  # [s], separates an end at once from a regular one


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_node_with_a_stuck_component_ends_within_the_limit_with_an_error(ros, number):
    with stuck(ros, "component") as process:
        ask_to_wait(ros)
        assert "its work did not end within 2 s" in last_output(process, number, status=1)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_node_that_is_ended_publishes_what_follows_from_the_message_under_way(ros, number):
    with stuck(ros, "slow") as process:
        plans = ask_to_wait(ros)
        assert last_output(process, number) == ""
        eventually(lambda: plans)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("where", ["closing", "deaf"])
def test_a_node_ends_at_once_with_one_line_after_a_second_signal(ros, where, number):
    with stuck(ros, where) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "up\n"
        process.send_signal(number)
        assert process.stderr.readline() == "closing\n"
        second = time.monotonic()
        process.send_signal(number)
        _, said = process.communicate(timeout=2 * TO_END)
        assert time.monotonic() - second < AT_ONCE
    assert said == f"{number.name} again: ended at once\n"
    assert process.returncode == 128 + number


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_node_ends_without_traceback_when_the_signal_arrives_during_construction(ros, number):
    with stuck(ros, "making") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "making\n"
        assert last_output(process, number) == ""


def test_a_node_stuck_in_the_middleware_ends_within_the_limit_and_logs_where(ros):
    with stuck(ros, "middleware") as process:
        assert change(ros, Transition.TRANSITION_CONFIGURE)
        assert "in destroy_node" in last_output(process, signal.SIGTERM)


def test_a_node_woken_before_the_shutdown_of_its_context_ends_at_once(ros):
    with stuck(ros, "wait") as process:
        _, said = process.communicate(timeout=2 * TO_END)
        assert (process.returncode, said) == (0, "")


def test_a_crash_in_native_code_shows_its_stack(ros):
    with stuck(ros, "crash") as process:
        _, said = process.communicate(timeout=2 * TO_NAME_THE_DEAD)
    assert process.returncode == -signal.SIGSEGV
    assert said.startswith("Fatal Python error: Segmentation fault\n")
    assert "in string_at" in said
    assert "in spin" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_executor_that_is_ended_by_a_signal_cancels_the_running_skill(ros, number):
    Floor.started.clear()
    bridge = ros.add(WorldBridge, make_floor, about_floor, world="floor")
    ros.configure(bridge)
    arguments = [sys.executable, "-m", "support.ros.walking_executor", "--ros-args"]
    arguments += ["-r", f"__ns:={ros.namespace}"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=python_environment()) as process:
        try:
            for transition in (Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE):
                eventually(lambda transition=transition: change(ros, transition, "executor"))
            ros.activate(bridge)
            client = ActionClient(ros.probe, ExecuteTask, "execute_task")
            eventually(client.server_is_ready)
            client.send_goal_async(ExecuteTask.Goal(text="hang"))
            assert Floor.started.wait(TO_NAME_THE_DEAD)
            last_output(process, number)
            eventually(lambda: bridge._skill is None, "the end of the skill")
            client.destroy()
        finally:
            process.kill()


@contextmanager
def stuck(ros, where: str) -> Iterator[subprocess.Popen[str]]:
    arguments = [sys.executable, "-m", "support.ros.stuck_node", where]
    arguments += ["--ros-args", "-p", "host.bridge:=''", "-r", f"__ns:={ros.namespace}"]
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=python_environment()) as process:
        try:
            yield process
        finally:
            process.kill()


def ask_to_wait(ros) -> list[Plan]:
    """Activates the thinker, and asks it for a plan; returns its plans, of which there is none, when it has begun."""
    for transition in (Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE):
        eventually(lambda transition=transition: change(ros, transition))
    heard, plans = ros.listen(topics.JOURNAL), ros.listen(topics.PLAN)
    ros.publisher(topics.PLAN_REQUEST)(PlanRequest(at=StepStamp(task_id="t"), task="wait"))
    eventually(lambda: heard)
    return plans


def last_output(process: subprocess.Popen[str], number: signal.Signals, status: int = 0) -> str:
    """Returns the output of a node from the signal to its end, which must be in time and with this status."""
    started = time.monotonic()
    process.send_signal(number)
    _, said = process.communicate(timeout=2 * TO_END)
    assert time.monotonic() - started < TO_END
    assert process.returncode == status
    return said


def change(ros, transition: int, node: str = "thinker") -> bool:
    request = ChangeState.Request(transition=Transition(id=transition))
    return bool(ros.ask(ChangeState, f"{node}/change_state", request).success)


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    """The real graph with the house world, and a client of it."""
    logs = tmp_path_factory.mktemp("logs")
    specs = bring_up(namespace="robot", world_settings={"width": 160, "height": 120})
    with NodeProcesses(specs, logs) as processes, TaskClient("robot") as client:
        client.wait_until_active(60.0)
        yield processes, client


def test_the_real_graph_starts_and_executes_a_task(graph):
    _, client = graph
    heard: list[str] = []
    result = client.execute("find the unicorn", 2, lambda topic, message: heard.append(topic), timeout=60.0)
    assert result.status == TaskStatus.FAILED
    assert {topics.TASK, topics.PLAN, topics.CRITIQUE, topics.OUTCOME, topics.TASK_RESULT} <= set(heard)


def test_a_node_that_cannot_start_is_named_with_the_cause(tmp_path):
    specs = bring_up(world="moon", start_deadline=30.0)
    with NodeProcesses(specs, tmp_path) as processes, TaskClient() as client:
        with pytest.raises(GraphError, match=r"sim_bridge could not be configured.*no world 'moon'"):
            client.wait_until_active(60.0)
        assert "moon" in processes.last_output("sim_bridge")


def test_a_node_that_dies_during_startup_is_named_at_once(tmp_path):
    with NodeProcesses(bring_up(), tmp_path) as processes, TaskClient() as client:
        eventually(lambda: catches(processes.pid("planner"), signal.SIGINT), "an interpreter that is up")
        os.kill(processes.pid("planner"), signal.SIGKILL)
        killed = time.monotonic()
        with pytest.raises(ProcessEndedError, match="planner ended with status -9; its log"):
            client.wait_until_active(60.0, check=processes.check)
        assert time.monotonic() - killed < TO_NAME_THE_DEAD


def test_process_end_reports_the_end_of_a_process_to_the_lifecycle_manager(ros):
    """The launch file runs this command."""
    manager = ros.add(LifecycleManager, node_names=["planner"], deadline=60.0)
    report = [sys.executable, "-m", "stma_ros.ros.process_end", ros.namespace, "planner", "1"]
    subprocess.run(report, check=True, timeout=30.0, cwd=Path(__file__).parents[2])
    eventually(lambda: "planner ended with status 1; see its log" in manager.missing)


def catches(pid: int, number: signal.Signals) -> bool:
    """Returns whether a process has installed its own handler for a signal."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    return bool(int(status["SigCgt"], 16) >> (number - 1) & 1)


def test_a_process_that_does_not_end_is_killed_and_logged(tmp_path):
    names = ("planner", RECORDER)
    with NodeProcesses([NodeSpec(name) for name in names], tmp_path) as processes:
        for pid in processes.pids:
            eventually(lambda pid=pid: catches(pid, SHOW_THREADS), "a node that is up")
        os.kill(processes.pid("planner"), SHOW_THREADS)
        eventually(lambda: "spin.py" in processes.log("planner").read_text(), "what its threads do")
        for pid in processes.pids:
            os.kill(pid, signal.SIGSTOP)
        started = time.monotonic()
    assert time.monotonic() - started < TO_END
    assert all("killed: it did not end" in processes.last_output(name) for name in names)


def test_closing_the_node_processes_leaves_no_process_running(tmp_path):
    specs = [NodeSpec("planner"), NodeSpec("critic")]
    with NodeProcesses(specs, tmp_path) as processes:
        pids = [processes.pid(spec.name) for spec in specs]
        assert processes.ended() == {}
        started = time.monotonic()
    assert time.monotonic() - started < TO_END
    assert not any(running(pid) for pid in pids)


def test_nodes_end_when_their_parent_process_is_killed(tmp_path):
    starter = subprocess.Popen(
        [sys.executable, "-c", _STARTER, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert starter.stdout is not None
    pid = int(starter.stdout.readline())
    starter.kill()
    starter.wait()
    eventually(lambda: not running(pid), "the end of the node")


_STARTER = """
import sys, time
from pathlib import Path
from stma_ros.agents.node_spec import NodeSpec
from stma_ros.ros.processes import NodeProcesses
with NodeProcesses([NodeSpec("planner")], Path(sys.argv[1])) as processes:
    print(processes.pid("planner"), flush=True)
    time.sleep(60)
"""


def test_node_arguments_pass_parameters_in_a_file_and_relative_names(tmp_path):
    spec = NodeSpec("planner", "/robot", {"rate": 2.0, "name": "it's"})
    arguments = ros_arguments(spec, tmp_path)
    file = tmp_path / "planner.yaml"
    assert yaml.safe_load(file.read_text()) == {"/**": {"ros__parameters": {"rate": 2.0, "name": "it's"}}}
    assert arguments[:5] == ["--ros-args", "-r", "__node:=planner", "--params-file", str(file)]
    assert "__ns:=/robot" in arguments
    assert "/clock:=clock" in arguments
