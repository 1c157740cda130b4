"""Parses the spatial belief of a text game from a prompt.

It reads the sentences of `TextRelationAggregator` and facts in the format of `roles.rendering.fact_text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.scene_graph import Relation, Route

_DIRECTION = "|".join(words.OPPOSITE)
_PREDICATES = "|".join(
    (
        *map(
            re.escape, (words.IS_A, words.IN_ROOM, words.IN, words.ON, words.NEAR, words.HELD_BY, words.STATE)
        ),
        rf"(?:{words.EXIT}|{words.DOOR}|{words.FARTHER})(?:{_DIRECTION})",
    )
)
# Names may contain commas, so a known predicate is looked for first to separate subject and object.
_FACT = re.compile(rf"\((?P<subject>.+?), (?P<predicate>{_PREDICATES}), (?P<object>.+)\)")
_OTHER_FACT = re.compile(r"\((?P<subject>.+?), (?P<predicate>.+?), (?P<object>.+)\)")

_HERE = re.compile(r"The robot is in the (.+)\.")
_HOLDS = re.compile(r"The (?P<room>.+?) holds (?P<items>.+)\.")
_WAYS = re.compile(r"From the (?P<room>.+?): (?P<items>.+)\.")
_FARTHER = re.compile(rf"(?P<where>{words.FARTHER.capitalize()}(?:{_DIRECTION})): (?P<items>.+)\.")
_CARRIES = re.compile(r"The robot carries (.+)\.")
_ROUTE = re.compile(r"To the (?P<target>.+), (?P<length>\d+) commands: (?P<moves>.+)\.")
_ALSO = re.compile(r"Also: (.+)\.")
_NOTHING = "nothing that is known"

_NAMED = r"(?P<name>.+?)(?: \((?P<states>[^()]+)\))?"
_THING = re.compile(rf"{_NAMED}(?: (?P<relation>{words.IN}|{words.ON}|{words.HELD_BY}) the (?P<holder>.+))?")
_WAY = re.compile(
    rf"(?P<direction>\S+?)(?: through the {_NAMED})?: (?:nobody has been there|the (?P<beyond>.+))"
)
_NEXT_MOVE = re.compile(r", (?=go |open )")


def read_spatial(text: str) -> SpatialBelief:
    """Parses a spatial belief."""
    here = next(iter(_HERE.findall(text)), "")
    facts: dict[tuple[str, str, str], Relation] = {}
    routes: list[Route] = []
    for line in text.split("\n"):
        for fact in _facts(line, here):
            facts.setdefault((fact.subject, fact.predicate, fact.object), fact)
        way = _ROUTE.fullmatch(line)
        if way:
            routes.append(Route(target=way["target"], length=int(way["length"]), moves=_moves(way["moves"])))
        elif line.startswith(f"The {here} holds "):  # the text lists no route to the robot's own room
            routes.append(Route(target=here, length=0))
    room = here or next((fact.object for fact in facts.values() if _is_place_of_robot(fact)), "")
    return SpatialBelief(room=room, facts=tuple(facts.values()), routes=tuple(routes), text=text)


def read_fact(text: str) -> Relation | None:
    """Parses a fact in the format of `roles.rendering.fact_text`; returns None for other texts."""
    match = _FACT.fullmatch(text) or _OTHER_FACT.fullmatch(text)
    return Relation(match["subject"], match["predicate"], match["object"]) if match else None


def _is_place_of_robot(fact: Relation) -> bool:
    return (fact.subject, fact.predicate) == (words.ROBOT, words.IN)


def _moves(listed: str) -> tuple[str, ...]:
    return tuple(_NEXT_MOVE.split(listed))


def _items(listed: str) -> list[str]:
    return [] if listed == _NOTHING else listed.split("; ")


def _facts(line: str, here: str) -> Iterator[Relation]:
    if line.startswith("("):
        fact = read_fact(line)
        if fact is not None:
            yield fact
    elif match := _HERE.fullmatch(line):
        yield Relation(words.ROBOT, words.IN, match[1])
    elif match := _CARRIES.fullmatch(line):
        yield from _carried(match[1], here)
    elif match := _HOLDS.fullmatch(line):
        yield from _things(match["room"], match["items"])
    elif match := _WAYS.fullmatch(line):
        yield from _ways(match["room"], match["items"])
    elif match := _FARTHER.fullmatch(line):
        for item in _items(match["items"]):
            yield Relation(here, match["where"].casefold(), item.removeprefix("the "))
    elif match := _ALSO.fullmatch(line):
        for item in match[1].removeprefix("(").removesuffix(")").split("); ("):
            fact = read_fact(f"({item})")
            if fact is not None:
                yield fact


def _things(room: str, listed: str) -> Iterator[Relation]:
    for match in filter(None, map(_THING.fullmatch, _items(listed))):
        name = match["name"]
        yield Relation(name, match["relation"] or words.IN, match["holder"] or room)
        yield from _states(name, match["states"])
        yield Relation(name, words.IN_ROOM, room)


def _carried(listed: str, here: str) -> Iterator[Relation]:
    for match in filter(None, map(re.compile(_NAMED).fullmatch, _items(listed))):
        yield Relation(match["name"], words.HELD_BY, words.ROBOT)
        yield from _states(match["name"], match["states"])
        if here:
            yield Relation(match["name"], words.IN_ROOM, here)


def _ways(room: str, listed: str) -> Iterator[Relation]:
    for match in filter(None, map(_WAY.fullmatch, _items(listed))):
        yield Relation(room, words.EXIT + match["direction"], match["beyond"] or words.UNEXPLORED)
        if match["name"]:
            yield Relation(room, words.DOOR + match["direction"], match["name"])
            yield from _states(match["name"], match["states"])


def _states(name: str, listed: str | None) -> Iterator[Relation]:
    for state in listed.split(", ") if listed else ():
        yield Relation(name, words.STATE, state)
