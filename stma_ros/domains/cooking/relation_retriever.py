"""Extracts facts from the temporal belief of a text game (STMA, section 4.2, relation retriever)."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.domains.cooking.notes import Note, history_text, read_notes
from stma_ros.roles.relation_retriever import RelationQuery, Relations
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

_GO = "go "


class TextRelationRetriever:
    """A RelationRetrieverRole. It reads notes of the summariser and records in the world's own words."""

    def answer(self, query: RelationQuery) -> Relations:
        """Returns the facts, oldest first, each with the step at which it was observed."""
        notes = read_notes(history_text(query.temporal))
        triples: list[Relation] = []
        steps: list[int] = []
        newest = {note.scene.room: note for note in notes if note.scene.room}
        before: Note | None = None
        for note in notes:
            # Every observation of a room shows all its exits, so that only the newest one counts.
            exits = _exit_facts(note) if newest.get(note.scene.room) is note else ()
            for subject, predicate, item in (*exits, *_object_facts(note), *_explored_exit(before, note)):
                if subject and item:
                    triples.append(Relation(subject, predicate, item))
                    steps.append(note.step)
            before = note
        # A description without objects and exits is that of a dark room, which was not observed completely.
        complete = {
            room: note.step for room, note in newest.items() if note.scene.objects or note.scene.exits
        }
        return Relations(tuple(triples), tuple(steps), complete)


def _exit_facts(note: Note) -> Iterator[tuple[str, str, str]]:
    """Yields the facts about the exits of the room."""
    scene = note.scene
    for exit_ in scene.exits:
        yield scene.room, words.EXIT + exit_.direction, words.UNEXPLORED
        if exit_.door:
            yield scene.room, words.DOOR + exit_.direction, exit_.door
            yield exit_.door, words.STATE, words.STATE_CLOSED if exit_.closed else words.STATE_OPEN


def _object_facts(note: Note) -> Iterator[tuple[str, str, str]]:
    scene = note.scene
    yield words.ROBOT, words.IN, scene.room
    for item in scene.objects:
        if item.holder and not item.is_on_floor:
            yield item.name, words.IN if item.inside else words.ON, item.holder
        else:
            yield item.name, words.IN, scene.room
        if item.state:
            yield item.name, words.STATE, item.state
    for carried in scene.carried:
        yield carried.name, words.HELD_BY, words.ROBOT
        for state in carried.states:
            yield carried.name, words.STATE, state


def _explored_exit(before: Note | None, note: Note) -> Iterator[tuple[str, str, str]]:
    """Yields the fact about the exit that was used between the notes of two consecutive steps."""
    if before is None or note.step != before.step + 1 or not note.action.startswith(_GO):
        return
    if note.scene.room != before.scene.room:
        yield before.scene.room, words.EXIT + note.action.removeprefix(_GO), note.scene.room
