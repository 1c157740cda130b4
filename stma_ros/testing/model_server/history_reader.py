"""Parses the history of a text game from a prompt: lessons, the summary, and records of the history buffer.

It is the inverse of `lessons_text` (components.temporal_memory.temporal_memory), of the texts of `TextSummariser`, and
of `memory.working.records`. Texts in other words are passed on unchanged to the rules, which read them in part.
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
    """Parses a temporal belief, as far as a prompt shows it; its `text` is the whole text."""
    lessons, rest = _lessons(text)
    summary = read_summary(rest)
    return TemporalBelief(
        active_goals=summary.active_goals,
        completed=summary.completed,
        observations=summary.observations,
        instructions=summary.instructions,
        progress=summary.progress,
        suggestions=summary.suggestions,
        lessons=lessons,
        text=text,
    )


def _lessons(text: str) -> tuple[tuple[str, ...], str]:
    """Returns the lessons, and the text after them."""
    if not text.startswith(f"{_LESSONS}\n"):
        return (), text
    end = _AFTER_LESSONS.search(text)
    lessons, rest = (text[: end.start()], text[end.end() :]) if end else (text.removesuffix("\n"), "")
    return tuple(_LESSON.split(lessons)[1:]), rest


def read_summary(text: str) -> Summary:
    """Parses a summary, and the records after it that are not summarised yet.

    Each outcome has the step of its note; outcomes that are older than all notes have step 0.
    """
    raw = _RECORD_START.search(text)
    summary, records = (text[: raw.start()], text[raw.end() :]) if raw else (text, "")
    notes = tuple(_NOTE.findall(summary))
    advice = _ADVICE.search(summary)
    suggestions = tuple(_NEXT_ADVICE.split(advice[1])) if advice else ()
    later = (record.last_outcome for record in read_records(records))
    return Summary(
        tuple(re.findall(r"\ATask: (.*)$", summary, re.MULTILINE)),
        (*_completed(summary, notes, suggestions), *(outcome for outcome in later if outcome.request_id)),
        (*notes, *([records] if notes and records else [])),
        tuple(_INSTRUCTIONS.findall(summary)),
        "".join(_PROGRESS.findall(summary)[-1:]),
        suggestions,
        text,
    )


def _completed(summary: str, notes: tuple[str, ...], suggestions: tuple[str, ...]) -> Iterator[Outcome]:
    """Yields the outcomes of a summary.

    A summary does not show which of several equal actions failed; the first ones are taken to have failed.
    """
    done = _DONE.search(summary)
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
    """Parses consecutive records in the format of `memory.working.records.record_text`."""
    return tuple(_record(block.removeprefix("\n\n")) for block in blocks(text, _RECORD_START))


def _record(text: str) -> Observation:
    head = _RECORD.match(text)
    assert head is not None  # the text was found by the same pattern
    fields = sections(text[head.end() :].removeprefix("\n"), _FIELDS, between="\n")
    step = int(head["step"])
    commands = fields.get("Possible commands", "")
    failed = None if head["failed"] is None else head["failed"].removesuffix("\n")
    return Observation(
        step=step,
        last_outcome=_outcome(head["action"], step, failed) if head["action"] else Outcome(),
        feedback=fields.get("Feedback", ""),
        description=fields.get("Observation", ""),
        inventory=fields.get("Inventory", ""),
        admissible_commands=tuple(commands.split("; ")) if commands else (),
    )
