"""Answerer: answers the question if the evidence suffices, or has the exploration go on (Pred-EQA, figure 8)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.roles.exploration import (
    VISION_SAMPLING,
    FrontierQuery,
    read_positions,
    rendering_of,
    shown,
    text_of,
)
from stma_ros.roles.picture_numbers import without_picture_numbers
from stma_ros.roles.rendering import sections
from stma_ros.roles.spec import Rendering, Role, RoleSpec, UnusableReplyError, Wait

EXPLORED, LAST = "everything that can be reached was explored", "it ends now, this is the last question"
"""What a question says of the exploration."""

EARLIER = "Taken earlier"
"""Heading of the snapshots that are so old that things may have moved since."""

MAX_WORDS = 60
"""Most words of a model's answer."""


@dataclass(frozen=True)
class AnswerQuery(FrontierQuery):
    """The question to the answerer.

    Attributes:
        is_explored: whether there is no way on: what was not seen is nowhere.
        must_answer: whether the exploration ends now, so that the best answer is wanted, however sure.
        seen_ago: for each snapshot how long ago it was taken ("2 h ago") if that was before the task and so long ago
            that things may have moved since; empty texts for the others. Empty = none is so old.
    """

    is_explored: bool = False
    must_answer: bool = False
    seen_ago: tuple[str, ...] = ()

    @property
    def old(self) -> tuple[int, ...]:
        """Positions of the snapshots that are so old."""
        return tuple(number for number, ago in enumerate(self.seen_ago) if ago)


@dataclass(frozen=True)
class CloserLook:
    """A thing that is to be seen from nearer.

    Attributes:
        snapshot: position of a snapshot that shows it.
        detection: its position in the detections of that snapshot.
    """

    snapshot: int
    detection: int


@dataclass(frozen=True)
class QuestionAnswer:
    """The answerer's answer.

    Attributes:
        answer: empty = the exploration goes on; with `must_answer`, the answer is not known.
        evidence: positions of the snapshots that it rests on; without an answer those old ones whose places have to be
            looked at again, the most telling first.
        is_sure: whether the evidence suffices; False for a guess that was demanded.
        reasoning: what is known, and what is missing.
        closer: without an answer, things that the pictures show too small to tell, the most telling first.
    """

    answer: str
    evidence: tuple[int, ...] = ()
    is_sure: bool = True
    reasoning: str = ""
    closer: tuple[CloserLook, ...] = ()


AnswererRole: TypeAlias = Role[AnswerQuery, QuestionAnswer]
"""Returns an answer with its evidence, or none."""


def _state(query: AnswerQuery) -> str:
    facts = [text for text, holds in ((EXPLORED, query.is_explored), (LAST, query.must_answer)) if holds]
    old = [f"Snapshot {number} ({query.seen_ago[number]})" for number in query.old]
    return sections(
        f"{EARLIER}: {', '.join(old)}" if old else "",
        f"Exploration: {'; '.join(facts)}" if facts else "",
    )


def _text(query: AnswerQuery) -> str:
    return text_of(shown(query, state=_state(query)))


def _render(query: AnswerQuery) -> Rendering:
    return rendering_of(shown(query, state=_state(query)))


@dataclass(frozen=True)
class CloserReply:
    """snapshot: its number; thing: short name of a thing in it."""

    snapshot: int
    thing: str


@dataclass(frozen=True)
class AnswerReply:
    """answer: empty to explore on; evidence: numbers of the snapshots that show it, with an empty answer those to look
    at again; sure: whether they suffice; closer: things to be seen from nearer, only with an empty answer."""

    reasoning: str
    answer: str
    evidence: list[int]
    sure: bool
    closer: list[CloserReply]


def _read(reply: AnswerReply, query: AnswerQuery) -> QuestionAnswer:
    answer, reasoning = without_picture_numbers(reply.answer), reply.reasoning.strip()
    evidence = read_positions(reply.evidence, len(query.snapshots), "snapshot")
    if not answer:
        again = tuple(number for number in dict.fromkeys(reply.evidence) if number in query.old)
        closer = tuple(_closer_look(each, query) for each in reply.closer)
        return QuestionAnswer("", again, is_sure=False, reasoning=reasoning, closer=closer)
    if len(answer.split()) > MAX_WORDS:
        raise UnusableReplyError(f"the answer is {len(answer.split())} words long; write {MAX_WORDS} at most")
    if reply.sure and not evidence and not query.is_explored:
        raise UnusableReplyError(
            "the answer is sure, and no snapshot shows it: name those that do, or say that it is not sure"
        )
    if not reply.sure and not query.must_answer:
        raise UnusableReplyError(
            "the answer is not sure, and the exploration can go on: leave the answer empty to explore on"
        )
    return QuestionAnswer(answer, evidence, reply.sure, reasoning)


def _closer_look(reply: CloserReply, query: AnswerQuery) -> CloserLook:
    (number,) = read_positions([reply.snapshot], len(query.snapshots), "snapshot")
    wanted = reply.thing.strip().casefold()
    shown = [found.category for found in query.snapshots[number].detections]
    # A model says "silver laptop" or "laptop on the desk" of what the detector calls a laptop.
    fitting = [at for at, name in enumerate(shown) if re.search(rf"\b{re.escape(name.casefold())}\b", wanted)]
    if not fitting:
        there = ", ".join(dict.fromkeys(shown)) or "nothing that can be driven up to"
        raise UnusableReplyError(
            f"the robot finds no {reply.thing!r} in snapshot {number} to look at closer; it finds: {there}"
        )
    detections = query.snapshots[number].detections
    largest = max(fitting, key=lambda at: (len(shown[at]), detections[at].pixels))
    return CloserLook(number, largest)


ANSWERER = RoleSpec(
    name="answerer",
    question=AnswerQuery,
    answer=QuestionAnswer,
    reply=AnswerReply,
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.PLAN,
    questions=2,  # and once more when the exploration turns out to end
    has_images=True,
    follows_default=False,
    sampling=VISION_SAMPLING,
)
