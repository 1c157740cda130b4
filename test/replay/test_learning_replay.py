"""Replay of a game with several trials: with its lessons, and as an agent that learns differently."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("textworld", reason="text games need TextWorld: pip install 'stma_ros[cooking]'")

from stma_ros.apps.session.local import open_local
from stma_ros.apps.session.session import LOCAL, SessionSpec
from stma_ros.evaluation.registry import make_suite
from stma_ros.replay.chained_replay import ChainedReplay
from stma_ros.replay.exact_replay import replay
from stma_ros.replay.replay_agent import Changes
from stma_ros.storage.bag.reader import Bag
from stma_ros.storage.run_folder import RunFolder
from stma_ros.types import topics
from stma_ros.types.belief import Lessons, TemporalBelief
from stma_ros.types.message import Message

pytestmark = pytest.mark.filterwarnings(
    "ignore:Game .* is not fully supported"
)  # of TextWorld's own interpreter

BUDGET = 6  # commands: enough for the meal, but not to read the recipe as well


def record(folder: Path, preset: str) -> Path:
    """Returns the bag of a game that was tried twice."""
    run = RunFolder.create(folder)
    episode = make_suite("cooking", {"level": "1"}).episode(1000, 0)
    with open_local(SessionSpec(LOCAL, preset, world="textworld"), run, record=True) as session:
        session.start_episode(episode.scene, episode.seed, (), run)
        session.run_task(episode.text, BUDGET)
        session.retry()
        session.run_task(episode.text, BUDGET)
    return run.path


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return record(tmp_path_factory.mktemp("learner") / "run", "reflexion")


def said(bag: Path, changes: Changes) -> list[tuple[str, Message]]:
    """Returns all messages, inputs and outputs, of a chained replay."""
    messages: list[tuple[str, Message]] = []
    chained = ChainedReplay(
        Bag(bag), changes, tap=lambda topic, time_ns, message: messages.append((topic, message))
    )
    chained.run()
    assert not [note for note in chained.notes if "failed" in note]
    return messages


def beliefs(messages: list[tuple[str, Message]]) -> list[TemporalBelief]:
    of_steps = [message for topic, message in messages if topic == topics.TEMPORAL_BELIEF]
    return [belief for belief in of_steps if isinstance(belief, TemporalBelief)]


def test_exact_replay_reproduces_every_message_of_a_run_with_lessons(learner: Path) -> None:
    result = replay(Bag(learner))

    assert result.same
    assert result.first is None
    assert result.tallies[topics.LESSONS].same == 2
    assert result.tallies[topics.TASK_SUMMARY].same >= 1


def test_a_run_with_lessons_is_replayed_as_an_agent_without_an_experience_memory(learner: Path) -> None:
    messages = said(learner, Changes(preset="react"))

    assert {belief.lessons for belief in beliefs(messages)} == {()}
    assert len({belief.task_id for belief in beliefs(messages)}) == 2


def test_a_run_without_lessons_is_replayed_as_an_agent_that_learns(tmp_path: Path) -> None:
    bag = record(tmp_path / "run", "react")

    messages = said(bag, Changes(preset="reflexion"))

    first, second = (message for _, message in messages if isinstance(message, Lessons))
    assert (first.lessons, len(second.lessons)) == ((), 1)
    assert beliefs(messages)[-1].lessons == second.lessons
