"""Rewrites the many ways to ask for something as a few plain imperatives.

"Where is X?", "X is missing" become "find X"; "X should be off", "would you mind turning X off" become "switch off X".
The plain imperatives, which requests.py reads, begin with: find, open, close, switch on, switch off, start, stop,
fill, empty, put, bring, take, tidy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from stma_ros.domains.household.language import verbs
from stma_ros.domains.household.language.imperatives import CAUSATIVES, IMPERATIVES
from stma_ros.domains.household.language.indirect_requests import INDIRECT_REQUESTS
from stma_ros.domains.household.language.patterns import (
    ASKED,
    ENSURE,
    PARTICIPLE,
    PREPOSITION,
    ByKind,
    Rule,
    Template,
)
from stma_ros.domains.household.language.questions import QUESTIONS
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SENTENCES = (*CAUSATIVES, *QUESTIONS, *INDIRECT_REQUESTS)

_ROUNDS = 6  # of rewriting; a sentence that needs more of them is none of ours
_IMPERATIVE = re.compile(
    rf"(?:{'|'.join(verbs.BASES)})"
    r" (?:the|a|an|my|our|your|his|her|their|this|that|these|those|it|them|him|me|us|all|every|each|both"
    r"|any|some|one|two"
    r"|three|four|five|six|up|out|away|back|down|on|off|over|for|in)\b"
)

# What is asked for and no skill of the robot's does: it is not passed over.
_BEYOND = re.compile(
    r"(?:wash|rinse|wipe|scrub|polish|dust|vacuum|hoover|mop|iron|fold|dry|cook|bake|boil|fry|heat|warm"
    r"|cool|mix|stir|cut|slice"
    r"|chop|peel|water|feed|walk|repair|fix|mend|paint|break|smash|burn|count|measure|weigh|charge|plug"
    r"|unplug|lock|unlock"
    r"|buy|order|call|ring|phone|play|sing|dance|read|write|wake|wait|watch|make|prepare|brew|serve|eat"
    r"|drink|swap|exchange"
    r"|knock|guard|hide|dim|adjust|raise|lower|increase|reduce|change|explain|describe|teach|remember"
    r"|remind|forget)"
    r"(?: (?:the|a|an|my|our|your|his|her|it|them|me|us|all|every|some|this|that|these|those|up|for) ?.*)"
    r"|(?:dance|sing|jump|smile|laugh|sleep|wait|cook|bark|leave|stop|talk|clap|hum)"
)


@dataclass(frozen=True)
class Rewriter:
    """Rewrites clauses with what is known of kinds of things."""

    knowledge: CategoryKnowledge

    def plain(self, text: str) -> str:
        """The plain imperative that a clause comes to; empty when it asks for nothing that is known."""
        sentence = text
        for _ in range(_ROUNDS):
            rewritten = self._first(CAUSATIVES if begins_imperative(sentence) else _SENTENCES, sentence)
            if rewritten is None:
                break
            sentence = rewritten
        return self._first(IMPERATIVES, sentence) or ""

    def verbless(self, text: str) -> str:
        """The plain imperative for what needs a verb to be one: "two cups on the tray"; empty for anything else."""
        if (
            self._first(IMPERATIVES, text)
            or begins_imperative(text)
            or re.match(ASKED, text)
            or not re.match(rf".+ {PREPOSITION} ", text)
        ):
            return ""
        return f"put {text}"

    def with_object(self, text: str, before: str) -> str:
        """ "put in the sink", of what was named before: the imperative with "the same" as its object; empty for
        others."""
        match = re.fullmatch(
            rf"(?P<verb>{PARTICIPLE}) (?P<rest>{PREPOSITION} (?!it\b|them\b).+|away|back .+)", text
        )
        passive = re.search(r"\bbe\b|\bbeen\b", before)
        if match is None or (self.plain(text) and not passive) or match["verb"] in ("turned", "switched"):
            return ""
        return f"{verbs.PARTICIPLES[match['verb']]} the same {match['rest']}"

    def _first(self, rules: Sequence[Rule], sentence: str) -> str | None:
        """What the first rule that takes the whole sentence makes of it."""
        for pattern, template in rules:
            match = _compiled(pattern).fullmatch(sentence)
            if match:
                result = self._filled(template, match)
                if result:
                    return " ".join(result.split())
        return None

    def _filled(self, template: Template, match: re.Match[str]) -> str | None:
        if isinstance(template, str):
            return template.format(**{name: text or "" for name, text in match.groupdict().items()})
        return template.fill(match, self.knowledge) if isinstance(template, ByKind) else template(match)


def ensuring(text: str) -> str:
    """How a clause begins that says what is to be made sure of; empty for others."""
    match = re.match(rf"{ENSURE} (?!you|to\b)", text)
    return match[0] if match else ""


def beyond(text: str) -> bool:
    """Whether it asks for what the robot cannot do: "wash the plates"."""
    return bool(_BEYOND.fullmatch(text))


def begins_imperative(text: str) -> bool:
    """Whether a new request begins here, complete or not ("put the mug" - where to?)."""
    return bool(_IMPERATIVE.match(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
