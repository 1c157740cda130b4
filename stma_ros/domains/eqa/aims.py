"""What a question wants to be seen: things, and the kinds of rooms to look for them in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from stma_ros.domains.eqa.purposes import serving_kinds
from stma_ros.domains.eqa.question import (
    QuestionKind,
    QuestionNotUnderstoodError,
    ThingPhrase,
    TypedQuestion,
)
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.memory.category_knowledge import CategoryKnowledge, normalised

_ARTICLE = re.compile(r"^(?:the|a|an|my|our) ")


@dataclass(frozen=True)
class Aim:
    """What is to be found.

    Attributes:
        kinds: kinds of things of which one has to be seen, those first that the answer is about; empty = none is named.
        rooms: probability of each kind of room to show them; empty = nothing is known.
        room: kind of room that the question names first; empty = none.
    """

    kinds: tuple[str, ...]
    rooms: Mapping[str, float]
    room: str


def read_aim(parser: QuestionParser, text: str, knowledge: CategoryKnowledge) -> Aim:
    """Returns what a text wants to be seen; nothing in particular where it asks nothing that rules can read."""
    try:
        return aim_of(parser.parse(text), knowledge)
    except QuestionNotUnderstoodError:
        return Aim((), {}, "")


def aim_of(question: TypedQuestion, knowledge: CategoryKnowledge) -> Aim:
    """Returns what a question wants to be seen."""
    landmarks = [landmark for place in question.places for landmark in place.landmarks]
    named = [*_kinds([question.target]), *_kinds(landmarks)]
    if question.kind is QuestionKind.FUNCTION:
        named = [*serving_kinds(question, knowledge), *named]
    kinds = tuple(dict.fromkeys(name for name in named if not knowledge.is_room(name)))
    rooms = rooms_asked(question, knowledge) or tuple(filter(knowledge.is_room, named[:1]))
    if rooms:
        return Aim(kinds, dict.fromkeys(rooms, 1.0 / len(rooms)), rooms[0])
    # What is small is looked for where the large thing is that it lies on.
    telling = [*_kinds(landmarks), *kinds]
    shares = next((found for kind in telling if (found := knowledge.room_shares(kind))), {})
    return Aim(kinds, normalised(shares), "")


def rooms_asked(question: TypedQuestion, knowledge: CategoryKnowledge) -> tuple[str, ...]:
    """Returns the kinds of rooms that a question is about; empty if it names none.

    They are the room in which something is, the rooms between which it is, or those that it compares.
    """
    if question.room:
        return (knowledge.canonical(question.room),)
    named = [mark.category for place in question.places for mark in place.landmarks]
    named += [knowledge.canonical(_ARTICLE.sub("", option.lower())) for option in question.options]
    return tuple(dict.fromkeys(name for name in named if knowledge.is_room(name)))


def _kinds(things: Iterable[ThingPhrase | None]) -> list[str]:
    return [thing.category for thing in things if thing is not None and thing.category]
