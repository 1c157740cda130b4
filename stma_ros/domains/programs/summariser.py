"""Condenses the history of an activity (STMA, section 4.1): the last look at each room, and what was done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.domains.programs.observed_home import Look, read_looks, read_observation
from stma_ros.roles.summariser import SummariseQuery, completed, fresh_records, summary_text
from stma_ros.types.belief import Summary
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation


class ProgramsSummariser:
    """A SummariserRole. There are as many looks as rooms, however long the history is."""

    def answer(self, query: SummariseQuery) -> Summary:
        """Returns the summary, extended by the fresh records."""
        looks = {look.room: look for look in read_looks("\n".join(query.previous.observations))}
        looks |= {look.room: look for look in map(look_from_record, fresh_records(query)) if look.room}
        notes = tuple(map(str, sorted(looks.values(), key=lambda look: look.step)))
        done = completed(query)
        progress = f"{len(looks)} rooms seen, {len(done)} commands remembered"
        suggestions = tuple(_suggestions(done))
        text = summary_text(query.task, notes, done, (), progress, suggestions)
        return Summary((query.task,), done, notes, (), progress, suggestions, text)


def look_from_record(record: Observation) -> Look:
    """Returns the look that condenses a record."""
    return Look.of(record.step, read_observation(f"{record.description}\n{record.inventory}"))


def _suggestions(done: Iterable[Outcome]) -> Iterator[str]:
    for outcome in done:
        if outcome.result == Result.FAILED:
            yield f"do not repeat {str(outcome.action)!r} as it was: {outcome.error.text}"
