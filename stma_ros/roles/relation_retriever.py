"""Relation retriever: extracts facts about the world from the history (STMA, section 4.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind, opposite_directions
from stma_ros.roles.facts import OBSERVABLE, Fact, read_fact, read_name
from stma_ros.roles.spec import Rendering, Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.scene_graph import Relation


@dataclass(frozen=True)
class RelationQuery:
    """The question to the relation retriever.

    Attributes:
        temporal: temporal belief of the step.
        since: first step to report; the facts of earlier steps are known and may be left out.
    """

    temporal: TemporalBelief
    since: int = 0


@dataclass(frozen=True)
class Relations:
    """Facts in terms of `types.vocabulary`. Each replaces the stored facts that it excludes.

    Attributes:
        triples: the facts.
        steps: step at which each fact was observed; empty if the stamps of the facts hold the time.
        complete: rooms that were observed completely, each with the last such step. Objects and exits that were
            believed to be in such a room and were not observed there are not there.
    """

    triples: tuple[Relation, ...] = ()
    steps: tuple[int, ...] = ()
    complete: Mapping[str, int] = field(default_factory=dict)


RelationRetrieverRole: TypeAlias = Role[RelationQuery, Relations]
"""Returns the facts about the world that follow from the history."""

# -- the question as text


def _text(query: RelationQuery) -> str:
    return query.temporal.text


def _render(query: RelationQuery) -> Rendering:
    return (f"{_text(query)}\n\nReport: what was seen at step {query.since} or later.",)


# -- the reply


@dataclass(frozen=True)
class DatedFact(Fact):
    step: int


@dataclass(frozen=True)
class Look:
    """A room that was seen whole at a step."""

    room: str
    step: int


@dataclass(frozen=True)
class FactsReply:
    facts: list[DatedFact]
    seen_whole: list[Look]


def _read(reply: FactsReply, query: RelationQuery) -> Relations:
    facts = tuple(read_fact(fact, OBSERVABLE) for fact in reply.facts)
    steps = tuple(fact.step for fact in reply.facts)
    if any(step < 0 for step in (*steps, *(look.step for look in reply.seen_whole))):
        raise UnusableReplyError("a step is negative; the first one is step 0")
    looks: dict[str, int] = {}
    for look in reply.seen_whole:
        room = read_name(look.room)
        looks[room] = max(look.step, looks.get(room, 0))
    return Relations(facts, steps, looks)


# -- faults


def _corrupt(target: CorruptionInput[RelationQuery, Relations]) -> Corrupted[Relations] | None:
    triples = list(target.answer.triples)
    if not triples:
        return None
    kind, at = target.kind, target.pick(len(triples))
    fact = triples[at]
    ends = fact.subject, fact.object
    others = [name for name in dict.fromkeys(t.subject for t in triples) if name not in ends]
    if kind is FaultKind.HALLUCINATED and others:
        triples[at] = replace(fact, object=others[target.pick(len(others))])
    else:
        kind = FaultKind.FLIPPED
        triples[at] = _flipped(fact)
    detail = f"{triples[at].subject} {triples[at].predicate} {triples[at].object}"
    return Corrupted(replace(target.answer, triples=tuple(triples)), kind, detail)


def _flipped(fact: Relation) -> Relation:
    predicate = opposite_directions(fact.predicate)
    if predicate != fact.predicate:
        return replace(fact, predicate=predicate)
    return replace(fact, subject=fact.object, object=fact.subject)


RELATION_RETRIEVER = RoleSpec(
    name="relation_retriever",
    question=RelationQuery,
    answer=Relations,
    reply=FactsReply,
    text=_text,
    render=_render,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.HALLUCINATED, FaultKind.FLIPPED),
    corrupt=_corrupt,
)
