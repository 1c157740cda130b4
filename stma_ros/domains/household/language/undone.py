"""Reads what somebody has not done or cannot do and asks the robot to do.

An example is "I meant to close it, could you do that?".
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import (
    ACTION,
    BASE,
    GERUND,
    OTHER_PEOPLE,
    PARTICIPLE,
    PREPOSITION,
    STATE,
)
from stma_ros.domains.household.language.substitutions import applied, compiled

_START = r"(?:(?<=^)|(?<=[.,;:] )|(?<=\band )|(?<=\bbut )|(?<=\bso ))"
_NOT_DONE = (
    r"(?!(?!nobody |no one |[^.;]*\bnever )(?:\S+ )*?(?:bothered|bothers|remembered|remembers"
    r"|managed|thought) to )"
)
"""Excludes "I remembered to close it", which is done, unlike "nobody remembered to close it"."""
_UNDONE = re.compile(
    rf"{_NOT_DONE}(?:i|we|some(?:one|body)|no(?:body| one)|he|she|they|{OTHER_PEOPLE})(?: (?:really|still|just|also"
    r"|completely|simply"
    r"|always|only|have|had|has|clearly|obviously|apparently))*"
    r" (?:(?:forgot|forgotten|forgets|neglected|omitted|failed|meant|wanted|want|hoped|(?:am|was|were) (?:just"
    r" )?about"
    r"|was going|were going|was meant|am unable|need|needs|have|has|ought|tried|was supposed|were supposed|intended"
    r"|planned|bothered|bothers|remembered|remembers|managed|thought) to"
    r"|(?:am|is|are|was|were|feel) (?:far |much |way |just )?too \w+(?: (?:and )?\w+)? to"
    r"|should|must|(?:left|walked out|went out|went away|went off|drove off|rushed out|ran out|went to bed)"
    r"(?: (?:the|this) (?:house|flat|room))? without|(?:been )?(?:putting off|avoiding|postponing)"
    r"|(?:can not|could not|can no longer)(?: (?:manage|seem|be bothered) to)?|(?:did not|do not|have not|had"
    r" not|never)"
    r"(?: \w+)*? (?:round to|around to|manage to|time to|chance to|able to|energy to|strength to|to))"
    rf" (?P<do>(?:{ACTION}|(?P<doing>{GERUND}) ).+?)(?:,? (?:myself|ourselves|on (?:my|our) own|alone|from"
    r" (?:here|where i"
    r" am|my (?:bed|chair))|with (?:one hand|my hands full|wet hands)|(?:earlier|yesterday|today|this \w+|last"
    r" night|right"
    r" now|at the moment|in time|any more)))*(?:,? but (?:i |we )?(?:forgot|can not|could not|did not|ran out of"
    r" time|got"
    r" distracted)(?: to)?)?"
    rf"|(?:nobody|no one)(?: here| ever)?(?: has| have)?(?: ever| yet)? (?P<done>{PARTICIPLE})"
    r" (?P<object>.+?)(?: yet)?"
    r"|(?P<thing>(?:the|my|our|all|both|every|each) .+?) (?:(?:should|ought to|were supposed to|was supposed to)"
    r" (?:have been"
    rf"|have)|(?:has|have) (?:still )?not (?:yet |even |ever )?been) (?P<rest>(?:{PARTICIPLE}|{PREPOSITION}"
    rf"|{STATE})\b.*?)(?: (?:(?:ages|days|hours|long|weeks|a while)"
    r" ago|already|yet"
    r"|by now|earlier|yesterday|long since))*"
)
_DO_IT = re.compile(
    r"(?:please )?(?:(?:can|could|would|will) you(?: please)?(?= |$))? ?(?:do (?:it|that|this|so)|take (?:that"
    r"|this|it)"
    r" (?:on|over)|take care of (?:that|this|it)|see to (?:that|this|it)|sort (?:that|this|it) out"
    r"|help(?: me)?(?: out)?(?: with (?:that|this|it))?)?(?: (?:instead|for (?:me|us)|now|at once|please))*(?<=\w)"
)


_HINDRANCE = (
    r"(?:(?:i|we|my \w+|there|it) (?:just |simply )*(?:(?:am|are|is|feel)(?! not\b)|can not|could not|did not|have"
    r" (?:no|got|not|my)|got|ran|do not|hurts?))"
)
_ASKING = r"(?:(?:so|but|and|please) ,? ?)*(?:could|can|would|will|please|do)\b"
"""The beginning of what is asked after it."""
_PLAIN = (
    # "i meant" alone corrects what was said before
    (
        rf"{_START}(?P<who>i|we) (?:had |have )?meant to (?=(?:{BASE}) [^.;]*[,.;] (?:(?:but|so|and|please)"
        r" )*(?:could|can|would"
        r"|will|do) )",
        r"\g<who> wanted to ",
    ),
    (
        rf"{_START}(?P<who>i|we) (?:had |have )?meant to (?=(?:{BASE}) [^.;]*,? but {_HINDRANCE} [^.;]*[,.;]"
        r" (?:(?:so|and|please)"
        r" )*(?:could|can|would|will|do) )",
        r"\g<who> wanted to ",
    ),
    # "closing the window is too much for my back, could you do it"
    (
        rf"{_START}(?P<doing>{GERUND}) (?P<rest>[^.;]+?) (?:is|was|would be|feels|seems|has become|is"
        r" getting)(?: (?:far|much"
        r"|way|just|simply|really|a bit|rather|quite|getting|becoming|a little))* (?:too (?:much|hard|heavy"
        r"|difficult|far"
        r"|tiring|awkward|strenuous|tricky|painful)|beyond|more than|hard|difficult|impossible|tricky|painful|awkward"
        rf"|not (?:easy|possible|something))(?: [^.,;]+)?(?=\s*[.,;] {_ASKING})",
        lambda m: f"i can not {verbs.GERUNDS[m['doing']]} {m['rest']}",
    ),
    (
        rf"{_START}(?:it is|it was|(?:i|we) (?:find|am finding) it)(?: (?:far|much|way|just|simply|really|a bit"
        r"|rather|quite"
        r"|a little))* (?:too (?:much|hard|heavy|difficult|far|tiring|awkward|tricky)|hard|difficult|impossible"
        r"|tricky"
        rf"|awkward|painful|not (?:easy|possible)) (?:for (?:me|us|my \w+) )?to (?={BASE} [^.;]+[.,;] {_ASKING})",
        "i can not ",
    ),
    # "if i had a free hand, i would close the window myself, but please do it"
    (
        rf"{_START}if (?:i|we|my \w+) (?:had|could|were|was|was not|were not|did not|felt) [^.,;]+, (?:i|we)"
        r" would (?:gladly |just"
        rf" |happily )?(?={BASE} [^.;]+?(?: myself| ourselves)?,? (?:but|so) {_ASKING})",
        "i can not ",
    ),
    (
        rf"(?P<undone>{_START}(?:i|we) can not {BASE} [^.;]+?)(?: myself| ourselves)?,? (?:but|so) (?=(?:please "
        r"|could you |can you"
        r" |would you )+do (?:it|that|so)\b)",
        r"\g<undone>, ",
    ),
    # "somebody has to close the window, could that be you"
    (r"\b(?:could|can|would|will|might) (?:that|it)(?: \w+)? be you(?=\s*(?:[.,;]|$))", "could you do it"),
    # "i can not close the window, could you"
    (
        rf"(?P<undone>{_START}(?:(?:i|we) (?:can not|could not|did not|forgot to|am unable to)(?! (?:find|see"
        r"|lay|get (?:hold|my)|remember|recall|think)\b)|nobody has|no one"
        r" has) (?:[^.;,]|, (?=(?:and )?(?:the|my|our|all|both|an?) ))+)"
        r"\s*[,.;] (?:(?:so|but) )?(?P<ask>(?:could|can|would|will) you)(?:,? please)?(?=\s*(?:\.|$))",
        r"\g<undone>, \g<ask> do it",
    ),
    # "i can not close it from here"
    (
        rf"(?P<undone>\b(?:i|we) (?:can not|could not|am unable to) (?={BASE} )[^.,;]+?) from (?:here|where (?:i|we)"
        r" (?:am|are)(?: \w+ing)?|(?:my|the) (?:bed|chair|armchair|sofa|couch|desk|wheelchair))(?=\s*[.,;])",
        r"\g<undone>",
    ),
    # "i meant to close the window, but i am exhausted, so could you do it"
    (
        rf"(?P<undone>{_START}(?:i|we) (?:\w+ )*?(?:meant|going|about|wanted|planned|hoped|intended|tried|have"
        r"|need) to"
        rf" (?=(?:{BASE}) )[^.,;]+),? (?:but|and) {_HINDRANCE} [^.;,]+"
        r"(?=[,;.] (?:(?:so|please|and) )*(?:could|can|would|will|do) )",
        r"\g<undone>",
    ),
)
_COMPILED = compiled(_PLAIN)


def plain_statements(text: str) -> str:
    """Returns a normalised text in which what is not done is followed by "do it", without reasons."""
    return applied(_COMPILED, text)


def action(statement: str, following: str) -> str:
    """Returns what somebody says not to have done, if the next clause asks to do it; empty for other statements."""
    match = _UNDONE.fullmatch(statement) if _DO_IT.fullmatch(following) else None
    if match is None:
        return ""
    if match["rest"]:
        return f"{match['thing']} should be {match['rest']}"
    if match["done"]:
        return f"{verbs.PARTICIPLES[match['done']]} {match['object']}"
    doing = match["doing"]
    return verbs.GERUNDS[doing] + match["do"][len(doing) :] if doing else match["do"]
