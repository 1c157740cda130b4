"""General knowledge of categories of things: names, wider categories, uses and usual places. The data belongs to the
domain."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from stma_ros.memory.colours import BASIC_COLOURS
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

_IRREGULAR = {
    "knives": "knife",
    "loaves": "loaf",
    "shelves": "shelf",
    "bookshelves": "bookshelf",
    "brownies": "brownie",
    "cookies": "cookie",
}
_MEASURE = re.compile(r"^(pair|piece|set|bunch)s? of ")


_ANSWERS_KEPT = 8192
"""Size of the cache of each lookup."""

_LOOKUPS = (
    "canonical",
    "lineage",
    "knows",
    "is_kind",
    "are_related",
    "is_container",
    "is_openable",
    "is_receptacle",
    "is_surface",
    "is_device",
    "is_tap",
    "is_vessel",
    "is_furniture",
    "is_living",
    "is_portable",
    "is_room",
    "is_usual",
    "lists",
    "share",
    "room_shares",
    "room_factor",
)
"""Methods of CategoryKnowledge with a cache."""


_SETS = (
    "containers",
    "openables",
    "open_receptacles",
    "surfaces",
    "devices",
    "taps",
    "vessels",
    "furniture",
    "things",
    "portables",
    "living",
)
"""Fields of CategoryKnowledge that are sets of names."""

_NOTHING: Mapping[str, Any] = {
    **dict.fromkeys((*_SETS, "rooms", "single_rooms", "alike", "shades"), ()),
    **dict.fromkeys(
        ("places", "found_in", "further_ways", "essentials", "synonyms", "kinds"), MappingProxyType({})
    ),
    "colours": dict.fromkeys(BASIC_COLOURS, ()),
    "unlisted_further_ways": 0.2,
    "unlisted_share": 0.02,
    "unknown_thing_share": 0.1,
}
"""Default values of fields for `CategoryKnowledge.of`."""


@dataclass(frozen=True, eq=False)
class CategoryKnowledge:
    """Weights are relative, shares 0..1. Names may come in any spelling that `canonical` takes.

    Attributes:
        containers, openables, open_receptacles, surfaces, devices, taps, vessels: what can be done with things.
        furniture: things that stand in rooms and fit into no container.
        things: small things with a name in the vocabulary; a hand can take them.
        portables: further things that a hand can take, without a name in the vocabulary.
        living: living beings.
        places: usual places of things.
        found_in: rooms in which furniture stands and things are kept.
        rooms: the kinds of rooms.
        single_rooms: those of which a home hardly ever has two.
        further_ways, unlisted_further_ways: the probability of a further opening of a room with one.
        essentials: furniture of which a kind of room hardly ever lacks all.
        synonyms: the vocabulary's name for a further name.
        kinds: the wider category of a narrower one.
        alike: pairs of categories that people and detectors confuse.
        colours: the basic colour of a word.
        shades: pairs of colours that light can change into each other.
        unlisted_share: share of a place that is not listed for a thing with usual places.
        unknown_thing_share: share of any place for a thing without.
        has_priors: whether the usual places and rooms of things are used; otherwise all are alike.
    """

    containers: frozenset[str]
    openables: frozenset[str]
    open_receptacles: frozenset[str]
    surfaces: frozenset[str]
    devices: frozenset[str]
    taps: frozenset[str]
    vessels: frozenset[str]
    furniture: frozenset[str]
    things: frozenset[str]
    portables: frozenset[str]
    living: frozenset[str]
    places: Mapping[str, Mapping[str, float]]
    found_in: Mapping[str, Mapping[str, float]]
    rooms: tuple[str, ...]
    single_rooms: frozenset[str]
    further_ways: Mapping[str, float]
    essentials: Mapping[str, Sequence[str]]
    synonyms: Mapping[str, str]
    kinds: Mapping[str, str]
    alike: frozenset[frozenset[str]]
    colours: Mapping[str, str]
    shades: frozenset[frozenset[str]]
    unlisted_further_ways: float
    unlisted_share: float
    unknown_thing_share: float
    has_priors: bool = True

    def __post_init__(self) -> None:
        """Adds a cache to every lookup: each step asks the same about each object.

        The caches belong to the instance, so domains do not share answers.
        """
        for name in _LOOKUPS:
            object.__setattr__(self, name, lru_cache(maxsize=_ANSWERS_KEPT)(getattr(self, name)))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> CategoryKnowledge:
        """Returns the knowledge in a domain's file, whose keys are the fields' names.

        Args:
            data: the file's contents; `alike` and `shades` are lists of pairs, `colours` lists the words for each basic
                colour. Fields that are left out are not known: `{}` knows nothing but the basic colours.

        Raises:
            ConfigurationError: a name is not one of the fields, or its value is a text where a list of names or a
                mapping is wanted.
        """
        data = {**_NOTHING, **data}
        for name in data.keys() - _NOTHING.keys():
            raise ConfigurationError(f"category knowledge has no {name!r}. {suggest(name, dict(_NOTHING))}")
        for name, value in data.items():
            if isinstance(_NOTHING[name], Mapping) and not isinstance(value, Mapping):
                raise ConfigurationError(
                    f"{name} of category knowledge is {value!r}; give a mapping, as in {{...: ...}}"
                )
            if isinstance(_NOTHING[name], tuple) and isinstance(value, str):
                raise ConfigurationError(f"{name} of category knowledge is {value!r}; give a list of names")
        colours = {word: colour for colour, others in data["colours"].items() for word in (colour, *others)}
        pairs = {name: frozenset(map(frozenset, data[name])) for name in ("alike", "shades")}
        kinds = {name: frozenset(data[name]) for name in _SETS}
        rooms = {"rooms": tuple(data["rooms"]), "single_rooms": frozenset(data["single_rooms"])}
        return cls(**{**data, **kinds, **pairs, **rooms, "colours": colours})

    def canonical(self, name: str) -> str:
        """Returns the canonical name of a category or room: lower case, singular, synonyms resolved.

        An unknown name is returned in the singular.
        """
        words = re.sub(r"[\s_]+", " ", name.strip().lower())
        for form in _forms(words):
            if form in self.synonyms:
                return self.synonyms[form]
            if self.is_known(form):
                return form
        forms = (
            _singular(_compound(words)),
            _singular(_with_single_contents(words)),
            words.removesuffix("s"),
        )
        return next((form for form in forms if form in self.portables), forms[0])

    def is_known(self, canonical: str) -> bool:
        """Whether the vocabulary contains a canonical name."""
        return (
            canonical in self.things
            or canonical in self.furniture
            or canonical in self.containers
            or canonical in self.rooms
        )

    def lineage(self, name: str) -> tuple[str, ...]:
        """Returns the canonical name, followed by its wider categories, nearest first."""
        kind = self.canonical(name)
        if kind in self.kinds:
            return (kind, *self.lineage(self.kinds[kind]))
        if not self.is_known(kind):
            words = kind.split(" ")
            for start in range(1, len(words)):
                wider = self.canonical(" ".join(words[start:]))
                if self.is_known(wider) or wider in self.portables:
                    return (kind, *self.lineage(wider))
        return (kind,)

    def knows(self, category: str) -> bool:
        """Whether the category or one of its wider categories is known."""
        return any(map(self.is_known, self.lineage(category)))

    def is_kind(self, seen: str, wanted: str) -> bool:
        """Whether an object that was detected as `seen` is a `wanted`: of the same category, or of a narrower one.

        An unknown compound is judged by its last words: a "wooden spoon" may be detected as a spoon.
        """
        wanted = self.canonical(wanted)
        if wanted in self.lineage(seen):
            return True
        if self.is_known(wanted) or wanted.startswith("half "):  # a half apple is not detected as an apple
            return False
        return self.canonical(seen) in self.lineage(wanted)

    def are_related(self, one: str, other: str) -> bool:
        """Whether an object may have both names."""
        return self.is_kind(one, other) or self.is_kind(other, one)

    def is_by_synonym(self, seen: str, wanted: str) -> bool:
        """Whether `is_kind` holds only because the last word of an unknown compound is another word for what was seen:
        a plate may be a dish, and is hardly the "soap dish"."""
        wanted = self.canonical(wanted)
        if self.is_known(wanted) or wanted in self.lineage(seen):
            return False
        wider = self.lineage(wanted)[1:2]
        return bool(wider) and wider[0].split()[-1] != wanted.split()[-1]

    def is_alike(self, seen: str, wanted: str) -> bool:
        """Whether people use each of the two names for objects of the other."""
        return frozenset((self.canonical(seen), self.canonical(wanted))) in self.alike

    def is_container(self, category: str) -> bool:
        """Whether things of this kind can be opened and contain other things."""
        return self._is_among(self.containers, category)

    def is_openable(self, category: str) -> bool:
        """Whether things of this kind can be opened and closed: containers and doors."""
        return self._is_among(self.containers | self.openables, category)

    def is_door(self, category: str) -> bool:
        """Whether things of this kind open the way to another room."""
        return self.is_openable(category) and not self.is_container(category)

    def is_receptacle(self, category: str) -> bool:
        """Whether things can be put into things of this kind (once open, if they open)."""
        return self._is_among(self.containers | self.open_receptacles, category)

    def is_open_receptacle(self, category: str) -> bool:
        """Whether things of this kind hold others without a door, as a bag or a sink does."""
        return self.is_receptacle(category) and not self.is_container(category)

    def is_surface(self, category: str) -> bool:
        """Whether things can be put onto things of this kind."""
        return self._is_among(self.surfaces, category)

    def is_device(self, category: str) -> bool:
        """Whether things of this kind can be switched on and off."""
        return self._is_among(self.devices, category)

    def is_tap(self, category: str) -> bool:
        """Whether there is water at things of this kind."""
        return self._is_among(self.taps, category)

    def is_vessel(self, category: str) -> bool:
        """Whether things of this kind hold a liquid."""
        return self._is_among(self.vessels, category)

    def can_be(self, category: str, state: str) -> bool:
        """Whether things of this kind can be in a state; in one that the vocabulary does not know, none can."""
        match state:
            case words.STATE_OPEN | words.STATE_CLOSED:
                return self.is_openable(category)
            case words.STATE_ON | words.STATE_OFF:
                return self.is_device(category)
            case words.STATE_FULL | words.STATE_EMPTY:
                return self.is_vessel(category)
        return False

    def is_portable(self, category: str) -> bool:
        """Whether it is known that a hand can take things of this kind; an unknown kind is not portable."""
        if self.is_living(category):
            return False
        for kind in self.lineage(category):
            if kind in self.furniture:
                return False
            if kind in self.things or kind in self.portables:
                return True
        return False

    def is_living(self, category: str) -> bool:
        """Whether it is a living being; these are neither carried nor do they hold anything."""
        kind = self.canonical(category)
        if kind in self.living or self.knows(kind) or kind in self.portables:
            return kind in self.living
        return self.canonical(kind.rpartition(" ")[2]) in self.living

    def is_furniture(self, category: str) -> bool:
        """Whether things of this kind stand in rooms and fit into no container."""
        return self._is_among(self.furniture, category)

    def is_room(self, name: str) -> bool:
        """Whether the name is a kind of room."""
        return self.canonical(name) in self.rooms

    def colour(self, word: str) -> str:
        """Returns the basic colour that a word means; empty if it is not a colour."""
        return self.colours.get(word.strip().lower(), "")

    def is_shade(self, seen: str, colour: str) -> bool:
        """Whether a thing of this basic colour can look like that one in poor light."""
        return frozenset((seen, colour)) in self.shades

    def is_usual(self, thing: str, place: str) -> bool:
        """Whether the place should be searched for this object before all others have been."""
        return not self._places(thing) or self.lists(thing, place)

    def lists(self, thing: str, place: str) -> bool:
        """Whether the place is one of those where the object is usually kept."""
        usual = self._places(thing)
        return any(kind in usual for kind in self.lineage(place))

    def share(self, thing: str, place: str) -> float:
        """Returns the share of the probability of finding the object that falls on this category of place; never 0."""
        usual = self._places(thing)
        if not usual:
            return self.unknown_thing_share
        for kind in self.lineage(place):
            if kind in usual:
                return usual[kind] / sum(usual.values())
        return self.unlisted_share

    def room_shares(self, thing: str) -> Mapping[str, float]:
        """Returns the probability of finding the object in each category of room; empty = nothing is known."""
        if not self.has_priors:
            return {}
        return normalised(
            next((self.found_in[kind] for kind in self.lineage(thing) if kind in self.found_in), {})
        )

    def room_factor(self, thing: str, room: str) -> float:
        """Returns how well a category of room suits an object: 0.5 to 1; 0.75 where nothing is known."""
        shares = self.room_shares(thing)
        if not room or not shares:
            return 0.75
        return 0.5 + 0.5 * shares.get(self.canonical(room), 0.0) / max(shares.values())

    def _is_among(self, kinds: Container[str], category: str) -> bool:
        return any(kind in kinds for kind in self.lineage(category))

    def _places(self, thing: str) -> Mapping[str, float]:
        if not self.has_priors:
            return {}
        return next((self.places[kind] for kind in self.lineage(thing) if kind in self.places), {})


def _forms(words: str) -> Iterator[str]:
    """Returns spellings to look up, the given one first."""
    yield words
    yield _singular(words)
    yield words.replace("-", " ")
    yield _compound(words)
    yield _singular(_compound(words))


def _compound(words: str) -> str:
    """Returns the compound of a phrase: "bottle of water" -> "water bottle"; "pair of scissors" -> "scissors"."""
    words = _MEASURE.sub("", words)
    head, of, rest = words.partition(" of ")
    return f"{rest} {_singular(head)}" if of and rest else words


def _with_single_contents(words: str) -> str:
    """Returns the compound of a phrase whose contents are named in the singular: "chocolate bar pack" for "pack of
    chocolate bars"."""
    head, of, rest = words.partition(" of ")
    return f"{_singular(rest)} {_singular(head)}" if of and rest else words


def _singular(words: str) -> str:
    """Returns a phrase with its last word in the singular, by the usual English endings."""
    start, space, last = words.rpartition(" ")
    if last in _IRREGULAR:
        last = _IRREGULAR[last]
    elif last.endswith("ies") and len(last) > 4:
        last = last[:-3] + "y"
    elif last.endswith(("ches", "shes", "sses", "xes", "atoes")):
        last = last[:-2]
    elif last.endswith("s") and not last.endswith(("ss", "us", "is")) and len(last) > 3:
        last = last[:-1]
    return start + space + last


def normalised(weights: Mapping[str, float]) -> dict[str, float]:
    """Returns weights as shares of their sum; nothing if there is none."""
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()} if total else {}
