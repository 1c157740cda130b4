"""A recording whose localisation is turned makes the same memory, turned."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.evaluation.tally import Tally
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.sensing.frame_source import EmittedFrames
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import Emission
from stma_ros.types.message import Message
from stma_ros.types.planar import turned
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.standard import Pose, TransformStamped
from stma_ros.worlds.registry import make_world, world_offer

TURN, OFFSET = np.deg2rad(33), np.array((2.0, -1.5))
HALF_A_VOXEL = 0.025
POSITION = max(0.03, HALF_A_VOXEL)


def recorded() -> list[Emission]:
    """Returns the frames of an inspection of a small flat whose walls are along the axes of the map."""
    frames: list[Emission] = []

    def record(topic: str, message: Message) -> None:
        if topic in topics.FRAME:
            frames.append((topic, message))

    options = {"rooms": 3, "width": 160, "height": 120, "map_yaw": 0, "map_offset": "0,0"}
    world = make_world("house", options)
    world.reset("flat_1001", 1001)
    agent = LocalAgent(world, configure_agent(offer=world_offer("house", options)), [record])
    try:
        agent.run_task("find the crocodile", max_commands=14)
    finally:
        agent.close()
        world.close()
    return frames


def with_turned_localization(emission: Emission) -> Emission:
    topic, message = emission
    if not isinstance(message, TransformStamped):
        return emission
    pose = message.pose
    x, y = turned((pose.position.x, pose.position.y), TURN) + OFFSET
    moved = Pose.planar(float(x), float(y), pose.yaw + TURN)
    return topic, TransformStamped.of_pose(message.header, message.child_frame_id, moved)


def remembered(frames: list[Emission]) -> SceneGraph:
    """Returns what senses and memory alone make of the frames."""
    said: dict[str, Message] = {}
    agent = PassiveAgent(
        configure_agent("full", {"perception": {"guess_states": "geometry"}}), [said.__setitem__]
    )
    for frame in EmittedFrames(frames):
        agent.take(frame)
    agent.finish()
    agent.close()
    graph = said[topics.SCENE_GRAPH]
    assert isinstance(graph, SceneGraph)
    return graph


def places(node: ObjectNode) -> np.ndarray:
    return np.array((node.center.x, node.center.y, node.center.z))


def test_recording_with_a_turned_localization_makes_the_same_memory_turned() -> None:
    frames = recorded()
    plain, other = remembered(frames), remembered([with_turned_localization(each) for each in frames])
    here = {node.id: node for node in plain.objects}
    there = {node.id: node for node in other.objects}
    assert len(here) > 25
    assert here.keys() == there.keys()
    for name, node in here.items():
        back = places(there[name]) - (*OFFSET, 0)
        assert turned(back, -TURN) == pytest.approx(places(node), abs=POSITION), name
        states = {words.STATE_DIMENSION[s]: s for s in node.state_names if s in words.STATE_DIMENSION}
        others = {words.STATE_DIMENSION[s]: s for s in there[name].state_names if s in words.STATE_DIMENSION}
        assert all(others.get(dimension, state) == state for dimension, state in states.items()), name
    spatial = (words.IN, words.ON, words.NEAR)
    facts, again = (
        {(f.subject, f.predicate, f.object) for f in graph.relations if f.predicate in spatial}
        for graph in (plain, other)
    )
    assert Tally(len(facts & again), len(again), len(facts)).f1 >= 0.98
    rooms = [sum(f.predicate == words.IN_ROOM for f in graph.relations) for graph in (plain, other)]
    assert rooms[0] == pytest.approx(rooms[1], abs=1)
