"""Compares a judge and the reader of questions with what people wrote: the questions and answers of OpenEQA's file.

Half of the questions, by a hash of their ids, is held out: rules are developed on the other half only.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.question import QuestionNotUnderstoodError
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.evaluation.eqa.judge import RuleJudge
from stma_ros.evaluation.eqa.question_files import EqaQuestion
from stma_ros.evaluation.eqa.scoring import RIGHT, SAME, WRONG, Judge

_OTHERS = 4  # answers of other questions that are compared with the right ones, for each question


@dataclass(frozen=True)
class CategoryAgreement:
    """How often the reader of questions gives the category of the file.

    Attributes:
        questions: number of questions.
        right: those with the file's category.
        refused: those that were refused by name; they are not right.
    """

    questions: int
    right: int
    refused: int


@dataclass(frozen=True)
class JudgeAgreement:
    """Scores of right and of wrong answers in other people's words.

    Attributes:
        positives: pairs of an answer and an extra answer to the same question.
        right: positives scored RIGHT or better.
        same: positives scored SAME.
        negatives: pairs of a question and the answer to another question of its category.
        wrong: negatives scored WRONG.
    """

    positives: int
    right: int
    same: int
    negatives: int
    wrong: int


def is_held_out(question: EqaQuestion) -> bool:
    """Whether a question belongs to the held-out half."""
    return hashlib.sha256(question.id.encode()).digest()[0] % 2 == 1


def category_agreement(parser: QuestionParser, questions: Iterable[EqaQuestion]) -> CategoryAgreement:
    """Returns how often the parsed category is the file's."""
    right = refused = number = 0
    for question in questions:
        number += 1
        try:
            right += parser.parse(question.question).category.value == question.category
        except QuestionNotUnderstoodError:
            refused += 1
    return CategoryAgreement(number, right, refused)


def judge_agreement(
    judge: Judge, questions: Sequence[EqaQuestion], exact: RuleJudge, seed: int = 0
) -> dict[str, JudgeAgreement]:
    """Returns the scores by category.

    Args:
        judge: the judge to test.
        questions: questions with their right answers.
        exact: finds answers of other questions that are word for word a right one, which are left out.
        seed: draws the other questions.
    """
    by_category: dict[str, list[EqaQuestion]] = defaultdict(list)
    for question in questions:
        by_category[question.category].append(question)
    rng = random.Random(seed)
    found = {}
    for category, group in by_category.items():
        positives = [
            judge.score(question.question, [question.answer], extra)
            for question in group
            for extra in question.extra_answers
        ]
        negatives = [
            judge.score(question.question, question.answers, answer)
            for question, answer in _wrong_answers(group, exact, rng)
        ]
        found[category] = JudgeAgreement(
            len(positives),
            sum(score is not None and score >= RIGHT for score in positives),
            positives.count(SAME),
            len(negatives),
            negatives.count(WRONG),
        )
    return found


def _wrong_answers(
    group: Sequence[EqaQuestion], exact: RuleJudge, rng: random.Random
) -> Iterator[tuple[EqaQuestion, str]]:
    for question in group:
        others = [other for other in group if other.id != question.id]
        for other in rng.sample(others, min(_OTHERS, len(others))):
            if not exact.is_exact(question.answers, other.answer):
                yield question, other.answer
