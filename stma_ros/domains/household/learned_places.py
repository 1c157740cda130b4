"""Corrects the usual places and rooms of things by what experience tells of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.experience import RuleOfThumb

_PRIOR_WEIGHT = 4.0
"""Finds that weigh as much as what is usual elsewhere: a few in other homes say little, twenty say more."""


def with_experience(knowledge: CategoryKnowledge, rules: Iterable[RuleOfThumb]) -> CategoryKnowledge:
    """Returns the knowledge with the places and rooms of the things in these rules corrected.

    The share of a place is the mean of its usual share, which counts as some finds, and of the share of the finds. A
    place at which one looked in vain loses in proportion to the looks that failed, and so does, for all things, a kind
    of place that could not be opened.
    """
    places, rooms = dict(knowledge.places), dict(knowledge.found_in)
    by_thing: dict[str, list[RuleOfThumb]] = defaultdict(list)
    openings: dict[str, float] = {}
    for rule in rules:
        if rule.is_about_opening:
            openings[rule.place] = _after_failures(rule.found, rule.looked)
        else:
            by_thing[rule.thing].append(rule)
    for thing, about in by_thing.items():
        usual_places = {place: knowledge.share(thing, place) for place in _listed(knowledge, thing)}
        places[thing] = _corrected(usual_places, about, "place", knowledge.unlisted_share)
        rooms[thing] = _corrected(knowledge.room_shares(thing), about, "room", 0.0)
    return replace(
        knowledge,
        places={
            thing: {place: share * openings.get(place, 1.0) for place, share in shares.items()}
            for thing, shares in places.items()
            if shares
        },
        found_in={thing: shares for thing, shares in rooms.items() if shares},
    )


def _listed(knowledge: CategoryKnowledge, thing: str) -> tuple[str, ...]:
    return tuple(
        next((knowledge.places[kind] for kind in knowledge.lineage(thing) if kind in knowledge.places), ())
    )


def _corrected(
    usual: Mapping[str, float], about: Iterable[RuleOfThumb], field: str, unlisted: float
) -> dict[str, float]:
    """Returns the shares of places or rooms (the `field` of the rules) after the finds, largest first."""
    found: dict[str, int] = defaultdict(int)
    looked: dict[str, int] = defaultdict(int)
    for rule in about:
        where = getattr(rule, field)
        if where:
            found[where] += rule.found
            looked[where] += rule.looked
    total = sum(found.values())
    shares = {}
    for where in {**usual, **found}:
        share = (_PRIOR_WEIGHT * usual.get(where, unlisted) + found[where]) / (_PRIOR_WEIGHT + total)
        shares[where] = share * _after_failures(found[where], looked[where])
    return dict(sorted(shares.items(), key=lambda item: (-item[1], item[0])))


def _after_failures(succeeded: int, tried: int) -> float:
    """Returns by what the share of a place is multiplied."""
    return (_PRIOR_WEIGHT + succeeded) / (_PRIOR_WEIGHT + tried)
