"""Prepares the words of a question: one spelling, and the clause that asks apart from what is said around it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPELLINGS = (
    (r"[\u2018\u2019\u00b4`]|''", "'"),
    (r"[\u201c\u201d\"]", ""),
    (r"\bwhat(?:'s| is) more\b,?", " "),  # and besides
    (r"\b(what|who|where|that|there|it|how)s\b(?! (?:own|house))", r"\1 is"),
    (r"\b(what|who|where|that|there|it|how|which)'s\b", r"\1 is"),
    (r"\bi'?m\b", "i am"),
    (r"\b(can|could|do|does|did|is|are|was|were|would|should|has|have|had)n'?t\b", r"\1 not"),
    (r"\bcannot\b", "can not"),
    (r"\b(i|you|we|they)'ll\b", r"\1 will"),
    (r"\b(i|you|we|they)'ve\b", r"\1 have"),
    (r"\b(you|we|they)'re\b", r"\1 are"),
    (r"\bcolor(ed|s)?\b", r"colour\1"),
    (r"\bin ?front\b", "in front"),
    (r"\binbetween\b", "in between"),
    (r"\bontop\b", "on top"),
    (r"\bbellow\b", "below"),
    (r"\bcent(?:er|re)\b", "centre"),
    (r"\bliving ?room\b", "living room"),
    (r"[()\[\]]", " "),
    (r"\b(the|a|an|of|is|in|on) \1\b", r"\1"),
    (r"\b(?:right now|at the moment|at present|please)\b", " "),
    (r"\s+", " "),
)
_SPELLING_RULES = tuple((re.compile(pattern), to) for pattern, to in _SPELLINGS)

_VERB = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|has|have|had|may|might|must)"
_AUXILIARY = rf"{_VERB}(?: not)?"
_WH = rf"(?:what|which|who|whose|whom|where|why|how|when(?= {_AUXILIARY}))"
_SUBJECT = r"(?!on\b|off\b|of\b)\w"
_ASKS = re.compile(rf"(?:(?:in|on|at|to|from|for|about|of|by|under|with) )?{_WH}\b|{_AUXILIARY} {_SUBJECT}")
_CLAUSE_END = re.compile(r"([.;]+\s+|[?!]+\s*|,\s*(?:and |so |but |then )*|:\s+)")
_FILLER = re.compile(r"^(?:and|so|but|then|please|hey|hi|hello|ok|okay|excuse me)\b[ ,]*")
_INDIRECT = re.compile(
    r"^(?:(?:(?:can|could|would|will) you )?(?:please )?(?:tell me|show me|say|see|look|find out|guess|check)"
    r"|(?:do|can) you (?:know|tell)(?: me)?|i (?:want|would like|need) to know|i (?:wonder|am wondering))"
    rf" (?=(?:if|whether|{_WH})\b)"
)
_WHETHER = re.compile(rf"^(?:if|whether) (?P<thing>.+?) (?P<verb>{_AUXILIARY}) (?P<said>.+)$")
_POLITE_NEGATION = re.compile(rf"^({_VERB}) not ")
_COMMAND = re.compile(
    r"^(?:please )?(?:name|identify|state|describe|give me|tell me|i (?:want|would like|need) to know)"
    r" (?=(?:the|a|an|all|this|my) )"
)
_IN_PLACE = re.compile(
    rf"^(?P<thing>.+?) (?P<verb>is|are|was|were) (?P<asked>(?:of |in |on |made of )?{_WH}\b.*)$"
)
_SAME_ROOM = re.compile(r"(?P<one>.+) and (?P<other>.+) in the same room$")
_FOLLOW_UP = re.compile(r"^if (?:so|yes|there (?:is|are)(?: one)?),? ")


@dataclass(frozen=True)
class Wording:
    """A question in its parts.

    Attributes:
        clause: the clause that asks, in lower case and one spelling, without a question mark: "where is it".
        before: the clauses before it: "i am looking for my yellow backpack".
        after: the clauses after it: "if so, where" of "Is there a paper cutter? If so, where?".
    """

    clause: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def context(self) -> str:
        """What is said before the clause that asks."""
        return " ".join(self.before)

    @property
    def follow_up(self) -> str:
        """A second question, without "if so"; empty = there is none."""
        after = " ".join(self.after)
        return _FOLLOW_UP.sub("", after) if asks(after) else ""


def normalised(text: str) -> str:
    """Returns a text in lower case, with one spelling for each word, without quotation marks and brackets."""
    text = text.strip().lower()
    for rule, to in _SPELLING_RULES:
        text = rule.sub(to, text)
    return text.strip()


def split_wording(text: str) -> Wording | None:
    """Returns the parts of a question; None if no clause of the text asks.

    The first clause that asks is taken. "If I sit here, what do I see?" asks in its second clause.
    """
    parts = _CLAUSE_END.split(normalised(text).rstrip(" ?.!,"))
    clauses = [_FILLER.sub("", part).strip() for part in parts[::2]]
    separators = parts[1::2]
    for index, clause in enumerate(clauses):
        asked = _direct(clause)
        if not _ASKS.match(asked):
            continue
        end = index + 1  # "the object between the desk, the couch and the bin" is one clause
        while end < len(clauses) and separators[end - 1][0] in ",:" and not asks(clauses[end]):
            asked = f"{asked}, {parts[2 * end].strip()}"
            end += 1
        return Wording(asked, tuple(filter(None, clauses[:index])), tuple(filter(None, clauses[end:])))
    return None


def _direct(clause: str) -> str:
    """Returns the plain form of a clause: "is the stove on" for "tell me whether the stove is on"."""
    clause = _COMMAND.sub("what is ", clause)
    if not _ASKS.match(clause):
        clause = _IN_PLACE.sub(r"\g<asked> \g<verb> \g<thing>", clause)
    asked = _INDIRECT.sub("", clause)
    if asked != clause:
        asked = _WHETHER.sub(r"\g<verb> \g<thing> \g<said>", asked)
    asked = _SAME_ROOM.sub(r"\g<one> in the same room as \g<other>", asked)
    return _POLITE_NEGATION.sub(r"\1 ", asked).strip()


def asks(clause: str) -> bool:
    """Whether a clause, in lower case and one spelling, asks something of its own."""
    return _FOLLOW_UP.match(clause) is not None or _ASKS.match(clause) is not None
