"""Refuses texts whose ignored remarks may be requests that are not read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stma_ros.domains import noun_words
from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language.patterns import OTHER_PEOPLE
from stma_ros.domains.household.language.request import Request
from stma_ros.domains.household.language.requests import RequestReader
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SOMEBODY_THERE = re.compile(
    r"\b(?:i|we|he|she|they|some(?:one|body)|(?:my|our) \w+) (?:am|are|is|was|were|(?:have|has) been|sit|sits|sat"
    r"|stands?|stood"
    r"|lies?"
    r"|lay|sleeps?|slept|works?|worked)"
    r"(?: (?:still|just|now|already|busy|stuck|sitting|standing|lying|sleeping|working|tied up|stretched out"
    r"|curled up"
    r"|off|heading|going|about|on my way|ready|trying|due|to (?:jump|hop|get|step|climb|go|dash|pop|nip|run|sit|lie"
    r"|fall"
    r"|soak|collapse)|down|up|out|back|over|asleep))*"
    r" (?:on|in|into|onto|to|at|by|near|behind|under|beside) the [\w-]+"
)
"""Where somebody is asks for nothing: "I am on the phone"."""

_LOOKS = (
    r"(?:soft|comfortable|comfy|cosy|cozy|beautiful|pretty|lovely|nice|great|ugly|cute|expensive|cheap|old|new"
    r"|modern|handy|useful"
    r"|practical|heavy|elegant|stylish|perfect|wonderful|fantastic|good|bargain|present|gift|souvenir)"
)
_STORY = re.compile(
    rf"(?:i|we|he|she|they|{OTHER_PEOPLE}) (?:(?:once|just|really|also|never|always) )*(?:bought|painted|built"
    rf"|dreamt|dreamed|read|heard"
    r"|inherited|won|ate|drank|cooked|baked|watched|paid|had)\b.*"
    r"|(?:the|my|our|that|this) .+ (?:came from|was (?:bought|made|given|built)|cost|never worked|used to)\b.*"
    r"|(?:the|my|our|that|this) .+ (?:is|are|was|were|looks?|feels?) (?:(?:so|very|really|quite|rather|pretty"
    rf"|such an?|too|not|an?) )*{_LOOKS}"
    r"|(?:the|my|our|that|this) .+ (?:is|are) (?:(?:only|just|about|over|almost|already) )?\w+ (?:years?|months?"
    r"|weeks?) old"
    r"|(?:i|we) (?:really )?(?:love|like) (?:how|the way) .+"
)
"""What is told of a thing that no request is about, and asks for nothing: "the vase came from my grandmother"."""
_WORD_BEFORE = re.compile(r"(?<![\w'-])(?=([\w'-]+) ([\w-]+))")
_FUNCTION_WORD = re.compile(
    r"the|an?|my|our|your|his|her|their|that|this|these|those|some|any|all|both|each|every|no|one|two|three|four"
    r"|five|six"
    r"|of|for|with|without|on|in|into|at|to|from|by|near|and|or|&|is|are|was|were|be|have|has|had|need|needs|want"
    r"|wants|about"
    r"|like|as|than|more|another|other|own|which|whose|what|room"
)
_CERTAIN_THING = re.compile(r"\bthe ((?:[\w-]+ )?[\w-]+)")


def check(reader: RequestReader, remarks: Sequence[str], requests: Sequence[Request]) -> None:
    """Raises UnreadError for a remark on a certain thing that no request is about."""
    named = _named(requests)
    for remark in remarks:
        if _STORY.fullmatch(remark):
            continue
        for noun in _CERTAIN_THING.findall(_SOMEBODY_THERE.sub("", remark)):
            parts = noun.split()
            found = [reader.knowledge.canonical(name) for name in (noun, parts[0], parts[-1])]
            if any(map(reader.is_handled, found)) and not named & set(found):
                raise UnreadError(remark)


def check_limits(reader: RequestReader, remarks: Sequence[str], requests: Sequence[Request]) -> None:
    """Raises UnreadError for a remark that tells more of a thing than the requests for it: "I am done with the dirty
    towel, put the towel away"."""
    named = _named(requests)
    for remark in remarks:
        for word, noun in _WORD_BEFORE.findall(remark):
            known = (
                word in named
                or noun == "room"
                or _says_no_more(word, reader.knowledge)
                or reader.knowledge.canonical(f"{word} {noun}") == reader.knowledge.canonical(noun)
            )
            if reader.knowledge.canonical(noun) in named and not known:
                raise UnreadError(remark)


def _named(requests: Sequence[Request]) -> set[str]:
    named = {name for request in requests for name in _names(request.goal)}
    return named | {"glasses"} if "glass" in named else named  # to drink from, rather than spectacles


def _says_no_more(word: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a word before a noun is no adjective, or one that is read."""
    return (
        bool(_FUNCTION_WORD.fullmatch(word))
        or word in noun_words.SIZES
        or word in knowledge.colours
        or word == "room's"
        or (word.endswith("'s") and knowledge.is_room(word.removesuffix("'s")))
        or knowledge.is_known(knowledge.canonical(word))
    )


def _names(goal: Goal) -> Iterator[str]:
    """Yields the categories of a goal, with those of its places and the words in them."""
    for thing in (goal.what, goal.destination if isinstance(goal, PlaceGoal) else None):
        while thing is not None:
            yield thing.category
            yield from thing.category.split()
            thing = thing.place
