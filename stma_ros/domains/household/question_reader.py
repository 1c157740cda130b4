"""Tells the questions among the texts of tasks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from stma_ros.domains.eqa.purposes import things_for
from stma_ros.domains.eqa.question import (
    AnswerForm,
    QuestionKind,
    QuestionNotUnderstoodError,
    TypedQuestion,
)
from stma_ros.domains.eqa.question_parser import QuestionParser
from stma_ros.domains.eqa.room_rules import asks_for_rooms
from stma_ros.domains.eqa.wording import Wording, asks, split_wording
from stma_ros.domains.household.goals import FindGoal, Goal, QuestionGoal
from stma_ros.domains.household.language.patterns import BASE, OBJECT_START
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.goals import ALL

_ASKS_ROBOT = re.compile(r"(?:can|could|would|will|may|might|should|shall) (?:you|it|we all)\b|do you want\b")
"""Asks the robot to do something: "can you take a nap"."""

_ASKS_FAVOUR = re.compile(r"(?:can|could|may|might) (?:i|we) (?:ask|bother|get|have|trouble) you\b")
"""Asks the robot to do something, too: "could I get you to carry the cups"."""

_ASKS_FOR_THING = re.compile(r"(?:please )?give (?:me|us)\b", re.IGNORECASE)
"""Asks for a thing itself, unless for a colour or a number: "give me the dirty mug"."""

_STATES = re.compile(
    r"(?:i|we|he|she|it|they|you|there|this|that|these|those|the|a|an|my|our|his|her|their|some\w*|one|here"
    r"|today|tonight|among|of|if|when|as|since|because|while|after|before|in case"
    r"|hello|hi|hey|sorry|thanks?|thank you|excuse me|quick question|one question|good (?:morning|evening|day))\b"
)
"""Begins what is said around a question, and does not ask for anything else: "I am looking for my keys"."""

_WISHES = re.compile(
    r"\bplease\b|\b(?:wants?|needs?|wish|would like|would love|could (?:really )?use)\b"
    r"(?! to (?!be\b)| some(?:thing|where))|\b(?:belongs?|goes) (?:in|on|into|onto|to|back)\b"
)
"""Asks for something in the form of a statement: "I need the book", but not "I need to write"."""

_ADDS_REQUEST = re.compile(rf"\b(?:and|then)(?: (?:then|also|please|just))* {BASE} {OBJECT_START}\b")
"""Asks for something to be done in the clause that asks: "is the lamp on and turn it off"."""

_THE = re.compile(r"\b(?:the|my|our|your|this|that) (\w+)")

_OPEN = (AnswerForm.PLACE, AnswerForm.ROOM)
"""Forms of answers that the goal to find a thing gives, too."""


class QuestionReader:
    """Reads texts that ask something about the home."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        self._knowledge = knowledge
        self._parser = QuestionParser(knowledge)

    def read(self, text: str, goals: Sequence[Goal] = ()) -> QuestionGoal | FindGoal | None:
        """Returns the question that a text asks; None if it asks for something else, or for what nothing seen answers.

        A text that also asks for something to be done is none: an answer would end the task with the rest undone.

        Args:
            text: of a task.
            goals: that the text has if it is read as a request. A question for the place of one thing is the goal to
                find it.
        """
        try:
            question = self._parser.parse(text)
        except QuestionNotUnderstoodError:
            return None
        if not goals:
            if question.kind is QuestionKind.WHAT_IS and _ASKS_FOR_THING.match(question.text):
                return None
            wording = split_wording(question.text)
            if (
                wording is None
                or not self._is_about_home(question, wording)
                or not _asks_nothing_else(wording)
            ):
                return None
            return QuestionGoal(question.text)
        (goal, *others) = goals
        if others or not isinstance(goal, FindGoal) or goal.beside or question.kind is QuestionKind.FUNCTION:
            return None
        is_thing = not asks_for_rooms(question, self._knowledge)  # which can be gone to and reported
        if is_thing and question.answer_form in _OPEN and goal.count != ALL:
            return replace(goal, question=question.text)
        return QuestionGoal(question.text)

    def _is_about_home(self, question: TypedQuestion, wording: Wording) -> bool:
        """Whether what can be seen in a home answers a question."""
        if question.kind in (QuestionKind.KNOWLEDGE, QuestionKind.ROOM_KIND):
            return False
        if question.kind not in (QuestionKind.FUNCTION, QuestionKind.SPACE):
            return True
        if _ASKS_ROBOT.match(wording.clause):
            return False
        named = (self._knowledge.canonical(noun) for noun in _THE.findall(question.purpose))
        if question.answer_form is AnswerForm.YES_NO and any(map(self._knowledge.is_portable, named)):
            return False  # "can I take the bowl?" asks for leave
        return question.kind is QuestionKind.SPACE or bool(question.places or things_for(question.purpose))


def _asks_nothing_else(wording: Wording) -> bool:
    """Whether all that is said around a question are statements, or a second question about the same."""
    if _ASKS_FAVOUR.match(wording.clause) or _ADDS_REQUEST.search(wording.clause):
        return False
    return all(
        not _ASKS_ROBOT.match(clause)
        if asks(clause)
        else _STATES.match(clause) and not _WISHES.search(clause)
        for clause in (*wording.before, *takewhile(_is_no_offer, wording.after))
    )


def _is_no_offer(clause: str) -> bool:
    """Whether a clause does not begin the answers from which to choose: "answer from left, right"."""
    return not clause.startswith("answer")
