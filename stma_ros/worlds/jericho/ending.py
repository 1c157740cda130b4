"""Recognises that a story is over, and whether it was won."""

from __future__ import annotations

import re

from stma_ros.types.sensing import EpisodeState

_BANNER = re.compile(r"^[ \t]*\*{3,}[ \t]*(?P<text>[^*\n]*[^*\s])[ \t]*\*{3,}[ \t]*$", re.MULTILINE)
_QUESTION = re.compile(r"\brestart\b[^\n]*\bquit\b", re.IGNORECASE)
_VICTORY = re.compile(r"\b(?:won|win|victory|victorious|the end)\b", re.IGNORECASE)


def looks_like_ending(reply: str) -> bool:
    """Returns whether a reply has a line such as "*** You have died ***", or asks whether to restart or quit.

    A text inside a story may have both, so that it proves nothing: some stories go on after a death.
    """
    return _BANNER.search(reply) is not None or _QUESTION.search(reply) is not None


def verdict(reply: str, score: float, max_score: float) -> EpisodeState:
    """Returns WON or LOST for a story that is over.

    It is won when it says so, or when all points are scored. Everything else counts as lost, such as the commands
    `quit` and `yes`.

    Args:
        reply: The last reply.
        score: The final score.
        max_score: The largest possible score; 0 if it is unknown.
    """
    banners = _BANNER.findall(reply)
    said_so = bool(banners) and _VICTORY.search(banners[-1]) is not None
    return EpisodeState.WON if said_so or 0 < max_score <= score else EpisodeState.LOST
