"""Divides the text of a task into clauses, one for each request or remark, without polite phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.language import conditions, lexicon, noun_phrase, rewriting, verbs, word_order
from stma_ros.domains.household.language.patterns import (
    ACTION,
    I_WANT,
    PARTICIPLE,
    PREPOSITION,
    REMEDY,
    STATE,
)
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.rewriting import Rewriter

AND = " & "
"""Separates the members of a list within a clause."""

_THEN = (
    r"then|after that(?! (?:is|are)\b)|after(?:wards?)|after this|subsequently|thereafter|(?<!your )(?<!the"
    r" )(?<!my )(?<!our"
    r" )(?:(?:is|comes) )?next(?! to\b)(?: up)?(?: is(?= \w+ing| to))?|finally|lastly"
    r"|(?<!^)\blater(?: on)?(?! *(?:[.,;]|$))"
    r"|(?:when|once|after|as soon as) you (?:have|are) (?:done|finished|completed|through|ready)(?: (?:with"
    r" )?(?:that|this|it|so|those|there|here))?(?=\s*(?:,|$))"
    r"|when (?:that|this|it) is done|once (?:that|this|it) is done|when (?:you are )?done|once done|when"
    r" (?:you have )?finished"
    r"|(?:once|when|as soon as) (?:it|that|they) (?:is|are) (?:open|closed|on|off|full|empty|ready"
    r"|finished|in|there)(?=\s*,)"
    r"|(?:when|once|as soon as) you (?:come|go|get|leave|are)(?: back)?(?: out| in| there| back| home)?(?=\s*,)"
    r"|(?:with )?that done(?=\s*,)|having done (?:that|so)|last of all|(?:when|once|after|as soon as) (?:all"
    r" (?:of )?)?(?:that|this|it"
    r"|those)(?: is| are|'s)?(?: all)? (?:done|finished|sorted|over|taken care of|out of the way)"
    r"|(?:at|in) the (?:very )?end(?=\s*,)|as the (?:very )?last thing|(?<!one )last thing|after all (?:of"
    r" )?(?:that|this)"
    r"|(?:when|once) everything(?: else)? is (?:done|finished)|once you are (?:done|finished"
    r"|through)(?: with (?:that|this|it))?(?=\s*,)"
)
_CONJUNCTION = re.compile(
    rf"(?:\s*(?:[.:;,&]|(?<!\w)-(?!\w)|\b(?:{_THEN}|and|plus|as well as|followed by|(?:but )?(?:only )?(?:before"
    rf"|after)(?= (?!any|every)\w+ing\b|"
    rf" you (?!(?:go|leave|start|sleep|rest|stop|continue)\b(?! (?:and|the|a|an|my|our|all|both|every|it|them|one"
    rf"|two|three)\b)))|along with|together with)\b))+\s*"
)
_SEQUENCE = re.compile(rf"\b(?:{_THEN}|before|followed by)\b")
_WISH = re.compile(rf"(?:{I_WANT}|have|get)\b")
_PASSIVE = re.compile(rf"(?:{'|'.join(verbs.SAME_IN_THE_PAST)}) (?:away|back|down|{PREPOSITION})\b")
_ONCE = re.compile(r"(?:once|when|as soon as) you ")
_OWN_SUBJECT = re.compile(
    r"(?:i|we|you|he|she|they|it|there|nobody|no one|some(?:one|body)|every(?:one|body))"
    rf" (?!(?:{PREPOSITION}|away|back)\b)\w+"
)
_STATEMENT = re.compile(
    rf"{_OWN_SUBJECT.pattern}"
    r"|(?:the|my|our|his|her|their|this|that) (?:\w+ )?\w+ (?:is|are|was|were|has|have|will|would|can|could)\b"
)
_SUBJECT = re.compile(r"(?:the|my|our|a|an|his|her|some|two|three|four|all|both|every|one)\b")
_STOP = re.compile(r"[.:;]")
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
_WISHED_OBJECT = re.compile(
    rf"(?:{I_WANT}(?: to (?:have|see))?|get|have|(?:can|could|may) (?:i|we) (?:have|get)) (?:the|my|our|a|an|some"
    rf"|all|both|every|two|three|four|one)"
    rf" (?:(?! (?:{PREPOSITION}|to be|to go|for|here|{PARTICIPLE}|{STATE})\b).)+"
)
_WISHED_CHANGE = re.compile(
    rf"(?:the|my|our|a|an|his|her|some|all|both|two|three|four|every|one) (?:(?! (?:should|must|is|are|needs?|has"
    rf"|have)\b)[^&])+?"
    rf" (?:to (?:be|go|end up|stand|live)\b|(?:{PARTICIPLE}|{STATE})(?: |$)|(?:in|on|into|onto|inside) (?:the|my"
    rf"|our|a|an|one)\b).*"
)
_REQUEST_START = re.compile(
    r"(?<! to)(?<! and)(?<! or)(?<! &)(?<! you)(?<! we)(?<! i)(?<! he)(?<! she)(?<! they)(?<! not)(?<!"
    r" on)(?<! the)(?<! a)"
    r"(?<! an)(?<! my)(?<! our)(?<! of)(?<! in)(?<! at)(?<! from)(?<! where)(?<! that)(?<! it) "
    rf"(?=(?:{'|'.join(verbs.BASES)}) (?:(?:up|out|off|on|down|away) )?(?:the|a|an|my|our|it|them|all"
    rf"|every|me|both)\b"
    r"|(?:it|there) (?:is|has|looks|smells|seems|feels) (?:so|too|very|really|a bit|getting|still|no|not|always"
    r"|been)\b"
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
        comes_next: whether its requests come after the others of its sentence ("before closing the door, ...").
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
    segments = list(_segments(rewriter, text))
    for index, (segment, mark) in enumerate(segments):
        if found and mark.strip() == "," and _begins_statement(rewriter, found[-1].text, segments[index:]):
            mark = " . "
        names_things = _names_things_only(rewriter, segments[index:])
        if found and _extends_last(rewriter, found[-1], segment, mark, names_things=names_things):
            continue
        in_sequence = bool(found and _SEQUENCE.search(mark))
        is_first = not found or bool(_STOP.search(mark))
        found.append(
            Clause(
                _completed(rewriter, segment, found[-1].text if found else "", mark),
                in_sequence,
                bool(re.match(r"[^.;]*:", mark)),
                comes_first=(not is_first and "after" in mark.split() and not in_sequence)
                or mark.endswith(" first "),
                comes_next=(is_first and "before" in mark.split())
                or bool(found and found[-1].comes_next and mark.strip() in ("and", "&")),
                leads=(is_first and "after" in mark.split() and not in_sequence)
                or bool(_ONCE.match(segment)),
                begins_sentence=not found or "." in mark,
            )
        )
    return tuple(found)


def _names_things_only(rewriter: Rewriter, segments: Sequence[tuple[str, str]]) -> bool:
    """Whether the sentence at the start of these segments consists of names: "Bring me my hat. Oh, and my jacket"."""
    for index, (segment, mark) in enumerate(segments):
        if index and _STOP.search(mark):
            break
        if not _NOUN_PHRASE.fullmatch(segment) or rewriter.to_imperative(segment):
            return False
    return True


def _begins_statement(rewriter: Rewriter, before: str, segments: Sequence[tuple[str, str]]) -> bool:
    """Whether names after a remark are the subject of what follows: "I am tired, | the cup and the pan go there"."""
    if rewriter.to_imperative(before) or rewriting.begins_imperative(before) or not _is_remark(before):
        return False
    for index, (segment, mark) in enumerate(segments):
        if index and _STOP.search(mark):
            return False
        if not _NOUN_PHRASE.fullmatch(segment):
            return bool(index and _SUBJECT.match(segment) and rewriter.to_imperative(segment))
    return False


def _extends_last(rewriter: Rewriter, last: Clause, segment: str, mark: str, *, names_things: bool) -> bool:
    """Adds a segment to the last clause if it continues that clause; returns whether it does.

    Args:
        rewriter: of clauses.
        last: the last clause.
        segment: what follows it.
        mark: the conjunctions between them.
        names_things: whether the sentence of the segment only names things.
    """
    if _completed(rewriter, segment, last.text, mark) != segment:
        return False
    is_further_object = names_things and rewriter.to_imperative(last.text)
    stops = bool(_STOP.search(mark)) and not (_MORE.search(mark) and is_further_object)
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
        if _WISH.match(before) and _PASSIVE.match(segment[match.end() :]):
            continue  # "i want the bowl put on the table"
        if rewriter.to_imperative(before) and not rewriting.ensure_prefix(before):
            return match
    return None


def _completed(rewriter: Rewriter, segment: str, before: str, mark: str) -> str:
    """Returns a segment with the words that it omits because they are in the text before it."""
    segment = segment.removeprefix("that ") if rewriting.ensure_prefix(before) else segment
    has_own = rewriting.ensure_prefix(segment) or _STOP.search(mark)
    prefix = "" if has_own or re.match(ACTION, segment) else rewriting.ensure_prefix(before)
    if prefix and rewriter.to_imperative(prefix + segment) and rewriter.to_imperative(before):
        return prefix + segment  # "make sure that the door is closed and the lamp is off"
    # "... carried to the kitchen and put in the sink"
    return ("" if _STOP.search(mark) else rewriter.with_object(segment, before)) or segment


def _segments(rewriter: Rewriter, text: str) -> Iterator[tuple[str, str]]:
    """Yields the segments between conjunctions, without polite phrases, each with the conjunctions before it."""
    start, mark, fronted = 0, "", ""
    for conjunction in (*_CONJUNCTION.finditer(text), None):
        segment = word_order.with_place_last(
            without_politeness(text[start : conjunction.start() if conjunction else len(text)])
        )
        if re.search(r"\b(?:before|after)\b", mark):
            segment = _told(segment)
        if start and re.search(
            r"\w first$", text[start : conjunction.start() if conjunction else len(text)].strip()
        ):
            mark += " first "
        begins = start == 0 or ("." in mark and conjunction is not None and conjunction[0].strip() == ",")
        if segment and begins and conjunction and word_order.PLACE_ALONE.fullmatch(segment):
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


def _told(segment: str) -> str:
    """Returns "try the door" for "you try the door" after "before", and "you have tried the door" as it is."""
    match = re.match(r"you (?:have )?(?P<rest>(?P<verb>\w+).*)", segment)
    if match is None:
        return segment
    if match["verb"] in verbs.PARTICIPLES or re.match(
        r"(?:are|were|have|had|can|could|will)\b", match["rest"]
    ):
        return f"you have {match['rest']}"
    return without_politeness(match["rest"])


def _continues(segment: str, before: str, mark: str) -> bool:
    """Whether a segment continues the sentence before it: "... and into the box", "... : to be filled"."""
    if re.search(r" with (?:it|them|that|those)$|^(?:on|off|out|away) with ", segment):
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
    if conditions.is_condition(segment) or conditions.is_condition(before) or REMEDY.fullmatch(segment):
        return True
    if _WITH_DESTINATION.match(segment) and _WITHOUT_DESTINATION.fullmatch(before):
        return False  # "take the cup and the plate into the kitchen"
    if _WISHED_OBJECT.fullmatch(before) and _WISHED_CHANGE.fullmatch(segment):
        return False  # "i would like the cup and the plate to be on the table"
    if (
        rewriting.ensure_prefix(segment)
        or rewriting.is_unsupported(segment)
        or rewriting.begins_imperative(segment)
        or re.match(
            r"(?:it|they) (?:is|are|was|should|may|might|must|could|ought|can|lies|stands)\b", segment
        )
    ):
        return True
    if (_STATEMENT.match(segment) and rewriter.to_imperative(before)) or (
        _OWN_SUBJECT.match(segment) and _is_remark(before)
    ):
        return True  # "bring me my glasses, i am blind without them"
    if re.match(r"(?:go|walk|head|drive|come|proceed) (?:over |back )?(?:to|into) ", segment):
        return True
    if re.match(r"(?:is|are) ", segment) and rewriter.to_imperative(segment):
        return True
    if rewriter.to_imperative(segment) and re.search(r"\b(?:it|them|they)\b|\bone(?= is\b|$)", segment):
        return True  # "the umbrella, where is it?"
    if _changes_kind(rewriter, before, segment):
        return True
    return bool(rewriter.to_imperative(segment)) and bool(
        rewriter.to_imperative(before)
        or (not rewriting.begins_imperative(before) and " " in before and _is_remark(before))
    )


def _changes_kind(rewriter: Rewriter, before: str, segment: str) -> bool:
    """Whether a place follows a state in a list without verbs, or the other way round: "blanket on the bed, lamp off".

    In "the lamp on the desk and the radio off" the lamp is to be off as well.
    """
    placed, changed = (segment, before) if rewriter.add_verb(segment) else (before, segment)
    plain = rewriter.to_imperative(changed)
    if not _CHANGE.match(plain) or rewriting.begins_imperative(changed) or not rewriter.add_verb(placed):
        return False
    noun = noun_phrase.split_places(re.split(f"{AND}", placed)[-1])[0].split()
    category = rewriter.knowledge.canonical(" ".join(noun[-1:]))
    return rewriter.knowledge.is_known(category) and not (
        category in lexicon.OPENINGS
        or rewriter.knowledge.is_furniture(category)
        or rewriter.knowledge.is_device(category)
        or rewriter.knowledge.is_openable(category)
        or rewriter.knowledge.is_vessel(category)
    )


_CHANGE = re.compile(r"(?:open|close|switch|start|stop|fill|empty) ")
_REMARK = re.compile(
    r"\b(?:i|we|you|he|she|they|it|there|this|that|nobody|someone|somebody|everyone|is|are|was|were|am|has"
    r"|had|have|lost|forgot"
    r"|needs?|wants?|looks?|feels?|smells?|got)\b"
)


def _is_remark(text: str) -> bool:
    return bool(_REMARK.search(text))
