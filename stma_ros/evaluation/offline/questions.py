"""Reads and marks questions to the spatial memory, with their answers, from a file that a person can write
(docs/howto/scoring.md):

    format: stma_ros questions
    version: 1
    questions:
      - ask: where is the red mug?
        at: 30                       # [s] of the bag's time, from its first message; by default, its end
        expect: {category: mug, colour: red, place: kitchen, position: [2.1, 0.4, 0.9], tolerance: 0.5}
      - ask: the teapot
        expect: {found: false}

Every key of `expect` is optional; all given ones must hold for the first sighting of the answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import Field, NonNegativeFloat, PositiveFloat

from stma_ros.evaluation.offline.scoring_file import read_scoring_file
from stma_ros.evaluation.tally import Tally
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.colours import colour_word
from stma_ros.storage.written_file import FileModel, error_at
from stma_ros.types.remembering import ObjectQueryResult, Sighting

FORMAT, VERSION = "stma_ros questions", 1

FOUND = "found"


Word = Annotated[str, Field(min_length=1)]


class Expected(FileModel):
    """The expected answer.

    Attributes:
        place: part of the answer's text of the place, "kitchen" or "on table_1".
        position: [x, y] or [x, y, z], in the map [m].
    """

    found: bool = True
    category: Word | None = None
    colour: Word | None = None
    place: Word | None = None
    position: Annotated[list[float], Field(min_length=2, max_length=3)] | None = None
    tolerance: PositiveFloat = 0.5
    present: bool | None = None

    def __str__(self) -> str:
        """Formats the expectation for people: 'red, mug, "kitchen", still there'."""
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        if not self.found:
            yield "that nothing like it was seen"
            return
        yield from filter(None, (self.colour, self.category))
        if self.place is not None:
            yield f'"{self.place}"'
        if self.position is not None:
            place = ", ".join(f"{number:g}" for number in self.position)
            yield f"within {self.tolerance:g} m of ({place})"
        if self.present is not None:
            yield "still there" if self.present else "not there any more"
        if self.model_fields_set <= {"found", "tolerance"}:
            yield "that it was seen"


class Question(FileModel):
    ask: Word
    at: NonNegativeFloat | None = None
    expect: Expected = Expected()


class _Questions(FileModel):
    questions: Annotated[list[Question], Field(min_length=1)]


@dataclass(frozen=True)
class Marked:
    """An answer, and whether each expected aspect was right."""

    question: Question
    answer: ObjectQueryResult
    aspects: Mapping[str, bool]

    @property
    def is_right(self) -> bool:
        return all(self.aspects.values())

    @property
    def sighting(self) -> Sighting | None:
        return self.answer.sightings[0] if self.answer.sightings else None


def read_questions(path: Path, knowledge: CategoryKnowledge | None) -> tuple[Question, ...]:
    """Reads the questions of a file, with colours by their basic words.

    Args:
        path: path of the file.
        knowledge: knowledge of categories and colours in the domain of the questions; None = none.

    Raises:
        ConfigurationError: the file is wrong; the text names key and line.
    """
    questions = read_scoring_file(path, FORMAT, VERSION, _Questions).questions
    for number, question in enumerate(questions):
        expected = question.expect
        for aspect in expected.model_fields_set - {FOUND}:
            if not expected.found:
                raise error_at(
                    path,
                    ("questions", number, "expect", aspect),
                    "an object that is not found has no other aspects",
                )
    if knowledge is None:
        return tuple(questions)
    return tuple(_in_basic_words(path, number, each, knowledge) for number, each in enumerate(questions))


def mark(question: Question, answer: ObjectQueryResult, knowledge: CategoryKnowledge | None) -> Marked:
    """Marks an answer. Whether something was found always counts, other aspects where they are expected.

    Args:
        question: with the expected answer.
        answer: answer of the memory.
        knowledge: as in `read_questions`; without it, words are compared as they are.
    """
    found = bool(answer.sightings)
    aspects = {FOUND: found == question.expect.found}
    if question.expect.found:
        aspects |= {
            name: found and right
            for name, right in _compared(question.expect, answer.sightings[:1], knowledge)
        }
    return Marked(question, answer, aspects)


def tallies(marked: Iterable[Marked]) -> dict[str, Tally]:
    """Counts right and asked: questions as wholes (key ""), and aspects."""
    counts: dict[str, list[bool]] = {"": []}
    for item in marked:
        counts[""].append(item.is_right)
        for aspect, right in item.aspects.items():
            counts.setdefault(aspect, []).append(right)
    return {name: Tally(sum(those), len(those), len(those)) for name, those in counts.items()}


def _in_basic_words(path: Path, number: int, question: Question, knowledge: CategoryKnowledge) -> Question:
    word = question.expect.colour
    if word is None:
        return question
    colour = knowledge.colour(word)
    if not colour:
        basic = ", ".join(dict.fromkeys(knowledge.colours.values()))
        reason = f"{word!r} is no colour that is known; write one of {basic}"
        raise error_at(path, ("questions", number, "expect", "colour"), reason)
    return question.model_copy(update={"expect": question.expect.model_copy(update={"colour": colour})})


def _compared(
    expected: Expected, sightings: tuple[Sighting, ...], knowledge: CategoryKnowledge | None
) -> Iterator[tuple[str, bool]]:
    seen = sightings[0] if sightings else Sighting()
    if expected.category is not None:
        same = seen.category.lower() == expected.category.lower()
        yield (
            "category",
            same or (knowledge is not None and knowledge.is_kind(seen.category, expected.category)),
        )
    if expected.colour is not None:
        colour = colour_word(seen.color)
        is_shade = knowledge is not None and knowledge.is_shade(colour, expected.colour)
        yield "colour", colour == expected.colour or is_shade
    if expected.place is not None:
        yield "place", expected.place.lower() in seen.place.lower()
    if expected.position is not None:
        place = (seen.position.x, seen.position.y, seen.position.z)[: len(expected.position)]
        yield "position", math.dist(place, expected.position) <= expected.tolerance
    if expected.present is not None:
        yield "present", seen.present == expected.present
