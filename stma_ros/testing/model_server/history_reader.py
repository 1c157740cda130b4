"""Reads back what a prompt says of the past of a text game: lessons, summary, and the records of the history buffer.

It undoes `lessons_text` (components.temporal_memory.temporal_memory), the text of `TextSummariser`'s summaries and
`memory.working.records`. Texts that somebody else worded are kept whole; the rules find in them what they can.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.domains.cooking.notes import read_notes
from stma_ros.testing.model_server.sections import blocks, read_action, sections
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation

_LESSONS = "What I learnt from failing at this task before:"
_LESSON = re.compile(r"\nAfter attempt \d+:\n")
_AFTER_LESSONS = re.compile(
    r"\n\n(?=Task: |Plan under way: |Instructions found:\n|Action: |Step: \d+(?:\n|\Z))"
)

_RECORD_HEAD = r"(?:Action: (?P<action>.*)\n(?:Failed: (?P<failed>(?:.*\n)+?))?)?Step: (?P<step>\d+)(?=\n|\Z)"
_RECORD = re.compile(_RECORD_HEAD)
_RECORD_START = re.compile(rf"(?:\A|\n\n)(?={_RECORD_HEAD})")
_FIELDS = ("Feedback: ", "Observation: ", "Inventory: ", "Possible commands: ")

_INSTRUCTIONS = re.compile(
    r"^Instructions found:\n(.*?)(?=\nInstructions found:\n|\nDone: |\Z)", re.MULTILINE | re.DOTALL
)
_DONE = re.compile(r"^Done: (.*)\.$", re.MULTILINE)
_NOTE = re.compile(r"^Step \d+.*$", re.MULTILINE)
_PROGRESS = re.compile(r"^Progress: (.*)\.$", re.MULTILINE)
_ADVICE = re.compile(r"^Advice: (.*)\.\Z", re.MULTILINE | re.DOTALL)
_NOTHING_DONE = "nothing yet"
_NEXT_ADVICE = re.compile(r"; (?=do not repeat |find the )")


def read_temporal(text: str) -> TemporalBelief:
    """The temporal belief of this text, as far as a prompt shows it; `text` is all of it."""
    lessons, rest = _lessons(text)
    told = read_summary(rest)
    return TemporalBelief(
        active_goals=told.active_goals,
        completed=told.completed,
        observations=told.observations,
        instructions=told.instructions,
        progress=told.progress,
        suggestions=told.suggestions,
        lessons=lessons,
        text=text,
    )


def _lessons(text: str) -> tuple[tuple[str, ...], str]:
    """The lessons, and what follows them."""
    if not text.startswith(f"{_LESSONS}\n"):
        return (), text
    end = _AFTER_LESSONS.search(text)
    told, rest = (text[: end.start()], text[end.end() :]) if end else (text.removesuffix("\n"), "")
    return tuple(_LESSON.split(told)[1:]), rest


def read_summary(text: str) -> Summary:
    """Of a summary, and of records after it that nobody has summarised. Each outcome has the step of its note; those
    that are older than all notes have step 0."""
    raw = _RECORD_START.search(text)
    told, untold = (text[: raw.start()], text[raw.end() :]) if raw else (text, "")
    notes = tuple(_NOTE.findall(told))
    advice = _ADVICE.search(told)
    suggestions = tuple(_NEXT_ADVICE.split(advice[1])) if advice else ()
    later = (record.last_outcome for record in read_records(untold))
    return Summary(
        tuple(re.findall(r"\ATask: (.*)$", told, re.MULTILINE)),
        (*_completed(told, notes, suggestions), *(outcome for outcome in later if outcome.request_id)),
        (*notes, *([untold] if notes and untold else [])),
        tuple(_INSTRUCTIONS.findall(told)),
        "".join(_PROGRESS.findall(told)[-1:]),
        suggestions,
        text,
    )


def _completed(told: str, notes: tuple[str, ...], suggestions: tuple[str, ...]) -> Iterator[Outcome]:
    """Repeated actions some of which failed: the first ones count as failed."""
    done = _DONE.search(told)
    commands = done[1].split(", ") if done and done[1] != _NOTHING_DONE else []
    steps = [note.step for note in read_notes("\n".join(notes)) if note.step > 0]
    warnings = list(suggestions)
    for back, command in zip(range(len(commands), 0, -1), commands, strict=True):
        failure = f"do not repeat {command!r} as it was: "
        warning = next((text for text in warnings if text.startswith(failure)), None)
        if warning is not None:
            warnings.remove(warning)
        step = steps[-back] if back <= len(steps) else 0
        yield _outcome(command, step, None if warning is None else warning.removeprefix(failure))


def _outcome(command: str, step: int, failed: str | None) -> Outcome:
    return Outcome(
        request_id=f"step {step}",
        step=step,
        action=read_action(command),
        result=Result.SUCCEEDED if failed is None else Result.FAILED,
        error=Error() if failed is None else Error(ErrorCode.ACTION_NOT_ALLOWED, failed),
    )


def read_records(text: str) -> tuple[Observation, ...]:
    """Of records one after the other, as `memory.working.records.record_text` words each."""
    return tuple(_record(block.removeprefix("\n\n")) for block in blocks(text, _RECORD_START))


def _record(text: str) -> Observation:
    head = _RECORD.match(text)
    assert head is not None  # it was found by the same pattern
    told = sections(text[head.end() :].removeprefix("\n"), _FIELDS, between="\n")
    step = int(head["step"])
    commands = told.get("Possible commands", "")
    failed = None if head["failed"] is None else head["failed"].removesuffix("\n")
    return Observation(
        step=step,
        last_outcome=_outcome(head["action"], step, failed) if head["action"] else Outcome(),
        feedback=told.get("Feedback", ""),
        description=told.get("Observation", ""),
        inventory=told.get("Inventory", ""),
        admissible_commands=tuple(commands.split("; ")) if commands else (),
    )
