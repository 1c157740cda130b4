"""Rules that rewrite imperatives that stand for another one: "find out where it is", "get the lamp switched off"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.imperatives import PLACE_VERB
from stma_ros.domains.household.language.patterns import (
    ME,
    PARTICIPLE,
    PLACE_ADJECTIVE,
    PREPOSITION,
    PRESENT,
    SHORT_X,
    Rule,
    X,
    desired_to_imperative,
)

CAUSATIVES: Sequence[Rule] = (
    (
        r"(?:search|check|scan|comb|scour|look|go)(?: in| through| around| all over)? (?:(?:the|every|each|all"
        r"|all the"
        r"|this|my|our) )+"
        r"(?:whole |entire )?(?:rooms?|house|flat|apartment|place|home)(?: one (?:by one|after (?:the other"
        rf"|another)|at a time))?(?: (?:and|&) (?:find|look(?:ing)? for)| for) {X}",
        "find {x}",
    ),
    (
        r"(?:(?:find|work|figure)(?: out)?|know|discover|determine|locate|look up|get|(?:give|tell|show|get)(?:"
        rf" {ME})?|report"
        rf"|identify|establish|name|say)(?: to {ME})? (?:the )?{PRESENT}(?:whereabouts|location|position) of {X}",
        "find {x}",
    ),
    (
        r"(?:do|make|take|have) (?:a|another|one more) (?:\w+ )?(?:sweep|tour|round|search|check|walk|scan"
        r"|trawl)(?: (?:of|through"
        r"|around|round|over) (?:(?:the|every|each|all|my|our) )+(?:whole |entire )?(?:rooms?|house|flat"
        r"|apartment|place|home))?"
        rf" for {X}",
        "find {x}",
    ),
    (
        rf"(?:(?:know|learn|find out|work out|(?:tell|show|give) {ME}|determine|report|establish) )?(?P<x>(?:the"
        r"|my|our|his"
        rf"|her) .+?)'s {PRESENT}(?:whereabouts|location|position)",
        "find {x}",
    ),
    (
        rf"{PLACE_VERB} (?P<y>(?:in|on|into|onto|next to|beside|near) (?:the|my|our) \w+?(?: \w+)??)"
        rf" (?P<x>(?:the|a|an|my|our|all|two"
        r"|three|four|both|every|some|each) .+)",
        "put {x} {y}",
    ),
    (
        rf"(?:get|have) {SHORT_X} (?P<rest>(?:(?:switched|turned|powered) (?:on|off)|(?:opened|closed|shut|filled"
        rf"|emptied)(?: up| out)?"
        rf"|(?:put|brought|taken|carried|moved|returned|sent) (?:back |over |up |down )?(?:to|into|onto|in|on|away"
        rf"|here)\b).*)",
        desired_to_imperative,
    ),
    (
        rf"get {SHORT_X} (?P<rest>lit|open|opened|closed|shut|on|off|full|empty|running)",
        desired_to_imperative,
    ),
    (
        r"find out (?P<rest>(?:if|whether) (?:there|you|the|my|our|we|i) .+)",
        "see {rest}",
    ),
    (
        rf"(?:find out|look|check|search|see) (?:where|(?:in |on )?(?:which|what) \w+) {X} (?:is|are)(?:"
        rf" in| on)?",
        "find {x}",
    ),
    (rf"(?:look|search|check|hunt|scan)(?: around)? (?P<y>{PREPOSITION} .+?) for {X}", "find {x} {y}"),
    (
        rf"(?:look|search|check|hunt) (?:around|through|all over|all around) (?P<y>(?:the|my|our) .+?)"
        rf" for {X}",
        "find {x} from {y}",
    ),
    (rf"(?:search|check|scan|comb|scour|inspect) (?!for\b)(?P<y>.+?) for {X}", "find {x} from {y}"),
    (
        rf"(?:(?:find|figure|work) out|(?:let {ME} )?know|(?:tell|show) {ME}|check|see|look|report(?: to {ME})?|say"
        r"|determine) (?P<x>where .+)",
        "{x}",
    ),
    (
        r"(?:have a (?:\w+ )?(?:search|hunt)|do (?:the|a) (?:\w+ )?(?:look(?:ing)?|search(?:ing)?|hunt(?:ing)?)"
        r"|(?:take over"
        r"|take on|join(?: in)?|help with) (?:the|my|our) (?:search|hunt)|find out|where (?:should|could|can|do"
        r"|must|might|would|ought) (?:i|we) (?:to )?(?:have to |best |need to )?(?:be looking|look|search|hunt"
        r"|start(?: looking)?|begin)|(?:know |see )?where (?:to"
        r" (?:look|search"
        r"|go)|i (?:should|could|might) look))(?: (?:as well|too|around|round|about|everywhere|again|instead))*",
        "find the same",
    ),
    (
        rf"find (?:a|some) {PLACE_ADJECTIVE}(?:place|spot|home|room|space) for {SHORT_X} (?P<y>{PREPOSITION} .+)|find"
        rf" (?P<z>.+?) a {PLACE_ADJECTIVE}(?:place|spot|home)"
        rf" (?P<w>{PREPOSITION} .+)",
        lambda m: f"put {m['x'] or m['z']} {m['y'] or m['w']}",
    ),
    (
        r"(?P<do>(?:open|close|shut|fill|empty|turn|switch|put) (?:(?:on|off|up) )?(?:it|them)(?: (?:on|off"
        r"|up))?)(?<=[nfmtp])"
        r" (?:in |on |over )?there",
        lambda m: m["do"] if not re.match("put (?:it|them)$", m["do"]) else None,
    ),
    (rf"get {SHORT_X} (?P<rest>inside .+)", desired_to_imperative),
    (rf"get {SHORT_X} (?P<rest>(?:back )?{PARTICIPLE}\b.*)", desired_to_imperative),
)
