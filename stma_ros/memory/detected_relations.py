"""What detectors say of how objects are to each other.

A relation holds from the view that it was seen in until one of its objects is somewhere else, or the same detector says
that the object is in or on something else. Repeated views are not independent: the surest one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from stma_ros.memory.detector_names import united
from stma_ros.memory.tracked_object import ObjectStatus, TrackedObject
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation

MOST = 512
"""Relations that are stored, those of each detector counted; the newest ones."""

_Key: TypeAlias = tuple[str, str, str, tuple[str, ...]]


class DetectedRelations:
    """The relations between tracked objects that detectors report: what each says, with how sure it is."""

    def __init__(self, relations: Iterable[Relation] = ()) -> None:
        self._facts: dict[_Key, Relation] = {_key(fact): fact for fact in relations}

    def saved(self) -> tuple[Relation, ...]:
        """Returns the relations of each detector, the oldest first."""
        return tuple(self._facts.values())

    def add(self, fact: Relation) -> None:
        """Takes what one keyframe shows; called in the order of stamps.

        Args:
            fact: between two ids, with the detector that says so.
        """
        if fact.predicate in (words.IN, words.ON):
            self._withdraw(fact)
        known = self._facts.pop(_key(fact), None)
        self._facts[_key(fact)] = fact if known is None else _joined(known, fact)
        while len(self._facts) > MOST:
            del self._facts[next(iter(self._facts))]

    def _withdraw(self, fact: Relation) -> None:
        """Takes back what the same detector said before of where the subject is."""
        self._facts = {
            key: other
            for key, other in self._facts.items()
            if key == _key(fact)
            or (other.subject, other.detectors) != (fact.subject, fact.detectors)
            or other.predicate not in (words.IN, words.ON)
        }

    def forget(self, name: str) -> None:
        """Drops the relations of an object."""
        self._facts = {
            key: fact for key, fact in self._facts.items() if name not in (fact.subject, fact.object)
        }

    def rename(self, old: str, new: str) -> None:
        """Moves the relations of the id `old` to the id `new`."""
        facts: dict[_Key, Relation] = {}
        for fact in self._facts.values():
            subject, object_ = (new if name == old else name for name in (fact.subject, fact.object))
            if subject != object_:
                renamed = replace(fact, subject=subject, object=object_)
                known = facts.get(_key(renamed))
                facts[_key(renamed)] = renamed if known is None else _joined(known, renamed)
        self._facts = facts

    def between(self, objects: Mapping[str, TrackedObject]) -> tuple[Relation, ...]:
        """Returns the relations that still hold between some objects, each once with all detectors that say so, as sure
        as the surest of them. objects: by id."""
        facts: dict[tuple[str, str, str], Relation] = {}
        for fact in self._facts.values():
            if all(_is_still_there(objects.get(name), fact) for name in (fact.subject, fact.object)):
                said = fact.subject, fact.predicate, fact.object
                facts[said] = _joined(facts[said], fact) if said in facts else fact
        return tuple(facts.values())


def _is_still_there(item: TrackedObject | None, fact: Relation) -> bool:
    """Whether an object is seen, and is where it was when the relation was seen last."""
    if item is None or item.status is not ObjectStatus.SEEN or not item.place_history:
        return False
    return item.place_history[-1].first_seen <= fact.last_seen


def _joined(known: Relation, fact: Relation) -> Relation:
    return replace(
        known,
        confidence=max(known.confidence, fact.confidence),
        first_seen=min(known.first_seen, fact.first_seen),
        last_seen=max(known.last_seen, fact.last_seen),
        detectors=united(known.detectors, fact.detectors),
    )


def _key(fact: Relation) -> _Key:
    return fact.subject, fact.predicate, fact.object, fact.detectors
