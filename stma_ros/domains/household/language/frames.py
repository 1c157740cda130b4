"""Finds what the robot is to do behind any beginning that only says that somebody wants it.

English has no end of such beginnings: "you would do me a great favour by ...", "might I trouble you to ...", "what I
have in mind for you is to ...". Instead of listing them, a beginning is passed over if all its words are of such
beginnings (`frame_words.txt`), nothing in it negates or limits, and its last words make the robot the one who acts.
"""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Final

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import ACTION, OBJECT_START

FRAME_WORDS: Final = frozenset(
    files(__package__).joinpath("frame_words.txt").read_text(encoding="utf-8").split()
)
"""Words that say who wants something, how much, and how politely, but not what."""

_POLITE_NEGATION = re.compile(
    r"\b(?:(?:why|would|could|can|will|do|might) (?:you|it|that) not\b(?! (?:that|want))|why not\b|(?:would|could"
    r"|can|will) not"
    r" (?:you|it)\b|do not (?:forget|hesitate)\b|not (?:mind|be too much|too much)\b)"
)
_START = re.compile(
    rf"(?<!\S)(?:(?P<do>{ACTION}(?!with\b|by\b))|(?P<doing>{'|'.join(verbs.GERUNDS)}) (?={OBJECT_START}\b|sure\b)"
    rf"|(?P<coming>coming) (?=back with\b)"
    rf"|(?P<did>{'|'.join(verbs.PASTS)}) (?={OBJECT_START}\b|sure\b))"
)
_ADVERB = (
    r"(?:please|kindly|maybe|perhaps|possibly|also|just|now|then|first|next|quickly|simply|really|actually|again"
    r"|so|still|all|both"
    r"|very)"
)
_ABLE = (
    r"(?:could|can|would|will|might|may|should|must|shall|ought|need|have|had|got|better|rather|to|be|able|are"
    r"|were|going|supposed"
    r"|try|manage|happen|get|want|like|love|go|come|ahead|around|start|begin|willing|kind|good|nice|enough|as|do"
    r"|help|me|us|and|&)"
)
_ROBOT = r"(?:you|someone|somebody|anyone|anybody|we)"
_IS_ASKED = re.compile(
    rf"\b{_ROBOT} (?:{_ADVERB} )*(?=(?:could|can|would|will|might|may|should|must|shall|ought|need"
    rf"|have (?:got )?to|had better|are (?:going|supposed"
    rf"|able) |were (?:to|able)|to|try|manage|happen|be|go) )(?:(?:{_ABLE}|{_ADVERB}) )+$"
    r"|\b(?:suggest|propose|recommend|request|ask|insist|beg|require|expect|prefer|rather|sooner|appreciate"
    r"|important|necessary|essential"
    r"|vital|crucial|better|best|advisable|possible|good|great|nice|lovely|wonderful|happy|glad|grateful|pleased"
    r"|time|wish|have|get|it)"
    rf"(?: it)?(?: that| if| when)? {_ROBOT} (?:{_ADVERB} )*$"
    rf"|^(?:{_ADVERB} )*you (?:please |kindly )$"
)
_TO = re.compile(rf"\bto (?:{_ADVERB} )*$")
_FOR_SPEAKER = re.compile(
    rf"\b(?:me|us) to (?:{_ADVERB} )*$|\b(?:please|delight|thrill) (?:me|us)\b(?:(?! you\b).)* to (?:{_ADVERB} )*$"
)
_AND = re.compile(rf"(?:\band|&) (?:{_ADVERB} )*$")
_IS = re.compile(r"\b(?:is|would be|was) $")
_OF_THING = re.compile(rf"\b(?:it|they|that|this|these|those) (?:is|are|was|were) to (?:{_ADVERB} )*$")
_OBJECT = re.compile(
    r"(?:(?:up|off|on|out|down|away|back) )?(?:the|a|an|my|our|all|both|every|it|them|me|us|sure|certain|that)\b"
)
_BEFORE_GERUND = re.compile(
    r"\b(?:of|by|with|to|for|about|mind|at|in|on|is|be|suggest|propose|recommend|consider|try|start|begin|finish"
    r"|continue|appreciate|you|your"
    r"|like|fancy|and|&|help) $"
)
_UNREAL = re.compile(r"\b(?:would|wish|time|could|might|rather)\b.*\byou (?:\w+ly |just |kindly |please )*$")
_ASKS = re.compile(r"(?:what|why|how|who) (?:is|are|was|were|does|did)\b")
_DOES_SOMETHING = re.compile(
    r"\b(?:take|get|give|make|turn|start|finish|move|order|have|had|want|need|like|bring|do|try|help)\b(?: \w+)?"
    r" (?:it|them|this|that|these|those|one|everything|something|anything|all)\b|\b(?:on|off|out|up|over|in|at|by"
    r"|there|here)$|^(?:if|whether)\b"
    r"|\b(?:other|another|different|last|next|only|first|second)\b"
    r"(?! (?:note|things?|subject|hand|matter|favou?r|request|job|task|time|step)\b)|\b(?:ones?|more|most|less"
    r"|even)$"
)
_POLITE_CONDITION = re.compile(
    r"(?<!\S)(?:if|when|whenever|as soon as|while|since|as long as|now that|provided) (?:you (?!(?:want|like|need"
    r"|wish) (?:it|them)\b)"
    r"|it (?:suits|is (?:all right|alright|ok|okay|fine|possible|convenient|no|not (?:too|an?|any|asking"
    r"|inconvenient)))\b"
    r"|there is (?:time|nothing)\b|nothing )"
)
_STATE_AT_END = re.compile(r"\b(?:on|off|out|in|at|there|here)$")
_OF_CONDITIONS = frozenset(
    ["not", "no", "nothing", "suits", "comes", "inconvenient", "hassle", "problem", "imposition"]
)
_PAST = re.compile(r"\b(?:was|were|had|did)\b")
_HELPED = re.compile(r"\b(?:help|helping|let|letting|show|showing|see|assist) you\b")
_PERSON = re.compile(r"\b(?:i|we|you|someone|somebody|anyone|anybody|your)\b")
_ADVISES = re.compile(
    r"\b(?:i|we) (?:would |could |might |can |do |really |just |also )*"
    r"(?:suggest|propose|recommend|appreciate|advise) $"
)


def requested(words: str) -> str:
    """Returns the request in a clause as an imperative: "close it" for "I was hoping that you might close it".

    The clause is returned as it is if its beginning says more than that somebody wants something.
    """
    best = ""
    for match in _START.finditer(words):
        before = words[: match.start()]
        said = before.split()
        if not all(word in FRAME_WORDS or word == "not" for word in said):
            break
        if "not" in _POLITE_NEGATION.sub("", before).split():
            break
        if before and _makes_robot_act(before, match):
            best = _imperative(match) + words[match.end() :]
    return best or words


def is_conversation(words: str) -> bool:
    """Whether a clause names nothing and says of nothing what is to be done with it: "come to think of it"."""
    return all(word in FRAME_WORDS for word in words.split()) and not _DOES_SOMETHING.search(words)


def without_condition(words: str) -> str:
    """Returns a clause without a polite condition: "if you feel like it", "as soon as you are able to"."""
    for match in _POLITE_CONDITION.finditer(words):
        said = words[match.end() :]
        if all(
            word in FRAME_WORDS or word in _OF_CONDITIONS for word in said.split()
        ) and not _STATE_AT_END.search(said):
            return words[: match.start()].rstrip(" ,")
    return words


def _imperative(match: re.Match[str]) -> str:
    if match["do"]:
        return match["do"]
    form = match["doing"] or match["did"]
    base = "come" if match["coming"] else verbs.GERUNDS.get(form) or verbs.PASTS[form]
    return f"{base} "


def _makes_robot_act(before: str, match: re.Match[str]) -> bool:
    """Whether the words before a verb make the robot do what it says, rather than the speaker."""
    people = _PERSON.findall(before)
    if _ASKS.match(before) or _HELPED.search(before) or (_PAST.search(before) and not people):
        return False
    is_addressed = not people or people[-1] not in ("i", "we")
    if match["doing"] or match["coming"]:
        return bool(_BEFORE_GERUND.search(before)) and (is_addressed or bool(_ADVISES.search(before)))
    if before == "you " and match["do"]:
        verb = match["do"].split()[0]
        return verb not in (*verbs.SAME_IN_THE_PAST, "run") and bool(
            _OBJECT.match(match.string[match.end() :])
        )
    if match["did"]:
        if _UNREAL.search(before):
            return True
        if match["did"] not in verbs.BASES:
            return False
    is_asked = bool(_IS_ASKED.search(before))
    if is_asked or match.string.startswith("have ", match.start()):
        return is_asked  # "it would be nice to have the mug" is about the speaker
    if _TO.search(before):
        return is_addressed and not _FOR_SPEAKER.search(before) and not _OF_THING.search(before)
    is_active = _is_active(match)
    return is_addressed and (bool(_AND.search(before)) or (is_active and bool(_IS.search(before))))


def _is_active(match: re.Match[str]) -> bool:
    """Whether an object follows a verb, so that it is no participle: "put" in "what i want is put" is one."""
    return bool(_OBJECT.match(match.string[match.end() :]))
