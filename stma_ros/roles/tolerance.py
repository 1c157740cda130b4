"""Building blocks for roles that use what is sound of a reply, instead of sending it back for one bad part.

The form of a reply, which servers enforce and the prompt explains, stays strict. A role with a `Tolerance` mends the
parsed reply before it is validated: bad parts are left out or corrected, and counted by reason. The counts go with the
answer, so that nothing is dropped silently.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")
ItemT = TypeVar("ItemT")

Counts: TypeAlias = tuple[tuple[str, int], ...]
"""Reasons with their counts, in the order in which they were first met."""

CUT_OFF = "reply cut off in the middle"
FURTHER = "further JSON object in the reply"
REPAIRED = "reply that is not valid JSON"
REPEATED = "field that is given twice"
AFTER_REFUSAL = "reply that may lack what a refused one had"

LOST_PARTS = frozenset({CUT_OFF, FURTHER, REPAIRED, REPEATED, AFTER_REFUSAL})
"""Reasons for which parts of a reply may be missing, whatever it was about."""

_TIMES, _BETWEEN = "x ", "; "


class BadItemError(ValueError):
    """An item of a list that cannot be used; the text is the reason, without the item's own words."""


class Faults:
    """Counts faults of one reply by reason.

    Attributes:
        is_cut_off: whether the end of the reply is missing.
        refused: the object in an earlier reply to the same question, which was sent back; empty if it held none; None
            if there was no such reply. A role adds AFTER_REFUSAL where the new reply may lack what the earlier one had.
    """

    def __init__(self, *, is_cut_off: bool = False, refused: Mapping[str, Any] | None = None) -> None:
        self.is_cut_off = is_cut_off
        self.refused = refused
        self._counts = Counter([CUT_OFF] if is_cut_off else [])

    def add(self, reason: str) -> None:
        """Counts a fault. reason: names what was left out or corrected, and why; the same words for the same fault."""
        self._counts[reason] += 1

    @property
    def counts(self) -> Counts:
        return tuple(self._counts.items())

    def sift(self, items: object, what: str, read: Callable[[Any], ItemT]) -> Iterator[ItemT]:
        """Reads the items of a list one by one; unusable ones are left out and counted.

        Args:
            items: the list as it was parsed; None = it is missing, which is no fault.
            what: name of the list, for the reason if it is no list.
            read: reads an item. Raises BadItemError for an unusable one.
        """
        if not isinstance(items, list):
            if items is not None:
                self.add(f"{what}: not a list")
            return
        for item in items:
            try:
                found = read(item)
            except BadItemError as problem:
                self.add(str(problem))
            else:
                yield found


def faults_text(faults: Counts) -> str:
    """Returns faults as text, for messages; empty if there are none."""
    return _BETWEEN.join(f"{count}{_TIMES}{reason}" for reason, count in faults)


def faults_in(text: str) -> Counter[str]:
    """Returns the counts by reason in a text of `faults_text`; empty for any other text."""
    counts: Counter[str] = Counter()
    for part in text.split(_BETWEEN):
        count, times, reason = part.partition(_TIMES)
        if not (times and reason and count.isdecimal()):
            return Counter()
        counts[reason] += int(count)
    return counts


@dataclass(frozen=True)
class Tolerance(Generic[QuestionT, AnswerT]):
    """How a role uses replies that are sound in part.

    Attributes:
        mend: makes reply data of the role's form from the JSON object of a reply to a question, and counts what it left
            out or corrected. Raises UnusableReplyError if nothing usable is left; any other data is accepted.
        noted: returns the answer with the counted faults.
    """

    mend: Callable[[dict[str, Any], QuestionT, Faults], object]
    noted: Callable[[AnswerT, Counts], AnswerT]
