"""Extracts facts from the temporal belief of a text game (STMA, section 4.2: relation retriever)."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.domains.cooking.notes import Note, noted, read_notes
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_GO = "go "


class TextRelationRetriever:
    """A RelationRetrieverRole. Reads what the belief says, in the summariser's words or in the world's."""

    def answer(self, query: RelationQuery) -> Relations:
        """Oldest first, each with the step at which it was seen."""
        notes = read_notes(noted(query.temporal))
        triples: list[Relation] = []
        steps: list[int] = []
        newest = {note.scene.room: note for note in notes if note.scene.room}
        before: Note | None = None
        for note in notes:
            # Every look at a room shows all its ways out: of two that differ, the last one is right.
            ways = _ways(note) if newest.get(note.scene.room) is note else ()
            for subject, predicate, item in (*ways, *_facts(note), *_way(before, note)):
                if subject and item:
                    triples.append(Relation(subject, predicate, item))
                    steps.append(note.step)
            before = note
        # Where neither things nor exits are told of it was dark.
        looks = {room: note.step for room, note in newest.items() if note.scene.things or note.scene.exits}
        return Relations(tuple(triples), tuple(steps), looks)


def _ways(note: Note) -> Iterator[tuple[str, str, str]]:
    """Out of the room."""
    scene = note.scene
    for exit_ in scene.exits:
        yield scene.room, words.EXIT + exit_.direction, words.UNEXPLORED
        if exit_.door:
            yield scene.room, words.DOOR + exit_.direction, exit_.door
            yield exit_.door, words.STATE, words.STATE_CLOSED if exit_.closed else words.STATE_OPEN


def _facts(note: Note) -> Iterator[tuple[str, str, str]]:
    scene = note.scene
    yield words.ROBOT, words.IN, scene.room
    for thing in scene.things:
        if thing.holder and not thing.is_on_floor:
            yield thing.name, words.IN if thing.inside else words.ON, thing.holder
        else:
            yield thing.name, words.IN, scene.room
        if thing.state:
            yield thing.name, words.STATE, thing.state
    for item in scene.carried:
        yield item.name, words.HELD_BY, words.ROBOT
        for state in item.states:
            yield item.name, words.STATE, state


def _way(before: Note | None, note: Note) -> Iterator[tuple[str, str, str]]:
    """Where the exit leads that was taken between two notes that follow one another."""
    if before is None or note.step != before.step + 1 or not note.action.startswith(_GO):
        return
    if note.scene.room != before.scene.room:
        yield before.scene.room, words.EXIT + note.action.removeprefix(_GO), note.scene.room
