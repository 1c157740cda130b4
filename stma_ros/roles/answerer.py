"""Answerer: answers the question if the evidence suffices, or has the exploration go on (Pred-EQA, figure 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import ExplorationQuery
from stma_ros.roles.spec import Role


@dataclass(frozen=True)
class AnswerQuery(ExplorationQuery):
    """The question to the answerer.

    Attributes:
        is_explored: whether there is no way on: what was not seen is nowhere.
        must_answer: whether the exploration ends now, so that the best answer is wanted, however sure.
    """

    is_explored: bool = False
    must_answer: bool = False


@dataclass(frozen=True)
class QuestionAnswer:
    """The answerer's answer.

    Attributes:
        answer: empty = the exploration goes on; with `must_answer`, the answer is not known.
        evidence: positions of the snapshots that it rests on.
        is_sure: whether the evidence suffices; False for a guess that was demanded.
        reasoning: what is known, and what is missing.
    """

    answer: str
    evidence: tuple[int, ...] = ()
    is_sure: bool = True
    reasoning: str = ""


AnswererRole: TypeAlias = Role[AnswerQuery, QuestionAnswer]
"""Returns an answer with its evidence, or none."""
