"""Reads and writes the ground truth of a place in a file that a person can write (docs/howto/scoring.md):

    format: stma_ros truth
    version: 1
    frame: map                              # optional: its name
    transform: {x: 1.2, y: -0.4, yaw: 1.57} # optional: pose of the file's frame in the robot's map [m, rad]
    rooms:                                  # optional
      - {name: lab, category: office, footprint: [[0, 0], [5, 0], [5, 4], [0, 4]]}
    objects:
      - {name: table, category: table, center: [1, 1, 0.4], size: [1.2, 0.8, 0.8]}
      - {category: mug, center: [1, 1, 0.85], size: [0.1, 0.1, 0.1], support: table}

Further keys of an object: `room` (by default, the room around it), `inside` (in its support, not on it), `states`,
`hidden` (by default, whether it is inside something closed). Boxes are parallel to the axes of the file's frame [m].
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import AfterValidator, Field, NonNegativeFloat

from stma_ros.evaluation.offline.scoring_file import read_scoring_file
from stma_ros.evaluation.room_lookup import room_at
from stma_ros.storage.files import write_atomically
from stma_ros.storage.written_file import FileModel, error_at
from stma_ros.types import vocabulary as words
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.standard import Header, Point, Point32, Polygon, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom

FORMAT, VERSION = "stma_ros truth", 1

_HAND = "robot"
_DIGITS = 4


def _known(state: str) -> str:
    if state not in words.STATE_DIMENSION:
        raise ValueError(f"there is no state {state!r}; write one of {', '.join(words.STATE_DIMENSION)}")
    return state


Word = Annotated[str, Field(min_length=1)]
State = Annotated[str, AfterValidator(_known)]


class _Transform(FileModel):
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    def point(self, x: float, y: float) -> tuple[float, float]:
        cos, sin = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + cos * x - sin * y, self.y + sin * x + cos * y


class _Room(FileModel):
    name: Word
    category: Word
    footprint: Annotated[list[tuple[float, float]], Field(min_length=3)]


class _Object(FileModel):
    category: Word
    center: tuple[float, float, float]
    size: tuple[NonNegativeFloat, NonNegativeFloat, NonNegativeFloat]
    yaw: float = 0.0
    name: str = ""
    room: str | None = None
    support: str = ""
    inside: bool = False
    hidden: bool | None = None
    states: tuple[State, ...] = ()


class _Truth(FileModel):
    objects: tuple[_Object, ...]
    rooms: tuple[_Room, ...] = ()
    frame: str = ""
    scene: str = ""
    transform: _Transform | None = None


def read_truth(path: Path) -> GroundTruth:
    """Returns the ground truth of the file, in the map frame. Raises ConfigurationError, naming key and line."""
    truth = read_scoring_file(path, FORMAT, VERSION, _Truth)
    _check(truth, path)
    place = truth.transform or _Transform()
    rooms = tuple(
        GroundTruthRoom(
            name=room.name,
            category=room.category,
            footprint=Polygon(tuple(Point32(*place.point(x, y), 0.0) for x, y in room.footprint)),
        )
        for room in truth.rooms
    )
    placed = [_placed(thing, number, place, rooms) for number, thing in enumerate(truth.objects)]
    by_name = {thing.name: thing for thing in placed}
    objects = tuple(
        _with_hidden(thing, written.hidden, by_name)
        for thing, written in zip(placed, truth.objects, strict=True)
    )
    frame = (
        truth.frame if truth.transform is None else ""
    )  # a transformed truth is in the map frame, whatever its name
    return GroundTruth(header=Header(frame_id=frame), scene=truth.scene, rooms=rooms, objects=objects)


def write(path: Path, truth: GroundTruth) -> None:
    """Writes a ground truth, for example a simulator's. Objects in the robot's gripper are left out.

    Raises:
        StorageError: the file cannot be written.
    """
    content = {
        "format": FORMAT,
        "version": VERSION,
        "frame": truth.header.frame_id,
        "scene": truth.scene,
        "rooms": [
            {
                "name": room.name,
                "category": room.category,
                "footprint": [[_round(p.x), _round(p.y)] for p in room.footprint.points],
            }
            for room in truth.rooms
        ],
        "objects": [_written(thing) for thing in truth.objects if thing.support != _HAND],
    }
    write_atomically(path, yaml.dump(content, sort_keys=False, default_flow_style=None, width=200))


def _check(truth: _Truth, path: Path) -> None:
    """Checks that names are unique and references resolve."""
    for kind, named in (
        ("rooms", [r.name for r in truth.rooms]),
        ("objects", [o.name for o in truth.objects]),
    ):
        for number, name in enumerate(named):
            if name and name in named[:number]:
                raise error_at(path, (kind, number, "name"), f"{name!r} is named twice; names are unique")
    rooms, names = {room.name for room in truth.rooms}, {thing.name for thing in truth.objects}
    for number, thing in enumerate(truth.objects):
        if thing.room and thing.room not in rooms:
            raise error_at(path, ("objects", number, "room"), f"there is no room {thing.room!r} under rooms")
        if thing.support and thing.support not in names:
            reason = (
                f"there is no object named {thing.support!r}; give its support that name, or leave this out"
            )
            raise error_at(path, ("objects", number, "support"), reason)
        if thing.inside and not thing.support:
            raise error_at(
                path, ("objects", number, "inside"), "inside of what? Give support, an object's name"
            )


def _placed(
    thing: _Object, number: int, place: _Transform, rooms: Sequence[GroundTruthRoom]
) -> GroundTruthObject:
    x, y, z = thing.center
    center = Point(*place.point(x, y), z)
    return GroundTruthObject(
        name=thing.name or f"{thing.category} #{number + 1}",
        category=thing.category,
        box=BoundingBox3D.upright(center, Vector3(*thing.size), place.yaw + thing.yaw),
        room=room_at(center, rooms) if thing.room is None else thing.room,
        support=thing.support,
        inside=thing.inside,
        states=thing.states,
    )


def _with_hidden(
    thing: GroundTruthObject, given: bool | None, things: Mapping[str, GroundTruthObject]
) -> GroundTruthObject:
    """Sets `hidden` as the file states, or where anything around the object is closed."""
    hidden, at, passed = bool(given), thing, {thing.name}
    while given is None and at.support and at.support not in passed:
        around = things[at.support]
        hidden |= at.inside and words.STATE_CLOSED in around.states
        passed.add(around.name)
        at = around
    return replace(thing, hidden=hidden)


def _written(thing: GroundTruthObject) -> dict[str, Any]:
    """Returns the entry without optional keys that have their default."""
    place, size = thing.center, thing.size
    about: dict[str, Any] = {
        "name": thing.name,
        "category": thing.category,
        "center": [_round(place.x), _round(place.y), _round(place.z)],
        "size": [_round(size.x), _round(size.y), _round(size.z)],
        "yaw": _round(thing.yaw),
        "room": thing.room,
        "support": thing.support,
        "inside": thing.inside,
        "hidden": thing.hidden,
        "states": list(thing.states),
    }
    return {key: value for key, value in about.items() if value or key == "room"}


def _round(value: float) -> float:
    return round(float(value), _DIGITS)
