"""What every summary of a text game has in common, whoever wrote its notes: the commands that are remembered, and the
layout of its text."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.roles.contracts import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Outcome
from stma_ros.types.sensing import Observation

_EARLIER = 50  # commands remembered beyond the history buffer, so that the summary stays of one length


def fresh_records(query: SummariseQuery) -> tuple[Observation, ...]:
    """What the summary before does not hold yet."""
    return query.records[len(query.records) - query.fresh :]


def oldest_step(query: SummariseQuery) -> int:
    """Of the history buffer: what was noted of earlier steps is let go."""
    return query.records[0].step if query.records else 0


def completed(query: SummariseQuery) -> tuple[Outcome, ...]:
    """All of the history buffer; of what lies before it the last of each command, and of these the newest."""
    fresh = (record.last_outcome for record in fresh_records(query) if record.last_outcome.request_id)
    done = (*query.previous.completed, *fresh)
    oldest = oldest_step(query)
    last = {str(outcome.action): outcome for outcome in done}
    earlier = [o for o in done if o.step < oldest and last[str(o.action)] is o]
    return *earlier[-_EARLIER:], *(o for o in done if o.step >= oldest)


def summary_text(
    task: str,
    notes: Iterable[str],
    done: Iterable[Outcome],
    instructions: Iterable[str],
    progress: str,
    suggestions: Iterable[str],
) -> str:
    """notes: a line each. progress, suggestions: without a full stop."""
    commands = ", ".join(str(o.action) for o in done if o.action.skill == words.SKILL_COMMAND)
    advice = "; ".join(suggestions)
    lines = [f"Task: {task}"]
    lines += [f"Instructions found:\n{text}" for text in instructions]
    lines += [f"Done: {commands or 'nothing yet'}.", *notes]
    lines += [f"Progress: {progress}."] if progress else []
    lines += [f"Advice: {advice}."] if advice else []
    return "\n".join(lines)
