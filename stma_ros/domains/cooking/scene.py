"""Reads the state of a text world at one step from its description, its inventory and the admissible commands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.types import vocabulary as words

DIRECTIONS = tuple(words.OPPOSITE)

_COMPASS = ("north", "south", "east", "west")  # prose also uses "up" and "down" in other senses

FLOOR = "floor"
"""Holder of the objects that lie on the floor."""

_TITLE = re.compile(r"-=\s*(.+?)\s*=-")
_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n+")
_TAKE = re.compile(r"take (?P<name>.+?)(?: from (?P<holder>.+))?")
_CARRYING = re.compile(r"^you are carrying:?\s*", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:a|an|the|some)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Exit:
    """An exit of a room.

    Attributes:
        direction: one of DIRECTIONS.
        door: name of its door; empty = it has none.
        closed: whether the door is closed.
    """

    direction: str
    door: str = ""
    closed: bool = False


@dataclass(frozen=True)
class GameObject:
    """An object in a room that the player does not carry.

    Attributes:
        name: as the commands spell it.
        holder: name of the object that it is in or on; FLOOR, or empty for a fixed object of the room.
        inside: whether it is in its holder rather than on it.
        state: "open" or "closed"; empty for an object that cannot be opened.
    """

    name: str
    holder: str = ""
    inside: bool = False
    state: str = ""

    @property
    def is_on_floor(self) -> bool:
        """Whether it lies on the floor."""
        return self.holder == FLOOR


@dataclass(frozen=True)
class CarriedObject:
    """An object that the player carries.

    Attributes:
        name: as the commands spell it.
        states: adjectives before its name in the inventory, such as "raw" and "diced".
    """

    name: str
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """The state of a text world at one step.

    Attributes:
        room: name in lower case; empty = unknown.
        exits: the exits of the room, in the order of DIRECTIONS.
        objects: the objects in the room.
        carried: the objects that the player carries.
    """

    room: str = ""
    exits: tuple[Exit, ...] = ()
    objects: tuple[GameObject, ...] = ()
    carried: tuple[CarriedObject, ...] = ()

    def find_object(self, name: str) -> GameObject | None:
        """Returns the object of this name in the room, or None."""
        return next((item for item in self.objects if item.name == name), None)


def read_scene(description: str, inventory: str, commands: Collection[str]) -> Scene:
    """Returns the scene that a text world describes.

    Args:
        description: description of the room in the world's words.
        inventory: list of the carried objects in the world's words.
        commands: admissible commands, such as "go north", "open fridge" and "take knife from table". The names of
            objects are taken from them, because the world understands no others.
    """
    title = _TITLE.search(description)
    room = title.group(1).strip().casefold() if title else ""
    body = description[title.end() :] if title else description
    opens, closes = _arguments_of("open", commands), _arguments_of("close", commands)
    exits = tuple(_exits(body, opens, closes, commands))
    doors = {item.door for item in exits}
    opens, closes = (tuple(name for name in names if name not in doors) for names in (opens, closes))
    objects = tuple(_objects(commands, opens, closes, body))
    carried = tuple(_carried(inventory, commands))
    return Scene(room, exits, objects, carried)


def _arguments_of(verb: str, commands: Iterable[str]) -> tuple[str, ...]:
    """Returns the names that follow a verb, each once, in the order of the commands."""
    found = (command.removeprefix(f"{verb} ") for command in commands if command.startswith(f"{verb} "))
    return tuple(dict.fromkeys(name for name in found if name.strip()))


def _exits(
    body: str, opens: Collection[str], closes: Collection[str], commands: Collection[str]
) -> Iterator[Exit]:
    """Yields the exits: the directions that the text names or a command goes to.

    The door of an exit is an object that can be opened or closed and is named in the same sentence, or in the same part
    of a sentence that names several directions.
    """
    names = {name.casefold(): name for name in (*closes, *opens)}
    pattern = _mention_pattern(names)
    found: dict[str, Exit] = {}
    for sentence in _SENTENCE.split(body):
        for direction, mentioned in _directions_with_doors(pattern.finditer(sentence.casefold())):
            door = names.get(mentioned, "")
            if door or direction not in found:
                found[direction] = Exit(direction, door, door in opens)
    for direction in DIRECTIONS:
        if f"go {direction}" in commands:
            found.setdefault(direction, Exit(direction))
    return (found[direction] for direction in DIRECTIONS if direction in found)


def _mention_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Returns a pattern that matches doors, directions and the ends of the parts of a sentence.

    Longer names come first, because a name may contain another one, a direction or an "and".
    """
    doors = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"
    directions = "|".join(_COMPASS)
    return re.compile(
        rf"(?<!\w)(?P<door>{doors})(?!\w)|\b(?P<direction>{directions})\b|(?P<end>[,;:]|\b(?:and|but|while)\b)"
    )


@dataclass
class _Part:
    """The directions and the doors that a part of a sentence names, each with its position in the sentence."""

    directions: list[tuple[int, str]] = field(default_factory=list)
    doors: list[tuple[int, str]] = field(default_factory=list)


def _directions_with_doors(mentions: Iterable[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Yields each direction with the door that is named nearest to it in its part of the sentence; "" = none."""
    for part in _merged(_parts(mentions)):
        for at, direction in part.directions:
            _, door = min(part.doors, key=lambda door: abs(door[0] - at), default=(0, ""))
            yield direction, door


def _parts(mentions: Iterable[re.Match[str]]) -> list[_Part]:
    parts = [_Part()]
    for match in mentions:
        if match["end"]:
            parts.append(_Part())
        elif match["door"]:
            parts[-1].doors.append((match.start(), match["door"]))
        else:
            parts[-1].directions.append((match.start(), match["direction"]))
    return parts


def _merged(parts: Iterable[_Part]) -> list[_Part]:
    """Returns the parts with directions, to which the parts with doors alone are added.

    A part with doors alone belongs to the directions before it if these have no door yet ("north, there is an oak
    door"), otherwise to the next ones ("the oak door, to the north").
    """
    merged: list[_Part] = []
    waiting: list[tuple[int, str]] = []
    for part in parts:
        if part.directions:
            merged.append(_Part(part.directions, waiting + part.doors))
            waiting = []
        elif merged and not merged[-1].doors:
            merged[-1].doors += part.doors
        else:
            waiting += part.doors
    if merged:
        merged[-1].doors += waiting
    return merged


def _objects(
    commands: Collection[str], opens: Collection[str], closes: Collection[str], body: str
) -> Iterator[GameObject]:
    portable = (match for command in commands if (match := _TAKE.fullmatch(command)))
    holders = {match["name"]: match["holder"] or FLOOR for match in portable}
    for name, holder in holders.items():
        inside = holder in closes or (holder != FLOOR and f"{holder} contains" in body)
        yield GameObject(name, holder, inside)
    fixed = {*_arguments_of("examine", commands), *opens, *closes, *holders.values()}
    fixed -= {FLOOR, *holders, *_arguments_of("drop", commands)}
    for name in sorted(fixed):
        state = words.STATE_CLOSED if name in opens else words.STATE_OPEN if name in closes else ""
        yield GameObject(name, state=state)


def _carried(inventory: str, commands: Collection[str]) -> Iterator[CarriedObject]:
    """Yields the carried objects. The adjectives before a name that the commands use are the states of the object."""
    known = _arguments_of("drop", commands)
    listed = _CARRYING.sub("", inventory.strip()).rstrip(".")
    for phrase in re.split(r",\s*|\s+and\s+", listed):
        bare = _ARTICLE.sub("", phrase.strip())
        names = [name for name in known if bare == name or bare.endswith(f" {name}")]
        if names:
            name = max(names, key=len)
            yield CarriedObject(name, tuple(bare[: len(bare) - len(name)].split()))
