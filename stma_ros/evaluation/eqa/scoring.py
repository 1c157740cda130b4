"""The scores of answers, those of OpenEQA's protocol, and the interface of what gives them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

SAME: Final = 5  # it says what a right answer says
RIGHT: Final = 4  # it is right, and less or more detailed
PARTLY: Final = 3
BARELY: Final = 2
WRONG: Final = 1


class Judge(Protocol):
    """Scores answers."""

    def score(self, question: str, answers: Sequence[str], prediction: str) -> int | None:
        """Returns the score of a prediction, 1 to 5; None if the prediction is empty, that is, there is no answer.

        Args:
            question: the question as it was asked.
            answers: right answers, at least one; the best score with any of them counts.
            prediction: the answer to score.
        """
        ...
