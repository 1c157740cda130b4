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
    r"^(?:(?:one|any|some) of )?(?:the|a|an|my|our|your|his|her|their|its|some|any|this|that|these|those|one)\s+"
)
_PLACE = re.compile(
    r"\s+(?:(?:that|which) (?:is|are|should be|must be|was|were) |probably |maybe |perhaps )*"
    r"(?:in front of|on top of|next to|close to|inside|within|under|behind|beside|near|from|in|on|at|by)\s+"
)
_REASON = re.compile(r"\s+(?:because|since|so|as)\s+.*$")
# Who left it somewhere, or wants it, does not say what it looks like.
_STORY = re.compile(
    r"\s+(?:(?:that|which|where) )?(?:i|we|you|he|she|they|(?:my|our|your) \w+)(?:'(?:ve|m|re|d|s))? .*$"
)
_IS = re.compile(r"\s+(?:that|which|who)(?: is|'s| are|'re) (?P<what>\w+(?:-colou?red)?)$")

# Each of these would change what is sought, and is not read: better no search than one for something else.
_NEGATION = re.compile(
    r"\b(?:not|\w+n't|non|no|nor|neither|none|never|nothing|without|except|excluding|but|besides|apart"
    r"|instead|rather|unless|unlike)\b"
)
_UNREAD = re.compile(
    # several things, numbers
    r"\b(?:and|or|all|every|each|both|how many|several|many|few|couple|dozens?|two|three|four|five|six|seven"
    r"|eight|nine|ten|eleven|twelve|then|if)\b|\b(?!1\b)\d+\b|[,;&/]"
    # one among several
    r"|\b(?:than|other|another|same|different|more|most|less|least|first(?! aid)|second|third|last|next|middle"
    r"|upper|lower|(?:left|right)(?!-)|(?:bigg|larg|small|tall|short|old|new|high|near|furth|farth|dark|bright)er"
    r"|(?:bigg|larg|small|tall|short|long|old|new|high|low|near|clos|furth|farth|dark|bright|light)est)\b"
    # descriptions
    r"|\b(?:with|whose|has|have|having|made of|to|for|like|between)\b"
)
_PLAIN_ADJECTIVES = re.compile(
    "1|big|large|small|little|tiny|old|new|missing|lost|mine|ours|nice|favou?rite|dark|light|bright|pale|clean"
    "|dirty|empty|colou?red"
)
_NO_NOUN = re.compile(
    r"\b(?:(?:any|some|every)(?:thing|one|body)|ones?|things?|objects?|items?|stuff|it|that|this|these|those"
    r"|which|them|they|you|me|him|us|my|our|your"
    r"|his|her|their|any|some|is|are|was|were)\b|^of\b|\b(?:of|mine)$"
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
            f"The task {_shown(text)} is not understood. The agent can look for one thing at a time, named by its "
            "kind, its colour and where it may be; it does not read numbers, comparisons or what a thing is not. "
            "For example 'find the red mug', 'where is the remote?', 'look for a book in the bedroom'."
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
    phrase = _REASON.sub("", phrase)
    thing, *places = _PLACE.split(phrase)
    thing, story = _without_story(thing)
    unread = _NEGATION.search(phrase) or _UNREAD.search(" ".join((thing, *places)))
    if unread or any(map(knowledge.colour, story.split())):
        return None
    words, place = _noun_words(_adjective_first(thing)), _noun_words(places[0]) if places else []
    if places and knowledge.colour(places[0]):  # "the mug in red"
        words, place = [*place, *words], []
    if not words or not (_is_noun(words, knowledge) and (not place or _is_noun(place, knowledge))):
        return None
    # A colour is an adjective unless it ends the phrase: an orange is a fruit.
    colours = tuple(dict.fromkeys(filter(None, map(knowledge.colour, words[:-1]))))
    kept = [w for w in words[:-1] if not knowledge.colour(w) and not _PLAIN_ADJECTIVES.fullmatch(w)]
    if len(kept) >= _MAX_WORDS:
        return None
    return Goal(
        knowledge.canonical(" ".join((*kept, words[-1]))),
        colours,
        knowledge.canonical(" ".join(place)) if place else "",
    )


def _is_noun(words: list[str], knowledge: SemanticMemory) -> bool:
    """Whether the words name a thing or place: neither "anything red" nor "the red"."""
    only_a_colour = knowledge.colour(words[-1]) and not knowledge.is_known(words[-1])
    return not only_a_colour and not _NO_NOUN.search(" ".join(words))


def _without_story(thing: str) -> tuple[str, str]:
    """A phrase up to who left it there, and that."""
    match = _STORY.search(thing)
    return (thing[: match.start()], match[0]) if match else (thing, "")


def _adjective_first(thing: str) -> str:
    """ "the mug that is red" -> "red mug"."""
    match = _IS.search(thing)
    return f"{match['what']} {_DETERMINER.sub('', thing[: match.start()].strip())}" if match else thing


def _noun_words(phrase: str) -> list[str]:
    before = None
    while before != phrase:
        before = phrase
        phrase = _DETERMINER.sub("", _POLITE_END.sub("", phrase + " ").strip() + " ").strip()
    words = re.sub(r"[^\w' -]", " ", phrase).split()
    return [word.removesuffix("-coloured").removesuffix("-colored") for word in words]


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:77] + "...")
