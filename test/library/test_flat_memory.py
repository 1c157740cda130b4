"""A SceneMemory in a simulated flat agrees with the components and is loaded in its own flat only."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros import OccupancyMap, SceneMemory, load_frames
from stma_ros.agents.configured_agent import configure_agent
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import SceneGraph
from support.library.flat_frames import flat_frames, write_recording


def bare(graph: SceneGraph) -> SceneGraph:
    """Returns the part of a scene graph that the library has: neither its step nor the ids of its source messages."""
    return replace(graph, at=replace(graph.at, step=0), derived_from=())


def test_components_and_scene_memory_make_the_same_graph_and_map_of_the_same_frames() -> None:
    said: dict[str, Message] = {}
    agent = PassiveAgent(configure_agent("full"), [said.__setitem__])
    memory = SceneMemory()
    compared = 0
    for frame in flat_frames():
        memory.observe(frame)
        before = said.get(topics.SCENE_GRAPH)
        agent.take(frame)
        graph = said.get(topics.SCENE_GRAPH)
        if isinstance(graph, SceneGraph) and graph is not before:
            compared += 1
            assert memory.scene_graph == bare(graph)
    agent.finish()
    graph = said[topics.SCENE_GRAPH]
    assert isinstance(graph, SceneGraph)
    assert memory.scene_graph == bare(graph)
    assert len(graph.objects) > 10
    assert memory.frontiers.frontiers == said[topics.FRONTIERS].frontiers  # type: ignore[attr-defined]
    np.testing.assert_array_equal(memory.map.occupancy.data.ravel(), said[topics.MAP].data)  # type: ignore[attr-defined]
    phrase = f"the {graph.objects[0].category}"
    assert memory.last_seen(phrase).text == agent.ask(phrase).text
    agent.close()


def test_frames_from_files_make_the_same_scene_graph(tmp_path: Path) -> None:
    write_recording(tmp_path / "recording", flat_frames())
    directly, loaded = SceneMemory(), SceneMemory()
    for frame in flat_frames():
        directly.observe(frame)
    for frame in load_frames(tmp_path / "recording"):
        loaded.observe(frame)
    there, here = directly.scene_graph, loaded.scene_graph
    assert [item.id for item in here.objects] == [item.id for item in there.objects]
    for one, other in zip(here.objects, there.objects, strict=True):
        centers = [(item.center.x, item.center.y, item.center.z) for item in (one, other)]
        assert centers[0] == pytest.approx(centers[1], abs=1e-6)  # files hold rounded poses
    facts = [
        {(fact.subject, fact.predicate, fact.object) for fact in graph.relations} for graph in (here, there)
    ]
    assert facts[0] == facts[1]


def test_an_occupancy_map_equals_the_map_of_a_scene_memory() -> None:
    memory, alone = SceneMemory(), OccupancyMap()
    for frame in flat_frames():
        memory.observe(frame)
        assert not alone.observe(frame).error
    assert alone.snapshot is alone.snapshot
    np.testing.assert_array_equal(alone.snapshot.occupancy.data, memory.map.occupancy.data)
    assert alone.snapshot.frontiers == memory.map.frontiers
    assert [room.area for room in alone.snapshot.rooms.rooms] == [
        room.area for room in memory.map.rooms.rooms
    ]


def test_a_returned_map_does_not_change_with_later_frames() -> None:
    *early, last = flat_frames()
    memory = SceneMemory()
    for frame in early:
        memory.observe(frame)
    boxes = [(item.center, item.size) for item in memory.scene_graph.objects]

    def poses() -> list[object]:
        return [before.find_approach_pose((at.x, at.y, at.z), (size.x, size.y, size.z)) for at, size in boxes]

    before = memory.map
    found, cells = poses(), before.occupancy.data.copy()
    memory.observe(last)
    assert memory.map is not before
    assert any(found)
    assert poses() == found
    np.testing.assert_array_equal(before.occupancy.data, cells)


def test_a_saved_memory_is_loaded_in_its_flat_and_not_in_another(tmp_path: Path) -> None:
    unsaved = SceneMemory()
    for frame in flat_frames(looks=2):
        unsaved.observe(frame)
    ids_of_two_looks = {item.id for item in unsaved.scene_graph.objects}
    with SceneMemory(tmp_path) as memory:
        for frame in flat_frames():
            memory.observe(frame)
        ids = {item.id for item in memory.scene_graph.objects}
    with SceneMemory(tmp_path) as memory:
        assert {item.id for item in memory.scene_graph.objects} == ids
        for frame in flat_frames():
            memory.observe(frame)
        again = {item.id for item in memory.scene_graph.objects}
        assert ids <= again == ids_of_two_looks  # what was faint at first may be believed after further views
        (warning,) = memory.warnings
        assert "the clock is taken to have been set back" in warning
    with SceneMemory(tmp_path) as memory:
        for frame in flat_frames(1004):
            memory.observe(frame)
        assert "another place" in memory.warnings[-1]
    assert {path.name for path in tmp_path.iterdir()} == {"memory.stma", "memory-2.stma"}
