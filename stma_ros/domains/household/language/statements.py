"""Rules that rewrite statements and questions of where and how things are to be: "the mug belongs on the table"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from stma_ros.domains.household.language.attitudes import ADVERB
from stma_ros.domains.household.language.patterns import (
    ADVERBS,
    ENSURE,
    I_WANT,
    MODAL,
    PARTICIPLE,
    PREPOSITION,
    SHORT_X,
    STATE,
    STATES,
    CategoryTemplate,
    Rule,
    X,
    desired_to_imperative,
    undesired_to_imperative,
)
from stma_ros.memory.category_knowledge import CategoryKnowledge

_STATE_BEFORE_PLACE = re.compile(
    r" (?:(?:left|standing|switched|turned|still) )*(?:on|off|open|closed|running)(?= (?:in|on|at) |$)"
)


_PLACE_NOUN = r"(?:place|home|spot|room|places|homes|location|destination)"


def place_of(name: str, knowledge: CategoryKnowledge) -> str:
    """Returns a place with the preposition of things at it: "in the fridge", "on the shelf"."""
    noun = re.split(rf" (?:{PREPOSITION}|that|which) ", name)[0].split()
    known = (knowledge.canonical(" ".join(noun[start:])) for start in range(1, len(noun)))
    category = next(filter(knowledge.knows, known), "")
    if knowledge.is_room(category) or knowledge.is_receptacle(category):
        return f"in {name}"
    return f"on {name}" if knowledge.is_surface(category) else f"to {name}"


def _to_own_place(match: re.Match[str], knowledge: CategoryKnowledge) -> str | None:
    """Returns the imperative that puts an object into what is said to be its place."""
    x = match["x"] or match["y"] or ("them" if match[0].startswith("their") else "it")
    if match[0].startswith("the ") and not (match["x"] or match["y"]):
        return None
    rest = match["rest"]
    if re.match(rf"{PREPOSITION} ", rest):
        return f"put {x} {rest}"
    return f"put {x} {place_of(rest, knowledge)}" if re.match(r"(?:the|my|our) ", rest) else None


def _to_better_place(match: re.Match[str], knowledge: CategoryKnowledge) -> str:
    """Returns the imperative that puts an object where it is said to belong: "the fridge is where the milk goes"."""
    return f"put {match['x'] or match['z'] or match['w'] or match['v']} {place_of(match['y'], knowledge)}"


def _to_take(match: re.Match[str], knowledge: CategoryKnowledge) -> str | None:
    """Returns the imperative that takes an object from a place, or None if it may also be said where it goes.

    In "off the desk in the office", the room tells which desk it is. In "out of the box on the desk", the desk may be
    where the box is, or where to put the object.
    """
    if match["y"]:
        noun = re.split(rf" (?:{PREPOSITION}|that|which) ", match["y"])[0].partition(" ")[2]
        if not knowledge.is_room(knowledge.canonical(noun)):
            return None
    return f"take {match['x']} {match['rest']}{match['at']}"


def _to_opposite(match: re.Match[str]) -> str:
    """Returns the imperative that brings an object out of the state that is not to hold."""
    opposite = {"switch on": "switch off", "switch off": "switch on", "open": "close", "close": "open"}
    return f"{opposite[STATES[match['rest']]]} {match['x']}"


STATEMENTS: Sequence[Rule] = (
    # a statement about the place of an object
    (
        rf"(?:(?P<x>.+)'s|the|its|their|his|her) (?:\w+ )?{_PLACE_NOUN}(?: (?:of|for) (?P<y>.+?))?"
        rf" (?:is|are|would be|should be) (?P<rest>.+)",
        CategoryTemplate(_to_own_place),
    ),
    (
        rf"(?P<y>(?:the|my|our) .+?) (?:is|would be) (?:exactly |just )?(?:where (?:{I_WANT} (?P<v>(?:the|my|our"
        rf"|all|both) .+?|it|them)(?: to (?:be|go))?$|{SHORT_X} (?:belongs?|goes|go|lives?|{MODAL} (?:be|go)))"
        rf"|(?:the|a|its|their) (?:much )?(?:\w+ )?{_PLACE_NOUN} (?:for (?P<z>.+)|(?:where )?(?P<w>.+?)"
        rf" (?:belongs?|goes|go)))",
        CategoryTemplate(_to_better_place),
    ),
    (
        rf"{SHORT_X} (?:has|have|needs?|wants?) (?:its|their|a) (?:\w+ )?{_PLACE_NOUN} (?P<rest>{PREPOSITION} .+)",
        "put {x} {rest}",
    ),
    (
        rf"{SHORT_X} (?:is|are) (?:much |far |always )?(?:better|best)(?: off| kept| placed"
        rf"| stored)? (?P<rest>{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        rf"(?!.* (?:(?:{STATE}|{PARTICIPLE})$|{PARTICIPLE} (?:\w+ )?{PREPOSITION} ))let us have (?P<x>(?:the|my"
        r"|our|all|both|every|each|a|an|one of|two|three"
        rf"|four) .+?) (?P<rest>(?!from|off"
        rf"|out){PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        rf"(?:i|we) (?:do not|would not|would rather not|never) (?:want|like|need|have) {SHORT_X} (?:(?:to be"
        rf"|being|left|to stay|to remain) )?(?P<rest>{STATE})",
        undesired_to_imperative,
    ),
    (rf"(?:i|we) (?:can not|could not|am unable to) get {SHORT_X} (?P<rest>{STATE})", desired_to_imperative),
    (
        rf"{ENSURE} (?:there (?:is|are) )?(?:nothing|no water|no liquid) (?:is "
        rf"|remains )?(?:left )?in(?:side)? {X}",
        "empty {x}",
    ),
    (
        rf"(?:{I_WANT}|(?:can|could|may) (?:i|we) (?:get|have)|let us have) (?:some |more |fresh |cold )*water"
        rf" (?:in|inside|into) {X}",
        "fill {x}",
    ),
    (rf"(?:can|could|may) {SHORT_X} (?:please |now )*go (?P<rest>off|on)", desired_to_imperative),
    (
        rf"{SHORT_X} (?:can|could|may|might) {ADVERBS}(?:go|come|move|live|sit|stand|lie|hang|stay|rest)"
        rf" (?P<rest>{ADVERBS}(?:{STATE}"
        rf"|{PREPOSITION} .+|away))",
        desired_to_imperative,
    ),
    (
        rf"{SHORT_X} (?:needs?|wants?|requires?|could (?:use|do with)) (?:some |more )*water(?: in (?:it|them))?",
        "fill {x}",
    ),
    (
        rf"{SHORT_X} (?:could|can|would) (?:do with|benefit from|use) being (?P<rest>{PARTICIPLE}\b.*)",
        "{x} should be {rest}",
    ),
    (
        rf"(?:the|all the|any|that) (?:\w+ )?(?:water|liquid)(?: in(?:side)? (?P<x>.+?))? (?:{MODAL}|can)"
        r" (?:come out of (?P<y>.+)|go|be (?:poured|tipped|thrown) (?:out|away))",
        lambda m: f"empty {m['x'] or m['y'] or 'it'}",
    ),
    (
        rf"{SHORT_X} {MODAL} (?:not have (?:any(?:thing|(?: more)? \w+)|water|liquid|tea|coffee|juice)|have"
        r" (?:nothing|no water))(?: left)? in (?:it|them)",
        "empty {x}",
    ),
    (
        r"there is (?:(?!(?:no|not|little|hardly|barely|scarcely)\b)\w+ )?(?:room|space|a (?:\w+ )?(?:place"
        rf"|spot)) (?:for {SHORT_X} (?P<rest>(?:in|on) .+)"
        r"|(?P<at>(?:in|on)"
        r" (?:the|my|our|an?|one of the) .+?) for (?P<y>.+))",
        lambda m: f"put {m['x'] or m['y']} {m['rest'] or m['at']}",
    ),
    (
        rf"{SHORT_X} {ADVERBS}{MODAL} {ADVERBS}(?:come|get|go|be(?: taken| removed| lifted)?) (?P<rest>(?:out"
        r" of|off) (?:the|my|our|its) .+?)(?P<at>(?: (?:in|on|inside|on top of) (?P<y>(?:the|my|our|an?|one of"
        r"|any|some) .+))?)",
        CategoryTemplate(_to_take),
    ),
    (
        rf"(?:would|could|might)(?: not)? {SHORT_X} (?:look|be|do|sit)(?: {ADVERB})* (?:better|best|nicer|nice"
        rf"|good|well|tidier)(?: off)?"
        rf" (?P<rest>{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        r"(?:it|everything|things|the (?:room|place|house|flat)|i|we|life) (?:would|will|could|might) (?:be"
        r"|feel|look|seem|work|sleep"
        rf"|cope)(?: {ADVERB}| so| that)* (?:better|nicer|tidier|safer|happier|easier|cosier|warmer|cooler"
        r"|brighter|calmer"
        rf"|quieter|good|nice|lovely|great|perfect|more \w+)(?: for (?:me|us))? with {SHORT_X} (?P<rest>{STATE}"
        rf"|{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        r"(?:i|we) (?:can not|could not|will not|shall not|would not|do not want to)(?: (?:really|ever"
        r"|possibly))* (?:rest|relax|sleep|settle"
        r"|be (?:happy|content|satisfied|at ease)|leave|go|stop worrying|calm down|concentrate|start)(?: (?:down"
        r"|easy|to bed|out))*"
        rf" (?:until|till|unless|before) {SHORT_X} (?:is|are|gets?|has been|have been) (?P<rest>{STATE}"
        rf"|{PREPOSITION} .+|{PARTICIPLE}\b.*)",
        desired_to_imperative,
    ),
    # an unwanted state
    (
        rf"{SHORT_X} (?:(?:can|could|may) not|is not (?:supposed|meant) to|are not (?:supposed|meant) to)"
        rf" {ADVERBS}(?:be|stay|remain|stand)(?: left)? (?P<rest>{STATE})",
        undesired_to_imperative,
    ),
    (
        rf"{SHORT_X} (?:has|have) no (?:business|reason|need)(?: to be| being) (?P<rest>{STATE})",
        undesired_to_imperative,
    ),
    (
        rf"{SHORT_X} {MODAL} (?:contain|hold|have) (?:some |more |enough )?water(?: in (?:it|them))?",
        "fill {x}",
    ),
    (
        rf"there (?:{MODAL}|can) (?:not be (?:any(?:thing| water)|water)|be (?:nothing"
        rf"|no water))(?: left)? in(?:side)? {X}",
        "empty {x}",
    ),
    (
        rf"(?:can|could|would|will|might|should|may) {SHORT_X} (?:please )?(?:go|come|move|stand|sit|lie"
        rf"|live|stay|hang) (?P<rest>{ADVERBS}{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        r"(?:it|that) is (?P<x>.+?) (?:that |which )?(?P<rest>(?:i|we) (?:am looking for|are looking for|am"
        r" waiting for|are waiting for|am after|am missing|need|want|would like|require))",
        "{rest} {x}",
    ),
    (r"to (?:me|us) (?:with )?(?P<x>(?:the|a|an|my|our|all|two|three|that) .+)", "bring me {x}"),
    (rf"(?:let|have|make) {SHORT_X} (?:run|work|do its job)", "start {x}"),
    (
        rf"{SHORT_X} (?:would|will|could) {ADVERBS}(?:be|do|look|feel|sit) {ADVERBS}(?:much |far |so much |a lot )*"
        r"(?:better|best|safer|happier|nicer|tidier|nice|well|good|great|lovely|perfect|wonderful|fantastic)(?:"
        rf" off| placed| kept)? (?P<rest>{STATE}"
        rf"|{PREPOSITION} .+)",
        desired_to_imperative,
    ),
    (
        rf"(?!.* {PARTICIPLE} (?:\w+ )?{PREPOSITION} )have (?P<x>(?:the|my|our|all|both|every|his|her|those"
        r"|these|an?(?! (?:\w+ )?(?:look|go|rest|nap|seat"
        rf"|chat|drink)\b)|one of|two|three|four) .+?) (?P<rest>(?:back )?(?!from|off|out){PREPOSITION} .+)",
        desired_to_imperative,
    ),
    # an unwanted state
    (
        rf"{SHORT_X} {ADVERBS}(?:should|must|shall|ought|may|(?:is|are)(?= not to)) not {ADVERBS}(?:to"
        rf" )?(?:be|stay|remain|stand)(?: left)? (?P<rest>.+)",
        undesired_to_imperative,
    ),
    (
        rf"{ENSURE} {SHORT_X} (?:is|are) not (?:(?:left|still|standing|switched|turned) )*"
        r"(?P<rest>on|off|open|closed|shut|running)",
        _to_opposite,
    ),
    # a statement about the existence of an object
    (
        r"there (?:is|are) (?P<x>.+?) (?:that|which|who) (?:all )?(?P<rest>(?:belongs?|goes|go|should"
        r"|needs?|must|ought|has|have|wants?) .+)",
        lambda m: f"{_STATE_BEFORE_PLACE.sub('', m['x'])} {m['rest']}",
    ),
    (rf"{I_WANT} {SHORT_X} (?:gone|out of (?:the|my) way)", "tidy away {x}"),
)
