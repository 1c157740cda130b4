"""Reads what people say of how things wrongly are: "the oven is still on", "who left the fridge open?".

Such a statement is the reason for the request after it. A text that requests nothing else asks for the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import (
    BASE,
    GERUND,
    I_WANT,
    MODAL,
    PARTICIPLE,
    PREPOSITION,
    STATE,
    STATES,
    undesired_to_imperative,
)
from stma_ros.domains.household.language.substitutions import applied, compiled

_THING = (
    r"(?P<x>(?:the|my|our|all|both|every|that|those|these|his|her)"
    r" (?:[^.,;:?]|, (?=(?:and )?(?:the|my|our) ))+?(?<! that)(?<! which)(?<! is)(?<! are)|it|they)"
)
_END = r"(?=\s*(?:[.,;:]|and\b|$))"
_PLACE = rf"{PREPOSITION} (?:the|my|our|an?|its|one of the) [^.,;:?]+?"
_START = r"(?:^|(?<=[.,;:] )|(?<=and )|(?<=so ))(?:(?:oh|but|hey|look|well),? )?"

_BUT = r",? (?:but|yet|although|though|even though)(?: really| actually| in fact)?"
_WHEN = r"(?:when|whereas|while)(?: really| actually| in fact)?"
_IS_SO = (
    rf"(?:{_THING}|some(?:one|body)|i|we|you|he|she|there) (?:is|are|was|were|got|has|have|left|leaves?|forgot|keeps?"
    r"|stands?|sits?|lies?|hangs?|ended up)\b"
)
_IT_SHOULD = (
    rf"(?:(?:it|they|that|this|those|these|its (?:\w+ )?(?:place|home|spot)|their (?:\w+ )?(?:place|home|spot)s?)"
    rf" (?:really |actually )?(?:{MODAL}|belongs?|goes|go|lives?|is (?:in|on))"
    rf"|{I_WANT} (?:it|them) (?:{STATE}|{PREPOSITION}|to be|to go|put|moved|taken|there))\b"
)
_THEN_CHANGE = (
    r"\s*[.,]\s*(?=(?:please |then |so |well )*(?:(?:could|can|would|will) you (?:please )?)?"
    rf"(?:{BASE} (?:\w+ )?(?:it|them)\b|(?:it|they) (?:{MODAL}|belongs?|goes|go)\b))"
)
"""After a question about a thing, what is to be done with it; a question alone is refused (refusals)."""
_PAST_OF = {"leaves": "left", "puts": "put", "forgets": "forgot"}

_PLAIN: Sequence[tuple[str, str | Callable[[re.Match[str]], str]]] = (
    # "somebody left the fridge open so it can defrost"
    (r"\bleft (?=[^.;]*? (?:open|on|off|running),? (?:so|because|since|for) )", "keeps "),
    # "what about the pan on the stove? it should be in the sink"
    (
        rf"{_START}(?:what about|how about|as for|regarding|concerning) (?=(?:the|my|our|all|both|every|each|an?"
        r"|one|any|two|three|those"
        rf"|these) [^.,;:]+[.,;: ]+(?:it"
        rf"|they|can|could|please|put|take|i|where|is|are|have) )",
        "",
    ),
    # "somebody has gone and left the fridge open"
    (
        r"\b(?:(?:has|have|is) (?:gone|been)|went) and (?=(?:left|put|forgot|dumped|moved|hidden|hid|turned"
        r"|switched)\b)",
        "",
    ),
    # "why is the oven still on"
    (
        rf"{_START}(?:why|how come) (?P<is>is|are) {_THING} (?:still|again|always) (?P<how>on|off|open"
        rf"|running){_END}",
        r"somebody left \g<x> \g<how>",
    ),
    # "has the lamp been left on? turn it off", "why is not the lamp on? turn it on"
    (
        rf"{_START}(?:(?:has|have) {_THING} been (?:left )?|did (?:any(?:one|body)|some(?:one|body)|i|we|you|he"
        rf"|she|they) leave"
        rf" {_THING.replace('<x>', '<y>')} )(?P<how>on|off|open|running){_THEN_CHANGE}",
        lambda m: f"somebody left {m['x'] or m['y']} {m['how']} . ",
    ),
    (
        rf"{_START}(?:why|how come) (?:is|are) (?:not {_THING}|{_THING.replace('<x>', '<y>')} not)"
        rf" (?P<how>{STATE}|{_PLACE}){_THEN_CHANGE}",
        lambda m: f"{m['x'] or m['y']} should be {m['how']} . ",
    ),
    # "why is the fridge open", "how come the fridge is open"
    (
        rf"{_START}(?:why|how come) (?P<is>is|are|was|were) {_THING} (?P<how>(?:(?:still|always|again)"
        rf" )?(?:{STATE}|{PREPOSITION} [^.;]+)){_END}",
        r"\g<x> \g<is> \g<how>",
    ),
    (rf"{_START}(?:how come|why is it that) (?={_THING} (?:is|are)\b)", ""),
    # "what is the mug doing on the table"
    (rf"{_START}what (?P<is>is|are) {_THING} doing (?P<how>{PREPOSITION} |still )", r"\g<x> \g<is> \g<how>"),
    # "who left the fridge open"
    (
        rf"{_START}who (?:has |is (?=left|put|turned|switched|closed|opened|shut|moved)|on earth |the hell"
        r" )*(?P<did>left|leaves|puts?|placed|dropped|forgot|forgets"
        rf"|turned|switched|closed"
        r"|opened|shut|moved) ",
        lambda m: f"somebody {_PAST_OF.get(m['did'], m['did'])} ",
    ),
    # "you will find a mug on the table"
    (
        rf"{_START}you (?:will|should|can|might|may)(?: also| probably)? (?:find|see|notice|spot)"
        r" (?=(?:a|an|the|my|our|some|all|both|two|three) )",
        "there is ",
    ),
    # "did anyone close the fridge? if not, do it"
    (
        rf"{_START}(?:did|can|could|will) (?:any(?:one|body)|some(?:one|body)|you|we|i|he|she) (?:remember to"
        rf" )?(?P<do>{BASE} [^.;]+?)\s*[.;,]\s*(?:and )?if not,?"
        r" (?:then )?(?:please )?(?:do (?:it|so|that)|could you|can you|would you)(?: please| now| for"
        r" me)*(?=\s*(?:[.;]|$))",
        r"\g<do>",
    ),
    # "the mug is on the table but it should be in the sink"
    (rf"{_BUT} (?={_IT_SHOULD})", " . "),
    # "the lamp is off when i want it on", but not "turn on the lamp when i want it on"
    (rf"(?P<now>{_START}{_IS_SO}[^.,;:]*?),? {_WHEN} (?={_IT_SHOULD})", r"\g<now> . "),
    # "the jug is full and should be empty", "the shirt is on the bed and belongs in the wardrobe"
    (
        r"(?P<now>\b(?P<is>(?:is|are)(?: still| all| both)?|(?:was|were|got|has been|have been) left"
        rf"|ended up) (?:{STATE}|{PREPOSITION} (?:the|my"
        rf"|our) [^.,;]+?)),? (?:and|but|yet)"
        rf" (?=(?:really |actually )?(?:(?:should|must|ought to|needs? to|ha(?:s|ve) to|can|could) (?:be|go)\b"
        rf"|(?:belongs?|goes|go) |(?:needs?|wants?) (?:to be |{GERUND}|{PARTICIPLE})))",
        lambda m: f"{m['now']} . {'they' if m['is'].startswith(('are', 'were', 'have')) else 'it'} ",
    ),
    # "the oven being open, please close it"
    (rf"{_START}{_THING} being (?P<how>{STATE}|{_PLACE}) ?, (?=\w)", r"\g<x> is \g<how> . "),
    # "does the lamp have to be on? turn it off", "is there still something in the jug? empty it"
    (
        rf"{_START}(?:does|do|must|should|need) {_THING} (?:really |always |still )*(?:(?:have|need) to |really "
        r"|still )?(?:be|stay)"
        rf" (?P<how>(?:switched |turned |left )?(?:{STATE}|{_PLACE})){_THEN_CHANGE}",
        lambda m: f"{m['x']} {'are' if m[0].startswith('do ') else 'is'} {m['how']} . ",
    ),
    (
        r"(?P<start>^|(?<=[.,;:] ))is there (?:still )?(?:something|anything|(?:any |some )?(?:water|liquid))(?:"
        r" left| still)* in(?:side)?"
        rf" {_THING}{_THEN_CHANGE}",
        r"\g<start>there is something in \g<x> . ",
    ),
    (r"\bstill (?P<is>is|are) not\b", r"\g<is> still not"),
    # "is the stove still on? turn it off"
    (
        rf"{_START}(?P<is>is|are) {_THING} (?P<how>(?:(?:still|already|again|really|now) )*(?:{STATE}"
        rf"|{_PLACE})){_THEN_CHANGE}",
        r"\g<x> \g<is> \g<how> . ",
    ),
)
_COMPILED = compiled(_PLAIN)

_SOMEBODY = (
    r"(?:i|we|you|he|she|they|some(?:one|body)|the \w+|my \w+)"
    r"(?: (?:must|may|might|have|has|had|seem to|think i|went and|accidentally))*"
)
_LEFT = (
    rf"{_SOMEBODY} (?:left|leave) {_THING}(?: (?:running|standing|switched|turned|wide))?"
    r" (?P<rest>open|on|running|off)(?: again| overnight)?"
)
_STILL = (
    rf"{_THING}(?<! that)(?<! which) (?:(?:is|are)(?: (?:both|all))?(?: again|(?= \w+ again$))|(?:has"
    rf"|have) been left|(?:was|were"
    rf"|got) left)(?: (?:standing|switched|turned|wide))?"
    r" (?P<rest>open|closed|shut|on|off|running)(?: again)?"
)
_FORGOTTEN = re.compile(
    rf"(?:i|we|you|he|she|they|some(?:one|body)|every(?:one|body))(?: (?:must have|may have|have|has|had"
    rf"|completely|totally|always|clearly))* (?:forgot|forgotten|forget|forgets)"
    rf" to (?P<do>{BASE} .+)"
    rf"|(?:nobody|no one|no-one)(?: has| have)? (?P<done>{PARTICIPLE}) (?P<object>.+?) yet"
)
_TOO_LONG = (
    rf"{_THING} (?:has|have) been (?:standing |left |sitting |switched |turned )?(?P<rest>open|on|running|off)"
    r" (?:for )?(?:far |much )?(?:long enough|too long)"
)
_COMPLAINTS = (re.compile(_LEFT), re.compile(_STILL), re.compile(_TOO_LONG))
_YET = re.compile(
    rf"{_THING}(?<! that)(?<! which) (?:(?:is|are) still not|(?:is|are) not)(?: (?:switched|turned))?"
    rf" (?P<rest>{STATE})(?P<yet> yet)?"
)
_EXISTENCE = re.compile(r"(?:there|i|we|it|they|he|she|you)\b")


_STILL_ON = re.compile(
    rf"{_THING}(?<! that)(?<! which) (?:is|are)(?: (?:both|all|still))+(?: (?:standing|switched|turned|wide))?"
    rf" (?P<rest>open|on|running)"
)
_NOBODY = re.compile(r"(?:nobody|no one|no-one)(?: at all)? (?:is|needs|wants|uses|lives|has|was)\b.*")


def plain_statements(text: str) -> str:
    """Returns a normalised text whose questions and contrasts about the present are plain statements."""
    return applied(_COMPILED, text)


def remedy(statement: str, following: str = "") -> str:
    """Returns the imperative that ends the wrong state in a statement; empty for other statements.

    That something is still on is as it should be, unless nobody needs it.

    Args:
        statement: a clause.
        following: the next clause.
    """
    still = _STILL_ON.fullmatch(statement)
    if still and _NOBODY.fullmatch(following):
        return undesired_to_imperative(still) or ""
    forgotten = _FORGOTTEN.fullmatch(statement)
    if forgotten:
        return forgotten["do"] or f"{verbs.PARTICIPLES[forgotten['done']]} {forgotten['object']}"
    for pattern in _COMPLAINTS:
        match = pattern.fullmatch(statement)
        if match and not _EXISTENCE.match(match["x"]):
            return undesired_to_imperative(match) or ""
    match = _YET.fullmatch(statement)
    if match and not _EXISTENCE.match(match["x"]) and (match["yet"] or " still not" in match[0]):
        return f"{STATES[match['rest']]} {match['x']}"
    return ""
