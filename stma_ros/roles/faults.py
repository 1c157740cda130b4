"""Roles that answer wrongly now and then, to measure what a planning loop makes of it.

Each wrapper stands before a role of the same kind and corrupts its answers at a set rate, by classes of fault. What it
did is told to scorers (types.telemetry.RoleCall); nothing in the agent reads it.
"""

from __future__ import annotations

import enum
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stma_ros.roles.context import Query, context_of
from stma_ros.roles.contracts import (
    AggregateQuery,
    CriticRole,
    CritiqueAnswer,
    CritiqueQuery,
    Description,
    PlanAnswer,
    PlannerRole,
    PlanQuery,
    RelationAggregatorRole,
    RelationQuery,
    RelationRetrieverRole,
    Relations,
    SummariseQuery,
    SummariserRole,
)
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary
from stma_ros.types.errors import RoleError
from stma_ros.types.planning import Action, Verdict
from stma_ros.types.scene_graph import Route, Triple
from stma_ros.types.settings import setting

_DIRECTION = re.compile(rf"\b({'|'.join(words.OPPOSITE)})\b")

_WORD = re.compile(r"\w+")


class FaultKind(str, enum.Enum):
    """What is wrong with an answer."""

    DISALLOWED = "disallowed"  # an action that is not among the allowed ones
    WRONG = "wrong"  # an allowed action that is easily taken for the right one
    OUTDATED = "outdated"  # the answer before this one again
    HALLUCINATED = "hallucinated"  # a fact that nobody has seen
    FLIPPED = "flipped"  # a relation, a direction or a verdict turned around
    MALFORMED = "malformed"  # nothing that can be read


@dataclass(frozen=True)
class FaultConfig:
    fault_rate: float = setting(
        0.0, "for measurements: share of the roles' answers that are corrupted", low=0.0, high=1.0
    )
    fault_seed: int = setting(0, "for measurements: seed of the faults", low=0)


@dataclass(frozen=True)
class InjectedFault:
    """One corrupted answer. detail: what was put in its place."""

    kind: FaultKind
    detail: str


class Faults:
    """Decides which answers are corrupted, and how. The same questions in the same order meet the same faults, whenever
    they are asked."""

    def __init__(self, config: FaultConfig, role: str) -> None:
        self._config = config
        self._role = role
        self._generator: np.random.Generator | None = None
        self._injected: InjectedFault | None = None

    def strikes(self, query: Query, kinds: Sequence[FaultKind]) -> FaultKind | None:
        """The kind of fault to be injected now; None = the answer stays as it is."""
        if self._generator is None:
            # The first question makes the faults of one episode differ from those of the next. Not its stamps: they
            # tell how many episodes the world has seen.
            texts = self._role, context_of(query)
            seeds = self._config.fault_seed, *(zlib.crc32(text.encode()) for text in texts)
            self._generator = np.random.default_rng(seeds)
        if self._generator.random() >= self._config.fault_rate:
            return None
        return kinds[int(self._generator.integers(len(kinds)))]

    def pick(self, count: int) -> int:
        assert self._generator is not None  # something has struck
        return int(self._generator.integers(count))

    def note(self, kind: FaultKind, detail: str) -> None:
        self._injected = InjectedFault(kind, detail)

    def malformed(self) -> RoleError:
        """The error of an answer that cannot be read."""
        self.note(FaultKind.MALFORMED, "")
        return RoleError("the reply could not be read")

    def take(self) -> InjectedFault | None:
        """What was put into the last answer, once."""
        injected, self._injected = self._injected, None
        return injected


class FaultyPlanner:
    """A PlannerRole."""

    KINDS = (FaultKind.DISALLOWED, FaultKind.WRONG, FaultKind.OUTDATED, FaultKind.MALFORMED)

    def __init__(self, role: PlannerRole, faults: Faults) -> None:
        self._role = role
        self._faults = faults
        self._before: PlanAnswer | None = None

    def plan(self, query: PlanQuery) -> PlanAnswer:
        answer = self._role.plan(query)
        before, self._before = self._before, answer
        kind = self._faults.strikes(query, self.KINDS)
        if kind is None:
            return answer
        if kind is FaultKind.MALFORMED:
            raise self._faults.malformed()
        if kind is FaultKind.OUTDATED and before is not None and before.actions != answer.actions:
            self._faults.note(kind, str(before.actions[0]))
            return before
        at = self._faults.pick(len(answer.actions))
        right = answer.actions[at]
        wrong = _easily_confused(
            right, [a for a in query.allowed_actions if a != right and a.skill != words.SKILL_GIVE_UP]
        )
        if kind is not FaultKind.DISALLOWED and wrong:
            action = wrong[self._faults.pick(len(wrong))]
            self._faults.note(FaultKind.WRONG, str(action))
        else:
            action = Action(right.skill, (*right.arguments[:-1], f"{''.join(right.arguments[-1:])} somehow"))
            self._faults.note(FaultKind.DISALLOWED, str(action))
        return replace(answer, actions=(*answer.actions[:at], action, *answer.actions[at + 1 :]))


def _easily_confused(right: Action, others: Sequence[Action]) -> list[Action]:
    """Those that have most words in common with the right action: another appliance, another cut, another exit."""
    said = _words(right)
    common = [len(said & _words(other)) for other in others]
    return [other for other, count in zip(others, common, strict=True) if count == max(common)]


def _words(action: Action) -> set[str]:
    return set(_WORD.findall(str(action)))


class FaultyCritic:
    """A CriticRole."""

    KINDS = (FaultKind.FLIPPED, FaultKind.MALFORMED)

    def __init__(self, role: CriticRole, faults: Faults) -> None:
        self._role = role
        self._faults = faults

    def criticise(self, query: CritiqueQuery) -> CritiqueAnswer:
        answer = self._role.criticise(query)
        kind = self._faults.strikes(query, self.KINDS)
        if kind is None:
            return answer
        if kind is FaultKind.MALFORMED:
            raise self._faults.malformed()
        self._faults.note(kind, str(query.action))
        if answer.verdict == Verdict.ACCEPTED:
            return CritiqueAnswer(Verdict.REJECTED, reason="It does not seem right.")
        return CritiqueAnswer(Verdict.ACCEPTED)


class FaultySummariser:
    """A SummariserRole."""

    KINDS = (FaultKind.OUTDATED, FaultKind.FLIPPED, FaultKind.MALFORMED)

    def __init__(self, role: SummariserRole, faults: Faults) -> None:
        self._role = role
        self._faults = faults

    def summarise(self, query: SummariseQuery) -> Summary:
        answer = self._role.summarise(query)
        kind = self._faults.strikes(query, self.KINDS)
        if kind is None:
            return answer
        if kind is FaultKind.MALFORMED:
            raise self._faults.malformed()
        newest = "".join(answer.observations[-1:])
        flipped = _turned(newest)
        if kind is FaultKind.OUTDATED or flipped == newest:
            self._faults.note(FaultKind.OUTDATED, "the summary before")
            return query.previous
        self._faults.note(kind, flipped)
        return replace(
            answer,
            observations=(*answer.observations[:-1], flipped),
            text=answer.text.replace(newest, flipped),
        )


class FaultyRetriever:
    """A RelationRetrieverRole."""

    KINDS = (FaultKind.HALLUCINATED, FaultKind.FLIPPED, FaultKind.MALFORMED)

    def __init__(self, role: RelationRetrieverRole, faults: Faults) -> None:
        self._role = role
        self._faults = faults

    def retrieve_relations(self, query: RelationQuery) -> Relations:
        answer = self._role.retrieve_relations(query)
        kind = self._faults.strikes(query, self.KINDS)
        if kind is None:
            return answer
        if kind is FaultKind.MALFORMED or not answer.triples:
            raise self._faults.malformed()
        triples = list(answer.triples)
        at = self._faults.pick(len(triples))
        fact = triples[at]
        others = [name for name in dict.fromkeys(t.subject for t in triples) if name not in _ends(fact)]
        if kind is FaultKind.HALLUCINATED and others:
            triples[at] = replace(fact, object=others[self._faults.pick(len(others))])
        else:
            kind = FaultKind.FLIPPED
            triples[at] = _flipped(fact)
        self._faults.note(kind, f"{triples[at].subject} {triples[at].predicate} {triples[at].object}")
        return replace(answer, triples=tuple(triples))


class FaultyAggregator:
    """A RelationAggregatorRole."""

    KINDS = (FaultKind.HALLUCINATED, FaultKind.FLIPPED, FaultKind.MALFORMED)

    def __init__(self, role: RelationAggregatorRole, faults: Faults) -> None:
        self._role = role
        self._faults = faults

    def aggregate_relations(self, query: AggregateQuery) -> Description:
        answer = self._role.aggregate_relations(query)
        kind = self._faults.strikes(query, self.KINDS)
        if kind is None:
            return answer
        wrong = [
            (at, other)
            for at, route in enumerate(answer.routes)
            if route.moves  # nobody is told a way to where the robot stands
            for other in _wrong_routes(route, answer.routes, kind)
            if other.moves != route.moves
        ]
        if kind is FaultKind.MALFORMED or not wrong:
            raise self._faults.malformed()
        at, moved = wrong[self._faults.pick(len(wrong))]
        self._faults.note(kind, f"{moved.target}: {', '.join(moved.moves)}")
        routes = (*answer.routes[:at], moved, *answer.routes[at + 1 :])
        return replace(answer, routes=routes, text=_retold(answer, moved))


def _wrong_routes(route: Route, routes: Sequence[Route], kind: FaultKind) -> Iterator[Route]:
    if kind is FaultKind.HALLUCINATED:
        yield from (replace(route, moves=other.moves, length=other.length) for other in routes)
    else:
        yield replace(route, moves=tuple(map(_turned, route.moves)))


def _turned(text: str) -> str:
    """Every direction for its opposite."""
    return _DIRECTION.sub(lambda match: words.OPPOSITE[match.group()], text)


def _ends(fact: Triple) -> tuple[str, str]:
    return fact.subject, fact.object


def _flipped(fact: Triple) -> Triple:
    turned = _turned(fact.predicate)
    if turned != fact.predicate:
        return replace(fact, predicate=turned)
    return replace(fact, subject=fact.object, object=fact.subject)


def _retold(answer: Description, route: Route) -> str:
    """The text with the corrupted route in it."""
    lines = answer.text.splitlines()
    said = f"To the {route.target}, {route.length:.0f} commands: {', '.join(route.moves)}."
    return "\n".join(said if line.startswith(f"To the {route.target},") else line for line in lines)
