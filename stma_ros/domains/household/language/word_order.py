"""Puts the place of a clause after its verb: "on the desk there is a pen" becomes "there is a pen on the desk"."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import BASE, I_WANT, MODAL, PARTICIPLE, PREPOSITION, STATE
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge

PLACE_ALONE = re.compile(rf"{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )?\w+")
_EXISTENTIAL = re.compile(
    rf"(?P<place>{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )??\w+),? (?:there )?(?P<be>is|are|sits|stands|lies"
    rf"|sit|stand|lie)"
    r" (?P<x>(?:a|an|the|my|our|some|two|three|four|all) .+?)(?P<clause> (?:that|which) .+)?"
)
_IS_INCOMPLETE = re.compile(r"^(?:are|sit|stand|lie) (?:the|my|our|a|an) [^&]*[^s&]$")
"""A single thing after a plural verb, of which others follow: "in the sink are a cup | and a plate"."""
_PLACE_FIRST = re.compile(
    rf"(?P<place>{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )??\w+(?: {PREPOSITION} (?:the|my|our|a|an) (?:\w+"
    rf" )??\w+)?) (?P<rest>(?:(?P<goes>goes|go|belongs?) "
    rf"|(?:i|we|you|there"
    rf"|{'|'.join(verbs.BASES)}) ).+)"
)
_CLEFT = re.compile(
    rf"(?:(?:it is|that is|exactly|right|just) )*(?P<place>{PREPOSITION} [^&]+?) (?:is|would be) (?:exactly |just "
    rf"|really )?(?:(?:the|a) (?:\w+ )?(?:place|spot|home) for (?P<home>.+)|(?:where|the (?:right |best |proper"
    rf" )?(?:place|spot)"
    rf"(?: where)?) (?P<rest>{I_WANT} .+|.+? (?:belongs?|goes|go|lives?|{MODAL}"
    r" (?:be|go|end up|stand|live|lie)(?: put| placed| kept)?)))"
    rf"|it is (?P<only>{PREPOSITION} [^&]+?) (?:that|where) (?!is\b|are\b)(?P<wish>{I_WANT} .+"
    rf"|(?:(?!{I_WANT}).)+? (?:{MODAL} (?:be )?(?:taken|brought|carried|moved|sent|delivered|returned)|belongs?"
    rf"|goes|go|lives?|{MODAL} (?:be|go|end up|get|stand|live|lie)(?: put"
    r"| placed| kept)?))"
)
_OBJECT_FIRST = re.compile(
    rf"(?:it is )?(?P<x>(?:the|my|our|all|both) (?:(?!(?:that|which|is|are|and|should)\b)[\w'-]+"
    rf" ){{0,3}}?[\w'-]+) (?:that )?(?P<wish>(?:i|we)"
    r" (?:want|need|would like|would love|would prefer)) (?:to (?:see|have|be) )?"
    rf"(?P<rest>(?:{PREPOSITION} (?:the|my|our|its)|{PARTICIPLE}|{STATE}(?=$))\b.*)"
)
_PLACED_AT_END = r" to (?:be|go|end up|stand|live|lie)$|(?<= be) (?:put|placed|kept)$"
_SEEN = re.compile(
    r"you (?:will|can|should|might|may)(?: also)? (?:find|see|notice|spot) (?=(?:an?|the|my|our|some|two|three)\b)"
)


def with_place_last(words: str, knowledge: CategoryKnowledge) -> str:
    """Returns "there is a pen on the desk" for "on the desk there is a pen".

    Raises:
        UnreadError: what stands first is no known place, and may be a condition.
    """
    cleft = _CLEFT.fullmatch(words)
    if cleft:  # "on the desk is where i want the pen"
        if cleft["home"]:
            return f"{cleft['home']} belongs {cleft['place']}"
        wish = cleft["rest"] or cleft["wish"]
        if re.match(I_WANT, wish):
            wish = re.sub(_PLACED_AT_END, "", wish)
        return f"{wish} {cleft['place'] or cleft['only']}"
    existential = _EXISTENTIAL.fullmatch(words)
    if existential and not _IS_INCOMPLETE.search(
        existential["be"] + " " + existential["x"]
    ):  # "on the table is a mug that belongs in the sink"
        return f"there is {existential['x']} {existential['place']}{existential['clause'] or ''}"
    fronted = _OBJECT_FIRST.fullmatch(words)
    if fronted:  # "the globe i would like to see on the shelf"
        return f"{fronted['wish']} {fronted['x']} {fronted['rest']}"
    match = _PLACE_FIRST.match(words)
    if not match:
        return words
    if re.match(BASE + r"\b", match["rest"]):
        check_fronted(match["place"], knowledge)
    if match["goes"]:
        return f"{match['rest'].removeprefix(match['goes'])} {match['goes']} {match['place']}".strip()
    rest = _SEEN.sub("there is ", match["rest"])
    return f"{rest} {match['place']}"


def check_fronted(place: str, knowledge: CategoryKnowledge) -> None:
    """Raises UnreadError if words before a request are no known place: "on my signal, close the window"."""
    noun = re.split(r" (?:the|my|our|a|an) ", place)[-1].split()
    names = (knowledge.canonical(" ".join(noun[start:])) for start in range(len(noun)))
    if not any(map(knowledge.knows, names)):
        raise UnreadError(place)
