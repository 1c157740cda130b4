"""What the rewriting rules (questions, wishes, imperatives) are made of.

A rule is a pattern of a whole clause and what it comes to: a template, or a function of the match, with or
without what is known of kinds of things (which may decline).
The first that fits is taken, so the order matters: the narrower before the wider.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.domains.household.language import verbs
from stma_ros.memory.category_knowledge import CategoryKnowledge


@dataclass(frozen=True)
class ByKind:
    """A template that depends on what is known of the kinds of things that are named."""

    fill: Callable[[re.Match[str], CategoryKnowledge], str | None]


Template: TypeAlias = "str | Callable[[re.Match[str]], str | None] | ByKind"
Rule: TypeAlias = "tuple[str, Template]"

PREPOSITION = (
    r"(?:from inside of|from inside|from within|from on top of|from underneath|from under|from behind"
    r"|from beneath"
    r"|out from under|in front of|on top of|out of|off of|next to|close to|closer to|nearer to|adjacent"
    r" to|in to|on to|inside of|alongside|inside"
    r"|into|onto|upon|within|atop|beneath|underneath|below|under|behind|beside|between|above|near|against"
    r"|from"
    r"|off|to|in|on|at|by)"
)
"""What a place begins with; the longer ones first."""

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
    r"(?:should|must|shall|ought to|(?:has|have)(?: got)? to|needs? to|(?:is|are)(?: supposed| meant)? to"
    r"|had better|wants? to)"
)
STAY = r"(?:be|stay|remain|get|go|come|stand|lie|sit|end up|live|be found|belong|hang|rest)"
PEOPLE = (
    r"(?:(?:the|my|our|his|her) (?:\w+ )?(?:kids?|children|child|baby|boys?|girls?|guests?|visitors?"
    r"|family|parents?|mother"
    r"|father|mum|mom|dad|wife|husband|son|daughter|sister|brother|grandma|grandmother|grandpa"
    r"|grandfather|boss|neighbours?"
    r"|neighbors?|friends?)|grandma|grandpa|granny|nana|mum|mom|mommy|mummy|dad|daddy|everyone|everybody"
    r"|someone|somebody)"
)
"""Who wants something, besides the speaker."""

_WHO = (
    r"(?:(?:i|we)(?: (?:really|just|simply|also|only|still|now|urgently|badly|do))*"
    rf"|{PEOPLE}(?: really| also| still)?)"
)
I_WANT = (
    rf"{_WHO} (?:wants?(?! to\b)|needs?(?! to\b)|(?:want|need|would like|would love|would prefer|wish)(?="
    rf" to (?:have|get|see|hold)\b"
    r"|(?= there to be))|(?:would|should) (?:really |so |dearly )*(?:like|love|prefer|appreciate|welcome"
    r"|fancy|enjoy)(?! to\b)"
    r"|would (?:rather|sooner)(?: have)?|would not (?:mind|say no to)(?! \w+ing\b)"
    r"|would be (?:\w+ )?(?:glad|grateful|happy|thankful) (?:of|for|about|with)|(?:could|can) (?:really"
    r" )?(?:use|do with)"
    r"|wish(?:es)?(?: for)?(?! to\b)|prefers?(?! to\b)|requires?|insists? on|asks? for|demands?|fancy"
    r"|long for|crave|request"
    r"|(?:am|is|are) (?:needing|wanting|wishing for|asking for|requesting|craving|in (?:\w+ )?(?:need"
    r"|want) of|dying for"
    r"|waiting for|requiring|after|longing for|missing)|feel like|must have|(?:have|need|has|needs)"
    r" (?:got )?to have"
    r"|would kill for|would give anything for|hereby request)"
)
ENSURE = (
    r"(?:make (?:quite |really )?sure|ensure|make certain|be sure|see to it|see|check|verify|take care"
    r"|confirm|guarantee|arrange"
    r"|make(?: it so)?(?= that\b)|mind(?= that\b)|i (?:trust|expect|hope)(?= that\b))(?: that)?"
)
ME = r"(?:me|us)"
ASKED = (
    r"(?:could|will|would|should|may|might|must|shall|do|does|did|has|have|had|is|are|was|were|why|who|when|how|what|i|we|you"
    r"|he|she|they|can (?:i|we|you|he|she|they|someone|somebody|the|my|a))\b"
)
"""How what has a verb begins: a question, or what somebody does."""
X = r"(?P<x>.+)"
SHORT_X = r"(?P<x>.+?(?<!\bthe)(?<!\ba)(?<!\ban)(?<!\bmy)(?<!\ball)(?<!\bour)(?<!\byour)(?<!\bevery)(?<! &))"


def wanted(match: re.Match[str]) -> str | None:
    """What is to be done that x be as the rest says."""
    x, rest = match["x"], re.sub(rf"^{ADVERBS}", "", match["rest"].strip() + " ").strip()
    quantified = re.match(r"^(both|all|each)\b", match["rest"].strip())
    if quantified and quantified[0] != "both" and not re.match(r"(?:all|every|each)\b", x) and "&" not in x:
        x = f"all {re.sub('^(?:the|my|our) ', '', x)}"
    if rest in STATES:
        return f"{STATES[rest]} {x}"
    done = re.match(rf"({PARTICIPLE})\b(.*)$", rest)
    if done and re.search(rf" {PREPOSITION} ", x):
        done = re.match(
            rf"({PARTICIPLE})\b(.*)$",
            re.sub(r"(?<= )(in|on)(?= (?:the|my|our|a|an|its)\b)", r"\1to", rest, count=1),
        )
    if done:
        particle = re.match(r" (on|off|up|out|away|down)\b(.*)$", done[2])
        if particle and verbs.PARTICIPLES[done[1]] in ("turn", "switch", "power"):
            return f"{verbs.PARTICIPLES[done[1]]} {particle[1]} {x}{particle[2]}"
        return f"{verbs.PARTICIPLES[done[1]]} {x}{done[2]}"
    if re.fullmatch(r"(?:put )?away|where (?:it|they) belongs?", rest):
        return f"tidy {x}"
    if re.match(rf"{PREPOSITION} \S", rest):
        # x may end with a place of its own: "the bowl beside the sink" that should be "on the counter"
        towards = re.sub(r"^(in|on)(?=\s)", r"\1to", rest) if re.search(rf" {PREPOSITION} ", x) else rest
        return f"put {x} {towards}"
    return None


def unwanted(match: re.Match[str]) -> str | None:
    """What is to be done that x be no longer as the rest says: "the tv should not be running"."""
    rest = re.sub(rf"^{ADVERBS}", "", match["rest"].strip() + " ").strip()
    state = (
        "" if rest in verbs.PARTICIPLES and rest != "shut" else STATES.get(rest, "")
    )  # what must not be opened is not to be closed
    opposite = {"open": "close", "close": "open", "switch on": "switch off", "switch off": "switch on"}
    return f"{opposite[state]} {match['x']}" if state in opposite else None


def gerund(match: re.Match[str]) -> str:
    return f"{verbs.GERUNDS[match['verb']]} {match['rest']}"
