"""The history as it is: what a planner without a summariser is told (STMA, table 2)."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.types import vocabulary as words
from stma_ros.types.sensing import Observation


class RawHistory:
    """A SummariserRole that condenses nothing: the records of the history buffer, one after the other."""

    def summarise(self, query: SummariseQuery) -> Summary:
        return Summary(
            completed=tuple(
                record.last_outcome for record in query.records if record.last_outcome.request_id
            ),
            text="\n\n".join(record_text(record) for record in query.records),
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
