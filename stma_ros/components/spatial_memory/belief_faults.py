"""Injects faults into the facts of spatial beliefs, to measure how planner and critic cope with them.

A fault concerns a thing of the task: one that a goal names, or that the robot has handled. It lasts for one step, and
the memory stays as it is. A corrupted belief has the form of a sound one: a thing has one place, one state of each
dimension, and the room of its place. Routes and what is within reach follow from boxes, and stay. Faults are
reported to scorers (types.telemetry.RoleCall); no part of the agent reads them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.faults import FaultConfig, InjectedFault
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.scene_graph import Relation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Time

BELIEFS, LABELS, ALL_FAULTS = "beliefs", "labels", "all"
_KINDS = {
    BELIEFS: (FaultKind.STALE, FaultKind.CONTRADICTED),
    LABELS: (FaultKind.MISLABELLED,),
    ALL_FAULTS: (FaultKind.STALE, FaultKind.CONTRADICTED, FaultKind.MISLABELLED),
}
_PLACE = "place"
_BEFORE = (
    1_000_000_000  # [ns] how long before the robot's own action the thing was seen as the wrong fact says
)

_Facts: TypeAlias = "tuple[Relation, ...]"


@dataclass(frozen=True)
class BeliefFaultConfig(FaultConfig):
    fault_kinds: str = setting(
        ALL_FAULTS, "for measurements: what is corrupted in beliefs", choices=tuple(_KINDS)
    )


@dataclass(frozen=True)
class _Fault:
    """A fault that is possible in a belief.

    Attributes:
        sound: a fact of the belief.
        wrong: what the belief says in its place.
        facts: all facts about the thing in the corrupted belief.
    """

    sound: Relation
    wrong: Relation
    facts: _Facts

    @property
    def detail(self) -> str:
        sound, wrong = self.sound, self.wrong
        return f"{wrong.subject} {wrong.predicate} {wrong.object}, not {sound.predicate} {sound.object}"


class BeliefFaults:
    """Corrupts the facts of beliefs at a configured rate; at a rate of 0 they are unchanged.

    The same beliefs in the same order get the same faults.
    """

    def __init__(self, config: BeliefFaultConfig, knowledge: CategoryKnowledge) -> None:
        self._config = config
        self._knowledge = knowledge
        self._generator: np.random.Generator | None = None
        self._present: dict[str, _Facts] = {}
        self._former: dict[str, _Facts] = {}

    def corrupted(self, facts: _Facts, temporal: TemporalBelief) -> tuple[_Facts, InjectedFault | None]:
        """Returns the facts of a step, and the fault that was put into them if there is one.

        Args:
            facts: the sound facts.
            temporal: temporal belief of the step.
        """
        if not self._config.fault_rate:
            return facts, None
        self._remember(facts)
        generator = self._draws(facts)
        if generator.random() >= self._config.fault_rate:
            return facts, None
        kinds = _KINDS[self._config.fault_kinds]
        first = int(generator.integers(len(kinds)))
        for kind in (*kinds[first:], *kinds[:first]):
            faults = list(self._faults(kind, temporal))
            if faults:
                fault = faults[int(generator.integers(len(faults)))]
                others = tuple(fact for fact in facts if fact.subject != fault.sound.subject)
                return (*others, *fault.facts), InjectedFault(kind, fault.detail)
        return facts, None

    def _draws(self, facts: Sequence[Relation]) -> np.random.Generator:
        if self._generator is None:
            text = "\n".join(f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts)
            self._generator = np.random.default_rng((self._config.fault_seed, zlib.crc32(text.encode())))
        return self._generator

    def _remember(self, facts: Sequence[Relation]) -> None:
        """Keeps the facts about each thing, and those of the newest step at which its place or a state was another."""
        present: dict[str, list[Relation]] = {}
        for fact in facts:
            present.setdefault(fact.subject, []).append(fact)
        for name, before in self._present.items():
            if name in present and list(_changes(before, present[name])):
                self._former[name] = before
        self._present = {name: tuple(about) for name, about in present.items()}

    def _faults(self, kind: FaultKind, temporal: TemporalBelief) -> Iterator[_Fault]:
        if kind is FaultKind.MISLABELLED:
            yield from self._wrong_labels(temporal)
            return
        concerned = _things_of_the_task(self._present, temporal)
        for name in (name for name in self._present if name in concerned):
            if kind is FaultKind.STALE:
                yield from self._stale(name)
            else:
                yield from self._contradicted(name, temporal)

    def _stale(self, name: str) -> Iterator[_Fault]:
        """Yields what an earlier belief said about a thing, if its place or a state was another."""
        former = self._former.get(name, ())
        for wrong, sound in _changes(former, self._present[name]):
            yield _Fault(sound, wrong, former)
            return

    def _contradicted(self, name: str, temporal: TemporalBelief) -> Iterator[_Fault]:
        """Yields wrong facts with evidence against them: a place in another room than the one where the thing's box
        is; and the place or state as of before the robot changed it by an action of the history."""
        since = temporal.completed[0].header.stamp if temporal.completed else None
        for sound in self._present[name]:
            is_own = sound.source == EvidenceSource.OWN_ACTION
            is_told = is_own and since is not None and sound.last_seen >= since
            before = Time.from_nanoseconds(max(sound.last_seen.nanoseconds - _BEFORE, 1))
            wrongs: list[Relation] = []
            if _dimension(sound) == _PLACE:
                looked = replace(sound, source=EvidenceSource.UNKNOWN)  # that of a place inferred from boxes
                wrongs = [
                    replace(looked, predicate=predicate, object=holder)
                    for predicate, holder in self._places()
                    if holder not in (name, sound.object) and (is_told or self._is_elsewhere(name, holder))
                ]
            elif _dimension(sound) and is_told:
                wrongs = [
                    replace(sound, object=words.OPPOSITE_STATE[sound.object], source=EvidenceSource.GEOMETRY)
                ]
            for wrong in wrongs:
                if is_own:
                    wrong = replace(wrong, first_seen=min(wrong.first_seen, before), last_seen=before)
                yield _Fault(sound, wrong, self._with(name, sound, wrong))

    def _with(self, name: str, sound: Relation, wrong: Relation) -> _Facts:
        """Returns the facts about a thing with a wrong one, and for a wrong place with the room of that."""
        room = self._room(wrong.object) if _dimension(wrong) == _PLACE else ""
        return tuple(
            wrong
            if fact is sound
            else replace(fact, object=room)
            if room and fact.predicate == words.IN_ROOM
            else fact
            for fact in self._present[name]
        )

    def _places(self) -> list[tuple[str, str]]:
        """Returns where things are: pairs of in or on, and what they are in or on."""
        facts = (fact for about in self._present.values() for fact in about)
        return sorted(
            {(fact.predicate, fact.object) for fact in facts if fact.predicate in (words.IN, words.ON)}
        )

    def _is_elsewhere(self, name: str, holder: str) -> bool:
        here, there = self._room(name), self._room(holder)
        return bool(here and there) and here != there

    def _room(self, name: str) -> str:
        facts = self._present.get(name, ())
        return next((fact.object for fact in facts if fact.predicate == words.IN_ROOM), "")

    def _wrong_labels(self, temporal: TemporalBelief) -> Iterator[_Fault]:
        """Yields things that a goal does not mean, under the name of a kind that it means."""
        wanted = sorted({what.category for goal in temporal.goals for what in goal.what if what.category})
        portable = [category for category in wanted if self._knowledge.is_portable(category)]
        for name, facts in self._present.items():
            for sound in facts:
                if sound.predicate != words.IS_A or not self._knowledge.is_portable(sound.object):
                    continue
                for category in portable:
                    if not self._knowledge.are_related(sound.object, category):
                        wrong = replace(sound, object=category)
                        yield _Fault(sound, wrong, self._with(name, sound, wrong))


def _changes(before: Sequence[Relation], after: Sequence[Relation]) -> Iterator[tuple[Relation, Relation]]:
    """Yields the facts about a thing's place and states that have changed: the former one and the present one."""
    present = {_dimension(fact): fact for fact in after if _dimension(fact)}
    for fact in before:
        now = present.get(_dimension(fact))
        if now is not None and now.object != fact.object:
            yield fact, now


def _dimension(fact: Relation) -> str:
    """Returns the place or the dimension of a state, of which a thing has one; empty for other facts."""
    if fact.predicate in (words.HELD_BY, words.IN, words.ON):
        return _PLACE
    is_state = fact.predicate == words.STATE and fact.object in words.OPPOSITE_STATE
    return words.STATE_DIMENSION[fact.object] if is_state else ""


def _things_of_the_task(about: Mapping[str, _Facts], temporal: TemporalBelief) -> frozenset[str]:
    kinds = {what.category for goal in temporal.goals for what in (*goal.what, *goal.destination)}
    named = {
        name
        for name, facts in about.items()
        if any(fact.predicate == words.IS_A and fact.object in kinds for fact in facts)
    }
    handled = {name for outcome in temporal.completed for name in outcome.action.arguments}
    return frozenset(named | handled)
