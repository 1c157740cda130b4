"""Parses the questions to planners and critics from their text, and makes the replies that a model would give.

The same functions serve all domains; only the texts of beliefs and actions differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from stma_ros.roles.critic import CriterionName, CritiqueAnswer, CritiqueQuery, CritiqueReply
from stma_ros.roles.planner import FailureName, PlanAnswer, PlanQuery, PlanReply
from stma_ros.testing.model_server.sections import required, sections
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Verdict
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Pose, Time

_HEADINGS = ("Task: ", "What happened:\n", "Where things are:\n", "Now:\n", "Evidence:\n", "Allowed:\n")
_EVIDENCE = re.compile(
    r"\((?P<subject>[^,]+), (?P<predicate>[^,]+), (?P<object>[^,]+)\): ((?P<done>done by the robot)|last seen) "
    r"at (?P<seconds>[\d.]+) s, "
    r"(?P<sure>\d+)% sure(, the ways end (?P<apart>[\d.]+) m apart)?"
)
_FAILURES: Mapping[ErrorCode, FailureName] = {
    ErrorCode.IMPOSSIBLE: "impossible",
    ErrorCode.CONTRADICTION: "contradiction",
}


@dataclass(frozen=True)
class Parsers:
    """Functions that parse the texts of a domain's beliefs and actions."""

    temporal: Callable[[str], TemporalBelief]
    spatial: Callable[[str], SpatialBelief]
    action: Callable[[str], Action]

    def actions(self, text: str) -> tuple[Action, ...]:
        """Parses a list with one action on each line."""
        return tuple(map(self.action, text.split("\n"))) if text else ()


def plan_query(question: str, parsers: Parsers) -> PlanQuery:
    """Parses a question to the planner.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parts = sections(question, (*_HEADINGS, "The last plan was dropped:\n", "Rejected:\n"))
    return plan_query_of(parts, parsers, "The last plan was dropped")


def plan_query_of(parts: Mapping[str, str], parsers: Parsers, dropped: str) -> PlanQuery:
    """Returns what the sections of a question tell a planner, or a role that acts as one.

    Args:
        parts: Texts of the sections by heading.
        parsers: Of the domain.
        dropped: Heading of the feedback.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    return PlanQuery(
        required(parts, "Task"),
        parsers.temporal(parts.get("What happened", "")),
        parsers.spatial(parts.get("Where things are", "")),
        parsers.actions(required(parts, "Allowed")),
        parts.get(dropped, ""),
        parsers.actions(parts.get("Rejected", "")),
        parts.get("Now", ""),
    )


def plan_reply(answer: PlanAnswer) -> PlanReply:
    """Returns the reply of a model that gives this answer."""
    actions = list(map(str, answer.actions))
    return PlanReply(answer.reasoning, answer.subgoal, actions, failure_name(answer))


def critique_query(question: str, parsers: Parsers) -> CritiqueQuery:
    """Parses a question to the critic.

    Raises:
        UnreadableQuestionError: A required section is missing.
    """
    parts = sections(question, (*_HEADINGS, "Subgoal:\n", "Proposed: "))
    return CritiqueQuery(
        required(parts, "Task"),
        parts.get("Subgoal", ""),
        parsers.action(required(parts, "Proposed")),
        parsers.actions(required(parts, "Allowed")),
        parsers.temporal(parts.get("What happened", "")),
        _dated(parsers.spatial(parts.get("Where things are", "")), parts.get("Evidence", "")),
        parts.get("Now", ""),
    )


def _dated(belief: SpatialBelief, evidence: str) -> SpatialBelief:
    """Returns a belief with the times of the evidence, with the facts that its text does not mention, and with routes
    that end as far apart as the evidence says."""
    dated: dict[tuple[str, str, str], Relation] = {}
    ends: dict[str, float] = {}  # only distances are known: all ends are put on one line
    for match in _EVIDENCE.finditer(evidence):
        triple = match["subject"], match["predicate"], match["object"]
        seen = Time.from_nanoseconds(round(float(match["seconds"]) * 1e9))
        dated[triple] = Relation(
            *triple,
            source=EvidenceSource.OWN_ACTION if match["done"] else EvidenceSource.UNKNOWN,
            confidence=int(match["sure"]) / 100,
            first_seen=seen,
            last_seen=seen,
        )
        if match["apart"] is not None:
            ends[match["subject"]] = ends.setdefault(match["object"], 0.0) + float(match["apart"])
    facts: list[Relation] = []
    for fact in belief.facts:
        seen_fact = dated.pop((fact.subject, fact.predicate, fact.object), None)
        once = fact.first_seen == fact.last_seen
        if seen_fact is not None:
            begun = seen_fact.first_seen if once else fact.first_seen
            fact = replace(fact, source=seen_fact.source, first_seen=begun, last_seen=seen_fact.last_seen)
        facts.append(fact)
    routes = tuple(
        replace(route, goal=Pose.planar(ends[route.target], 0.0, 0.0)) if route.target in ends else route
        for route in belief.routes
    )
    return replace(belief, facts=(*facts, *dated.values()), routes=routes)


def critique_reply(answer: CritiqueAnswer) -> CritiqueReply:
    """Returns the reply of a model that gives this answer."""
    return CritiqueReply(
        answer.reason or "Nothing speaks against it.",
        cast(CriterionName, answer.criterion.name.lower()),
        "accept" if answer.verdict == Verdict.ACCEPTED else "reject",
    )


def failure_name(answer: PlanAnswer) -> FailureName:
    """Returns the kind of failure of an answer as replies name it."""
    if answer.actions[0].skill != words.SKILL_GIVE_UP:
        return "none"
    return _FAILURES.get(answer.failure, "not_found")
