"""What a text world says of one moment, read as a person would: by its words and by the commands it admits."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.types import vocabulary as words

DIRECTIONS = tuple(words.OPPOSITE)

_COMPASS = ("north", "south", "east", "west")  # of "up" and "down" texts speak in other senses, too

FLOOR = "floor"
"""What a thing lies on that lies on nothing else."""

_TITLE = re.compile(r"-=\s*(.+?)\s*=-")
_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n+")
_TAKE = re.compile(r"take (?P<thing>.+?)(?: from (?P<holder>.+))?")
_CARRYING = re.compile(r"^you are carrying:?\s*", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:a|an|the|some)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Exit:
    """A way out of a room. door: empty = there is none."""

    direction: str
    door: str = ""
    closed: bool = False


@dataclass(frozen=True)
class Thing:
    """Something that is there. holder: what it is in or on, FLOOR for the floor, empty for what belongs to the room.
    inside: it is in the holder, not on it. state: open or closed, for what opens."""

    name: str
    holder: str = ""
    inside: bool = False
    state: str = ""

    @property
    def is_on_floor(self) -> bool:
        return self.holder == FLOOR


@dataclass(frozen=True)
class Carried:
    """Something that the player has, and what is said of it ("raw", "diced")."""

    name: str
    states: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scene:
    """room: in lower case; empty = not said."""

    room: str = ""
    exits: tuple[Exit, ...] = ()
    things: tuple[Thing, ...] = ()
    carried: tuple[Carried, ...] = ()

    def exit(self, direction: str) -> Exit | None:
        return next((item for item in self.exits if item.direction == direction), None)

    def thing(self, name: str) -> Thing | None:
        return next((item for item in self.things if item.name == name), None)

    def has(self, name: str) -> bool:
        """Whether the player carries it."""
        return any(item.name == name for item in self.carried)


def read_scene(description: str, inventory: str, commands: Collection[str]) -> Scene:
    """description, inventory: as the world words them. commands: what it admits: "go north", "open fridge", "take knife
    from table"; the names of things are taken from there, since only these are understood."""
    title = _TITLE.search(description)
    room = title.group(1).strip().casefold() if title else ""
    body = description[title.end() :] if title else description
    opens, closes = _named_after("open", commands), _named_after("close", commands)
    exits = tuple(_exits(body, opens, closes, commands))
    doors = {item.door for item in exits}
    opens, closes = (tuple(name for name in names if name not in doors) for names in (opens, closes))
    things = tuple(_things(commands, opens, closes, body))
    carried = tuple(_carried(inventory, commands))
    return Scene(room, exits, things, carried)


def _named_after(verb: str, commands: Iterable[str]) -> tuple[str, ...]:
    """What a verb can be done to, each once, in the order of the commands."""
    found = (command.removeprefix(f"{verb} ") for command in commands if command.startswith(f"{verb} "))
    return tuple(dict.fromkeys(name for name in found if name.strip()))


def _exits(
    body: str, opens: Collection[str], closes: Collection[str], commands: Collection[str]
) -> Iterator[Exit]:
    """An exit is where the text names a direction, or a command goes there; its door is what opens in that sentence, or
    in that part of one which names several."""
    names = {name.casefold(): name for name in (*closes, *opens)}
    mentions = _mentions(names)
    found: dict[str, Exit] = {}
    for sentence in _SENTENCE.split(body):
        for direction, named in _ways(mentions.finditer(sentence.casefold())):
            door = names.get(named, "")
            if door or direction not in found:
                found[direction] = Exit(direction, door, door in opens)
    for direction in DIRECTIONS:
        if f"go {direction}" in commands:
            found.setdefault(direction, Exit(direction))
    return (found[direction] for direction in DIRECTIONS if direction in found)


def _mentions(names: Iterable[str]) -> re.Pattern[str]:
    """Doors, directions, and where parts of a sentence end. The longest name first, since a name may hold another one,
    a direction, or an "and"."""
    doors = "|".join(map(re.escape, sorted(names, key=len, reverse=True))) or "(?!)"
    directions = "|".join(_COMPASS)
    return re.compile(
        rf"(?<!\w)(?P<door>{doors})(?!\w)|\b(?P<direction>{directions})\b|(?P<end>[,;:]|\b(?:and|but|while)\b)"
    )


@dataclass
class _Part:
    """The directions and the doors that a part of a sentence names, each with its place in it."""

    directions: list[tuple[int, str]] = field(default_factory=list)
    doors: list[tuple[int, str]] = field(default_factory=list)


def _ways(mentions: Iterable[re.Match[str]]) -> Iterator[tuple[str, str]]:
    """Each direction in a sentence with the door that is named nearest to it in its part of the sentence, else ""."""
    for part in _joined(_parts(mentions)):
        for at, direction in part.directions:
            _, door = min(part.doors, key=lambda named: abs(named[0] - at), default=(0, ""))
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


def _joined(parts: Iterable[_Part]) -> list[_Part]:
    """A part that names only doors goes with the direction before it while that has none ("north, there is an oak
    door"), else with the next one ("the oak door, to the north")."""
    joined: list[_Part] = []
    waiting: list[tuple[int, str]] = []
    for part in parts:
        if part.directions:
            joined.append(_Part(part.directions, waiting + part.doors))
            waiting = []
        elif joined and not joined[-1].doors:
            joined[-1].doors += part.doors
        else:
            waiting += part.doors
    if joined:
        joined[-1].doors += waiting
    return joined


def _things(
    commands: Collection[str], opens: Collection[str], closes: Collection[str], body: str
) -> Iterator[Thing]:
    taken = (match for command in commands if (match := _TAKE.fullmatch(command)))
    held = {match["thing"]: match["holder"] or FLOOR for match in taken}
    for name, holder in held.items():
        inside = holder in closes or (holder != FLOOR and f"{holder} contains" in body)
        yield Thing(name, holder, inside)
    own = {*_named_after("examine", commands), *opens, *closes, *held.values()}
    own -= {FLOOR, *held, *_named_after("drop", commands)}
    for name in sorted(own):
        state = words.STATE_CLOSED if name in opens else words.STATE_OPEN if name in closes else ""
        yield Thing(name, state=state)


def _carried(inventory: str, commands: Collection[str]) -> Iterator[Carried]:
    """The adjectives before a name that commands know are its states."""
    known = _named_after("drop", commands)
    listed = _CARRYING.sub("", inventory.strip()).rstrip(".")
    for phrase in re.split(r",\s*|\s+and\s+", listed):
        said = _ARTICLE.sub("", phrase.strip())
        names = [name for name in known if said == name or said.endswith(f" {name}")]
        if names:
            name = max(names, key=len)
            yield Carried(name, tuple(said[: len(said) - len(name)].split()))
