"""Rules that rewrite statements and questions of somebody who does not know where a thing is as imperatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.frames import FRAME_WORDS
from stma_ros.domains.household.language.patterns import Rule

_NAMED = r"(?:the|my|our|a|an|any|some|all|both|his|her|that|those|these|two|three) .+?|it|them|they"
LOOKING_TIME = (
    r"(?: (?:all (?:morning|day|afternoon|evening|night|week)|for (?:hours|ages|days|weeks|a while|some time"
    r"|an hour|so long)"
    r"|the whole (?:morning|day|afternoon|evening|time)|since (?:this )?(?:morning|yesterday|lunch|breakfast)))"
)
_KNOWN = re.compile(
    r"^you know\b|(?<!not )\b(?:i|we|he|she|they) (?:already |do |still )*(?:know|knew|remember|see|recall|told"
    r"|said|forgot|asked)\b"
)
_AT_END = (
    r"(?: (?:gone|got|been|hiding|located|kept|put|left|lying|standing|hidden|again|now|right now|at the moment"
    r"|to|at|in"
    r"|these days|today|last))*"
)


def _to_find_unknown(match: re.Match[str]) -> str | None:
    """Returns the request to find a thing of which somebody does not know where it is."""
    frame = match["frame"]
    words = (word in FRAME_WORDS or word in _NOT_KNOWING for word in frame.split())
    return None if _KNOWN.search(frame) or not all(words) else f"find {match['x']}"


_NOT_KNOWING = frozenset(
    [
        "not",
        "no",
        "clue",
        "idea",
        "question",
        "mystery",
        "find",
        "work",
        "figure",
        "knows",
        "unsure",
        "uncertain",
        "nobody",
    ]
)

LOST_THINGS: Sequence[Rule] = (
    # "it is a mystery where the mug has gone", "i have not got a clue where it is"
    (
        rf"(?P<frame>(?:\S+ )*?)where(?: (?:on earth|exactly|the heck))? (?P<x>{_NAMED}) (?:is|are|was|were|has"
        rf"|have|could be|might be|may be"
        rf"|can be|went|got|ended up){_AT_END}",
        _to_find_unknown,
    ),
    # "where did i last see the mug"
    (
        r"(?P<frame>(?:\S+ )*?)where (?:do|did|can|could|should|might|would|must) (?:i|we|you|one|he"
        rf"|she) (?:last |have |possibly )*(?:leave|left"
        rf"|lose|lost|put|see|seen|find|look to find|look for|search for) (?P<x>{_NAMED}){_AT_END}",
        _to_find_unknown,
    ),
    # "i have not been able to find the mug", "i am still looking for the mug"
    (
        r"(?P<frame>(?:i|we) (?:(?!you )\S+ )*?not (?:(?!you )\S+ )*?)(?:see|seen|find|found|locate|spot"
        rf"|spotted) (?P<x>{_NAMED}){LOOKING_TIME}?"
        r"(?: (?:anywhere|lately|recently|yet|in a while|for days|for ages))*",
        _to_find_unknown,
    ),
    (
        r"(?P<frame>(?:i|we) (?:(?!not )\S+ )*?)(?:(?:looking|searching|hunting) (?:everywhere )?for|look for"
        rf"|search for) (?P<x>{_NAMED}){LOOKING_TIME}?",
        _to_find_unknown,
    ),
    (
        r"(?P<frame>(?:i|we) (?:(?!not )\S+ )*?to )(?:find|locate|spot) (?P<x>(?:(?! (?:in|on|inside) ).)+)",
        _to_find_unknown,
    ),
)
