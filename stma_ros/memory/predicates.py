"""Brings facts as people and models word them to the few predicates that the knowledge graph reasons with."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import MalformedTripleError
from stma_ros.types.scene_graph import Relation

MAX_NAME = 200
"""Longest name of an entity and longest predicate [characters]."""

_PHRASES: Final = {
    words.IN: "in|inside|inside of|within|located in|contained in|stored in|at|located at",
    words.ON: "on|on top of|atop|upon|lying on|standing on|located on|placed on",
    words.HELD_BY: "held by|carried by|in the hand of|in the hands of|in hands of|in inventory of",
    words.NEAR: "near|next to|beside|by|close to|in front of",
}
"""Predicate -> other wordings of it, without a leading "is" or "are"."""

_CONVERSE_PHRASES: Final = {
    words.IN: "contains|contain|has|includes|encloses",
    words.ON: "holds|supports|carries|bears",
    words.HELD_BY: "is carrying|is holding",
}
"""Predicate -> wordings that say it from the other end: "the kitchen contains a fridge"."""

_GRIPS: Final = frozenset(("has", "holds", "carries", "bears"))
"""Inverse predicates: the robot has what is held by it, and other objects have what is in or on them."""

_WORDINGS = {text: predicate for predicate, texts in _PHRASES.items() for text in texts.split("|")}
_CONVERSE = {text: predicate for predicate, texts in _CONVERSE_PHRASES.items() for text in texts.split("|")}
PREPOSITIONS = tuple(_WORDINGS)
"""Phrases after "is" or "are" that say where something is."""

VERBS = tuple(_CONVERSE)
"""Verbs that say from the other end where something is."""

_ANY_DIRECTION = rf"({'|'.join(words.OPPOSITE)})"
_DIRECTED = re.compile(rf"(?:to the |at |at the )?{_ANY_DIRECTION}(?:ern)?(?: side)? (?:of|from)")
_LEADING = re.compile(rf"(?:(?:leads|goes|exit|has(?: an)? exit)(?: to the)? )?{_ANY_DIRECTION}(?: to)?")
_COPULA = re.compile(r"^(?:is|are|was|were) ")
_ARTICLES = re.compile(r"^(?:(?:the|an|a) )+")


def canonical_name(text: str) -> str:
    """Returns a name without article, in lower case, with single spaces.

    Raises:
        MalformedTripleError: The name is empty or longer than MAX_NAME.
    """
    name = _ARTICLES.sub("", " ".join(text.split()).casefold())
    if not name:
        raise MalformedTripleError("a fact names nothing; give subject, predicate and object")
    if len(name) > MAX_NAME:
        raise MalformedTripleError(
            f"{name[:40]!r}... has {len(name)} characters; a name has {MAX_NAME} at most"
        )
    return name


def canonical(fact: Relation) -> Relation:
    """Returns a fact with canonical names and in the direction that the graph stores.

    ("kitchen", "contains", "fridge") becomes ("fridge", "in", "kitchen"); ("hall", "is north of", "kitchen") and
    ("kitchen", "leads north to", "hall") become the kitchen's exit north.

    Raises:
        MalformedTripleError: A name is empty or too long, or subject and object are the same.
    """
    subject, item = canonical_name(fact.subject), canonical_name(fact.object)
    predicate = canonical_name(fact.predicate)
    if subject == item:
        raise MalformedTripleError(f"{subject!r} cannot be {predicate!r} itself")
    bare = _COPULA.sub("", predicate)
    converse = _CONVERSE.get(predicate) or _CONVERSE.get(bare)
    if converse is not None:
        if subject == words.ROBOT and bare in _GRIPS:
            converse = words.HELD_BY
        return replace(fact, subject=item, predicate=converse, object=subject)
    direction = _DIRECTED.fullmatch(bare)
    if direction is not None:
        return replace(fact, subject=item, predicate=words.EXIT + direction.group(1), object=subject)
    leading = _LEADING.fullmatch(predicate)
    predicate = words.EXIT + leading.group(1) if leading else _WORDINGS.get(bare, predicate)
    if (subject, predicate, item) == (fact.subject, fact.predicate, fact.object):
        return fact  # to copy a message takes longer than all of the above
    return replace(fact, subject=subject, predicate=predicate, object=item)
