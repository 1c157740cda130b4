"""Finds what a text asks to be done with something that none of its goals is about: a request that was lost in reading.

A sentence has many rules that take parts of it for remarks. That they took a request shows in its verb and its object.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from stma_ros.domains.household.goals import TAP_STATES, Goal, StateGoal
from stma_ros.domains.household.language.patterns import BASE, GERUND
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.descriptions import Description
from stma_ros.memory.nouns import plural

_PARTICLE = r"(?:(?:on|off|up|down|away|out|over|back|open|shut|for) )?"
_DETERMINER = (
    r"(?:(?:(?:all|both|each|every|any|one|two|three|four)(?: of)? )?(?:the|my|our|your|those|these|that|this)"
    r"|all|both|each|every|any) "
)
# Somebody takes back what was said, so that it is not to be done: anything before, or what the same sentence says.
_TAKEN_BACK = re.compile(
    r"\b(?:sorry|wait|hang on|hold on|scratch|meant?|actually|correction|forget|oops|skip|cancel|never mind)\b"
    r"|\bno ?,"
)
_EXCEPTED = re.compile(r"\b(?:no|not|never|rather|instead|except|without|unless|if|or)\b")


def forgotten(
    text: str, goals: Sequence[Goal], things: Sequence[Description], knowledge: CategoryKnowledge
) -> str:
    """Returns the first thing that a normalised text asks to handle and that no goal is about; empty = there is none.

    Args:
        text: the text before anything was taken out of it.
        goals: what was read.
        things: the objects and places of the goals.
        knowledge: of categories.
    """
    if not goals or _TAKEN_BACK.search(text):
        return ""
    named = {thing.category for thing in things}
    pours = any(isinstance(goal, StateGoal) and goal.state in TAP_STATES for goal in goals)
    asked = " . ".join(sentence for sentence in text.split(" . ") if not _EXCEPTED.search(sentence))
    for match in _handled(knowledge).finditer(asked):
        category = knowledge.canonical(match["thing"])
        if pours and not knowledge.is_furniture(category):
            continue  # "pour the tea away" is about the cup
        if not any(_is_same(category, name, knowledge) for name in named):
            return match["thing"]
    return ""


def _is_same(one: str, other: str, knowledge: CategoryKnowledge) -> bool:
    """Whether two categories may be names of the same thing."""
    one_words, other_words = ({*name.split(), plural(name)} for name in (one, other))
    return knowledge.are_related(one, other) or bool(one_words & other_words)


@lru_cache(maxsize=8)
def _handled(knowledge: CategoryKnowledge) -> re.Pattern[str]:
    """Returns what matches a verb with a known thing as its object."""
    # "Clear the table" is about what is on it.
    known = knowledge.things | {
        kind for kind in knowledge.furniture if knowledge.is_openable(kind) or knowledge.is_device(kind)
    }
    names = {*known, *(name for name, meant in knowledge.synonyms.items() if meant in known)}
    nouns = "|".join(sorted(map(re.escape, names | {*map(plural, names)}), key=len, reverse=True))
    adjectives = "|".join(
        sorted({*knowledge.colours, "large", "small", "big", "little"}, key=len, reverse=True)
    )
    return re.compile(
        rf"\b(?:{BASE}|{GERUND}) {_PARTICLE}{_DETERMINER}(?:(?:{adjectives}) )*(?P<thing>{nouns})\b"
        rf"(?! (?:{nouns})\b)"
    )
