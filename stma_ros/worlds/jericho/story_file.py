"""Reads story files, and refuses those that the interpreter cannot run."""

from __future__ import annotations

from pathlib import Path

from stma_ros.types.errors import ConfigurationError
from stma_ros.worlds.story_file import HEADER, is_undamaged, stated_length, story_version

VERSIONS = (1, 2, 3, 4, 5, 7, 8)
"""The versions of the z-machine that have no graphics."""

GIVE_A_STORY = "give the path of a story file of the z-machine, such as zork1.z3, or any .z5 or .z8 file"

_OTHERS = {
    b"Glul": "it is a Glulx story",
    b"FORM": "it is a Blorb archive; extract its story",
}
_SECTIONS = {"code": 0x06, "dictionary": 0x08, "objects": 0x0A, "globals": 0x0C, "static memory": 0x0E}
"""Places in the header of the addresses of sections."""


def read_story(scene: str) -> bytes:
    """Returns the content of a story file.

    Args:
        scene: Path of the file.

    Raises:
        ConfigurationError: It cannot be read, is no story, is one of another machine, or is damaged.
    """
    if not scene:
        raise ConfigurationError(f"no story to play yet: {GIVE_A_STORY}, as the scene")
    try:
        story = Path(scene).expanduser().read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"the story {scene!r} cannot be read: {error.strerror or error}; {GIVE_A_STORY}"
        ) from error
    fault = _fault_of(story)
    if fault:
        raise ConfigurationError(f"the story {scene!r} cannot be played: {fault}; {GIVE_A_STORY}")
    return story


def _fault_of(story: bytes) -> str:
    """Returns why a story cannot be played; empty if nothing speaks against it."""
    if len(story) < HEADER:
        return f"it has {len(story)} bytes, fewer than the header of a story"
    if story[:4] in _OTHERS:
        return _OTHERS[story[:4]]
    version = story_version(story)
    if version not in VERSIONS:
        return f"its first byte is {version}, which is none of the versions {', '.join(map(str, VERSIONS))}"
    if len(story) < stated_length(story):
        return f"it is cut off after {len(story)} of {stated_length(story)} bytes"
    if not is_undamaged(story):
        return "it is damaged: its checksum is wrong"
    for section, place in _SECTIONS.items():
        address = int.from_bytes(story[place : place + 2], "big")
        if not HEADER <= address < len(story):
            return f"it is damaged or cut off: its {section} would begin at byte {address} of {len(story)}"
    return ""
