"""Reads contrasts of how things wrongly are: "instead of leaving the mug on the table, put it in the sink".

What is not wanted becomes a statement of the present ("the mug is on the table"), which the request after it is about.
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
    GERUND,
    I_WANT,
    MODAL,
    PARTICIPLE,
    PLACE_START,
    PREPOSITION,
    SHORT_THING,
    SOMEBODY,
    START,
    STATE,
    STATES,
    THING,
    names_several,
)
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled

_PLACE = rf"(?P<at>{AT} {PLACE_START} [^.,;:&]+?(?<! on)(?<! off)(?<! open)(?<! shut)(?<! closed))"
_HERE = (
    r"(?P<here>where(?:ver)? (?:it|they) (?:is|are)(?: (?:now|right now|at the moment|currently|standing|lying))*"
    r"|anywhere else|any other (?:place|room)|(?:around|about|there|here)(?: like (?:that|this))?|like (?:that"
    r"|this)|as (?:it|they) (?:is|are)"
    r"|in (?:my|our|the) way|out(?: of place)?)"
)
_POSTURE = (
    r"(?:(?:be|stay|remain|to|lie|sit|stand|just|left|lying|standing|sitting|kept|hanging|being|switched|turned)"
    r" )*"
)
_HOW = rf"{_POSTURE}(?:{_HERE}|(?P<state>{STATE})|{_PLACE})"
_NOW = r"(?: (?:now|right now|at the moment|currently|again|any ?more|any longer|like that|overnight))*"
_LEAVING = r"(?:leaving|keeping|having|letting)"
_LEAVE = r"(?:leave|keep|have|let)"
_LEFT = (
    r"(?:left|put|dumped|dropped|placed|stuck|forgot|forgotten|thrown|threw|tossed|parked|stashed|abandoned|chucked"
    r"|plonked|set|laid|hid|hidden|kept|stored|deposited|stowed|shoved|stood|hung|leaves|leave)"
)
_OPPOSITES = {"open": "close", "close": "open", "switch on": "switch off", "switch off": "switch on"} | {
    "fill": "empty",
    "empty": "fill",
}


def _present(match: re.Match[str]) -> str:
    """Returns the statement of how a thing is at present."""
    verb = "are" if names_several(match["x"]) else "is"
    how = "misplaced" if match["here"] else match["state"] or match["at"]
    return f"{match['x']} {verb} {how} . "


def _plain_state(match: re.Match[str]) -> str:
    """Returns the state that is wanted rather than its opposite."""
    wanted, other = STATES[match["wanted"]], STATES[match["other"]]
    return match["wanted"] if _OPPOSITES.get(wanted) == other else match[0]


_SHOULD_NOT = (
    r"(?:should not|must not|ought not to|does not|do not|(?:is|are) not (?:supposed|meant) to|(?:is|are) not to"
    r"|needs? not"
    r" to|has not to)"
)

_RULES: Sequence[Substitution] = (
    # "i would rather have the lamp on than off"
    (
        rf"\b(?P<wanted>{STATE})(?:,? (?:rather )?than|,? instead of|,? and not|, not) (?:left |being |to be )?"
        rf"(?P<other>{STATE}){END}",
        _plain_state,
    ),
    # "the lamp is no use to me when it is off, switch it on"
    (
        rf"{START}{THING} (?:is|are) (?:no|of no|not much|not any|of little) (?:use|good|help|fun)(?: to (?:me"
        r"|us|anyone|anybody))?"
        rf" (?:when|if|while|as long as) (?:it|they) (?:is|are) {_HOW}",
        _present,
    ),
    # "instead of being empty, the mug should be full"
    (
        rf"{START}(?:instead of|rather than) (?:just )?(?:being|standing|staying|remaining|sitting|lying)(?:"
        r" (?:left|kept"
        rf"|switched|turned|so|all))* (?:{STATE}|like (?:this|that)|as (?:it|they) (?:is|are)) ?, (?=\w)"
        rf"|{START}(?:instead of|rather than) {_HERE}{_NOW} ?, (?=\w)",
        "",
    ),
    # "instead of leaving the mug on the table, put it in the sink"
    (
        rf"{START}(?:(?:instead of|rather than|no (?:use|point|sense)(?: in)?) (?:just )?{_LEAVING}|do not(?:"
        rf" just)? {_LEAVE}|(?:i|we) (?:can not|could not|will not) (?:really )?(?:have|leave|keep|stand|bear"
        r"|abide|tolerate)|(?:i|we) (?:do|would) not (?:want|like)(?: to (?:see|leave|have))?|(?:(?:there is )?no"
        r" (?:need|reason"
        r"|point|use|sense)|it is (?:(?:such|really|so|just|rather|an?) )*(?:waste(?: of \w+)?|wasteful|shame|pity"
        r"|pointless|silly|stupid|no good|no use|unnecessary|dangerous|risky|unsafe|bad|not (?:good|safe|nice)))(?:"
        rf" (?:for|in|to))?(?: {_LEAVE}| {_LEAVING})?|why (?:would|did|does|do|should) (?:{SOMEBODY}|you)"
        rf" (?:{_LEAVE}"
        rf"|put)) {THING} {_HOW}{_NOW}{ABOUT_IT}",
        _present,
    ),
    # "the mug can not stay on the table, put it in the sink"
    (
        rf"{START}{THING} (?:can not|could not|must not|may not|should not|ought not to|do not need to"
        r"|does not need to|is not (?:supposed|meant) to|are not (?:supposed|meant) to) (?=be|stay|remain|stand"
        r"|lie|sit"
        rf"|hang){_POSTURE}(?:{_HERE}|{_PLACE}(?P<state>(?!))?){_NOW}{ABOUT_IT}",
        _present,
    ),
    # "my flatmate dumped the mug on the table, put it in the sink"
    (
        rf"{START}{SOMEBODY} (?:(?:has|have|had|must have|just|always|went and|once) )*{_LEFT} {SHORT_THING} "
        rf"(?:(?:lying|standing|sitting|down|again) )*{_PLACE}(?P<here>(?!))?(?P<state>(?!))?"
        rf"(?: (?:again|yesterday|earlier|last night|this \w+|today|just now))*{ABOUT_IT}",
        _present,
    ),
    (
        rf"{START}{SOMEBODY} (?:(?:has|have|had|must have|just|always|went and|once) )*{_LEFT} {THING}"
        r" (?:(?:lying|standing"
        r"|sitting|down|again|just) )*(?P<here>around|about|out|here|there|everywhere|all over the (?:place"
        r"|house|flat)"
        r"|in (?:the|my|our) way|behind)(?P<state>(?!))?(?: (?:again|yesterday|earlier|last night|this \w+"
        rf"|today))*{ABOUT_IT}",
        _present,
    ),
    # "the mug has been on the table for days, put it in the sink"
    (
        rf"{START}{SHORT_THING} (?:has|have) been {_POSTURE}{_PLACE}(?P<here>(?!))?(?P<state>(?!))? (?:(?:for"
        r" )?(?:far"
        r" |much |quite )?(?:long enough|too long)|for (?:\w+ ){0,2}(?:days|weeks|hours|ages|months|years|while|long"
        r"|time)|all (?:day|week|morning|night|afternoon)|since \w+(?: \w+)?|overnight)"
        rf"{ABOUT_IT}",
        _present,
    ),
    (
        rf"{START}{SHORT_THING} (?:has|have) been {_POSTURE}{_PLACE} (?:(?:for )?(?:far |much |quite )?(?:long"
        r" enough|too long)|for"
        r" (?:\w+ ){0,2}(?:days|weeks|hours|ages|months|years)) and (?=(?:(?:really|now) )*(?:needs?|must|should"
        r"|has to|have to"
        r"|ought to|belongs?|wants?)\b)",
        lambda m: (
            f"{m['x']} " + ("are {} . they " if names_several(m["x"]) else "is {} . it ").format(m["at"])
        ),
    ),
    (
        rf"{START}{SHORT_THING} (?:has|have) been {_POSTURE}(?P<state>{STATE})(?P<here>(?!))? (?:for (?:\w+"
        rf" ){{0,2}}(?:days|weeks|hours?"
        r"|ages|months|minutes|while|long|time)|all (?:day|week|morning|night|afternoon|evening)|since \w+(?:"
        r" \w+)?|overnight)"
        rf"(?P<at>(?!))?{ABOUT_IT}",
        _present,
    ),
    # "whoever put the mug on the table made a mistake, because it belongs in the sink"
    (
        rf"{START}(?:whoever|who ever|the (?:person|one) who|some(?:one|body) who) (?:has |had )?{_LEFT}"
        rf" {SHORT_THING} {_PLACE} (?:(?:has"
        r" )?made a mistake|was (?:wrong|mistaken|careless)|got it wrong|(?:should|ought to|must) (?:be"
        r" (?:ashamed|more careful|blind|mad|joking)|know better|think again)|should not have(?: done so)?|did not"
        r" think)"
        rf"(?:\s*[.,;]?(?: (?:because|since|as|for))? (?=(?:it|they) )|{ABOUT_IT})",
        lambda m: f"{m['x']} {'are' if names_several(m['x']) else 'is'} {m['at']} . ",
    ),
    # "the mug should not be on the table but in the sink", "the mug should be in the sink and not on the table"
    (
        rf"{START}{SHORT_THING} (?:{_SHOULD_NOT}) (?:be |go |stand |lie |stay |live |belong"
        rf" )?{_POSTURE}{_PLACE},? but"
        rf" (?:rather )?(?P<to>{AT} {PLACE_START} [^.,;:]+?){END}",
        r"\g<x> that is \g<at> should be \g<to>",
    ),
    # "the mug should not be anywhere but in the sink"
    (
        rf"\b{_SHOULD_NOT} (?:be |go |stand |lie |stay |live |belong )?{_POSTURE}any(?:where|place)(?: else)?"
        r" (?:but|except"
        rf"|other than|than) (?={AT} )",
        "should be ",
    ),
    # "the mug has no business being anywhere but in the sink"
    (
        r"\b(?:has|have) no (?:business|right|reason|need)(?: (?:being|to be))? anywhere (?:but|except|other"
        rf" than) (?={AT} )",
        "should be ",
    ),
    # "i had expected the lamp to be on, so switch it on"
    (
        rf"{START}(?:i|we) (?:(?:had|have|would|was|were|just|really) )*(?:expected|hoped|hoping|wanted"
        rf"|asked)(?: for)? {THING}"
        rf" (?:to be )?(?:all |both )?(?P<how>{STATE}|{AT} (?:the|my|our) [^.,;:]+?)(?: by now| already|"
        r" today)*"
        rf"(?:,? (?:and|but|yet) (?:it|they) (?:is|are) (?:{STATE}|not)(?=\s*[.,;] \w)|(?={ABOUT_IT}))",
        r"\g<x> should be \g<how>",
    ),
    # "i can not use the mug while there is something in it, empty it"
    (
        rf"{START}(?:i|we) (?:can not|could not) (?:really )?(?:use|do anything with|manage|handle|work|operate)"
        rf" {THING} (?:(?:while|when"
        rf"|as long as|if|because|since) (?=[^.,;]*\b(?:it|they|them)\b)|without |with )[^.,;:]+{ABOUT_IT}",
        r"i am about to use \g<x> . ",
    ),
    # "on the table is no place for the mug, put it in the sink"
    (
        rf"{START}{_PLACE} (?:is|are) (?:no|not (?:a|the)(?: right| proper| good)?|the wrong) (?:place|home"
        r"|spot) for"
        rf" (?P<x>{DETERMINER} [^.,;:]+?)(?P<here>(?!))?(?P<state>(?!))?{ABOUT_IT}",
        _present,
    ),
    # "put the mug in the sink rather than leaving it on the table"
    (
        r"(?<!one )(?<!body )(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )(?<!\bwho )(?<!\bhas"
        r" )(?<!\bhave )(?<!\bhad )"
        r"(?<!\bwas )(?<!\bwere )(?<!\bbeen )(?<!s )"
        rf"\b(?P<do>(?:{BASE}|{PARTICIPLE}|{GERUND}|want|like|have|need) ){SHORT_THING}(?P<to> (?:(?:back|away"
        r"|over) )?(?!(?:from|off|out of)\b)"
        rf"{PREPOSITION} {PLACE_START} (?:(?! (?:and|then) )[^.,;:&])+?),? (?:instead of|rather"
        rf" than) (?:(?:just )?{_LEAVING} (?:it|them) )?"
        rf"{_POSTURE}(?:{_HERE}|{_PLACE}){END}",
        lambda m: f"{m['do']}{m['x']}{' that is ' + m['at'] if m['at'] else ''}{m['to']}",
    ),
    # "i would rather have the vase on the shelf than on the table"
    (
        rf"(?P<wish>\b(?:would rather|would sooner|prefer|want|like)(?: to)?(?: have| see| keep)? ){THING}"
        r"(?P<were> were| was)?"
        rf"(?P<to> (?:to be |to go |to stand |put )?{AT} {PLACE_START} [^.,;:]+?),? (?:(?:rather"
        rf" )?than|instead of|and not|not) (?:(?:leave|have|leaving|having) )?(?:it |them )?{_POSTURE}(?:{_HERE}"
        rf"|{_PLACE})"
        r"(?:,? (?:(?:so|and|please|could you|can you|would you|\.) )+(?:(?:move|shift) (?:it|them)(?: there| over)?"
        rf"|(?:put|bring|take|carry) (?:it|them) there)(?: please)?)?{END}",
        lambda m: (
            f"{m['wish']}{m['x']}{' that is ' + m['at'] if m['at'] else ''}{' to be' if m['were'] else ''}{m['to']}"
        ),
    ),
    (
        rf"(?P<wish>\b(?:better off|better|should (?:be|go|stand)|belongs?|goes?|have)\b[^.;]* {AT} (?:the|my|our|a)"
        rf" [^.,;:]+?),? (?:(?:rather )?than|instead of) (?:it )?(?:{_HERE}|{_PLACE}){END}",
        r"\g<wish>",
    ),
    # "instead of on the desk, the mug should be on the table"
    (
        rf"{START}(?:instead of|rather than) {_POSTURE}{_PLACE}, (?P<wish>(?:please )?(?:(?:can|could|would)"
        r" you |(?:i|we)"
        rf" would rather have |{I_WANT} (?:to have )?|put |place |move )?){SHORT_THING}"
        rf"(?= (?:to (?:be|go) |{MODAL} |belongs? |goes |go |put )?(?:be |go )?{PREPOSITION} )",
        lambda m: f"{m['wish']}{m['x']} that is {m['at']}",
    ),
    # "the mug is on the table instead of in the sink"
    (
        rf"(?P<now>\b(?:is|are|was|were|ended up|got left) {PREPOSITION} (?:the|my|our|a|an|its) [^.,;:?]+?),?"
        r" (?:and |but"
        rf" )?(?:instead of|rather than|and not|but not|not) (?P<to>{PREPOSITION} (?:the|my|our|a|an|its)"
        r" [^.,;:?]+?)(?:"
        rf" where (?:it|they) (?:belongs?|goes|go|should be|lives?))?(?=\s*(?:[.,;:]|and\b|$))",
        r"\g<now> . it should be \g<to>",
    ),
)
_COMPILED = compiled(_RULES)


def plain_statements(text: str) -> str:
    """Returns a normalised text whose contrasts are statements of the present and requests."""
    return applied(_COMPILED, text)
