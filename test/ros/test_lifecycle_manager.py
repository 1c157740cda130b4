from __future__ import annotations

import time
from typing import Any

import pytest
from rclpy.action import ActionClient
from rclpy.lifecycle import LifecycleNode
from std_srvs.srv import Trigger

from stma_ros.action import ExecuteTask
from stma_ros.ros.bridge import WorldBridge
from stma_ros.ros.conversions import from_msg
from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.lifecycle_manager import LifecycleManager
from stma_ros.ros.process_end import report_end
from stma_ros.types import topics
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import TaskResult, TaskStatus
from support.ros.small_graph import WALKERS, Floor, about_floor, make_floor
from support.ros.waiting import eventually

NODES = ["executor", "sim_bridge"]


def call(ros: Any, name: str) -> Any:
    return ros.ask(Trigger, f"lifecycle_manager/{name}", Trigger.Request())


def start(ros: Any, **parameters: Any) -> LifecycleManager:
    return ros.add(LifecycleManager, node_names=NODES, **parameters)


@pytest.fixture
def nodes(ros):
    Floor.seeds.clear()
    executor = ros.add(ExecutorHost, WALKERS)
    bridge = ros.add(WorldBridge, make_floor, about_floor, world="floor")
    return executor, bridge


class Mute(LifecycleNode):
    """A managed node without a heartbeat."""

    def close(self, timeout: float) -> bool:
        return True


def active(node: LifecycleNode) -> bool:
    return node.activation is not None


def test_lifecycle_manager_activates_all_nodes_at_its_start(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    assert all(active(node) for node in nodes)


def test_lifecycle_manager_without_autostart_waits_for_a_request(ros, nodes):
    start(ros, autostart=False)
    answer = call(ros, "is_active")
    assert not answer.success
    assert "startup" in answer.message
    assert call(ros, "startup").success
    assert all(active(node) for node in nodes)


def test_a_node_that_does_not_start_is_named(ros):
    ros.add(ExecutorHost, WALKERS)
    start(ros, deadline=1.0)
    answer = eventually(lambda: (a := call(ros, "is_active")) and "within 1 s" in a.message and a)
    assert "sim_bridge did not start" in answer.message


def test_startup_waits_for_a_node_without_a_heartbeat(ros):
    """Without a heartbeat the death of the node could not be detected."""
    ros.add(ExecutorHost, WALKERS)
    ros.house(Mute, "sim_bridge")
    start(ros, deadline=1.5)
    answer = eventually(lambda: (a := call(ros, "is_active")) and "within 1.5 s" in a.message and a)
    assert "sim_bridge did not start" in answer.message


def test_startup_ends_when_the_end_of_a_process_is_reported(ros, nodes):
    """The starter of the process reports it: the manager cannot miss a node that it never saw alive."""
    ros.add(LifecycleManager, node_names=[*NODES, "planner"], deadline=60.0)
    faults = ros.listen(topics.FAULT)
    assert report_end("planner", 1, ros.namespace)
    answer = eventually(lambda: (a := call(ros, "is_active")) and "ended with status 1" in a.message and a)
    assert not answer.success
    eventually(lambda: "planner ended with status 1" in [fault.error.text for fault in faults])


def test_a_second_lifecycle_manager_in_a_namespace_refuses_to_start(ros, nodes):
    first = start(ros)
    eventually(lambda: call(ros, "is_active").success)
    before = [node.activation for node in nodes]
    second = ros.add(LifecycleManager, node_names=[*NODES, "planner"])
    missing = "another lifecycle_manager is running"
    eventually(lambda: missing in second.missing)
    assert ros.namespace in second.missing
    assert not first.missing
    assert [node.activation for node in nodes] == before


def test_lifecycle_manager_reports_periodically_which_nodes_it_waits_for(ros, monkeypatch):
    monkeypatch.setattr("stma_ros.ros.lifecycle_manager.REPORT_PERIOD", 0.2)
    lines = []
    monkeypatch.setattr(LifecycleManager, "tell", lambda _, text: lines.append(text))
    ros.add(ExecutorHost, WALKERS)
    start(ros, deadline=60.0)
    eventually(lambda: len(lines) > 2)
    assert all("sim_bridge has not started" in text for text in lines[-2:])
    bridge = ros.add(WorldBridge, make_floor, about_floor, world="floor", recorder="scribe")
    assert "scribe not yet reading" in eventually(lambda: lines[-1] if "scribe" in lines[-1] else "")
    assert "waiting for sim_bridge to become active" in lines[-1]
    assert not active(bridge)


def test_a_node_that_cannot_be_configured_is_named_with_the_cause(ros):
    ros.add(ExecutorHost, WALKERS)
    ros.add(WorldBridge, make_floor, about_floor, world="moon")
    start(ros)
    answer = eventually(lambda: (a := call(ros, "is_active")) and "could not be" in a.message and a)
    assert "sim_bridge could not be configured: configure: there is no world 'moon'" in answer.message


def test_a_node_with_missing_peers_is_named_with_the_peers(ros):
    ros.add(ExecutorHost, WALKERS, host__recorder="scribe")
    ros.add(WorldBridge, make_floor, about_floor, world="floor")
    start(ros, deadline=1.5)
    answer = eventually(lambda: (a := call(ros, "is_active")) and "within 1.5 s" in a.message and a)
    assert "executor did not become active" in answer.message
    assert "scribe not yet reading" in answer.message


def test_reset_makes_new_components(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    first = [node.activation for node in nodes]
    assert call(ros, "reset").success
    assert all(active(node) for node in nodes)
    assert [node.activation for node in nodes] != first
    assert Floor.seeds.count(-1) == 1  # the first world was closed


def test_surviving_nodes_wait_again_for_the_endpoints_of_restarted_ones(ros, nodes):
    manager = start(ros)
    eventually(lambda: call(ros, "is_active").success)
    executor, bridge = nodes
    before = bridge.activation
    ros.remove(manager)
    ros.remove(executor)
    executor = ros.add(ExecutorHost, WALKERS)
    start(ros)
    eventually(lambda: active(executor) and call(ros, "is_active").success)
    assert bridge.activation == before + 1


def test_startup_leaves_an_active_graph_unchanged(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    before = [node.activation for node in nodes]
    assert call(ros, "startup").success
    assert [node.activation for node in nodes] == before


def test_shutdown_deactivates_and_cleans_up_every_node(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    assert call(ros, "shutdown").success
    assert not any(active(node) for node in nodes)
    assert not call(ros, "is_active").success


def test_startup_after_a_shutdown_names_a_node_whose_process_must_be_restarted(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    assert call(ros, "shutdown").success
    answer = call(ros, "startup")
    assert not answer.success
    assert answer.message.startswith("executor was shut down for good: restart its process")
    for node in nodes:
        ros.remove(node)
    ros.add(ExecutorHost, WALKERS)
    ros.add(WorldBridge, make_floor, about_floor, world="floor")
    eventually(lambda: call(ros, "startup").success)


def test_shutdown_reaches_the_living_nodes_though_one_has_died(ros, nodes, monkeypatch):
    monkeypatch.setattr("stma_ros.ros.lifecycle_manager._RETRY", 0.001)  # so that no answer comes at once
    executor, bridge = nodes
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    ros.remove(bridge)
    eventually(lambda: not call(ros, "is_active").success)
    answer = call(ros, "shutdown")
    assert (answer.success, answer.message) == (True, "shut down")
    assert not active(executor)


def test_lifecycle_manager_names_an_externally_deactivated_node_until_it_is_active_again(ros, nodes):
    executor, bridge = nodes
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    faults = ros.listen(topics.FAULT)
    ros.run(bridge.trigger_deactivate)
    answer = eventually(lambda: not (a := call(ros, "is_active")).success and a)
    assert (
        answer.message == "sim_bridge was deactivated; activate it again, or call lifecycle_manager/startup"
    )
    fault = eventually(lambda: faults and faults[0])
    assert (fault.node, fault.fatal, fault.error.code) == ("sim_bridge", True, ErrorCode.NOT_ACTIVE)
    ros.run(executor.trigger_deactivate)
    ros.activate(bridge)
    eventually(lambda: active(bridge))
    assert not call(ros, "is_active").success, "the executor is not active yet"
    ros.activate(executor)
    eventually(lambda: call(ros, "is_active").success)


def test_startup_activates_an_externally_deactivated_node(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    ros.run(nodes[1].trigger_deactivate)
    eventually(lambda: not call(ros, "is_active").success)
    assert call(ros, "startup").success
    assert all(active(node) for node in nodes)
    assert call(ros, "is_active").success


def test_lifecycle_manager_names_an_externally_cleaned_up_node(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    ros.run(nodes[1].trigger_deactivate)
    ros.run(nodes[1].trigger_cleanup)
    answer = eventually(lambda: not (a := call(ros, "is_active")).success and a)
    assert "sim_bridge was deactivated" in answer.message


def test_a_running_task_ends_with_the_name_of_a_deactivated_node(ros, nodes):
    Floor.started.clear()
    Floor.let_go.clear()
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    client = ActionClient(ros.probe, ExecuteTask, "execute_task")
    eventually(client.server_is_ready)
    goal = ros.result(client.send_goal_async(ExecuteTask.Goal(text="cling")))
    assert Floor.started.wait(10)
    begun = time.monotonic()
    ros.run(nodes[1].trigger_deactivate)
    result = from_msg(ros.result(goal.get_result_async()).result.result, TaskResult)
    Floor.let_go.set()
    client.destroy()
    assert time.monotonic() - begun < 10
    assert (result.status, result.error.code) == (TaskStatus.ERROR, ErrorCode.NOT_ACTIVE)
    assert "sim_bridge was deactivated; activate it again" in result.text


def test_the_death_of_a_node_is_a_fatal_fault_with_its_name(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    faults = ros.listen(topics.FAULT)
    bridge = nodes[1]
    ros.remove(bridge)
    eventually(lambda: faults)
    by_manager = eventually(lambda: [fault for fault in faults if fault.error.code == ErrorCode.NODE_DIED])
    assert {fault.node for fault in by_manager} == {"sim_bridge"}
    assert all(fault.fatal for fault in by_manager)
    answer = eventually(lambda: not (a := call(ros, "is_active")).success and a)
    assert "sim_bridge died" in answer.message


def test_reset_activates_the_graph_again_after_a_dead_node_was_restarted(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    ros.remove(nodes[1])
    eventually(lambda: not call(ros, "is_active").success)
    ros.add(WorldBridge, make_floor, about_floor, world="floor")
    answer = call(ros, "reset")
    assert answer.success, answer.message
    assert call(ros, "is_active").success


def test_reset_is_refused_with_the_name_of_a_node_that_is_still_dead(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    ros.remove(nodes[1])
    eventually(lambda: not call(ros, "is_active").success)
    answer = call(ros, "reset")
    assert not answer.success
    assert "sim_bridge died and has not come back" in answer.message


def test_a_node_that_is_started_again_before_its_death_is_noticed_is_named(ros, nodes):
    start(ros)
    eventually(lambda: call(ros, "is_active").success)
    faults = ros.listen(topics.FAULT)
    ros.remove(nodes[1])
    bridge = ros.add(WorldBridge, make_floor, about_floor, world="floor")
    answer = eventually(lambda: not (a := call(ros, "is_active")).success and a)
    assert answer.message == "sim_bridge died and was started again; call lifecycle_manager/startup"
    fault = eventually(lambda: next((each for each in faults if each.node == "sim_bridge"), None))
    assert (fault.fatal, fault.error.code) == (True, ErrorCode.NODE_DIED)
    assert call(ros, "startup").success
    assert active(bridge)
    assert call(ros, "is_active").success


def test_a_node_that_comes_back_before_its_death_is_reported_is_brought_back(ros, nodes):
    """It is the executor: the death of the bridge would be reported by the executor too, where the discovery of the new
    bridge takes longer than the lease."""
    manager = start(ros, respawned_names=["executor"])
    eventually(lambda: call(ros, "is_active").success)
    faults = ros.listen(topics.FAULT)
    ros.remove(nodes[0])
    executor = ros.add(ExecutorHost, WALKERS)
    eventually(lambda: active(executor) and call(ros, "is_active").success)
    assert report_end("executor", -9, ros.namespace, again=True)
    eventually(lambda: [each for each in faults if "ended with status" in each.error.text])
    assert not any(each.fatal for each in faults)
    assert not manager.missing


def test_a_deactivation_while_another_node_is_brought_back_is_noticed(ros, nodes, monkeypatch):
    executor, bridge = nodes
    manager = start(ros, respawned_names=["sim_bridge"])
    eventually(lambda: call(ros, "is_active").success)
    bring_back = LifecycleManager._bring_back

    def deactivate_another(self: LifecycleManager, name: str) -> None:
        ros.run(executor.trigger_deactivate)
        bring_back(self, name)

    monkeypatch.setattr(LifecycleManager, "_bring_back", deactivate_another)
    ros.remove(bridge)
    ros.add(WorldBridge, make_floor, about_floor, world="floor")
    eventually(lambda: "executor was deactivated" in manager.missing)


def test_a_node_that_comes_back_but_does_not_answer_is_named_with_the_time_it_had(ros, nodes, monkeypatch):
    monkeypatch.setattr("stma_ros.ros.lifecycle_manager._RETURN", 0.5)
    manager = start(ros, respawned_names=["sim_bridge"])
    eventually(lambda: call(ros, "is_active").success)
    ros.remove(nodes[1])
    eventually(lambda: "has not come back" in manager.missing)
    assert "within 0.5 s (sim_bridge did not answer within 0.5 s" in manager.missing
