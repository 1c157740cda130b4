"""Tests of the frame sources: recordings and simulators give the same frames and count those that are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from stma_ros.agents import component_factories
from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.registry import AGENTS
from stma_ros.agents.spec import AgentSpec, Preset, Requirements, wire
from stma_ros.replay.passive_agent import PassiveAgent
from stma_ros.roles.registry import RoleModelConfig
from stma_ros.sensing.bag_frames import ExternalBagFrames, load_bag
from stma_ros.sensing.bag_topics import choose_topics
from stma_ros.sensing.frame_source import EmittedFrames, FrameSource
from stma_ros.sensing.mapping_file import BagMapping, Mount
from stma_ros.storage.bag.reader import Bag
from stma_ros.types import topics
from stma_ros.types.component import CancelToken
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, SkillRequest
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.world import Senses
from stma_ros.worlds.registry import make_world
from support.sensing.external_bags import drive, write_mcap

OBSERVER = AgentSpec(
    name="observer",
    summary="looks and remembers",
    source="",
    wirings=(
        wire(
            "camera",
            Requirements(Senses.CAMERA),
            component_factories.PERCEPTION,
            component_factories.SPATIAL_MEMORY,
        ),
    ),
    presets={"observer": Preset("as it is")},
)


@pytest.mark.parametrize("preset", ["full", OBSERVER.name])
def test_passive_agent_maps_the_frames_of_a_simulator(preset: str) -> None:
    house = make_world("house", {"rooms": 3, "width": 160, "height": 120})
    house.reset("flat_1000", 1000)
    request = SkillRequest(request_id="t/0", task_id="t", action=Action("look_around"))
    source: FrameSource = EmittedFrames(house.execute(request, CancelToken()))
    emitted: dict[str, Message] = {}
    configured = configure_agent(preset, models=RoleModelConfig(), agents=AGENTS.with_agent(OBSERVER))
    agent = PassiveAgent(configured, [emitted.__setitem__])
    for frame in source:
        agent.take(frame)
    agent.finish()
    house.close()
    assert source.tally.frames > 5
    assert (source.tally.seen, agent.reached) == (source.tally.frames, frame.stamp)
    graph = emitted[topics.SCENE_GRAPH]
    assert isinstance(graph, SceneGraph)
    assert agent.ask(graph.objects[0].category).sightings


def test_frame_source_counts_frames_that_lack_a_part(tmp_path: Path) -> None:
    mapping = BagMapping(camera=Mount(xyz=(0.0, 0.0, 1.2)))
    bag = Bag(write_mcap(tmp_path, drive(1.0)))
    recorded: FrameSource = ExternalBagFrames(bag, choose_topics(bag, mapping), mapping)
    emissions = [part for frame in recorded for part in frame.parts.items()]
    lost = [topic for topic, _ in emissions].index(topics.CAMERA_INFO)
    again: FrameSource = EmittedFrames(emissions[:lost] + emissions[lost + 1 :])
    assert len(list(again)) == 9
    assert (recorded.tally.frames, again.tally.seen) == (10, 10)
    assert dict(again.tally.skipped) == {"a part of it is missing": 1}


def test_load_bag_gives_frames_with_the_mapping_file_that_the_bag_needs(tmp_path: Path) -> None:
    bag = write_mcap(tmp_path, drive(1.0))
    mapping = tmp_path / "mapping.yaml"
    mapping.write_text("camera: {xyz: [0.0, 0.0, 1.2]}\n")
    frames = load_bag(str(bag), str(mapping))
    assert [frame.error.text for frame in frames] == [""] * 10
    assert frames.tally.frames == 10
    with pytest.raises(ConfigurationError, match="camera"):
        load_bag(bag)
