"""Removes the name by which a text calls the robot: "Robbie, ...", "Hey Jeeves, ..."."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import typos
from stma_ros.domains.household.language.patterns import BASE
from stma_ros.memory.category_knowledge import CategoryKnowledge

_GREETING = (
    r"(?:(?:hey|hi|hello|ok|okay|dear|oh|good (?:morning|evening|afternoon|day)|so|please|yo|listen|excuse me"
    r"|thanks)[ ,]+)*"
)
_DEAR = re.compile(
    r"(?:(?<=^)|(?<=[.,;]))\s*(?:and )?(?:my|our) (?:(?:dear|good|old|sweet|little|own|darling) )*"
    r"(?:dear|dearest|darling|love|sweetheart|friend|lad|lass|boy|girl|man|woman|lady|fellow|chap|hero|angel"
    r"|treasure|helper)\s*(?:,|(?=[.;]|$))"
)
_LIKE_A_FRIEND = re.compile(
    r"(?<=\w) ?,? (?:and )?(?:(?:that|there) is|like) (?:an?|my|the) (?:(?:good|dear|clever|sweet|nice|kind|fine"
    r"|old|little) )+"
    r"(?:lad|lass|boy|girl|man|woman|chap|fellow|friend|robot|helper|thing"
    r"|soul)(?: (?:that )?you are)?(?=\s*(?:[.;,]|$))"
)
_CALLED_FIRST = re.compile(rf"^(?P<greeting>{_GREETING})(?P<name>[a-z]+)\s*,\s*(?=\w)")
_MACHINE_FIRST = re.compile(
    rf"^(?P<greeting>{_GREETING})(?:computer|machine) ?,? (?=(?:please|kindly|can|could|would|will|where|i|{BASE}) )"
)
_CALLED_LAST = re.compile(r",\s*(?P<name>[a-z]+)(?=\s*\.\s*$)")


def without_name(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text without what calls the robot: "my dear", or an unknown word at its beginning or end."""
    text = _LIKE_A_FRIEND.sub("", _DEAR.sub("", text))
    text = _MACHINE_FIRST.sub(r"\g<greeting>", text)
    match = _CALLED_FIRST.match(text)
    if match and _is_name(match["name"], knowledge):
        return match["greeting"] + text[match.end() :]
    match = _CALLED_LAST.search(text)
    return (
        text[: match.start()] + text[match.end() :] if match and _is_name(match["name"], knowledge) else text
    )


def _is_name(word: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a word is unknown, and no typing error of a known one."""
    return bool(typos.unknown_words(word, knowledge)) and not typos.near_words(word, knowledge)
