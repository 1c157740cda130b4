"""Reads the table of priors, in the names of the domain's vocabulary: where things are kept, which rooms hold what, and
what a hand can take. scripts/convert_priors.py makes the table from public sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from stma_ros.memory.category_knowledge import CategoryKnowledge, normalised

# Observations with which a source of counts weighs half as much as a list that people wrote, and as much as the belief
# that all kinds of rooms are alike.
_TRUSTED = 5.0
_MIN_ROOMS = 3  # fewer rooms that hold a kind say nothing about where it is found

Weights = dict[str, float]


class Priors:
    """A table of priors in the names of a vocabulary.

    A name of the table means the categories that `names` gives it, and the category of this name. Names without a
    category in the vocabulary stay as they are. Places and rooms that are not in the vocabulary are left out.
    """

    def __init__(
        self, table: Mapping[str, Any], knowledge: CategoryKnowledge, names: Mapping[str, list[str]]
    ) -> None:
        """Takes a table.

        Args:
            table: contents of priors.json.
            knowledge: the vocabulary.
            names: the table's names of a category, by category, the best one first.
        """
        self._table = table
        self._knowledge = knowledge
        self._names = names
        self._meanings: dict[str, list[str]] = defaultdict(list)
        for category, others in names.items():
            for other in others:
                self._meanings[other].append(category)

    def portables(self) -> frozenset[str]:
        """Returns the categories that a hand can take."""
        return frozenset(meaning for name in self._table["portable"] for meaning in self._meant_by(name))

    def places(self) -> dict[str, Weights]:
        """Returns the share of each usual place of a thing, by thing: the mean of the sources that know it."""
        counted = self._placed("bddl")
        listed = self._placed("virtualhome")
        found = {}
        for thing in sorted(counted.keys() | listed.keys()):
            counts = counted.get(thing, {})
            number = sum(counts.values())
            found[thing] = _mean(
                (normalised(listed.get(thing, {})), 1.0), (normalised(counts), number / (number + _TRUSTED))
            )
        return found

    def found_in(self) -> dict[str, Weights]:
        """Returns the share of each room in which furniture stands and things are kept, by category.

        For furniture, it is the share of the modelled rooms of a kind that have it, normalised over the kinds, so that
        a kind that was modelled often is no likelier than others; where these rooms are few, activities count, too, and
        all kinds are nearly alike: two freezers in kitchens do not say that there are none in storage rooms.
        The rooms of things follow from those in which most of their places stand, and from rooms and activities that
        hold them.
        """
        totals = self._by_room(self._table["totals"])
        modelled = self._rooms(self._table["rooms"]["scenes"])
        acted = self._rooms(self._table["rooms"]["activities"])
        places = self.places()
        alike = normalised(dict.fromkeys(self._knowledge.rooms, 1.0))
        found: dict[str, Weights] = {}
        holders: dict[str, Weights] = {}  # furniture by the rooms in which most of it stands
        for kind in sorted(modelled.keys() | acted.keys()):
            rooms = modelled.get(kind, {})
            if sum(rooms.values()) < _MIN_ROOMS:
                rooms = _sum((rooms, acted.get(kind, {})))
            if sum(rooms.values()) >= _MIN_ROOMS and not self._is_small(kind):
                holders[kind] = normalised(rooms)
                shares = normalised({room: number / totals[room] for room, number in rooms.items()})
                found[kind] = _mean((shares, sum(rooms.values())), (alike, _TRUSTED))
        for thing in sorted(places.keys() | acted.keys() | modelled.keys()):
            if not self._is_small(thing):
                continue
            kept = _sum(
                {room: weight * share for room, share in holders.get(place, {}).items()}
                for place, weight in places.get(thing, {}).items()
            )
            seen = _sum((modelled.get(thing, {}), acted.get(thing, {})))
            number = sum(seen.values()) if sum(seen.values()) >= _MIN_ROOMS else 0.0
            mean = _mean((normalised(kept), 1.0), (normalised(seen), number / (number + _TRUSTED)))
            if mean:
                found[thing] = mean
        return found

    def _placed(self, source: str) -> dict[str, Weights]:
        placed: dict[str, Weights] = {}
        for thing, places in self._table["places"][source].items():
            for meaning in self._meant_by(thing):
                weights = placed.setdefault(meaning, {})
                for place, number in places.items():
                    for holder in filter(self._holds_things, self._meant_by(place)):
                        weights[holder] = weights.get(holder, 0.0) + number
        return {thing: weights for thing, weights in placed.items() if weights}

    def _rooms(self, table: Mapping[str, Mapping[str, int]]) -> dict[str, Weights]:
        """Returns the numbers by category and room. Of several names of a category, the first that has any counts."""
        named: dict[str, Weights] = {}
        for category, names in self._names.items():
            rooms = next(filter(None, (self._by_room(table.get(name, {})) for name in names)), {})
            if rooms:
                named[category] = rooms
        for name, numbers in table.items():
            category = self._knowledge.canonical(name)
            if category in self._meant_by(name) and category not in self._names:
                named[category] = _sum((named.get(category, {}), self._by_room(numbers)))
        return {category: rooms for category, rooms in named.items() if rooms}

    def _by_room(self, numbers: Mapping[str, float]) -> Weights:
        """Returns the numbers by the vocabulary's rooms."""
        named = (
            {self._knowledge.canonical(room): float(number)}
            for room, number in numbers.items()
            if self._knowledge.canonical(room) in self._knowledge.rooms
        )
        return _sum(named)

    def _meant_by(self, name: str) -> list[str]:
        canonical = self._knowledge.canonical(name)
        return [*self._meanings.get(name, []), *([] if canonical in self._names else [canonical])]

    def _holds_things(self, category: str) -> bool:
        holds = self._knowledge.is_surface(category) or self._knowledge.is_receptacle(category)
        return holds and self._knowledge.is_known(category)

    def _is_small(self, category: str) -> bool:
        return not self._knowledge.is_furniture(category) and not self._knowledge.is_living(category)


def _sum(parts: Iterable[Mapping[str, float]]) -> Weights:
    total: Weights = {}
    for part in parts:
        for name, weight in part.items():
            total[name] = total.get(name, 0.0) + weight
    return total


def _mean(*parts: tuple[Mapping[str, float], float]) -> Weights:
    """Returns the weighted mean of shares, largest first; empty ones do not count."""
    total = _sum(
        {name: share * weight for name, share in shares.items() if weight} for shares, weight in parts
    )
    return dict(sorted(normalised(total).items(), key=lambda item: (-item[1], item[0])))
