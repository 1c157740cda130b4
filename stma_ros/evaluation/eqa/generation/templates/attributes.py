"""Attribute recognition: the colour of something."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.evaluation.eqa.generation.colours import colour_names
from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import are, the
from stma_ros.evaluation.eqa.generation.templates.template import Aim, Candidate, Template, weighted_aim

_WORDS = {
    **dict.fromkeys(("red", "blue", "green", "yellow", "white", "black"), 1.0),
    **dict.fromkeys(("grey", "brown", "orange", "pink", "purple"), 0.7),
}
"""Colours in answers and their weights: rarer ones need more flats."""


def _colour(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for thing in home.in_view:
        names = colour_names(thing)
        if not names or names[0] != aim.answer:
            continue
        named = home.naming.the(thing)
        if named is not None and not named.colour:
            words = {"the": the(named), "are": are(thing.category)}
            yield Candidate(words, names, (Sight.of(thing.name),))


COLOUR_OF = Template(
    "colour of",
    (
        "What colour {are} {the}?",
        "What is the colour of {the}?",
        "Which colour {are} {the}?",
        "Can you tell me what colour {the} {are}?",
        "I want to know the colour of {the}.",
    ),
    weighted_aim(_WORDS),
    _colour,
)
