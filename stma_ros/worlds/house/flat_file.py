"""Saves a flat in a file, and loads it: one JSON document, the same bytes for the same flat, without loss."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from stma_ros.types.errors import StorageError
from stma_ros.worlds.first_problem import first_problem
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE
from stma_ros.worlds.house.kinds.item_kinds import ALL_ITEMS
from stma_ros.worlds.robot.state import FLOOR

FORMAT, VERSION = "stma_ros flat", 2
_FLAT = TypeAdapter(Flat)


def flat_text(flat: Flat) -> str:
    """Returns the content of the file."""
    document = {"format": FORMAT, "version": VERSION, "flat": asdict(flat)}
    return json.dumps(document, sort_keys=True, indent=1, allow_nan=False, default=_listed) + "\n"


def load_flat(path: Path) -> Flat:
    """Loads a flat.

    Raises:
        StorageError: the file cannot be read, is cut off, holds something else, is of another version, or names
            something that this version does not know.
    """
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:  # errors of the encoding too
        raise StorageError(f"{path} is no flat, or is cut off ({error}); save the flat again") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise StorageError(f'{path} holds no flat (a flat says \'"format": "{FORMAT}"\')')
    if document.get("version") != VERSION:
        raise StorageError(
            f"{path} is a flat of version {document.get('version')!r}, this program reads version {VERSION}: "
            "make the flat anew from its seed, or use the program that saved it"
        )
    try:
        flat = _FLAT.validate_python(document.get("flat"))
    except ValidationError as error:
        place, reason = first_problem(error)
        raise StorageError(f"{path} is damaged: {place}: {reason}; save the flat again") from error
    _check(flat, path)
    return flat


def _listed(value: Any) -> list[str]:
    """Returns the names in a set in sorted order."""
    if isinstance(value, frozenset):
        return sorted(value)
    raise TypeError(f"a flat holds a {type(value).__name__}, which has no place in JSON")


def _check(flat: Flat, path: Path) -> None:
    """Raises StorageError for a reference without a target."""
    pieces, items = flat.furniture_by_name, flat.items_by_name
    named = {*pieces, *items, *(door.name for door in flat.doors)}
    state = flat.initial
    rooms, doorways = len(flat.layout.rooms), len(flat.layout.doorways)
    unknown = [
        *(f"the kind of room {room.kind!r}" for room in flat.layout.rooms if room.kind not in ROOM_TEMPLATES),
        *(f"the furniture {piece.category!r}" for piece in flat.furniture if piece.category not in FURNITURE),
        *(f"the kind of thing {item.category!r}" for item in flat.items if item.category not in ALL_ITEMS),
        *(f"room {piece.room}" for piece in flat.furniture if not 0 <= piece.room < rooms),
        *(f"doorway {door.index}" for door in flat.doors if not 0 <= door.index < doorways),
        *(
            f"{item.support!r} under {item.name!r}"
            for item in flat.items
            if item.support not in {*pieces, *items, FLOOR}
        ),
        *(
            f"{spot.support!r}"
            for spot in state.spots.values()
            if spot.support not in {*pieces, *items, FLOOR}
        ),
        *(
            repr(name)
            for name in sorted(state.open_names | state.on_names | state.full_names)
            if name not in named
        ),
        *(f"the place of {name!r}" for name in items if name not in state.spots),
    ]
    if unknown:
        raise StorageError(f"{path} names what is not there: {unknown[0]}; save the flat again")
