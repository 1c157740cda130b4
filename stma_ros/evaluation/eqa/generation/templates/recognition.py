"""Object recognition: what something is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stma_ros.evaluation.eqa.generation.colours import colour_names
from stma_ros.evaluation.eqa.generation.episode import Sight
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.nouns import a, the
from stma_ros.evaluation.eqa.generation.templates.template import (
    Aim,
    Candidate,
    Template,
    any_aim,
    weighted_aim,
)
from stma_ros.memory.nouns import listed
from stma_ros.worlds.house.flat import Furniture

SOMETHING, NOTHING = "something", "nothing"

_MOST = 3  # things on one piece
_TOO_LOW: Final = frozenset({"chair", "office chair", "stool", "tv stand", "shoe rack"})
"""Furniture on top of which nothing is expected, or where other furniture stands in front."""


def _on(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for piece in home.pieces:
        named = home.naming.the(piece)
        items = home.items_on(piece)
        if named is None or not piece.shape.on or piece.category in _TOO_LOW or len(items) > _MOST:
            continue
        if (aim.answer == NOTHING) == bool(items):
            continue
        words = {"the": the(named)}
        if not items:
            nothing = ("nothing", f"there is nothing on {the(named)}", "it is empty", "nothing at all")
            yield Candidate(words, nothing, (Sight.of(piece.name, from_front=True),))
            continue
        single = tuple(dict.fromkeys(a(item.category) for item in items))
        answers = tuple(dict.fromkeys((listed(single), *single)))
        yield Candidate(words, answers, (Sight.of(*(item.name for item in items)),))


def _coloured(home: QuestionHome, aim: Aim) -> Iterator[Candidate]:
    for piece in home.pieces:
        named = home.naming.the(piece)
        items = home.items_on(piece)
        if named is None or len(items) < 2:
            continue
        colours = [colour_names(item) for item in items]
        for item, names in zip(items, colours, strict=True):
            others = [other for other in colours if other is not names]
            # A thing without a word for its colour could be called anything.
            if not names or any(not other or set(names) & set(other) for other in others):
                continue
            yield Candidate(
                {"colour": names[0], "the": the(named)},
                (a(item.category),),
                (Sight.of(item.name, piece.name),),
            )


THING_ON = Template(
    "thing on",
    (
        "What is on {the}?",
        "What is lying or standing on {the}?",
        "Can you tell me what is on {the}?",
        "What can be seen on {the}?",
        "What did somebody leave on {the}?",
    ),
    weighted_aim({SOMETHING: 0.88, NOTHING: 0.12}),
    _on,
)

COLOURED_THING = Template(
    "coloured thing",
    (
        "What is the {colour} thing on {the}?",
        "What is the {colour} object on {the}?",
        "There is something {colour} on {the}. What is it?",
        "Which {colour} object is on {the}?",
    ),
    any_aim,
    _coloured,
)


def has_top(piece: Furniture) -> bool:
    """Whether people expect things on top of a piece of furniture."""
    return bool(piece.shape.on) and piece.category not in _TOO_LOW
