"""A robot's own bridge whose segments are boxes, and whose arm is not there: nothing is told that was not seen."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, TaskStatus
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.world import Senses, World, WorldOffer
from stma_ros.worlds.registry import make_world, world_offer

FLAT, SEED = 1000, 1003  # the robot starts where it can see the kitchen
DRIVES = (words.SKILL_NAVIGATE, words.SKILL_EXPLORE, words.SKILL_LOOK_AROUND)
BASE_ONLY = WorldOffer("household", Senses.CAMERA, DRIVES)


class WithoutArm:
    """A world without the skills of its arm."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.skills = tuple(skill for skill in world.skills if skill.name in DRIVES)

    def reset(self, scene: str, seed: int) -> str:
        return self._world.reset(scene, seed)

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        return self._world.execute(request, cancel)

    def close(self) -> None:
        self._world.close()


@pytest.mark.parametrize("task", ["open the door", "close the fridge", "switch off the oven"])
def test_task_is_not_done_when_neither_an_arm_nor_the_outlines_of_segments_can_tell(task: str) -> None:
    graphs: list[SceneGraph] = []

    def listen(topic: str, message: Message) -> None:
        if isinstance(message, SceneGraph):
            graphs.append(message)

    world = WithoutArm(make_world("house", {"boxes": True, "width": 160, "height": 120}))
    world.reset(f"flat_{FLAT}", SEED)
    agent = LocalAgent(world, configure_agent(offer=BASE_ONLY), [listen])
    try:
        result = agent.run_task(task, max_commands=12)
    finally:
        agent.close()
        world.close()
    assert result.status != TaskStatus.SUCCEEDED, result.text
    assert result.error.code in (ErrorCode.IMPOSSIBLE, ErrorCode.OUT_OF_COMMANDS), result.text
    told = {state for node in graphs[-1].objects for state in node.state_names}
    assert told <= {words.STATE_MISSING}


@pytest.mark.parametrize(
    ("offer", "guesses"),
    [
        (BASE_ONLY, "none"),
        (world_offer("house"), "geometry"),
        (world_offer("house", {"boxes": "true"}), "none"),
        (world_offer("house", {"detector": "weak"}), "none"),
        (world_offer("habitat"), "geometry"),
    ],
)
def test_openness_is_inferred_by_default_only_where_segments_have_true_outlines(
    offer: WorldOffer, guesses: str
) -> None:
    assert configure_agent(offer=offer).configs["perception"].guess_states == guesses
    chosen = configure_agent("full", {"perception": {"guess_states": "none"}}, offer)
    assert chosen.configs["perception"].guess_states == "none"


@pytest.mark.parametrize(
    ("offer", "masks"),
    [
        (BASE_ONLY, "outlines"),
        (world_offer("house"), "outlines"),
        (world_offer("house", {"boxes": "true"}), "boxes"),
        (world_offer("house", {"detector": "weak"}), "boxes"),
    ],
)
def test_segments_are_taken_for_boxes_by_default_only_where_the_world_says_so(
    offer: WorldOffer, masks: str
) -> None:
    assert configure_agent(offer=offer).configs["perception"].masks == masks
    chosen = configure_agent("full", {"perception": {"masks": "outlines"}}, offer)
    assert chosen.configs["perception"].masks == "outlines"
