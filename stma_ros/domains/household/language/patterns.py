"""Building blocks of the rewriting rules (questions, indirect_requests, imperatives).

A rule is a pattern of a whole clause and its replacement: a template, or a function of the match, which may need
knowledge of categories and may return None to decline. The first matching rule applies, so that narrower rules have to
come before wider ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.domains.household.language import verbs
from stma_ros.memory.category_knowledge import CategoryKnowledge


@dataclass(frozen=True)
class CategoryTemplate:
    """A replacement that depends on knowledge of the named categories.

    Attributes:
        fill: returns the replacement for a match; None = the rule does not apply.
    """

    fill: Callable[[re.Match[str], CategoryKnowledge], str | None]


Template: TypeAlias = "str | Callable[[re.Match[str]], str | None] | CategoryTemplate"
Rule: TypeAlias = "tuple[str, Template]"

AND = " & "
"""Separates the members of a list within a clause."""

PREPOSITION = (
    r"(?:from inside of|from inside|from within|from on top of|from underneath|from under|from behind"
    r"|from beneath"
    r"|out from under|in front of|on top of|out of|off of|next to|close to|closer to|nearer to|adjacent"
    r" to|in to|on to|inside of|alongside|inside"
    r"|into|onto|upon|within|atop|beneath|underneath|below|under|behind|beside|between|above|near|against"
    r"|from"
    r"|off|to|in|on|at|by)"
)
"""A preposition at the beginning of a place. Longer prepositions come first."""

STATES = {
    "open": "open",
    "wide open": "open",
    "opened": "open",
    "closed": "close",
    "shut": "close",
    "on": "switch on",
    "running": "switch on",
    "lit": "switch on",
    "off": "switch off",
    "out": "stop",
    "full": "fill",
    "filled": "fill",
    "full of water": "fill",
    "empty": "empty",
    "emptied": "empty",
}
STATE = "(?:" + "|".join(sorted(STATES, key=len, reverse=True)) + ")"
PARTICIPLE = "(?:" + "|".join(sorted(verbs.PARTICIPLES, key=len, reverse=True)) + ")"
GERUND = "(?:" + "|".join(sorted(verbs.GERUNDS, key=len, reverse=True)) + ")"
ADVERBS = r"(?:(?:both|all|each|also|always|now|please|really|just|back|safely|neatly|currently|together) )*"
MODAL = (
    r"(?:should|must|shall|ought to|(?:has|have)(?: got)? to|needs? to|had (?:better|best)|wants? to"
    r"|(?:is|are|was|were)(?: still| all| both| always| really| actually)*(?: supposed| meant| intended|"
    r" required| ready"
    r"| expected| due)? to|would (?:be |do )?(?:much |far )?(?:best|better)(?: to)?)"
)
STAY = (
    r"(?:(?:be|have been|stay|remain) (?:waiting for (?:me|us)|ready|waiting|sitting|standing|lying|hanging"
    r"|resting|living|sat|located|found)|be"
    r"|have been|stay|remain"
    r"|get|go|come|stand|lie|sit|end up|live|belong|hang|rest|land|move|(?:find|make) (?:its|their) way|make it)"
)
PLACE_ADJECTIVE = (
    r"(?:(?:new|proper|right|rightful|usual|correct|regular|normal|own|permanent|designated|ideal|best|perfect|good"
    r"|nice|nicer|safe|suitable|little|free|empty|cosy|convenient|decent|fitting|appropriate) )?"
)
"""What a place may be called without a limit to it: "its proper home", but not "its former home"."""
PRESENT = r"(?:(?:exact|current|present|precise|actual|very|likely|likeliest|probable|approximate) )?"
"""What the whereabouts of a thing may be called if it is there now: "its exact position", but not "its usual one"."""
OTHER_PEOPLE = (
    r"(?:(?:the|my|our|his|her) (?:\w+ )?(?:kids?|children|child|baby|boys?|girls?|guests?|visitors?"
    r"|family|parents?|mother"
    r"|father|mum|mom|dad|wife|husband|son|daughter|sister|brother|grandma|grandmother|grandpa"
    r"|grandfather|boss|neighbours?"
    r"|neighbors?|friends?)|grandma|grandpa|granny|nana|mum|mom|mommy|mummy|dad|daddy|everyone|everybody"
    r"|someone|somebody)"
)
"""People other than the speaker who may want something."""

SOMEBODY = (
    rf"(?:i|we|he|she|they|who|some(?:one|body)|any(?:one|body)|{OTHER_PEOPLE}|(?:my|our|the) (?:flatmates?"
    r"|roommates?|housemates?|colleagues?|cleaners?|cousins?|uncle|aunt|nephew|niece|partner|tenants?|people)"
    r"|people)"
)
"""The speaker, the robot's household or anybody else."""
PERSON = (
    r"(?:(?:i|we)(?: (?:really|just|simply|also|only|still|now|urgently|badly|do))*"
    rf"|{OTHER_PEOPLE}(?: really| also| still)?)"
)
I_WANT = (
    rf"{PERSON} (?:(?:(?:will|shall|am going to|are going to|is going to) (?:also |then )?)(?:need|want"
    rf"|require)(?! to\b)"
    r"|(?:will|shall) be (?:needing|wanting)|wants?(?! to\b)|needs?(?! to\b)|(?:want|need|would like|would love"
    r"|would prefer|wish)(?="
    rf" to (?:have|get|see|hold)\b"
    r"|(?= there to be))|(?:would|should) (?:really |so |dearly |also |very much |still )*(?:like|love|prefer"
    r"|appreciate|welcome"
    r"|fancy|enjoy)(?! to\b)"
    r"|would (?:rather|sooner)(?: have)?|would not (?:mind|say no to)(?! \w+ing\b)"
    r"|would be (?:\w+ )?(?:glad|grateful|happy|thankful|pleased|delighted) (?:of|for|about|with|to (?:have"
    r"|see)(?! you\b))|(?:could|can) (?:really"
    r" )?(?:use|do with)"
    r"|wish(?:es)?(?: for)?(?! to\b)|prefers?(?! to\b)|requires?|insists? on|asks? for|demands?|fancy"
    r"|long for|crave|request"
    r"|(?:am|is|are) (?:needing|wanting|wishing for|asking for|requesting|craving|in (?:\w+ )?(?:need"
    r"|want) of|dying for"
    r"|waiting for|requiring|after|longing for|missing)|feel like|must have(?! (?:left|put|lost|forgotten"
    r"|dropped|placed|been|misplaced|had)\b)|(?:have|need|has|needs)"
    r" (?:got )?to have"
    r"|would kill for|would give anything for|hereby request)"
)
ENSURE = (
    r"(?:make (?:quite |really )?sure|ensure|make certain|be sure|see to it|see|check|verify|take care"
    r"|confirm|guarantee|arrange"
    r"|make(?: it so)?(?= that\b)|mind(?= that\b)|i (?:trust|expect|hope)(?= that\b))(?: that)?"
)
REMEDY = re.compile(
    r"(?:please )?(?:(?:i|we) (?:would like|want|need) (?:it|that|this) (?:changed|fixed|remedied|sorted"
    r"|put right)|(?:put|set) (?:it|that|this|them|things|matters) (?:right|straight)|see (?:that )?(?:it|that)"
    r" (?:gets|is) done|(?:change|see to|take care of|deal with|do(?: something about)?|sort|sort out|put right|undo"
    r"|remedy|attend to|fix(?= that| this)) (?:it|that|this|them|so)(?: out)?)"
)
"""Asks to end the state that the remark before it tells."""

BASE = "(?:" + "|".join(verbs.BASES) + ")"
ACTION = (
    r"(?:(?!leave (?:(?:in|at|by|for) (?:\w+ )*?(?:minutes?|hours?|seconds?|moment|bit|while|work|noon|school"
    r"|\d+)\b|soon|now"
    r"|early|later|tomorrow|tonight|today)\b)"
    rf"{BASE} (?!to\b|of\b|is\b)|make (?:quite |really |absolutely )?(?:sure|certain) |ensure |see to it "
    r"|take care (?:of|that)\b|come back with |have a (?:\w+ )?(?:look|hunt|search|scout) |do a (?:\w+ )?search "
    r"|scout |report where |point (?:me|out) |show me |let me have |inform me where |cast an eye |go looking "
    r"|(?:work|figure) out where |determine |tell me"
    r" where |let me know where "
    r"|check (?:that|if|whether|where)\b|see (?:that|to|if you can|where)\b|arrange for |have (?:the|my|our|all|both"
    r"|every)\b|tell me |let me know |know where\b|help (?:me )?|try to |track down |ask you to |(?:go"
    r"|come)(?:$| (?:and|&|over|ahead)\b))"
)
"""The beginning of what somebody is asked to do."""
OBJECT_START = (
    r"(?:the|a|an|my|our|your|his|her|their|all|both|every|each|some|any|one|two|three|four|five|it|them|me|us"
    r"|this|that"
    r"|these|those|on|off|up|out|away|down|in|open|shut|back|over|for|to it|where|sure|certain|rid)"
)
"""The beginning of what follows a verb."""
ME = r"(?:me|us)"
QUESTION_START = (
    r"(?:could|will|would|should|may|might|must|shall|do|does|did|has|have|had|is|are|was|were|why|who|when|how"
    r"|what|i|we|you"
    r"|he|she|they|can (?:i|we|you|he|she|they|someone|somebody|the|my|a))\b"
)
"""The beginning of a question, or of a clause with a subject and a verb."""
X = r"(?P<x>.+)"
SHORT_X = (
    r"(?P<x>.+?(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bmy)(?<!\ball)(?<!\bour)(?<!\byour)(?<!\bevery)(?<!"
    r" &)(?<!\bnot)(?<!\bdoes)(?<!\bdo)"
    r"(?<!\w that)(?<!\w which)(?<!\bthat is)(?<!\bthat are)(?<!\bwhich is)(?<!\bwhich are))"
)

DETERMINER = r"(?:the|my|our|all|both|every|each|that|those|these|this|a|an|one|two|three|four|five)"
_NO_END = r"(?<! that)(?<! which)(?<! is)(?<! are)(?<! and)(?<! the)(?<! my)(?<! our)(?<! a)(?<! an)"
"""No name of a thing ends with these words."""
THING = rf"(?P<x>{DETERMINER} (?:[^.,;:&]|, (?=(?:and )?{DETERMINER} ))+?{_NO_END})"
SHORT_THING = rf"(?P<x>{DETERMINER} (?:(?! {PREPOSITION} )[^.,;:])+?{_NO_END})"
AT = r"(?:in|on|inside|at|under|behind|beside|near|next to|on top of)"
PLACE_START = (
    r"(?:the|my|our|a|an|its|their|(?:(?:any|just|some) )?(?:one|any) of (?:the|my|our|these|those))"
)
"""The beginning of the name of a place."""
END = (
    r"(?=(?: (?:please|now|today|for (?:me|us)|instead|right away|at some point|(?:when(?:ever)?|as soon as|if"
    r"|once) you"
    r" (?:get|have|can|are|could|would|find|happen) ?[^.,;:]*))*\s*(?:[.,;:]|$)"
    rf"|,? and (?:then |also |please )*(?:{BASE}|{GERUND}|make|see|check|tell|let) )"
)
"""The end of what is said of a thing."""
START = r"(?:(?<=^)|(?<=[.,;:] )|(?<=\band )|(?<=\bbut )|(?<=\bso ))"
"""The beginning of a clause."""
ABOUT_IT = (
    r"\s*[.,;]?(?<=[.,;])\s*(?=(?:(?:and|but|so|then|now|please|kindly|just|well|instead|could|can|would|will"
    r"|might|may|be|so|kind|good|nice|enough|as|to|perhaps|maybe|possibly|you|if"
    rf"|,|\.) )*(?:{BASE}|find|make|give|it|they|its|their|i|we)\b(?:(?! {DETERMINER} )[^.;])*?"
    r"\b(?:it|them|they|its|their)\b)"
)
"""The next clause says what is to be done with the thing, before it names another one."""


def names_several(thing: str) -> bool:
    """Whether the name of a thing begins as that of several things, or lists them."""
    return bool(re.search(r",| and |^(?:all|both|two|three|four|five|those|these)\b", thing))


def desired_to_imperative(match: re.Match[str] | Mapping[str, str]) -> str | None:
    """Returns the imperative that brings x into the state or place in `rest`, or None."""
    x, rest = match["x"], re.sub(rf"^{ADVERBS}", "", match["rest"].strip() + " ").strip()
    quantified = re.match(r"^(both|all|each)\b", match["rest"].strip())
    if quantified and quantified[0] != "both" and not re.match(r"(?:all|every|each)\b", x) and "&" not in x:
        x = f"all {re.sub('^(?:the|my|our) ', '', x)}"
    rest = re.sub(r"^over (?=(?:in|on|to|into|at) )", "", rest)
    if rest in STATES:
        return f"{STATES[rest]} {x}"
    further = re.fullmatch(rf"(?P<state>{STATE}) (?P<more>& .+)", rest)
    if further:  # "the lamp should be off & the heater"
        return f"{STATES[further['state']]} {x} {further['more']}"
    participle = re.match(rf"({PARTICIPLE})\b(.*)$", rest)
    if participle and re.search(rf" {PREPOSITION} ", x):
        participle = re.match(
            rf"({PARTICIPLE})\b(.*)$",
            re.sub(r"(?<= )(in|on)(?= (?:the|my|our|a|an|its)\b)", r"\1to", rest, count=1),
        )
    if participle:
        particle = re.match(r" (on|off|up|out|away|down)\b(.*)$", participle[2])
        if particle and verbs.PARTICIPLES[participle[1]] in ("turn", "switch", "power"):
            verb = "switch" if particle[1] in ("on", "off") else verbs.PARTICIPLES[participle[1]]
            return f"{verb} {particle[1]} {x}{particle[2]}"
        to_speaker = re.fullmatch(
            rf"(?: over| back| straight)*(?: to {ME}| here)(?: to {ME})?", participle[2]
        )
        return f"bring {x}" if to_speaker else f"{verbs.PARTICIPLES[participle[1]]} {x}{participle[2]}"
    if re.fullmatch(rf"(?:over |back )?(?:to {ME}|here(?: (?:with|to) {ME})?|with {ME})", rest):
        return f"bring {x}"
    if re.fullmatch(r"(?:back |over )?there", rest):
        return f"put {x} there"
    if re.fullmatch(r"(?:put )?away|where (?:it|they) belongs?", rest):
        return f"tidy {x}"
    if re.match(r"(?:out of|off|off of|away from) (?:(?! (?:to|into|onto|in|on) ).)+$", rest):
        return None  # "it should stay out of the sink"
    if re.match(rf"(?!to (?:be|go|get|stay)\b){PREPOSITION} \S", rest):
        # x may end with its own place, as in "the bowl beside the sink should be on the counter".
        towards = re.sub(r"^(in|on)(?=\s)", r"\1to", rest) if re.search(rf" {PREPOSITION} ", x) else rest
        return f"put {x} {towards}"
    return None


def undesired_to_imperative(match: re.Match[str]) -> str | None:
    """Returns the imperative that ends the state of x in `rest`, as in "the tv should not be running", or None."""
    rest = re.sub(rf"^{ADVERBS}", "", match["rest"].strip() + " ").strip()
    # "It must not be opened" does not ask to close it.
    state = "" if rest in verbs.PARTICIPLES and rest != "shut" else STATES.get(rest, "")
    opposite = {
        "open": "close",
        "close": "open",
        "switch on": "switch off",
        "switch off": "switch on",
        "empty": "fill",
    }
    return f"{opposite[state]} {match['x']}" if state in opposite else None


def gerund_to_imperative(match: re.Match[str]) -> str:
    """Returns the imperative of a gerund: "closing the door" becomes "close the door"."""
    return f"{verbs.GERUNDS[match['verb']]} {match['rest']}"
