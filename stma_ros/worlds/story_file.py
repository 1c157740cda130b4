"""Properties of story files of the z-machine, read from their headers.

The layout is that of the Z-machine Standards Document 1.1, section 11.
"""

from __future__ import annotations

HEADER = 64
"""Length of a header [bytes]."""

_LENGTH, _CHECKSUM = slice(0x1A, 0x1C), slice(0x1C, 0x1E)
_LENGTH_UNITS = {1: 2, 2: 2, 3: 2, 4: 4, 5: 4}  # by version [bytes]
_LENGTH_UNIT = 8  # of later versions [bytes]


def story_version(story: bytes) -> int:
    """Returns the version of the z-machine that a story is made for; 0 if it is shorter than a header."""
    return story[0] if len(story) >= HEADER else 0


def stated_length(story: bytes) -> int:
    """Returns the length of a story by its header [bytes]; 0 if the header does not state one, as some do not."""
    unit = _LENGTH_UNITS.get(story_version(story), _LENGTH_UNIT)
    return unit * int.from_bytes(story[_LENGTH], "big")


def is_undamaged(story: bytes) -> bool:
    """Returns whether a story is as long as its header states, and has the checksum that the header states. A story
    whose header does not state a length passes."""
    length = stated_length(story)
    if not length:
        return True
    checksum = int.from_bytes(story[_CHECKSUM], "big")
    return len(story) >= length and sum(story[HEADER:length]) % 2**16 == checksum
