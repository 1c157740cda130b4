"""Records of the history as they are, not condensed (STMA, table 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary
from stma_ros.types.sensing import Observation


def raw_summary(records: Sequence[Observation]) -> Summary:
    """A summary that condenses nothing: its text holds the records, one after the other."""
    return Summary(
        completed=tuple(record.last_outcome for record in records if record.last_outcome.request_id),
        text="\n\n".join(map(record_text, records)),
    )


def record_text(record: Observation) -> str:
    """One record in the words of the world: the action, what came of it, what was to be seen then."""
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
