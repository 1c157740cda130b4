"""Condenses the history of a text game (STMA, section 4.1): a note for each step, and the recipe word for word."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.roles.symbolic.text.notes import Note, read_notes
from stma_ros.roles.symbolic.text.recipe import recipe_text
from stma_ros.roles.symbolic.text.scene import read_scene
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation

_EARLIER = 50  # commands remembered beyond the history buffer, so that the summary stays of one length


class TextSummariser:
    """A SummariserRole. A note lives as long as its record does in the history buffer; what instructs is kept for good,
    and of what was done before, each command once."""

    def summarise(self, query: SummariseQuery) -> Summary:
        fresh = query.records[len(query.records) - query.fresh :]
        oldest = query.records[0].step if query.records else 0
        kept = [note for note in read_notes("\n".join(query.previous.observations)) if note.step >= oldest]
        notes = tuple(map(str, (*kept, *map(note_of, fresh))))
        outcomes = (record.last_outcome for record in fresh if record.last_outcome.request_id)
        completed = _condensed((*query.previous.completed, *outcomes), oldest)
        read = (recipe_text(record.feedback) for record in fresh)
        instructions = tuple(dict.fromkeys((*query.previous.instructions, *filter(None, read))))
        progress = _progress(completed, instructions)
        suggestions = tuple(_suggestions(completed, instructions))
        text = _text(query.task, notes, completed, instructions, progress, suggestions)
        return Summary((query.task,), completed, notes, instructions, progress, suggestions, text)


def note_of(record: Observation) -> Note:
    """What a record holds, condensed."""
    done = record.last_outcome
    action = str(done.action) if done.request_id and done.result == Result.SUCCEEDED else ""
    return Note(
        record.step, action, read_scene(record.description, record.inventory, record.admissible_commands)
    )


def _condensed(outcomes: Iterable[Outcome], oldest: int) -> tuple[Outcome, ...]:
    """All of the history buffer; of what lies before it the last of each command, and of these the newest."""
    done = tuple(outcomes)
    last = {str(outcome.action): outcome for outcome in done}
    earlier = [o for o in done if o.step < oldest and last[str(o.action)] is o]
    return *earlier[-_EARLIER:], *(o for o in done if o.step >= oldest)


def _progress(completed: Iterable[Outcome], instructions: Iterable[str]) -> str:
    moves = sum(str(outcome.action).startswith("go ") for outcome in completed)
    known = "the recipe is known" if any(instructions) else "the recipe is not known yet"
    return f"{known}; {moves} moves remembered"


def _suggestions(completed: Iterable[Outcome], instructions: Iterable[str]) -> Iterable[str]:
    if not any(instructions):
        yield "find the instructions first"
    for outcome in completed:
        if outcome.result == Result.FAILED:
            yield f"do not repeat {str(outcome.action)!r} as it was: {outcome.error.text}"


def _text(
    task: str,
    notes: Iterable[str],
    completed: Iterable[Outcome],
    instructions: Iterable[str],
    progress: str,
    suggestions: Iterable[str],
) -> str:
    commands = ", ".join(str(o.action) for o in completed if o.action.skill == words.SKILL_COMMAND)
    lines = [f"Task: {task}"]
    lines += [f"Instructions found:\n{text}" for text in instructions]
    lines += [f"Done: {commands or 'nothing yet'}.", *notes, f"Progress: {progress}."]
    lines += [f"Advice: {'; '.join(suggestions)}."] if suggestions else []
    return "\n".join(lines)
