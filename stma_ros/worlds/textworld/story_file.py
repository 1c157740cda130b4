"""Checks that a game's file is complete, before the interpreter would end the process on a damaged one."""

from __future__ import annotations

from pathlib import Path

from stma_ros.types.errors import WorldError

# The header, by the Z-machine Standards Document 1.1, section 11.
_VERSION = 8
_HEADER = 64  # bytes
_LENGTH, _CHECKSUM = slice(0x1A, 0x1C), slice(0x1C, 0x1E)
_LENGTH_UNIT = 8  # bytes


def check_story(path: Path) -> None:
    """Raises WorldError for a file that cannot be read, is no game or is damaged."""
    try:
        story = path.read_bytes()
    except OSError as error:
        raise WorldError(f"the game {path} cannot be read: {error}") from error
    if len(story) < _HEADER or story[0] != _VERSION:
        raise WorldError(f"{path} is no game that can be played: give a .z8 file that tw-make has written")
    length = _LENGTH_UNIT * int.from_bytes(story[_LENGTH], "big")
    checksum = int.from_bytes(story[_CHECKSUM], "big")
    if len(story) < length or sum(story[_HEADER:length]) % 2**16 != checksum:
        raise WorldError(f"the game {path} is damaged; remove it and have it made again")
