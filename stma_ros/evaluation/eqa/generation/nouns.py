"""Nouns of questions and answers in English."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stma_ros.evaluation.household_tasks.english import COUNTLESS, NUMBERS
from stma_ros.evaluation.household_tasks.subtasks import Things
from stma_ros.memory.nouns import is_plural, plural, with_article

_ALIKE: Final = (
    frozenset({"sink", "washbasin"}),
    frozenset({"mug", "cup", "glass"}),
    frozenset({"jug", "teapot", "kettle", "vase", "watering can"}),
    frozenset({"bowl", "plate", "tray", "pan", "pot"}),
    frozenset({"cabinet", "cupboard", "sideboard", "dresser", "wardrobe", "filing cabinet", "nightstand"}),
    frozenset({"chest", "storage box"}),
    frozenset({"shelf", "bookshelf", "shoe rack"}),
    frozenset({"table", "dining table", "desk", "workbench", "coffee table", "side table", "counter"}),
    frozenset({"chair", "office chair", "stool", "armchair", "bench"}),
    frozenset({"sofa", "armchair"}),
    frozenset({"bed", "bunk bed"}),
    frozenset({"fridge", "freezer"}),
    frozenset({"oven", "stove", "microwave"}),
    frozenset({"washing machine", "dryer", "dishwasher"}),
    frozenset({"bin", "laundry basket", "bucket"}),
    frozenset({"plant", "cactus"}),
    frozenset({"floor lamp", "table lamp"}),
    frozenset({"bag", "backpack"}),
    frozenset({"book", "notebook", "magazine"}),
    frozenset({"pillow", "cushion"}),
    frozenset({"blanket", "towel"}),
    frozenset({"phone", "tablet", "remote"}),
    frozenset({"laptop", "tablet"}),
    frozenset({"orange", "lemon", "apple", "tomato", "ball"}),
    frozenset({"doll", "teddy bear"}),
    frozenset({"game", "cereal box", "storage box"}),
    frozenset({"juice", "milk", "soap bottle", "shampoo", "detergent", "wine bottle", "medicine"}),
    frozenset({"pasta", "rice", "coffee", "cereal box"}),
    frozenset({"can", "jar", "candle"}),
)
"""Categories that people take for one another, or call by one another's names."""


def alike(category: str) -> frozenset[str]:
    """Returns the categories, this one among them, of which people might mean one by its name."""
    return frozenset({category}).union(*(group for group in _ALIKE if category in group))


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


def listed(parts: Sequence[str]) -> str:
    """Returns "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


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
