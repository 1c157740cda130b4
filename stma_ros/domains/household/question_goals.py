"""What has to be found to answer a question, as goals to find things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from stma_ros.domains.eqa.meant_things import EVERYWHERE
from stma_ros.domains.eqa.noun_phrase import NounPhrases
from stma_ros.domains.eqa.purposes import things_for
from stma_ros.domains.eqa.question import QuestionKind, ThingPhrase, TypedQuestion
from stma_ros.domains.eqa.wording import normalised
from stma_ros.domains.household.goals import FindGoal
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.types import vocabulary as words
from stma_ros.types.goals import ALL

_OF_ALL = (QuestionKind.EXISTENCE, QuestionKind.COUNT, QuestionKind.RELATION)
"""Kinds of questions that are about all such things at a place: what is elsewhere does not answer them."""

_OF_PLACES = (QuestionKind.WHAT_IS, QuestionKind.WHICH, QuestionKind.SPACE)
"""Kinds of questions that a look at the named places answers."""


def find_goals(question: TypedQuestion, knowledge: CategoryKnowledge) -> tuple[FindGoal, ...]:
    """Returns goals that are reached where the evidence for an answer is likely to be seen; empty = anywhere."""
    return tuple(dict.fromkeys(_goals(question, knowledge)))


def _goals(question: TypedQuestion, knowledge: CategoryKnowledge) -> Iterator[FindGoal]:
    target, landmarks = _named(question.target), _landmarks(question)
    if question.kind is QuestionKind.FUNCTION:
        kinds = [mark.category for mark in landmarks] or things_for(question.purpose)
        large = [kind for kind in kinds if knowledge.is_furniture(kind)]
        yield from (FindGoal(_in_room(Description(kind), question)) for kind in large or kinds)
        return
    if question.kind in _OF_PLACES and landmarks:
        phrases = NounPhrases(knowledge)
        options = [phrases.read(normalised(option)) for option in question.options]
        yield from (
            FindGoal(_within(option.thing.description, option.room))
            for option in options
            if option.thing is not None and option.thing.category
        )
        yield from (FindGoal(_in_room(mark.description, question), beside=True) for mark in landmarks)
        return
    if target is not None:
        is_of_all = question.kind in _OF_ALL or target.plural or target.quantifier is not None
        count = ALL if is_of_all else 1
        yield FindGoal(_at_place(target.description, question, landmarks), count)
    elif landmarks:
        yield from (FindGoal(_in_room(mark.description, question)) for mark in landmarks)
    elif question.room:
        # Nothing has this name, so that the whole room is looked at.
        yield FindGoal(_in_room(Description(question.room), question), ALL)


def _named(thing: ThingPhrase | None) -> ThingPhrase | None:
    """Returns a thing of a kind; None for one without: "the red object"."""
    return thing if thing is not None and thing.category else None


def _landmarks(question: TypedQuestion) -> list[ThingPhrase]:
    phrases: Iterable[ThingPhrase] = (mark for place in question.places for mark in place.landmarks)
    return [mark for mark in phrases if mark.category not in EVERYWHERE]


def _at_place(what: Description, question: TypedQuestion, landmarks: list[ThingPhrase]) -> Description:
    if not landmarks or question.relation is None:
        return _in_room(what, question)
    place = _in_room(landmarks[0].description, question)
    return replace(what, relation=question.relation.predicate, place=place)


def _in_room(what: Description, question: TypedQuestion) -> Description:
    return _within(what, question.room)


def _within(what: Description, room: str) -> Description:
    """Returns the description of a thing in a kind of room; empty = anywhere."""
    return replace(what, relation=words.IN_ROOM, place=Description(room)) if room else what
