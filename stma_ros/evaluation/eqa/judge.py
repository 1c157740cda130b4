"""Judges answers by rules: how far does a prediction say what a right answer says?

The scores are those of OpenEQA's protocol: 5 for an answer that says the same, 4 for one that is right and less or more
detailed, 3 and 2 for one that is right in part, 1 for a wrong one. The rules know spellings, numbers, colours,
synonyms, opposites and places; they know no model and no scene.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from stma_ros.domains.eqa.noun_phrase import NounPhrases
from stma_ros.domains.eqa.question import AnswerForm, QuestionKind, QuestionNotUnderstoodError, Relation
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.wording import split_wording
from stma_ros.evaluation.eqa.answer_text import (
    AnswerText,
    concept,
    contradict,
    read_answer,
    wider_concept,
    without_lead,
)
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.vocabulary import OPPOSITE_STATE

SAME: Final = 5
RIGHT: Final = 4
PARTLY: Final = 3
BARELY: Final = 2
WRONG: Final = 1


class Judge(Protocol):
    """Scores answers."""

    def score(self, question: str, answers: Sequence[str], prediction: str) -> int | None:
        """Returns the score of a prediction, 1 to 5; None if the prediction is empty, that is, there is no answer.

        Args:
            question: the question as it was asked.
            answers: right answers, at least one; the best score with any of them counts.
            prediction: the answer to score.
        """
        ...


@dataclass(frozen=True)
class _Place:
    """relation: None = in a room. landmark: canonical name."""

    relation: Relation | None
    landmark: str


class RuleJudge:
    """A Judge by rules."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        """Takes the vocabulary, whose synonyms, kinds and colours it uses."""
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)
        self._phrases = NounPhrases(knowledge)

    def score(self, question: str, answers: Sequence[str], prediction: str) -> int | None:
        """See `Judge.score`."""
        if not answers:
            raise ValueError("there is no right answer to compare with")
        said = read_answer(prediction, self._knowledge)
        if said.is_empty:
            return None
        asked = self._asked(question)
        return max(self._compared(asked, answer, prediction, said) for answer in answers)

    def is_exact(self, answers: Sequence[str], prediction: str) -> bool:
        """Whether a prediction is a right answer word for word, but for articles, spelling and opening words."""
        said = read_answer(prediction, self._knowledge)
        right = [read_answer(answer, self._knowledge) for answer in answers]
        return not said.is_empty and any(
            (one.plain, one.says_yes) == (said.plain, said.says_yes) for one in right
        )

    def _asked(self, question: str) -> _Asked:
        concepts = read_answer(question, self._knowledge).concepts
        wording = split_wording(question)
        asks_more = wording is not None and bool(wording.follow_up)
        try:
            typed = self._parser.parse(question)
        except QuestionNotUnderstoodError:
            return _Asked(None, None, concepts, asks_more)
        states = typed.options or ((typed.state, OPPOSITE_STATE.get(typed.state, "")) if typed.state else ())
        return _Asked(typed.kind, typed.answer_form, concepts, asks_more, states)

    def _compared(self, asked: _Asked, answer: str, prediction: str, said: AnswerText) -> int:
        right = read_answer(answer, self._knowledge)
        if (right.plain, right.says_yes) == (said.plain, said.says_yes):
            return SAME
        if asked.form is AnswerForm.YES_NO or right.says_yes is not None:
            agree = _agree(_polarity(asked, right), _polarity(asked, said))
            if agree is False or (agree is None and not right.plain):
                return WRONG  # "in the kitchen" is no answer to whether
            if agree and not (asked.asks_more and right.plain):
                return SAME
            if agree and not said.plain:
                return RIGHT
        if asked.form is AnswerForm.CHOICE:
            agree = _agree(_chosen(asked, right), _chosen(asked, said))
            if agree is not None:
                return SAME if agree else WRONG
        if asked.form is AnswerForm.NUMBER or (right.numbers and right.concepts <= right.numbers):
            return SAME if right.numbers and right.numbers == said.numbers else WRONG
        if right.says_nothing or said.says_nothing:
            return SAME if right.says_nothing and said.says_nothing else WRONG
        if right.negated != said.negated or contradict(right.concepts, said.concepts):
            return WRONG
        if asked.kind in (QuestionKind.WHERE, QuestionKind.ROOM_OF) or asked.form is AnswerForm.PLACE:
            return self._compared_places(asked, answer, prediction, right, said)
        return self._compared_words(asked, answer, prediction, right, said)

    def _compared_words(
        self, asked: _Asked, answer: str, prediction: str, right: AnswerText, said: AnswerText
    ) -> int:
        """Compares answers that name things or values."""
        wanted, given = right.concepts - asked.concepts, said.concepts - asked.concepts
        if not wanted or not given:  # "there is no piano" repeats the question
            wanted, given = right.concepts, said.concepts
        if right.colours and asked.kind is QuestionKind.ATTRIBUTE:
            if right.colours <= said.colours or (said.colours and said.colours <= right.colours):
                return SAME if wanted == given else RIGHT
            return PARTLY if right.colours & said.colours else WRONG
        things, named = self._things(answer), self._things(prediction)
        if things and named and min(len(wanted), len(given)) <= _SHORT:
            shared = sum(any(self._is_same(one, other) for other in named) for one in things)
            if not shared:
                alike = any(self._knowledge.is_alike(one, other) for one in things for other in named)
                return PARTLY if alike else WRONG
            if len(things) > 1 and shared < len(things):
                return SAME if " or " in answer.lower() else PARTLY
        found = {one for one in wanted if any(self._is_same(one, other) for other in given)}
        fits = {one for one in given if any(self._is_same(other, one) for other in wanted)}
        if len(found) == len(wanted) and len(fits) == len(given):
            return SAME
        if len(found) == len(wanted) or (fits and len(fits) == len(given)):
            return RIGHT
        share = len(found) / len(wanted)
        return PARTLY if share >= _HALF else BARELY if share >= _THIRD and len(found) > 1 else WRONG

    def _compared_places(
        self, asked: _Asked, answer: str, prediction: str, right: AnswerText, said: AnswerText
    ) -> int:
        """Compares answers that name places: relations to landmarks, and rooms."""
        wanted, given = self._places(answer), self._places(prediction)
        if not wanted or not given:
            return self._compared_words(asked, answer, prediction, right, said)
        if any(
            _oppose(one.relation, other.relation) and self._is_same(one.landmark, other.landmark)
            for one in wanted
            for other in given
        ):
            return WRONG
        found = [one for one in wanted if any(self._is_same_place(one, other) for other in given)]
        fits = [one for one in given if any(self._is_same_place(other, one) for other in wanted)]
        if len(found) == len(wanted):
            return SAME
        if len(fits) == len(given):
            return RIGHT
        if wanted[0] in found and given[0] in fits:
            return PARTLY
        return BARELY if len(found) > 1 else WRONG

    def _places(self, text: str) -> list[_Place]:
        located = self._phrases.read(without_lead(text))
        places: list[_Place] = []
        for place in located.places:
            names = [concept(thing.category or thing.text, self._knowledge) for thing in place.landmarks]
            if place.relation is Relation.PART_OF and places and places[-1].landmark.split()[-1] in _PARTS:
                places[-1] = _Place(places[-1].relation, names[0])  # "on the right part of the dresser"
            elif place.relation not in (Relation.WITH, Relation.PART_OF):
                places.extend(_Place(place.relation, name) for name in names)
        if located.room:
            places.append(_Place(None, located.room))
        if not places and located.thing is not None:
            places.append(
                _Place(None, concept(located.thing.category or located.thing.text, self._knowledge))
            )
        return places

    def _is_same_place(self, one: _Place, other: _Place) -> bool:
        return self._is_same(one.landmark, other.landmark) and _fits(one.relation, other.relation)

    def _is_same(self, one: str, other: str) -> bool:
        """Whether two names can mean the same thing: a coffee table is a table."""
        if one == other or self._knowledge.are_related(one, other):
            return True
        return wider_concept(one) == other or wider_concept(other) == one

    def _things(self, text: str) -> list[str]:
        """Returns the concepts of the things that an answer lists: mug and plate of "a mug, and a plate on a tray"."""
        read = (self._phrases.read(item).thing for item in _ITEMS.split(without_lead(text)) if item)
        return [concept(thing.category or thing.text, self._knowledge) for thing in read if thing is not None]


@dataclass(frozen=True)
class _Asked:
    """What a question asks, as far as it matters for its answers.

    Attributes:
        kind, form: None = the question cannot be typed.
        concepts: those of the question.
        asks_more: whether it goes on, as in "if so, where?".
        states: the two answers of a choice, or the state that it asks about and its opposite.
    """

    kind: QuestionKind | None
    form: AnswerForm | None
    concepts: frozenset[str]
    asks_more: bool
    states: tuple[str, ...] = ()


_ITEMS = re.compile(r",? (?:and|or) |, | / ")
_HALF, _THIRD = 0.5, 1 / 3
_SHORT = 3  # concepts of an answer that names one thing, so that another head noun is another thing
_PART_NAMES = (
    "part side edge corner end top bottom layer level middle centre half portion row front back surface"
)
_PARTS = frozenset(_PART_NAMES.split())
"""Nouns that say where on a thing something is; the thing is the landmark."""
_TOUCHING = frozenset((Relation.IN, Relation.ON, None))
_BESIDE = frozenset(
    (
        Relation.NEAR,
        Relation.LEFT_OF,
        Relation.RIGHT_OF,
        Relation.IN_FRONT_OF,
        Relation.BEHIND,
        Relation.BETWEEN,
        Relation.OPPOSITE,
        Relation.AROUND,
        Relation.ABOVE,
        Relation.UNDER,
        Relation.RELATIVE_TO,
    )
)
_OPPOSED = (
    {Relation.LEFT_OF, Relation.RIGHT_OF},
    {Relation.ABOVE, Relation.UNDER},
    {Relation.ON, Relation.UNDER},
    {Relation.IN_FRONT_OF, Relation.BEHIND},
)


def _fits(one: Relation | None, other: Relation | None) -> bool:
    """Whether two relations to one landmark can both hold, and say nearly the same."""
    if one is other or {one, other} <= _TOUCHING or {one, other} == {Relation.ON, Relation.ABOVE}:
        return True
    return Relation.NEAR in (one, other) and {one, other} <= _BESIDE


def _oppose(one: Relation | None, other: Relation | None) -> bool:
    return {one, other} in _OPPOSED


def _agree(one: bool | None, other: bool | None) -> bool | None:
    """Whether both are true, or both false; None if one of them is unknown."""
    return None if one is None or other is None else one == other


def _polarity(asked: _Asked, answer: AnswerText) -> bool | None:
    """Returns whether an answer means yes: "closed" is no to "Is the door open?"; None if it says neither."""
    if answer.says_yes is not None:
        return answer.says_yes
    if asked.form is not AnswerForm.YES_NO:
        return None
    chosen = _chosen(asked, answer)
    if chosen is not None:
        return chosen
    if answer.negated or contradict(asked.concepts, answer.concepts):
        return False
    return True if answer.concepts <= asked.concepts else None


def _chosen(asked: _Asked, answer: AnswerText) -> bool | None:
    """Returns whether an answer names the first of the states that a question asks about; None if it names neither."""
    for index, state in enumerate(asked.states):
        if state and re.search(rf"\b{re.escape(state)}$", answer.plain):
            return (index == 0) != answer.negated
    return None
