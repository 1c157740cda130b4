"""Assigns typed questions to the categories of OpenEQA."""

from __future__ import annotations

import re

from stma_ros.domains.eqa.question import AnswerForm, Category, QuestionKind, Relation, TypedQuestion
from stma_ros.domains.eqa.wording import Wording
from stma_ros.memory.category_knowledge import CategoryKnowledge

_OF_KIND = {
    QuestionKind.EXISTENCE: Category.OBJECT_STATE_RECOGNITION,
    QuestionKind.COUNT: Category.WORLD_KNOWLEDGE,
    QuestionKind.ATTRIBUTE: Category.ATTRIBUTE_RECOGNITION,
    QuestionKind.STATE: Category.OBJECT_STATE_RECOGNITION,
    QuestionKind.WHERE: Category.OBJECT_LOCALIZATION,
    QuestionKind.ROOM_OF: Category.OBJECT_LOCALIZATION,
    QuestionKind.WHAT_IS: Category.OBJECT_RECOGNITION,
    QuestionKind.WHICH: Category.OBJECT_RECOGNITION,
    QuestionKind.RELATION: Category.SPATIAL_UNDERSTANDING,
    QuestionKind.SPACE: Category.SPATIAL_UNDERSTANDING,
    QuestionKind.FUNCTION: Category.FUNCTIONAL_REASONING,
    QuestionKind.ROOM_KIND: Category.WORLD_KNOWLEDGE,
    QuestionKind.KNOWLEDGE: Category.WORLD_KNOWLEDGE,
}
_DIRECTIONS = frozenset(
    (
        Relation.ABOVE,
        Relation.AROUND,
        Relation.BEHIND,
        Relation.BETWEEN,
        Relation.IN_FRONT_OF,
        Relation.LEFT_OF,
        Relation.OPPOSITE,
        Relation.RIGHT_OF,
        Relation.UNDER,
    )
)
"""Relations that ask for an understanding of space; to lie in, on or near a thing does not."""


_BETWEEN = frozenset((Relation.BETWEEN, Relation.OPPOSITE))
"""Relations that do so even of "the red object" that is to be recognised."""
_OF_ATTRIBUTE = {
    "brand": Category.WORLD_KNOWLEDGE,
    "arrangement": Category.SPATIAL_UNDERSTANDING,
    "distance": Category.SPATIAL_UNDERSTANDING,
    "time": Category.OBJECT_STATE_RECOGNITION,
}
_NOUN_FIRST = re.compile(r"(?:what|which) (?!is\b|are\b|was\b|were\b)")
_SINGLE = re.compile(r"^(?:\w+ ){1,3}an? ")
_SOUGHT_FOR_USE = re.compile(
    r"where (?:can|could|do|should) (?:i|we|you|one) \w+ (?:an?|some|any|more) "
    r"|where (?:should|could|would|might) (?!be\b|i\b|we\b|you\b|one\b)"
)
"""An indefinite thing is sought for its use, a definite one for its place."""
_THERE = re.compile(r"(?:is|are) there\b")
_ENTERING = re.compile(r"\bwhen (?:\w+ )?(?:enter|walk|com|fac|look|stand)")
_HAS_PART = re.compile(r"(?:do|does) (?!i\b|we\b|you\b|this\b).+ have ")
_DIRECTED = re.compile(r"^what\b|\b(?:direction|leads?|face|facing|point)\b")
_CONDITION = re.compile(r"^(?:if|when|whenever|after|before|while|once|as soon as)\b")
_ROUTE = re.compile(r"\b(?:go|turn|walk|step|enter|stand|sit|sitting|standing|facing|locate|position)\b")


def category_of(question: TypedQuestion, wording: Wording, knowledge: CategoryKnowledge) -> Category:
    """Returns the category that a question would have in OpenEQA.

    The categories overlap: "What is above the sofa?" is in its file as object recognition and as spatial understanding.

    Args:
        question: all but its category.
        wording: its parts.
        knowledge: tells names of things from other nouns: "Which sport is on the poster?" asks for no thing.
    """
    kind = question.kind
    if _is_asked_from_a_pose(question, wording):
        return Category.SPATIAL_UNDERSTANDING
    if kind is QuestionKind.WHAT_IS:
        return _of_thing(question, wording, knowledge)
    if kind is QuestionKind.EXISTENCE:
        return _of_existence(question, wording)
    if kind is QuestionKind.WHERE:
        return _of_place(question, wording)
    if kind is QuestionKind.FUNCTION and _asks_for_knowledge(question, wording):
        return Category.WORLD_KNOWLEDGE
    if kind is QuestionKind.WHICH and not question.places:
        return Category.ATTRIBUTE_RECOGNITION
    if kind is QuestionKind.ATTRIBUTE:
        return _OF_ATTRIBUTE.get(question.attribute, Category.ATTRIBUTE_RECOGNITION)
    if wording.clause.startswith(("is it ", "was it ")) and kind is QuestionKind.KNOWLEDGE:
        return Category.OBJECT_STATE_RECOGNITION
    return _OF_KIND[kind]


def _of_thing(question: TypedQuestion, wording: Wording, knowledge: CategoryKnowledge) -> Category:
    """Returns the category of a question which thing it is."""
    relations = {place.relation for place in question.places}
    target = question.target
    if _ENTERING.search(wording.clause):
        return Category.SPATIAL_UNDERSTANDING
    if target is not None and target.category and not knowledge.knows(target.category):
        described = target.colours or target.materials or target.modifiers or target.size
        is_part = question.relation is Relation.PART_OF
        return (
            Category.OBJECT_RECOGNITION
            if described and not is_part and not _NOUN_FIRST.match(wording.clause)
            else Category.WORLD_KNOWLEDGE
        )
    directions = _DIRECTIONS if target is None else _BETWEEN
    return Category.SPATIAL_UNDERSTANDING if relations & directions else Category.OBJECT_RECOGNITION


def _of_existence(question: TypedQuestion, wording: Wording) -> Category:
    """Returns the category of a question whether there is a thing."""
    if wording.follow_up.startswith("where"):
        return Category.OBJECT_LOCALIZATION
    target = question.target
    if question.places and _HAS_PART.match(wording.clause):
        return Category.ATTRIBUTE_RECOGNITION
    if target is not None and target.category == "person":
        return Category.WORLD_KNOWLEDGE
    counts = target is not None and (target.plural or _SINGLE.search(wording.clause) is not None)
    if target is not None and target.category and counts and not question.state:
        return Category.SPATIAL_UNDERSTANDING
    return Category.OBJECT_STATE_RECOGNITION


def _of_place(question: TypedQuestion, wording: Wording) -> Category:
    """Returns the category of a question where a thing is."""
    if question.relation is Relation.RELATIVE_TO or _DIRECTED.search(wording.clause) is not None:
        return Category.SPATIAL_UNDERSTANDING
    if _SOUGHT_FOR_USE.match(wording.clause):
        return Category.FUNCTIONAL_REASONING
    return Category.OBJECT_LOCALIZATION


def _is_asked_from_a_pose(question: TypedQuestion, wording: Wording) -> bool:
    """Whether it asks what is where after a walk, or seen from a place: "If I sit here, what do I see?"."""
    asks_for_place = question.kind not in (QuestionKind.FUNCTION, QuestionKind.ATTRIBUTE, QuestionKind.STATE)
    return asks_for_place and _ROUTE.search(wording.context) is not None


def _asks_for_knowledge(question: TypedQuestion, wording: Wording) -> bool:
    """Whether it takes more than the usual function of a thing: whether something can be done, or help in a need."""
    if question.answer_form is AnswerForm.YES_NO:
        return _THERE.match(wording.clause) is None
    in_need = bool(wording.context) and _CONDITION.match(wording.context) is None
    return question.answer_form is not AnswerForm.PLACE and in_need
