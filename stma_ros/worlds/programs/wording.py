"""A home in words: what the character sees, and how it is there itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.worlds.programs.home_graph import HANDS, INSIDE, ON, HomeGraph, state_word
from stma_ros.worlds.programs.naming import Names

_POSTURES = {"SITTING": "You sit", "LYING": "You lie"}
_PREPOSITIONS = {ON: "on", INSIDE: "in"}


def description(graph: HomeGraph, names: Names, rooms: Iterable[int], things: Iterable[int]) -> str:
    """Returns the surroundings, one sentence or thing a line.

    Args:
        graph: the home.
        names: of the things and rooms.
        rooms: all rooms.
        things: what is seen.
    """
    here = graph.room_of(graph.character.id)
    assert here is not None, "an episode has checked it"
    return "\n".join(
        (
            f"You are in {names.of(here)}.",
            f"The rooms are {', '.join(sorted(map(names.of, rooms)))}.",
            *_posture(graph, names),
            "You see:",
            *_things(graph, names, names.ordered(things)),
        )
    )


def inventory(graph: HomeGraph, names: Names) -> str:
    held = dict.fromkeys(graph.targets(graph.character.id, *HANDS))  # a thing may be in both hands
    return f"You hold {', '.join(sorted(map(names.of, held))) or 'nothing'}."


def _posture(graph: HomeGraph, names: Names) -> Iterator[str]:
    who = graph.character.id
    postures = [text for state, text in _POSTURES.items() if state in graph.states(who)]
    places = sorted(map(names.of, graph.targets(who, ON)))
    if not places:
        yield from (f"{posture}." for posture in postures)
    for place in places:
        yield from (f"{posture} on {place}." for posture in postures or ["You are"])


def _things(graph: HomeGraph, names: Names, things: list[int]) -> Iterator[str]:
    known = {thing: names.of(thing) for thing in things} | {graph.character.id: "you"}
    for thing in things:
        states = ", ".join(sorted(map(state_word, graph.states(thing))))
        places = ", ".join(
            sorted(
                f"{preposition} {known[place]}"
                for relation, preposition in _PREPOSITIONS.items()
                for place in graph.targets(thing, relation)
                if place in known
            )
        )
        yield " ".join((known[thing], *([f"({states})"] if states else ()), *([places] if places else ())))
