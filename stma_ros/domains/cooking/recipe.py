"""Reads the recipes of cooking games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from stma_ros.domains.cooking.cooking import CookingRules

# The directions end with their paragraph, or at the next part of a history, such as "Observation: ...".
_RECIPE = re.compile(
    r"ingredients?:\s*(?P<listed>.*?)directions?:\s*(?P<directions>(?:[^\n:]+(?:\n[ \t]*[^\s:][^\n:]*$)*)?)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_STEP = re.compile(r"(?P<verb>[\w-]+) the (?P<food>.+)")


@dataclass(frozen=True)
class Step:
    """One direction of a recipe."""

    verb: str
    food: str


@dataclass(frozen=True)
class Recipe:
    """A recipe.

    Attributes:
        ingredients: names of the ingredients.
        steps: directions that can be followed, in order.
        unknown: directions that cannot be followed, word for word.
    """

    ingredients: tuple[str, ...]
    steps: tuple[Step, ...]
    unknown: tuple[str, ...] = ()


def recipe_text(text: str) -> str:
    """Returns the part of a text that is the recipe, word for word; empty if there is none."""
    match = _RECIPE.search(text)
    return match.group(0).strip() if match else ""


def read_recipe(text: str, rules: CookingRules) -> Recipe | None:
    """Returns the recipe in a text, or None. Its directions end before the preparation of the meal."""
    match = _RECIPE.search(text)
    if match is None:
        return None
    ingredients = tuple(line.strip() for line in match["listed"].splitlines() if line.strip())
    directions = (line.strip() for line in match["directions"].splitlines())
    steps: list[Step] = []
    unknown: list[str] = []
    for line in takewhile(lambda line: line.casefold() != rules.prepare, directions):
        step = _step(line)
        if step is not None and step.verb in rules.results and step.food in ingredients:
            steps.append(step)
        elif line:
            unknown.append(line)
    return Recipe(ingredients, tuple(steps), tuple(unknown)) if ingredients else None


def _step(line: str) -> Step | None:
    match = _STEP.fullmatch(line)
    return Step(match["verb"].casefold(), match["food"].strip()) if match else None
