"""`stma doctor --topics`: checks the topics of a running robot against the needs of its agent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from stma_ros.agents.registry import AGENTS, ROBOT
from stma_ros.agents.spec import Wiring
from stma_ros.apps.doctor.checks import SET_UP, Finding, State
from stma_ros.types import topics

if TYPE_CHECKING:
    from stma_ros.ros.graph import Graph
    from stma_ros.ros.topic_survey import FoundPublisher

_BRIDGE = "the robot's bridge"

_WITHOUT_MASKS = (
    "perception.source=segmentation, the default, needs it; others do not (docs/howto/detectors.md)"
)


def topics_of(namespace: str) -> Iterator[Finding]:
    """Checks the topics of a namespace that an agent and its robot's bridge need from one another.

    The agent is recognised by the topics that it publishes. While it does not run, only the bridge is checked, as that
    of a robot with a camera.
    """
    try:
        from stma_ros.ros.topic_survey import survey
    except ImportError as error:
        yield Finding("ROS 2", State.MISSING, str(error), SET_UP)
        return
    found = survey(namespace)
    if not found:
        where = f"in the namespace {namespace!r}" if namespace else "without a namespace"
        remedy = "start a robot, or check ROS_DOMAIN_ID and --namespace"
        yield Finding("nobody publishes any of our topics", State.MISSING, where, remedy)
        return
    running = [wiring for wiring in _wirings() if _made_by_agent(wiring) & found.keys()]
    graph = _graph(_best(running, found) if running else AGENTS.match(offer=ROBOT).wiring)
    if not running:
        remedy = "its topics are checked once it runs: ros2 launch stma_ros stma.launch.py bridge:=NAME"
        yield Finding(
            "the agent is not running", State.NOTE, "the topics of the robot's bridge are checked", remedy
        )
    for name, spec in topics.TOPICS.items():
        publishers = found.get(name, ())
        awaited = sorted(graph.awaited(name)) if running else [n for n in graph.awaited(name) if n == _BRIDGE]
        if publishers:
            yield _published(name, spec.type.ROS_TYPE, publishers)
        elif name in topics.MASKS and awaited == [_BRIDGE]:
            yield Finding(name, State.OPTIONAL, "nobody publishes it", _WITHOUT_MASKS)
        elif awaited:
            yield _unpublished(name, spec.type.ROS_TYPE, awaited)
        elif name in graph.publications(_BRIDGE):
            yield Finding(name, State.OPTIONAL, "nobody publishes it; only simulators do")
        elif name in topics.EXTERNAL:
            remedy = "for perception.source=detections: ros2 run stma_ros detection_relay (docs/howto/detectors.md)"
            yield Finding(name, State.OPTIONAL, "nobody publishes it", remedy)


def _published(name: str, expected: str, publishers: tuple[FoundPublisher, ...]) -> Finding:
    others = sorted({each.ros_type for each in publishers if each.ros_type != expected})
    if others:
        remedy = f"publish {expected} there, or remap the topic"
        return Finding(name, State.MISSING, f"published as {', '.join(others)}", remedy)
    for each in publishers:
        if each.incompatibility:
            detail = f"{each.node} publishes it with a quality of service that is not heard: {each.incompatibility}"
            remedy = "publish it reliable, and transient local where docs/howto/robot.md says so"
            return Finding(name, State.MISSING, detail, remedy)
    return Finding(name, State.FOUND, f"{expected}, publishers: {len(publishers)}")


def _unpublished(name: str, expected: str, awaited: list[str]) -> Finding:
    detail = f"nobody publishes it; {' and '.join(awaited)} should"
    if awaited == [_BRIDGE]:
        remedy = f"publish {expected} there, or remap a topic of that type to it (docs/howto/robot.md)"
    else:
        remedy = f"start {' and '.join(awaited)}, or see why it ended in its log"
    return Finding(name, State.MISSING, detail, remedy)


def _wirings() -> Iterator[Wiring]:
    for agent in AGENTS.agents.values():
        yield from agent.wirings


def _graph(wiring: Wiring) -> Graph:
    from stma_ros.ros.graph import Graph

    return Graph(wiring, _BRIDGE, recorder="")


def _made_by_agent(wiring: Wiring) -> set[str]:
    """Returns the topics that only the agent publishes."""
    graph = _graph(wiring)
    made = {topic for name in wiring.components for topic in graph.publications(name)}
    return made - set(graph.publications(_BRIDGE))


def _best(wirings: list[Wiring], found: Mapping[str, object]) -> Wiring:
    """Returns the wiring that explains most of the published topics; of several, the one that lacks the fewest."""

    def fit(wiring: Wiring) -> tuple[int, int]:
        graph = _graph(wiring)
        expected = {topic for name in graph.names for topic in graph.publications(name)}
        return len(expected & found.keys()), -len(expected - found.keys())

    return max(wirings, key=fit)
