"""Compares answers that name places: relations to landmarks, and rooms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stma_ros.domains.eqa.noun_phrase import NounPhrases
from stma_ros.domains.eqa.question import Relation
from stma_ros.evaluation.eqa.answer_text import concept, is_same_concept, without_lead
from stma_ros.evaluation.eqa.scoring import BARELY, PARTLY, RIGHT, SAME, WRONG
from stma_ros.memory.category_knowledge import CategoryKnowledge

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


@dataclass(frozen=True)
class _Place:
    """relation: None = in a room. landmark: canonical name."""

    relation: Relation | None
    landmark: str


class PlaceComparison:
    """Scores answers to questions where a thing is."""

    def __init__(self, knowledge: CategoryKnowledge) -> None:
        """Takes the vocabulary, whose names of rooms, synonyms and kinds it uses."""
        self._knowledge = knowledge
        self._phrases = NounPhrases(knowledge)

    def score(self, answer: str, prediction: str) -> int | None:
        """Returns the score of a prediction; None if one of the answers names no place."""
        wanted, given = self._places(answer), self._places(prediction)
        if not wanted or not given:
            return None
        if any(
            _oppose(one.relation, other.relation) and self._is_same(one.landmark, other.landmark)
            for one in wanted
            for other in given
        ):
            return WRONG
        rooms = _rooms(wanted), _rooms(given)
        if all(rooms) and not any(self._is_same(one, other) for one in rooms[0] for other in rooms[1]):
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

    def comparable(self, answers: Sequence[str], prediction: str) -> list[str]:
        """Returns the right answers that say of a prediction whether it is right: where it names a room, "on the desk"
        says less than "on the desk in the office", and is left out."""
        if not _rooms(self._places(prediction)):
            return list(answers)
        places = {answer: frozenset(self._places(answer)) for answer in answers}
        return [
            answer
            for answer, said in places.items()
            if not any(said < more and _rooms(more - said) for more in places.values())
        ]

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
        in_or_on = {one.relation, other.relation} == {Relation.IN, Relation.ON}
        if in_or_on and self._knowledge.is_container(one.landmark):
            return False  # on a cabinet is not in it
        return self._is_same(one.landmark, other.landmark) and _fits(one.relation, other.relation)

    def _is_same(self, one: str, other: str) -> bool:
        return is_same_concept(one, other, self._knowledge)


def _rooms(places: Iterable[_Place]) -> set[str]:
    return {place.landmark for place in places if place.relation is None}


def _fits(one: Relation | None, other: Relation | None) -> bool:
    """Whether two relations to one landmark can both hold, and say nearly the same."""
    if one is other or {one, other} <= _TOUCHING or {one, other} == {Relation.ON, Relation.ABOVE}:
        return True
    return Relation.NEAR in (one, other) and {one, other} <= _BESIDE


def _oppose(one: Relation | None, other: Relation | None) -> bool:
    return {one, other} in _OPPOSED
