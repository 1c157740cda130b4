"""Recognises statements that are the reason for the next request: "I need to get into the oven, please open it."""

from __future__ import annotations

import re

from stma_ros.domains.household.language import complaints, judgements, undone
from stma_ros.domains.household.language.patterns import PREPOSITION, REMEDY, STATES, undesired_to_imperative

_OUT_OF_PLACE = re.compile(
    r"(?P<x>.+) (?:(?:is|are) in (?:the|my|our) way|(?:needs?|wants?|deserves?|could do with|has no|have no)"
    r" (?:(?:a|its|their) )?(?:(?:own"
    r"|new|better|proper|different|fixed|safer|permanent) )*(?:home|place|spot)|(?:is|are)(?: still)? not where"
    r" (?:i|we)"
    r" (?:want|need|like|would like|would have|left|put|prefer|keep) (?:it|them)(?: to be)?|(?:is|are)(?:"
    r" still)? not where (?:it|they)"
    r" (?:should be|ought to be"
    r"|(?:is|are) supposed to be|needs?"
    r" to be|belongs?|goes?|was|were)"
    rf"|(?:does|do|should|must|can) not (?:belong|go|be|stay|live|stand|lie|sit|hang)(?: lying| standing|"
    rf" sitting| hanging| left| kept)? (?P<place>{PREPOSITION} .+)"
    r"|(?:should|must|ought) not (?:to )?be (?:full|empty|closed|shut)"
    r"|(?:should|must|can) not (?:be |just )*(?:lying|left|standing|sitting|lie|sit|stand)(?: around| about|"
    r" there| here)?"
    r"|(?:is|are|was|were|(?:has|have) been (?:put|left|placed)|ended up|got put)(?: all| still| both)? (?:(?:in|at"
    r"|on) (?:entirely |completely )?the wrong"
    r" (?:place|spot|room|location|shelf|side)|out of place|misplaced|not in (?:its|their|the) (?:right |proper "
    r"|usual )?(?:place|spot)))"
)


_INTENTION = re.compile(
    r"(?:i|we) (?:(?:want|need|have|would like|am going|are going|am about|are about|am trying|are trying|plan) to"
    r"|must|will have to|will)"
    r" (?:(?:get|take|put|grab|fetch|keep|store|find) (?:something|some things|a few things|some stuff|stuff)"
    r" (?:from|out of|in|into|inside|on|off)"
    r"|reach (?:in|into|inside)|get (?:in|into|inside|to|at)|reach|look (?:in|into|inside)|use|work (?:at|on)"
    r"|sit (?:on|at|down (?:on"
    r"|at))|cook with|see into) "
    r"(?P<x>(?:the|my|our|all|both|every|each|some|any|one|two|three|four|five|a|an)\b.+?)(?: (?:in a (?:moment"
    r"|minute|second|bit)|soon|shortly|later"
    r"|next))?"
)
_SOMETHING = re.compile(
    r"(?:i|we) (?:need|want|would like|have left|left) (?:something|some things|a few things) (?:from|out of|in"
    r"|inside|that is in)"
    r" (?P<x>(?:the|my|our|both|all) .+|it|them)"
    r"|(?:i|we) (?:have )?(?:got|taken|found|have) (?:everything|all|what|whatever|the things?)(?: that)? (?:i"
    r"|we) (?:need|needed|want"
    r"|wanted|came for)(?: to \w+)? (?:out of|from|in) (?P<w>(?:the|my|our|both|all) .+)"
    r"|(?:i|we) (?:need|want|would like|could do with)(?: to have)? (?:access to|(?:the )?use of) (?P<y>(?:the"
    r"|my|our|both|all) .+)"
    r"|(?:i|we) do not (?:need|want) (?:anything|something)(?: else| more)? (?:from|out of|in) (?P<z>(?:the|my"
    r"|our|both|all) .+)"
)
_USE = re.compile(r"(?:i|we) (?:need|want|would like|could do with)(?: to have)? (?:the )?use of .+")
_VANISHED = re.compile(
    r"(?P<x>(?:the|my|our|all|both) .+?) (?:(?:can not|could not) have|(?:seems?|appears?|must) (?:to )?have"
    r"|(?:has|have)) (?:just |simply )?(?:gone(?! off| bad| cold)|got lost|walked|wandered|run"
    r"|disappeared"
    r"|vanished|moved|left|grown)\b.*"
)
_OUT_OF_REACH = re.compile(
    r"(?P<far>(?:the|my|our|all|both) .+?) (?:is|are)(?: (?:just|still|well|too|completely))* (?:(?:out of"
    r"|beyond|not within"
    r"|outside)(?: (?:my|our))? reach|(?:too )?(?:far away|far off|high up|far|high)(?: (?:from|for) (?:me|us))?)"
    r"|(?:i|we)(?: (?:just|simply|really))* (?:can not|could not|am lost|am helpless|never) (?:[^&]+ )?without"
    r" (?P<needed>(?:the|my|our|all|both) .+)|"
    r"(?:i|we) (?:can not|could not|am unable to|are unable to)(?: (?:quite|even|really))? (?:reach|get to|get at"
    r"|carry|lift) "
    r"(?P<x>(?:the|my|our|all|both|a|an)\b.+?)(?: (?:myself|from here|right now|at the moment))*"
)
_UNNEEDED = re.compile(
    r"(?:(?:nobody|no one|no-one) (?:needs|wants|is using)|there is no (?:need|reason) for) (?P<y>(?:the|my|our"
    r"|all|that) .+?)"
    r" (?:to be |being )?(?:left )?(?:on|open|running)"
    r"|(?P<x>.+) (?:does|do) not (?:need|have) to (?:be|stay|remain|run|stand)(?: left| switched| turned)?(?: on"
    r"| open| running)?"
)
_WHEREABOUTS = re.compile(
    r"(?P<x>(?!where|what|which|who|how|when|why)(?:(?! where ).)+) (?:must|has to|have to|has got to|might|may"
    r"|could|will"
    r"|ought to"
    r"|should) (?:still )?be(?: (?:somewhere|around|here|there|nearby|about"
    r"|in (?:this|the) (?:house|flat|apartment|room|place)))*"
)
_CONTENTS = re.compile(
    r"there (?:is|are)(?: still)? (?:(?P<none>nothing|(?:no|not an?|not one)(?: single)? drop(?: of (?:water"
    r"|anything|liquid))?|no (?:\w+ )?(?:water|liquid)|not (?:much|enough|any) water)|something|anything|stuff"
    r"|(?:some |a bit of |a little )?(?:water|liquid|tea"
    r"|coffee|juice|soup|milk))"
    r"(?: left| still)? in(?:side)? (?P<x>.+)"
    r"|(?P<vessel>(?:the|my|our|all|both) .+?)(?: still)? (?:has|have|contains?|holds?) (?:some |a bit of "
    r"|a little )?"
    r"(?:water|liquid|something|stuff|tea|coffee|juice|soup|milk|wine)(?: left)?(?: in (?:it|them))?"
    r"|the (?:\w+ )?(?:water|liquid|contents) (?:in(?:side)?|of) (?P<of>(?:the|my|our|all|both) .+?) (?:is|are"
    r"|has|have|looks?|smells?"
    r"|tastes?)(?! (?:hot|warm|boiling|ready|fresh)\b) .+"
)
_NO_PLACE = re.compile(
    r"(?P<from>(?:the|my|our) .+?) (?:is|are) (?:no|not (?:a|the)(?: right| proper| good)?|the wrong) (?:place"
    r"|home|spot)"
    r" for (?P<x>.+)"
)
_REMOVE_IT = re.compile(
    r"(?:get rid of|throw|tip|pour|dump|remove|drain|clear|empty)(?: out| away)? (?:it|that|them)(?: out| away)?"
)
_STATE = re.compile(
    r"(?P<x>.+?(?<! that)(?<! which)) (?:is|are|was|were|(?:has|have) been|got)(?: (?:still|left|already|switched"
    r"|turned|again|currently|all|both))*"
    r" (?P<not>not )?(?P<rest>open|closed|shut|on|off|running|full|empty)(?: again)?"
)


_ABSENT = re.compile(
    r"(?P<x>(?:the|my|our|all|both) .+?(?<! that)(?<! which)) (?:is|are)(?: still)? not(?: yet)? (?P<at>(?:in"
    r"|on|next to|inside)"
    r" (?:the|my|our|an?|one of the) .+?)(?: (?:yet|as (?:it|they) should be|any ?more))?"
)


def tells_state(text: str) -> bool:
    """Whether a clause says in what state a thing is."""
    return bool(_STATE.fullmatch(text))


def is_general(text: str) -> bool:
    """Whether a reason may be one for requests about other things: "I need the use of the table"."""
    return bool(_USE.fullmatch(text))


def thing(text: str, request: str) -> str:
    """Returns the object of a statement that gives a reason, with its place; empty for other texts.

    Args:
        text: a clause that is no imperative.
        request: plain imperative of the next clause; empty = there is none.
    """
    contents = _CONTENTS.fullmatch(text)
    if contents:  # "bring it" would be about the contents
        vessel = contents["x"] or contents["vessel"] or contents["of"]
        return vessel if request.startswith("fill " if contents["none"] else "empty ") else ""
    no_place = _NO_PLACE.fullmatch(text)
    if no_place:
        return f"{no_place['x']} from {no_place['from']}"
    out_of_place = _OUT_OF_PLACE.fullmatch(text)
    if out_of_place:
        return f"{out_of_place['x']} {out_of_place['place'] or ''}".strip()
    reason = (
        _INTENTION.fullmatch(text)
        or _SOMETHING.fullmatch(text)
        or _UNNEEDED.fullmatch(text)
        or _OUT_OF_REACH.fullmatch(text)
        or _VANISHED.fullmatch(text)
        or _WHEREABOUTS.fullmatch(text)
    )
    if reason is None:
        return ""
    named: str = next(filter(None, reason.groups()))
    return named


def remedy(remark: str, text: str) -> str:
    """Returns the imperative that ends the state in a remark, as "please see to that" asks; empty for other texts."""
    action = undone.action(remark, text)
    if action:
        return action
    contents = _CONTENTS.fullmatch(remark)
    if contents and not contents["none"] and _REMOVE_IT.fullmatch(text):
        return f"empty {contents['x'] or contents['vessel'] or contents['of']}"
    if not REMEDY.fullmatch(text):
        return ""
    absent = _ABSENT.fullmatch(judgements.without_thought(remark))
    if absent:
        return f"put {absent['x']} {absent['at']}"
    state = _STATE.fullmatch(remark)
    if state and state["not"]:
        return f"{STATES[state['rest']]} {state['x']}"
    return (undesired_to_imperative(state) if state else "") or complaints.remedy(remark)
