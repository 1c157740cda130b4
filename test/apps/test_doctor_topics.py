"""Tests of `stma doctor --topics`, which finds the missing topics of a robot and its agent."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from stma_ros.agents.registry import AGENTS, ROBOT
from stma_ros.agents.spec import Wiring
from stma_ros.apps.doctor import command as doctor
from stma_ros.apps.doctor.checks import Finding, State
from stma_ros.apps.doctor.topic_checks import topics_of
from stma_ros.ros import topic_survey
from stma_ros.ros.graph import Graph
from stma_ros.ros.topic_survey import FoundPublisher
from stma_ros.types import topics
from stma_ros.types.world import Senses, WorldOffer

BRIDGE = "my_bridge"
CAMERA = AGENTS.match(offer=ROBOT).wiring
TEXT = AGENTS.match("stma", WorldOffer("cooking", Senses.TEXT)).wiring


def published(wiring: Wiring, nodes: Iterable[str]) -> dict[str, tuple[FoundPublisher, ...]]:
    """Returns the publishers that a survey finds while these nodes run."""
    graph = Graph(wiring, BRIDGE, recorder="")
    found: dict[str, tuple[FoundPublisher, ...]] = {}
    for node in nodes:
        for topic in graph.publications(node):
            ros_type = topics.TOPICS[topic].type.ROS_TYPE
            found[topic] = (*found.get(topic, ()), FoundPublisher(node, ros_type))
    return found


@pytest.fixture
def examine(monkeypatch: pytest.MonkeyPatch):
    def findings(found: dict[str, tuple[FoundPublisher, ...]]) -> dict[str, Finding]:
        monkeypatch.setattr(topic_survey, "survey", lambda namespace: found)
        return {finding.name: finding for finding in topics_of("robot_1")}

    return findings


def missing(findings: dict[str, Finding]) -> dict[str, Finding]:
    return {name: finding for name, finding in findings.items() if finding.state is State.MISSING}


@pytest.mark.parametrize("wiring", [CAMERA, TEXT], ids=["camera", "text"])
def test_doctor_finds_no_topic_missing_on_a_complete_robot(examine, wiring: Wiring) -> None:
    findings = examine(published(wiring, (*wiring.components, BRIDGE)))
    assert not missing(findings)
    assert findings["observation"].state is State.FOUND


@pytest.mark.parametrize("topic", [topics.COLOR, *topics.DEPTH_FRAME, topics.OBSERVATION, topics.SKILLS])
def test_doctor_reports_a_topic_of_the_bridge_without_a_publisher(examine, topic: str) -> None:
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    del found[topic]
    lacking = missing(examine(found))
    assert list(lacking) == [topic]
    assert lacking[topic].detail == "nobody publishes it; the robot's bridge should"
    ros_type = topics.TOPICS[topic].type.ROS_TYPE
    assert lacking[topic].remedy == (
        f"publish {ros_type} there, or remap a topic of that type to it (docs/howto/robot.md)"
    )


def test_doctor_reports_that_only_some_detectors_need_a_segmentation(examine) -> None:
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    for topic in topics.MASKS:
        del found[topic]
    findings = examine(found)
    assert not missing(findings)
    for topic in topics.MASKS:
        assert findings[topic].state is State.OPTIONAL
        assert "perception.source=segmentation, the default, needs it" in findings[topic].remedy


def test_doctor_names_the_node_that_does_not_run_for_its_missing_topics(examine) -> None:
    others = [name for name in CAMERA.components if name != "planner"]
    lacking = missing(examine(published(CAMERA, (*others, BRIDGE))))
    assert topics.PLAN in lacking
    assert lacking[topics.PLAN].detail == "nobody publishes it; planner should"
    assert "start planner" in lacking[topics.PLAN].remedy


def test_doctor_judges_a_bridge_without_an_agent_by_its_own_topics(examine) -> None:
    findings = examine(published(CAMERA, [BRIDGE]))
    assert not missing(findings)
    assert findings["the agent is not running"].state is State.NOTE
    assert topics.PLAN not in findings
    found = published(CAMERA, [BRIDGE])
    del found[topics.ODOMETRY]
    assert list(missing(examine(found))) == [topics.ODOMETRY]


def test_doctor_reports_topics_that_only_simulators_publish_as_optional(examine) -> None:
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    for topic in (topics.CLOCK, topics.GROUND_TRUTH):
        del found[topic]
    findings = examine(found)
    assert not missing(findings)
    assert {findings[topic].state for topic in (topics.CLOCK, topics.GROUND_TRUTH)} == {State.OPTIONAL}


def test_doctor_reports_a_topic_of_another_type(examine) -> None:
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    found[topics.ODOMETRY] = (FoundPublisher(BRIDGE, "geometry_msgs/msg/Pose"),)
    lacking = missing(examine(found))
    assert lacking[topics.ODOMETRY].detail == "published as geometry_msgs/msg/Pose"


def test_doctor_reports_a_topic_with_incompatible_qos(examine) -> None:
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    ros_type = topics.TOPICS[topics.DEPTH].type.ROS_TYPE
    found[topics.DEPTH] = (FoundPublisher("driver", ros_type, "best effort publisher"),)
    lacking = missing(examine(found))
    assert list(lacking) == [topics.DEPTH]
    assert "driver" in lacking[topics.DEPTH].detail
    assert "best effort publisher" in lacking[topics.DEPTH].detail
    assert "reliable" in lacking[topics.DEPTH].remedy


def test_doctor_reports_a_namespace_without_any_topic(examine) -> None:
    lacking = missing(examine({}))
    assert [finding.detail for finding in lacking.values()] == ["in the namespace 'robot_1'"]


def test_last_line_of_doctor_agrees_with_missing_topics(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "CHECKS", {})
    found = published(CAMERA, (*CAMERA.components, BRIDGE))
    monkeypatch.setattr(topic_survey, "survey", lambda namespace: found)
    assert doctor.doctor("") == 0
    assert capsys.readouterr().out.endswith("everything that is needed is there\n")
    del found[topics.DEPTH]
    assert doctor.doctor("") == 1
    assert "1 missing; what to do stands next to each" in capsys.readouterr().out
