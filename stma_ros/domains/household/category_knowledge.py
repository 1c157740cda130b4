"""Loads the general knowledge about categories of objects in homes, from categories.yaml."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import yaml

from stma_ros.memory.category_knowledge import CategoryKnowledge


@lru_cache(maxsize=1)
def household_categories() -> CategoryKnowledge:
    """Returns the category knowledge of the household domain, which is read once.

    Factories of agents, scores and tests call this function; all other code receives the value as an argument.
    """
    text = files(__package__).joinpath("categories.yaml").read_text(encoding="utf-8")
    return CategoryKnowledge.of(yaml.safe_load(text))
