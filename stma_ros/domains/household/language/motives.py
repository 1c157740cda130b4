"""Reads what people say of themselves as the reason of a request as a statement about its thing.

"So that nobody trips over the bag, put it away" and "my guests need not see the bag on the sofa, put it away" name the
thing of the request after them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.patterns import (
    ABOUT_IT,
    AT,
    BASE,
    DETERMINER,
    END,
    I_WANT,
    OTHER_PEOPLE,
    PLACE_START,
    SHORT_THING,
    START,
    STATE,
    THING,
    names_several,
)
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled

_PEOPLE = (
    rf"(?:i|we|he|she|they|you|one|people|no one|nobody|any(?:one|body)|some(?:one|body)|{OTHER_PEOPLE}|(?:the"
    r"|my|our|his|her)"
    r" (?:\w+ )?(?:patients?|tenants?|lodgers?|pupils?|students?|flatmates?|roommates?|cousins?|nephews?|nieces?"
    r"|dogs?|cats?|puppy|toddlers?|others?))(?: all| both)?"
)
_CAN_NOT = (
    rf"{_PEOPLE}(?: (?:really|just|simply|still))* (?:can not|could not|can hardly|can barely|do not|does not"
    r"|will not|will never|(?:am|is|are) (?:not able|unable|struggling|trying) to|(?:finds?|am finding|is finding) it"
    r" (?:hard|difficult|impossible) to)(?: (?:ever|even|properly))*"
)
_NEED_NOT = (
    rf"{_PEOPLE}(?: (?:really|just|simply))* (?:need not|must not|should not|do not (?:need|have|want) to"
    rf"|does not (?:need|have|want) to|would not want to|would rather not|might|may|could|will|keeps?|always|almost"
    rf"|nearly)"
)
_MEETS = (
    r"(?:see|find|notice|look at|trip(?:ping)?(?: up)?(?: over| on)?|stumbl(?:e|ing)(?: over| on)?|bump(?:ing)? into"
    r"|fall(?:ing)? over|step(?:ping)? on|sit(?:ting)? on|be (?:looking|staring) at|knock(?:ing)?(?: over)?"
    r"|tread(?:ing)? on"
    r"|tripped(?: over)?|stumbled over|fell over|stepped on|sat on)"
)


def _mentioned(match: re.Match[str]) -> str:
    """Returns a statement about the thing of the next request."""
    return f"i am about to use {match['x']} . "


def _present(match: re.Match[str]) -> str:
    """Returns the statement of how the thing is at present."""
    return f"{match['x']} {'are' if names_several(match['x']) else 'is'} {match['how']} . "


_MISHAP = (
    r"(?:lost|broken?|breaks?|damaged|dirty|wet|stolen|forgotten|cold|warm|dusty|spoil(?:ed|t)?|spoils?"
    r"|scratched|stained"
    r"|dropped|eaten|kicked|fall(?:s|ing)?(?: over| off| down)?|disappear(?:s|ing)?|vanish(?:es|ing)?|go(?:es"
    r"|ing)? (?:off|bad"
    r"|missing|astray|stale|cold)|los(?:e|t|ing)|gets? \w+|getting \w+|trodden on|stepped on|knocked (?:over"
    r"|off)|in the way"
    r"|mixed up|left (?:behind|lying|out)|lying|melts?|melting|leaks?)"
)
_REST = (
    r"(?: (?:(?:both|all|each) )?(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|gets?|stays?|remains?"
    r"|keeps?|goes|go|ends?|might|may|should|must|again|every|any ?more|any longer|all|when|while|on (?:my|our|their"
    r"|the way)|in the (?:dark|night|way)|at night|at all|lying|standing|sitting|properly|better|for|from|later|quickly"
    r"|easily|straight|first thing|there|around|without|as)\b(?:(?! and (?:the|my|our|all|both) )[^.,;:])*?)?"
)
"""What follows the name of a thing in its clause."""

_RULES: Sequence[Substitution] = (
    # "so that everyone knows where the mug is, put it on the table", "so that the mug does not get lost, put it away"
    (
        rf"{START}(?:just )?(?:so that|so|in order that) (?:{_PEOPLE} (?:(?!{DETERMINER} |that\b)[\w']+"
        rf" )+?)?(?!{_PEOPLE}"
        rf" ){THING}{_REST}{ABOUT_IT}",
        _mentioned,
    ),
    # "my guests need not see the mug on the table, put it away"
    (
        rf"{START}{_NEED_NOT} {_MEETS} {SHORT_THING} (?:(?:lying|standing|sitting|left|still) )*"
        rf"(?P<how>{AT} {PLACE_START} [^.,;:&]+?){ABOUT_IT}",
        _present,
    ),
    (
        rf"{START}(?:(?:sooner or later|one day|some day|at some point|any (?:minute|moment)|one of these days),? )?"
        rf"{_NEED_NOT} {_MEETS} {SHORT_THING}{_REST}{ABOUT_IT}",
        _mentioned,
    ),
    # "i can not sleep while the radio is on, turn it off"
    (
        rf"{START}{_CAN_NOT} [^.,;:]+? (?:while|when|if|as long as|because|with) {THING}(?: (?:is|are))?(?:"
        rf" (?:still|left|being|always))*"
        rf" (?P<how>{STATE}){ABOUT_IT}",
        _present,
    ),
    # "i can not reach what is in the oven while it is closed, open it"
    (
        rf"{START}(?:i|we) (?:can not|could not|am unable to) (?:reach|get at|get to|get|see|take out|use|put)"
        r" (?:what(?:ever)? is|anything"
        r"|something|things|the (?:things|stuff)(?: that (?:is|are))?) (?:in|into|inside|out of|from) "
        rf"{THING} (?:while|when|as long as|because|since|if) (?:it|they) (?:is|are)(?: still)?"
        rf" (?P<how>{STATE}){ABOUT_IT}",
        _present,
    ),
    # "my patient must not go thirsty, so fill the jug"
    (
        rf"{START}{_PEOPLE} (?:must|should|ought) not (?:to )?(?:go|be|get|become|feel|stay) (?!{DETERMINER}"
        r" )[\w-]+(?: [\w-]+)?,?"
        r" so (?=(?:please|kindly|could|can|would|will)\b)",
        "",
    ),
    # "nobody is going to drink what is in the jug, pour it out"
    (
        r"\b(?:nobody|no one)(?: here)? (?:is (?:ever )?going to|will(?: ever)?|would|wants to) (?:drink|use"
        r"|need|want|finish)"
        rf" (?=what(?:ever)? is (?:(?:still|left) )*in(?:side)? {THING}{ABOUT_IT})",
        "nobody wants ",
    ),
    # "i can not reach the switch, so turn on the lamp"
    (
        rf"{START}(?:i|we|my \w+) (?:can not|could not|am too \w+ to|am unable to|can hardly"
        rf"|can barely) (?:\w+ )?(?:reach|get to|get at|find|see|press|push|turn|work|operate|flip|manage)"
        r" (?:the|that|those|its|their) (?:[\w-]+ ){0,2}?(?:switch(?:es)?|buttons?|handles?|plugs?|sockets?|knobs?"
        r"|dials?"
        rf"|lids?|taps?|latch|catch)(?: (?:from here|myself))*,? (?:so|and so) (?=(?:[^.;]* )?(?:{STATE}|open|close"
        rf"|shut|switch|turn|fill|empty|start|stop)\b)",
        "",
    ),
    # "i do not want the mug to get lost, put it away", "before the mug gets lost, put it away"
    (
        rf"{START}(?:(?:i|we) (?:(?:do|would) not (?:want|like)|would hate(?: for)?|can not (?:risk|have)|am (?:afraid"
        rf"|worried|scared|anxious)(?: that)?|fear(?: that)?|worry(?: that)?)|it would be (?:a (?:shame|pity)|awful"
        rf"|terrible|too bad) if|before|in case|lest) {THING} (?:(?:to|will|might|may|could|would|should) )?(?:be |get "
        rf"|being )?{_MISHAP}(?: (?!and (?:the|my|our) )[^.,;:]+?)?{ABOUT_IT}",
        _mentioned,
    ),
    # "i would like to listen to the radio, turn it on", "nobody is listening to the radio, turn it off"
    (
        rf"{START}(?:{_PEOPLE}|some(?:one|body)) (?:(?:want|wants|need|needs|would like|have|has|am going|is going"
        rf"|are going|am about|plan|hope) to|will be|will|(?:am|is|are)(?: (?:not|still|even|actually|no longer))*"
        rf"|(?:does|do|did) not|never|has been|have been)(?: (?:even|really|just))* (?:listen(?:ing)? to|watch(?:ing)?"
        rf"|hear(?:ing)?|us(?:e|ing)|look(?:ing)? at|cook(?:ing)? with|work(?:ing)? (?:on|with|at)|play(?:ing)? with"
        rf"|sit(?:ting)? (?:on|at|by|under)) {SHORT_THING}(?: (?:any ?more|any longer|now|tonight|at the moment"
        rf"|right now|today|anyway|for a (?:bit|while)|in a (?:bit|minute|moment)))*{ABOUT_IT}",
        _mentioned,
    ),
    # "when i get in from work, i would like the mug to be on the table": by then, rather than from then on
    (
        rf"{START}(?:by the time (?:i|we) (?:get|come|am|are|arrive|return)(?: (?:up|down|out))?|(?:when|once"
        r"|as soon as) (?:i|we) (?:(?:get|come|am|are)(?= (?:in|back|home|here)\b)|arrive|return))(?: (?:in|back|home"
        r"|here|from (?:work|school|(?:the|my) \w+)))* ?, (?=(?:i|we) (?:would (?:like|love)|want|expect|need|hope)"
        r" [^.;]*\bto (?:be|find)\b)",
        "",
    ),
    # "there is too much stuff on the stove, so take the pot and put it in the sink", but not "..., so take the mop"
    (
        rf"{START}there (?:is|are) (?:too (?:much|many)|so (?:much|many)|(?:more than )?enough|a lot of|lots of)"
        r" (?:stuff|things|clutter"
        rf"|junk|mess) (?P<at>(?:in|on) {PLACE_START} [^.,;:]+?)(?: (?:already|again|now))?\s*[.,;] (?P<do>(?:so"
        r" )?(?:(?:please|could|can"
        rf"|would|will|you|kindly) )*(?:(?P<remove>remove)|take|get|grab|move|pick up|fetch))"
        rf" (?!an?\b|one\b){SHORT_THING}"
        rf"(?:(?: off| out| away)(?=,? and\b|\s*[.,;]|$)|(?=,? and (?:then |please )*{BASE} (?:it|them)\b)"
        r"|(?(remove)(?=,? and\b|\s*[.,;]|$)|(?!)))",
        lambda m: f"{m['do']} {m['x']} from {m['at'].partition(' ')[2]}",
    ),
    # "my hands shake, so fill the jug"
    (
        rf"{START}(?:my|our) (?:\w+ )?(?:hands?|back|knees?|legs?|eyes?|fingers?|arms?|feet|foot|wrists?|shoulders?"
        rf"|hips?|joints?|neck|head) (?:at the (?:\w+ )?(?:tap|sink|switch|handle) ?|(?!want|need|should|must|the\b"
        rf"|my\b|our\b)[\w'-]+ ?)+?,? so (?=(?:please|kindly|could|can|would|will|i)\b)",
        "",
    ),
    # "i need the dresser for something else, so take the mug off it"
    (
        rf"(?P<need>{START}{I_WANT} )(?P<of>(?:the|my|our) [^.,;:]+?) for (?:something|some other|other|another"
        r"|different)\b"
        r"[^.,;:]*(?=,? so\b|\s*[.;,])",
        r"\g<need>the use of \g<of>",
    ),
    (
        rf" for (?:what|the (?:thing|work|job)) (?:i|we) (?:am|are)(?: \w+)? (?:doing|making|cooking|working on"
        rf"|about to do|planning|preparing|writing|building|up to)(?: (?:here|now|today))?{END}",
        "",
    ),
    # "i want to see what is inside the cupboard, so open it"
    (
        rf"{START}(?:i|we) (?:(?:want|need|would like|have|am going|am trying) to (?:see|check|look at|know|find"
        r" out|get at|get"
        r" to)|wonder|am wondering|am curious) what(?:ever)? (?:is|there is|we have|i have|we keep|i keep|is"
        r" kept|is stored)"
        rf" in(?:side)? {THING}{ABOUT_IT}",
        _mentioned,
    ),
)
_COMPILED = compiled(_RULES)


def plain_statements(text: str) -> str:
    """Returns a normalised text whose reasons are statements about the things of the requests after them."""
    return applied(_COMPILED, text)
