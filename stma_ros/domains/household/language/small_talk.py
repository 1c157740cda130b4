"""Removes sentences in which people tell of themselves: "I'm not supposed to be on my feet before Monday."

Such a sentence may negate, limit or name a time as a request does. It tells nothing about requests if each of its
clauses is one of those that people tell of themselves (told_events), if it names no thing of a household, and if
nothing after it depends on it.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import second_thoughts, told_events, verbs
from stma_ros.domains.household.language.frames import FRAME_WORDS
from stma_ros.domains.household.language.patterns import I_WANT
from stma_ros.domains.household.language.pleasantries import ADDRESSEE, is_pleasantry
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.memory.nouns import plural

_SETTING = re.compile(
    r"\bon the phone\b|\b(?:at|by) (?:the|my|our) (?:front )?door\b|\b(?:in|to|into|out of|at) (?:the |my |our )?(?:bed"
    r"|bath|shower|garden|office|desk|hall)\b(?! of\b)|\bat the table\b|\b(?:his|her|their|my|our) (?:homework)\b"
)
"""Where people are, and what it is time for, is told of them."""
_SPEAKS_OF_REQUEST = re.compile(
    r"\b(?:you|your|yours|it|them|they|these|those|one|ones|none|same|rest of|others|another|instead|elsewhere"
    r"|please|if|unless|whether|otherwise|except|or|wait|later|mind|done|where|which)\b"
)
"""The speaker may mean what is asked for."""
_IDIOM = re.compile(
    r"\bcan(?= not\b| (?:barely|hardly|scarcely|only)\b)|\bone of (?:those|these)\b"
    r"|\bwhat they (?:once )?(?:were|used to be)\b|(?:^|, |\b(?:and|but|so|because) )it (?=is|was|has been)"
    rf"|\btime for (?:my|our|his|her|their|the) [a-z]+|\b{told_events.NAME}\b"
)
"""Words of a request, or the name of a thing, that mean something else."""
_COMES_BEFORE = re.compile(rf"(?!{I_WANT}\b){told_events.SUBJECT} (?:[a-z'-]+ )+(?:(?<!at )first|beforehand)")
"""Tells what has to happen before the request: "the dog goes out first"."""
_REFERS = re.compile(r"\b(?:it|them|they|these|those|ones|one(?! of\b)|his|her|their|he|she|him)\b")
_REMEDY_FOR = re.compile(
    r"^(?:and |so |please |can you |could you |would you )*(?:help (?:me|us)$|(?:do|fix|change|see to|take care"
    r" of) (?:it|that|this|something)\b)"
)
_THERE = re.compile(r"\bthere(?: \.)?$")
_DUMMY_IT = re.compile(
    r"\bif it (?:is|was|would)\b|\b(?:these|those|here) are (?:your|my|the|our|what)\b|\b(?:would|could|might|will|is"
    r"|was) (?:not )?it (?:not )?(?:be|is|possible|too|all right|ok|okay|an?|please|suit|help|bother|trouble)\b"
    r"|\bit (?:would|will|might|could|is) (?:really |also |so |very )*(?:be|help|mean|make|time|please|suit|save"
    r"|important|good|best|nice|great|necessary)\b|\b(?:leave|leaving) it (?:up )?to you\b|\bappreciate it if\b"
)
_NOUN = re.compile(
    r"\b(?:the|my|our|his|her|their|an?|some|any) ([a-z'-]{3,}(?: (?!before\b|after\b|until\b|when\b)[a-z'-]{4,})?)"
)
_NOT_IN_HOUSEHOLD = frozenset(
    ("house", "home", "flat", "apartment", "place", "room", "back", "side", "food", "dinner")
)
_BEFORE_REQUEST = re.compile(
    r" ?,? (?:and )?so (?=(?:please|kindly|could|can|would|will|i (?:would like|need|want) you|i would be|you)\b)"
)


_BEGINNING = re.compile(
    rf"(?P<link>(?:and )?then ,? ?)|(?P<name>(?:my |dear |old )*{ADDRESSEE}) ?, ?|(?P<said>[^,]+?) ?, ?(?=\w)"
)


def without_small_talk(text: str, knowledge: CategoryKnowledge) -> str:
    """Returns a normalised text without sentences in which people only tell of themselves.

    Args:
        text: the text.
        knowledge: of categories.

    Raises:
        UnreadError: something has to happen before a request.
    """
    sentences = text.split(" . ")
    kept: list[str] = []
    for index, sentence in enumerate(sentences):
        link, told = _without_beginning(sentence)
        if _COMES_BEFORE.fullmatch(told.strip(" .")):
            raise UnreadError(told.strip(" ."))
        said, *request = _BEFORE_REQUEST.split(told, maxsplit=1)
        rest = [*request, *sentences[index + 1 :]]
        following = next((other for other in rest if other.strip(" .")), "")
        others = " . ".join((*kept, *rest))
        if not (
            _tells_of_people(said.strip(" ."), knowledge) and _is_apart(said, following, others, knowledge)
        ):
            kept.append(sentence)
        elif request:
            kept.append(link + request[0])
        elif link and rest:
            sentences[index + 1] = link + rest[0]
    return " . ".join(kept) or text


def _without_beginning(sentence: str) -> tuple[str, str]:
    """Returns what links a sentence to those before it, and the rest without greetings."""
    heading, colon, told = sentence.rpartition(" : ")
    link = heading + colon
    while (match := _BEGINNING.match(told)) and (
        match["link"] or match["name"] or is_pleasantry(match["said"])
    ):
        link += match["link"] or ""
        told = told[match.end() :]
    return link, told


def _tells_of_people(sentence: str, knowledge: CategoryKnowledge) -> bool:
    """Whether a sentence tells only of people, and of no thing that a request may be about."""
    said = _SETTING.sub("", _IDIOM.sub("", sentence))
    return (
        bool(told_events.TELLS.fullmatch(sentence))
        and not is_pleasantry(sentence)
        and not second_thoughts.are_in(sentence)
        and not _SPEAKS_OF_REQUEST.search(said)
        and not _names_thing(said, knowledge)
    )


def _is_of_household(word: str, knowledge: CategoryKnowledge) -> bool:
    is_thing = knowledge.is_known(knowledge.canonical(word))
    return word not in _NOT_IN_HOUSEHOLD and (is_thing or word in knowledge.colours)


def _is_apart(sentence: str, following: str, others: str, knowledge: CategoryKnowledge) -> bool:
    """Whether nothing else that is said depends on a sentence.

    Args:
        sentence: the sentence.
        following: the one after it.
        others: all that is said besides.
        knowledge: of categories.
    """
    following = _DUMMY_IT.sub("", following)
    reference = _REFERS.search(following)
    there = _THERE.search(following) if _SETTING.search(sentence) else None
    if (
        _REMEDY_FOR.search(following)
        or (reference and not _names_thing(following[: reference.start()], knowledge))
        or (there and not _names_place(following[: there.start()], knowledge))
    ):
        return False
    named = {word for noun in _NOUN.findall(sentence) for word in noun.split()} - _NOT_IN_HOUSEHOLD
    return not any(
        re.search(rf"\b(?:{re.escape(word)}|{re.escape(plural(word))})\b", others)
        for word in named - FRAME_WORDS - {*verbs.BASES}
    )


def _names_thing(text: str, knowledge: CategoryKnowledge) -> bool:
    return any(_is_of_household(word, knowledge) for word in re.findall(r"[a-z'-]+", text))


def _names_place(text: str, knowledge: CategoryKnowledge) -> bool:
    names = map(knowledge.canonical, re.findall(r"[a-z'-]+", text))
    return any(knowledge.is_receptacle(name) or knowledge.is_room(name) for name in names)
