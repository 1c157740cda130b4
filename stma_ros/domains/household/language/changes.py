"""Reads how, how far and until when something is changed as the plain change.

An example is "run water into it until it is full".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import (
    ABOUT_IT,
    END,
    GERUND,
    I_WANT,
    PREPOSITION,
    START,
    STATES,
    THING,
)
from stma_ros.domains.household.language.substitutions import Substitution, applied, compiled, verb_like

_VERB = (
    r"(?:turn|switch|power|flick|flip|click|fill|refill|top|shutt?|clos|open|pull|push|empty|pour|tipp?"
    r"|drain)(?:e|ing|ed)?"
)
_POUR = r"(?:pour|tipp?|drain|empty|dump|rins)(?:e|ing)?"
_RUN = r"(?:pour|runn?|putt?|add|lett?|pump|splash)(?:ing)?"
_OUT = r"(?: (?:out|away|off))?"
_CONTENTS = (
    r"(?:everything|all of it|it all|anything|whatever|what|all)(?: that)?(?: (?:is|there is))?(?: (?:still|left"
    r"|remains))*"
)
_UNTIL = r"(?:until|till) (?:it|they) (?:is|are)(?: (?:quite|all|nearly))*"
_STATE = r"(?:open|closed|shut|on|off|running|full|empty)"
_IF_NOT = (
    r"\s*[,.;]?(?: and| or| but)?\s*,? if (?:not|(?:it|they) (?:is|are) not)\s*,?(?: then)?(?: please)? "
)
_DO = (
    r"(?P<do>(?:(?:open|clos|shutt?|fill|empty)(?:e|ing)? (?:up )?(?:it|them)(?: up| out)?(?: with (?:some "
    r"|fresh )?water)?"
    r"|(?:turn|switch|putt?|flick|flip|power|click)(?:ing)? (?:(?:on|off) (?:it|them)|(?:it|them) (?:on|off))))"
)
_STATE_OF = {"open": "open", "clos": "close", "shut": "close", "fill": "fill", "empt": "empty"}


def _ensured(match: re.Match[str]) -> str:
    """Returns the state that is to be brought about where a look shows that it does not hold."""
    particle = re.search(r"\b(on|off)\b", match["do"])
    done = f"switch {particle[0]}" if particle else _STATE_OF[match["do"][:4]]
    if STATES[match["state"]] != done:
        return match[0]
    return f"{verb_like(match, 'make')} sure {match['x']} {match['is']} {match['state']}"


_RULES: Sequence[Substitution] = (
    # "check whether the lamp is on and, if not, turn it on"
    (
        rf"\b(?:check(?:ing)?|see(?:ing)?|look(?:ing)?|find(?:ing)? out|verify(?:ing)?) (?:if|whether) {THING}"
        r" (?P<is>is|are)"
        rf" (?P<state>{_STATE}){_IF_NOT}{_DO}{END}",
        _ensured,
    ),
    # "flip the switch to turn on the lamp"
    (
        r"\b(?:(?:flip|hit|press|push|flick)(?:[pt]?ing)?|us(?:e|ing)) the (?:\w+ )?(?:switch|button) (?:to|and)"
        r" (?P<do>turn"
        r"|switch|start|stop"
        r"|power)(?:ing)? ",
        lambda m: f"{verb_like(m, m['do'])} ",
    ),
    # "turn it right off", "fill it all the way up", "open it wide"
    (
        rf"(?P<do>\b{_VERB} [^.,;:]*?)(?<! the) (?:right|all the way|straight|back|wide|fully) (?=(?:on|off|up"
        r"|open|shut"
        rf"|closed)(?: with (?:\w+ )?water| to the (?:top|brim|rim))?{END})",
        r"\g<do> ",
    ),
    (
        rf"(?P<do>\b{_VERB} [^.,;:]*?) (?:all the way|wide|right up|as (?:far|wide|high|full) as (?:it|they)"
        r" (?:will|can|could|would"
        rf"|goes?)(?: (?:go|open|get|be))?)(?: (?=at the (?:\w+ )?(?:tap|sink){END})|{END})",
        r"\g<do> ",
    ),
    (rf" right (?=to the (?:brim|top|rim){END})", " "),
    (
        rf"(?P<do>\b(?:on|off)|\b(?:turn|switch|power|flick|flip|click)(?:p?ing|p?ed)? (?:on|off)"
        rf" (?:(?! {PREPOSITION} )[^.,;:])+?) at the (?:switch|wall|mains|socket|plug|button){END}",
        r"\g<do>",
    ),
    # "turn off the lamp to save electricity"
    (
        r"(?<=\w),? (?:in order )?to (?:save|conserve|avoid wasting|cut down on|not waste) (?:(?:some|the|any"
        r"|more|a bit of"
        rf"|a little|our|on) )*(?:electricity|power|energy|money|gas|battery|fuel|water)(?: (?:bill|costs?))?{END}",
        "",
    ),
    # "save me some electricity by switching off the lamp", "do me the courtesy of opening the fridge"
    (
        r"\b(?:(?:sav|spar)(?:e|ing) (?:(?:me|us|the planet) )?(?:(?:some|a bit of|a little|the)"
        r" )*(?:electricity|power|energy|money|time"
        r"|trouble|effort|fuss)|(?:do|doing|show|showing|pay|paying) (?:me|us) (?:the|a|this) (?:\w+"
        r" )?(?:courtesy|kindness|favou?r"
        rf"|service|honou?r|good turn|decency)) (?:by|of) (?P<doing>{GERUND})(?= )",
        lambda m: m["doing"] if re.match(r"\w+ing\b", m[0]) else verbs.GERUNDS[m["doing"]],
    ),
    # "whatever is in the jug, tip it down the sink"
    (
        rf"{START}(?:what|whatever|everything|anything)(?: that)? is (?:(?:still|left) )*in(?:side)? {THING} ?,"
        r" (?P<ask>(?:(?:please|just|can"
        r"|could|would|will|you) )*)(?:pour|tip|throw|drain|dump|chuck|empty|get rid of) (?:it|that|them)?(?:"
        r" ?(?:all|out|away|into"
        rf"|down the (?:\w+ )?(?:sink|drain|plughole)|in the sink))*{END}",
        r"\g<ask>empty \g<x>",
    ),
    (
        rf"(?P<do>\b{_VERB} [^.,;:]*?),? and (?:leav|keep)(?:e|ing)? (?:it|them) (?:like (?:that|this)|that way"
        r"|so|as (?:it|they)"
        rf" (?:is|are)){END}",
        r"\g<do>",
    ),
    # "run water into it until it is full"
    (
        rf"(?P<do>\b(?:{_RUN} (?:(?:some|more|fresh|cold|tap) )*water (?:in|into|to) |(?:fill|refill"
        r"|top)(?:ing)? (?:up )?)"
        rf"[^.,;:]+?) {_UNTIL} (?:full|filled(?: up)?|brimming)(?: (?:up|to the (?:top|brim|rim)))*{END}",
        r"\g<do>",
    ),
    (
        rf"\b{_POUR}{_OUT} {THING}{_OUT}(?: upside down)?(?: (?:in|into|over|above|down|out over) the (?:\w+"
        r" )?(?:sink|basin"
        rf"|washbasin|drain|bathtub|plughole))? {_UNTIL} (?:completely )?empty{END}",
        lambda m: f"{verb_like(m, 'empty')} {m['x']}",
    ),
    # "pour everything out of it", "what is in it can be poured away"
    (
        rf"\b{_POUR}{_OUT} {_CONTENTS}{_OUT} (?:out of|in(?:side)?|from) {THING}{_OUT}(?: (?:in|into|down) the"
        r" (?:\w+ )?(?:sink"
        rf"|basin|drain|washbasin))?{END}",
        lambda m: f"{verb_like(m, 'empty')} {m['x']}",
    ),
    (
        rf"\b{_POUR}{_OUT} (?:everything|all of it|it all|the (?:rest|remainder|remains)|what (?:remains|is"
        rf" left)|{_CONTENTS} (?:inside|in (?:it|there|them))){_OUT}{END}",
        lambda m: f"{verb_like(m, 'empty')} the same",
    ),
    (
        rf"{START}(?:(?:i|we) (?:want|need|would like) )?(?:what|whatever|everything|anything)(?: that)? is"
        r" (?:(?:still|left)"
        rf" )*in(?:side)? {THING} (?:(?:can|could|should|must|needs to|has to|may|is to) be |to be )?(?:poured"
        r"|tipped|thrown"
        rf"|emptied|drained|dumped)(?: (?:out|away|down the (?:sink|drain)))*(?: now)?(?=,? please{END}|{END})",
        r"empty \g<x>",
    ),
    (
        rf"{START}(?:i|we) do not (?:want|need) (?:anything|any (?:water|liquid|\w+)|a (?:single )?drop)(?: of \w+)?"
        rf" (?:(?:left|remaining|standing|to be|to stay) )+in(?:side)? {THING}{END}",
        r"empty \g<x>",
    ),
    (
        rf"{START}(?:nobody|no one|(?:i|we) do not) (?:needs?|wants?|drinks?) what(?:ever)? is (?:(?:still|left)"
        r" )*in(?:side)?"
        rf" {THING}{ABOUT_IT}",
        r"there is something in \g<x> . ",
    ),
    # "i want the jug full and on the table"
    (
        rf"(?P<wish>{START}{I_WANT} {THING} (?:to be )?(?:full|empty|filled|emptied|open|closed|shut|on|off)(?:"
        r" with (?:\w+ )?water)?)"
        rf" and (?=(?:put |placed |back )?(?:in|on|next to) (?:the|my|our|an?) [^.,;:]+?{END})",
        r"\g<wish> and put the same ",
    ),
    # "we will be needing the lamp in a moment, switch it on"
    (
        rf"{START}(?:in (?:a|an|half an|five|ten) (?:\w+ )?(?:minute|moment|second|bit|hour|sec|while)s? ?,?"
        r" )(?:i|we) (?:will|am going to"
        r"|are going to|shall) (?:also )?(?:be )?(?:needing|using|wanting|need|use|want) "
        rf"{THING}(?P<ask>\s*[.,;] [^.;]*\b(?:it|them)(?: on| off| up)?)(?: (?:beforehand|in advance|ahead of"
        rf" time))?{END}",
        r"i am about to use \g<x>\g<ask>",
    ),
    (
        rf"{START}(?:i|we) (?:will|am going to|are going to|shall|am about to|are about to) (?:also )?(?:be"
        r" )?(?:need|needing|use"
        rf"|using|want|wanting) {THING} (?:in (?:a|an|half an|about \w+|five|ten|\d+) (?:\w+ )?(?:minute|moment"
        r"|second|bit|hour"
        rf"|sec|while)s?|shortly|soon|later(?: on)?|any minute(?: now)?){ABOUT_IT}",
        r"i am about to use \g<x> . ",
    ),
)
_COMPILED = compiled(_RULES)


def plain_changes(text: str) -> str:
    """Returns a normalised text whose changes of states are plain ones."""
    return applied(_COMPILED, text)
