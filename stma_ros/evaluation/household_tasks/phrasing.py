"""Phrases household subtasks as requests in varied English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from stma_ros.evaluation.household_tasks.english import NUMBERS, PLURAL, listed, pick, sentence
from stma_ros.evaluation.household_tasks.grouping import is_tidying, together
from stma_ros.evaluation.household_tasks.subtasks import (
    Fetch,
    Find,
    Place,
    Put,
    SetState,
    SpatialRelation,
    Subtask,
    Things,
)
from stma_ros.memory.nouns import plural
from stma_ros.types import vocabulary as words

_SIZES = {"large": ("large", "big"), "small": ("small", "little")}

_QUESTIONS = ("where is {}?", "where can I find {}?", "can you find {}?", "do you know where {} is?")
_FIND = (
    "find {}",
    "look for {}",
    "search for {}",
    "locate {}",
    "tell me where {} is",
    "find out where {} is",
)
_FETCH = ("bring me {}", "fetch me {}", "get me {}", "fetch {}")
_PUT = {
    SpatialRelation.IN: ("put {} in {}", "put {} into {}", "place {} in {}", "move {} into {}"),
    SpatialRelation.ON: ("put {} on {}", "place {} on {}", "move {} onto {}", "set {} on {}"),
    SpatialRelation.TO: ("bring {} to {}", "take {} to {}", "carry {} to {}", "move {} to {}"),
    SpatialRelation.ROOM: ("bring {} to {}", "take {} to {}", "carry {} into {}", "take {} into {}"),
}
_GATHER = ("gather {} and put them {} {}", "collect {} and put them {} {}")
_FROM_TO = ("move {} from {} to {}", "take {} from {} to {}", "carry {} from {} to {}")
_FROM_IN = ("take {} from {} and put {} {} {}", "get {} from {} and put {} {} {}")
# Before a noun of any length, and around a short one or a pronoun.
_STATES = {
    words.STATE_ON: (("switch on {}", "turn on {}"), ("switch {} on", "turn {} on")),
    words.STATE_OFF: (("switch off {}", "turn off {}"), ("switch {} off", "turn {} off")),
    words.STATE_OPEN: (("open {}",), ("open {}",)),
    words.STATE_CLOSED: (("close {}", "shut {}"), ("close {}", "shut {}")),
    words.STATE_FULL: (("fill {}", "fill up {}", "fill {} with water"), ("fill {}", "fill {} with water")),
    words.STATE_EMPTY: (("empty {}",), ("empty {}",)),
}
_ALONE = (
    "{}.",
    "please {}.",
    "{}, please.",
    "could you {}?",
    "can you {}, please?",
    "I would like you to {}.",
)
_TIDY = ("tidy up: {}.", "please tidy up a little: {}.", "it is time to tidy up: {}.")
_OPENINGS = ("", "", "please ", "could you ")
_LATER = ("", "then ", "after that, ", "next, ", "also, ")
_LAST = ("", "then ", "finally, ", "at the end, ")
_SENTENCE = 3  # most clauses in a sentence that is no list
_SHORT = 4  # most words of a noun inside a separable verb
_TIDY_SHARE, _LIST_SHARE, _THEN_SHARE, _QUESTION_SHARE, _GATHER_SHARE = 0.6, 0.25, 0.4, 0.5, 0.3


def say(rng: np.random.Generator, subtasks: Sequence[Subtask]) -> str:
    """Phrases one task. Adjacent subtasks that share place or state are combined."""
    groups = together(subtasks)
    if is_tidying(subtasks) and rng.random() < _TIDY_SHARE:
        parts = [_put_short(rng, group) for group in groups]
        return sentence(pick(rng, _TIDY).format("put " + listed(parts)))
    if isinstance(subtasks[0], Find) and len(subtasks) == 1 and rng.random() < _QUESTION_SHARE:
        return sentence(pick(rng, _QUESTIONS).format(_said(rng, subtasks[0].things)))
    before = [None, *(group[0] if len(group) == 1 else None for group in groups)]
    clauses = [_clause(rng, group, previous) for group, previous in zip(groups, before, strict=False)]
    if len(clauses) == 1:
        return sentence(pick(rng, _ALONE).format(clauses[0]))
    return _joined(rng, clauses)


def _put_short(rng: np.random.Generator, group: Sequence[Subtask]) -> str:
    """Returns "the book on the desk"."""
    first = group[0]
    assert isinstance(first, Put)
    things = listed([_said(rng, subtask.things) for subtask in group])
    return f"{things} {first.relation.value} {_said(rng, first.places)}"


def _clause(rng: np.random.Generator, group: Sequence[Subtask], before: Subtask | None) -> str:
    """Phrases one request; "it" refers to an object that the previous request has in common."""
    first = group[0]
    if isinstance(first, Put) and (first.source or first.things.place):
        return _put_from(rng, first)
    if before is not None and before.things.is_definite and before.things == first.things and len(group) == 1:
        things = _pronoun(first.things)
    else:
        things = listed([_said(rng, subtask.things) for subtask in group])
    match first:
        case Find():
            return pick(rng, _FIND).format(things)
        case Fetch():
            return pick(rng, _FETCH).format(things)
        case SetState():
            first_last, around = _STATES[first.state]
            is_short = len(things.split()) <= _SHORT
            patterns = around if things in ("it", "them") else (*first_last, *(around if is_short else ()))
            return pick(rng, patterns).format(things)
        case Put():
            return _put(rng, first, things)


def _put(rng: np.random.Generator, subtask: Put, things: str) -> str:
    place = _said(rng, subtask.places)
    if (
        subtask.things.is_all
        and subtask.relation in (SpatialRelation.IN, SpatialRelation.ON)
        and rng.random() < _GATHER_SHARE
    ):
        named = f"all the {_noun(rng, subtask.things, many=True)}"
        return pick(rng, _GATHER).format(named, subtask.relation.value, place)
    return pick(rng, _PUT[subtask.relation]).format(things, place)


def _put_from(rng: np.random.Generator, subtask: Put) -> str:
    """Phrases a placement with its source, which distinguishes the object where needed."""
    source = subtask.source or subtask.things.place
    assert source is not None
    things = _said(rng, replace(subtask.things, place=None))
    place = _said(rng, subtask.places)
    if subtask.relation in (SpatialRelation.TO, SpatialRelation.ROOM):
        return pick(rng, _FROM_TO).format(things, _the(source), place)
    pronoun = _pronoun(subtask.things)
    return pick(rng, _FROM_IN).format(things, _the(source), pronoun, subtask.relation.value, place)


def _said(rng: np.random.Generator, things: Things) -> str:
    """Returns "the red mug", "a mug", "two mugs", "all the mugs"."""
    if things.is_definite:
        return f"the {_noun(rng, things)}"
    if things.is_all:
        many = _noun(rng, things, many=True)
        return pick(rng, (f"all {many}", f"all the {many}", f"every {_noun(rng, things)}"))
    if things.number == 1:
        noun = _noun(rng, things)
        return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    return f"{NUMBERS[things.number]} {_noun(rng, things, many=True)}"


def _noun(rng: np.random.Generator, things: Things, *, many: bool = False) -> str:
    size = pick(rng, _SIZES[things.size]) if things.size else ""
    kind = plural(things.category) if many else things.category
    noun = " ".join(word for word in (size, things.colour, kind) if word)
    return noun if things.place is None else f"{noun} {things.place.preposition} {_the(things.place)}"


def _the(place: Place) -> str:
    return f"the {place.category}"


def _pronoun(things: Things) -> str:
    return "them" if things.category in PLURAL else "it"


def _joined(rng: np.random.Generator, clauses: Sequence[str]) -> str:
    """Joins two or more clauses to one text."""
    count = len(clauses)
    if count <= _SENTENCE:
        opening = pick(rng, _OPENINGS)
        end = "?" if opening.startswith("could") else "."
        said = _then(clauses) if rng.random() < _THEN_SHARE else listed(clauses)
        return sentence(opening + said + end)
    if rng.random() < _LIST_SHARE:
        return sentence(f"please {listed(clauses)}.")
    sentences: list[str] = []
    at = 0
    while at < count:
        size = min(int(rng.integers(1, _SENTENCE + 1)), count - at)
        part, at = clauses[at : at + size], at + size
        start = pick(rng, _OPENINGS[:3] if not sentences else _LAST if at == count else _LATER)
        sentences.append(sentence(f"{start}{listed(part)}."))
    return " ".join(sentences)


def _then(clauses: Sequence[str]) -> str:
    """Returns "a and then b", "a, then b, and then c"."""
    start = ", then ".join(clauses[:-1])
    return f"{start}{',' if len(clauses) > 2 else ''} and then {clauses[-1]}"
