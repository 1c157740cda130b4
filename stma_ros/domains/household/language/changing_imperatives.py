"""Rules that rewrite imperatives of finding things and of changing their states as the plain ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.patterns import ME, CategoryTemplate, Rule, X
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SWITCH = r"(?:pop|stick|flick|turn|switch|power|flip|click|put|set|leave|keep)"


def _to_switch(match: re.Match[str]) -> str:
    return f"{'stop' if match['how'] == 'out' else 'switch ' + match['how']} {match['x']}"


def _to_empty(match: re.Match[str], knowledge: CategoryKnowledge) -> str | None:
    """Returns "empty x", or None for a drink from an object that is not a vessel, such as a carton from a fridge."""
    words = match["x"].split()
    is_vessel = any(knowledge.is_vessel(" ".join(words[start:])) for start in range(len(words)))
    is_drink = match["drink"] and words[0] not in ("it", "them")
    return None if is_drink and not is_vessel else f"empty {match['x']}"


CHANGES: Sequence[Rule] = (
    # find
    (
        rf"(?:search|look|looking|searching|(?:have|take) a (?:\w+ )?look|go looking|be on the lookout|keep an"
        rf" eye out|hunt|seek)(?: around| round| about| everywhere)? for {X}",
        "find {x}",
    ),
    (
        r"(?:find|locate|spot|detect|discover|seek out|seek|track down|hunt down|(?:sniff|ferret|nose|root) out"
        r"|look out for"
        rf"|identify)(?: me)? {X}",
        "find {x}",
    ),
    (
        r"(?:go on a (?:\w+ )?(?:hunt|search) for|keep an eye (?:open|out) for|keep (?:your|both) eyes? (?:\w+"
        r" )?(?:peeled|open"
        r"|out) for|keep a (?:sharp )?lookout for|(?:(?:do|have|make) a (?:\w+ )?(?:search|hunt|scout|rummage"
        r"|poke|nose|root)"
        r"|scout|rummage|ferret)(?: around| round| about)? for|(?:root|cast|poke|nose) (?:around|round|about)"
        r" for|cast an eye (?:around|round|about|over) for"
        rf"|dig out|take {ME} to) {X}",
        "find {x}",
    ),
    (rf"(?:take|have) a look (?:where|whether|if) {X} (?:is|are)", "find {x}"),
    (r"(?:search|seek) (?P<x>it|them|him|her)", "find {x}"),
    (
        rf"(?:hunt|track|chase) {X} down|(?:seek|search|sniff) (?P<y>.+?) out",
        lambda m: f"find {m['x'] or m['y']}",
    ),
    # states
    (rf"(?P<how>on|off|out) with {X}", _to_switch),
    (
        r"(?:(?:pop|crack|slide|pull|push|throw|swing) open|open up|open wide|open|unclose) (?P<x>.+?)(?: up)?",
        "open {x}",
    ),
    (rf"(?:open|pull|push|slide|swing|throw|yank) {X} (?:open|up)", "open {x}"),
    (rf"(?:leave|keep|set|prop|hold|get|put) {X} (?:wide )?open", "open {x}"),
    (
        r"(?:close|shut|slam) (?:up |tight )?(?!down\b|off\b)(?!.* (?:down|off)$)(?P<x>.+?)(?: up| tight)?",
        "close {x}",
    ),
    (rf"(?:leave|keep|push|pull|slide|swing|set|get|hold|put) {X} (?:closed|shut|to)", "close {x}"),
    (r"(?:turn|switch|power|flip|click|put) (?P<how>on|off|out) (?P<x>(?!top of ).+)", _to_switch),
    (
        rf"{_SWITCH} (?P<x>[^&]+?) (?P<how>on|off) & (?P<y>(?:the|my|our|all|every|both) (?:(?! (?:on|off"
        rf"|open|in|to|into|onto)\b).)+)",
        lambda m: f"switch {m['how']} {m['x']} & {m['y']}",
    ),
    (rf"{_SWITCH} (?P<x>.+?) (?:back |to )?(?P<how>on|off|out)", _to_switch),
    (
        rf"{_SWITCH} {X} (?:back )?(?P<how>on|off|out) (?P<y>in (?:the|my|our|every|all|there\b) ?.*)",
        lambda m: f"{_to_switch(m)} {m['y']}",
    ),
    (
        r"(?P<x>(?:\w+ )?(?:lights?|lamps?)) (?P<how>on|off|out) (?P<y>in .+)",
        lambda m: f"{_to_switch(m)} {m['y']}",
    ),
    (r"(?P<x>(?:all |the )*lights) (?P<how>out)", _to_switch),
    (
        r"(?:pour|put|run|get|add|let|bring) (?:some |the |more |cold |fresh |tap )*water (?:in|into|inside"
        rf"|to) {X}",
        "fill {x}",
    ),
    (
        r"give (?P<x>(?!me\b|us\b|him\b|her\b).+?) (?:(?:some|a bit of|a little|more|fresh|a drop of) )*(?:water"
        r"|an? (?:refill|top-up"
        r"|top up|drink of water))",
        "fill {x}",
    ),
    (
        r"(?:start up|start|run|activate|boot up|boot|fire up|power up|enable|launch)"
        rf" {X}(?: up"
        rf"| running)?",
        "start {x}",
    ),
    (rf"(?:get|keep|leave|have|set) {X} (?:running|going|started)", "start {x}"),
    (rf"(?:stop|deactivate|disable|kill|extinguish|power down|shut (?:down|off)) {X}", "stop {x}"),
    (rf"(?:shut|power) {X} (?:down|off)", "switch off {x}"),
    (rf"(?:power|boot|fire|start) {X} up", "start {x}"),
    (
        r"(?:fill|refill|top)(?: up)?(?: me| us)? (?P<x>(?:(?! with ).)+?)(?: up| to the (?:brim|top|rim)"
        r"| full)*(?:"
        r" with (?:some |cold |fresh |tap )*water)?(?:(?: up)? (?:at|from|in|under|with) the (?:\w+ )?"
        r"(?:tap|sink|washbasin|faucet|basin|bathtub)(?: water)?)?",
        "fill {x}",
    ),
    (
        r"(?:pour|tip|throw|empty|drain|get rid of|get|dump|remove|clear)(?: out| away)? (?:what(?:ever)?"
        r"|everything|anything"
        r"|all)(?: that)? (?:is|there is)"
        r"(?: still| left)* in(?:side)? (?P<x>.+?)(?: out| away)?",
        "empty {x}",
    ),
    (
        r"(?:pour|tip|throw|discard|dispose of|get rid of|get|let|drain|empty|dump|remove)(?: out| away|"
        r" off)?(?: all)?"
        r" (?:(?:the|any|old|some) )*(?:\w+ )?(?:water|liquid|contents?|(?P<drink>tea|coffee|soup|juice|wine))(?:"
        r" away| out)?"
        r" (?:out of|of|from|in|inside|off) (?P<x>.+?)(?: away| out)?(?: (?:in|into|down) the (?:\w+ )?(?:sink"
        r"|drain"
        r"|washbasin|bathtub))?",
        CategoryTemplate(_to_empty),
    ),
    (
        r"(?:empty|pour|drain|tip)(?: out| away)? (?P<x>.+?)(?: out| away)?(?: (?:in|into|over|down|at)"
        r" the (?:\w+ )?(?:sink|drain|washbasin|basin|bathtub|plughole))?",
        "empty {x}",
    ),
    (
        r"(?:get rid of|pour(?: out| away)?|tip(?: out| away)?|throw(?: out| away)?|dump|drain|remove) (?:the"
        r"|that|this|all the)"
        r" (?:\w+ )?(?:water|liquid|contents?)(?: out| away)?",
        "empty it",
    ),
)
