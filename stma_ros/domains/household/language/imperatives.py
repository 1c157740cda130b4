"""Rules that rewrite imperatives as the plain ones that requests.py reads."""

from __future__ import annotations

from collections.abc import Sequence

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.changing_imperatives import CHANGES
from stma_ros.domains.household.language.patterns import (
    ME,
    PREPOSITION,
    QUESTION_START,
    SHORT_X,
    STATES,
    Rule,
    X,
    desired_to_imperative,
)

PLACE_VERB = "(?:" + "|".join(verbs.PUTTING.split()) + ")"

_TAKE = r"(?:take|grab|pick|retrieve|collect|lift|remove|hold|seize|gather|snatch)"
_BRING = (
    r"(?:bring|send|lend|serve|lug|cart|convey|ferry|move|carry|fetch|get|deliver|transport|haul|grab|take|retrieve"
    r"|hand|give"
    r"|pass)"
)
_PLACES_OWN = (
    r"(?:back )?(?:away|(?:to )?where (?:it|they) (?:belongs?|goes|go|should be|came from)|(?:back"
    r" )?(?:(?:in|to"
    r"|on) )?(?:its|their|the)"
    r" (?:usual |proper |right |own |correct )*(?:places?|spots?|homes?)|home|back)"
)


IMPERATIVES: Sequence[Rule] = (
    *CHANGES,
    (
        r"(?:keep|separate|store|leave|put|move) (?P<x>.+?)(?: well| far| safely)? (?:away|apart|clear|separate) from"
        r" (?P<y>(?:the|my|our|an?|all|any|both|every|one|it|them)\b.*)",
        "separate {x} from {y}",
    ),
    (
        r"(?:put|place|set|stand|arrange|lay|move|bring|gather|line up) (?P<x>.+?)(?: up)?(?: right| directly| close)?"
        r" (?:(?:next|close|near|adjacent) to (?:each other|one another)|(?:beside|near) (?:each other|one another)"
        r"|side by side|together)",
        "gather {x}",
    ),
    # away
    (
        rf"(?:pack|hang|stow|tidy|clear|put|stack|fold) {X} (?:up|away) (?P<y>(?:in|on|into|onto|inside) (?:the"
        rf"|my|our|a|an|(?:(?:any|just) )?(?:one|any) of (?:the|my|our)) .+)",
        "put {x} {y}",
    ),
    (rf"(?:tidy|sort|clear|pack) {X} (?P<y>(?:into|onto|inside) .+)", "put {x} {y}"),
    (rf"(?:clear|clean|sweep) (?:away |up )?{X} (?P<y>(?:off|from|out of) .+)", "tidy {x} {y}"),
    (
        r"(?:hang up|put back|place back|set back|put down|set down|lay down) (?P<x>.+ (?:on|in|inside"
        r"|onto|into|over|next to) .+)",
        "put {x}",
    ),
    (rf"(?:tidy|clear|clean|stow|sort|pack)(?: up| away)(?! (?:{PREPOSITION}) ) {X}", "tidy {x}"),
    (rf"(?:tidy|clear|clean|stow|sort|pack|put|store) (?P<x>.+?) {_PLACES_OWN}", "tidy {x}"),
    (
        r"(?:stow|pack|tidy|clear) (?P<x>(?!away )[^&]+ (?:in|on|inside|into|onto) (?:the|my|our) .+)",
        "put {x}",
    ),
    (r"(?:tidy|stow|pack) (?P<x>(?!(?:up|away)$).+?)(?: up| away)?", "tidy {x}"),
    (rf"(?:clear|clean|sort|pack|hang) {X} (?:up|away)", "tidy {x}"),
    (rf"(?:put|store|hang|pack) (?:back|away|up) {X}", "tidy {x}"),
    (rf"(?:return|replace|take|bring|move|set|place) (?P<x>.+?) {_PLACES_OWN}", "tidy {x}"),
    (rf"(?:throw|toss|chuck) (?:away|out) {X}", "put {x} into the bin"),
    (rf"(?:throw|toss|chuck) {X} (?:away|out)", "put {x} into the bin"),
    (r"get rid of (?P<x>(?:the|that|all the) lights?\b.*)", "switch off {x}"),
    (rf"(?:trash|bin|discard|dispose of|get rid of) {X}", "put {x} into the bin"),
    # to me
    (
        rf"{_BRING} (?P<x>[^&]+?) (?:over |back )?(?:to {ME}|here) & (?P<y>(?:the|my|our|a|an|some|two|three|all)"
        r" (?:(?! (?:to|into|onto|in|on) ).)+)",
        "bring {x} & {y}",
    ),
    (
        rf"{_BRING} {X} (?:along|with you|over|across) (?P<y>(?:to|into|onto) (?:the|my|our|an?|(?:any )?one of"
        r" the) .+)",
        "bring {x} {y}",
    ),
    (rf"{_BRING} (?:over )?to {ME} (?P<x>(?:the|a|an|my|our|some|all|two|three|that|this) .+)", "bring {x}"),
    (
        r"(?:bring|fetch|get|hand|give|pass|grab|find and bring|deliver|carry|take|toss|throw|chuck|slide|roll"
        rf"|send|lend|serve)(?: over)? {ME}(?:"
        rf" over| back)? {X}",
        "bring {x}",
    ),
    (
        rf"{_BRING}(?: over)? (?P<x>.+?(?<! from)) (?:(?:over|across|back|up|along|straight|directly|here)"
        rf" )*(?:(?:to|for|with) {ME}"
        rf"|here|over|along|to where i am|to my hands?)(?P<rest> from .+)?",
        "bring {x}{rest}",
    ),
    (r"(?:relieve|free) (?P<y>(?:the|my|our) .+?) of (?P<x>.+)", "take {x} from {y}"),
    (r"unload (?P<x>.+ (?:from|out of|off) .+)", "take {x}"),
    (rf"{_BRING} (?P<rest>from .+? )(?P<x>(?:the|a|an|my|all) .+)", "bring {x} {rest}"),
    (rf"(?:hand over|pass over|give up|pass round|procure|obtain|fetch|hand|give|pass) {X}", "bring {x}"),
    (rf"{PLACE_VERB} (?P<x>.+?) (?:(?:over|across|back|along|straight|down|up) )*to {ME}", "bring {x}"),
    # elsewhere
    (
        r"(?:move|shift|relocate|transfer|put) (?P<x>(?:(?! (?:to|into|onto|in|on|inside|under|next|by|near|at"
        r"|beside) ).)+? (?:from|off|out of)"
        r" (?:(?! (?:to|into|onto|in|on|inside|next|by|near|at|beside|over) ).)+)",
        "take {x}",
    ),
    (
        rf"drop off {X}|drop (?P<y>.+?) off (?P<z>(?:at|in|on) .+)",
        lambda m: f"put {m['x']}" if m["x"] else f"put {m['y']} {m['z']}",
    ),
    (
        r"(?:lay|spread|drape|put|throw|hang|place) (?P<x>(?:(?! (?:on|in|over|into|onto|to) ).)+) over"
        r" (?P<y>(?:the|my|our|a|its) .+)",
        "put {x} onto {y}",
    ),
    (r"load (?:in |up )?(?P<x>(?:(?! (?:with|into|in|onto|on|to) ).)+)", "put {x} in it"),
    (rf"{PLACE_VERB} (?P<x>.+?) (?:somewhere )?(?:in(?:to)? there|therein)", "put {x} in there"),
    (rf"{PLACE_VERB} {X} (?:inside|in)", "put {x} in it"),
    (rf"{PLACE_VERB} {X} (?:on top|on there|thereon)", "put {x} on it"),
    (
        rf"(?:{PLACE_VERB}|{_BRING}) (?P<x>.+ {PREPOSITION} (?:the|my|our|a|an|it|them)\b.*)(?<! in)(?<!"
        rf" into)(?<! on)(?<! onto) there",
        "put {x}",
    ),
    (
        rf"(?:{PLACE_VERB}|{_BRING}|{_TAKE}) (?P<x>.+?)(?: away| out| up)? (?:from|off|out of) there",
        "take {x} from there",
    ),
    (rf"(?:{PLACE_VERB}|{_BRING}) (?P<x>.+?) (?:over |back )*there", "put {x} to there"),
    (
        r"(?:take|get) out (?P<x>(?!of\b)(?:(?!(?:out of|from)\b).)+)|(?:take|get) (?P<y>(?:(?!(?:out of"
        r"|from)\b).)+) out",
        lambda m: f"take {m['x'] or m['y']} out of there",
    ),
    (rf"(?:load|fill|pack|stock|equip) {X} (?:up )?with (?P<y>.+)", "put {y} into {x}"),
    (rf"(?:pick|take|lift|get|hold) (?:up|out|down|hold of|ahold of|along) {X}", "take {x}"),
    (
        rf"{_TAKE} {X} (?:up|out|down|along)|(?:carry|haul|lug|cart) (?P<y>.+) (?:off|away|up)",
        lambda m: f"take {m['x'] or m['y']}",
    ),
    (rf"(?:bring|carry|deliver|transport|haul)(?: back| over| along)? {X}", "bring {x}"),
    (rf"(?:get(?! the (?:door|lights?)$)|{_TAKE})(?: up)? {X}", "take {x}"),
    (
        rf"{PLACE_VERB}(?: back| down| away| up| out| together)? (?P<x>(?!{PREPOSITION} ).+ {PREPOSITION} .+)",
        "put {x}",
    ),
    # without a verb
    (rf"(?:some )?water (?:into|in) {X}", "fill {x}"),
    (
        rf"(?!{QUESTION_START})(?!(?:someone|somebody|everyone|everybody|nobody|they|make|ensure"
        rf"|{'|'.join(verbs.BASES)})\b)(?!.*\b(?:is|are|was|were|left|leave"
        rf"|has|have|had|be|did|does|do"
        rf"|who|why|can|could|may|might|will|would|should|must|go|goes|went|looks?|seems?|feels?|sounds?|comes?"
        rf"|came)\b){SHORT_X}"
        rf" (?P<rest>open|opened|closed|shut|on|off|lit|filled|emptied|(?:switched|turned) (?:on|off)"
        rf"|(?:put |back )?away)",
        desired_to_imperative,
    ),
    (
        rf"(?!{QUESTION_START})(?!(?:someone|somebody|everyone|everybody|nobody|they|make|ensure"
        rf"|{'|'.join(verbs.BASES)})\b)(?!.*\b(?:is|are|was|were|left|leave"
        rf"|has|have|had|be|did|does|do"
        rf"|who|why|can|could|may|might|will|would|should|must|go|goes|went|looks?|seems?|feels?|sounds?|comes?"
        rf"|came)\b){SHORT_X}"
        rf" (?P<rest>(?:back )?(?:into|onto) .+)",
        desired_to_imperative,
    ),
    (
        r"(?P<x>(?:the|my|our|all|both|every) (?:(?! (?:is|are|was|were|half) )[^&])+?) (?P<rest>full|empty)",
        desired_to_imperative,
    ),
    # "I would like the bin emptied, the milk put in the fridge"
    (
        r"(?P<x>(?:the|my|our|all|both|every)(?: [\w'-]+){1,3}?) (?P<rest>(?:put|placed|moved|brought|taken"
        r"|returned"
        r"|stored|hung) (?:back )?(?:(?:in|on|into|onto|to|inside|next to|beside|near) (?:the|my|our|its) .+"
        r"|(?:to me|here).*))",
        desired_to_imperative,
    ),
    # "the floor lamp on, and the lamp on the desk"
    (
        r"(?P<x>(?:the|my|our|all|both) (?:(?! (?:is|are|was|were) )[^&])+?) (?P<rest>open|closed|shut|on"
        r"|off) & (?P<y>(?:the|my|our|all|both)"
        r" (?:(?! (?:open|closed|shut|on|off)$).)+)",
        lambda m: f"{STATES[m['rest']]} {m['x']} & {m['y']}",
    ),
)
