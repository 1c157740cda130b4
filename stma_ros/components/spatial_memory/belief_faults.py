"""Injects faults into the facts of spatial beliefs, to measure how planner and critic cope with them.

A fault concerns a thing of the task: one that a goal names, or that the robot has handled. It lasts for one step, and
the memory itself stays as it is. Faults are reported to scorers (types.telemetry.RoleCall); no part of the agent reads
them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

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
_PLACES = (words.HELD_BY, words.IN, words.ON)
_OPPOSITE = {
    words.STATE_OPEN: words.STATE_CLOSED,
    words.STATE_CLOSED: words.STATE_OPEN,
    words.STATE_ON: words.STATE_OFF,
    words.STATE_OFF: words.STATE_ON,
    words.STATE_FULL: words.STATE_EMPTY,
    words.STATE_EMPTY: words.STATE_FULL,
}
_BEFORE = 1_000_000_000  # [ns] age of an invented fact, before the evidence against it

_Key = tuple[str, str]
_Change = tuple[FaultKind, "Relation | None", Relation]  # kind, the fact that it replaces, the wrong fact


@dataclass(frozen=True)
class BeliefFaultConfig(FaultConfig):
    fault_kinds: str = setting(
        ALL_FAULTS, "for measurements: what is corrupted in beliefs", choices=tuple(_KINDS)
    )


class BeliefFaults:
    """Corrupts the facts of beliefs at a configured rate; at a rate of 0 they are unchanged.

    The same beliefs in the same order get the same faults.
    """

    def __init__(self, config: BeliefFaultConfig, knowledge: CategoryKnowledge) -> None:
        self._config = config
        self._knowledge = knowledge
        self._generator: np.random.Generator | None = None
        self._present: dict[_Key, Relation] = {}
        self._former: dict[_Key, Relation] = {}

    def corrupted(
        self, facts: tuple[Relation, ...], temporal: TemporalBelief
    ) -> tuple[tuple[Relation, ...], InjectedFault | None]:
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
            changes = list(self._changes(kind, facts, temporal))
            if changes:
                _, old, wrong = changes[int(generator.integers(len(changes)))]
                rest = tuple(fact for fact in facts if fact is not old)
                detail = f"{wrong.subject} {wrong.predicate} {wrong.object}"
                if old is not None:
                    detail += f", not {old.predicate} {old.object}"
                return (*rest, wrong), InjectedFault(kind, detail)
        return facts, None

    def _draws(self, facts: Sequence[Relation]) -> np.random.Generator:
        if self._generator is None:
            text = "\n".join(f"{fact.subject} {fact.predicate} {fact.object}" for fact in facts)
            self._generator = np.random.default_rng((self._config.fault_seed, zlib.crc32(text.encode())))
        return self._generator

    def _remember(self, facts: Sequence[Relation]) -> None:
        present = {_key(fact): fact for fact in facts if _key(fact)[1]}
        for key, fact in self._present.items():
            now = present.get(key)
            if now is not None and (now.predicate, now.object) != (fact.predicate, fact.object):
                self._former[key] = fact
        self._present = present

    def _changes(
        self, kind: FaultKind, facts: Sequence[Relation], temporal: TemporalBelief
    ) -> Iterator[_Change]:
        concerned = _things_of_the_task(facts, temporal)
        if kind is FaultKind.MISLABELLED:
            yield from self._wrong_labels(facts, temporal)
            return
        for key, now in self._present.items():
            if key[0] not in concerned:
                continue
            if kind is FaultKind.STALE:
                former = self._former.get(key)
                if former is not None and former.object != now.object:
                    yield kind, now, former
            else:
                yield from self._contradictions(now, facts, temporal)

    def _contradictions(
        self, now: Relation, facts: Sequence[Relation], temporal: TemporalBelief
    ) -> Iterator[_Change]:
        """Yields facts that are older than the evidence against them, which stays known: by the sound fact, or by the
        robot's action in the history."""
        if now.predicate in _PLACES:
            holders = {fact.object for fact in facts if fact.predicate in (words.IN, words.ON)}
            wrongs = [
                replace(now, predicate=words.ON, object=holder)
                for holder in sorted(holders - {now.object, now.subject})
            ]
        elif now.object in _OPPOSITE:
            wrongs = [replace(now, object=_OPPOSITE[now.object])]
        else:
            return
        since = temporal.completed[0].header.stamp if temporal.completed else None
        own = now.source == EvidenceSource.OWN_ACTION
        if own and (since is None or now.last_seen < since):
            return
        is_state = now.predicate == words.STATE
        when = (
            now.last_seen
            if is_state and not own
            else Time.from_nanoseconds(max(now.last_seen.nanoseconds - _BEFORE, 1))
        )
        for wrong in wrongs:
            wrong = replace(
                wrong, source=EvidenceSource.UNKNOWN, confidence=1.0, first_seen=when, last_seen=when
            )
            yield FaultKind.CONTRADICTED, (now if own else None), wrong

    def _wrong_labels(self, facts: Sequence[Relation], temporal: TemporalBelief) -> Iterator[_Change]:
        """Yields things that a goal does not mean, under the name of a kind that it means."""
        wanted = sorted({what.category for goal in temporal.goals for what in goal.what if what.category})
        for fact in facts:
            if fact.predicate != words.IS_A or not self._knowledge.is_portable(fact.object):
                continue
            for category in wanted:
                if self._knowledge.is_portable(category) and not self._knowledge.are_related(
                    fact.object, category
                ):
                    yield FaultKind.MISLABELLED, fact, replace(fact, object=category)


def _key(fact: Relation) -> _Key:
    """Returns the subject and the dimension of a fact; the dimension is empty for facts that are not corrupted."""
    if fact.predicate in _PLACES:
        return fact.subject, "place"
    if fact.predicate == words.STATE and fact.object in _OPPOSITE:
        return fact.subject, words.STATE_DIMENSION[fact.object]
    return fact.subject, ""


def _things_of_the_task(facts: Sequence[Relation], temporal: TemporalBelief) -> frozenset[str]:
    kinds = {what.category for goal in temporal.goals for what in (*goal.what, *goal.destination)}
    named = {fact.subject for fact in facts if fact.predicate == words.IS_A and fact.object in kinds}
    handled = {name for outcome in temporal.completed for name in outcome.action.arguments}
    return frozenset(named | handled)
