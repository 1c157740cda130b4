"""What is generally known of the kinds of things in homes (data: categories.yaml)."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import yaml

from stma_ros.memory.category_knowledge import CategoryKnowledge


@lru_cache(maxsize=1)
def household_categories() -> CategoryKnowledge:
    """The category knowledge of the household domain, read once.

    For those who put agents, scores and tests together; all others are handed the value.
    """
    text = files(__package__).joinpath("categories.yaml").read_text(encoding="utf-8")
    return CategoryKnowledge.of(yaml.safe_load(text))
