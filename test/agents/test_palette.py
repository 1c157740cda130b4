"""States are not told by a palette: the same inspection with vessels, drinks and lights in random colours."""

from __future__ import annotations

import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.evaluation.scene_graphs import score_graph
from stma_ros.evaluation.tally import Tally
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.registry import make_world

INSPECTION = "find the crocodile"
MOST_WRONG = 0.01
"""Largest share of the told states that may be wrong."""


def inspected(flat: int, palette: int) -> Tally:
    """Returns how many states the agent told after an inspection of a recoloured flat, and how many rightly."""
    house = make_world("house", {"rooms": 3, "palette_seed": palette, "width": 160, "height": 120})
    graphs: list[SceneGraph] = []
    truths: list[GroundTruth] = []

    def listen(topic: str, message: Message) -> None:
        if topic == topics.SCENE_GRAPH and isinstance(message, SceneGraph):
            graphs.append(message)
        if topic == topics.GROUND_TRUTH and isinstance(message, GroundTruth):
            truths.append(message)

    house.reset(f"flat_{flat}", flat)
    try:
        LocalAgent(house, configure_agent(), [listen]).run_task(INSPECTION, 60)
    finally:
        house.close()
    return score_graph(graphs[-1], truths[-1]).states


def test_no_state_is_told_wrongly_when_vessels_drinks_and_lamps_have_random_colours() -> None:
    tallies = [inspected(flat, palette) for flat, palette in ((1000, 1), (1003, 2))]
    said, right = sum(tally.said for tally in tallies), sum(tally.right for tally in tallies)
    assert said >= 15
    assert said - right <= MOST_WRONG * said, f"{said - right} of {said} states are wrong"
