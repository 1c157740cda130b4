"""Rewrites all kinds of requests as a few plain imperatives.

"Where is X?" and "X is missing" become "find X"; "X should be off" and "would you mind turning X off" become
"switch off X". The plain imperatives, which requests.py reads, begin with: find, open, close, switch on, switch off,
start, stop, fill, empty, put, bring, take, tidy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from stma_ros.domains.household.language import judgements, matrix_clauses, verbs
from stma_ros.domains.household.language.causatives import CAUSATIVES
from stma_ros.domains.household.language.imperatives import IMPERATIVES
from stma_ros.domains.household.language.indirect_requests import INDIRECT_REQUESTS
from stma_ros.domains.household.language.patterns import (
    ACTION,
    ENSURE,
    GERUND,
    PARTICIPLE,
    PREPOSITION,
    QUESTION_START,
    STATE,
    CategoryTemplate,
    Rule,
    Template,
    desired_to_imperative,
)
from stma_ros.domains.household.language.questions import QUESTIONS
from stma_ros.memory.category_knowledge import CategoryKnowledge

_SENTENCES = (*CAUSATIVES, *QUESTIONS, *INDIRECT_REQUESTS)

_MAX_ROUNDS = 6  # of rewriting; sentences that need more of them are not requests
_IMPERATIVE = re.compile(
    rf"(?:{'|'.join(verbs.BASES)})"
    r" (?:the|a|an|my|our|your|his|her|their|this|that|these|those|it|them|him|me|us|all|every|each|both"
    r"|any|some|one|two"
    r"|three|four|five|six|up|out|away|back|down|on|off|over|for|in)\b"
)

# Requests that no skill of the robot carries out; they are refused rather than ignored.
_UNSUPPORTED = re.compile(
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
    """Rewrites the clauses of one text, with knowledge of categories."""

    knowledge: CategoryKnowledge
    _imperatives: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def to_imperative(self, text: str) -> str:
        """Returns the plain imperative of a clause; empty if the clause is not a known request."""
        if text not in self._imperatives:
            self._imperatives[text] = self._to_imperative(text)
        return self._imperatives[text]

    def _to_imperative(self, text: str) -> str:
        sentence = judgements.without_deadline(text)
        for _ in range(_MAX_ROUNDS):
            sentence = judgements.plain_wish(judgements.without_thought(sentence))
            rewritten = matrix_clauses.outcome(sentence) or self._apply_first(
                CAUSATIVES if begins_imperative(sentence) else _SENTENCES, sentence
            )
            if not rewritten:
                break
            sentence = rewritten
        return self._apply_first(IMPERATIVES, sentence) or ""

    def add_verb(self, text: str) -> str:
        """Returns the plain imperative of a clause without a verb ("two cups on the tray"); empty for other
        clauses."""
        if (
            self._apply_first(IMPERATIVES, text)
            or begins_imperative(text)
            or re.match(QUESTION_START, text)
            or not re.match(rf".+ {PREPOSITION} ", text)
        ):
            return ""
        return f"put {text}"

    def with_object(self, text: str, before: str) -> str:
        """Returns the imperative of a participle or state that leaves out its object, which is "the same".

        Examples are "put in the sink" in "carried to the kitchen and put in the sink", and "closed" in "should be
        emptied and closed". Empty for other texts.
        """
        rest = re.sub(r"^(?:then|finally|afterwards|also|next) ", "", text)
        match = re.fullmatch(
            rf"(?!left\b){PARTICIPLE}(?P<to>(?: on| off| up| out)?(?: {PREPOSITION} (?!it\b|them\b).+|away"
            rf"| back .+)?)"
            rf"|(?P<state>{STATE})",
            rest,
        )
        is_action = begins_action(before) or re.match(rf"(?:before |after )?{GERUND}\b|you have ", before)
        wanted = "" if is_action else self.to_imperative(before)
        passive = re.search(r"\bbe\b|\bbeen\b", before) or wanted
        if match is None or (self.to_imperative(text) and not passive):
            return ""
        if (match["state"] or not match["to"]) and not wanted:
            return ""
        return desired_to_imperative({"x": "the same", "rest": rest}) or ""

    def _apply_first(self, rules: Sequence[Rule], sentence: str) -> str | None:
        """Returns the replacement by the first rule that matches the whole sentence, or None."""
        for pattern, template in rules:
            match = _compiled(pattern).fullmatch(sentence)
            if match:
                result = self._fill(template, match)
                if result:
                    return " ".join(result.split())
        return None

    def _fill(self, template: Template, match: re.Match[str]) -> str | None:
        if isinstance(template, str):
            return template.format(**{name: text or "" for name, text in match.groupdict().items()})
        return (
            template.fill(match, self.knowledge)
            if isinstance(template, CategoryTemplate)
            else template(match)
        )


def ensure_prefix(text: str) -> str:
    """Returns the beginning of a clause such as "make sure that ..."; empty for other clauses."""
    match = re.match(rf"{ENSURE} (?!you|to\b)", text)
    return match[0] if match else ""


def is_unsupported(text: str) -> bool:
    """Whether a text requests an activity that the robot cannot do: "wash the plates"."""
    return bool(_UNSUPPORTED.fullmatch(text))


def begins_action(text: str) -> bool:
    """Whether a text begins with what somebody is asked to do."""
    return bool(re.match(ACTION, text))


def begins_imperative(text: str) -> bool:
    """Whether a text begins with an imperative, which may be incomplete ("put the mug")."""
    return bool(_IMPERATIVE.match(text))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
