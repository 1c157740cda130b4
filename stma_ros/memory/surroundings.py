"""Where a robot first saw things during a task, also those that the task is not about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_MAX_THINGS = 200  # of one task; homes have fewer


def first_places(graphs: Iterable[Sequence[Relation]]) -> tuple[Relation, ...]:
    """Returns where things were when they were first seen in or on something.

    Args:
        graphs: the facts of the whole scene graph at each step, in order.

    Returns:
        For each thing its place and its kind, and kind, room, and kind of the room of the place.
    """
    kept: dict[tuple[str, str], Relation] = {}
    placed: set[str] = set()
    for facts in graphs:
        rooms = {fact.subject: fact.object for fact in facts if fact.predicate == words.IN_ROOM}
        known_rooms = set(rooms.values())
        new = [
            fact
            for fact in facts
            if fact.predicate in (words.IN, words.ON)
            and fact.subject not in placed
            and fact.object not in known_rooms  # in worlds of text a thing on the floor is in its room
        ][: _MAX_THINGS - len(placed)]
        if not new:
            continue
        placed.update(fact.subject for fact in new)
        named = {name for fact in new for name in (fact.subject, fact.object)}
        named |= {rooms[name] for name in named if name in rooms}
        about = [fact for fact in facts if fact.predicate in (words.IS_A, words.IN_ROOM)]
        for fact in (*new, *(each for each in about if each.subject in named)):
            kept.setdefault((fact.subject, fact.predicate), fact)
    return tuple(kept.values())
