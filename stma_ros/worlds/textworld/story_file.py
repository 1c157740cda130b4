"""Checks that a game's file is complete, before the interpreter would end the process on a damaged one."""

from __future__ import annotations

from pathlib import Path

from stma_ros.types.errors import WorldError
from stma_ros.worlds.story_file import is_undamaged, story_version

_VERSION = 8


def check_story(path: Path) -> None:
    """Raises WorldError for a file that cannot be read, is no game or is damaged."""
    try:
        story = path.read_bytes()
    except OSError as error:
        raise WorldError(f"the game {path} cannot be read: {error}") from error
    if story_version(story) != _VERSION:
        raise WorldError(f"{path} is no game that can be played: give a .z8 file that tw-make has written")
    if not is_undamaged(story):
        raise WorldError(f"the game {path} is damaged; remove it and have it made again")
