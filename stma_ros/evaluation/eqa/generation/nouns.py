"""Nouns of questions and answers in English."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from stma_ros.evaluation.household_tasks.english import COUNTLESS, NUMBERS
from stma_ros.evaluation.household_tasks.subtasks import Things
from stma_ros.memory.nouns import is_plural, plural, with_article

_ALSO_CALLED: Final[dict[str, frozenset[str]]] = {
    "sink": frozenset({"washbasin"}),
    "washbasin": frozenset({"sink"}),
    "mug": frozenset({"cup"}),
    "cup": frozenset({"mug"}),
    "jug": frozenset({"teapot", "watering can"}),
    "teapot": frozenset({"jug", "kettle"}),
    "kettle": frozenset({"teapot"}),
    "watering can": frozenset({"jug"}),
    "pot": frozenset({"pan"}),
    "pan": frozenset({"pot"}),
    "cabinet": frozenset({"cupboard", "sideboard"}),
    "cupboard": frozenset({"cabinet", "wardrobe"}),
    "wardrobe": frozenset({"cupboard"}),
    "sideboard": frozenset({"cabinet", "dresser"}),
    "dresser": frozenset({"sideboard"}),
    "filing cabinet": frozenset({"cabinet"}),
    "chest": frozenset({"storage box"}),
    "shelf": frozenset({"shoe rack"}),
    "bookshelf": frozenset({"shelf"}),
    "table": frozenset({"desk", "workbench"}),
    "dining table": frozenset({"table"}),
    "desk": frozenset({"workbench"}),
    "workbench": frozenset({"desk"}),
    "fridge": frozenset({"freezer"}),
    "freezer": frozenset({"fridge"}),
    "washing machine": frozenset({"dryer"}),
    "dryer": frozenset({"washing machine", "hair dryer"}),
    "plant": frozenset({"cactus"}),
    "bag": frozenset({"backpack"}),
    "backpack": frozenset({"bag"}),
    "book": frozenset({"magazine"}),
    "notebook": frozenset({"book"}),
    "pillow": frozenset({"cushion"}),
    "cushion": frozenset({"pillow"}),
    "laptop": frozenset({"tablet"}),
    "tablet": frozenset({"laptop", "phone"}),
    "phone": frozenset({"tablet"}),
    "game": frozenset({"storage box", "cereal box"}),
}
"""Other categories that people call by the name of a category, or take for it."""


def called(name: str, categories: Iterable[str]) -> frozenset[str]:
    """Returns those of some categories of which people might mean one by a name: an office chair is a chair."""
    others = _ALSO_CALLED.get(name, frozenset())
    return frozenset(category for category in categories if category.endswith(name) or category in others)


def written(category: str) -> str:
    """Returns a category as people write it: "TV stand"."""
    return " ".join("TV" if word == "tv" else word for word in category.split(" "))


def a(category: str) -> str:
    """Returns "a mug", "an apple", "some bread", "headphones"."""
    return f"some {category}" if category in COUNTLESS else with_article(written(category))


def the(things: Things) -> str:
    """Returns "the red mug", "the mug on the desk"."""
    words = " ".join(word for word in ("the", things.size, things.colour, written(things.category)) if word)
    place = things.place
    return words if place is None else f"{words} {place.preposition} the {written(place.category)}"


def the_or_a(category: str) -> tuple[str, str]:
    """Returns an answer with either article: "the mug" and "a mug"."""
    return f"the {written(category)}", a(category)


def are(category: str) -> str:
    """Returns the verb that goes with one thing of a category."""
    return "are" if is_plural(category) else "is"


def they(category: str) -> str:
    return "they" if is_plural(category) else "it"


def number(count: int) -> str:
    """Returns a number in words: "no" things are "none"."""
    return "none" if count == 0 else NUMBERS[count]


def many(category: str) -> str:
    """Returns the plural of a category."""
    return plural(written(category))


def none_there(category: str) -> tuple[str, ...]:
    """Returns the answer to a question about something that does not exist, and others that say the same."""
    verb, noun = are(category), written(category)
    others = () if category in COUNTLESS or is_plural(category) else (f"there isn't {a(category)}",)
    return (
        f"there {verb} no {noun}",
        f"there {verb} no {noun} in the flat",
        f"there {verb} no {noun} here",
        *others,
        f"I found no {noun}",
    )
