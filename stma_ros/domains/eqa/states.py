"""Reads what "is X ..." says about X: a state, or a value of an attribute."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.domains import noun_words
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words

_STATES = {
    **dict.fromkeys(("open", "opened", "ajar"), words.STATE_OPEN),
    **dict.fromkeys(("closed", "shut", "close"), words.STATE_CLOSED),
    **dict.fromkeys(("on", "running", "lit", "burning", "powered"), words.STATE_ON),
    **dict.fromkeys(("off", "unlit"), words.STATE_OFF),
    **dict.fromkeys(("full", "filled"), words.STATE_FULL),
    "empty": words.STATE_EMPTY,
    "turned on": words.STATE_ON,
    "turned off": words.STATE_OFF,
    "switched on": words.STATE_ON,
    "switched off": words.STATE_OFF,
}
"""The vocabulary's word for each word of a state; other words stand for themselves."""

_OTHERS = (
    r"clean|dirty|messy|tidy|untidy|neat|cluttered|organi[sz]ed|clear|free|made|unmade|set(?: up)?|dry|wet|new|old|used"
    r"|broken|intact|drawn|up|down|locked|unlocked|vacant|available|busy|hot|cold|warm|bright|dark|visible|ready|safe"
    r"|tuck(?: in| under)?|placed out|pushed under|pulled under|plugged(?: in)?|hung|worn|torn|left open|loose|done"
    r"|lying down|upright|upside down|[\w-]{3,}ed(?: in| out| up| down)?"
)
_ADVERB = r"(?:been|currently|still|completely|fully|partially|partly|all|already|very|really|entirely|both|now|half)"
_STATE = rf"(?:(?:{_ADVERB} )*(?:{'|'.join(sorted(_STATES, key=len, reverse=True))}|{_OTHERS}))"
_DETERMINED = (
    r"(?:(?:all|any|both|some|each|every|one|most|none)(?: of)? )?"
    r"(?:(?:the|a|an|my|our|your|this|that|these|those|their|his|her|its) )?"
)
_PREDICATE = re.compile(
    rf"(?P<x>{_DETERMINED}\S+(?: \S+)*?) (?P<negation>not )?(?P<state>{_STATE})"
    rf"(?:,? (?:or|of|and) (?:(?:are|is|was) (?:they|it) )?(?P<other>not\b.*|{_STATE}|\w+))?"
    r"(?P<place> (?:in|on|at|from|under|near|by|with|against|inside|between|over|to|for|of|behind|around)\b .+)?"
)
_VALUE = re.compile(
    rf"(?P<x>{_DETERMINED}\S+(?: \S+)*?)(?<! the)(?<! a)(?<! an)(?<! my) (?P<value>[\w-]+)"
    r"(?:,? or (?:(?:is|are) (?:it|they) )?(?P<other>not|[\w-]+))?"
)
_SAME = re.compile(
    r"(?P<x>.+?) (?:of |in )?(?:the same|a similar|an identical) (?P<attribute>colour|size|shape|material)"
)
_COMPARED = re.compile(
    rf"(?P<x>{_DETERMINED}\S+(?: \S+)*?) (?P<value>(?!other\b|clos|near)\w+er|as \w+|more (?!than)\w+)"
    r" (?:than|as) (?P<other>.+)"
)
_MADE = re.compile(
    r"(?P<x>.+?) (?:made|built)(?: out)? (?:of|from|with) (?:real )?(?P<value>\w+)(?: or(?: of)? (?P<other>\w+))?"
)
_ADJECTIVE = re.compile(
    r"(?P<x>(?:the|my|our|your|this|that|these|those|all the|both) \w+(?: \w+)?) (?:too |very |quite )?(?P<state>\w+)"
)
_SHAPES = re.compile(
    r"round|square|rectangular|oval|circular|triangular|curved|straight|cylindrical|spherical|\w+-shaped?"
)
_SIZES = re.compile(r"tall|short|long|wide|narrow|thick|thin|high|low|spacious")


@dataclass(frozen=True)
class Predicate:
    """What a question says about a thing.

    Attributes:
        thing: the noun phrase of the thing, with its places.
        value: the state or the value, as `vocabulary` has it where it does.
        options: both values of "X or Y"; empty for others.
        attribute: whose value it is; empty for a state.
        negated: whether the value is asked in the negative.
    """

    thing: str
    value: str
    options: tuple[str, ...] = ()
    attribute: str = ""
    negated: bool = False


def read_state(text: str) -> Predicate | None:
    """Returns the state that a text without its auxiliary ends with: "the door open or closed"; None without one."""
    match = _PREDICATE.fullmatch(text)
    if match is None:
        return None
    state, other = canonical_state(match["state"]), match["other"] or ""
    options = (state, canonical_state(other)) if other and not other.startswith("not") else ()
    thing = match["x"] + (match["place"] or "")
    return Predicate(thing, state, options, negated=match["negation"] is not None)


def read_value(text: str, knowledge: CategoryKnowledge) -> Predicate | None:
    """Returns the attribute value that a text without its auxiliary ends with: "the sofa red or blue"; else None."""
    same = _SAME.fullmatch(text)
    if same is not None:
        return Predicate(same["x"], "same", attribute=same["attribute"])
    compared = _COMPARED.fullmatch(text)
    if compared is not None:
        attribute = value_attribute(re.sub(r"(?:i?er)$", "", compared["value"]), knowledge) or "size"
        return Predicate(
            f"{compared['x']} relative to {compared['other']}", compared["value"], attribute=attribute
        )
    made = _MADE.fullmatch(text)
    if made is not None:
        options = (made["value"], made["other"]) if made["other"] else ()
        return Predicate(made["x"], made["value"], options, "material")
    match = _VALUE.fullmatch(text)
    if match is None:
        return None
    attribute = value_attribute(match["value"], knowledge)
    if not attribute:
        return None
    other = match["other"] or ""
    options = (match["value"], other) if other and other != "not" else ()
    thing = match["x"].removesuffix(" not")
    return Predicate(thing, match["value"], options, attribute, negated=thing != match["x"])


def read_adjective(text: str, knowledge: CategoryKnowledge) -> Predicate | None:
    """Returns the last word as a state if it is no noun: "the rug symmetrical"; else None."""
    match = _ADJECTIVE.fullmatch(text)
    if match is None or knowledge.knows(match["state"]) or match["state"].endswith(("ly", "s")):
        return None
    return Predicate(match["x"], match["state"])


def canonical_state(text: str) -> str:
    """Returns the vocabulary's word for a state, without adverbs."""
    state = re.sub(rf"^(?:{_ADVERB} )+", "", text.strip())
    return _STATES.get(state, state)


def value_attribute(word: str, knowledge: CategoryKnowledge) -> str:
    """Returns the attribute of which a word is a value: "colour", "material", "shape" or "size"; empty for others."""
    if knowledge.colour(word):
        return "colour"
    if word in noun_words.MATERIALS:
        return "material"
    if _SHAPES.fullmatch(word):
        return "shape"
    return "size" if word in noun_words.SIZES or _SIZES.fullmatch(word) else ""
