"""Rewrites clauses that say when something is to be done as "after" or "before" with a gerund.

"Once the vase is full", "as soon as you have filled it" and "not until it is filled" become "after filling it", from
which the order of the requests is read.
"""

from __future__ import annotations

import re

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.patterns import (
    ACTION,
    BASE,
    GERUND,
    OBJECT_START,
    PARTICIPLE,
    PREPOSITION,
    STATE,
    desired_to_imperative,
)

_THING = r"(?P<x>(?:the|my|our|all|both|every|each|his|her) [^.,;:]+?|it|they|them)"
_ALREADY = r"(?: (?:both|all|now|finally|back|safely|completely))*"
_PREDICATE = (
    rf"(?:(?:is|are){_ALREADY} (?P<now>{STATE}(?! {PREPOSITION}))|(?:(?:is|are)|(?:has|have) been){_ALREADY}"
    rf" (?P<done>(?!left\b){PARTICIPLE}\b[^.,;:]*?)(?: by you)?"
    rf"|(?:is|are){_ALREADY} (?P<place>(?:in|on|inside|next to|beside|near) (?:the|my|our|its|there"
    rf"|it)\b[^.,;:]*?))"
)
_YOU = (
    rf"you (?:(?:have|are) (?:(?:done|finished|completed|through)(?: with)? (?P<doing>{GERUND})\b"
    rf"|(?!got (?:an?|one|some|the) (?:\w+ )?(?:sec|second|minute|moment|mo|time|chance|while"
    rf"|hand)\b)(?P<did>{PARTICIPLE})"
    rf" (?=(?:up |off |on |out )?(?:the|my|our|it|them|all|both|every|a|an|two|three)\b))"
    rf"|(?:manage to |get to )?(?P<do>(?!(?:get|leave|run|find|spot|see|stop)\b){BASE}|make(?= sure\b)|tell(?= me))"
    r" (?=(?:up |off |on |out )?(?:the|my|our|it|them|all|both|every|sure|me)\b))"
)
_ONCE = r"(?:once|as soon as|after|the (?:moment|minute|instant)|directly)"
_START = r"(?:(?<=^)|(?<=[.;:,] )|(?<=\band )|(?<=\bthen ))"
_END = r"(?=\s*(?:[.;,:]|$)|,? (?:and|then|and then) (?!.* first\b))"
_ONLY = r"(?<=\w)(?:,| ,| -)? (?:but )?(?:and )?(?:only )?"
_THEN = r"\s*,(?: (?:then|and))?"

_FRONTED_STATE = re.compile(rf"{_START}(?:{_ONCE}|when(?= (?:it|they|them)\b)) {_THING} {_PREDICATE}{_THEN} ")
_TRAILING_STATE = re.compile(
    rf"(?<=\w),? (?:(?:but )?only {_ONCE}|{_ONCE}(?=[^.,;]* by you\b)|(?:{_ONCE}|when)(?= (?:it|they|them)\b))"
    rf" {_THING} (?!(?:is|are){_ALREADY} (?:full|empty)\b){_PREDICATE}{_END}"
)
"""Otherwise, it is not clear who is to bring about the state: "turn on the stove once the pot is on it"."""
_FRONTED_ACTION = re.compile(rf"{_START}(?:{_ONCE}|when) {_YOU}")
_TRAILING_ACTION = re.compile(rf"{_ONLY}(?:{_ONCE}|when) {_YOU}")
_NOT_UNTIL = re.compile(
    rf"{_START}not (?:until|before) {_THING} {_PREDICATE},? (?:should|may|can|must|shall|do|are) you (?:to )?"
    rf"(?={ACTION})"
)
_BUT_NOT_UNTIL = re.compile(rf"(?<=\w) ?,? but not (?:until|before) (?={_THING} {_PREDICATE}{_END}|you )")
_BUT_NOT_BEFORE = re.compile(
    r"(?<=\w) ?,? (?:but |and |though )(?:please |definitely |certainly )*(?:not (?:until|before|till)(?: after)?"
    rf"|only after|never before) (?={GERUND}\b|you (?:have|are) )"
)
_AT_ONCE = re.compile(
    r"\b(?:right|straight|immediately|directly|just|shortly|soon|only|right away|some time|sometime)"
    rf" (?=(?:after|before) (?:{GERUND}\b|you (?:have|are)\b))"
)
_BUT = re.compile(
    r"\s*[.;]\s*(?=but (?:please )?(?:only (?:once|after|when|as soon as)|not (?:until|before)|do it only (?:once"
    r"|after)))"
)
_DOING_IS_DONE = re.compile(
    rf"{_START}(?:once|when|as soon as|after) (?P<do>{GERUND} [^.,;:]*?) (?:is|has been)(?: all)? (?:done|finished"
    r"|completed|complete|sorted|taken care of|out of the way|accomplished) ?, ?(?:then )?"
)
_HAVING = re.compile(rf"{_START}having (?:finished|completed) (?={GERUND}\b)")
_PRIOR = re.compile(
    r"\b(?:prior to|before you (?:start|begin|go on to|move on to|get to|get (?:a)?round to|continue)(?: by"
    rf"| with)?) (?=(?:{GERUND}|coming back)\b)"
)
_ONLY_THEN = re.compile(rf"{_START}only (?=(?:please )?{ACTION}[^.;]* (?:after|once|when|as soon as) )")
_WITH_DONE = re.compile(
    rf"{_START}with (?P<x>(?:the|my|our|all|both) [^.,;:]+?) (?P<done>emptied|filled"
    r"|opened|closed|shut|switched"
    r" (?:on|off)|turned"
    rf" (?:on|off))(?: up| out)?(?: with (?:\w+ )?water)? ?, (?={ACTION}|please )"
)
_UNDOES = {
    "open": r"(?:close|shut) (?:it|them)",
    "close": r"open (?:it|them)",
    "shut": r"open (?:it|them)",
    "fill": r"(?:empty|drain|pour|tip) (?:out )?(?:it|them)",
    "empty": r"(?:fill|refill|top) (?:up )?(?:it|them)",
    "on": r"(?:turn|switch|power) (?:off (?:it|them)|(?:it|them) off)",
    "off": r"(?:turn|switch|power) (?:on (?:it|them)|(?:it|them) on)",
}
"""By what is done, the beginning of the request that ends it: "with the window closed, open it"."""
_AND_DONE = re.compile(
    rf"(?P<after>\b(?:after|before) {GERUND} [^.,;]*?,? and )(?P<did>{PARTICIPLE}) (?=(?:up |off |on "
    rf"|out )?(?:the|my|our|it|them|all|both)\b)"
)
_THEREAFTER = re.compile(r",? (?:after which|whereupon|upon which)(?: point)?,?(?= )")
_PLEASE = (
    r"(?:please |kindly |just |you (?:should |must |can |need to |have to )?|go (?:ahead |over )?and"
    r" |(?:i|we) (?:want|need|would like|would ask|ask|would love|would prefer) you to |do (?:me|us) (?:a|the)"
    r" (?:\w+ )?(?:favou?r|kindness|courtesy) and |be (?:so (?:kind|good) as to|(?:kind|good) enough to|a (?:dear"
    r"|love|sport)"
    r" and) |(?:make sure|be sure|remember|do not forget|see) (?:that you |you |to ))*"
)
_GERUND_PLEASE = (
    r"(?:(?:please |kindly )*do (?:me|us) the (?:\w+ )?(?:favou?r|kindness|courtesy) of |not without )"
    rf"(?={GERUND}\b)"
)
_WITH_LISTS = r"(?:[^.;,]|, (?=(?:the|an?|my|our|all|both|every|and|one|two|three|four|five) ))*?"
_BUT_FIRST = re.compile(
    r" ?,?(?: \.)?(?: (?:oh|ah) ?,?)? (?:but|though) (?:(?:first|before that|before(?:hand)?|prior to that"
    r"|before you do(?: (?:so|that"
    rf"|it))?)(?: of all)?,? {_PLEASE}(?P<do>{ACTION}[^.;]*)"
    rf"|{_PLEASE}(?P<this>{ACTION}{_WITH_LISTS}) (?:first|beforehand|before that)(?=\s*(?:[.;,]|$))"
    rf"|{_GERUND_PLEASE}(?P<before>{GERUND} {_WITH_LISTS}) (?:first|beforehand|before that)(?=\s*(?:[.;,]|$))"
    rf"|(?P<doing>{GERUND} {_WITH_LISTS}) (?:comes|goes|has to come|must come|should come) first(?=\s*(?:[.;,]|$)))"
)
_BEFORE_THAT = re.compile(
    r"\s*[.;]\s*(?:but )?(?:before that|beforehand|prior to that) ?,?(?: (?:though"
    rf"|however) ?,?)? (?:please )?(?P<do>{ACTION}[^.;]*)"
    rf"|\s*\. (?!you (?!should|must|can|need|have to)){_PLEASE}(?P<this>{ACTION}{_WITH_LISTS}) (?:beforehand"
    rf"|before (?:that|you do (?:that|so"
    rf"|it)))(?=\s*(?:[.;,]|$))"
)
_VERB = re.compile(
    rf"(?P<before>^|(?:and|,) )(?:(?P<verb>{BASE}|make(?= sure\b)|tell)(?= (?:up |off |on |out )?{OBJECT_START}\b)"
    r"|(?P<other>have(?= a (?:\w+ )?look\b)|come(?= back\b)|help(?= me\b)|try(?= to\b)|look(?= for\b| around\b)"
    r"|search(?= for\b)))"
)
_MEANWHILE = re.compile(
    r" ?,? ?\bwhile (?:it|that|they|the \w+) (?:runs?|boils?|washes|works|cooks|heats up|(?:is|are) (?:running"
    r"|boiling|going"
    r"|busy|heating|filling|working|washing|cooking|on))(?: up)? ?(?:,|(?=[.;]|$))"
)
_PRESENCE = re.compile(
    r"\b(?:while|when|once|as soon as|as|since|now that) you are (?:(?:already|still|over|back|anyway|there) )*"
    r"(?P<place>in (?:the|my|our) [^.,;:]+?)(?: (?:anyway|already))?(?=\s*(?:[.,;:]|$))"
    r"|\bwhen you (?:get|come|go) (?:in)?to (?P<room>(?:the|my|our) [^.,;:]+?)(?=\s*,)"
)
_LEAVING = re.compile(
    rf"{_START}before you (?:leave|go out of|come out of) (?:(?:the|my|our) (?:(?!(?:in|on|at|by|next|open"
    rf"|off)\b)\w+ ?){{1,2}}|here|there) ?, (?=(?:(?:please|then|also|could you|can you|would you|will you)"
    rf" )*(?:{BASE}|make|see|check|tell|i|we) )"
)
_GERUND_OF = {"come": "coming", **{base: gerund for gerund, base in verbs.GERUNDS.items()}}


def with_gerunds(text: str) -> str:
    """Returns a normalised text whose clauses about the order of requests have gerunds."""
    text = _DOING_IS_DONE.sub(r"after \g<do> , ", _BUT.sub(" ", text))
    text = _LEAVING.sub("", _MEANWHILE.sub(" ", text))
    text = _PRESENCE.sub(lambda m: m["place"] or f"in {m['room']}", text)
    text = _THEREAFTER.sub(" , then", text)
    text = _ONLY_THEN.sub("", text)
    text = _HAVING.sub("after ", _PRIOR.sub("before ", text))
    text = _BUT_NOT_BEFORE.sub(" after ", _AT_ONCE.sub("", text))
    text = _WITH_DONE.sub(_with_done, text)
    text = _BUT_NOT_UNTIL.sub(" only once ", text)
    text = _NOT_UNTIL.sub(lambda m: _after(m, "{} , "), text)
    text = _FRONTED_STATE.sub(lambda m: _after(m, "{} , "), text)
    text = _TRAILING_STATE.sub(lambda m: _after(m, " {}"), text)
    text = _FRONTED_ACTION.sub(lambda m: f"after {_gerund(m)}", text)
    text = _TRAILING_ACTION.sub(lambda m: f" after {_gerund(m)}", text)
    text = _BEFORE_THAT.sub(lambda m: f" after {_in_gerunds(m['do'] or m['this'])}", text)
    text = _AND_DONE.sub(lambda m: f"{m['after']}{_GERUND_OF[verbs.PARTICIPLES[m['did']]]} ", text)
    return _BUT_FIRST.sub(
        lambda m: f" after {m['doing'] or m['before'] or _in_gerunds(m['do'] or m['this'])}", text
    )


def _with_done(match: re.Match[str]) -> str:
    """Returns "after emptying the cup , " for "with the cup emptied , ", unless that is how the cup is already."""
    done, _, particle = match["done"].partition(" ")
    undoes = _UNDOES[particle or verbs.PARTICIPLES[done]]
    if re.match(rf"(?:please )?{undoes}\b", match.string[match.end() :]):
        return match[0]
    return f"after {_GERUND_OF[verbs.PARTICIPLES[done]]} {particle} {match['x']} , ".replace("  ", " ")


def _in_gerunds(actions: str) -> str:
    """Returns "taking the cup and emptying it" for "take the cup and empty it"."""
    return _VERB.sub(lambda m: m["before"] + _GERUND_OF[m["verb"] or m["other"]], actions)


def _after(match: re.Match[str], form: str) -> str:
    """Returns a match in which a thing gets into a state as "after" with the gerund of what is to be done."""
    thing = {"they": "them"}.get(match["x"], match["x"])
    wanted = {"x": thing, "rest": match["now"] or match["done"] or match["place"]}
    imperative = desired_to_imperative(wanted)
    if imperative is None:
        return match[0]
    verb, _, rest = imperative.partition(" ")
    return form.format(f"after {_GERUND_OF[verb]} {rest}") if verb in _GERUND_OF else match[0]


def _gerund(match: re.Match[str]) -> str:
    """Returns the gerund of what the robot has done or finished."""
    base = match["do"] or verbs.PARTICIPLES.get(match["did"] or "", "")
    return f"{_GERUND_OF[base]} " if base else match["doing"]
