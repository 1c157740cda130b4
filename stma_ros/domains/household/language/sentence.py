"""Divides the text of a task into clauses, one for each request or remark, without polite phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.language import conditions, rewriting, verbs
from stma_ros.domains.household.language.patterns import PREPOSITION, STATE
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.rewriting import Rewriter

AND = " & "
"""Separates the members of a list within a clause."""

_THEN = (
    r"then|after that|after(?:wards?)|after this|subsequently|thereafter|next(?! to\b)|finally|lastly"
    r"|(?<!^)\blater(?: on)?(?! *(?:[.,;]|$))"
    r"|when (?:that|this|it) is done|once (?:that|this|it) is done|when (?:you are )?done|once done|when"
    r" (?:you have )?finished"
    r"|(?:once|when|as soon as) (?:it|that|they) (?:is|are) (?:open|closed|on|off|full|empty|ready"
    r"|finished|in|there)(?=\s*,)"
    r"|having done (?:that|so)|last of all"
)
_CONJUNCTION = re.compile(
    rf"(?:\s*(?:[.:;,&]|(?<!\w)-(?!\w)|\b(?:and|plus|as well as|followed by|(?:but )?(?:only )?(?:before"
    rf"|after)(?= (?!any|every)\w+ing\b|"
    rf" you (?!go\b|leave\b|start\b|sleep\b|rest\b|stop\b|continue\b))|along with|together with"
    rf"|{_THEN})\b))+\s*"
)
_SEQUENCE = re.compile(rf"\b(?:{_THEN}|before|followed by)\b")
_PLACE_ALONE = re.compile(rf"{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )?\w+")
_PLACE_FIRST = re.compile(
    rf"(?P<place>{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )??\w+) (?P<rest>(?:(?P<goes>goes|go|belongs?) "
    rf"|(?:i|we|you|there"
    rf"|{'|'.join(verbs.BASES)}) ).+)"
)
_ONCE = re.compile(r"(?:once|when|as soon as) you ")
_BASE = "(?:" + "|".join(verbs.BASES) + ")"
_REASON = re.compile(
    r"[\s,]*\b(?:because|since|as (?=(?:i|we|it|they|he|she)\b)"
    r"|so that|so (?=(?:i|we|it|he|she|they|you|nobody|my|our)\b)|in order to|in case"
    rf"|before (?=(?:it|i|we|they|she|he|my|our|someone|anyone)\b))\b(?:(?! (?:and|then|&) (?:then"
    rf" )?(?:{_BASE}|then|please) )[^,;.:])*"
)


_MORE = re.compile(r"\b(?:and|plus|as well as|along with|together with)\b")
_NOUN_PHRASE = re.compile(r"(?:the|my|our|a|an|his|her|some|two|three|four|all|both)(?: [\w'-]+){1,4}")
_WITH_DESTINATION = re.compile(
    r"(?:the|my|our|a|an|his|her|some|all|both|two|three|four|every) [^&]+? (?:into|onto|to) "
)
_WITHOUT_DESTINATION = re.compile(
    r"(?:pack|stow|take|bring|carry|get|fetch|deliver|transport|grab|pick|collect|return|move|haul"
    r"|load)(?: up)?"
    r" (?:(?! (?:in|on|into|onto|to|from|off|out|away|back|for|here|me) ).)+"
)
_REQUEST_START = re.compile(
    r"(?<! to)(?<! and)(?<! or)(?<! &)(?<! you)(?<! we)(?<! i)(?<! he)(?<! she)(?<! they)(?<! not)(?<!"
    r" on)(?<! the)(?<! a)"
    r"(?<! an)(?<! my)(?<! our)(?<! of)(?<! in)(?<! at)(?<! from)(?<! where)(?<! that)(?<! it) "
    rf"(?=(?:{'|'.join(verbs.BASES)}) (?:(?:up|out|off|on|down|away) )?(?:the|a|an|my|our|it|them|all"
    rf"|every|me|both)\b"
    r"|(?:it|they) (?:is|are|should be|might be|may be|must be|could be|ought to be) (?:\w+ )?(?:in|on"
    r"|near|under|at|by) )"
)


@dataclass
class Clause:
    """One request or remark.

    Attributes:
        text: its words; AND joins the members of lists.
        in_sequence: whether its requests come after those of the previous clause.
        explains: whether it follows a colon and explains the previous clause.
        comes_first: whether its requests come before those of the previous clause ("..., after closing the door").
        comes_next: whether its requests come after those of the next clause ("before closing the door, ...").
        leads: whether the requests of the next clause come after its own ("after closing the door, ...").
        begins_sentence: whether it is the first of its sentence.
    """

    text: str
    in_sequence: bool = False
    explains: bool = False
    comes_first: bool = False
    comes_next: bool = False
    leads: bool = False
    begins_sentence: bool = True


def clauses(rewriter: Rewriter, text: str) -> tuple[Clause, ...]:
    """Returns the clauses of a normalised text in the order of the text."""
    found: list[Clause] = []
    for segment, mark in _segments(rewriter, _REASON.sub("", text)):
        if found and _extends_last(rewriter, found[-1], segment, mark):
            continue
        in_sequence = bool(found and _SEQUENCE.search(mark))
        found.append(
            Clause(
                _completed(rewriter, segment, found[-1].text if found else ""),
                in_sequence,
                ":" in mark,
                comes_first=bool(found) and "after" in mark.split() and not in_sequence,
                comes_next=not found and "before" in mark,
                leads=(not found and "after" in mark) or bool(_ONCE.match(segment)),
                begins_sentence=not found or "." in mark,
            )
        )
    return tuple(found)


def _extends_last(rewriter: Rewriter, last: Clause, segment: str, mark: str) -> bool:
    """Adds a segment to the last clause if it continues that clause; returns whether it does."""
    if _completed(rewriter, segment, last.text) != segment:
        return False
    stops = bool(re.search(r"[.:;]", mark)) and not (
        _MORE.search(mark) and _is_further_object(rewriter, segment, last.text)
    )
    if _continues(segment, last.text, mark) and not (stops and rewriter.to_imperative(last.text)):
        last.text += f" {segment}"
    elif (
        not stops
        and not _begins_request(rewriter, segment, last.text)
        and not re.match(rf"not {PREPOSITION} ", segment)
    ):
        last.text += AND + segment
    else:
        return False
    return True


def _is_further_object(rewriter: Rewriter, segment: str, before: str) -> bool:
    """Whether a segment names a further object for the request before: "Bring me my hat. Oh, and my jacket"."""
    return bool(
        _NOUN_PHRASE.fullmatch(segment)
        and not rewriter.to_imperative(segment)
        and rewriter.to_imperative(before)
    )


def _split_unpunctuated(rewriter: Rewriter, segment: str) -> list[str]:
    """Returns the requests and hints of a segment without commas: "open the wardrobe take out the jacket"."""
    parts: list[str] = []
    while (match := _next_request(rewriter, segment)) is not None:
        parts.append(segment[: match.start()])
        segment = segment[match.end() :]
    return [*parts, segment]


def _next_request(rewriter: Rewriter, segment: str) -> re.Match[str] | None:
    """Returns the match at the beginning of a request or hint after a complete request; None = there is none."""
    if re.match(r"(?:is|are|where|do|does|did|have|has|what|which|who|how) ", segment):
        return None  # "is there a light switch on the stairs"
    for match in _REQUEST_START.finditer(segment):
        before = segment[: match.start()]
        if rewriter.to_imperative(before) and not rewriting.ensure_prefix(before):
            return match
    return None


def _completed(rewriter: Rewriter, segment: str, before: str) -> str:
    """Returns a segment with the words that it omits because they are in the text before it."""
    prefix = rewriting.ensure_prefix(before)
    if prefix and rewriter.to_imperative(prefix + segment) and rewriter.to_imperative(before):
        return prefix + segment  # "make sure that the door is closed and the lamp is off"
    # "... carried to the kitchen and put in the sink"
    return rewriter.with_object(segment, before) or segment


def _segments(rewriter: Rewriter, text: str) -> Iterator[tuple[str, str]]:
    """Yields the segments between conjunctions, without polite phrases, each with the conjunctions before it."""
    start, mark, fronted = 0, "", ""
    for conjunction in (*_CONJUNCTION.finditer(text), None):
        segment = _with_place_last(
            without_politeness(text[start : conjunction.start() if conjunction else len(text)])
        )
        if re.search(r"\b(?:before|after)\b", mark):
            segment = re.sub(r"^you (?:have )?", "you have ", segment)
        if segment and start == 0 and conjunction and _PLACE_ALONE.fullmatch(segment):
            fronted = f" {segment}"  # "in the kitchen, turn on the light"
        elif segment:
            *complete, segment = _split_unpunctuated(rewriter, segment)
            for part in complete:
                yield part, mark
                mark = " . "
            yield segment + fronted, mark
            mark = fronted = ""
        if conjunction:
            mark += conjunction[0]
            start = conjunction.end()


def _with_place_last(words: str) -> str:
    """Returns "there is a pen on the desk" for "on the desk there is a pen"."""
    match = _PLACE_FIRST.match(words)
    if not match:
        return words
    if match["goes"]:
        return f"{match['rest'].removeprefix(match['goes'])} {match['goes']} {match['place']}".strip()
    return f"{match['rest']} {match['place']}"


def _continues(segment: str, before: str, mark: str) -> bool:
    """Whether a segment continues the sentence before it: "... and into the box", "... : to be filled"."""
    if re.search(r" with (?:it|them|that|those)$", segment):
        return False  # "the bottle: into the bin with it"
    if re.fullmatch(STATE, segment) and ":" in mark:
        return True  # "fan: off"
    if re.match(r"(?:back )?(?:in|on|into|onto|to|next to|beside|near) ", segment) and "and" in mark:
        return bool(re.search(r" (?:from|out of|off) ", before))  # otherwise it is a second place
    return bool(
        re.match(rf"(?:back |away )?{PREPOSITION} (?!be\b)", segment)
        or re.match(r"(?:(?:is|are) )?(?:to|should|must|needs? to) be\b", segment)
    )


def _begins_request(rewriter: Rewriter, segment: str, before: str) -> bool:
    """Whether a segment begins a new request rather than being a member of a list."""
    if conditions.is_condition(segment) or conditions.is_condition(before):
        return True
    if _WITH_DESTINATION.match(segment) and _WITHOUT_DESTINATION.fullmatch(before):
        return False  # "take the cup and the plate into the kitchen"
    if (
        rewriting.is_unsupported(segment)
        or rewriting.begins_imperative(segment)
        or re.match(
            r"(?:it|they) (?:is|are|was|should|may|might|must|could|ought|can|lies|stands)\b", segment
        )
    ):
        return True
    if re.match(r"(?:go|walk|head|drive|come|proceed) (?:over |back )?(?:to|into) ", segment):
        return True
    if re.match(r"(?:is|are) ", segment) and rewriter.to_imperative(segment):
        return True
    if rewriter.to_imperative(segment) and re.search(r"\b(?:it|them|they)\b|\bone(?= is\b|$)", segment):
        return True  # "the umbrella, where is it?"
    return bool(rewriter.to_imperative(segment)) and bool(
        rewriter.to_imperative(before)
        or (not rewriting.begins_imperative(before) and " " in before and _is_remark(before))
    )


_REMARK = re.compile(
    r"\b(?:i|we|you|he|she|they|it|there|this|that|nobody|someone|somebody|everyone|is|are|was|were|am|has"
    r"|had|have|lost|forgot"
    r"|needs?|wants?|looks?|feels?|smells?|got)\b"
)


def _is_remark(text: str) -> bool:
    return bool(_REMARK.search(text))
