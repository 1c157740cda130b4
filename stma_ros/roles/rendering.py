"""Helpers that render questions as text."""

from __future__ import annotations

import math
from collections.abc import Iterable

from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation, Route

_ROUNDING = 1e-4  # [percent] rounding error of a confidence of 32 bits


def sections(*parts: str) -> str:
    """Returns the parts that are not empty, with an empty line between them."""
    return "\n\n".join(filter(None, parts))


def bounded_line(text: str, longest: int) -> str:
    """Returns a text on one line, cut off after a number of characters: a text of others must not look like a section
    of the question, and must not fill it."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rstrip()} ..."


def headed(heading: str, text: str) -> str:
    """Returns the text under a heading; empty if there is no text."""
    return f"{heading}:\n{text}" if text else ""


def action_lines(actions: Iterable[Action]) -> str:
    """Returns each action on a line of its own."""
    return "\n".join(map(str, actions))


def percent(confidence: float) -> str:
    """Returns a confidence [0..1], rounded down: nothing is told to be surer than it is."""
    return f"{math.floor(100 * confidence + _ROUNDING)}%"


def fact_text(fact: Relation) -> str:
    """Returns a fact as a triple."""
    return f"({fact.subject}, {fact.predicate}, {fact.object})"


def route_text(route: Route) -> str:
    """Returns a route by its commands, or by its length [m] if it has none."""
    return f"{route.target}: {', '.join(route.moves) or f'{route.length:.1f} m'}"
