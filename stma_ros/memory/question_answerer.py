"""The port through which a memory answers questions in the language of a domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time


@dataclass(frozen=True)
class RecalledAnswer:
    """What facts answer to a question.

    Attributes:
        answer: in few words: "yes", "red"; empty = they do not say.
        is_sure: whether it is known, and not only the best guess.
        missing: what is not known; empty = nothing is missing.
        things: ids of the things that the answer rests on.
    """

    answer: str
    is_sure: bool = False
    missing: str = ""
    things: tuple[str, ...] = ()


class QuestionAnswerer(Protocol):
    """Answers questions from facts."""

    def answer(self, question: str, facts: Sequence[Relation], now: Time) -> RecalledAnswer:
        """Returns what facts answer.

        Args:
            question: in the language of the domain.
            facts: of the things, rooms and frontiers of a scene.
            now: stamp up to which was looked.

        Raises:
            TaskNotUnderstoodError: the text asks nothing that can be read.
        """
        ...
