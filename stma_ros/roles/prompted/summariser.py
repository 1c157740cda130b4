"""A summariser of text games that is a chat model (STMA, section 4.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from stma_ros.roles.contracts import SummariseQuery, SummariserRole
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.replies import Note, SummaryReply
from stma_ros.roles.text_summary import completed, fresh_records, oldest_step, summary_text
from stma_ros.types.belief import Summary

_NOTED = re.compile(r"Step (\d+)\b", re.IGNORECASE)


class PromptedSummariser:
    """A SummariserRole. The model notes what is new; what was noted before stays as it is, as long as its record is in
    the history buffer, and what was done is not a model's to say."""

    def __init__(self, line: Line, rules: SummariserRole | None = None) -> None:
        self._answering = Answering(
            line, "text/summariser", SummaryReply, _summary, rules.summarise if rules else None
        )

    def summarise(self, query: SummariseQuery) -> Summary:
        return self._answering.answer(query)


def _summary(reply: SummaryReply, query: SummariseQuery) -> Summary:
    _check_steps(reply.notes, [record.step for record in fresh_records(query)])
    oldest = oldest_step(query)
    steps = ((line, _step(line)) for line in query.previous.observations)
    kept = (line for line, step in steps if step is not None and step >= oldest)
    notes = (*kept, *(_line(note) for note in sorted(reply.notes, key=lambda note: note.step)))
    done = completed(query)
    goals = tuple(_said(reply.goals)) or (query.task,)
    instructions = tuple(dict.fromkeys((*query.previous.instructions, *_said(reply.instructions))))
    progress = "".join(_sentences([reply.progress]))
    suggestions = tuple(_sentences(reply.suggestions))
    text = summary_text(query.task, notes, done, instructions, progress, suggestions)
    return Summary(goals, done, notes, instructions, progress, suggestions, text)


def _check_steps(notes: Iterable[Note], wanted: Iterable[int]) -> None:
    """Raises UnusableReplyError unless there is one note for each step."""
    found = Counter(note.step for note in notes)
    steps = dict.fromkeys(wanted)
    problems = {
        "are missing": [step for step in steps if step not in found],
        "are not among what is new": [step for step in found if step not in steps],
        "are there more than once": [step for step, count in found.items() if count > 1],
    }
    told = [f"notes of steps {_listed(wrong)} {what}" for what, wrong in problems.items() if wrong]
    if told:
        raise UnusableReplyError(f"{'; '.join(told)}; give one note for each of the steps {_listed(steps)}")


def _line(note: Note) -> str:
    """A note as one line that tells its step."""
    said = " ".join(note.note.split())
    if not said:
        raise UnusableReplyError(f"the note of step {note.step} is empty")
    step = _step(said)
    if step is None:
        return f"Step {note.step}: {said}"
    if step != note.step:
        raise UnusableReplyError(f"the note of step {note.step} begins with 'Step {step}'")
    return said


def _step(line: str) -> int | None:
    """The step that a line begins with."""
    match = _NOTED.match(line)
    return int(match[1]) if match else None


def _listed(steps: Iterable[int]) -> str:
    return ", ".join(map(str, steps))


def _said(texts: Iterable[str]) -> Iterator[str]:
    return filter(None, map(str.strip, texts))


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    """On one line each, without their full stops, which the layout brings."""
    return filter(None, (" ".join(text.split()).rstrip(".") for text in texts))
