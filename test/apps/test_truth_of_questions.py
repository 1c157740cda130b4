"""What only the scorer of a question may know never enters a message that an agent could get: a test reads the bag."""

from __future__ import annotations

import struct

import pytest

pytest.importorskip("open3d", reason="the world 'house' needs Open3D: pip install 'stma_ros[house]'")

from stma_ros.apps import cli
from stma_ros.evaluation.eqa.generation.generator import question_episode
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.cdr import from_cdr
from stma_ros.types import topics
from stma_ros.types.planning import Task

SEED, EPISODES = 1000, 2
FOR_SCORERS = f"/{topics.GROUND_TRUTH}"


@pytest.fixture(scope="module")
def bags(tmp_path_factory: pytest.TempPathFactory) -> list[Bag]:
    """Returns the recorded episodes, in their order."""
    out = tmp_path_factory.mktemp("eqa") / "run"
    command = ["bench", "eqa", "--preset", "pred_eqa", "--seed", str(SEED), "--episodes", str(EPISODES)]
    assert cli.main([*command, "--set", "steps=2", "--record", "--out", str(out)]) == 0
    return [Bag(path) for path in sorted(found.parent for found in out.rglob("metadata.yaml"))]


def test_agent_is_told_the_question_and_nothing_else(bags):
    for index, bag in enumerate(bags):
        told = [from_cdr(raw.data, Task) for raw in bag.messages(topics=[f"/{topics.TASK}"])]
        assert {task.text for task in told} == {question_episode(SEED, index).task.text}


def test_category_template_and_plan_of_a_question_are_in_no_message_but_for_scorers(bags):
    assert len(bags) == EPISODES
    for index, bag in enumerate(bags):
        truth = question_episode(SEED, index).truth
        secrets = [
            truth.category.value.encode(),
            truth.template.encode(),
            struct.pack("<d", truth.path_length),
            struct.pack("<dd", truth.goal.x, truth.goal.y),
        ]
        read = 0
        for raw in bag.messages():
            read += 1
            if raw.topic != FOR_SCORERS:
                assert not [secret for secret in secrets if secret in bytes(raw.data)], raw.topic
        assert read > 50
