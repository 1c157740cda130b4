"""Summariser: adds new records to a condensed history of the task (STMA, section 4.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from stma_ros.memory.working.records import record_text
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind, opposite_directions
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary
from stma_ros.types.planning import Outcome
from stma_ros.types.sensing import Observation

_MAX_EARLIER = 50  # outcomes before the history buffer that stay in the summary, which bounds its length
_STEP = re.compile(r"Step (\d+)\b", re.IGNORECASE)


@dataclass(frozen=True)
class SummariseQuery:
    """The question to the summariser.

    Attributes:
        task: text of the task.
        previous: the summary so far.
        records: the history buffer, oldest first; each observation holds the outcome of the action before it.
        fresh: number of records at the end of the buffer that `previous` does not cover yet.
        subgoals: the subgoal of the action before each record; empty before the first plan.
    """

    task: str
    previous: Summary
    records: tuple[Observation, ...]
    fresh: int
    subgoals: tuple[str, ...] = ()


SummariserRole: TypeAlias = Role[SummariseQuery, Summary]
"""Returns the previous summary, extended by the fresh records."""

# -- the question as text


def _text(query: SummariseQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("So far", query.previous.text),
        headed("Since then", "\n\n".join(map(record_text, fresh_records(query)))),
    )


# -- parts of a summary that do not depend on the author of its notes, a model or rules


def fresh_records(query: SummariseQuery) -> tuple[Observation, ...]:
    """Returns the records that the previous summary does not cover yet."""
    return query.records[len(query.records) - query.fresh :]


def oldest_step(query: SummariseQuery) -> int:
    """Returns the first step of the history buffer. A summary drops its notes of earlier steps."""
    return query.records[0].step if query.records else 0


def completed(query: SummariseQuery) -> tuple[Outcome, ...]:
    """Returns the outcomes that a summary lists, oldest first.

    These are all outcomes of the history buffer and, of the time before, the last outcome of each command, at most
    _MAX_EARLIER of them.
    """
    fresh = (record.last_outcome for record in fresh_records(query) if record.last_outcome.request_id)
    done = (*query.previous.completed, *fresh)
    oldest = oldest_step(query)
    last = {str(outcome.action): outcome for outcome in done}
    earlier = [o for o in done if o.step < oldest and last[str(o.action)] is o]
    return *earlier[-_MAX_EARLIER:], *(o for o in done if o.step >= oldest)


def summary_text(
    task: str,
    notes: Iterable[str],
    done: Iterable[Outcome],
    instructions: Iterable[str],
    progress: str,
    suggestions: Iterable[str],
) -> str:
    """Returns the text of a summary.

    Args:
        task: text of the task.
        notes: one line for each note.
        done: outcomes, of which the text names the commands.
        instructions: texts that were found in the world, word for word.
        progress: one sentence without its full stop; empty = none.
        suggestions: sentences without their full stops.
    """
    commands = ", ".join(str(o.action) for o in done if o.action.skill == words.SKILL_COMMAND)
    advice = "; ".join(suggestions)
    lines = [f"Task: {task}"]
    lines += [f"Instructions found:\n{text}" for text in instructions]
    lines += [f"Done: {commands or 'nothing yet'}.", *notes]
    lines += [f"Progress: {progress}."] if progress else []
    lines += [f"Advice: {advice}."] if advice else []
    return "\n".join(lines)


# -- the reply


@dataclass(frozen=True)
class Note:
    """What was done and seen at one step, condensed."""

    step: int
    note: str


@dataclass(frozen=True)
class SummaryReply:
    """instructions: word for word, of those that were just found."""

    goals: list[str]
    notes: list[Note]
    instructions: list[str]
    progress: str
    suggestions: list[str]


def _read(reply: SummaryReply, query: SummariseQuery) -> Summary:
    """Returns the summary of a reply.

    Notes of the reply are added to the earlier notes of steps in the history buffer. Outcomes come from the records
    alone.
    """
    _check_steps(reply.notes, [record.step for record in fresh_records(query)])
    oldest = oldest_step(query)
    steps = ((line, _step(line)) for line in query.previous.observations)
    recent = (line for line, step in steps if step is not None and step >= oldest)
    notes = (*recent, *(_line(note) for note in sorted(reply.notes, key=lambda note: note.step)))
    done = completed(query)
    goals = tuple(_non_empty(reply.goals)) or (query.task,)
    instructions = tuple(dict.fromkeys((*query.previous.instructions, *_non_empty(reply.instructions))))
    progress = "".join(_sentences([reply.progress]))
    suggestions = tuple(_sentences(reply.suggestions))
    text = summary_text(query.task, notes, done, instructions, progress, suggestions)
    return Summary(goals, done, notes, instructions, progress, suggestions, text)


def _check_steps(notes: Iterable[Note], wanted: Iterable[int]) -> None:
    """Raises UnusableReplyError unless there is exactly one note for each of the steps."""
    found = Counter(note.step for note in notes)
    steps = dict.fromkeys(wanted)
    problems = {
        "are missing": [step for step in steps if step not in found],
        "are not among what is new": [step for step in found if step not in steps],
        "are there more than once": [step for step, count in found.items() if count > 1],
    }
    complaints = [f"notes of steps {_listed(wrong)} {what}" for what, wrong in problems.items() if wrong]
    if complaints:
        raise UnusableReplyError(
            f"{'; '.join(complaints)}; give one note for each of the steps {_listed(steps)}"
        )


def _line(note: Note) -> str:
    """Returns a note as one line that names its step."""
    text = " ".join(note.note.split())
    if not text:
        raise UnusableReplyError(f"the note of step {note.step} is empty")
    step = _step(text)
    if step is None:
        return f"Step {note.step}: {text}"
    if step != note.step:
        raise UnusableReplyError(f"the note of step {note.step} begins with 'Step {step}'")
    return text


def _step(line: str) -> int | None:
    """Returns the step at the beginning of a line, or None."""
    match = _STEP.match(line)
    return int(match[1]) if match else None


def _listed(steps: Iterable[int]) -> str:
    return ", ".join(map(str, steps))


def _non_empty(texts: Iterable[str]) -> Iterator[str]:
    return filter(None, map(str.strip, texts))


def _sentences(texts: Iterable[str]) -> Iterator[str]:
    """Yields each text as one line, without its full stop, which `summary_text` adds."""
    return filter(None, (" ".join(text.split()).rstrip(".") for text in texts))


# -- faults


def _corrupt(target: CorruptionInput[SummariseQuery, Summary]) -> Corrupted[Summary]:
    answer = target.answer
    newest = "".join(answer.observations[-1:])
    flipped = opposite_directions(newest)
    if target.kind is FaultKind.OUTDATED or flipped == newest:
        return Corrupted(target.question.previous, FaultKind.OUTDATED, "the summary before")
    observations = (*answer.observations[:-1], flipped)
    wrong = replace(answer, observations=observations, text=answer.text.replace(newest, flipped))
    return Corrupted(wrong, FaultKind.FLIPPED, flipped)


SUMMARISER = RoleSpec(
    name="summariser",
    question=SummariseQuery,
    answer=Summary,
    reply=SummaryReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.OUTDATED, FaultKind.FLIPPED),
    corrupt=_corrupt,
)
