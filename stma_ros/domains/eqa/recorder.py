"""Rules for the recorder: what was seen for the first time, and where the robot went."""

from __future__ import annotations

import re

from stma_ros.roles.recorder import MAX_WORDS, NOTHING_NEW, RecordQuery, TrailEntry

_SENTENCE = re.compile(r"[^.!?]+[.!?]?")
_NUMBER = re.compile(r"\d+")


class SymbolicRecorder:
    """Joins the sentences of the roles that no earlier entry has."""

    def answer(self, query: RecordQuery) -> TrailEntry:
        known = {sentence for entry in query.trail for sentence in _sentences(entry)}
        said = [
            sentence
            for text in (query.manager, query.answerer, query.chooser)
            for sentence in _sentences(text)
            if sentence not in known
        ]
        words = " ".join(dict.fromkeys(said)).split()
        return TrailEntry(" ".join(words[:MAX_WORDS]) or NOTHING_NEW)


def _sentences(text: str) -> list[str]:
    """Returns the sentences of a text without digits, which may be ids."""
    return [each.strip() for each in _SENTENCE.findall(_NUMBER.sub("", text)) if each.strip()]
