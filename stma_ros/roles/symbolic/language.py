"""Reads the English of a task: a small grammar for "find X" in the ways people say it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stma_ros.memory.semantic import SemanticMemory, semantic_memory
from stma_ros.types.errors import TaskNotUnderstoodError

_MAX_WORDS = 5  # of a thing's name; longer ones are sentences that were misread

_POLITE_START = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|well|please|kindly|robot|now|then|just|quickly)\s+"
    r"|(?:can|could|would|will) (?:you|we) (?:please |kindly |maybe |possibly |help me |help me to |try to )*"
    r"|i (?:want|need|would like|wish) you to |i'd like you to |your task is to |try to "
    r"|(?:help|assist) me (?:to )?|go(?: and| to)? (?=find|look|search|locate|see)|do you (?:know|remember) "
    r"|(?:please )?tell me |let me know |i wonder |i am wondering |i'm wondering |any idea |check )"
)
_POLITE_END = re.compile(
    r"\s+(?:please|for me|for us|thanks|thank you|cheers|now|right now|quickly|again|then|today|somewhere"
    r"|anywhere|around|here|in here|around here|located|kept|hiding|at the moment|if there is one"
    r"|(?:if|when) you (?:can|could|please)"
    r"|(?:in|around|inside|throughout) (?:the|this|my|our) (?:house|flat|apartment|home|place|rooms))$"
)

_REQUESTS = tuple(
    re.compile(f"^(?:{pattern})$")
    for pattern in (
        r"(?:find out|see|figure out) where (?P<x>.+?) (?:is|are)",
        r"(?:find|locate|spot|detect|discover|seek|track down|hunt for|look out for) (?:me )?(?P<x>.+)",
        r"(?:search|look|looking|searching|have a look|take a look|go looking)(?: around)? for (?P<x>.+)",
        r"show me where (?P<x>.+?) (?:is|are)",
        r"where (?P<x>.+?) (?:is|are|has gone|have gone|went|could be|might be)",
        r"where(?: is|'s| are|'re|s) (?P<x>.+)",
        r"where (?:can|could|do|might|would|will) (?:i|we|you|one) (?:find|see|get|keep|have) (?P<x>.+)",
        r"where (?:did|have|has) (?:i|we|you|he|she|they) (?:put|leave|left|lose|lost|placed?) (?P<x>.+)",
        r"where (?:could|might|can) (?P<x>.+?) be",
        r"(?:in|on) (?:which|what) (?:room|place) (?:is|are) (?P<x>.+)",
        r"(?:which|what) room (?:is|are) (?P<x>.+?) in",
        r"(?:have you|did you|can you|do you) (?:seen|see|find) (?P<x>.+)",
        r"(?:i|we) (?:can't|cannot|can not|cant|couldn't|could not) (?:find|see|locate) (?P<x>.+)",
        r"(?:i|we)(?:'ve| have)? (?:lost|misplaced|mislaid) (?P<x>.+)",
        r"(?:i|we)(?:'m| am|'re| are) (?:looking|searching) for (?P<x>.+)",
        r"(?:i|we) (?:need|want|would like)(?: you)? to (?:find|locate|know where) (?P<x>.+?)(?: is| are)?",
        r"is there (?P<x>(?:a|an|any|some) .+)",
        r"(?P<x>.+?) (?:is|are) (?:missing|lost|gone)",
    )
)

_DETERMINER = re.compile(
    r"^(?:one of )?(?:the|a|an|my|our|your|his|her|their|its|some|any|this|that|these|those|one)\s+"
)
_PLACE = re.compile(
    r"\s+(?:(?:that|which) (?:is|are|should be|must be|was|were) |probably |maybe |perhaps )*"
    r"(?:in front of|on top of|next to|close to|inside|within|under|behind|beside|near|from|in|on|at|by)\s+"
)
_RELATIVE = re.compile(r"\s+(?:that|which|who|where|with|i|we|you|because|since|so|as)\s+.*$")
_SEVERAL = re.compile(
    r"\b(?:and|or|all|every|each|both|how many|two|three|four|five|six|several|then|if)\b|,|;"
)
_PLAIN_ADJECTIVES = re.compile(
    "big|large|small|little|tiny|old|new|missing|lost|nice|favou?rite|other|same|dark|light|bright|pale|clean"
    "|dirty|empty|colou?red"
)
_NO_NOUN = re.compile(
    "any|it|that|this|them|they|something|anything|everything|someone|you|me|him|her|things|stuff|(.* )?of"
)


@dataclass(frozen=True)
class Goal:
    """One thing to be found. Colours (basic words) must match; `place`, a kind of room or furniture, is only
    where it is thought to be; empty = nothing was said."""

    category: str
    colours: tuple[str, ...] = ()
    place: str = ""

    def __str__(self) -> str:
        return " ".join((*self.colours, self.category))


def parse_goal(text: str) -> Goal:
    """What the task asks for. Raises TaskNotUnderstoodError, with examples of what is understood."""
    goal = _parse(text, semantic_memory())
    if goal is None:
        raise TaskNotUnderstoodError(
            f"The task {_shown(text)} is not understood. The agent can look for one thing at a time, for "
            "example 'find the red mug', 'where is the remote?', 'look for a book in the bedroom'."
        )
    return goal


def _parse(text: str, knowledge: SemanticMemory) -> Goal | None:
    sentence = _normalised(text)
    for pattern in _REQUESTS:
        match = pattern.match(sentence)
        if match:
            return _goal(match["x"], knowledge)
    return None


def _normalised(text: str) -> str:
    """Lower case, one space between words, without closing punctuation and courtesies."""
    words = re.sub(r"[\u2018\u2019`]", "'", text.lower().replace("_", " "))
    words = re.sub(r"[\"\u201c\u201d?!.:]+|(?<![a-z0-9])'|'(?![a-z0-9])", " ", words)
    words = re.sub(
        r"\s*,\s*(?=please|thanks|thank you|robot)|^((?:hey |hi |hello |ok |okay )?\w+)\s*,", r"\1 ", words
    )
    words = " ".join(words.split()).strip(", ")
    before = None
    while before != words:
        before = words
        words = _POLITE_START.sub("", _POLITE_END.sub("", words))
    return words


def _goal(phrase: str, knowledge: SemanticMemory) -> Goal | None:
    if _SEVERAL.search(phrase):
        return None
    thing, *places = _PLACE.split(phrase)
    words = _noun_words(thing)
    # A colour is an adjective unless it ends the phrase: an orange is a fruit.
    colours = tuple(dict.fromkeys(filter(None, map(knowledge.colour, words[:-1]))))
    kept = [w for w in words[:-1] if not knowledge.colour(w) and not _PLAIN_ADJECTIVES.fullmatch(w)]
    name = " ".join(kept + words[-1:])
    if not name or len(kept) >= _MAX_WORDS or _NO_NOUN.fullmatch(name):
        return None
    place = " ".join(_noun_words(places[0])) if places else ""
    return Goal(knowledge.canonical(name), colours, knowledge.canonical(place) if place else "")


def _noun_words(phrase: str) -> list[str]:
    phrase = _RELATIVE.sub("", " " + phrase).strip()
    before = None
    while before != phrase:
        before = phrase
        phrase = _DETERMINER.sub("", _POLITE_END.sub("", phrase + " ").strip() + " ").strip()
    words = re.sub(r"[^\w' -]", " ", phrase).split()
    return [word.removesuffix("-coloured").removesuffix("-colored") for word in words]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
