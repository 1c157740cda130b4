"""Reads errands as plain requests: what is done on the way, and words for the speaker's own place.

"Pop over and hand me the mug" asks for the mug, "head to the kitchen with the mug and leave it there" to bring it
there, and "here with me" and "into my hands" are where the speaker is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.attitudes import CONTENT, GOOD
from stma_ros.domains.household.language.contrasts import (
    ABOUT_IT,
    AT,
    END,
    PLACE_START,
    SHORT_THING,
    START,
    THING,
)
from stma_ros.domains.household.language.patterns import BASE, ENSURE, GERUND, I_WANT, MODAL, PREPOSITION
from stma_ros.domains.household.language.substitutions import Substitution, compiled, verb_like
from stma_ros.domains.household.language.unread import UnreadError

_GO = (
    r"(?:go(?:ing)?|run(?:n?ing)?|pop(?:ping)?|nip(?:ping)?|dash(?:ing)?|hop(?:ping)?|walk(?:ing)?|head(?:ing)?"
    r"|com(?:e|ing)"
    r"|hurry(?:ing)?|rush(?:ing)?|step(?:ping)?|skip(?:ping)?|trot(?:ting)?|slip(?:ping)?|jump(?:ing)?|driv(?:e"
    r"|ing)|roll(?:ing)?"
    r"|get(?:ting)? (?:up|yourself))"
)
_TRIP = rf"(?:{_GO}|mak(?:e|ing) (?:a|the) (?:\w+ )?(?:trip|journey|run))"
_OVER = r"(?: (?:off|over|out|along|round|around|across|back|up|down|ahead|there|quickly|straight|right))*"
_TO = r"(?P<to>(?:in)?to (?:the|my|our|that|this|an?|(?:any |just )?one of (?:the|those|these|my|our)) [^.,;:&]+?)"
_IT = r"(?:it|them)"
_CHANGE = (
    r"(?:open(?:ing)?|clos(?:e|ing)|shut(?:ting)?|turn(?:ing)?|switch(?:ing)?|power(?:ing)?|flick(?:ing)?"
    r"|flip(?:ping)?"
    r"|click(?:ing)?|start(?:ing)?|stop(?:ping)?|fill(?:ing)?|empty(?:ing)?)"
)
_TAKE = r"(?:tak(?:e|ing)|bring(?:ing)?|carry(?:ing)?)"
_LEAVE_IT_THERE = r"(?:,? and (?:leav|dropp?|putt?|set)(?:e|ing)? (?:it|them) (?:off |down )?there)?"
_NAMED = (
    r"(?:(?:the|my|our|a|an|all|both|every|each|one|two|three) (?:[^.,;:]|, (?=(?:and )?(?:the|my|our|an?) ))+?|it"
    r"|them)"
)
_TAP = r"(?:the|a) (?:\w+ )?(?:tap|faucet)"
_HERE = r"(?:(?:over|right|back|straight|up|out|all the way) )*here"
_ME = r"(?:me|us)"
_WITH_ME = (
    rf"(?:{_HERE} (?:with|to|for|by|beside|next to|near) {_ME}|to {_ME} {_HERE}|with {_ME} {_HERE}|{_HERE} where"
    r" (?:i|we)"
    r" (?:am|are)(?: \w+ing)?|to where (?:i|we) (?:am|are)(?: (?:sitting|standing|lying|resting|working|waiting"
    r"|right|now"
    r"|at))*|to my (?:side|seat|chair|hands?)|(?:right )?in front of me)"
)
_BY = r"(?: (?:out of (?:the|my|our) way|off my hands|away|out))* by "


def _doing(match: re.Match[str]) -> str:
    """Returns what a match does "by" means of something else."""
    return f"{verb_like(match, verbs.GERUNDS[match['doing']])} {match['on']}{match['x']}"


def _taken_there(match: re.Match[str]) -> str:
    """Returns the taking of a thing from the place to which somebody is to go for it."""
    is_same_form = match[0].split()[0].endswith("ing") == match["do"].split()[0].endswith("ing")
    return f"{match['do']}{match['x']} from {match['from']}" if is_same_form else match[0]


_RULES: Sequence[Substitution] = (
    # "i would get the mug myself, but i am too tired, so please bring it to me"
    (
        rf"{START}(?:i|we) (?:would|could|can not|could not) (?:just )?(?:{BASE}) {THING} (?:myself"
        r"|ourselves)(?:,? but"
        rf" [^.;,]*)?{ABOUT_IT}",
        r"i can not reach \g<x> . ",
    ),
    # where the speaker is
    (
        rf"\b(?P<what>what (?:i|we) (?:\w+ )?(?:want|need|would like)) (?:{_WITH_ME}|in (?:my|our) hands?) (?=is\b)",
        r"\g<what> ",
    ),
    (rf"\b{_WITH_ME}{END}", "to me"),
    (rf"\b{_WITH_ME}(?=,? (?:and|from|please)\b)", "to me"),
    (
        rf"\b(?:putt?|plac|lay|dropp?|press)(?:e|ing)? {THING} (?:straight |right )?(?:in|into) (?:my|our)"
        rf" (?:\w+ )?hands?{END}",
        lambda m: f"{verb_like(m, 'bring')} {m['x']} to me",
    ),
    (
        rf"\b(?P<be>should|must|need to|needs to|ought to) be in (?:my|our) hands?{END}",
        r"\g<be> be brought to me",
    ),
    (
        r"\bto be (?:handed|given|brought|passed|served) (?=(?:the|a|an|my|our|some|all|both|two|three) )",
        "to have ",
    ),
    (
        rf"(?P<wish>{START}{I_WANT} (?:the|my|our|all|both|that|those) (?:(?! (?:and|{PREPOSITION}) )[^.,;:])+?)"
        rf" back{END}",
        r"\g<wish>",
    ),
    (
        r"(?P<start>(?<=^)|(?<=[.;:] ))(?P<x>(?:the|my|our|a|an|two|three|all|both) (?:[\w'-]+ ){0,3}[\w'-]+)"
        r" ?,? please ?,?"
        rf" and (?=(?:{BASE}) (?:it|them)\b)",
        r"\g<start>\g<x> . please ",
    ),
    (rf"\bhave {THING} to {_ME}{END}", r"have \g<x>"),
    (
        rf"\b(?:ends? up|lands?|gets?|winds? up|is|are) in(?:to)? (?:my|our) (?:\w+ )?hands?{END}",
        lambda m: f"{'is' if m[0].split()[0].endswith('s') else 'are'} brought to me",
    ),
    # "instead of my getting up for the mug, bring it to me", "i do not have the mug with me, ..."
    (
        rf"{START}(?:(?:instead of|rather than) (?:my |me |us |our )?(?:having to )?(?:(?:get|gett|go|walk|run"
        r"|runn|come|com"
        rf"|climb|stand)(?:ing)?{_OVER}) (?:for|to (?:get|fetch|collect)) {THING}"
        r"|(?:my|our) (?:\w+ )?(?:legs?|knees?|back|feet|foot|hips?) (?:will|can|could|do|does) not (?:carry"
        rf"|take|let|get) {_ME}"
        rf" (?:as far as|all the way to|over to|to|to get to|reach|fetch|get|walk to) {THING.replace('<x>', '<y>')}"
        rf"|(?:i|we) do not have {THING.replace('<x>', '<z>')} (?:with|on|by) {_ME}"
        rf"|(?:i|we) have (?:come|gone|left|walked|sat|lain)(?: (?:away|out|off|up|in|here|down|back))* without"
        rf" {THING.replace('<x>', '<w>')})(?=(?: and (?:i|we) [^.,;]+)?{ABOUT_IT})",
        lambda m: f"i can not reach {m['x'] or m['y'] or m['z'] or m['w']}",
    ),
    (
        rf"\b(?P<you>you (?:(?:could|would|can|will|might|please) )*)let {_ME} have {SHORT_THING}{END}",
        r"\g<you>bring me \g<x>",
    ),
    # "when you next come over, have the mug with you"
    (
        rf"{START}when you (?:next )?(?:come|get|are)(?: (?:next|over|back|here|round|by|to {_ME}))* ?,?"
        r" (?:please )?(?:have|bring)"
        rf" {THING} (?:with|on) you{END}",
        r"bring me \g<x>",
    ),
    (rf"\b(?P<do>bring(?:ing)?) {THING} back with you{END}", r"\g<do> \g<x> to me"),
    # "go for the mug and bring it to me"
    (
        rf"\b(?P<go>go(?:ing)?) for {THING},? and (?P<do>(?:bring|fetch|carry|hand|tak)(?:e|ing)?) {_IT}\b",
        r"\g<do> \g<x>",
    ),
    # "save me getting up and bring me the mug"
    (
        rf"{START}(?:(?:save|spare) {_ME} (?:from |the (?:trip|walk|trouble|effort|bother)(?: of)? ?)?"
        r"|(?:instead of|rather than)"
        r" (?:me |my |us )?)(?:(?:having to )?(?:get(?:ting)? up|go(?:ing)?|stand(?:ing)? up|walk(?:ing)?"
        r"|fetch(?:ing)? it)"
        rf"{_OVER}(?: (?:myself|ourselves))?)?,? ?(?:and|by|,) (?=\w)",
        "",
    ),
    # "make sure that i get the mug", "would you mind coming over here with the mug"
    (
        rf"\b(?:{ENSURE}|(?:making sure|seeing (?:to it)?|ensuring)(?: that)?) (?:i|we) (?:(?:can|will|finally"
        r"|also) )*"
        rf"(?:get|have|receive|am given|am brought|am handed)(?: back)? {SHORT_THING}(?: (?:back|soon|now))*{END}",
        lambda m: f"{verb_like(m, 'bring')} me {m['x']}",
    ),
    (
        rf"\b(?:com(?:e|ing)|return(?:ing)?)(?: (?:back|over|straight|right))* (?:here|to {_ME}) (?:with|bringing|and"
        rf" bring(?:ing)?) {THING}{END}",
        lambda m: f"{verb_like(m, 'bring')} {m['x']} to me",
    ),
    # "get the mug and come back to me with it"
    (
        r"\b(?:com(?:e|ing)|return(?:ing)?|run(?:ning)?|hurry(?:ing)?)(?: (?:straight|right|back|here|over|to"
        rf" {_ME}))+ with"
        rf" (?P<it>it|them){END}",
        lambda m: f"{verb_like(m, 'bring')} {m['it']} to me",
    ),
    # "pop over and hand me the mug", but not "get the dishwasher running, and hand me the mug"
    (
        rf"\b(?:(?!running,? and\b)|(?<=\bmind )|(?<=\byou )){_GO}{_OVER},? and"
        rf" (?=(?:please )?(?:{BASE}|{GERUND}|see|check|find|look|tell) )",
        "",
    ),
    # "provide me with the mug"
    (
        rf"\b(?:provid|suppl|furnish|equip|present|serv)(?:e|y|ing|ying|ping)? {_ME} with {THING}{END}",
        lambda m: f"{verb_like(m, 'bring')} me {m['x']}",
    ),
    # "take the mug with you to the kitchen and leave it there"
    (
        rf"\b(?P<take>{_TAKE} {THING}) (?:with you|along)(?: with you)?(?P<to> (?:in)?to {PLACE_START} (?:(?!"
        r" and )[^.,;:])+?)"
        rf"{_LEAVE_IT_THERE}{END}",
        r"\g<take>\g<to>",
    ),
    # "go in search of the mug"
    (
        rf"\b{_GO}{_OVER} (?:in (?:search|quest|pursuit) of|on (?:a|the) (?:\w+ )?(?:search|hunt|lookout) for"
        r"|looking for|searching for|hunting for) (?=(?:the|my|our|an?|all|both|any|one|two|three|his|her|it"
        r"|them)\b)",
        lambda m: f"{verb_like(m, 'look')} for ",
    ),
    # "head to the kitchen with the mug and leave it there"
    (
        rf"\b{_TRIP}(?: (?:over|back|off|along))* {_TO} ?,?(?: please ?,?)? (?:with {THING}|(?:and|to|\. (?:and )?)"
        rf"(?: ?please)? ?{_TAKE} (?P<y>{_NAMED}(?<! back))"
        r" (?:with you|along)"
        rf"|(?:and|to) drop(?:ping)? off (?P<z>{_NAMED})){_LEAVE_IT_THERE}{END}",
        lambda m: f"{verb_like(m, 'take')} {m['x'] or m['y'] or m['z']} {m['to']}",
    ),
    (
        rf"{START}(?:i|we) (?:am|are) (?:just )?(?:on (?:my|our) way|heading|going|off|walking) {_TO}, (?:so"
        r" )?(?P<ask>(?:please"
        rf" |could you |can you |would you )+)(?:bring|take|carry) {THING} (?:there|along|over){END}",
        r"\g<ask>take \g<x> \g<to>",
    ),
    (
        rf"\b(?:walk(?:ing)?|run(?:n?ing)?|wheel(?:ing)?|roll(?:ing)?|driv(?:e|ing)) {THING} (?:(?:over|across"
        r"|up|down|back|along) )+"
        rf"{_TO}{END}",
        lambda m: f"{verb_like(m, 'take')} {m['x']} {m['to']}",
    ),
    # "the mug has to get to the shelf, and i would be glad if you carried it"
    (
        rf"(?P<wish>{START}(?:{SHORT_THING} (?:belongs?|goes?|{MODAL} (?:be|get|go|come|move|end up|live|stand))"
        rf"|{I_WANT}"
        rf" {SHORT_THING.replace('<x>', '<y>')}) (?:back |over |up |down )?{PREPOSITION} {PLACE_START}"
        r" [^.,;:]+?)(?: ?[.,;]|,? (?:and|so))(?: (?:and|so|please|kindly|then|perhaps|maybe|you could|(?:could"
        r"|can|would|will)"
        rf" you(?: please)?|(?:i|we) would be (?:\w+ )?{CONTENT} if you(?: could| would)?|it would be (?:\w+"
        rf" )?{GOOD} if"
        r" you(?: could| would)?))* (?:mov|carr|shift|transfer|transport|convey)(?:e|y|ed|ied)? (?:it|them)(?:"
        r" over)?"
        rf"(?: there)?{END}",
        r"\g<wish>",
    ),
    # "go to the desk, pick up the mug and ..."
    (
        rf"\b{_GO}(?: (?:over|up|across|back))* (?:in)?to (?P<from>(?:the|my|our) (?:(?! (?:and|then|anyway)"
        r" )[^.,;:&])+?)"
        r"(?:,| and|, and) (?P<do>(?:(?:pick|take|get|grab|fetch|collect|remove)(?: up)? |(?:picking up|taking"
        r"|getting"
        rf"|grabbing|fetching|collecting|removing) ))"
        rf"{SHORT_THING}(?: from there)?(?=,| and\b|{END})",
        _taken_there,
    ),
    # "get the mug you will find on the desk"
    (
        rf"(?P<x>(?<!^)(?<![.;,] )\b(?:the|my|our) (?:[\w'-]+ ){{1,3}}?)(?:that |which )?you (?:will|can|should"
        r"|might|may) (?:find|see"
        rf"|spot|notice) (?={AT} )",
        r"\g<x>that is ",
    ),
    # "walk over to the lamp and turn it on"
    (
        rf"\b{_GO}(?: (?:over|up|across))* to {THING},? and (?P<do>{_CHANGE} (?:on |off |up |out )?){_IT}\b",
        r"\g<do>\g<x>",
    ),
    # "take the kettle to the tap and fill it", "hold it under the tap until it is full"
    (
        rf"\b(?:{_TAKE}|hold(?:ing)?|mov(?:e|ing)|put(?:ting)?) {THING} (?:over )?(?:to|under|beneath|below) {_TAP},?"
        rf" (?:(?:(?:and|to|then) )?fill(?:ing)? {_IT}(?: up)?(?: with (?:some |fresh |cold )?water)?|(?:until"
        r"|till) (?:it"
        rf"|they) (?:is|are) full){END}",
        lambda m: f"{verb_like(m, 'fill')} {m['x']}",
    ),
    (rf"\b{_GO}{_OVER} to {_TAP},? (?:and|to) (?=fill(?:ing)? )", ""),
    # "get the mug out of the way by putting it in the cupboard"
    (
        r"\b(?:get(?:ting)?|tak(?:e|ing) care of|deal(?:ing)? with|see(?:ing)? to|sort(?:ing)? out"
        r"|clear(?:ing)?|help(?:ing)? me"
        rf" with|giv(?:e|ing) (?:me|us) access to|let(?:ting)? (?:me|us) into) {THING}{_BY}(?P<doing>{GERUND})"
        rf" (?P<on>(?:on |off |up |out |away )?){_IT}\b",
        _doing,
    ),
)
_COMPILED = compiled(_RULES)


_TAKEN_ALONG = re.compile(
    rf"\b{_TRIP}(?: (?:over|back|off|along))* {_TO}(?:,| and) [^.;]* (?P<take>{_TAKE} {_NAMED} (?:with you"
    rf"|along)){END}"
)
"""After something else was done there, it is not clear whether a thing is taken from there or to there."""


def plain_requests(text: str) -> str:
    """Returns a normalised text whose errands are plain requests.

    Raises:
        UnreadError: it is not clear where to take a thing.
    """
    for pattern, plain in _COMPILED:
        text = pattern.sub(plain, text)
    either = _TAKEN_ALONG.search(text)
    if either:
        raise UnreadError(
            either["take"],
            "may be to there, or from there",
            "Say 'from there', or to which place it is to be taken.",
        )
    return text
