"""What of an experience may leave a home: neither which home it was nor names of people."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace

from stma_ros.types.common import Error
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action
from stma_ros.types.scene_graph import Relation

SOMEBODY = "somebody"

_CAPITALISED = re.compile(r"\b[A-Z][^\W\d_]*\b(?!\()")
_SMALL = re.compile(r"\b[^\W\d_A-Z]+\b")
_SENTENCE_BEGINS = re.compile(r"(?:^|[.!?:\n\"])\s*$")
_NOT_A_NAME = frozenset({"I", "TV"})


def anonymous(experience: Experience, people: Collection[str] = ()) -> Experience:
    """Returns an experience without the home and without names of people.

    A word is taken for a name if it begins with a capital letter within a sentence, or with a genitive ("Anna's mug")
    anywhere; that some other words are lost costs little. An experience holds no pictures in the first place.

    Args:
        experience: as it was made.
        people: further names, which are found in small letters, too.
    """
    names = _names(experience) | {name.lower() for name in people if name}
    return replace(
        experience,
        home="",
        task=_hide(experience.task, names),
        justification=_hide(experience.justification, names),
        steps=tuple(_step(step, names) for step in experience.steps),
        surroundings=tuple(_fact(fact, names) for fact in experience.surroundings),
    )


def _names(experience: Experience) -> set[str]:
    """Returns the names in the texts of an experience, in small letters; what occurs in small letters is no name."""
    texts = list(_texts(experience))
    small = {word for text in texts for word in _SMALL.findall(text)}
    return {name.lower() for text in texts for name in _names_in(text)} - small


def _texts(experience: Experience) -> Iterable[str]:
    yield experience.task
    yield experience.justification
    for step in experience.steps:
        yield from (step.rationale, step.justification, step.error.text)


def _names_in(text: str) -> Iterable[str]:
    for match in _CAPITALISED.finditer(text):
        word = match.group()
        begins = _SENTENCE_BEGINS.search(text[: match.start()]) is not None
        owns = text[match.end() :].startswith(("'s", "\u2019s"))
        if word not in _NOT_A_NAME and (owns or not begins):
            yield word


def _step(step: ReasonedStep, names: Collection[str]) -> ReasonedStep:
    return replace(
        step,
        graph=tuple(_fact(fact, names) for fact in step.graph),
        rationale=_hide(step.rationale, names),
        action=Action(step.action.skill, tuple(_hide(each, names) for each in step.action.arguments)),
        error=Error(step.error.code, _hide(step.error.text, names)),
        justification=_hide(step.justification, names),
    )


def _fact(fact: Relation, names: Collection[str]) -> Relation:
    return replace(fact, subject=_hide(fact.subject, names), object=_hide(fact.object, names))


def _hide(text: str, names: Collection[str]) -> str:
    if not names:
        return text
    pattern = r"\b(?:" + "|".join(map(re.escape, sorted(names, key=len, reverse=True))) + r")\b"
    return re.sub(pattern, SOMEBODY, text, flags=re.IGNORECASE)
