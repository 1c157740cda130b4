"""Times in words."""

from __future__ import annotations

from stma_ros.types.standard import Time


def ago(then: Time, now: Time) -> str:
    """Returns the time since a stamp in words, in the largest suitable unit: "3 min ago"."""
    seconds = max(0.0, now.seconds - then.seconds)
    for unit, length, least in (("days", 86400, 2), ("h", 3600, 2), ("min", 60, 1), ("s", 1, 1)):
        if seconds >= least * length:
            return f"{int(seconds / length)} {unit} ago"
    return "just now"
