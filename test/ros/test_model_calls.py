"""A node answers requests while its role waits for a model, and its calls end when they are no longer needed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from lifecycle_msgs.srv import GetState
from rcl_interfaces.srv import GetParameters
from rclpy.lifecycle import TransitionCallbackReturn
from rclpy.parameter import Parameter

from stma_ros.agents.registry import AGENTS, DEFAULT_PRESET, AgentRegistry
from stma_ros.ros.host import ComponentHost
from stma_ros.testing.model_server.misbehaviour import Misbehaviour
from stma_ros.testing.model_server.server import ModelServer, ServerOptions, serving
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.control import Cancel
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, PlanRequest, TaskResult, TaskStatus
from stma_ros.types.stepped import StepStamp
from stma_ros.types.vocabulary import SKILL_COMMAND
from stma_ros.worlds.registry import world_entry
from support.ros.waiting import eventually

AT_ONCE = 0.2  # [s] in which a node answers while its model thinks
SOON = 0.5  # [s] in which a call ends
THINKS = 30.0  # [s]

TASK = "You are hungry! Let's cook a delicious meal. Check the cookbook in the kitchen for the recipe."
LOOK = Action(SKILL_COMMAND, ("go east",))


@pytest.fixture
def slow_server() -> Iterator[ModelServer]:
    with serving(options=ServerOptions(misbehaviour=Misbehaviour(slow=1.0, seconds=THINKS))) as server:
        yield server


def planner(ros: Any, url: str, **settings: Any) -> ComponentHost:
    matched = AGENTS.match(offer=world_entry("textworld").offer)
    components = {"planner": matched.wiring.components["planner"]}
    alone = replace(matched.wiring, components=components, world_outputs=())
    presets = {DEFAULT_PRESET: matched.agent.presets[DEFAULT_PRESET]}
    agents = AgentRegistry([replace(matched.agent, wirings=(alone,), presets=presets)])
    belonging = {
        "host__agent": DEFAULT_PRESET,
        "host__wiring": alone.name,
        "host__domain": matched.domain.name,
    }
    parameters = {"model__planner": f"openai:rules@{url}", "model__on_failure": "fail", **settings}
    node = ros.add(ComponentHost, "planner", agents, **belonging, host__bridge="", **parameters)
    ros.up(node)
    return node


def ask(ros: Any, task_id: str = "t") -> None:
    at = StepStamp(task_id=task_id, step=0)
    ros.publisher(topics.TEMPORAL_BELIEF)(TemporalBelief(at=at, text="Task: cook. Done: nothing yet."))
    ros.publisher(topics.SPATIAL_BELIEF)(SpatialBelief(at=at, text="Where the robot is, is not known."))
    ros.publisher(topics.PLAN_REQUEST)(PlanRequest(at=at, task=TASK, allowed_actions=(LOOK,)))


@pytest.fixture
def thinking(ros: Any, slow_server: ModelServer) -> ComponentHost:
    """A planner during a model call."""
    node = planner(ros, slow_server.url)
    ask(ros)
    eventually(lambda: slow_server.pending, "a call")
    return node


def test_a_key_in_a_model_parameter_is_refused_and_neither_stored_nor_shown(ros):
    key = "sk_live_4f9c2b7e"
    spec = f"openai:m@http://127.0.0.1:9/v1#{key}"
    agents = AGENTS.match(offer=world_entry("textworld").offer)
    belonging = {"host__agent": DEFAULT_PRESET, "host__wiring": agents.wiring.name}
    domain = {"host__domain": agents.domain.name, "host__bridge": ""}
    node = ros.add(ComponentHost, "planner", AGENTS, **belonging, **domain, model__planner=spec)
    assert ros.run(node.trigger_configure) == TransitionCallbackReturn.FAILURE
    assert "model.planner: what follows # is not the name of an environment variable" in node._last_error
    (result,) = ros.run(node.set_parameters, [Parameter("model.critic", value=spec)])
    assert not result.successful
    held = [str(parameter.value) for parameter in node.get_parameters_by_prefix("").values()]
    assert key not in " ".join([node._last_error, result.reason, *held])


def test_services_are_answered_during_a_model_call(ros, slow_server, thinking):
    parameters = ros.probe.create_client(GetParameters, "planner/get_parameters")
    state = ros.probe.create_client(GetState, "planner/get_state")
    eventually(lambda: parameters.service_is_ready() and state.service_is_ready())
    for _ in range(5):
        for client, request in (
            (parameters, GetParameters.Request(names=["model.deadline"])),
            (state, GetState.Request()),
        ):
            asked = time.monotonic()
            ros.result(client.call_async(request))
            assert time.monotonic() - asked < AT_ONCE
    assert slow_server.pending == 1


def test_cancelling_a_task_closes_the_connection_of_its_model_call(ros, slow_server, thinking):
    plans = ros.listen(topics.PLAN)
    cancel = ros.publisher(topics.CANCEL)
    began = time.monotonic()
    cancel(Cancel(task_id="t", reason="the user"))
    eventually(lambda: plans, patience=SOON)
    eventually(lambda: not slow_server.pending, "the connection's end", patience=SOON)
    assert time.monotonic() - began < SOON
    assert plans[0].error.code == ErrorCode.MODEL_DEADLINE
    assert "canceled" in plans[0].error.text


def test_a_cancel_without_a_task_id_ends_the_model_call(ros, slow_server, thinking):
    ros.publisher(topics.CANCEL)(Cancel(reason="the user"))
    eventually(lambda: not slow_server.pending, "the connection's end", patience=SOON)


def test_cancelling_another_task_does_not_end_the_model_call(ros, slow_server, thinking):
    ros.publisher(topics.CANCEL)(Cancel(task_id="other"))
    ros.publisher(topics.CANCEL)(Cancel(task_id="t"))
    eventually(lambda: not slow_server.pending)


def test_the_end_of_a_task_ends_its_model_calls(ros, slow_server, thinking):
    result = TaskResult(task_id="t", status=TaskStatus.ERROR, error=Error(ErrorCode.DEADLINE_EXPIRED, "late"))
    ros.publisher(topics.TASK_RESULT)(result)
    eventually(lambda: not slow_server.pending, patience=SOON)


def test_a_node_can_be_deactivated_during_a_model_call(ros, slow_server, thinking):
    began = time.monotonic()
    assert ros.run(thinking.trigger_deactivate) == TransitionCallbackReturn.SUCCESS
    assert time.monotonic() - began < AT_ONCE
    eventually(lambda: not slow_server.pending, patience=SOON)
    assert ros.run(thinking.trigger_cleanup) == TransitionCallbackReturn.SUCCESS


def test_diagnostics_warn_of_an_unreachable_server_until_it_is_back(ros):
    with serving() as server:
        url, port = server.url, server.port
    statuses: list[DiagnosticStatus] = []
    ros.probe.create_subscription(
        DiagnosticArray,
        "/diagnostics",
        lambda msg: statuses.extend(s for s in msg.status if "planner" in s.name),
        10,
    )
    node = planner(ros, url, model__attempts=1)
    calls = ros.listen(topics.MODEL_CALL)
    ask(ros)
    eventually(lambda: calls)
    assert calls[0].error.code == ErrorCode.MODEL_UNREACHABLE
    eventually(lambda: [s for s in statuses if s.level == DiagnosticStatus.WARN and url in s.message])
    with serving(port):
        ask(ros, "next")
        eventually(lambda: len(calls) > 1 and not calls[-1].error)
        statuses.clear()
        eventually(lambda: [s for s in statuses if s.level == DiagnosticStatus.OK])
    assert node.activation is not None
