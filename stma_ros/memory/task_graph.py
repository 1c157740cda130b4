"""The part of a scene graph that matters for a task (MCoT-Memory, section 3.1.1: conditioned on the task)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from stma_ros.memory.graph_text import stems
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_PLACES = (words.IN, words.ON, words.IN_ROOM)
_LEFT_OUT = (words.MAY_BE, words.SEEMS, words.MAY_HAVE_COLOUR, words.SIZE, words.UNKNOWN_AREA)
_MAX_FACTS = 200  # of a graph; homes have fewer about the things of one task


def task_graph(facts: Sequence[Relation], task: str, also: Collection[str] = ()) -> tuple[Relation, ...]:
    """Returns the facts about the things that a task names, the places where they are, the rooms, and the robot.

    Args:
        facts: of the whole scene graph.
        task: text of the task.
        also: ids of further things that matter, such as those that were handled.

    Returns:
        Facts in the order of the graph, without measures and guesses.
    """
    kinds = {fact.subject: fact.object for fact in facts if fact.predicate == words.IS_A}
    wanted = stems(task)
    rooms = {fact.object for fact in facts if fact.predicate == words.IN_ROOM}
    chosen = {name for name, kind in kinds.items() if stems(kind) & wanted} | set(also)
    chosen |= {fact.subject for fact in facts if fact.predicate == words.HELD_BY}
    places = [fact for fact in facts if fact.predicate in _PLACES]
    grown = True
    while grown:
        holders = {fact.object for fact in places if fact.subject in chosen} - chosen
        chosen |= holders
        grown = bool(holders)
    chosen |= rooms | {words.ROBOT}
    kept = (
        fact
        for fact in facts
        if fact.subject in chosen
        and fact.predicate not in _LEFT_OUT
        and (fact.object not in kinds or fact.object in chosen)
    )
    return tuple(kept)[:_MAX_FACTS]
