"""The actions ExecuteTask and ExecuteSkill, from a person's goal to the world and back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.parameter import Parameter

from stma_ros.action import ExecuteTask
from stma_ros.ros import managed_node, skill_client
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.conversions import from_msg
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.srv import Reset
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Result, TaskResult, TaskStatus
from support.ros.small_graph import WALKERS, Floor, about_floor, make_floor
from support.ros.waiting import eventually


class Client:
    """Sends tasks as a person would."""

    def __init__(self, ros: Any) -> None:
        self.ros = ros
        self.feedback: list[Any] = []
        self.client = ActionClient(ros.probe, ExecuteTask, "execute_task")
        eventually(self.client.server_is_ready)

    def send(self, text: str) -> Any:
        goal = ExecuteTask.Goal(text=text, max_commands=7)
        sent = self.client.send_goal_async(
            goal, feedback_callback=lambda msg: self.feedback.append(msg.feedback)
        )
        return self.ros.result(sent)

    def end(self, goal: Any) -> tuple[int, TaskResult]:
        answer = self.ros.result(goal.get_result_async())
        return answer.status, from_msg(answer.result.result, TaskResult)


@pytest.fixture
def graph(ros):
    Floor.started.clear()
    Floor.let_go.clear()
    Floor.seeds.clear()
    bridge = ros.add(WorldBridge, make_floor, about_floor, world="floor", seed=5)
    executor = ros.add(ExecutorHost, WALKERS)
    ros.up(executor, bridge)
    yield executor, bridge
    Floor.let_go.set()


@pytest.fixture
def client(ros, graph):
    client = Client(ros)
    yield client
    client.client.destroy()


def test_a_task_is_executed_to_its_end(ros, client):
    heard = {
        topic: ros.listen(topic)
        for topic in (topics.TASK, topics.SKILL_REQUEST, topics.OUTCOME, topics.ODOMETRY)
    }
    for number in (1, 2):
        status, result = client.end(client.send("walk"))
        assert (status, result.status) == (GoalStatus.STATUS_SUCCEEDED, TaskStatus.SUCCEEDED)
        assert re.fullmatch(rf"task_[0-9a-f]{{8}}_{number}", result.task_id)
    eventually(
        lambda: all(len(heard[topic]) == 2 for topic in (topics.TASK, topics.SKILL_REQUEST, topics.OUTCOME))
    )
    assert [task.text for task in heard[topics.TASK]] == ["walk", "walk"]
    assert heard[topics.TASK][0].max_commands == 7
    eventually(lambda: len(heard[topics.ODOMETRY]) == 8)
    assert [(f.step, f.action.skill) for f in client.feedback] == [(1, "walk"), (1, "walk")]


def test_the_action_of_an_unverified_task_is_aborted_and_its_result_says_so(client):
    status, result = client.end(client.send("doubt"))
    assert (status, result.status) == (GoalStatus.STATUS_ABORTED, TaskStatus.UNVERIFIED)
    assert not result.error


def test_a_second_task_is_refused_with_the_name_of_the_first(client):
    first = client.send("hang")
    assert Floor.started.wait(10)
    status, result = client.end(client.send("walk"))
    assert (status, result.status, result.error.code) == (
        GoalStatus.STATUS_ABORTED,
        TaskStatus.ERROR,
        ErrorCode.BUSY,
    )
    assert re.search(r"task_\w+_1 \('hang'\) is running", result.text)
    client.ros.result(first.cancel_goal_async())
    assert client.end(first)[1].status == TaskStatus.CANCELED


def test_too_long_a_task_is_refused_with_cause_and_remedy_before_it_becomes_a_message(ros, client):
    tasks = ros.listen(topics.TASK)
    status, result = client.end(client.send("find the mug and " * 3000))
    assert (status, result.status, result.error.code) == (
        GoalStatus.STATUS_ABORTED,
        TaskStatus.ERROR,
        ErrorCode.TASK_NOT_UNDERSTOOD,
    )
    assert "has 51000 characters, and at most 2000 are read: say it in fewer words" in result.text
    assert client.end(client.send("walk"))[1].status == TaskStatus.SUCCEEDED
    eventually(lambda: tasks)
    assert [task.text for task in tasks] == ["walk"]


def test_a_skill_fails_with_the_name_of_the_bridge_when_that_is_deactivated(ros, graph, client):
    _, bridge = graph
    goal = client.send("hang")
    assert Floor.started.wait(10)
    ros.run(bridge.trigger_deactivate)
    _, result = client.end(goal)
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.NOT_ACTIVE)
    assert result.text == "sim_bridge was deactivated; activate it again, or call lifecycle_manager/startup"


def test_canceling_a_task_stops_the_skill(ros, client):
    cancels = ros.listen(topics.CANCEL)
    goal = client.send("hang")
    assert Floor.started.wait(10)
    ros.result(goal.cancel_goal_async())
    status, result = client.end(goal)
    assert (status, result.status) == (GoalStatus.STATUS_CANCELED, TaskStatus.CANCELED)
    eventually(lambda: cancels)
    assert cancels[0].task_id == result.task_id
    assert client.end(client.send("walk"))[1].text == ""


def test_a_cancel_before_the_skill_starts_prevents_the_skill(ros, client):
    goal = client.send("hang")
    ros.result(goal.cancel_goal_async())
    assert client.end(goal)[1].status == TaskStatus.CANCELED


def test_an_inactive_executor_refuses_tasks(ros, graph, client):
    ros.run(graph[0].trigger_deactivate)
    status, result = client.end(client.send("walk"))
    assert (status, result.error.code) == (GoalStatus.STATUS_ABORTED, ErrorCode.NOT_ACTIVE)
    assert "lifecycle_manager/startup" in result.text


def test_deactivating_the_executor_ends_the_running_task(ros, graph, client):
    goal = client.send("hang")
    assert Floor.started.wait(10)
    ros.run(graph[0].trigger_deactivate)
    status, result = client.end(goal)
    assert (status, result.status, result.error.code) == (
        GoalStatus.STATUS_ABORTED,
        TaskStatus.ERROR,
        ErrorCode.NOT_ACTIVE,
    )


def test_component_hears_after_the_deactivation_that_its_task_has_failed(ros, graph, client):
    """Otherwise it would believe that the task still runs, and refuse all others."""
    goal = client.send("hang")
    assert Floor.started.wait(10)
    ros.run(graph[0].trigger_deactivate)
    _, ended = client.end(goal)
    results = ros.listen(topics.TASK_RESULT)
    ros.activate(graph[0])
    eventually(lambda: [result for result in results if result.task_id == ended.task_id])
    assert results[0].error.code == ErrorCode.NOT_ACTIVE
    assert client.end(client.send("walk"))[1].status == TaskStatus.SUCCEEDED


@pytest.mark.parametrize(("skill", "cause"), [("break", "engine on fire"), ("vanish", "without an outcome")])
def test_an_exception_of_the_world_becomes_a_failed_outcome(client, skill, cause):
    _, result = client.end(client.send(skill))
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.WORLD_FAILED)
    assert cause in result.text
    assert client.end(client.send("walk"))[1].text == ""


def test_a_failing_engine_is_a_fault_of_the_bridge(ros, client):
    faults = ros.listen(topics.FAULT)
    client.end(client.send("break"))
    eventually(lambda: faults)
    assert (faults[0].node, faults[0].fatal) == ("sim_bridge", False)


def test_an_inactive_bridge_executes_no_skill(ros, graph, client):
    ros.run(graph[1].trigger_deactivate)
    _, result = client.end(client.send("walk"))
    assert result.error.code == ErrorCode.NOT_ACTIVE
    assert "sim_bridge" in result.text


def test_a_task_ends_when_the_executor_component_raises_on_a_fault(ros, graph, client):
    goal = client.send("stumble")
    assert Floor.started.wait(10)
    graph[0].report(RuntimeError("something else"), fatal=True)
    _, result = client.end(goal)
    assert (result.status, result.error.code) == (TaskStatus.ERROR, ErrorCode.NODE_FAILED)
    assert "stumbled" in result.text


# -- the end of a task ends its skills


def test_a_deadline_stops_the_skill_and_the_next_task_succeeds(ros, client):
    outcomes = ros.listen(topics.OUTCOME)
    assert client.end(client.send("dawdle"))[1].error.code == ErrorCode.DEADLINE_EXPIRED
    assert client.end(client.send("walk"))[1].status == TaskStatus.SUCCEEDED
    eventually(lambda: len(outcomes) == 2)
    assert [outcome.result for outcome in outcomes] == [Result.CANCELED, Result.SUCCEEDED]


@pytest.mark.parametrize("skill", ["hang", "stumble"])
def test_a_fault_stops_the_skill_and_the_next_task_succeeds(ros, graph, client, skill):
    goal = client.send(skill)
    assert Floor.started.wait(10)
    graph[0].report(RuntimeError("something else"), fatal=True)
    assert client.end(goal)[1].status == TaskStatus.ERROR
    assert client.end(client.send("walk"))[1].status == TaskStatus.SUCCEEDED


def test_diagnostics_of_the_executor_warn_of_a_dead_bridge(ros, graph, monkeypatch):
    monkeypatch.setattr(managed_node, "SHOWN_FOR", 0.0)
    executor, bridge = graph
    ros.remove(bridge)
    assert eventually(lambda: executor._health().warning).startswith("sim_bridge died")


def test_executor_watches_the_bridge_that_it_is_configured_with(ros):
    ros.add(WorldBridge, make_floor, about_floor, world="floor")
    executor = ros.add(ExecutorHost, WALKERS, host__bridge="other_bridge")
    ros.configure(executor)
    eventually(lambda: "other_bridge shows no sign of life yet" in ros.run(executor.waiting_for))
    ros.run(executor.trigger_cleanup)
    ros.run(executor.set_parameters, [Parameter("host.bridge", value="sim_bridge")])
    ros.configure(executor)
    eventually(lambda: not [text for text in ros.run(executor.waiting_for) if "sign of life" in text])


def test_executor_without_a_bridge_refuses_to_be_configured(ros):
    executor = ros.add(ExecutorHost, WALKERS, host__bridge="")
    assert ros.run(executor.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert "name its bridge in the parameter host.bridge" in executor._last_error


@pytest.fixture
def clinging(graph, client):
    """A task has ended, but the world has not yet released its skill."""
    goal = client.send("cling")
    assert Floor.started.wait(10)
    graph[0].report(RuntimeError("something else"), fatal=True)
    client.end(goal)


def test_the_next_skill_waits_until_the_cancelled_one_has_ended(ros, client, clinging):
    requests, outcomes = ros.listen(topics.SKILL_REQUEST), ros.listen(topics.OUTCOME)
    goal = client.send("walk")
    eventually(lambda: len(requests) == 2)
    assert outcomes == []
    Floor.let_go.set()
    assert client.end(goal)[1].status == TaskStatus.SUCCEEDED
    eventually(lambda: len(outcomes) == 2)
    assert [outcome.task_id for outcome in outcomes] == [request.task_id for request in requests]


def test_a_cancelled_skill_that_never_ends_is_reported(client, clinging, monkeypatch):
    monkeypatch.setattr(skill_client, "_TO_STOP", 0.1)
    _, result = client.end(client.send("walk"))
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.WORLD_FAILED)
    assert "sim_bridge has not ended the canceled cling() within 0.1 s" in result.text
    Floor.let_go.set()
    assert client.end(client.send("walk"))[1].status == TaskStatus.SUCCEEDED


def test_a_task_can_be_cancelled_while_its_skill_waits(ros, client, clinging):
    requests = ros.listen(topics.SKILL_REQUEST)
    goal = client.send("walk")
    eventually(lambda: len(requests) == 2)
    ros.result(goal.cancel_goal_async())
    assert client.end(goal)[1].status == TaskStatus.CANCELED


def test_task_ids_are_unique_across_executor_components_and_processes(ros, graph, client):
    """The other components go on and would ignore a reused id as a duplicate."""
    executor, bridge = graph
    first = client.end(client.send("walk"))[1].task_id
    ros.run(executor.trigger_deactivate)
    ros.run(executor.trigger_cleanup)
    ros.up(executor)
    second = client.end(client.send("walk"))[1].task_id
    ros.remove(executor)
    ros.run(bridge.trigger_deactivate)
    ros.configure(executor := ros.add(ExecutorHost, WALKERS))
    ros.activate(executor, bridge)
    eventually(lambda: client.client.server_is_ready())
    third = client.end(client.send("walk"))[1].task_id
    assert len({first, second, third}) == 3


def test_the_offered_skills_reach_late_subscribers(ros, graph):
    skills = ros.listen(topics.SKILLS)
    eventually(lambda: skills)
    assert [schema.name for schema in skills[0].skills] == ["walk"]


# -- the world


def reset(ros: Any, scene: str, seed: int) -> Any:
    return ros.ask(Reset, "reset", Reset.Request(scene=scene, seed=seed))


def test_the_bridge_resets_the_world_at_start_and_by_service(ros, graph):
    assert Floor.seeds == [5]
    answer = reset(ros, "hall", 9)
    assert (answer.success, answer.scene) == (True, "hall")
    assert Floor.seeds == [5, 9]


def test_reset_service_refuses_an_unknown_scene_by_name(ros, graph):
    answer = reset(ros, "nowhere", 9)
    assert not answer.success
    assert "nowhere" in answer.error.text


def test_reset_service_refuses_to_reset_the_world_during_a_skill(ros, client):
    goal = client.send("hang")
    assert Floor.started.wait(10)
    assert reset(ros, "", 9).error.code == ErrorCode.BUSY
    ros.result(goal.cancel_goal_async())
    client.end(goal)


def test_reset_service_refuses_to_reset_a_world_that_components_may_remember(ros, graph, client):
    client.end(client.send("walk"))
    answer = reset(ros, "", 9)
    assert (answer.success, answer.error.code) == (False, ErrorCode.BUSY)
    assert "lifecycle_manager/reset" in answer.error.text
    assert Floor.seeds == [5]
    for transition in ("deactivate", "cleanup"):
        for node in graph:
            ros.run(getattr(node, f"trigger_{transition}"))
    ros.up(*graph)
    assert reset(ros, "", 9).success
    assert Floor.seeds == [5, -1, 5, 9]


def test_the_bridge_closes_the_world_at_cleanup(ros, graph):
    bridge = graph[1]
    ros.run(bridge.trigger_deactivate)
    ros.run(bridge.trigger_cleanup)
    eventually(lambda: Floor.seeds == [5, -1])


@pytest.mark.parametrize(
    ("parameters", "cause"),
    [
        ({"world": "moon"}, "there is no world 'moon'"),
        ({"world": "floor", "world__length": -1.0}, "length"),
        ({"world": "floor", "world__lenght": 1.0}, "Did you mean 'world.length'?"),
        ({"world": "floor", "scene": "nowhere"}, "there is no scene 'nowhere'"),
    ],
)
def test_an_invalid_world_fails_the_configuration_of_the_bridge(ros, parameters, cause):
    bridge = ros.add(WorldBridge, make_floor, about_floor, **parameters)
    assert ros.run(bridge.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert cause in bridge._last_error
