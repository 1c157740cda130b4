"""Takes the text of a task apart: one clause for every request or remark, without courtesies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stma_ros.domains.household.language import rewriting, verbs
from stma_ros.domains.household.language.patterns import PREPOSITION, STATE
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.domains.household.language.spelling import normalised

AND = " & "
"""Between the members of a list within a clause."""

_THEN = (
    r"then|after that|after(?:wards?)|after this|subsequently|thereafter|next(?! to\b)|finally|lastly"
    r"|later(?: on)?"
    r"|when (?:that|this|it) is done|once (?:that|this|it) is done|when (?:you are )?done|once done|when"
    r" (?:you have )?finished"
    r"|(?:once|when|as soon as) (?:it|that|they) (?:is|are) (?:open|closed|on|off|full|empty|ready"
    r"|finished|in|there)(?=\s*,)"
    r"|having done (?:that|so)|last of all"
)
_JOINT = re.compile(
    rf"(?:\s*(?:[.:;,&]|(?<!\w)-(?!\w)|\b(?:and|plus|as well as|followed by|(?:but )?(?:only )?(?:before"
    rf"|after)(?= (?!any|every)\w+ing\b|"
    rf" you (?!go\b|leave\b|start\b|sleep\b|rest\b|stop\b|continue\b))|along with|together with"
    rf"|{_THEN})\b))+\s*"
)
_SEQUENCE = re.compile(rf"\b(?:{_THEN}|before|followed by)\b")
_PLACE_ALONE = re.compile(rf"{PREPOSITION} (?:the|my|our|a|an) (?:\w+ )?\w+")
_FRONTED = re.compile(
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
_THING = re.compile(r"(?:the|my|our|a|an|his|her|some|two|three|four|all|both)(?: [\w'-]+){1,4}")
_SHARES = re.compile(
    r"(?:the|my|our|a|an|his|her|some|all|both|two|three|four|every) [^&]+? (?:into|onto|to) "
)
_TAKES = re.compile(
    r"(?:pack|stow|take|bring|carry|get|fetch|deliver|transport|grab|pick|collect|return|move|haul"
    r"|load)(?: up)?"
    r" (?:(?! (?:in|on|into|onto|to|from|off|out|away|back|for|here|me) ).)+"
)
_BEGINS = re.compile(
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
    """One request or remark in its own words, the members of lists joined by AND.

    in_sequence: it is to come after what precedes it. explains: it spells out what precedes it (after a colon).
    comes_first: it is to come before what precedes it ("..., after closing the door"). comes_next: it is to come
    after what follows it ("before closing the door, ..."). leads: what follows it comes after it ("after closing the
    door, ...").
    """

    text: str
    in_sequence: bool = False
    explains: bool = False
    comes_first: bool = False
    comes_next: bool = False
    leads: bool = False


def clauses(rewriter: Rewriter, text: str) -> tuple[Clause, ...]:
    """The clauses of a task's text, in the order said; none where there are no words."""
    found: list[Clause] = []
    for segment, mark in _segments(rewriter, _REASON.sub("", normalised(text))):
        if found and _belongs_to(rewriter, found[-1], segment, mark):
            continue
        in_sequence = bool(found and _SEQUENCE.search(mark))
        found.append(
            Clause(
                _whole(rewriter, segment, found[-1].text if found else ""),
                in_sequence,
                ":" in mark,
                comes_first=bool(found) and "after" in mark.split() and not in_sequence,
                comes_next=not found and "before" in mark,
                leads=(not found and "after" in mark) or bool(_ONCE.match(segment)),
            )
        )
    return tuple(found)


def _belongs_to(rewriter: Rewriter, last: Clause, segment: str, mark: str) -> bool:
    """Adds to the last clause what goes on with it."""
    if _whole(rewriter, segment, last.text) != segment:
        return False
    stops = bool(re.search(r"[.:;]", mark)) and not (
        _MORE.search(mark) and _is_thing(rewriter, segment, last.text)
    )
    if _continues(segment, last.text, mark) and not (stops and rewriter.plain(last.text)):
        last.text += f" {segment}"
    elif (
        not stops
        and not _begins(rewriter, segment, last.text)
        and not re.match(rf"not {PREPOSITION} ", segment)
    ):
        last.text += AND + segment
    else:
        return False
    return True


def _is_thing(rewriter: Rewriter, segment: str, before: str) -> bool:
    """Whether it names one thing more for what was asked before: "Bring me my hat. Oh, and my jacket"."""
    return bool(_THING.fullmatch(segment) and not rewriter.plain(segment) and rewriter.plain(before))


def _spoken(rewriter: Rewriter, segment: str) -> list[str]:
    """The requests and hints of a segment that was spoken without commas: "open the wardrobe take out the jacket"."""
    parts: list[str] = []
    while (match := _next_request(rewriter, segment)) is not None:
        parts.append(segment[: match.start()])
        segment = segment[match.end() :]
    return [*parts, segment]


def _next_request(rewriter: Rewriter, segment: str) -> re.Match[str] | None:
    """Where a request or hint begins after one that is complete; None where there is one only."""
    for match in _BEGINS.finditer(segment):
        before = segment[: match.start()]
        if rewriter.plain(before) and not rewriting.ensuring(before):
            return match
    return None


def _whole(rewriter: Rewriter, segment: str, before: str) -> str:
    """The segment with what it leaves out because it was said before."""
    ensuring = rewriting.ensuring(before)
    if ensuring and rewriter.plain(ensuring + segment) and rewriter.plain(before):
        return ensuring + segment  # "make sure that the door is closed and the lamp is off"
    return (
        rewriter.with_object(segment, before) or segment
    )  # "... carried to the kitchen and put in the sink"


def _segments(rewriter: Rewriter, text: str) -> Iterator[tuple[str, str]]:
    """What stands between two joints, without courtesies, and the joints before it."""
    start, mark, fronted = 0, "", ""
    for joint in (*_JOINT.finditer(text), None):
        segment = _place_last(without_politeness(text[start : joint.start() if joint else len(text)]))
        if re.search(r"\b(?:before|after)\b", mark):
            segment = re.sub(r"^you (?:have )?", "you have ", segment)
        if segment and start == 0 and joint and _PLACE_ALONE.fullmatch(segment):
            fronted = f" {segment}"  # "in the kitchen, turn on the light"
        elif segment:
            *spoken, segment = _spoken(rewriter, segment)
            for part in spoken:
                yield part, mark
                mark = " . "
            yield segment + fronted, mark
            mark = fronted = ""
        if joint:
            mark += joint[0]
            start = joint.end()


def _place_last(words: str) -> str:
    """ "on the desk there is a pen" -> "there is a pen on the desk"."""
    match = _FRONTED.match(words)
    if not match:
        return words
    if match["goes"]:
        return f"{match['rest'].removeprefix(match['goes'])} {match['goes']} {match['place']}".strip()
    return f"{match['rest']} {match['place']}"


def _continues(segment: str, before: str, mark: str) -> bool:
    """Whether it goes on with the sentence before it: "... and into the box", "... : to be filled"."""
    if re.search(r" with (?:it|them|that|those)$", segment):
        return False  # "the bottle: into the bin with it"
    if re.fullmatch(STATE, segment) and ":" in mark:
        return True  # "fan: off"
    if re.match(r"(?:back )?(?:in|on|into|onto|to|next to|beside|near) ", segment) and "and" in mark:
        return bool(re.search(r" (?:from|out of|off) ", before))  # else it is a second place
    return bool(
        re.match(rf"(?:back |away )?{PREPOSITION} (?!be\b)", segment)
        or re.match(r"(?:(?:is|are) )?(?:to|should|must|needs? to) be\b", segment)
    )


def _begins(rewriter: Rewriter, segment: str, before: str) -> bool:
    """Whether it begins a request of its own, and is no member of a list."""
    if _SHARES.match(segment) and _TAKES.fullmatch(before):
        return False  # "take the cup and the plate into the kitchen"
    if (
        rewriting.beyond(segment)
        or rewriting.begins_imperative(segment)
        or re.match(
            r"(?:it|they) (?:is|are|was|should|may|might|must|could|ought|can|lies|stands)\b", segment
        )
    ):
        return True
    if re.match(r"(?:go|walk|head|drive|come|proceed) (?:over |back )?(?:to|into) ", segment):
        return True
    if re.match(r"(?:is|are) ", segment) and rewriter.plain(segment):
        return True
    if rewriter.plain(segment) and re.search(r"\b(?:it|them|they)\b|\bone(?= is\b|$)", segment):
        return True  # "the umbrella, where is it?"
    return bool(rewriter.plain(segment)) and bool(
        rewriter.plain(before)
        or (not rewriting.begins_imperative(before) and " " in before and _is_remark(before))
    )


_REMARK = re.compile(
    r"\b(?:i|we|you|he|she|they|it|there|this|that|nobody|someone|somebody|everyone|is|are|was|were|am|has"
    r"|had|have|lost|forgot"
    r"|needs?|wants?|looks?|feels?|smells?|got)\b"
)


def _is_remark(text: str) -> bool:
    return bool(_REMARK.search(text))
