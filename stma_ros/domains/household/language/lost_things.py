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
_HAVING = r"(?:lay|get|put) (?:my|our|your) hands on|get hold of|lay (?:my|our) eyes on"
_WORRY = (
    r"(?:it (?:is|has been|keeps) (?:really |just )?(?:driving|bugging|annoying|bothering|worrying|puzzling)"
    r" (?:me|us)"
    r"(?: (?:mad|crazy|nuts|insane|bonkers|up the wall|round the bend))?(?: that)? )?"
)
_KNOWN = re.compile(
    r"^you (?:already |just |have |had )*(?:know|knew|told|informed|showed|shown|said)\b"
    r"|^knows\b|^(?:everybody|everyone|people) knows?\b|(?<!not )(?<!wish )(?<!if only )\b(?:i|we|he"
    r"|she|they)"
    r" (?:already |do |still )*(?:know|knew"
    r"|remember|see|recall|told"
    r"|said|forgot|asked)\b"
)
_TOLD = re.compile(r"\b(?:told|informed|shown)\b")
_NOT_TOLD = re.compile(
    r"\b(?:i|we) (?:(?:have|had|was|were|am|are|still|yet) )*(?:not|never) (?:(?:been|even|once|yet|ever|actually"
    r"|being) )*(?:told|informed|shown)\b"
    r"|\b(?:nobody|no one|none of \w+|you (?:have |had )?(?:not|never)|(?:they|he|she|people|everyone|everybody)"
    r" (?:has |have |had )?(?:not|never)) (?:(?:here|has|have|had|ever|even|yet|actually|bothered to) )*"
    r"(?:told|informed|shown) (?:me|us)\b"
    r"|\b(?:i|we) (?:(?!(?:not|never|no)\b)\w+ )*(?:like|love|want|need|glad|grateful|happy|pleased|hoping|wish"
    r"|delighted) to be (?:told|informed|shown)\b"
)
"""Somebody whom nobody has told where a thing is, or who wants to be told."""
_AT_END = (
    r"(?: (?:gone|got|been|be|have|found|disappeared|vanished|hiding|located|kept|put|left|lying|standing|hidden"
    r"|again|now|right now|at the moment"
    r"|to|at|in"
    r"|these days|today|last))*"
)


def _to_find_unknown(match: re.Match[str]) -> str | None:
    """Returns the request to find a thing of which somebody does not know where it is."""
    frame = match["frame"]
    words = (word in FRAME_WORDS or word in _NOT_KNOWING for word in frame.split())
    known = _KNOWN.search(frame) or (_TOLD.search(frame) and not _NOT_TOLD.search(frame))
    return None if known or not all(words) else f"find {match['x']}"


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
        "faintest",
        "slightest",
        "foggiest",
        "knew",
        "knowing",
        "life",
        "driving",
        "mad",
        "crazy",
        "nuts",
        "bugging",
        "bothering",
        "unclear",
        "unknown",
        "beats",
        "notion",
        "told",
        "informed",
        "shown",
        "inkling",
        "loss",
    ]
)

LOST_THINGS: Sequence[Rule] = (
    # "nobody seems to know where to find the mug", "i do not remember where i left it"
    (
        rf"(?P<frame>(?:\S+ )*?)where (?:to (?:find|look for|search for|get|{_HAVING})|(?:i|we|he|she|they"
        r"|some(?:one|body)) (?:may |might |could |must )?(?:have |has |had )?(?:last )?(?:put|left|placed|saw"
        r"|seen|lost"
        rf"|hid|stored|leave|kept|keep)) (?P<x>{_NAMED}){_AT_END}",
        _to_find_unknown,
    ),
    # "i do not suppose that you have seen the mug"
    (
        r"(?:i )?do not suppose (?:that )?you (?:have )?(?:\w+ )?(?:seen|spotted|come across|noticed|found|know"
        rf" where) (?P<x>{_NAMED})"
        rf"(?: (?:is|are))?(?: (?:anywhere|around|lately|somewhere))*",
        "find {x}",
    ),
    (
        r"(?:is there )?(?:any|a) (?:chance|possibility|hope)(?: that)? you (?:have |might have |may have"
        r" )?(?:\w+ )?(?:seen|spotted"
        rf"|come across|noticed|found|know where) (?P<x>{_NAMED})(?: (?:is|are))?(?: (?:anywhere|around|lately"
        r"|somewhere))*",
        "find {x}",
    ),
    # "i wonder whether you might have come across the mug"
    (
        r"(?:i|we) (?:wonder|(?:am|are|was|were) wondering) (?:if|whether) you (?:(?:might|may|could|happen to)"
        r" )*have"
        rf" (?:\w+ )?(?:seen|spotted|come across|noticed|found) (?P<x>{_NAMED})(?: (?:anywhere|around|lately"
        r"|somewhere))*",
        "find {x}",
    ),
    # "where could the mug have gone"
    (
        rf"where(?:abouts)? (?:can|could|might|may|would|will) (?P<x>{_NAMED}) (?:be(?: \w+ing| kept| hidden)?"
        r"|have (?:gone"
        r"|got|gotten|ended up|disappeared|vanished|wandered off|run off|been left|been put|been)(?: to)?)",
        "find {x}",
    ),
    # "i have turned the whole place upside down for the mug"
    (
        r"(?:i|we) have (?:already |just )?(?:searched|looked|hunted|turned|combed|scoured|ransacked|checked"
        r"|rummaged|been"
        rf" (?:all over|through|everywhere))\b(?:(?! (?:and|for) ).)*? for (?P<x>{_NAMED})(?: (?:already|in"
        r" every (?:\w+ )?(?:corner|room|drawer|place)|everywhere|high and low|all over(?: the (?:place|house"
        r"|flat))?|without"
        r" (?:any |much )?(?:luck|success|joy|result)|with no (?:luck|success|joy)|in vain|to no avail))*",
        "find {x}",
    ),
    # "looking for the mug is taking me ages"
    (
        rf"(?:looking|searching|hunting) for (?P<x>{_NAMED}) (?:is|has been|was) (?:taking|driving|getting"
        r"|wearing|tiring"
        r"|exhausting|hopeless|annoying|a (?:nightmare|pain|nuisance|waste of time)|no fun)(?: .+)?",
        "find {x}",
    ),
    (
        r"(?:i|we|my eyes|our eyes) (?:am|are|is)(?: \w+)? too \w+(?: \w+)? to (?:look|search|hunt) for"
        rf" (?P<x>{_NAMED})(?: (?:myself|ourselves))?",
        "find {x}",
    ),
    # "what would be the best place to look for the mug", "where should i look if i want the mug"
    (
        r"(?:what|which|where) (?:would be|is|might be) (?:the|a) (?:best|right|good|most likely|likeliest"
        r"|first) (?:place|spot|room)"
        rf" (?:to|for me to) (?:look|search|check|hunt|start looking|start searching)? ?(?:for|find) (?P<x>{_NAMED})",
        "find {x}",
    ),
    (
        r"where (?:should|could|would|do|must|might|can|ought) (?:i|we) (?:to |have to |need to |best )?(?:look"
        r"|search|go|start|check)"
        r"(?: (?:looking|first))? (?:if|when) (?:i|we) (?:want|need|wanted|needed|am looking for|would like|was"
        r" looking for|am after)"
        rf"(?: to (?:find|have|get|use))? (?P<x>{_NAMED})",
        "find {x}",
    ),
    # "it is a mystery where the mug has gone", "i have not got a clue where it is"
    (
        rf"(?P<frame>(?:\S+ )*?)where(?: (?:on earth|exactly|the heck))? (?P<x>{_NAMED}) (?:is|are|was|were|has|had"
        rf"|have|could be|might be|may be|(?:could|might|may|can|must) have"
        rf"|can be|went|got|ended up){_AT_END}",
        _to_find_unknown,
    ),
    # "where did i last see the mug"
    (
        r"(?P<frame>(?:\S+ )*?)where(?:abouts)? (?:in (?:this|the) \w+ )?(?:do|did|can|could|should|might|would"
        r"|must) (?:i|we|you|one|he"
        rf"|she) (?:last |have |possibly |have to |need to |best )*(?:leave|left"
        rf"|lose|lost|put|see|seen|find|look to find|go to find|look for|search for|{_HAVING})"
        rf" (?P<x>{_NAMED}){_AT_END}",
        _to_find_unknown,
    ),
    # "i have not been able to find the mug", "i am still looking for the mug"
    (
        rf"{_WORRY}(?P<frame>(?:i|we) (?:(?!you )\S+ )*?not (?:(?!you )\S+ )*?)(?:see|seen|find|found|locate"
        r"|spot|spotted"
        rf"|{_HAVING}) (?P<x>{_NAMED}){LOOKING_TIME}?"
        r"(?: (?:anywhere|lately|recently|yet|in a while|for days|for ages))*",
        _to_find_unknown,
    ),
    (
        r"(?P<frame>(?:i|we) (?:(?!not )\S+ )*?)(?:(?:looking|searching|hunting) (?:everywhere )?for|look for"
        rf"|search for) (?P<x>{_NAMED}){LOOKING_TIME}?",
        _to_find_unknown,
    ),
    (
        r"(?P<frame>(?:i|we) (?:(?!not )\S+ )*?(?:to|must) (?:still )?)(?:find|locate|spot) (?P<x>(?:(?! (?:in"
        r"|on|inside) ).)+)",
        _to_find_unknown,
    ),
)
