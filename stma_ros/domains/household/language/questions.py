"""Rules that rewrite questions about the place of an object as imperatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.lost_things import LOOKING_TIME, LOST_THINGS
from stma_ros.domains.household.language.patterns import (
    ME,
    OTHER_PEOPLE,
    PREPOSITION,
    PRESENT,
    STATE,
    CategoryTemplate,
    Rule,
    X,
)
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SAY = (
    r"(?:check|see|look|tell me|find out|know|tell|say|verify|let (?:me|us) know"
    r"|(?:i|we) (?:wonder|(?:am|are|was|were) wondering))"
)
_THING = r"(?P<x>(?:the|my|our|a|an|any|some|all|his|her|that|those|these) .+?)"
_SOME = r"(?P<x>(?:a|an|any|some|(?:two|three|four) )(?: more| other)? .+?)"


def _to_whereabouts(match: re.Match[str], knowledge: CategoryKnowledge) -> str | None:
    """Returns the request to find a thing of which is asked whether it is around: "is the mug | around here?"."""
    noun = match["x"].split()
    known = any(
        knowledge.is_known(knowledge.canonical(" ".join(noun[start:]))) for start in range(1, len(noun))
    )
    return f"find {match['x']}" if known and not re.search(rf" {STATE}$", match["x"]) else None


QUESTIONS: Sequence[Rule] = (
    # whereabouts
    (
        rf"(?:see|spot) (?P<x>(?:the|my|our|any|a|an|his|her) (?:(?! {PREPOSITION} ).)+?)(?: anywhere| somewhere)?",
        "find {x}",
    ),
    (
        rf"{X} (?:seems?|appears?) to (?:be|have) (?:missing|lost|gone(?: missing)?|disappeared|vanished)",
        "find {x}",
    ),
    (
        r"(?:(?:tell|show|report to) (?:me|us) |(?:say|know|report) )?where(?:abouts)? (?:i|we|one|you) (?:can"
        r"|could|may"
        r"|might|will|would|should) (?:find|get|see|look for|spot|expect|(?:lay|get|put) (?:my|our|your) hands on"
        rf"|get hold of) {X}",
        "find {x}",
    ),
    (
        rf"(?:i|we) (?:have been|am|are|was|were) (?:\w+ )?(?:looking|searching"
        rf"|hunting)(?: \w+)? for (?P<x>.+?){LOOKING_TIME}",
        "find {x}",
    ),
    (r"(?:see|spot) (?P<x>it|them|him|her)(?: (?:anywhere|somewhere))?", "find {x}"),
    (
        r"(?:(?:tell|show|let) (?:me|us)(?: know)? )?where(?:abouts)? you (?:have )?(?:see|find|spot|spotted|saw"
        r"|found|come across"
        rf"|noticed|notice|discover|locate) {X}",
        "find {x}",
    ),
    (
        rf"(?:(?:tell|show|give) (?:me|us) )?the {PRESENT}(?:place|spot|room) (?:where|in which) (?:(?:i|we|you"
        r"|one) (?:can|could"
        r"|might|will|would|should|may)(?: \w+)?|to) (?:find|see|get|look for) (?P<x>.+)"
        rf"|(?:(?:tell|show|give) (?:me|us) )?the {PRESENT}(?:place|spot|room) (?:where|in which) (?P<y>.+?)"
        r" (?:is|are|can be"
        r" found)(?: kept| hidden| stored)?",
        lambda m: f"find {m['x'] or m['y']}",
    ),
    (rf"where to (?:find|get|look for|search for) {X}", "find {x}"),
    (rf"{X} (?:is|are) nowhere (?:to be (?:found|seen)|in sight)", "find {x}"),
    # whether it is somewhere
    (
        rf"{_SAY} (?:if|whether) (?:there (?:is|are)(?: still)?|(?:i|we|you) (?:still )?have(?: got)?|you"
        rf" (?:can )?(?:find|see"
        rf"|spot)) {X}",
        "find {x}",
    ),
    (
        rf"{_SAY} (?:if|whether) {_THING} (?:is|are)(?: still)? (?P<y>(?:in|on|under|near|next to|inside"
        rf"|beside|behind|by|at) .+)",
        "find {x} {y}",
    ),
    (rf"(?:is|are) {_THING} (?:still |in )*there", "find {x}"),
    (
        rf"(?:do|have) (?:i|we|you) (?:still |already )?(?:have |got |own |happen to have )*{_SOME}(?:"
        rf" left)?(?P<y>(?: {PREPOSITION} .+)?)",
        "find {x}{y}",
    ),
    (rf"(?:might|could|would|should|may|can) there (?:still )?be {X}", "find {x}"),
    (rf"(?:are|were) there {_SOME}", "find {x}"),
    (
        rf"(?:if|should|when|once|in case) you (?:happen to |should )?(?:come across|run into|stumble"
        rf" (?:on|upon|over|across)|find|see|spot|notice) {X}",
        "find {x}",
    ),
    # where it is
    (rf"(?:see|figure out|work out|learn) where {X} (?:is|are)", "find {x}"),
    (
        rf"(?:keep|continue|go on) (?:on )?(?:looking|searching|hunting)(?: for (?:it|them))? (?:until|till) you"
        r" (?:(?:have )?(?:found|find|located?|come across|spot|spotted|see|seen|discover|run into|stumble"
        r" (?:on|upon)"
        rf"|lay (?:your )?(?:hands|eyes) on|get to)) {X}"
        r"|(?:keep|continue|go on) (?:on )?(?:looking|searching|hunting) (?:until|till) (?P<y>.+?) (?:turns? up"
        r"|is found|are found|appears?|shows? up|comes? to light)",
        lambda m: f"find {m['x'] or m['y']}",
    ),
    (rf"(?:lead|guide|point|direct|show) me (?:the way )?(?:to|towards|in the direction of) {X}", "find {x}"),
    (rf"(?:show|point) {ME}(?: to)? {X}|point out (?P<y>.+)", lambda m: f"find {m['x'] or m['y']}"),
    (
        rf"(?:where|in (?:which|what) (?:room|place|spot)) (?:it is|they are|is it|are they) (?:that )?{X}",
        "find {x}",
    ),
    (
        rf"where (?:i|we|he|she|they|you|{OTHER_PEOPLE}) (?:have |has |had |may have |might have |could have"
        rf" )?(?:put|left|placed|lost|leave|hid|stored) {X}",
        "find {x}",
    ),
    (rf"{X} & where(?: is it| are they| is he| is she)?", "find {x}"),
    (
        rf"(?:in )?(?:which|what) \w+ (?:would|could|might|should|may|will|can) {X} be(?: in| on| at)?",
        "find {x}",
    ),
    (
        r"(?:would|could|might) (?P<x>(?:a|an|any|some) .+) be (?P<y>(?:in|on|under|near|next to|inside"
        r"|beside|behind) .+)",
        "find {x} {y}",
    ),
    (rf"where {X} (?:stands?|lies?|hangs?|sits?|lives?|belongs?)", "find {x}"),
    (
        rf"where (?:is|are) {X} (?:hanging|standing|sitting|lying|located|displayed|placed|kept|stored|hung"
        rf"|mounted)",
        "find {x}",
    ),
    (rf"how (?:can|could|do|might|would|should) (?:i|we) (?:find|locate|get to) {X}", "find {x}"),
    (
        rf"what (?:has )?(?:happened to|become of|became of) {X}|what have (?:i|we|you) done with (?P<y>.+)",
        lambda m: f"find {m['x'] or m['y']}",
    ),
    (rf"(?:who|what) (?:took|has taken|has got|has hidden|hid|moved) {X}", "find {x}"),
    (
        rf"(?:where|in (?:what|which) (?:place|room|spot)|whereabouts) (?:has|have|is|are) {X} (?:gone|got to"
        rf"|ended up|been)",
        "find {x}",
    ),
    (
        rf"where (?:did {X} (?:go|end up|hide)|(?:does|do) (?P<y>.+) (?:live|hide))",
        lambda m: f"find {m['x'] or m['y']}",
    ),
    (rf"where (?:do|would|did) (?:i|we|you|one) (?:usually |normally )?(?:keep|store) {X}", "find {x}"),
    (
        rf"where (?:did|have|has) (?:i|we|you|he|she|they|\w+) (?:put|leave|left|lose|lost|placed?) {X}",
        "find {x}",
    ),
    (rf"where (?:could|might|can|may) {X} be", "find {x}"),
    (rf"(?:which|what) (?:room|place|\w+) (?:is|are) {X} (?:in|on|at)", "find {x}"),
    (r"(?:which|what) (?:room|place|\w+) (?P<x>.+?) (?:is|are)(?: in| on| at)?", "find {x}"),
    (
        r"(?:in|on|at) (?:which|what) (?:room|place|spot|\w+) (?:i|we) (?:can|could|might|will) (?:find|see"
        rf"|get) {X}",
        "find {x}",
    ),
    (
        r"(?:in|on|at) (?:which|what) (?:room|place|spot|\w+) (?:can|could|do|would|will|did|should|might|must)"
        r" (?:i|we"
        rf"|you) (?:find|see|get|keep|have|put|leave|look for|search for|expect) {X}",
        "find {x}",
    ),
    (
        rf"(?:which|what) (?:room|place|\w+) (?:did|do|have|might|could) (?:i|we|you|he|she|they|{OTHER_PEOPLE})"
        r" (?:have )?(?:leave|left|put"
        rf"|keep|see|last see|last have|forget) {X} (?:in|on|at|under)",
        "find {x}",
    ),
    (rf"(?:in|on|at) (?:which|what) \w+ (?:is|are) {X}", "find {x}"),
    (rf"(?:where|whereabouts)(?: exactly| on earth)? (?:is|are) {X}", "find {x}"),
    (
        r"(?:(?:i|we) )?(?:cannot|can not|could not|am unable to|do not|can no longer)(?: seem to| manage to|"
        r" for the life of me| quite| appear to)? (?:find|see|locate)"
        r" (?P<x>(?!anything|much|a thing|well|nothing).+)",
        "find {x}",
    ),
    (
        r"(?:(?:i|we)(?: have| must have| seem to have| think (?:i|we)(?: have)?"
        rf"| may have)? )?(?:lost(?: track of| sight of)?"
        rf"|misplaced|mislaid) {X}",
        "find {x}",
    ),
    (
        rf"(?:(?:i|we|{OTHER_PEOPLE}) (?:(?:am|are|is) )?)(?:trying to (?:find|locate)|search(?:ing)?(?: for)?"
        rf"|seek(?:ing)?|hunting(?: for)?|on the lookout for) {X}",
        "find {x}",
    ),
    (rf"(?:i|we) (?:am|are) (?:looking|searching|hunting) for {X}", "find {x}"),
    (
        rf"(?:(?:has|have|did) )?(?:any(?:one|body)|some(?:one|body)|you) (?:seen|see|come across|spotted"
        rf"|noticed) {X}",
        "find {x}",
    ),
    (rf"(?:is there )?any (?:sign|trace) of {X}", "find {x}"),
    (
        rf"(?:you have )?(?:not )?(?:seen|spotted) {X}(?: (?:lately|recently|anywhere|around|somewhere))?",
        "find {x}",
    ),
    (
        rf"(?:did|do|can) (?:you|any(?:one|body)|some(?:one|body)) (?:see|notice|spot|remember seeing) {X}",
        "find {x}",
    ),
    (rf"who (?:has seen|saw|has found|found) {X}", "find {x}"),
    (
        r"(?:who|(?:does|do) (?:any(?:one|body)|some(?:one|body)|you)|(?:any|some)(?:one"
        rf"|body))(?: here)? knows? (?:where|in which \w+)"
        rf" {X} (?:is|are|could be|might be|went)",
        "find {x}",
    ),
    (rf"(?:is|are) {_THING}", CategoryTemplate(_to_whereabouts)),
    (rf"(?:has|have) {X} (?:turned up|been (?:found|seen)|shown up|reappeared)", "find {x}"),
    (r"is there (?P<x>(?:a|an|any|some) .+)", "find {x}"),
    (
        rf"the {PRESENT}(?:whereabouts|location|position) of {X} (?:is|are) (?:unknown|not known|unclear|a"
        r" mystery|a puzzle)"
        rf"(?: to {ME})?",
        "find {x}",
    ),
    (
        rf"(?:(?:what is|report|state|give me|tell me|say|name|determine|identify|indicate) )?(?:the"
        rf" )?{PRESENT}(?:whereabouts|location|position|place) of {X}",
        "find {x}",
    ),
    (
        rf"(?!where|what){X} (?:is|are|has|have) (?:missing|lost|gone(?: missing)?|disappeared|vanished)",
        "find {x}",
    ),
    *LOST_THINGS,
    (rf"{_THING} (?:went missing|can not be found|(?:has|have) to turn up(?: somewhere)?)", "find {x}"),
    (r"(?:there is )?no (?:sign|trace) of (?P<x>.+)", "find {x}"),
    (rf"{_THING} (?:has|have) been (?:missing|mislaid|lost|misplaced){LOOKING_TIME}?", "find {x}"),
    (r"who knows the whereabouts of (?P<x>.+)", "find {x}"),
)
