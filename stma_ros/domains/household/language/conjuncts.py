"""Decides whether the words after a conjunction continue the clause before it, or begin a new one."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import (
    complaints,
    conditions,
    frames,
    lexicon,
    noun_phrase,
    rewriting,
)
from stma_ros.domains.household.language.patterns import (
    AND,
    GERUND,
    MODAL,
    OBJECT_START,
    PARTICIPLE,
    PREPOSITION,
    REMEDY,
    STATE,
)
from stma_ros.domains.household.language.rewriting import Rewriter
from stma_ros.memory.category_knowledge import CategoryKnowledge

STOP = re.compile(r"[.:;]")
_MORE = re.compile(r"\b(?:and|plus|then|as well as|along with|together with)\b")
_CAN_DO = r"can(?= (?:be|go|come|stay|get|move|stand|have|please|also|now|then|finally|you|i|we)\b)"
_DETERMINER = (
    r"(?:(?:all|both) (?:of )?(?:(?:the|my|our) )?|(?:the|my|our|a|an|his|her|their|some|every|each|any|one|two"
    r"|three|four|five) )"
)
_WORDS = (
    rf"(?:(?!(?:{PREPOSITION}|that|which|is|are|and|should|must|{_CAN_DO}|to|back|away|over|up|down|out)\b)"
    r"[\w'-]+ ?){1,4}"
)
NOUN_PHRASE = re.compile(r"(?:the|my|our|a|an|his|her|some|two|three|four|all|both)(?: [\w'-]+){1,4}")
_NAMED_LAST = re.compile(rf"(?:^|.* )(?P<thing>{_DETERMINER}{_WORDS})$")
_MEMBER = re.compile(rf"{_DETERMINER}{_WORDS}(?: {PREPOSITION} .+)?")
_ONE_OF_SEVERAL = re.compile(
    rf"(?:the|my|our|a|an|his|her|one) {_WORDS}(?<!s)(?<!s )(?: {PREPOSITION} (?:the|my|our) \w+)?\s?"
    r"(?:that |which )?(?:are|were|have|go|belong|need|live|end|get|come|stand|lie)\b"
)
"""A verb in the plural after a single thing: the subject begins before it."""
_THAT_ARE = re.compile(r" (?:that|which) are(?: both| all| still)? (in|on)(?= )")
_FROM = {"in": " out of", "on": " off"}
"""Prepositions of a place that the members of a list share."""

_WITH_DESTINATION = re.compile(rf"{_DETERMINER}[^&]+? (?:into|onto|to) (?!(?:be|go|get|stay|end|stand|lie) )")
_CARRIED = re.compile(rf"(?:take|bring|tidy) (?:(?! (?:{PREPOSITION}|away|back|for|here|me) ).)+")
_GOES = re.compile(
    rf"(?:go|be|come|end up|stay|get) (?:back )?(?:{PREPOSITION} (?!it\b|them\b)|away|{PARTICIPLE}|{STATE})"
)
_MUST = re.compile(rf" (?:{MODAL}|can|could|may) ")
_BROUGHT = re.compile(r" (?:to (?:me|us)|here)$|^\w+ (?:me|us) ")
_TO_SPEAKER = re.compile(r" (?:me|us|here|for|out|away|back)\b")
_OWN_SUBJECT = re.compile(
    r"(?:i|we|you|he|she|they|it|there|nobody|no one|some(?:one|body)|every(?:one|body))"
    rf" (?!(?:{PREPOSITION}|away|back)\b)\w+"
)
_IS_TO_BE = re.compile(
    rf"{_DETERMINER}{_WORDS}(?:{PREPOSITION} [^&]+? )?to (?:be|get|end up|go|come)(?: back| all| both)?"
    rf" (?:{PARTICIPLE}"
    rf"|{PREPOSITION}|{STATE})\b"
)
_IS_PUT = re.compile(
    rf"{_DETERMINER}{_WORDS}(?<= )(?!left\b|kept\b){PARTICIPLE} (?:back |over |up |down )?{PREPOSITION} "
)
_WISHES = re.compile(
    r"\b(?:have|having|get|getting|want|like|love|prefer|need|see|seeing) (?:(?! (?:in|on|at|to|from) ).)+$"
)
"""What is to become of a thing, said without a verb of its own: the beginning is in the words before."""
_STATEMENT = re.compile(
    rf"{_OWN_SUBJECT.pattern}"
    r"|(?:the|my|our|his|her|their|this|that) (?:\w+ )?\w+ (?:is|are|was|were|has|have|will|would|can|could)\b"
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|needs?|should|must|ought|can|could|may|goes|go|belongs?|wants?|lives?)\b"
)
_RELATIVE = re.compile(r" (?:that|which) (?:is|are)(?= )")
_PLAIN_OBJECTS = re.compile(
    r"(?:open|close|switch on|switch off|start|stop|fill|empty|put|take|find|bring) (?P<x>.+)"
)
_RELATIVE = re.compile(rf" (?:that|which) (?:is|are)(?: \w+ly)? (?={PREPOSITION} )")
_DOING = re.compile(rf"{GERUND} {OBJECT_START}\b")
_IS_DOING = re.compile(
    r"\b(?:i|we|he|she|they|am|is|are|was|were|been|busy|keeps?|kept|like|love|hate|enjoy|stopped|finished|spent)\b"
    r".*? \w{2,}ing\b"
)
"""What somebody else does, or did, and not what is asked for."""
_CHANGE = re.compile(r"(?:open|close|switch|start|stop|fill|empty) ")
_REMARK = re.compile(
    r"\b(?:i|we|you|he|she|they|it|there|this|that|nobody|someone|somebody|everyone|is|are|was|were|am|has"
    r"|had|have|lost|forgot"
    r"|needs?|wants?|looks?|feels?|smells?|got)\b"
)


def extended(rewriter: Rewriter, before: str, segment: str, mark: str, *, names_things: bool) -> str:
    """Returns a clause with the words after it if they continue it; empty if they do not.

    Args:
        rewriter: of clauses.
        before: the clause.
        segment: what follows it.
        mark: the conjunctions between them.
        names_things: whether the sentence of the segment only names things.
    """
    if completed(rewriter, segment, before, mark) != segment:
        return ""
    is_further_object = names_things and rewriter.to_imperative(before)
    stops = bool(STOP.search(mark)) and not (_MORE.search(mark) and is_further_object)
    if _continues(segment, before, mark) and not (stops and rewriter.to_imperative(before)):
        return f"{before} {segment}"
    if stops or _begins_request(rewriter, segment, before) or re.match(rf"not {PREPOSITION} ", segment):
        return ""
    if _ONE_OF_SEVERAL.match(segment):
        segment = _THAT_ARE.sub(lambda match: _FROM[match[1]], segment, count=1)
    return f"{before}{AND}{segment}"


def completed(rewriter: Rewriter, segment: str, before: str, mark: str) -> str:
    """Returns a segment with the words that it omits because they are in the text before it."""
    segment = segment.removeprefix("that ") if rewriting.ensure_prefix(before) else segment
    has_own = rewriting.ensure_prefix(segment) or STOP.search(mark) or _NAMED_LAST.fullmatch(segment)
    prefix = "" if has_own or rewriting.begins_action(segment) else rewriting.ensure_prefix(before)
    if prefix and rewriter.to_imperative(prefix + segment) and rewriter.to_imperative(before):
        return prefix + segment  # "make sure that the door is closed and the lamp is off"
    if (
        _GOES.match(segment)
        and _MUST.search(before)
        and not rewriting.begins_action(before)
        and not STOP.search(mark)
    ):
        return f"the same should {segment}"  # "the mug must come off the table and go into the sink"
    # "... carried to the kitchen and put in the sink"
    return ("" if STOP.search(mark) else rewriter.with_object(segment, before)) or segment


def names_last(text: str) -> bool:
    """Whether a clause ends with the name of a thing."""
    return bool(_NAMED_LAST.fullmatch(text))


def is_remark(text: str) -> bool:
    """Whether a clause has a subject and a verb, as far as its words tell."""
    return bool(_REMARK.search(text))


def _continues(segment: str, before: str, mark: str) -> bool:
    """Whether a segment continues the sentence before it: "... and into the box", "... : to be filled"."""
    if re.search(
        r" with (?:it|them|that|those)$|^(?:on|off|out|away) with |^(?:(?:off|straight|back|over) )*(?:(?:in"
        r"|on)?to|inside|in|on) .* with (?:the|my|our|all|both|every|each|an?|one|two"
        r"|three|it\b|them\b) ?",
        segment,
    ):
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
    if _shares_predicate(rewriter, before, segment):
        return False
    if _DOING.match(segment) and rewriter.to_imperative(before):
        return True  # "open the fridge before putting the cup | and the plate in it"
    if _DOING.match(segment) and _IS_DOING.search(before):
        return False  # "i am busy washing the dishes | and putting the plates in the cupboard"
    if (
        rewriting.ensure_prefix(segment)
        or rewriting.is_unsupported(segment)
        or rewriting.begins_imperative(segment)
        or re.match(
            r"(?:it|they) (?:is|are|was|should|may|might|must|could|ought|can|lies|stands)\b", segment
        )
    ):
        return True
    if (
        before.endswith(" the same")
        or frames.is_conversation(before)
        or (_STATEMENT.match(segment) and (rewriter.to_imperative(before) or is_remark(before)))
    ):
        return True  # "bring me my glasses, i am blind without them"
    if re.match(r"(?:go|walk|head|drive|come|proceed) (?:over |back )?(?:to|into) ", segment):
        return True
    if re.match(r"(?:is|are|where|in which|have you|do you|did you) ", segment) and rewriter.to_imperative(
        segment
    ):
        return True
    if rewriter.to_imperative(segment) and re.search(r"\b(?:it|them|they)\b|\bone(?= is\b|$)", segment):
        return True  # "the umbrella, where is it?"
    if _changes_kind(rewriter, before, segment):
        return True
    if _BROUGHT.search(before) and _WITH_DESTINATION.match(segment) and rewriter.add_verb(segment):
        return True  # "bring the orange to me and the apple to the kitchen"
    return bool(rewriter.to_imperative(segment)) and bool(
        rewriter.to_imperative(before)
        or (not rewriting.begins_imperative(before) and " " in before and is_remark(before))
    )


def _shares_predicate(rewriter: Rewriter, before: str, segment: str) -> bool:
    """Whether a clause says one thing of the last thing that it names and of the first one of the segment.

    Examples are "somebody left the oven | and the lamp on", "grab the book | and the pen that are in the sink" and
    "take the cup | and the plate into the kitchen".
    """
    first = _NAMED_LAST.fullmatch(before)
    if first is None or not _MEMBER.match(segment):
        return False
    if _ONE_OF_SEVERAL.match(segment):
        return True
    if re.search(rf"\b{PREPOSITION} $", before[: first.start("thing")]):
        return False  # "the mirror should be in the hall | and the umbrella there"
    if _IS_TO_BE.match(segment) or (_IS_PUT.match(segment) and _WISHES.search(before)):
        return bool(rewriter.to_imperative(f"{before}{AND}{segment}"))
    plain = rewriter.to_imperative(before)
    if _CARRIED.fullmatch(plain) and _WITH_DESTINATION.match(segment):
        return not _TO_SPEAKER.search(before)
    if plain and not plain.startswith(("bring ", "take ")):
        return False
    if plain and _PREDICATE.search(_RELATIVE.sub("", segment)):
        return False  # "i would like the cup | and the lamp should be off"
    joined = f"{before}{AND}{segment}"
    wanted = _PLAIN_OBJECTS.fullmatch(rewriter.to_imperative(joined) or complaints.remedy(joined))
    return (
        wanted is not None
        and AND in wanted["x"]
        and not wanted["x"].endswith(segment)  # each has a predicate of its own
        and all(map(_MEMBER.fullmatch, wanted["x"].split(AND)))
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
    named = changed.split()[-2] if len(changed.split()) > 1 else ""
    if changed is segment and re.search(rf"{PREPOSITION} (?:the|my|our) {named}$", before):
        return True  # "the box in the wardrobe, the wardrobe closed"
    return rewriter.knowledge.is_known(category) and not _can_be(rewriter.knowledge, plain, category)


def _can_be(knowledge: CategoryKnowledge, plain: str, category: str) -> bool:
    """Whether things of a category can get into the state of a plain imperative."""
    if plain.startswith(("open ", "close ")):
        return category in lexicon.OPENINGS or knowledge.is_openable(category)
    return (
        knowledge.is_vessel(category)
        if plain.startswith(("fill ", "empty "))
        else knowledge.is_device(category)
    )
