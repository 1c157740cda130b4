"""Draws question episodes: a template and an aim, then a flat that fits, a start, and the oracle's plan."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from stma_ros.evaluation.eqa.generation.catalogue import CATALOGUE
from stma_ros.evaluation.eqa.generation.episode import (
    Category,
    QuestionEpisode,
    QuestionTask,
    QuestionTruth,
    Sight,
)
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.oracle import Oracle, Plan
from stma_ros.evaluation.eqa.generation.survey import survey_pieces
from stma_ros.evaluation.eqa.generation.templates.template import Aim, Candidate, Template
from stma_ros.evaluation.flats import EQA
from stma_ros.evaluation.household_tasks.english import pick, sentence
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.geometry import Placement

_STREAM: Final = 51  # number of the random stream
_CANDIDATES, _STARTS = 3, 4  # tries in one flat
_PATIENCE = 10  # flats that are tried before another template and aim are drawn
_SHORTEST = 1.0  # way to the evidence: what takes less is about as good as seen from the start [m]
_LONGEST = 40.0  # way: an explorer of the published kind has 50 steps of at most a metre [m]
_SEEDS = 2**31


def category_of(index: int) -> Category:
    """Returns the category of the episode of that index: they take turns."""
    categories = tuple(CATALOGUE)
    return categories[index % len(categories)]


def question_episode(seed: int, index: int) -> QuestionEpisode:
    """Returns an episode of the suite's seed.

    Raises:
        ConfigurationError: seed or index is out of range, or none of the episode's flats fits.
    """
    return draw_episode(f"{seed}-{index:04d}", category_of(index), (seed, index), EQA.of(seed, index))


def draw_episode(
    episode_id: str, category: Category, seeds: Sequence[int], flats: Iterable[int]
) -> QuestionEpisode:
    """Returns an episode of a category in the first of some flats that allows it.

    Args:
        episode_id: its name.
        category: of the question.
        seeds: numbers from which everything is drawn.
        flats: seeds of flats.

    Raises:
        ConfigurationError: no flat fits.
    """
    rng = np.random.default_rng((*seeds, _STREAM))
    template, aim = _drawn(rng, category)
    for count, flat_seed in enumerate(flats, start=1):
        episode = _episode_in(episode_id, category, template, aim, flat_seed, rng)
        if episode is not None:
            return episode
        if count % _PATIENCE == 0:
            template, aim = _drawn(rng, category)
    raise ConfigurationError(
        f"none of the flats of episode {episode_id} allows a question of the category {category.value!r}; take "
        "another seed"
    )


def _drawn(rng: np.random.Generator, category: Category) -> tuple[Template, Aim]:
    templates = CATALOGUE[category]
    weights = np.array(list(templates.values()))
    template = tuple(templates)[int(rng.choice(len(weights), p=weights / weights.sum()))]
    return template, template.draw(rng)


def _episode_in(
    episode_id: str,
    category: Category,
    template: Template,
    aim: Aim,
    flat_seed: int,
    rng: np.random.Generator,
) -> QuestionEpisode | None:
    """Returns the episode; None when the flat allows no question that meets the aim and is worth a walk."""
    home = QuestionHome(flat_seed)
    candidates = list(template.candidates(home, aim))
    if not candidates:
        return None
    oracle = Oracle(home)
    order = rng.permutation(len(candidates))[:_CANDIDATES]
    for candidate in (candidates[k] for k in order):
        for start_seed in rng.integers(_SEEDS, size=_STARTS).tolist():
            start = start_pose(home.flat, np.random.default_rng(start_seed))
            finder = oracle.start_from(start)
            if candidate.survey is None and finder.sees(candidate.sights):
                continue
            plan = finder.plan(candidate.sights, candidate.survey)
            if plan is None:
                break  # another start sees no more
            if _SHORTEST <= plan.length <= _LONGEST:
                text = sentence(pick(rng, template.wordings).format(**candidate.words))
                task = QuestionTask(home.scene, start_seed, text)
                truth = _truth(home, category, template, candidate, plan, start)
                return QuestionEpisode(episode_id, flat_seed, task, truth)
    return None


def _truth(
    home: QuestionHome,
    category: Category,
    template: Template,
    candidate: Candidate,
    plan: Plan,
    start: Placement,
) -> QuestionTruth:
    answer, *extra = candidate.answers
    return QuestionTruth(
        category=category,
        template=template.name,
        answer=answer,
        extra_answers=tuple(extra),
        evidence=candidate.sights,
        evidence_ids=_evidence_ids(home, candidate.sights, candidate),
        plan=plan.kind,
        path_length=plan.length,
        goal=plan.goal,
        start=start,
    )


def _evidence_ids(home: QuestionHome, sights: Sequence[Sight], candidate: Candidate) -> tuple[str, ...]:
    names = [name for sight in sights for alternative in sight.alternatives for name in alternative]
    if candidate.survey is not None:
        names += [piece.name for piece in survey_pieces(home, candidate.survey)]
    return tuple(dict.fromkeys(names))
