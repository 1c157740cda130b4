"""A robot driven by hand, without tasks: its bridge publishes frames, and the agent maps and remembers."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from rclpy.qos import DurabilityPolicy, QoSProfile

from stma_ros.agents.bringup import bring_up
from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_runtime import LocalRuntime
from stma_ros.agents.spec import Overrides
from stma_ros.msg import KeyframeDetections as KeyframeDetectionsMsg
from stma_ros.msg import SceneGraph as SceneGraphMsg
from stma_ros.replay.chained_replay import ChainedReplay, TimedQuestion
from stma_ros.replay.exact_replay import replay
from stma_ros.ros.conversions import from_msg, to_msg
from stma_ros.ros.processes import NodeProcesses
from stma_ros.ros.task_client import TaskClient
from stma_ros.sensing.camera_frame import CameraFrame, frame_of
from stma_ros.srv import LastSeen
from stma_ros.storage.bag.reader import Bag, read_bag
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.types.remembering import ObjectQuery, ObjectQueryResult
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Point
from stma_ros.worlds.registry import make_world
from support.models.chat_server import Asked, ChatServer, Send, says
from support.ros.skeleton_bridge import living, skeleton
from support.ros.waiting import eventually

pytestmark = pytest.mark.slow

NAMESPACE = "driven"
FRAMES = 20


def turning(width: int = 160) -> list[CameraFrame]:
    """Returns the frames of a robot that turns around in a flat. width: of the images [px]."""
    house = make_world("house", {"width": width, "height": width * 3 // 4})
    house.reset("flat_1000", 1000)
    frames: dict[int, dict[str, Message]] = {}
    for step in range(FRAMES):
        request = SkillRequest(request_id=f"t/{step}", task_id="t", step=step, action=Action("look_around"))
        for topic, message in house.execute(request, CancelToken()):
            if topic in topics.FRAME:
                stamp = message.header.stamp.nanoseconds  # type: ignore[attr-defined]
                frames.setdefault(stamp, {})[topic] = message
        if len(frames) >= FRAMES:
            break
    house.close()
    return [frame_of(parts) for parts in list(frames.values())[:FRAMES]]


def tell(runtime: LocalRuntime, *emissions: Emission) -> None:
    for topic, message in emissions:
        runtime.publish(topic, message)
    runtime.run()


def remembered(
    frames: Sequence[CameraFrame], settings: Overrides, without: Sequence[str] = ()
) -> dict[str, Message]:
    """Returns the newest message of each topic of an agent in this process that is asked for the first object that it
    found.

    Args:
        frames: What the robot sees.
        settings: The agent's.
        without: Parts of frames that the agent does not get.
    """
    newest: dict[str, Message] = {}
    agent = configure_agent(overrides=settings)
    specs, domain = agent.wiring.components.values(), agent.matched.domain
    runtime = LocalRuntime(
        [spec.bind(agent.configs[spec.name], domain) for spec in specs], [newest.__setitem__]
    )
    for frame in frames:
        tell(runtime, *(item for item in frame.parts.items() if item[0] not in without))
    tell(runtime, (topics.OBJECT_QUERY, ObjectQuery(request_id="q", description=kind_in(newest))))
    return newest


def kind_in(newest: Mapping[str, Message]) -> str:
    """Returns the category of the first object of the newest scene graph."""
    graph = newest[topics.SCENE_GRAPH]
    assert isinstance(graph, SceneGraph)
    return graph.objects[0].category


@contextmanager
def driven(
    frames: Sequence[CameraFrame],
    settings: Overrides,
    folder: Path,
    without: Sequence[str] = (),
    models: Mapping[str, str] | None = None,
) -> Iterator[tuple[Any, list[SceneGraphMsg]]]:
    """Brings up the nodes of an agent, and publishes the frames.

    Args:
        frames: What the robot sees.
        settings: The agent's, with a step for the first frame and one for the last.
        folder: Of the bag and the logs.
        without: Parts of frames that the robot's bridge does not publish.
        models: Settings of the models that answer roles.

    Yields:
        The bridge and the scene graphs, of which two have come.
    """
    nodes = bring_up(
        robot_bridge="my_bridge",
        use_sim_time=False,
        namespace=NAMESPACE,
        bag=str(folder / "bag"),
        component_settings=settings,
        models=models,
    )
    with living(skeleton(), NAMESPACE) as bridge:
        for topic in without:
            bridge.destroy_publisher(bridge.frame.pop(topic))
        with NodeProcesses(nodes, folder / "logs"), TaskClient(NAMESPACE) as client:
            graphs: list[SceneGraphMsg] = []
            profile = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)
            bridge.create_subscription(SceneGraphMsg, "scene_graph", graphs.append, profile)
            bridge.asking = bridge.create_client(LastSeen, "spatial_memory/last_seen")
            client.wait_until_active(60.0)
            show(bridge, frames)
            eventually(lambda: len(graphs) == 2, "the scene graphs of the first and the last frame", 60.0)
            yield bridge, graphs


def show(bridge: Any, frames: Sequence[CameraFrame]) -> None:
    for frame in frames:
        for topic, publisher in bridge.frame.items():
            publisher.publish(to_msg(frame.parts[topic]))


def asked(bridge: Any, description: str) -> ObjectQueryResult:
    """Asks the spatial memory where something was seen last."""
    future = bridge.asking.call_async(LastSeen.Request(description=description))
    eventually(future.done, "the answer", 30.0)
    return from_msg(future.result().answer, ObjectQueryResult)


def two_steps(frames: Sequence[CameraFrame]) -> Overrides:
    """Returns settings with a step for the first frame, and one for the last."""
    span = frames[-1].stamp.nanoseconds - frames[0].stamp.nanoseconds
    return {"executor": {"idle_step_period": span / 1e9}}


def test_robot_without_a_segmentation_is_brought_up_with_a_network_and_remembers_what_that_finds(tmp_path):
    frames = turning(320)
    settings = {**two_steps(frames), "perception": {"source": "network"}}
    labelled, expected = remembered(frames, settings), remembered(frames, settings, without=topics.MASKS)
    made = labelled.keys() - set(topics.FRAME)
    assert {name: labelled[name] for name in made} == {name: expected[name] for name in made}
    graph = expected[topics.SCENE_GRAPH]
    assert isinstance(graph, SceneGraph)
    assert len(graph.objects) > 2

    with driven(frames, settings, tmp_path, without=topics.MASKS) as (_, graphs):
        pass
    assert from_msg(graphs[-1], SceneGraph) == graph
    result = replay(Bag(tmp_path / "bag"))
    assert result.same, result.first
    assert result.tallies[topics.KEYFRAME_DETECTIONS].same == FRAMES


def test_frames_without_a_task_are_mapped_remembered_queried_and_replayed(tmp_path):
    frames, bag = turning(), tmp_path / "bag"
    settings = two_steps(frames)
    expected = remembered(frames, settings)
    graph, kind = expected[topics.SCENE_GRAPH], kind_in(expected)
    seen = expected[topics.OBJECT_QUERY_RESULT]
    assert isinstance(seen, ObjectQueryResult)

    with driven(frames, settings, tmp_path) as (bridge, graphs):
        answer = asked(bridge, kind)
    assert from_msg(graphs[-1], SceneGraph) == graph
    assert answer.sightings == seen.sightings != ()

    recorded = list(read_bag(bag, NAMESPACE))
    maps = [entry.message for entry in recorded if entry.topic == topics.MAP]
    assert maps[-1] == expected[topics.MAP]
    taken = Counter(
        (entry.message.component, entry.message.topic)
        for entry in recorded
        if isinstance(entry.message, JournalEntry)
    )
    for component in ("perception", "spatial_memory"):
        assert taken[component, topics.CAMERA_FRAME] == FRAMES
        assert not any(taken[component, topic] for topic in topics.FRAME)
    result = replay(Bag(bag))
    assert result.same, result.first
    assert {part.name for part in result.parts} >= {"perception", "spatial_memory", "executor"}
    assert (result.tallies[topics.STEP].same, result.tallies[topics.MAP].same) == (2, 2)


def slow_expert(answers: threading.Event) -> Callable[[Asked], Send]:
    """Returns a model that sees a table in the middle of every picture, and says nothing before `answers` is set."""
    reply = {"objects": [{"label": "table 1", "name": "table", "box": [300, 300, 700, 700]}]}

    def handle(asked: Asked) -> Send:
        answers.wait(60.0)
        return says(json.dumps(reply))

    return handle


def saw_last(answer: ObjectQueryResult, frame: CameraFrame) -> ObjectQueryResult | None:
    """Returns an answer that speaks of a thing in that frame; None otherwise."""
    return answer if any(seen.last_seen == frame.stamp for seen in answer.sightings) else None


def places_of(answer: ObjectQueryResult) -> dict[str, Point]:
    return {each.object_id: each.position for each in answer.sightings}


def test_robot_goes_on_without_a_slow_model_whose_late_answers_are_remembered_and_replayed(tmp_path):
    """The model has not answered when the second step is over and frames go on."""
    frames, bag = turning(), tmp_path / "bag"
    of_steps = frames[:-2]  # the model is asked about frames whose step has begun
    settings = {
        **two_steps(of_steps),
        "perception": {"source": "model", "model_wait": 0.0, "precision": "0.99"},
    }
    answers = threading.Event()
    with ChatServer(slow_expert(answers)) as server:
        models = {"scene_graph": f"openai:expert@{server.address}"}
        with driven(frames, settings, tmp_path, topics.MASKS, models) as (bridge, graphs):
            assert not any(graph.objects or graph.unconfirmed for graph in graphs)
            revised: list[KeyframeDetectionsMsg] = []
            profile = QoSProfile(depth=200, durability=DurabilityPolicy.TRANSIENT_LOCAL)
            bridge.create_subscription(
                KeyframeDetectionsMsg,
                "keyframe_detections",
                lambda msg: msg.revision and revised.append(msg),
                profile,
            )
            answers.set()
            eventually(lambda: len(revised) >= 2, "the answers about the first frames", 60.0)
            answer = eventually(
                lambda: saw_last(asked(bridge, "table"), of_steps[-1]), "the answer about the last one", 60.0
            )
    first = from_msg(revised[0], KeyframeDetections)
    assert first.header.stamp == frames[0].stamp
    assert [each.category for each in first.detections] == ["table"]

    exact = replay(Bag(bag))
    assert exact.same, exact.first
    assert exact.tallies[topics.KEYFRAME_DETECTIONS].same >= FRAMES + 2
    assert exact.tallies[topics.MODEL_CALL].same >= 2
    (again,) = ChainedReplay(Bag(bag)).run([TimedQuestion("table")])
    assert places_of(again) == places_of(answer)
