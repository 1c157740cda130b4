"""Refuses requests that the grammar knows and the robot cannot serve yet, with the reason."""

from __future__ import annotations

import re

from stma_ros.domains.household.language.unread import UnreadError

_STATE = (
    r"(?:open|closed|shut|locked|on|off|running|lit|full|empty|clean|dirty|broken|warm|hot|cold|wet|dry|ready|done"
    r"|finished|free|occupied|red|blue|green|yellow|black|white|grey|gray|brown|orange|purple|pink|switched (?:on"
    r"|off)"
    r"|turned (?:on|off))"
)
_ASK = (
    r"(?:(?:please|can you|could you|would you|will you|i want to know|i wonder|tell me|tell us|check|see|look"
    r"|find out"
    r"|let me know|do you know|say|report|verify|know) ?)*"
)
_PLACE = r"(?:in|on|inside|under|behind|near|next to|on top of|at|beside)"
_QUESTIONS = re.compile(
    rf"{_ASK}(?:(?:if|whether) )?(?:is|are|was|were) (?!there\b)(?:it|they|(?:the|my|our|any|all|this|that|a"
    rf"|an) .+?)"
    rf" (?:still |already |now |really )*{_STATE}(?: or {_STATE}| or not)*(?: now| yet)?"
    rf"|{_ASK}(?:if|whether) (?:it|they|(?:the|my|our|any|all|this|that|a|an) .+?) (?:is|are|was|were)"
    rf" (?:still |already |now |really )*{_STATE}(?: or {_STATE}| or not)*(?: now| yet)?"
    r"|(?:did|have|has) (?:i|we|you|he|she|they|someone|somebody|anyone) .+ (?:open|closed|on|off|running)"
    rf"|{_ASK}what (?:is|are|was|were|do you see|can you see|have we got|do we have) (?:there |left |stored "
    rf"|kept )*"
    rf"{_PLACE} .+"
    rf"|{_ASK}what .+ (?:contains?|holds?|hold|have in it)"
    rf"|{_ASK}what (?:does|do) .+ contain"
    rf"|{_ASK}how (?:many|much) .+"
    rf"|{_ASK}(?:what|which) (?:colou?r|size|material|kind|brand) .+"
    rf"|{_ASK}(?:what|which) (?!(?:i|we|you|about|if|needs?|has|is left|remains|would)\b)[\w ]+ (?:is|are) {_STATE}"
    rf"|{_ASK}what (?:is|are) .+ (?:made of|like)"
)


def check(text: str) -> None:
    """Raises UnreadError for a normalised text that ends with a question about a state or about contents."""
    *_, last = [part.strip(" ,") for part in text.split(" . ") if part.strip(" .,")] or [""]
    last = re.sub(r"^(?:please|robot|hey|hello|so|and|say|well|ok|okay)[ ,]+", "", last.strip(" .,"))
    if _QUESTIONS.fullmatch(last):
        raise UnreadError(
            last,
            "is a question, and a task asks either a question or for something else",
            "Say each alone.",
        )
