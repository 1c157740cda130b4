"""Evidence of beliefs: the facts that an action relies on, with their times and what the ways say to a place."""

from __future__ import annotations

import math

from stma_ros.roles.rendering import fact_text, percent
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Result
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

_PREDICATES = (words.IS_A, words.HELD_BY, words.IN, words.ON, words.STATE)
_PLACES = (words.IN, words.ON)
_GOES_FOR_CONTENT = (words.SKILL_NAVIGATE, words.SKILL_OPEN)
_RELIES_ON_ALL_DONE = (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED, words.SKILL_LOOK_AROUND)


def relied_on(action: Action, temporal: TemporalBelief, spatial: SpatialBelief) -> tuple[Relation, ...]:
    """Returns the dated facts about the kind, place and states of the things that an action relies on.

    These are the things that it names, what is in the hand, and what a goal may mean in or on something that the action
    drives to or opens; at the end of a task, and for a look around, all that was handled or may be meant by a goal.

    Args:
        action: the action.
        temporal: with the goals, and the history of actions.
        spatial: with the facts.
    """
    facts = [fact for fact in spatial.facts if fact.predicate in _PREDICATES and fact.last_seen != Time()]
    kinds = {what.category for goal in temporal.goals for what in goal.what}
    meant = {fact.subject for fact in facts if fact.predicate == words.IS_A and fact.object in kinds}
    names = {*action.arguments, _picked(temporal)}
    names |= {fact.subject for fact in facts if fact.predicate == words.HELD_BY}
    if action.skill in _RELIES_ON_ALL_DONE:
        names |= meant | {name for outcome in temporal.completed for name in outcome.action.arguments}
    elif action.skill in _GOES_FOR_CONTENT:
        placed = (fact for fact in facts if fact.predicate in _PLACES and fact.object in action.arguments)
        names |= meant.intersection(fact.subject for fact in placed)
    return tuple(fact for fact in facts if fact.subject in names and fact.object != words.STATE_UNKNOWN)


def _picked(temporal: TemporalBelief) -> str:
    """Returns the id of what the robot has picked up and not put down since; empty = nothing."""
    held = ""
    for outcome in temporal.completed:
        if outcome.result != Result.SUCCEEDED or not outcome.action.arguments:
            continue
        if outcome.action.skill == words.SKILL_PICK:
            held = outcome.action.arguments[0]
        elif outcome.action.skill in words.PLACINGS:
            held = ""
    return held


def distance_apart(fact: Relation, spatial: SpatialBelief) -> float:
    """Returns how far apart the ways to a thing and to what it is in or on end [m].

    Args:
        fact: that the thing is in or on the other; for other facts the distance is NaN.
        spatial: with the routes to both; without them the distance is NaN.
    """
    if fact.predicate not in _PLACES:
        return math.nan
    ends = {route.target: route.goal.position for route in spatial.routes}
    here, there = ends.get(fact.subject), ends.get(fact.object)
    if here is None or there is None:
        return math.nan
    return math.hypot(here.x - there.x, here.y - there.y)


def evidence_text(fact: Relation, spatial: SpatialBelief) -> str:
    """Returns a fact of a belief with its time, its confidence, and the distance between the ends of the ways."""
    how = "done by the robot" if fact.source == EvidenceSource.OWN_ACTION else "last seen"
    apart = distance_apart(fact, spatial)
    ways = "" if math.isnan(apart) else f", the ways end {apart:.1f} m apart"
    return (
        f"{fact_text(fact)}: {how} at {fact.last_seen.seconds:.1f} s, {percent(fact.confidence)} sure{ways}"
    )
