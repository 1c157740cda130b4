"""Judges answers by rules: how far does a prediction say what a right answer says?

The scores are those of OpenEQA's protocol: 5 for an answer that says the same, 4 for one that is right and less or more
detailed, 3 and 2 for one that is right in part, 1 for a wrong one. The rules know spellings, numbers, colours,
synonyms, opposites and places; they know no model and no scene.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.noun_phrase import NounPhrases
from stma_ros.domains.eqa.question import AnswerForm, QuestionKind, QuestionNotUnderstoodError
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.wording import split_wording
from stma_ros.evaluation.eqa.answer_places import PlaceComparison
from stma_ros.evaluation.eqa.answer_text import (
    AnswerText,
    concept,
    contradict,
    is_same_concept,
    read_answer,
    without_doubt,
    without_lead,
)
from stma_ros.evaluation.eqa.scoring import BARELY, PARTLY, RIGHT, SAME, WRONG
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.vocabulary import OPPOSITE_STATE


class RuleJudge:
    """A Judge by rules."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        """Takes the vocabulary, whose synonyms, kinds and colours it uses."""
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)
        self._phrases = NounPhrases(knowledge)
        self._places = PlaceComparison(knowledge)

    def score(self, question: str, answers: Sequence[str], prediction: str) -> int | None:
        """See `scoring.Judge.score`."""
        if not answers:
            raise ValueError("there is no right answer to compare with")
        if read_answer(prediction, self._knowledge).is_empty:
            return None
        if self.is_exact(answers, prediction):
            return SAME
        prediction = without_doubt(prediction)
        said = read_answer(prediction, self._knowledge)
        asked = self._asked(question)
        if said.is_empty or self._says_both(asked, said):
            return WRONG
        if asked.is_about_place:
            answers = self._places.comparable(answers, prediction)
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
        if asked.kind in _PRESUMING and right.denies != said.denies:
            return WRONG  # "no" to "Is the piano open?" does not say that there is no piano
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
            return SAME if _numbers(right) and _numbers(right) == _numbers(said) else WRONG
        if right.says_nothing or said.says_nothing:
            return SAME if right.says_nothing and said.says_nothing else WRONG
        if right.negated != said.negated or contradict(right.concepts, said.concepts):
            return WRONG
        score = self._places.score(answer, prediction) if asked.is_about_place else None
        if score is None:
            score = self._compared_words(asked, answer, prediction, right, said)
        return min(score, PARTLY) if self._offers_more(answer, prediction) else score

    def _says_both(self, asked: _Asked, said: AnswerText) -> bool:
        """Whether an answer leaves open which of two answers it gives: "yes or no", "open or closed"."""
        options = [read_answer(state, self._knowledge).plain for state in asked.states]
        pairs = [("yes", "no")] + ([(options[0], options[1])] if len(options) == 2 and all(options) else [])
        return any(
            re.search(rf"\b{re.escape(one)} (?:or|and|nor) {re.escape(other)}\b", said.plain)
            for pair in pairs
            for one, other in (pair, pair[::-1])
        )

    def _offers_more(self, answer: str, prediction: str) -> bool:
        """Whether a prediction offers a choice, or lists rooms, that a right answer does not."""
        if _OR.search(prediction) and not _OR.search(answer.lower()):
            return True
        right = self._listed_rooms(answer)
        return bool(right) and not self._listed_rooms(prediction) <= right

    def _listed_rooms(self, text: str) -> set[str]:
        """Returns the rooms that an answer lists; that of "the bedroom next to the kitchen" is the bedroom."""
        located = (self._phrases.read(item) for item in _ITEMS.split(without_lead(text)))
        named = (each.room or (self._phrases.room(each.thing.text) if each.thing else "") for each in located)
        return {concept(room, self._knowledge) for room in named if room}

    def _compared_words(
        self, asked: _Asked, answer: str, prediction: str, right: AnswerText, said: AnswerText
    ) -> int:
        """Compares answers that name things or values."""
        wanted, given = right.concepts - asked.concepts, said.concepts - asked.concepts
        if not wanted or not given:  # "there is no piano" repeats the question
            wanted, given = right.concepts, said.concepts
        if right.colours and asked.kind is QuestionKind.ATTRIBUTE:
            if said.colours and said.colours <= right.colours:
                return SAME if wanted == given else RIGHT
            return PARTLY if right.colours & said.colours else WRONG
        things, named = self._things(answer), self._things(prediction)
        if things and named and min(len(wanted), len(given)) <= _SHORT:
            shared = sum(
                any(is_same_concept(one, other, self._knowledge) for other in named) for one in things
            )
            if not shared:
                alike = any(self._knowledge.is_alike(one, other) for one in things for other in named)
                return PARTLY if alike else WRONG
            if len(things) > 1 and shared < len(things):
                return SAME if _OR.search(answer.lower()) else PARTLY
            if len(named) > 1 and any(
                not any(is_same_concept(one, other, self._knowledge) for one in things) for other in named
            ):
                return PARTLY  # it lists things that are not there
        found = {
            one for one in wanted if any(is_same_concept(one, other, self._knowledge) for other in given)
        }
        fits = {one for one in given if any(is_same_concept(other, one, self._knowledge) for other in wanted)}
        if wanted == given:
            return SAME
        if len(found) == len(wanted) or (fits and len(fits) == len(given)):
            return RIGHT
        share = len(found) / len(wanted)
        return PARTLY if share >= _HALF else BARELY if share >= _THIRD and len(found) > 1 else WRONG

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

    @property
    def is_about_place(self) -> bool:
        return self.kind in (QuestionKind.WHERE, QuestionKind.ROOM_OF) or self.form is AnswerForm.PLACE


_OR = re.compile(r"\bor\b")
_ITEMS = re.compile(r",? (?:and|or) |, | / ")
_PRESUMING = frozenset(
    (
        QuestionKind.ATTRIBUTE,
        QuestionKind.STATE,
        QuestionKind.WHERE,
        QuestionKind.ROOM_OF,
        QuestionKind.WHAT_IS,
        QuestionKind.WHICH,
        QuestionKind.RELATION,
    )
)
"""Kinds of questions that take for granted that there is the thing."""
_HALF, _THIRD = 0.5, 1 / 3
_SHORT = 3  # concepts of an answer that names one thing, so that another head noun is another thing


def _numbers(answer: AnswerText) -> frozenset[str]:
    """Returns the numbers of an answer to "how many": 0 of "there are none"."""
    return answer.numbers or (frozenset("0") if answer.says_nothing or answer.denies else answer.numbers)


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
