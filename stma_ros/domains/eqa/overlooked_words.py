"""Finds the words of a question of which an answer by rules takes no account."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains import noun_words
from stma_ros.domains.eqa.finding import Finding
from stma_ros.domains.eqa.meant_things import ABOUT_DEFINITE, EVERYWHERE, MeantThings
from stma_ros.domains.eqa.question import (
    AnswerForm,
    Quantifier,
    QuestionKind,
    Relation,
    ThingPhrase,
    TypedQuestion,
)
from stma_ros.domains.eqa.scene import KnownThing
from stma_ros.memory.category_knowledge import CategoryKnowledge

_UNTOLD_RELATIONS = frozenset(
    (
        Relation.LEFT_OF,
        Relation.RIGHT_OF,
        Relation.BEHIND,
        Relation.IN_FRONT_OF,
        Relation.OPPOSITE,
        Relation.BETWEEN,
        Relation.RELATIVE_TO,
    )
)
"""Relations to things of which a scene tells no more than that two things are near each other."""

_UNLIMITING = noun_words.DROPPED_ADJECTIVES | {"piece", "of", "inner"}
"""Words before the name of a kind by which no thing of a home is told from others: all its doors are inner ones."""


class OverlookedWords:
    """The words of one question that no rule reads, and the kinds in it that nobody would recognise."""

    def __init__(self, question: TypedQuestion, meant: MeantThings, knowledge: CategoryKnowledge) -> None:
        self._question = question
        self._meant = meant
        self._knowledge = knowledge

    def of(self, finding: Finding) -> tuple[str, ...]:
        """Returns the words of the question of which a finding takes no account."""
        question, target, marks = self._question, self._question.target, self._meant.landmarks
        described = [(target, self._meant.targets())] if target is not None else []
        described += [(mark, self._meant.like(mark)) for mark in marks]
        words = [*question.unread, *(said for phrase, _ in described for said in phrase.unread)]
        if question.kind is QuestionKind.FUNCTION:
            return tuple(words)  # what is to be done is told by single words
        words += [
            place.relation.value
            for place in question.places
            if place.relation in _UNTOLD_RELATIONS and self._meant.names_things(place)
        ]
        words += self._quantifiers(marks)
        if not finding.is_absence or self._meant.targets():  # where there is no chair, there is no wooden one
            words += [word for phrase, things in described for word in self._limits(phrase, things)]
        return tuple(words)

    def denies_the_unknown(self, finding: Finding) -> bool:
        """Whether a finding denies what has a kind, or is at a place of a kind, that nobody would have recognised."""
        question, target = self._question, self._question.target
        phrases = [] if question.kind is QuestionKind.FUNCTION else self._meant.landmarks
        if target is not None and (target.category or question.kind is not QuestionKind.WHAT_IS):
            phrases = [target, *phrases]
        denies = finding.is_absence or not finding.things
        return denies and not all(self._is_recognised(phrase.category) for phrase in phrases)

    def _is_recognised(self, kind: str) -> bool:
        return self._knowledge.knows(kind) or (bool(kind) and kind in EVERYWHERE)

    def _quantifiers(self, marks: Sequence[ThingPhrase]) -> list[str]:
        """Returns the quantifiers and numbers that no rule reads: "every" of "in every room"."""
        limited = (Quantifier.ALL, Quantifier.NO)
        words = [mark.text for mark in marks if mark.quantifier in limited or mark.amount]
        if self._meant.quantifier is Quantifier.NO and self._question.answer_form is not AnswerForm.YES_NO:
            words.append("no")
        target = self._question.target
        amount = target.amount if target is not None else None
        if target is not None and amount is not None and self._question.kind in ABOUT_DEFINITE:
            words += [target.text] if amount.most is None and amount.least > 1 else []
        return words

    def _limits(self, phrase: ThingPhrase, things: Sequence[KnownThing]) -> list[str]:
        """Returns the words of a phrase that tell which thing of its kind is meant, and that are not in the names of
        the things which it may mean: "wooden"; none for a room, since RoomRules read those."""
        is_target = phrase is self._question.target
        if is_target and self._meant.is_about_a_room:
            return []
        told = [frozenset(thing.category.split()) for thing in things]
        is_size_told = not is_target or self._meant.is_told_by_size
        size = () if is_size_told or not phrase.size else (phrase.size,)
        return [
            word
            for word in (*size, *phrase.materials, *phrase.modifiers)
            if word not in _UNLIMITING and not (told and all(word in words for words in told))
        ]
