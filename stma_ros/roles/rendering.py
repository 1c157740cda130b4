"""What the texts of questions are put together from, and how long they are."""

from __future__ import annotations

import re
from collections.abc import Iterable

from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation, Route

_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Words, numbers and marks: a measure of length that belongs to no model."""
    return sum(1 for _ in _TOKEN.finditer(text))


def sections(*parts: str) -> str:
    """The parts that are not empty, with an empty line between them."""
    return "\n\n".join(filter(None, parts))


def headed(heading: str, text: str) -> str:
    """The text under a heading; empty where there is no text."""
    return f"{heading}:\n{text}" if text else ""


def action_lines(actions: Iterable[Action]) -> str:
    """Each action on a line of its own."""
    return "\n".join(map(str, actions))


def fact_text(fact: Relation) -> str:
    """A fact as a triple, not put into words."""
    return f"({fact.subject}, {fact.predicate}, {fact.object})"


def route_text(route: Route) -> str:
    """A route by its commands, or by its length [m] where it has none."""
    return f"{route.target}: {', '.join(route.moves) or f'{route.length:.1f} m'}"
