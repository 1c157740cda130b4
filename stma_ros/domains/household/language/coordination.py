"""Rewrites what couples things in other ways than "and": "same for the plate", "neither the oven nor the stove"."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.patterns import MODAL, PARTICIPLE, PREPOSITION, STATE

_NAMES = (
    r"(?:the|my|our|both|all|every|a|an|some|one|two|three) (?:(?!(?:is|are|should|must|needs?|goes|go"
    r"|belongs?|in|on)\b)[\w'-]+ ?){1,4}?"
)
_MEMBER = (
    r"(?:(?:the|my|our|a|an|one|two|three|four|five|six) )?(?!(?:is|are|please|and|then|the|my|our"
    r"|an?)\b)[a-z'-]+(?: (?!(?:is"
    r"|are|and|all"
    r"|both|in|on|into|should|must)\b)[a-z'-]+)?"
)
_END = (
    r"(?: (?:at (?:this|that|such an?) (?:hour|time)(?: of (?:the )?(?:day|night))?|tonight|today|now|overnight"
    r"|any ?more|at night))?(?=\s*(?:[.,;:]|$))"
)
_UNWANTED = rf"(?:{MODAL}|may|can|could|is allowed to|are allowed to) (?:be|stay|remain)(?: left)?"

_RULES = (
    # the same for another thing
    (
        r"\s*[.,;:]?\s*(?:and )?(?:(?:do |the )*same(?: thing)?(?: (?:goes|again|applies|holds))? (?:for|with"
        r"|to)|ditto(?: for)?"
        rf"|likewise(?: for| with)?) (?P<x>{_NAMES}){_END}",
        r" . plus \g<x> . ",
    ),
    (
        rf"\s*[.;]\s*(?:and )?(?P<x>{_NAMES}) (?:as well|too|also|likewise)(?: please)?{_END}",
        r" . plus \g<x>",
    ),
    # "put the mug in the sink, the plate too, and the fork in the drawer"
    (
        rf"\s*,\s*(?:and )?(?P<x>{_NAMES}) (?:as well|too|likewise)\s*,(?: and)?(?= \w)",
        r" . plus \g<x> . ",
    ),
    # "all the lamps must be off, and the heater too"
    (
        rf"(?P<should> {MODAL} be (?:{STATE}|{PARTICIPLE}(?: on| off)?)) ?, and (?P<x>{_NAMES}) (?:as well|too"
        rf"|also|likewise)"
        rf"(?=,? please|{_END})",
        r"\g<should> and \g<x>",
    ),
    (
        r"\bnot only (?P<x>(?:the|my|our|all) [^.,;]+?),? but (?:also )?(?P<y>(?:the|my|our|all) )",
        r"\g<x> and \g<y>",
    ),
    (
        r"\s*[.,;]? *(?:and )?(?:so|as) (?:should|must|does|do|is|are|has|have|can|could|ought|needs|need) "
        rf"(?P<x>{_NAMES})(?: (?:in|on|from) (?P<at>(?:the|my|our) [\w'-]+(?: [\w'-]+)?))?{_END}",
        lambda m: f" . plus {m['x']}" + (f" from {m['at']}" if m["at"] else "") + " . ",
    ),
    # "two things, my keys and my phone"
    (
        r"\b(?:two|three|four|five|a few|some|the following|these|several) (?:\w+ )?(?:things|items"
        r"|objects)\s*, (?=(?:the|my|our|a"
        r"|an|one|two) )",
        "",
    ),
    (
        r",? *\b(?:not to mention|not forgetting|to say nothing of|as well as) (?=(?:the|my|our|all|both|a|an) )",
        " and ",
    ),
    # "no lamp should be on"
    (
        rf"\bneither (?P<x>(?:the|my|our) [^.,;]+?) nor (?P<y>(?:the|my|our) [^.,;]+?) (?P<should>{_UNWANTED})"
        rf" (?P<rest>{STATE}){_END}",
        r"\g<x> and \g<y> should not be \g<rest>",
    ),
    (
        rf"\b(?:(?:none|not (?:a single )?one) of (?:the|my|our|these|those)|no) (?P<x>[a-z]+(?: [a-z]+)?(?: in"
        rf" (?:the|my|our)"
        rf" [a-z]+(?: [a-z]+)?)?) (?P<should>{_UNWANTED})"
        rf" (?P<rest>{STATE}){_END}",
        r"all \g<x> should not be \g<rest>",
    ),
    # "make sure that no window is open"
    (
        r"\b(?P<sure>make sure|ensure|check|see to it|see|be sure|verify)(?: that)? (?:no|none of the|not a single)"
        r" (?P<x>[a-z]+(?: [a-z]+)?(?: in (?:the|my|our) [a-z]+(?: [a-z]+)?)?) (?:is"
        rf"|are) (?:left )?(?P<rest>{STATE}){_END}",
        r"all \g<x> should not be \g<rest>",
    ),
    # "the knives belong in the drawer, while pans belong in the cupboard"
    (
        rf"\s*,? (?:while|whereas) (?=(?:(?:the|my|our|all|both) )?[^.,;]{{2,30}}? (?:{MODAL}|belongs?|goes|go"
        rf"|lives?|can go) )",
        " . ",
    ),
    # a list and what stands for it: "bread, milk and cheese: all three go in the fridge"
    (
        rf"(?P<start>^|[.:;] )(?P<x>{_MEMBER}(?: ?, (?:and )?{_MEMBER}| and"
        rf" {_MEMBER})+)\s*[:,.]\s*(?P<all>(?:they|those|these|"
        rf"all|both)(?: of them| (?:two|three|four|five))?(?: all)?) (?=(?:{PREPOSITION}|goes|go|belong|should"
        rf"|must|need)\b)",
        r"\g<start>\g<x> ",
    ),
    (
        rf"(?P<x>\b{_MEMBER}(?: ?, (?:and )?{_MEMBER})* and {_MEMBER}),? (?:all|both)(?: of them)?"
        rf" (?={PREPOSITION} (?:the|my|our) )",
        r"\g<x> ",
    ),
    # disfluencies
    (r"\b(?:the|an?|my|our)(?:\s*,)+\s*(?=(?:the|an?|my|our) \w)", ""),
)


def with_and(text: str) -> str:
    """Returns a normalised text whose things are coupled by "and" or "plus"."""
    for pattern, plain in _RULES:
        text = re.sub(pattern, plain, text)
    return text
