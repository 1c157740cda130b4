"""Recorder: sums up what was new at a step, for the trail (Pred-EQA, figure 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import TEXT_SAMPLING, TRAIL, trail_lines
from stma_ros.roles.picture_numbers import without_picture_numbers
from stma_ros.roles.rendering import headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait

MAX_WORDS = 150
"""Longest entry of a trail, as published."""

NOTHING_NEW = "Nothing new at this step."
"""The entry of a step at which nothing was found."""


@dataclass(frozen=True)
class RecordQuery:
    """The question to the recorder.

    Attributes:
        question: the question that is explored.
        trail: the entries before this one, oldest first.
        manager, answerer, chooser: what these roles said at the step.
    """

    question: str
    trail: tuple[str, ...]
    manager: str
    answerer: str
    chooser: str


@dataclass(frozen=True)
class TrailEntry:
    """The recorder's answer: at most MAX_WORDS words, without ids of pictures and frontiers."""

    text: str


RecorderRole: TypeAlias = Role[RecordQuery, TrailEntry]
"""Returns the entry of a step."""


def _text(query: RecordQuery) -> str:
    return sections(
        f"Question: {query.question}",
        headed(TRAIL, "\n".join(trail_lines(query.trail))),
        headed("Manager", query.manager),
        headed("Answerer", query.answerer),
        headed("Chooser", query.chooser),
    )


@dataclass(frozen=True)
class EntryReply:
    entry: str


def _read(reply: EntryReply, query: RecordQuery) -> TrailEntry:
    entry = without_picture_numbers(reply.entry)
    if not entry:
        raise UnusableReplyError(f"the entry is empty; if nothing was new, write: {NOTHING_NEW}")
    words = len(entry.split())
    if words > MAX_WORDS:
        raise UnusableReplyError(f"the entry is {words} words long; write {MAX_WORDS} at most")
    return TrailEntry(entry)


RECORDER = RoleSpec(
    name="recorder",
    question=RecordQuery,
    answer=TrailEntry,
    reply=EntryReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    sampling=TEXT_SAMPLING,
)
