"""Requests to a bridge whose answers the tests give."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from rclpy.task import Future

from stma_ros.ros import skill_client
from stma_ros.ros.conversions import to_msg
from stma_ros.ros.skill_client import SkillClient
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest
from stma_ros.types.standard import Header

REQUEST = SkillRequest(
    request_id="task_1/3", task_id="task_1", step=3, action=Action("navigate", ("sofa_1",))
)


class Goal:
    """A goal that the bridge has accepted."""

    accepted = True

    def __init__(self) -> None:
        self.cancels = 0
        self.answer: Future[Any] = Future()

    def cancel_goal_async(self) -> None:
        self.cancels += 1

    def get_result_async(self) -> Future[Any]:
        return self.answer


class Bridge:
    """Takes the place of rclpy's client of the action."""

    def __init__(self, *_: Any) -> None:
        self.answers: list[Future[Any]] = []

    def send_goal_async(self, goal: Any) -> Future[Any]:
        self.answers.append(Future())
        return self.answers[-1]


class Host:
    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def inject(self, topic: str, message: Outcome) -> None:
        self.outcomes.append(message)

    def header(self) -> Header:
        return Header()


@pytest.fixture
def bridge(monkeypatch: pytest.MonkeyPatch) -> Bridge:
    bridge = Bridge()
    monkeypatch.setattr(skill_client, "ActionClient", lambda *_: bridge)
    return bridge


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def client(host: Host, bridge: Bridge) -> SkillClient:
    client = SkillClient(host, "my_bridge")  # type: ignore[arg-type]
    client.execute(REQUEST)
    return client


def test_a_running_skill_is_canceled_when_the_bridge_gives_no_sign_of_life(client, host, bridge):
    goal = Goal()
    bridge.answers[0].set_result(goal)
    client.fail("my_bridge died")
    assert goal.cancels == 1
    assert [outcome.result for outcome in host.outcomes] == [Result.FAILED]


def test_a_skill_that_is_accepted_after_its_request_has_failed_is_canceled(client, host, bridge):
    client.fail("my_bridge died")
    goal = Goal()
    bridge.answers[0].set_result(goal)
    assert goal.cancels == 1
    assert len(host.outcomes) == 1


def test_a_rejected_skill_fails_with_the_place_of_its_cause(client, host, bridge):
    bridge.answers[0].set_result(SimpleNamespace(accepted=False))
    (outcome,) = host.outcomes
    assert outcome.error.text == (
        "my_bridge rejected navigate(sofa_1): its log may say why; it executes one skill at a time"
    )


@pytest.mark.parametrize(
    ("outcome", "cause"),
    [
        (Outcome(), "my_bridge gave no outcome of navigate(sofa_1); see its log"),
        (
            Outcome(request_id="task_1/3", task_id="task_1", step=3),
            "my_bridge gave no outcome of navigate(sofa_1); see its log",
        ),
        (
            Outcome(result=Result.SUCCEEDED),
            "my_bridge gave navigate(sofa_1) the outcome of another request: "
            "copy request_id, task_id and step of the request (task_1/3) into it",
        ),
    ],
    ids=["empty", "unknown", "without ids"],
)
def test_an_outcome_that_says_nothing_of_its_request_is_a_failure_with_its_cause(
    client, host, bridge, outcome, cause
):
    goal = Goal()
    bridge.answers[0].set_result(goal)
    goal.answer.set_result(SimpleNamespace(result=SimpleNamespace(outcome=to_msg(outcome))))
    (failed,) = host.outcomes
    assert (failed.request_id, failed.step, failed.result) == ("task_1/3", 3, Result.FAILED)
    assert (failed.error.code, failed.error.text) == (ErrorCode.WORLD_FAILED, cause)
