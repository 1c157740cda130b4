"""Draws question episodes: a template and an aim, then a flat that fits, a start, and the oracle's plan."""

from __future__ import annotations

from collections.abc import Sequence
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
from stma_ros.evaluation.eqa.generation.templates.template import Aim, Candidate, Template, chosen
from stma_ros.evaluation.flats import EQA
from stma_ros.evaluation.household_tasks.english import pick, sentence
from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.house.starting import start_pose
from stma_ros.worlds.robot.geometry import FloatArray, Placement

_STREAM: Final = 51  # number of the random stream
_CANDIDATES, _STARTS = 3, 4  # tries in one flat
_PATIENCE = 10  # flats that are tried before another template and aim are drawn
_SHORTEST = 1.0  # way to the evidence: what takes less is about as good as seen from the start [m]
_LONGEST = 40.0  # way: an explorer of the published kind has 50 steps of at most a metre [m]
_SEEDS = 2**31
_STEPS: Final = np.array([0.7548776662466927, 0.5698402909980532])
"""Steps of the R2 sequence: powers of the inverse of the plastic number."""


def category_of(index: int) -> Category:
    """Returns the category of the episode of that index: they take turns."""
    categories = tuple(CATALOGUE)
    return categories[index % len(categories)]


def question_episode(seed: int, index: int) -> QuestionEpisode:
    """Returns an episode of the suite's seed: a template and an aim, then the first of its flats that allows them.

    Templates and answers follow evenly spread numbers instead of independent draws, so that every run of episodes is
    nearly as balanced as all of them.

    Raises:
        ConfigurationError: seed or index is out of range, or none of the episode's flats fits.
    """
    flats = EQA.of(seed, index)
    category = category_of(index)
    rng = np.random.default_rng((seed, index, _STREAM))
    template, aim = _drawn(rng, category, _shares(seed, index))
    for count, flat_seed in enumerate(flats, start=1):
        episode = _episode_in(f"{seed}-{index:04d}", category, template, aim, flat_seed, rng)
        if episode is not None:
            return episode
        if count % _PATIENCE == 0:
            template, aim = _drawn(rng, category, rng.random(2))
    raise ConfigurationError(
        f"none of the flats of episode {index} of seed {seed} allows a question of the category "
        f"{category.value!r}; take another seed"
    )


def _shares(seed: int, index: int) -> FloatArray:
    """Returns the numbers [0..1) that decide template and answer: points that fill the unit square evenly as the index
    grows (the R2 sequence of M. Roberts, 2018), from a start of the category's own."""
    ordinal, category = divmod(index, len(CATALOGUE))
    start = np.random.default_rng((seed, category, _STREAM)).random(2)
    shares: FloatArray = (start + ordinal * _STEPS) % 1.0
    return shares


def _drawn(rng: np.random.Generator, category: Category, shares: FloatArray) -> tuple[Template, Aim]:
    template = chosen(CATALOGUE[category], float(shares[0]))
    return template, template.draw(rng, float(shares[1]))


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
