"""Reads clauses that depend on another one: reasons are left out, relative clauses and times become plain clauses.

The result is text again: "the mug, which is on the desk" becomes "the mug . it is on the desk", and "once you have
closed the window" after a request becomes "after closing the window".
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import time_clauses
from stma_ros.domains.household.language.attitudes import ADVERB, CONTENT
from stma_ros.domains.household.language.patterns import ACTION, BASE, GERUND, MODAL, PREPOSITION, STATE
from stma_ros.domains.household.language.pleasantries import is_pleasantry
from stma_ros.domains.household.language.unread import UnreadError

_PURPOSE = re.compile(
    r"(?:(?<=^)|(?<=[.:] )|(?P<greeting>^[^.,;:]+ ?, ))"
    r"(?:in order |so as )?to (?!(?:the|my|our|a|an|one|any|all|both|each|every|some|two|three|four|that|this"
    r"|these|those|me|us|it"
    r"|them|begin|start|do|be|have|which"
    r"|what)\b)\w+ [^,.;:]+, "
)
_FOR_AIR = re.compile(
    r" (?:to (?:let|get)|for) (?:in )?(?:some |the |a bit of )?(?:\w+ )?(?:air|light|breeze|sunlight)(?: in"
    r"| out)?\b"
)
_TIME = rf" (?:after|before) {GERUND} (?:(?:up|out|on|off) )?(?:it|them)\b"
_REASON = re.compile(
    r"[\s,]*\b(?:because|(?<!mind )(?<!of )(?<!by )(?<!done )(?<!about )(?<!you )(?<!your )(?<!and )(?<!with"
    r" )(?<!after )(?<!before )(?<!finished )(?<!is )(?<!appreciate )(?<!for )(?<!to )seeing (?:that|as(?:"
    r" how)?)|given that|considering that|since"
    r"|(?<!soon )(?<!long )(?<!far )(?<!much )as (?=(?:i|we|it|they|he|she)\b|(?:the|my|our) (?:\w+ )?\w+ (?:is"
    r"|are|has|have|will|was|were)\b)"
    r"|(?<!make it )so that(?! (?!is\b)(?:[\w-]+ ){1,2}(?:should|must|had (?:better|best)|needs?|ought)\b)"
    r"|so (?=the (?:kids?|children|toddlers?|baby|babies|cats?|dogs?|puppy|kitten|pets?|guests?|visitors"
    r"|neighbou?rs?|flies|bugs|wasps|mosquitoes|insects|birds|heat|warmth|cold|draught|draft|smell|steam|smoke"
    r"|noise|rain|wind|sun|air) (?:can|could|will|would|do|does|is|are|stays?|gets?|goes|comes?)\b)|so (?=(?:i|we"
    r"|it(?! can be (?:switched|turned|closed|opened|shut|put))|he|she|they|nobody|my"
    r"|our)\b(?! (?:should|must|needs?|belongs?|goes)\b))|in order to|in case"
    r"|before (?=(?:it|i|we|they|she|he|my|our|someone|anyone)\b|the \w+(?: \w+)? (?:arrives?|comes?|gets?"
    r"|returns?|starts?|begins?"
    rf"|wakes?|goes|leaves?)\b))\b(?:(?! (?:and|then|&) (?:then )?(?:{BASE} |then |please |{ACTION})|{_TIME})[^,;.:])*"
)
_CONSEQUENCE = re.compile(
    rf" ?,? so (?=(?:i|we)(?: {ADVERB})* (?:(?:would|will)(?: {ADVERB})* )?(?:(?:need|want|like|love|prefer"
    rf"|appreciate|fancy)"
    rf"(?! not\b)|(?:be|am|are) {CONTENT})\b)"
    r"| ?,? (?:hence|therefore|thus|consequently|which is why|that is why|for that reason"
    r"|which means(?: that)?) (?=\w)|(?: ?,)? so (?=(?:please|kindly) )"
    r"| ?,? so (?=(?:the|all|both|an?|some|every|two|three|four|five) (?:(?! (?:can|could|will|is|are|may|might"
    r"|do|does) )"
    rf"[^.,;])*? (?:(?:in|on|into|onto|to|next to) (?:the|my|our)\b|{MODAL}|{STATE}(?=\s*[.,;]|$)))"
    rf"| ?,? so (?!you (?:can|could|may|might|will be able) )(?=(?:i|we|it|you|would|could|can|will|maybe|perhaps"
    rf"|there|what|your|how|why|any)\b)(?=(?:(?!(?:see|watch|hear|let|know|remember"
    rf"|not)\b)[\w']+ )*?you (?:(?!not\b)[\w']+ )*?(?:{ACTION}|{GERUND} ))"
)
"""Before a request that has the clause before it as its reason, rather than a purpose: "I am cooking, so I need"."""
_FRONTED = re.compile(r"(?:^|[.;:,]|\b(?:and|so|then|also))\s*$")
_REQUEST_IN_REASON = re.compile(
    r"(?<! to)(?<! i)(?<! we)(?<! you)(?<! they)(?<! not)(?<! can)(?<! could)(?<! will)(?<! would)(?<! must)"
    r"(?<! should)(?<! might)(?<! may)(?<! do)(?<! and) "
    rf"(?=(?:please |could you |can you |would you )*(?:{BASE}) (?:(?:up|out|off|on|down|away) )?"
    r"(?:the|a|an|my|our|it|them|all|every|me|us|both)\b)"
)
_MAY_BE_SUBJECT = re.compile(r"(?:\w+s|always|often|never|usually|sometimes|people|children|who|that|which)$")

_IS = r"(?:is|are|should be|must be|might be|may be|ought to be|needs? to be|has to be|have to be|could be)"
_RELATIVE_AT_END = re.compile(
    rf"(?P<noun>[\w'-]+) ?, (?:and )?(?:which|that) (?P<is>(?:i (?:think|believe|guess) )?{_IS}"
    r"|belongs?|goes|go|can be found|you (?:will|can|should) find)"
    r" (?P<rest>[^.,;:]+?)(?=\s*(?:[.;:]|$|, (?:and |then |and then |please )?(?:then )?(?:please )?"
    rf"(?:{BASE}|could|can|would|i|the|my)\b))"
)
_RELATIVE_IN_MIDDLE = re.compile(
    rf" ?, which (?P<is>is|are) (?P<rest>(?:still |lying |standing )?{PREPOSITION} [^.,;:]+?) ?,(?= )"
)
_WHERE_IT_BELONGS = re.compile(
    r"(?<=\w) ?, (?:which is )?where (?:it|they) (?:really |actually |properly |truly |always )*(?:belongs?|goes"
    r"|go|lives?"
    r"|(?:should|must|ought to|needs? to|(?:is|are) (?:supposed|meant) to) (?:be|go|live|stand))(?=\s*(?:[.;]|$))"
)
"""Says only that the place before it is the right one."""
_ALL_OF_THEM = re.compile(
    r"\b(?P<x>(?:the|my|our|those|these) (?:[\w'-]+ )?[\w'-]+s) ?, (?:all(?: (?:two|three|four|five|six|\d))?"
    r"|both|each"
    r"|every (?:single )?one)(?: of (?:them|those|these))? ?,(?= )"
)
_LIKELY_PLACE = re.compile(
    r"(?P<start>^|[.;] )(?P<x>(?:the|my|our) (?:[\w'-]+ )?[\w'-]+) ?,? please ?[.,;:] (?P<it>it|they) (?:ought"
    r" to|should|must)"
    rf" (?:still )?(?P<be>be) (?={PREPOSITION} )"
)
"""A thing that is asked for alone, and where it may be found: "my laptop, please. it ought to be on the bed"."""
_WHICH_TO = re.compile(
    r" ?, (?:which|that) (?:i|we) (?:would (?:like|love|prefer|want)|want|need|ask|wish|beg|am asking|expect)"
    rf" you to (?P<do>{BASE})"
    r" (?=(?:\w+ )?(?:to|in|on|into|onto|inside|next to|away|back|over)\b)"
)
"""What is to be done with a thing that was named as being there: "..., which I would like you to put on it"."""
_BACKGROUND = re.compile(
    r"(?:(?<=^)|(?<=[.;] ))(?:while|whilst) (?:i|we|he|she|they|(?:the|my|our) \w+) (?:am|are|is|have|has|go|goes"
    rf"|take|takes) (?!(?:[^.,;:]* )?{STATE} ?,)[^.,;:]+ ?, "
)
"""What somebody does in the meantime: "while I am in the shower, ...", but not "while the window is open, ..."."""
_PARENTHETICAL = re.compile(
    r" ?, (?:on the other hand|by the way|however|of course|for (?:that matter|instance|example)|if possible"
    r"|ideally"
    r"|obviously|in fact|though|by contrast|naturally|incidentally|as it happens|meanwhile|in turn|i think"
    r"|i believe"
    r"|i suppose|likewise) ?,(?= )"
)
_CERTAIN = re.compile(r"(?:is|are|belongs?|goes|go|can be found|you)\b")
_PLACE = re.compile(rf" {PREPOSITION} (?:the|my|our|a|an) (?:[\w'-]+ )?$")
_ASKS = re.compile(rf"\b(?:{BASE}|needs?|wants?|like|love|where)\b")


def with_plain_clauses(text: str) -> str:
    """Returns a normalised text with relative clauses and times as clauses of their own, and without reasons.

    Raises:
        UnreadError: a reason may contain a request, or a time that may be that of the request.
    """
    for match in _REASON.finditer(text):
        time = re.match(_TIME, text[match.end() :])
        if time and not re.search(r"\b(?:but|only|not)$", match[0]):  # "because it is warm after opening it"
            raise UnreadError(time[0].strip(), "may belong to the reason before it")
    text = _ALL_OF_THEM.sub(r"all \g<x> ", text)
    text = _WHERE_IT_BELONGS.sub("", text)
    text = _LIKELY_PLACE.sub(r"\g<start>bring \g<x> . \g<it> should \g<be> ", text)
    text = _WHICH_TO.sub(r" . please \g<do> the same ", text)
    text = _BACKGROUND.sub("", _PARENTHETICAL.sub(" ", text))
    text = _RELATIVE_IN_MIDDLE.sub(lambda m: f" that {m['is']} {m['rest']}", text)
    text = _RELATIVE_AT_END.sub(_to_sentence, text)
    text = _CONSEQUENCE.sub(" . ", text)
    text = time_clauses.with_gerunds(text)
    return without_reasons(_PURPOSE.sub(_after_greeting, _FOR_AIR.sub("", text)))


def _after_greeting(match: re.Match[str]) -> str:
    """Returns what a purpose leaves of its match: the greeting before it; all of it if there is no greeting."""
    greeting = match["greeting"] or ""
    return greeting if is_pleasantry(greeting.strip(" ,")) or not greeting else match[0]


def without_reasons(text: str) -> str:
    """Returns a normalised text without clauses that say why something is wanted.

    Raises:
        UnreadError: it is not clear where a reason before a request ends.
    """
    kept: list[str] = []
    end = 0
    for match in _REASON.finditer(text):
        kept.append(text[end : match.start()])
        end = match.end()
        lead = match[0][: len(match[0]) - len(match[0].lstrip(" ,"))]
        is_fronted = _FRONTED.search(text[: match.start()] + lead)
        if not is_fronted or text[end:].lstrip().startswith(","):
            continue
        request = _REQUEST_IN_REASON.search(match[0])
        if request is None:
            continue
        if _MAY_BE_SUBJECT.search(match[0][: request.start()]):
            raise UnreadError(match[0].strip(" ,"))
        end = match.start() + request.start()  # "since I am cold bring me a blanket"
        kept.append(" ")
    return "".join((*kept, text[end:]))


def _to_sentence(match: re.Match[str]) -> str:
    """Returns "bring the mug . it is on the desk" for "bring the mug , which is on the desk".

    Of a thing without a request, it is not clear whether it is or is to be there.
    """
    noun, verb = match["noun"], match["is"]
    sentence = re.split(r"[.;:]", match.string[: match.start()])[-1]
    if not _CERTAIN.match(verb) and not _ASKS.search(sentence):
        return match[0]
    if verb in ("is", "are") and re.match(rf"{PREPOSITION} ", match["rest"]) and _PLACE.search(sentence):
        return f"{noun} {match['rest']}"  # "in the sink , which is in the kitchen"
    plural = verb.split()[0] in ("are", "go", "belong", "need", "have") or (
        noun.endswith("s")
        and not noun.endswith("ss")
        and verb.split()[0] not in ("is", "goes", "belongs", "has", "needs")
    )
    if verb.startswith(("can be found", "you ")):
        verb = "are" if plural else "is"
    return f"{noun} . {'they' if plural else 'it'} {re.sub('^i (?:think|believe|guess) ', '', verb)} {match['rest']}"
