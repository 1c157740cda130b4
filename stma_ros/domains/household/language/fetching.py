"""Reads where the speaker is as the place to which a thing is brought: "into my hands", "come back here with it"."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.household.language.patterns import (
    ABOUT_IT,
    BASE,
    END,
    ENSURE,
    I_WANT,
    PREPOSITION,
    SHORT_THING,
    START,
    THING,
)
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled, verb_like

GO = (
    r"(?:go(?:ing)?|run(?:n?ing)?|pop(?:ping)?|nip(?:ping)?|dash(?:ing)?|hop(?:ping)?|walk(?:ing)?|head(?:ing)?"
    r"|com(?:e|ing)"
    r"|hurry(?:ing)?|rush(?:ing)?|step(?:ping)?|skip(?:ping)?|trot(?:ting)?|slip(?:ping)?|jump(?:ing)?|driv(?:e"
    r"|ing)|roll(?:ing)?"
    r"|get(?:ting)? (?:up|yourself))"
)
OVER = r"(?: (?:off|over|out|along|round|around|across|back|up|down|ahead|there|quickly|straight|right))*"
_IT = r"(?:it|them)"
_HERE = r"(?:(?:over|right|back|straight|up|out|all the way) )*here"
_ME = r"(?:me|us)"
_WITH_ME = (
    rf"(?:{_HERE} (?:with|to|for|by|beside|next to|near) {_ME}|to {_ME} {_HERE}|with {_ME} {_HERE}|{_HERE} where"
    r" (?:i|we)"
    r" (?:am|are)(?: \w+ing)?|to where (?:i|we) (?:am|are)(?: (?:sitting|standing|lying|resting|working|waiting"
    r"|right|now"
    r"|at))*|to my (?:side|seat|chair|hands?)|(?:right )?in front of me)"
)

_RULES: Sequence[Substitution] = (
    # "i would get the mug myself, but i am too tired, so please bring it to me"
    (
        rf"{START}(?:i|we) (?:would|could|can not|could not|(?:am|are) (?:not able|unable) to) (?:just"
        rf" )?(?:{BASE}) {THING} (?:myself"
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
        rf"|climb|stand)(?:ing)?{OVER}) (?:for|to (?:get|fetch|collect)) {THING}"
        r"|(?:my|our) (?:\w+ )?(?:legs?|knees?|back|feet|foot|hips?) (?:will|can|could|do|does) not (?:carry"
        rf"|take|let|get) {_ME}"
        rf" (?:as far as|all the way to|over to|to|to get to|reach|fetch|get|walk to) {THING.replace('<x>', '<y>')}"
        rf"|(?:i|we) do not have {THING.replace('<x>', '<z>')} (?:with|on|by) {_ME}"
        rf"|(?:i|we) have (?:come|gone|left|walked|sat|lain)(?: (?:away|out|off|up|in|here|down|back))* without"
        rf" {THING.replace('<x>', '<w>')})(?=(?: and (?:i|we) [^.,;]+)?{ABOUT_IT})",
        lambda m: f"i can not reach {m['x'] or m['y'] or m['z'] or m['w']}",
    ),
    (
        rf"\b(?P<you>you (?:(?:could|would|can|will|might|please) )*)let {_ME} have {THING}{END}",
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
        rf"{OVER}(?: (?:myself|ourselves))?)?,? ?(?:and|by|,) (?=\w)",
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
    # "turn off the lamp there, then come back and bring me the book", which may be anywhere
    (
        rf"(?<=\w)(?:,? and|,)?(?: then)? (?:come back|return)(?: (?:here|over|to {_ME}))* and (?=(?:{BASE}) )",
        " . come back . then ",
    ),
    # "see that the mug reaches me", "fetch the mug from wherever it is"
    (
        rf"\b(?P<ensure>{ENSURE}) {THING} (?:reach(?:es)?|(?:gets?|comes?|makes? it|makes? (?:its|their) way"
        r"|finds? (?:its|their)"
        rf" way) (?:back )?to|ends? up with|(?:is|are) (?:here )?with) {_ME}{END}",
        r"\g<ensure> \g<x> is brought to me",
    ),
    (
        r"(?: from|,(?: from)?) wherever (?:it|they) (?:is|are|may be|might be)(?: (?:now|right now|at the"
        rf" moment))*{END}",
        "",
    ),
    # "provide me with the mug"
    (
        rf"\b(?:provid|suppl|furnish|equip|present|serv)(?:e|y|ing|ying|ping)? {_ME} with {THING}{END}",
        lambda m: f"{verb_like(m, 'bring')} me {m['x']}",
    ),
)
_COMPILED = compiled(_RULES)


def plain_requests(text: str) -> str:
    """Returns a normalised text in which things are brought "to me"."""
    return applied(_COMPILED, text)
