"""The agent itself chooses where it puts things down."""

from __future__ import annotations

import math

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, Result, SkillRequest, TaskStatus
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.registry import make_world

SEED = 1005
TOLERANCE = 0.15


@pytest.mark.parametrize(
    ("task", "skill"),
    [
        ("put all the cups on the table", words.SKILL_PLACE_ON),
        ("put all the cups next to the wardrobe", words.SKILL_PLACE_NEXT_TO),
    ],
)
def test_things_lie_where_the_agents_own_map_and_boxes_say_that_there_is_room(task: str, skill: str) -> None:
    heard: list[Message] = []
    house = make_world("house", {"rooms": 3})
    house.reset("", SEED)
    try:
        agent = LocalAgent(house, configure_agent(), [lambda _, message: heard.append(message)])
        result = agent.run_task(task, 60)
    finally:
        house.close()
    assert result.status is TaskStatus.SUCCEEDED, result.text

    belief, request, truth, placed = SpatialBelief(), SkillRequest(), GroundTruth(), 0
    for message in heard:
        match message:
            case SpatialBelief():
                belief = message
            case GroundTruth():
                truth = message
            case SkillRequest():
                request = message
                if request.action.skill == skill:
                    offered = [place.pose for place in belief.free_places if place.skill == skill]
                    assert request.place_goal in offered
            case Outcome(result=Result.SUCCEEDED) if message.action.skill == skill:
                goal = request.place_goal.position
                undersides = [
                    (thing.center.x, thing.center.y, thing.center.z - thing.size.z / 2)
                    for thing in truth.objects
                    if thing.category == "cup"
                ]
                assert min(math.dist(at[:2], (goal.x, goal.y)) for at in undersides) <= TOLERANCE
                placed += 1
    assert placed
