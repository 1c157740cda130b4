"""Reads errands as plain requests: what is done on the way.

"Pop over and hand me the mug" asks for the mug, "head to the kitchen with the mug and leave it there" to bring it
there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.attitudes import CONTENT, GOOD
from stma_ros.domains.household.language.fetching import GO, OVER
from stma_ros.domains.household.language.patterns import (
    AT,
    BASE,
    END,
    GERUND,
    I_WANT,
    MODAL,
    PLACE_START,
    PREPOSITION,
    SHORT_THING,
    START,
    THING,
)
from stma_ros.domains.household.language.substitutions import Substitution, compiled, verb_like
from stma_ros.domains.household.language.unread import UnreadError

_TRIP = rf"(?:{GO}|mak(?:e|ing) (?:a|the) (?:\w+ )?(?:trip|journey|run))"
_TO = r"(?P<to>(?:in)?to (?:the|my|our|that|this|an?|(?:any |just )?one of (?:the|those|these|my|our)) [^.,;:&]+?)"
_IT = r"(?:it|them)"
_CHANGE = (
    r"(?:open(?:ing)?|clos(?:e|ing)|shut(?:ting)?|turn(?:ing)?|switch(?:ing)?|power(?:ing)?|flick(?:ing)?"
    r"|flip(?:ping)?"
    r"|click(?:ing)?|start(?:ing)?|stop(?:ping)?|fill(?:ing)?|empty(?:ing)?)"
)
_TAKE = r"(?:tak(?:e|ing)|bring(?:ing)?|carry(?:ing)?)"
_LEAVE_IT_THERE = r"(?:,? and (?:leav|dropp?|putt?|set)(?:e|ing)? (?:it|them) (?:off |down )?there)?"
_NAMED = (
    r"(?:(?:the|my|our|a|an|all|both|every|each|one|two|three) (?:[^.,;:]|, (?=(?:and )?(?:the|my|our|an?) ))+?|it"
    r"|them)"
)
_TAP = r"(?:the|a) (?:\w+ )?(?:tap|faucet)"
_BY = r"(?: (?:out of (?:the|my|our) way|off my hands|away|out))* by "


def _doing(match: re.Match[str]) -> str:
    """Returns what a match does "by" means of something else."""
    return f"{verb_like(match, verbs.GERUNDS[match['doing']])} {match['on']}{match['x']}"


def _taken_there(match: re.Match[str]) -> str:
    """Returns the taking of a thing from the place to which somebody is to go for it."""
    is_same_form = match[0].split()[0].endswith("ing") == match["do"].split()[0].endswith("ing")
    return f"{match['do']}{match['x']} from {match['from']}" if is_same_form else match[0]


_RULES: Sequence[Substitution] = (
    # "pop over and hand me the mug", but not "get the dishwasher running, and hand me the mug"
    (
        rf"\b(?:(?!running,? and\b)|(?<=\bmind )|(?<=\byou )){GO}{OVER},? and"
        rf" (?=(?:please )?(?:{BASE}|{GERUND}|see|check|find|look|tell) )",
        "",
    ),
    # "take the mug with you to the kitchen and leave it there"
    (
        rf"\b(?P<take>{_TAKE} {THING}) (?:with you|along)(?: with you)?(?P<to> (?:in)?to {PLACE_START} (?:(?!"
        r" and )[^.,;:])+?)"
        rf"{_LEAVE_IT_THERE}{END}",
        r"\g<take>\g<to>",
    ),
    # "go in search of the mug"
    (
        rf"\b{GO}{OVER} (?:in (?:search|quest|pursuit) of|on (?:a|the) (?:\w+ )?(?:search|hunt|lookout) for"
        r"|looking for|searching for|hunting for) (?=(?:the|my|our|an?|all|both|any|one|two|three|his|her|it"
        r"|them)\b)",
        lambda m: f"{verb_like(m, 'look')} for ",
    ),
    # "head to the kitchen with the mug and leave it there"
    (
        rf"\b{_TRIP}(?: (?:over|back|off|along))* {_TO} ?,?(?: please ?,?)? (?:with {THING}|(?:and|to|\. (?:and )?)"
        rf"(?: ?please)? ?{_TAKE} (?P<y>{_NAMED}(?<! back))"
        r" (?:with you|along)"
        rf"|(?:and|to) drop(?:ping)? off (?P<z>{_NAMED})){_LEAVE_IT_THERE}{END}",
        lambda m: f"{verb_like(m, 'take')} {m['x'] or m['y'] or m['z']} {m['to']}",
    ),
    (
        rf"{START}(?:i|we) (?:am|are) (?:just )?(?:on (?:my|our) way|heading|going|off|walking) {_TO}, (?:so"
        r" )?(?P<ask>(?:please"
        rf" |could you |can you |would you )+)(?:bring|take|carry) {THING} (?:there|along|over){END}",
        r"\g<ask>take \g<x> \g<to>",
    ),
    (
        rf"\b(?:walk(?:ing)?|run(?:n?ing)?|wheel(?:ing)?|roll(?:ing)?|driv(?:e|ing)) {THING} (?:(?:over|across"
        r"|up|down|back|along) )+"
        rf"{_TO}{END}",
        lambda m: f"{verb_like(m, 'take')} {m['x']} {m['to']}",
    ),
    # "the mug has to get to the shelf, and i would be glad if you carried it"
    (
        rf"(?P<wish>{START}(?:{SHORT_THING} (?:belongs?|goes?|{MODAL} (?:be|get|go|come|move|end up|live|stand))"
        rf"|{I_WANT}"
        rf" {SHORT_THING.replace('<x>', '<y>')}) (?:back |over |up |down )?{PREPOSITION} {PLACE_START}"
        r" [^.,;:]+?)(?: ?[.,;]|,? (?:and|so))(?: (?:and|so|please|kindly|then|perhaps|maybe|you could|(?:could"
        r"|can|would|will)"
        rf" you(?: please)?|(?:i|we) would be (?:\w+ )?{CONTENT} if you(?: could| would)?|it would be (?:\w+"
        rf" )?{GOOD} if"
        r" you(?: could| would)?))* (?:mov|carr|shift|transfer|transport|convey)(?:e|y|ed|ied)? (?:it|them)(?:"
        r" over)?"
        rf"(?: there)?{END}",
        r"\g<wish>",
    ),
    # "go to the desk, pick up the mug and ..."
    (
        rf"\b{GO}(?: (?:over|up|across|back))* (?:in)?to (?P<from>(?:the|my|our) (?:(?! (?:and|then|anyway)"
        r" )[^.,;:&])+?)"
        r"(?:,| and|, and) (?P<do>(?:(?:pick|take|get|grab|fetch|collect|remove)(?: up)? |(?:picking up|taking"
        r"|getting"
        rf"|grabbing|fetching|collecting|removing) ))"
        rf"{SHORT_THING}(?: from there)?(?=,| and\b|{END})",
        _taken_there,
    ),
    # "get the mug you will find on the desk"
    (
        rf"(?P<x>(?<!^)(?<![.;,] )\b(?:the|my|our) (?:[\w'-]+ ){{1,3}}?)(?:that |which )?you (?:will|can|should"
        r"|might|may) (?:find|see"
        rf"|spot|notice) (?={AT} )",
        r"\g<x>that is ",
    ),
    # "walk over to the lamp and turn it on"
    (
        rf"\b{GO}(?: (?:over|up|across))* to {THING},? and (?P<do>{_CHANGE} (?:on |off |up |out )?){_IT}\b",
        r"\g<do>\g<x>",
    ),
    # "take the kettle to the tap and fill it", "hold it under the tap until it is full"
    (
        rf"\b(?:{_TAKE}|hold(?:ing)?|mov(?:e|ing)|put(?:ting)?) {THING} (?:over )?(?:to|under|beneath|below) {_TAP},?"
        rf" (?:(?:(?:and|to|then) )?fill(?:ing)? {_IT}(?: up)?(?: with (?:some |fresh |cold )?water)?|(?:until"
        r"|till) (?:it"
        rf"|they) (?:is|are) full){END}",
        lambda m: f"{verb_like(m, 'fill')} {m['x']}",
    ),
    (rf"\b{GO}{OVER} to {_TAP},? (?:and|to) (?=fill(?:ing)? )", ""),
    # "get the mug out of the way by putting it in the cupboard"
    (
        r"\b(?:get(?:ting)?|tak(?:e|ing) care of|deal(?:ing)? with|see(?:ing)? to|sort(?:ing)? out"
        r"|clear(?:ing)?|help(?:ing)? me"
        rf" with|giv(?:e|ing) (?:me|us) access to|let(?:ting)? (?:me|us) into) {THING}{_BY}(?P<doing>{GERUND})"
        rf" (?P<on>(?:on |off |up |out |away )?){_IT}\b",
        _doing,
    ),
)
_COMPILED = compiled(_RULES)


_TAKEN_ALONG = re.compile(
    rf"\b{_TRIP}(?: (?:over|back|off|along))* {_TO}(?:,| and) [^.;]* (?P<take>{_TAKE} {_NAMED} (?:with you"
    rf"|along)){END}"
)
"""After something else was done there, it is not clear whether a thing is taken from there or to there."""


def plain_requests(text: str) -> str:
    """Returns a normalised text whose errands are plain requests.

    Raises:
        UnreadError: it is not clear where to take a thing.
    """
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    either = _TAKEN_ALONG.search(text)
    if either:
        raise UnreadError(
            either["take"],
            "may be to there, or from there",
            "Say 'from there', or to which place it is to be taken.",
        )
    return text
