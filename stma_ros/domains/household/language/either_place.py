"""Asks back where a text may say either where a thing is or where it is wanted: "get the mug on the table"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language import rewriting
from stma_ros.domains.household.language.patterns import PARTICIPLE, STATE
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge

_GET = re.compile(
    rf"(?!.* (?!(?:left|kept|stored|stuck|hung)\b){PARTICIPLE} (?:away |back |down |up )?(?:in|on) )"
    rf"(?!.* (?:{STATE}|{PARTICIPLE}|going|running|started)(?: (?:on|off|up)| with water)*$)"
    r"(?:get|getting) (?!me\b|us\b|rid\b)(?:(?! (?:from|out of|off|for|to|into|onto|inside|back|over|out|and"
    r"|that|which) ).)+?"
    r" (?:on|in) (?:the|my|our|an?|(?:(?:any|just) )?(?:one|any) of (?:the|our|my|those|these)|another)"
    r" (?:(?! (?:to|into|onto|for|and) )[^&])+"
)
"""To get the mug on the table is to take it from there, or to bring it there."""
_BROUGHT_SOMEWHERE = re.compile(
    r"bring (?!.* (?:to|into|onto) (?!me\b|us\b))(?:(?! (?:from|out of|off|that|which) ).)* (?:in|on) (?=(?:the"
    r"|my|our|an?|(?:(?:any|just) )?(?:one|any) of (?:the|our|my|those|these)) )"
)
"""To need the mug on the table is to need the one there, or to have it there."""
_NEEDED_OVER_THERE = re.compile(
    rf".*\b(?:needs?|wants?|requires?) (?!.*\b{PARTICIPLE}\b)(?:(?! (?:that|which|to) )[^&])+ over (?:on|in|by"
    rf"|at) (?:the|my"
    r"|our)\b.*"
)
_TIDY = re.compile(
    r"(?:tidy|tidying|sort|sorting) (?!.* (?:from|out of|off|to|into|onto) |(?:.* )?(?:away|up)\b)"
    r"(?:(?! (?:that|which|in) ).)+? on (?:the|my|our|an?|(?:(?:any|just) )?(?:one|any) of (?:the|our|my)) [^&]+"
)
"""To tidy the mug on the table is to take it away, or to put it there."""
_GATHER = re.compile(
    r"(?:gather|collect)(?:ing)?(?: up)? (?=(?:all|both|every|each|two|three|four)\b|[^&]+?(?<!s)s (?:in|on) )"
    r"(?:(?! (?:from|out of|off|into|onto|to|for|that|which|lying|standing|scattered|left) ).)+? (?:in|on) "
    r"(?:the|my|our|an?|(?:(?:any|just) )?(?:one|any) of (?:the|our|my)) (?!floor\b|ground\b)"
    r"(?:(?! (?:to|into|onto|for|and) )[^&])+"
)
"""To gather the mugs in the sink is to take them from there, or to bring them there."""
_BRING_TO = re.compile(
    r"(?:bring|fetch|get|hand|give|pass|find) (?:me|us) (?P<thing>(?:(?! (?:from|in|on) )[^&])+?) to (?:the|my|our|an?)"
    r" [^&]+"
)
"""To bring a person the key to the door is to bring what belongs to the door, or to bring it there."""
_SIGHT = re.compile(r"(?:(?:do|can|could) )?(?:you )?see (?:the|my|our|that|those|this|these) .+")
_SHOULD_BE_THERE = re.compile(
    r"(?:it|they|that|those|this|these) (?:really )?should (?:really )?be (?:in|on|at) .+"
)
"""Of a thing that a person may point at, this says where it is wanted; of one that is looked for, where it may be."""
_MAY_BE_EITHER_PLACE = (
    "may say where a thing is, or where to put it",
    "Say 'from' before the present place, or 'put'.",
)
_MAY_BELONG = (
    "may say what a thing belongs to, or where to bring it",
    "Name the thing alone, or say 'put'.",
)


_BRING_NEAR = re.compile(
    r"bring (?!me\b|us\b)(?:(?! (?:to|from|that|which|here|over|back) )[^&])+? (?:near|next to|beside)"
    r" (?:(?! (?:to|into|onto|in|on) )[^&])+"
)


def check_imperative(text: str) -> None:
    """Raises UnreadError for "get the mug on the table", "gather the mugs in the sink" and "bring the mug near the
    sink"."""
    if any(pattern.fullmatch(text) for pattern in (_GET, _GATHER, _BRING_NEAR, _TIDY)):
        raise UnreadError(text, *_MAY_BE_EITHER_PLACE)


def check_receiver(text: str, goals: Sequence[Goal], knowledge: CategoryKnowledge) -> None:
    """Raises UnreadError for "bring me the key to the door", and where something may be put and may have a key.

    Args:
        text: of the clause.
        goals: what was read.
        knowledge: of categories.
    """
    if not _BRING_TO.fullmatch(text):
        return
    for goal in goals:
        place = goal.destination if isinstance(goal, PlaceGoal) else None
        if place is None or knowledge.is_room(place.category):
            continue
        holds = knowledge.is_surface(place.category) or knowledge.is_receptacle(place.category)
        has_key = goal.what.category == "key" and knowledge.is_openable(place.category)
        if has_key or not holds:
            raise UnreadError(text, *_MAY_BELONG)


def check_sight(text: str, following: str) -> None:
    """Raises UnreadError for a clause and the next one such as "you see the mug? It should be on the table"."""
    if _SIGHT.fullmatch(text) and _SHOULD_BE_THERE.fullmatch(following):
        raise UnreadError(following, *_MAY_BE_EITHER_PLACE)


def check_wish(text: str, plain: str) -> None:
    """Raises UnreadError for a wish such as "I need the mug in the kitchen".

    Args:
        text: of the clause.
        plain: the same as a plain imperative.
    """
    is_brought = re.search(rf"{PARTICIPLE} (?:\w+ )?(?:to (?:me|us)|here)$", text)
    is_somewhere = _BROUGHT_SOMEWHERE.match(plain) or _NEEDED_OVER_THERE.fullmatch(text)
    if is_somewhere and not is_brought and not rewriting.begins_action(text):
        raise UnreadError(text, *_MAY_BE_EITHER_PLACE)
