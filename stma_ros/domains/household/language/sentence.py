"""Divides the text of a task into clauses, one for each request or remark, without polite phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stma_ros.domains.household.language import conjuncts, judgements, rewriting, verbs, word_order
from stma_ros.domains.household.language.patterns import AND, GERUND, I_WANT, PARTICIPLE, PREPOSITION
from stma_ros.domains.household.language.politeness import without_politeness
from stma_ros.domains.household.language.rewriting import Rewriter

_THEN = (
    r"then|after that(?! (?:is|are)\b)|after(?:wards?)|after this|subsequently|thereafter|(?<!your )(?<!the"
    r" )(?<!my )(?<!our"
    r" )(?:(?:is|comes) )?next(?! to\b)(?: up)?(?: is(?= \w+ing| to))?"
    r"|(?<!\bhas )(?<!\bhave )(?<!\bhad )(?<!\bis )(?<!\bare )(?<!\bam )(?<!\bwas )(?<!\bwere )(?<!\bcan"
    r" )(?<!\bcould )(?<!\bwould )(?<!\bwill )finally|lastly"
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
_WISH = re.compile(rf"(?:{I_WANT}|(?:let us |(?:can|could|may) (?:i|we) )?(?:have|get))\b")
_SUBJECT = re.compile(r"(?:the|my|our|a|an|his|her|some|two|three|four|all|both|every|one)\b")
_HAVE_AT_END = re.compile(
    rf"\b(?:have|having|get|getting|see|seeing) {_SUBJECT.pattern} (?:(?! {PREPOSITION} )[^&])+$"
)
_PASSIVE = re.compile(rf"(?:{'|'.join(verbs.SAME_IN_THE_PAST)}) (?:away|back|down|{PREPOSITION})\b")
_LAST = re.compile(
    r"(?:end|finish|conclude|wrap|round|close)(?: (?:things|it|it all|everything))?(?: off| up| out)? (?:with|by) "
)
_FIRST = re.compile(r"(?:but )?(?:start|begin|kick)(?: (?:things|it|everything))?(?: off| out)? (?:with|by) ")
_ONCE = re.compile(r"(?:once|when|as soon as) you ")
_REQUEST_START = re.compile(
    r"(?<! to)(?<! and)(?<! or)(?<! &)(?<! can)(?<! could)(?<! will)(?<! would)(?<! should)(?<! may)(?<!"
    r" might)(?<! must)(?<! you)(?<! we)(?<! i)(?<! he)(?<! she)(?<! they)(?<! not)(?<!"
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
        is_background: whether it says only when the rest of its sentence is wanted ("before closing the door, ...").
    """

    text: str
    in_sequence: bool = False
    explains: bool = False
    comes_first: bool = False
    comes_next: bool = False
    leads: bool = False
    begins_sentence: bool = True
    is_background: bool = False


def clauses(rewriter: Rewriter, text: str) -> tuple[Clause, ...]:
    """Returns the clauses of a normalised text in the order of the text."""
    found: list[Clause] = []
    segments = list(_segments(rewriter, text))
    for index, (segment, mark) in enumerate(segments):
        if found and mark.strip() == "," and _begins_statement(rewriter, found[-1].text, segments[index:]):
            mark = " . "
        names_things = _names_things_only(rewriter, segments[index:])
        longer = found and conjuncts.extended(
            rewriter, found[-1].text, segment, mark, names_things=names_things
        )
        if longer:
            found[-1].text = word_order.with_place_last(
                judgements.without_thought(longer), rewriter.knowledge
            )
            continue
        in_sequence = bool(found and _SEQUENCE.search(mark))
        is_first = not found or bool(conjuncts.STOP.search(mark))
        found.append(
            Clause(
                conjuncts.completed(rewriter, segment, found[-1].text if found else "", mark),
                in_sequence,
                bool(re.match(r"[^.;]*:", mark)),
                comes_first=(not is_first and "after" in mark.split() and not in_sequence)
                or mark.endswith(" first ")
                or bool(found and found[-1].comes_first and _goes_on(segment, mark)),
                comes_next=(is_first and "before" in mark.split())
                or bool(found and found[-1].comes_next and mark.strip() in ("and", "&")),
                leads=(is_first and "after" in mark.split() and not in_sequence)
                or bool(_ONCE.match(segment)),
                begins_sentence=not found or "." in mark,
                is_background=bool(_ONCE.match(segment))
                or (is_first and not in_sequence and "after" in mark.split())
                or (is_first and "before" in mark.split() and "at-end" not in mark.split()),
            )
        )
    return tuple(found)


def _goes_on(segment: str, mark: str) -> bool:
    """Whether a segment goes on with what has to be done before: "... after taking the cup and emptying it"."""
    return mark.strip() == "and" and bool(re.match(rf"{GERUND} |\w+ (?:\w+ )?(?:it|them)\b", segment))


def _names_things_only(rewriter: Rewriter, segments: Sequence[tuple[str, str]]) -> bool:
    """Whether the sentence at the start of these segments consists of names: "Bring me my hat. Oh, and my jacket"."""
    for index, (segment, mark) in enumerate(segments):
        if index and conjuncts.STOP.search(mark):
            return ":" not in mark  # "then the office: ..."
        if not conjuncts.NOUN_PHRASE.fullmatch(segment) or rewriter.to_imperative(segment):
            return False
    return True


def _begins_statement(rewriter: Rewriter, before: str, segments: Sequence[tuple[str, str]]) -> bool:
    """Whether names after a remark are the subject of what follows: "I am tired, | the cup and the pan go there"."""
    if (
        rewriter.to_imperative(before)
        or rewriting.begins_imperative(before)
        or not conjuncts.is_remark(before)
    ):
        return False
    names: list[str] = []
    for index, (segment, mark) in enumerate(segments):
        if index and conjuncts.STOP.search(mark):
            return False
        if not conjuncts.NOUN_PHRASE.fullmatch(segment):
            shared = AND.join((before, *names, segment))
            return bool(
                index
                and _SUBJECT.match(segment)
                and rewriter.to_imperative(segment)
                and not (conjuncts.names_last(before) and rewriter.to_imperative(shared))
            )
        names.append(segment)
    return False


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
        if (_WISH.match(before) or _HAVE_AT_END.search(before)) and _PASSIVE.match(segment[match.end() :]):
            continue  # "i want the bowl put on the table"
        if rewriter.to_imperative(before) and not rewriting.ensure_prefix(before):
            return match
    return None


def _segments(rewriter: Rewriter, text: str) -> Iterator[tuple[str, str]]:
    """Yields the segments between conjunctions, without polite phrases, each with the conjunctions before it."""
    start, mark, fronted = 0, "", ""
    for conjunction in (*_CONJUNCTION.finditer(text), None):
        said = text[start : conjunction.start() if conjunction else len(text)].strip()
        segment = word_order.with_place_last(without_politeness(said), rewriter.knowledge)
        if re.search(r"\b(?:before|after)\b", mark):
            segment = _told(segment)
        if start and re.search(r" again$", said) and mark.strip() == ",":
            mark += " then "  # "empty it, fill it again"
        if _LAST.match(said):
            mark += " before at-end "  # "finish with the oven, but ..."
        elif start and (
            _FIRST.match(said) or (mark.strip() not in ("and", "&") and re.search(r"\w first$", said))
        ):
            mark += " first "
        begins = start == 0 or ("." in mark and conjunction is not None and conjunction[0].strip() == ",")
        if segment and begins and conjunction and word_order.PLACE_ALONE.fullmatch(segment):
            word_order.check_fronted(segment, rewriter.knowledge)
            fronted = f" {segment}"  # "in the kitchen, turn on the light"
        elif segment:
            *complete, segment = _split_unpunctuated(rewriter, segment)
            for part in complete:
                yield part, mark
                mark = " . "
            yield segment + fronted, mark
            mark = fronted = ""
        if conjunction and fronted and not segment and "." in conjunction[0]:
            yield fronted.strip(), mark  # "in the kitchen, please. then ..."
            mark = fronted = ""
        if conjunction:
            mark += conjunction[0]
            start = conjunction.end()
    if fronted:
        yield fronted.strip(), mark


def _told(segment: str) -> str:
    """Returns "try the door" for "you try the door" after "before", and "you have tried the door" as it is."""
    match = re.match(
        rf"you (?:have (?!a |{_SUBJECT.pattern}|it\b|them\b))?(?P<rest>(?P<verb>\w+).*)", segment
    )
    if match is None:
        return segment
    if re.match(
        rf"have (?:a (?:\w+ )?look\b|(?:it|them|{_SUBJECT.pattern} [^.,;]+?) {PARTICIPLE}\b)", match["rest"]
    ):
        return without_politeness(match["rest"])
    if match["verb"] in verbs.PARTICIPLES or re.match(
        r"(?:are|were|have|had|can|could|will)\b", match["rest"]
    ):
        return f"you have {match['rest']}"
    return without_politeness(match["rest"])
