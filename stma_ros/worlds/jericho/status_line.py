"""Separates a story's replies from its status line, and reads room and score from both.

The interpreter returns all characters in the order of printing, without their positions on the screen. In stories of
version 3 and below, it prints the status line itself, before it reads the next command, so that a reply begins with it.
Later stories print theirs after the prompt, at the end of a reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LEADING = re.compile(
    r"\A[\s>]*(?P<status>[^\n]*?[ ]{8,}(?:Score:\s+-?\d+\s+Moves:\s+-?\d+|Time:\s+\d+:\d\d [ap]m))[^\S\n]*\n"
)
_TRAILING = re.compile(r"(?:(?:\A|\n)>|[ ]{40,})[ ]*(?P<status>[^\n]*)\Z")
"""Matches the prompt and what follows it; questions without a prompt are recognised by the width of the line."""

_LABELLED_SCORE = re.compile(r"score:\s*(?P<score>-?\d+)", re.IGNORECASE)
_RIGHT_SIDE = re.compile(r"\s*(?:score|time):.*|\s{2,}.*", re.IGNORECASE)
_SCORE_SENTENCE = re.compile(r"\bscored?\b[^\d\n-]{0,40}(?P<score>-?\d+)(?P<rest>[^\n]*)", re.IGNORECASE)
_MAX_SCORE = re.compile(
    r"\A[^\d]{0,20}(?:total of|out of|possible|maximum)[^\d\n]{0,20}(?P<max_score>\d+)", re.I
)


@dataclass(frozen=True)
class Screen:
    """What a story has printed. status: its status line; empty if there is none."""

    reply: str
    status: str


@dataclass(frozen=True)
class Points:
    """A score, and the largest possible score; None for what the story does not state."""

    score: int | None = None
    max_score: int | None = None


def split_screen(text: str) -> Screen:
    """Separates the reply from status line and prompt."""
    leading = _LEADING.match(text)
    if leading is not None:
        return Screen(text[leading.end() :].strip(), leading["status"])
    trailing = _TRAILING.search(text)
    if trailing is not None:
        return Screen(text[: trailing.start()].strip(), trailing["status"].strip())
    return Screen(text.strip(), "")


def score_of_status(status: str) -> int | None:
    """Returns the score that a status line labels as such; None if there is none."""
    labelled = _LABELLED_SCORE.search(status)
    return None if labelled is None else int(labelled["score"])


def room_of_status(status: str, score: int | None) -> str:
    """Returns the left side of a status line, where the room is.

    Args:
        status: The status line. Its right side may be "10/5", score and turns, without a gap to the room.
        score: The score, with which "Cell 1" and "0/5" are told from "Cell" and "10/5"; None if it is unknown.
    """
    left = _RIGHT_SIDE.sub("", status)
    for number in (r"\d+" if score is None else str(score), r"\d+"):
        room, found = re.subn(rf"\s*{number}/\d+\Z", "", left)
        if found:
            return room
    return left


def points_of_reply(reply: str) -> Points:
    """Returns the score that a reply states in a sentence, as replies to `score` do."""
    said = _SCORE_SENTENCE.search(reply)
    if said is None:
        return Points()
    largest = _MAX_SCORE.match(said["rest"])
    return Points(int(said["score"]), None if largest is None else int(largest["max_score"]))
