"""Names objects and places in everyday words, with the verbs that agree with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from stma_ros.evaluation.household_tasks.english import COUNTLESS, NUMBERS, PLURAL, listed, pick
from stma_ros.evaluation.household_tasks.everyday.templates import Templates
from stma_ros.evaluation.household_tasks.subtasks import Place, SpatialRelation, Things
from stma_ros.memory.nouns import plural, with_article
from stma_ros.worlds.house.building.room_templates import ROOM_TEMPLATES
from stma_ros.worlds.house.kinds.furniture_kinds import FURNITURE

_PLURAL_VERBS: Final = {
    "is": "are",
    "has": "have",
    "goes": "go",
    "belongs": "belong",
    "needs": "need",
    "ends": "end",
}
_INTO: Final = {
    SpatialRelation.IN: ("in", "into", "inside"),
    SpatialRelation.ON: ("on", "onto"),
    SpatialRelation.ROOM: ("in",),
}
_TO: Final = {SpatialRelation.TO: ("to",), SpatialRelation.ROOM: ("to", "into")}
_OFF: Final = {"on": ("off", "from"), "in": ("out of", "from")}


@dataclass(frozen=True)
class NounPhrase:
    """Objects in a sentence.

    Attributes:
        text: "the red mug".
        own: "my red mug"; as `text` where that does not fit.
        is_many: whether the verb is plural.
        pronoun: "it" or "them".
    """

    text: str
    own: str
    is_many: bool
    pronoun: str

    def fields(self) -> dict[str, str]:
        """Returns the fields of a template that these objects fill."""
        verbs = {verb: many if self.is_many else verb for verb, many in _PLURAL_VERBS.items()}
        they = {"it": "it", "them": "they"}[self.pronoun]
        return {"x": self.text, "my_x": self.own, "it": self.pronoun, "they": they, **verbs}


def named(rng: np.random.Generator, templates: Templates, things: Sequence[Things]) -> NounPhrase:
    """Names the objects of one or more subtasks."""
    phrases = [_named(rng, templates, each) for each in things]
    if len(phrases) == 1:
        return phrases[0]
    text = listed([phrase.text for phrase in phrases])
    return NounPhrase(text, text, is_many=True, pronoun="them")


def destination(
    rng: np.random.Generator, templates: Templates, places: Things, relation: SpatialRelation
) -> dict[str, str]:
    """Returns the fields of a template that a place fills."""
    place = _named(rng, templates, places).text
    fields = {"y": place}
    if relation in _INTO:
        fields |= {
            "in_y": f"{_INTO[relation][0]} {place}",
            "into_y": f"{pick(rng, _INTO[relation])} {place}",
        }
    if relation in _TO:
        fields["to_y"] = f"{pick(rng, _TO[relation])} {place}"
    return fields


def source(rng: np.random.Generator, place: Place) -> dict[str, str]:
    """Returns the fields of a template that the present place of objects fills."""
    name = f"the {_spoken(place.category)}"
    return {
        "s": name,
        "on_s": f"{place.preposition} {name}",
        "off_s": f"{pick(rng, _OFF[place.preposition])} {name}",
    }


def _named(rng: np.random.Generator, templates: Templates, things: Things) -> NounPhrase:
    one, many = _nouns(rng, templates, things)
    if things.is_all:
        pattern = pick(rng, templates.both_of if things.number == 2 else templates.all_of)
        text = _filled(pattern, one, many, things.number)
        return NounPhrase(text, text, is_many="{one}" not in pattern, pronoun="them")
    if things.number > 1:
        text = _filled(pick(rng, templates.some_of), one, many, things.number)
        return NounPhrase(text, text, is_many=True, pronoun="them")
    is_pair = things.category in PLURAL
    if things.is_definite:
        return _definite(rng, templates, things, one)
    if things.category in COUNTLESS:
        text = f"some {one}"
    elif is_pair:
        text = f"a pair of {one}"
    else:
        text = _filled(pick(rng, templates.one_of if things.names else ("{a_one}",)), one, many, 1)
    return NounPhrase(text, text, is_many=False, pronoun="it")


def _definite(rng: np.random.Generator, templates: Templates, things: Things, noun: str) -> NounPhrase:
    is_many = things.category in PLURAL
    text, own = f"the {noun}", f"my {noun}"
    place = things.place
    if place is not None and place.category in ROOM_TEMPLATES:
        said = [pattern.format(noun=noun, room=place.category) for pattern in templates.in_room]
        # "The office chair" is another kind of chair.
        text = own = pick(rng, [each for each in said if each.removeprefix("the ") not in FURNITURE])
    elif place is not None:
        fields = NounPhrase(text, own, is_many, "it").fields() | source(rng, place)
        text = pick(rng, templates.on_furniture).format_map(fields)
        own = f"{own} {fields['on_s']}"
    return NounPhrase(text, own, is_many, "them" if is_many else "it")


def _nouns(rng: np.random.Generator, templates: Templates, things: Things) -> tuple[str, str]:
    """Returns the noun with its adjectives in the singular and in the plural."""
    sizes: Mapping[str, Sequence[str]] = {"large": templates.large, "small": templates.small}
    size = pick(rng, sizes[things.size]) if things.size else ""
    adjectives = [word for word in (size, things.colour) if word]
    kinds = _spoken(things.category), _spoken(plural(things.category))
    one, many = (" ".join((*adjectives, kind)) for kind in kinds)
    return one, many


def _filled(pattern: str, one: str, many: str, number: int) -> str:
    return pattern.format(one=one, many=many, a_one=with_article(one), number=NUMBERS[number])


def _spoken(category: str) -> str:
    """Returns a category as it is written in a letter: "TV stand"."""
    return " ".join("TV" if word == "tv" else word for word in category.split())


def bare(things: Things) -> Things:
    """Describes the objects without their place, for templates that state it."""
    return replace(things, place=None)
