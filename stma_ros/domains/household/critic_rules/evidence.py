"""Judges whether what an action relies on is well evidenced: not stale, not contradicted, not weak.

It reads the facts of the question with their times, the results of the robot's own actions, and where the ways end, but
not the planner's account of the goals. A look around renews what is known: nothing is doubted directly after one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from stma_ros.domains.household.belief_index import id_order, is_certain
from stma_ros.domains.household.relation_retriever import SymbolicRelationRetriever
from stma_ros.domains.household.search import LOOK_AROUND
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.roles.critic import CritiqueQuery
from stma_ros.roles.evidence import distance_apart, relied_on
from stma_ros.roles.relation_retriever import RelationQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation

APART = 3.5
"""Distance between the ends of the ways to a thing and to its place, above which the place is doubted [m].

The robot stands at the nearest free side of each: for a thing on a sofa or a bed up to 3.0 m were measured."""

WEAK = 0.5
"""Confidence below which the kind of a thing is doubted that was seen once only."""

_PLACE, _KIND = "place", "kind"
_PLACES = (words.HELD_BY, words.IN, words.ON)
_UNDOUBTED = (words.SKILL_LOOK_AROUND, words.SKILL_GIVE_UP, words.SKILL_EXPLORE)
_NEEDS_KIND = (words.SKILL_PICK, words.SKILL_REPORT)


def feedback(query: CritiqueQuery, knowledge: CategoryKnowledge) -> str:
    """Returns feedback to the planner; empty = the action relies on nothing doubtful."""
    if query.action.skill in _UNDOUBTED:
        return ""
    doubt = next(_doubts(query, knowledge), "")
    return f"{doubt}; first {LOOK_AROUND}." if doubt else ""


def is_doubtful(query: CritiqueQuery, knowledge: CategoryKnowledge) -> bool:
    """Whether something that the action relies on is doubtful. A look around relies on what the end of a task does."""
    return next(_doubts(query, knowledge), "") != ""


def _doubts(query: CritiqueQuery, knowledge: CategoryKnowledge) -> Iterator[str]:
    done = query.temporal.completed
    if done and done[-1].action.skill == words.SKILL_LOOK_AROUND and done[-1].result == Result.SUCCEEDED:
        return
    known = {fact.subject for fact in query.spatial.facts}
    results = {
        (fact.subject, _dimension(fact)): fact
        for fact in SymbolicRelationRetriever(knowledge).answer(RelationQuery(query.temporal)).triples
        if fact.predicate == words.STATE or fact.object == words.ROBOT or fact.object in known
    }
    claims: dict[tuple[str, str], list[Relation]] = {}
    for fact in relied_on(query.action, query.temporal, query.spatial):
        claims.setdefault((fact.subject, _dimension(fact)), []).append(fact)
    for name, dimension in sorted(claims, key=lambda each: (id_order(each[0]), each[1])):
        facts = claims[name, dimension]
        believed = _believed(facts)
        if dimension == _KIND:
            yield from _weak(query.action, believed)
            continue
        yield from _contradicted(believed, facts)
        yield from _stale(believed, results)
        if dimension == _PLACE:
            yield from _displaced(believed, query)


def _contradicted(believed: Relation, claims: Iterable[Relation]) -> Iterator[str]:
    """Yields another claim than the believed one: a thing has one place, and one state of each dimension. What the
    robot's own action has changed later is no contradiction."""
    own = EvidenceSource.OWN_ACTION
    against = [
        fact
        for fact in claims
        if fact.object != believed.object
        and (own not in (fact.source, believed.source) or fact.last_seen >= believed.last_seen)
    ]
    if against:
        newest = max(against, key=lambda fact: fact.last_seen)
        yield f"{_text(believed)} is contradicted by {_text(newest)}"


def _stale(believed: Relation, results: Mapping[tuple[str, str], Relation]) -> Iterator[str]:
    """Yields the result of an action of the robot that is newer than a belief and says otherwise."""
    result = results.get((believed.subject, _dimension(believed)))
    if result is not None and result.object != believed.object and result.last_seen > believed.last_seen:
        yield f"{_text(believed)} is stale: {_text(result)} by an action of the robot"


def _displaced(believed: Relation, query: CritiqueQuery) -> Iterator[str]:
    """Yields that a thing is far from where it is said to be, by the ways to both."""
    apart = distance_apart(believed, query.spatial)
    if apart > APART:
        yield f"{_text(believed)} is contradicted by the ways there, which end {apart:.1f} m apart"


def _weak(action: Action, kind: Relation) -> Iterator[str]:
    """Yields that a kind is unsure; a drive there is no risk, and a look from nearby makes it surer."""
    if action.skill in _NEEDS_KIND and kind.confidence < WEAK and kind.first_seen == kind.last_seen:
        yield f"That {kind.subject} is a {kind.object} rests on one unsure look"


def _believed(claims: list[Relation]) -> Relation:
    """Returns the claim that the belief's reader takes: the newest state, the surest place or kind."""
    if _dimension(claims[0]) in (_PLACE, _KIND):
        return max(
            claims, key=lambda fact: (fact.predicate == words.HELD_BY, fact.confidence, fact.last_seen)
        )
    return max(claims, key=lambda fact: (fact.last_seen, fact.confidence, fact.object))


def _dimension(fact: Relation) -> str:
    put_down = fact.predicate == words.NEAR and fact.source == EvidenceSource.OWN_ACTION
    if fact.predicate in _PLACES or put_down:
        return _PLACE
    return _KIND if fact.predicate == words.IS_A else words.STATE_DIMENSION.get(fact.object, fact.object)


def _text(fact: Relation) -> str:
    said = fact.object if fact.predicate == words.STATE else f"{fact.predicate} {fact.object}"
    sure = "" if is_certain(fact) else "perhaps "
    return f"{fact.subject} {sure}{said} (at {fact.last_seen.seconds:.0f} s)"
