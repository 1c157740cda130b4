"""Refuses sentences that name an action without asking for it now.

The words of the action are those of a request, but the sentence asks what would be right ("is it necessary to ..."),
whether it has been done, that it is remembered or said, imagines it, puts it into another time, or makes it depend on
something that the text does not tell.
"""

from __future__ import annotations

import re
from typing import Final

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import (
    BASE,
    GERUND,
    MODAL,
    OBJECT_START,
    OTHER_PEOPLE,
    PARTICIPLE,
    PREPOSITION,
    STATE,
)
from stma_ros.domains.household.language.unread import UnreadError

_SENTENCE = r"(?:(?<=^)|(?<=[.;:] ))"
_START = (
    r"(?:(?<=^)|(?<=[.,:;] )|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=\bplease )|(?<=\bcan you )|(?<=\bwill you )"
    r"|(?<=\bcould you ))"
)
_NAMED = r"(?:the|my|our|all|both|every|each|this|that|these|those|it|they)"
_SOMEBODY = r"(?:i|we|you|he|she|they|any(?:one|body)|some(?:one|body))"
_QUESTION = (
    "is a question that I cannot answer",
    "Say what is wanted; I can answer where a thing is.",
)
_SPEECH = ("asks for words, which I cannot keep or say", "Say only what I am to do now.")
_UNREAL = ("tells of something that is not so", "Say what is wanted.")
_LATER = ("is a time at which I cannot act", "Ask for it when it is wanted.")
_CONDITION = ("is a condition that I cannot check before I act", "Say what is wanted in any case.")

_EVENT = (
    rf"(?![^.;:]*\b(?:please|you|want|need|like|it|them|{MODAL}|to be|{STATE} at|{BASE} {OBJECT_START})\b)"
    r"(?:(?:the|my|our|his|her|their|an?|this) (?:[\w'-]+ ){1,4}?|(?:i|we|he|she|they|there|everyone|everybody) )"
    r"(?:am|is|are|was|were|have|has|had|starts?|begins?|ends?|leaves?|arrives?|comes?|gets?|departs?|finish|finishes"
    r"|takes place|takes off|lands)\b"
)
"""Tells of an event at a time, rather than what is to be done then: "the party starts at noon"."""
_KINDS: Final = tuple(
    (re.compile(pattern), fault, remedy)
    for pattern, (fault, remedy) in (
        # questions of what is right
        (
            r"\b(?:is|was) it (?:really |still |even )*(?:ok|okay|all right|alright|fine|safe|allowed|time)"
            r"(?: for me| for you)? (?:to|if)\b(?! (?:i )?(?:ask|trouble|request|bother)\b)",
            _QUESTION,
        ),
        (
            r"\b(?:is|was|would|will|might) it (?:really |still |even |be |not )*(?:a |an )?(?:necessary|important"
            r"|essential|vital|wise|wiser|sensible|advisable|right|proper|appropriate|better|best|smart|smarter|safer"
            r"|required|good idea|bad idea|dangerous|harmful|wrong)(?: for me| for you)? (?:to|if|that|for)\b",
            _QUESTION,
        ),
        (rf"{_SENTENCE}(?:and )?(?:should|will) {_NAMED}\b[^.,;:]*", _QUESTION),
        (
            rf"{_SENTENCE}(?:would|might|may|could) {_NAMED} [^.,;:]*? be (?:in|on|under|behind|near)\b[^.,;:]*",
            _QUESTION,
        ),
        (
            rf"{_SENTENCE}can (?!{_NAMED}\b|{_SOMEBODY}\b|please\b|an?\b|one\b)[\w-]+ (?:go|be)\b[^.,;:]*",
            _QUESTION,
        ),
        (r"\bwould you say\b[^.,;:]*", _QUESTION),
        (
            rf"\b(?:tell (?:me|us)|know|say|check) (?:if|whether) {_SOMEBODY} (?:(?:have|has|already) )*"
            rf"(?!(?:seen|saw|found)\b)(?:{PARTICIPLE}|{'|'.join(verbs.PASTS)}) {_NAMED}\b[^.,;:]*",
            _QUESTION,
        ),
        (
            rf"\b(?:where|how|when|which|why)(?: \w+)? (?:should|shall|do|can|could|may|must|would)"
            rf" (?:i|we|one) (?!find\b|keep\b|get\b|see\b|(?:look|search|hunt)(?: for)?\b){BASE}\b",
            _QUESTION,
        ),
        (r"[.,] (?:is it|are they) \.", _QUESTION),
        (r"\bwhether (?:or not )?to\b[^.,;]*", _QUESTION),
        (
            r"\bwhy(?: on earth)? (?:would|should|will|can|could|must) (?!not\b)"
            r"(?!\w+ (?:leave|have|keep|put) [^.,;]*[.,;] (?:\w+ ){1,4}(?:it|them)\b)[^.,;]*",
            _QUESTION,
        ),
        (r"\bwhat (?:would|will|could|might) happen\b|\bwhat happens\b", _QUESTION),
        (
            rf"{_START}did {_SOMEBODY} (?:remember|manage|try|forget|bother|get (?:a)?round) to"
            r" (?!see\b|find\b)[^.,;]*",
            _QUESTION,
        ),
        (
            rf"{_START}(?:have|has|had) {_SOMEBODY} (?:(?:ever|already|just|really|yet) )*"
            rf"(?!(?:seen|spotted|found|noticed|located|left|hidden|hid|got)\b){PARTICIPLE} (?!.* \. if"
            r" not\b)[^.,;]*",
            _QUESTION,
        ),
        # words to be kept or said
        (
            rf"{_START}(?:(?:remind|warn|notify|alert) (?:me|us)\b(?! (?:of )?(?:where|in which|what room))"
            r"|make a (?:mental )?note\b|take note\b|note down\b|write (?:it |this |that )?down\b|jot\b|repeat\b"
            r"|ask (?:me|us) (?:again )?(?:before|first|whether|if|when)\b)",
            _SPEECH,
        ),
        # of other kinds of texts than requests: "example: ...", "the opposite: ..."
        (
            rf"{_SENTENCE}[^.,;:]*\b(?:opposite|contrary|reverse|examples?|jokes?|titles?|quotes?|lyrics"
            r"|passwords?|disregard|ignore|avoid(?:ed)?|forbidden|prohibited"
            r"|done (?:so far|today|already)|(?:so far|already) done)\b[^.,;:]*:",
            ("is no beginning of a request", "Say only what I am to do now."),
        ),
        (
            rf"{_SENTENCE}(?:(?:to do|tasks?|list|plan) )?(?:for |by |on |from )?(?:tomorrow|yesterday"
            r"|next (?!(?:on|up|job|task|thing|item|step|point|request|order)\b)\w+|(?:mon|tues|wednes|thurs|fri"
            r"|satur|sun)day)(?:'s)?(?: \w+){0,2} ?:",
            _LATER,
        ),
        # what others are to do, or have done
        (
            rf"{_SENTENCE}(?:it is )?(?:my|our) (?:\w+ )?(?:turn|job|task|mission|duty|chore|errand"
            rf"|intention|habit)(?: \w+)? (?:(?:(?:is|was|will be) )?to (?:\w+ ){{0,2}}?{BASE}\b|(?:is|was"
            rf"|will be) {GERUND}\b)",
            ("tells what you do yourself", "Say what I am to do."),
        ),
        (
            rf"\bso (?:i|we|he|she|they|{OTHER_PEOPLE}) (?:(?:already|then|just|have|has) )*(?:did|done"
            rf"|took care of|saw to"
            r"|finished) (?:it|that|this|so|everything)\b",
            ("tells what has been done", "Say what I am to do."),
        ),
        (
            rf"{_SENTENCE}you have (?:already |just )*(?!left\b){PARTICIPLE}"
            r" (?:the|my|our|all|both|it|them|a|an)\b",
            ("tells what I have done", "Say what I am to do."),
        ),
        (
            rf"{_SENTENCE}{GERUND} (?:the|my|our|all|both|an?)(?: (?!(?:that|which|where|what|it|they|and|is"
            rf"|are)\b)[\w'-]+)+?"
            r" (?:was|were)\b(?! to be\b)",
            ("tells what has been", "Say what I am to do."),
        ),
        # "the last thing I want": what is least wanted, or comes last
        (
            r"(?:^|\bthe )(?:very )?last thing (?:that )?(?:i|we|you|anyone|anybody) (?:\w+ )?"
            r"(?:wants?|needs?|should|would (?:want|like))\b(?! you to do\b)"
            r"|^the (?:very )?last thing (?:i|we) want you to do\b",
            ("may mean what is not wanted at all", "Say what is wanted, or 'at the end, ...'."),
        ),
        (
            r"\bused to (?:keep|stand|live|lie|hang|put|store|be (?:in|on|at))\b"
            r"|[.,] (?:but )?(?:i|we) (?:do|would) not \.|[.,] or (?:maybe |perhaps |rather )?not \.",
            ("tells what is not so, or not wanted", "Say only what is wanted."),
        ),
        (r"\b(?:other than|besides|except) you\b", ("is not what I am to do", "Say what I am to do.")),
        # what is imagined, or would have been wished
        (
            rf"{_START}(?:(?:suppose|imagine|assume|pretend)(?: that)? (?!you {BASE} ){_SOMEBODY}"
            r"|let us (?:say|suppose|assume|pretend|imagine)\b)",
            _UNREAL,
        ),
        (r"\b(?:would|could|might) have (?:been (?:[\w-]+ ){1,3}(?:if|to)|liked|loved|preferred)\b", _UNREAL),
        # other times
        (
            rf"{_START}(?:(?:the )?next time|from now on|in (?:the )?future|(?:every|each|any) time"
            r"|(?:some other|another) (?:time|day))\b|^later\b",
            _LATER,
        ),
        (rf"(?:^|[.;:] )(?!{_EVENT})[^.;:]*?\bat (?:night|noon|midnight|dawn|dusk|sunset|sunrise)\b", _LATER),
        # conditions on something that the text does not tell, or that only shows in acting
        (r"^(?:and |so |well,? )*(?:if (?:not|so)\b|otherwise\b|in that case\b)", _CONDITION),
        (
            r"\bif you (?:can|could|do|did) not (?:find|see|reach|get|have|manage|open|close|locate|spot)\b[^.,;:]*",
            _CONDITION,
        ),
        # "all lamps should not be off": none, or not all
        (
            rf"{_START}(?:all|every|each) [^.,;:]*? (?:should|must|shall|may|can|need|ought) not\b",
            ("may mean none of them, or not all", "Say 'no' or 'some'."),
        ),
        # "last, ...; first, ..."
        (
            r"^(?:and )?(?:last|lastly|finally|at last|second|secondly|third|thirdly)\b(?! but\b)"
            r"(?=[^.;]*[.;,] (?:first|firstly)\b(?! aid))",
            ("is told before what comes first", "Say it in the order in which it is to be done."),
        ),
    )
)
_VERBLESS = re.compile(
    r"(?!(?:who|what|want|care|fancy|ready|keen|willing|able|free)\b)(?:(?:the|my|our) )?"
    rf"(?!(?:{BASE}|{'|'.join(verbs.GERUNDS)}|and|with|let)\b)(?:[a-z-]+ )??"
    rf"(?!(?:is|are|was|were|stay|stays)\b)[a-z-]+ (?:{STATE}|{PREPOSITION} (?:(?:the|my|our) )?[a-z-]+)"
    r"(?: ?\?| again| still)"
)


def check(text: str) -> None:
    """Raises UnreadError for a normalised text that names an action without asking for it now."""
    for pattern, fault, remedy in _KINDS:
        match = pattern.search(text)
        if match:
            raise UnreadError(match[0].strip(" ,"), fault, remedy)


def check_verbless(text: str) -> None:
    """Raises UnreadError if a sentence without a verb asks or complains: "window closed?", "fridge open again".

    Args:
        text: as people wrote it, since a normalised text has no question marks.
    """
    for sentence in re.findall(r"[^.!?;:,]+\??", text.lower()):
        match = _VERBLESS.fullmatch(sentence.strip())
        if match:
            raise UnreadError(sentence.strip(), *_QUESTION)
