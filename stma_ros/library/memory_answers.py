"""Answers of memories to questions, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.memory.question_answerer import RecalledAnswer

DO_NOT_KNOW = "I do not know"
AS_FAR_AS_KNOWN = "As far as I know"


def answer_text(found: RecalledAnswer, sightings: Sequence[str]) -> str:
    """Returns the answer as sentences: with what it rests on, and what is missing where it is not sure.

    Args:
        found: The answer.
        sightings: Where and when each of the things was seen last, as sentences.
    """
    missing = f"What is missing: {found.missing}." if found.missing and not found.is_sure else ""
    if not found.answer:
        said = f"{DO_NOT_KNOW}."
    elif found.is_sure:
        said = f"{found.answer[0].upper()}{found.answer[1:]}."
    else:
        said = f"{AS_FAR_AS_KNOWN}: {found.answer}."
    return " ".join(filter(None, (said, missing, *sightings)))
