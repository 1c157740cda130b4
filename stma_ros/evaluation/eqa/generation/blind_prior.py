"""What a blind agent may know: the most frequent answer to each template, over training episodes.

The preset `blind` answers by these alone: its score says how much the questions give away. blind_prior.json holds the
templates and answers of the training episodes, answer_priors.json what the agent gets of them; scripts/blind_prior.py
writes both anew when the generator changes.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from stma_ros.evaluation.eqa.generation.catalogue import CATALOGUE
from stma_ros.evaluation.eqa.generation.generator import question_episode
from stma_ros.evaluation.household_tasks.english import sentence

TRAINING_SEED: Final = 100_000
"""The suite's seed of the training episodes; no results are reported for seeds from here on."""

TRAINING_EPISODES: Final = 1_000

PRIOR_FILE: Final = Path(__file__).with_name("blind_prior.json")

ANSWER_PRIORS: Final = Path(__file__).with_name("answer_priors.json")
"""Patterns of questions with the most frequent answers, for the agent's setting `planner.answer_priors`."""

_ANY_QUESTION = ".*"

_PLACE = re.compile(r"\\\{\w+\\\}")  # a place for words in an escaped wording


@dataclass(frozen=True)
class BlindPrior:
    """Answers to templates.

    Attributes:
        answers: the most frequent answer by the template's name.
        usual: the most frequent answer of all.
    """

    answers: Mapping[str, str]
    usual: str

    @classmethod
    def of(cls, answered: Iterable[tuple[str, str]]) -> BlindPrior:
        """Returns the prior of training episodes, of which there is at least one. answered: template and answer."""
        listed = list(answered)
        by_template: dict[str, Counter[str]] = {}
        for template, answer in listed:
            by_template.setdefault(template, Counter())[answer] += 1
        answers = {template: _most_frequent(counts) for template, counts in by_template.items()}
        return cls(answers, _most_frequent(Counter(answer for _, answer in listed)))

    def answer(self, text: str) -> str:
        """Returns the answer to a question without a look at anything."""
        return self.answers.get(template_of(text), self.usual)

    @cached_property
    def patterns(self) -> tuple[tuple[str, str], ...]:
        """Regular expressions of the wordings and the answers to them, the most special ones first, for an agent that
        has no access to the templates: the first that fits a whole question counts. The last one fits any question."""
        of_wordings = (
            (pattern.pattern, self.answers[template])
            for pattern, template in _patterns()
            if template in self.answers
        )
        return (*of_wordings, (_ANY_QUESTION, self.usual))


def training_answers(first: int, last: int) -> list[tuple[str, str]]:
    """Generates the training episodes from `first` to before `last`; returns template and answer of each."""
    truths = (question_episode(TRAINING_SEED, index).truth for index in range(first, last))
    return [(truth.template, truth.answer) for truth in truths]


def load_training_answers(path: Path = PRIOR_FILE) -> list[tuple[str, str]]:
    """Returns template and answer of each stored training episode."""
    return [(template, answer) for template, answer in json.loads(path.read_text(encoding="utf-8"))]


@cache
def blind_prior() -> BlindPrior:
    """Returns the stored prior."""
    return BlindPrior.of(load_training_answers())


def template_of(text: str) -> str:
    """Returns the name of the template of a question; empty when no wording fits."""
    return next((template for pattern, template in _patterns() if pattern.fullmatch(text)), "")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Returns patterns of all wordings with the names of their templates, those with most words of their own first."""
    wordings = {
        wording: template.name
        for templates in CATALOGUE.values()
        for template in templates
        for wording in template.wordings
    }
    ordered = sorted(wordings, key=lambda wording: (-len(_own_words(wording)), wording))
    return tuple((_pattern(wording), wordings[wording]) for wording in ordered)


def _own_words(wording: str) -> str:
    return re.sub(r"\{\w+\}", "", wording)


def _pattern(wording: str) -> re.Pattern[str]:
    verb = wording.replace("{are}", "@")  # one word, so that it takes no part of a noun
    begun = verb if verb.startswith("@") else sentence(verb)
    escaped = _PLACE.sub("(?:.+)", re.escape(begun))
    return re.compile(escaped.replace("@", "(?:is|are|Is|Are)"))


def _most_frequent(counts: Counter[str]) -> str:
    """Returns the most frequent answer, the first in the alphabet of several."""
    return min(counts, key=lambda answer: (-counts[answer], answer))
