"""Judges whether what an action relies on is well evidenced: not outdated, not contradicted, not weak.

Only the facts of the question count, with their times, and what came of the robot's own actions. A look around renews
what is known, so that nothing is doubted directly after one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.domains.household.belief_index import id_order, is_certain
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.critic import CritiqueQuery, evidence
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

OUTDATED = 5.0
"""Age of the evidence for a place, at the last sight of the thing, from which the place is doubted [s]."""

WEAK = 0.5
"""Confidence below which the kind of a thing is doubted that was seen once only."""

_PLACE, _KIND = "place", "kind"
_PLACES = (words.HELD_BY, words.IN, words.ON)
_UNDOUBTED = (words.SKILL_LOOK_AROUND, words.SKILL_GIVE_UP, words.SKILL_EXPLORE)
_LOOKS_FIRST = (words.SKILL_PICK, words.SKILL_REPORT)


def feedback(query: CritiqueQuery, knowledge: CategoryKnowledge) -> str:
    """Returns feedback to the planner; empty = the action relies on nothing doubtful."""
    done = query.temporal.completed
    looked = (
        bool(done)
        and done[-1].action.skill == words.SKILL_LOOK_AROUND
        and done[-1].result == Result.SUCCEEDED
    )
    if query.action.skill in _UNDOUBTED or looked:
        return ""
    things: dict[str, list[Relation]] = {}
    for fact in evidence(query):
        things.setdefault(fact.subject, []).append(fact)
    own: dict[tuple[str, str], Relation] = {
        (fact.subject, _dimension(fact)): fact
        for fact in SymbolicRelationRetriever().answer(RelationQuery(query.temporal)).triples
    }
    for name in sorted(things, key=id_order):
        for doubt in _doubts(query.action, things[name], own, knowledge):
            return f"{doubt} Look again before relying on it: {words.SKILL_LOOK_AROUND}()."
    return ""


def _doubts(
    action: Action,
    facts: list[Relation],
    own: dict[tuple[str, str], Relation],
    knowledge: CategoryKnowledge,
) -> Iterator[str]:
    by_dimension: dict[str, list[Relation]] = {}
    for fact in facts:
        by_dimension.setdefault(_dimension(fact), []).append(fact)
    name = facts[0].subject
    for dimension in sorted(by_dimension):
        if dimension == _KIND:
            continue
        claims = by_dimension[dimension]
        result = own.get((name, dimension))
        yield from _contradiction(_believed(claims), claims if result is None else [*claims, result])
    kinds = by_dimension.get(_KIND, [])
    if not kinds:
        return
    kind = _believed(kinds)
    if _PLACE in by_dimension:
        place = _believed(by_dimension[_PLACE])
        age = (kind.last_seen.nanoseconds - place.last_seen.nanoseconds) * 1e-9
        if place.source != EvidenceSource.OWN_ACTION and place.last_seen != Time() and age > OUTDATED:
            yield f"{_text(place)} is outdated: {name} was seen again at {_when(kind)}."
    yield from _doubtful_kind(action, kind, knowledge)


def _contradiction(believed: Relation, claims: Iterable[Relation]) -> Iterator[str]:
    """Yields a claim that speaks against the believed one, as a thing has one place and one state: another fact, or a
    newer result of the robot's own action. What its own action has changed later is no contradiction."""
    own = EvidenceSource.OWN_ACTION
    others = [fact for fact in claims if fact.object != believed.object]
    against = [
        fact
        for fact in others
        if own not in (fact.source, believed.source) or fact.last_seen >= believed.last_seen
    ]
    if against:
        newest = max(against, key=lambda fact: fact.last_seen)
        yield f"{_text(believed)} is contradicted by {_text(newest)}."


def _doubtful_kind(action: Action, kind: Relation, knowledge: CategoryKnowledge) -> Iterator[str]:
    if action.skill == words.SKILL_NAVIGATE:  # a look from nearby makes the kind surer
        return
    name = kind.subject
    named = id_order(name)[0].strip("_").replace("_", " ")
    if (
        knowledge.is_known(knowledge.canonical(named))
        and not knowledge.are_related(named, kind.object)
        and not knowledge.is_alike(named, kind.object)
    ):
        yield f"{name} was called a {named}, and is now said to be a {kind.object}."
    elif action.skill in _LOOKS_FIRST and kind.confidence < WEAK and kind.first_seen == kind.last_seen:
        yield f"That {name} is a {kind.object} rests on one unsure look."


def _believed(claims: list[Relation]) -> Relation:
    """Returns the claim that the belief's reader takes: the newest state, the surest place or kind."""
    if _dimension(claims[0]) in (_PLACE, _KIND):
        return max(
            claims, key=lambda fact: (fact.predicate == words.HELD_BY, fact.confidence, fact.last_seen)
        )
    return max(claims, key=lambda fact: (fact.last_seen, fact.confidence, fact.object))


def _dimension(fact: Relation) -> str:
    if fact.predicate in _PLACES:
        return _PLACE
    return _KIND if fact.predicate == words.IS_A else words.STATE_DIMENSION.get(fact.object, fact.object)


def _text(fact: Relation) -> str:
    said = fact.object if fact.predicate == words.STATE else f"{fact.predicate} {fact.object}"
    sure = "" if is_certain(fact) else "perhaps "
    return f"{fact.subject} {sure}{said} (at {_when(fact)})"


def _when(fact: Relation) -> str:
    return f"{fact.last_seen.seconds:.0f} s"
