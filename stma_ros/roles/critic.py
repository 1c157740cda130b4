"""Critic: judges whether an action should be done now (STMA, section 4.3)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from stma_ros.roles.actions import not_allowed
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.evidence import evidence_text, relied_on
from stma_ros.roles.rendering import action_lines, headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.planning import Action, Criterion, Verdict


@dataclass(frozen=True)
class CritiqueQuery:
    """The question to the critic.

    Attributes:
        task: text of the task.
        subgoal: that the action serves.
        action: the proposed action.
        allowed_actions: all actions that are possible now.
        temporal: temporal belief of the step.
        spatial: spatial belief of the step.
        observation: text of the world; empty in worlds with cameras.
    """

    task: str
    subgoal: str
    action: Action
    allowed_actions: tuple[Action, ...]
    temporal: TemporalBelief
    spatial: SpatialBelief
    observation: str = ""


@dataclass(frozen=True)
class CritiqueAnswer:
    """The critic's answer.

    Attributes:
        verdict: whether the action is accepted.
        criterion: the first criterion that is not met; NONE with an accepted action.
        reason: feedback for the planner; empty with an accepted action.
    """

    verdict: Verdict
    criterion: Criterion = Criterion.NONE
    reason: str = ""


CriticRole: TypeAlias = Role[CritiqueQuery, CritiqueAnswer]
"""Judges whether an action should be done now."""


class AcceptAllCritic:
    """A CriticRole that accepts every action (STMA, table 2)."""

    def answer(self, query: CritiqueQuery) -> CritiqueAnswer:
        """Returns acceptance."""
        return CritiqueAnswer(Verdict.ACCEPTED)


_ADVICE = re.compile(r"\bfirst (\w+\([^)]*\))")


def advised(feedback: str) -> str:
    """Returns the action that a critic's feedback asks for before the rejected one; empty = it asks for none."""
    advice = _ADVICE.search(feedback)
    return advice[1] if advice else ""


# -- the question as text


def _evidence_text(query: CritiqueQuery) -> str:
    facts = relied_on(query.action, query.temporal, query.spatial)
    return "\n".join(evidence_text(fact, query.spatial) for fact in facts)


def _text(query: CritiqueQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("What happened", query.temporal.text),
        headed("Where things are", query.spatial.text),
        headed("Now", query.observation),
        headed("Evidence", "" if query.observation else _evidence_text(query)),
        headed("Allowed", action_lines(query.allowed_actions)),
        headed("Subgoal", query.subgoal),
        f"Proposed: {query.action}",
    )


def _known_answer(query: CritiqueQuery) -> CritiqueAnswer | None:
    """Rejects actions that are not allowed, without asking a model."""
    if query.action in query.allowed_actions:
        return None
    reason = f"{not_allowed(query.action, query.allowed_actions)}."
    return CritiqueAnswer(Verdict.REJECTED, Criterion.VALIDITY, reason)


# -- the reply


CriterionName: TypeAlias = Literal["none", "temporal", "spatial", "validity", "safety", "alignment"]


@dataclass(frozen=True)
class CritiqueReply:
    """criterion: the first one that is not met; none where the action is accepted."""

    reason: str
    criterion: CriterionName
    verdict: Literal["accept", "reject"]


def _read(reply: CritiqueReply, query: CritiqueQuery) -> CritiqueAnswer:
    criterion, reason = Criterion[reply.criterion.upper()], reply.reason.strip()
    if reply.verdict == "accept":
        if criterion != Criterion.NONE:
            raise UnusableReplyError(
                f"the verdict is 'accept', and the criterion {reply.criterion!r} is not met: accept with 'none', or "
                "reject"
            )
        return CritiqueAnswer(Verdict.ACCEPTED)
    if criterion == Criterion.NONE:
        raise UnusableReplyError(
            "the verdict is 'reject', and the criterion 'none': name the first one that is not met, or accept"
        )
    if not reason:
        raise UnusableReplyError("the verdict is 'reject', and there is no reason: say what to do instead")
    return CritiqueAnswer(Verdict.REJECTED, criterion, reason)


# -- faults


def _corrupt(target: CorruptionInput[CritiqueQuery, CritiqueAnswer]) -> Corrupted[CritiqueAnswer]:
    if target.answer.verdict == Verdict.ACCEPTED:
        wrong = CritiqueAnswer(Verdict.REJECTED, reason="It does not seem right.")
    else:
        wrong = CritiqueAnswer(Verdict.ACCEPTED)
    return Corrupted(wrong, FaultKind.FLIPPED, str(target.question.action))


CRITIC = RoleSpec(
    name="critic",
    question=CritiqueQuery,
    answer=CritiqueAnswer,
    reply=CritiqueReply,
    text=_text,
    read=_read,
    wait=Wait.CRITIQUE,
    known_answer=_known_answer,
    faults=(FaultKind.FLIPPED,),
    corrupt=_corrupt,
)
