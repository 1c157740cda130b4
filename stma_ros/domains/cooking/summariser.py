"""Condenses the history of a text game (STMA, section 4.1) to a note for each step and the recipe, word for word."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.domains.cooking.notes import Note, read_notes
from stma_ros.domains.cooking.recipe import recipe_text
from stma_ros.domains.cooking.scene import read_scene
from stma_ros.roles.summariser import SummariseQuery, completed, fresh_records, oldest_step, summary_text
from stma_ros.types.belief import Summary
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation


class TextSummariser:
    """A SummariserRole.

    A note is dropped together with its record in the history buffer. Instructions are never dropped, and each earlier
    command is listed once.
    """

    def answer(self, query: SummariseQuery) -> Summary:
        """Returns the summary, extended by the fresh records."""
        fresh, oldest = fresh_records(query), oldest_step(query)
        recent = [note for note in read_notes("\n".join(query.previous.observations)) if note.step >= oldest]
        notes = tuple(map(str, (*recent, *map(note_from_record, fresh))))
        done = completed(query)
        read = (recipe_text(record.feedback) for record in fresh)
        instructions = tuple(dict.fromkeys((*query.previous.instructions, *filter(None, read))))
        progress = _progress(done, instructions)
        suggestions = tuple(_suggestions(done, instructions))
        text = summary_text(query.task, notes, done, instructions, progress, suggestions)
        return Summary((query.task,), done, notes, instructions, progress, suggestions, text)


def note_from_record(record: Observation) -> Note:
    """Returns the note that condenses a record."""
    done = record.last_outcome
    action = str(done.action) if done.request_id and done.result == Result.SUCCEEDED else ""
    return Note(
        record.step, action, read_scene(record.description, record.inventory, record.admissible_commands)
    )


def _progress(done: Iterable[Outcome], instructions: Iterable[str]) -> str:
    moves = sum(str(outcome.action).startswith("go ") for outcome in done)
    known = "the recipe is known" if any(instructions) else "the recipe is not known yet"
    return f"{known}; {moves} moves remembered"


def _suggestions(done: Iterable[Outcome], instructions: Iterable[str]) -> Iterable[str]:
    if not any(instructions):
        yield "find the instructions first"
    for outcome in done:
        if outcome.result == Result.FAILED:
            yield f"do not repeat {str(outcome.action)!r} as it was: {outcome.error.text}"
