"""What kind of room each room of a home is, by the furniture in it and by the number of its openings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from stma_ros.memory.category_knowledge import CategoryKnowledge, normalised

_UNSEEN_LIKELIHOOD = 0.1  # of furniture in a kind of room that its entry does not name
_LACKING = 0.2  # likelihood of seeing nothing of what a kind of room hardly ever lacks
_TELLING = 0.3  # confidence below which a kind of room is not named
_OUTWEIGHING = 3.0  # times as likely as the kind that a room was taken for, another kind takes its place
_SECOND = 0.05  # likelihood of a second room of a kind of which a home hardly ever has two

Shares = dict[str, float]
"""Probability of each kind of room."""


def room_shares(knowledge: CategoryKnowledge, categories: Iterable[str], ways: int = 0) -> Shares:
    """Returns the probability of each kind of room for one room by itself.

    Args:
        knowledge: of categories.
        categories: of the objects in the room.
        ways: number of other rooms that it opens into, as far as known.
    """
    lineages = [knowledge.lineage(category) for category in categories]
    # Of the lineage, the nearest known category counts: a coffee table says living room, where a table says little.
    nearest = (
        next(
            (kind for kind in lineage if kind in knowledge.furniture and kind in knowledge.found_in),
            "",
        )
        for lineage in lineages
    )
    telling = sorted(set(nearest) - {""})
    # More openings may be found, but not fewer: the probability of at least so many counts.
    scores = {
        room: max(ways - 1, 0) * math.log(knowledge.further_ways.get(room, knowledge.unlisted_further_ways))
        for room in knowledge.rooms
    }
    for kind in telling:
        shares = normalised(knowledge.found_in[kind])
        for room in knowledge.rooms:
            scores[room] += math.log(_UNSEEN_LIKELIHOOD + shares.get(room, 0.0))
    present = {kind for lineage in lineages for kind in lineage}
    for room, needed in knowledge.essentials.items():
        if room in scores and present.isdisjoint(needed):
            scores[room] += math.log(_LACKING)
    best = max(scores.values(), default=0.0)
    return normalised({room: math.exp(score - best) for room, score in scores.items()})


def in_one_home(knowledge: CategoryKnowledge, rooms: Mapping[str, Shares]) -> dict[str, Shares]:
    """Returns the probabilities of the rooms of one home, given those of each room by itself.

    A home hardly ever has a second kitchen: beside a likelier one, a room with a freezer is something else.
    """
    result = {}
    order = {name: -number for number, name in enumerate(rooms)}
    for name, shares in rooms.items():
        weights = dict(shares)
        for kind in knowledge.single_rooms.intersection(shares):
            # Of two rooms that are alike, the first one keeps the kind.
            mine = (shares[kind], order[name])
            others = ((other[kind], order[each]) for each, other in rooms.items())
            none_likelier = math.prod(1 - other[0] for other in others if other > mine)
            weights[kind] *= max(none_likelier, _SECOND)
        result[name] = normalised(weights)
    return result


def likeliest_kind(shares: Shares, former: str = "") -> tuple[str, float]:
    """Returns the kind that a room is taken for, and its probability [0..1]; ("", 0.0) where too little is known.

    Args:
        shares: the probability of each kind.
        former: what the room was taken for so far, which remains until another kind is several times as likely: a
            single object seen through a doorway does not make a hall a bathroom.
    """
    best = max(shares, key=lambda room: shares[room], default="")
    if not best or shares[best] < _TELLING:
        return "", 0.0
    best_known = former if shares.get(former, 0.0) > shares[best] / _OUTWEIGHING else best
    return best_known, shares[best_known]
