"""Records of the history without a summary (STMA, table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


def raw_summary(records: Sequence[Observation]) -> Summary:
    """Returns a summary that condenses nothing: its text is the records, one after the other."""
    return Summary(
        completed=tuple(record.last_outcome for record in records if record.last_outcome.request_id),
        text="\n\n".join(map(record_text, records)),
    )


def record_text(record: Observation) -> str:
    """Returns the text of one record: the action, its outcome, and the observation."""
    return "\n".join(_lines(record))


def _lines(record: Observation) -> Iterator[str]:
    outcome = record.last_outcome
    if outcome.request_id and outcome.action.skill != words.SKILL_OBSERVE:
        yield f"Action: {outcome.action}"
        if outcome.error:
            yield f"Failed: {outcome.error.text or outcome.error.code.name}"
    yield f"Step: {record.step}"
    if record.feedback:
        yield f"Feedback: {record.feedback}"
    if record.description:
        yield f"Observation: {record.description}"
    if record.inventory:
        yield f"Inventory: {record.inventory}"
    if record.admissible_commands:
        yield f"Possible commands: {'; '.join(record.admissible_commands)}"
