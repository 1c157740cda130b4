"""Rules for an answerer that looks at nothing: the usual answer to a question of the same form."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stma_ros.roles.answerer import AnswerQuery, QuestionAnswer
from stma_ros.types.errors import ConfigurationError


@dataclass(frozen=True)
class PriorAnswerer:
    """Answers by priors alone, and is never sure.

    Attributes:
        priors: patterns of whole questions with the usual answers to them; the first that fits counts.
    """

    priors: Sequence[tuple[re.Pattern[str], str]] = ()

    def answer(self, query: AnswerQuery) -> QuestionAnswer:
        """Returns the usual answer; none where no pattern fits."""
        usual = next((answer for pattern, answer in self.priors if pattern.fullmatch(query.question)), "")
        reason = "That is the usual answer." if usual else "I have seen nothing, and no answer is usual."
        return QuestionAnswer(usual, is_sure=False, reasoning=reason)


def read_priors(path: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Returns the priors of a file: a JSON list of pairs [regular expression, answer].

    Args:
        path: the file; empty = there are no priors.

    Raises:
        ConfigurationError: the file cannot be read or holds something else.
    """
    if not path:
        return ()
    try:
        return tuple(
            (re.compile(pattern), str(answer))
            for pattern, answer in json.loads(Path(path).read_text(encoding="utf-8"))
        )
    except (OSError, ValueError, TypeError, re.error) as error:
        raise ConfigurationError(
            f"{path} holds no answer priors ({error}); write a JSON list of pairs such as "
            '["Is there (?:.+)\\\\?", "yes"]'
        ) from error
