"""Question episodes that the tests share: generating one takes about a third of a second."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.eqa.generation.episode import QuestionEpisode
from stma_ros.evaluation.eqa.generation.generator import question_episode

SEED = 1000


@pytest.fixture(scope="session")
def episodes() -> list[QuestionEpisode]:
    """The first episodes of a seed, three of each category."""
    return [question_episode(SEED, index) for index in range(30)]


@pytest.fixture(scope="session")
def many_episodes(episodes: list[QuestionEpisode]) -> list[QuestionEpisode]:
    """Ten episodes of each category."""
    return episodes + [question_episode(SEED, index) for index in range(len(episodes), 100)]
