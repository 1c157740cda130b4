"""Rewrites what couples things in other ways than "and": "same for the plate", "neither the oven nor the stove"."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.patterns import BASE, MODAL, STATE

_NAMES = r"(?:the|my|our|both|all|every) (?:(?!(?:is|are|should|must|needs?|goes|go|belongs?|in|on)\b)[\w'-]+ ?){1,4}?"
_END = r"(?: (?:tonight|today|now|overnight|any ?more|at night))?(?=\s*(?:[.,;:]|$))"
_UNWANTED = rf"(?:{MODAL}|may|can|could|is allowed to|are allowed to) (?:be|stay|remain)(?: left)?"

_RULES = (
    # the same for another thing
    (
        r"\s*[.,;:]?\s*(?:and )?(?:(?:do |the )*same(?: thing)?(?: (?:goes|again|applies|holds))? (?:for|with"
        r"|to)|ditto(?: for)?"
        rf"|likewise(?: for| with)?) (?P<x>{_NAMES}){_END}",
        r" . plus \g<x>",
    ),
    (
        rf"\s*[.;]\s*(?:and )?(?P<x>{_NAMES}) (?:as well|too|also|likewise)(?: please)?{_END}",
        r" . plus \g<x>",
    ),
    (
        r"\bnot only (?P<x>(?:the|my|our|all) [^.,;]+?),? but (?:also )?(?P<y>(?:the|my|our|all) )",
        r"\g<x> and \g<y>",
    ),
    # "no lamp should be on"
    (
        rf"\bneither (?P<x>(?:the|my|our) [^.,;]+?) nor (?P<y>(?:the|my|our) [^.,;]+?) (?P<should>{_UNWANTED})"
        rf" (?P<rest>{STATE}){_END}",
        r"\g<x> and \g<y> should not be \g<rest>",
    ),
    (
        rf"\b(?:none of (?:the|my|our|these|those)|no) (?P<x>[a-z]+(?: [a-z]+)?) (?P<should>{_UNWANTED})"
        rf" (?P<rest>{STATE}){_END}",
        r"all \g<x> should not be \g<rest>",
    ),
    # the order of requests
    (rf",? but (?:first|before that)(?: of all)?,? (?=(?:please )?{BASE} )", r" after you "),
    # disfluencies
    (r"\b(?:the|an?|my|our)(?:\s*,)+\s*(?=(?:the|an?|my|our) \w)", ""),
)


def with_and(text: str) -> str:
    """Returns a normalised text whose things are coupled by "and" or "plus"."""
    for pattern, plain in _RULES:
        text = re.sub(pattern, plain, text)
    return text
