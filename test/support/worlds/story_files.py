"""Stories of the z-machine: small ones made by hand, and a generated one."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from stma_ros.worlds.textworld.games import game_file, games_folder

GENERATED_SCENE, GENERATED_SEED = "level_2", 1_400_001
GENERATED = games_folder("") / "adventure.z8"
"""Path of a generated story, after a call of `generate_story`."""

_HEADER, _GLOBALS, _OBJECTS, _DICTIONARY = 64, 480, 62, 4  # lengths of the sections [bytes]

QUIT = b"\xba"
RUN_FOREVER = b"\x8c\xff\xff"  # a jump to itself
FILL_THE_STACK = (
    b"\xe8\x7f\x00\x8c\xff\xfc"  # a push, and a jump to it: the interpreter does not check its stack
)
ILLEGAL = b"\x00"
PRINT_A_RANDOM_NUMBER = b"\xe7\x7f\x64\x00\xe6\xbf\x00" + QUIT  # from 1 to 100
ECHO_KEYS = b"\xf6\x7f\x01\x00\xe5\xbf\x00\xbb\x8c\xff\xf7"  # on lines of their own; for version 4 and above


def generate_story() -> Path:
    """Generates the story `GENERATED` if it does not exist, and returns its path."""
    if not GENERATED.is_file():
        game = game_file(GENERATED_SCENE, GENERATED_SEED, games_folder(""))
        copy = GENERATED.with_suffix(f".{os.getpid()}")
        shutil.copy(game, copy)
        copy.replace(GENERATED)  # other processes may be copying the same one
    return GENERATED


def small_story(code: bytes, version: int = 3) -> bytearray:
    """Returns a story that executes `code`, without objects and words, and without length and checksum."""
    story = bytearray(_HEADER + _GLOBALS + _OBJECTS + _DICTIONARY)
    story[0] = version
    objects = _HEADER + _GLOBALS
    words = objects + _OBJECTS
    begin = words + _DICTIONARY
    sections = {0x04: begin, 0x06: begin, 0x08: words, 0x0A: objects, 0x0C: _HEADER, 0x0E: words}
    for place, address in sections.items():
        story[place : place + 2] = address.to_bytes(2, "big")
    story[words : words + _DICTIONARY] = (
        b"\x00\x07\x00\x00"  # no separators, entries of 7 bytes, none of them
    )
    return story + code + bytes(_HEADER)


def stated(story: bytearray) -> bytearray:
    """Returns a story of version 3 whose header states its length and its checksum."""
    story = bytearray(story) + bytes(len(story) % 2)
    story[0x1A:0x1C] = (len(story) // 2).to_bytes(2, "big")
    story[0x1C:0x1E] = (sum(story[_HEADER:]) % 2**16).to_bytes(2, "big")
    return story
