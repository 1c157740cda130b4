"""Scores how well the critic separates corrupted actions from sound ones, in measurements that corrupt answers.

An action counts as corrupted if the planner's answer that contains it was, or, if that was sound, one of the beliefs of
its step. Such an action may still be harmless (another path of the same length, a fact that is irrelevant at present),
so that a critic that rejects only harmful actions stays below 100 % of them. Unreadable answers never reach the critic,
nor does a stale summary that was recognised as one; unreadable answers of the critic itself are not counted. Later
consequences of a corrupted belief count as sound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.types import topics
from stma_ros.types.causality import message_id
from stma_ros.types.planning import ActionProposal, Critique, Verdict
from stma_ros.types.telemetry import RoleCall

PRECISION = "critic_precision"
"""The key of a share: of the actions that the critic rejected, the corrupted ones [%]. With the suffix "_" and a class
of fault: of the rejected actions that are of this class or sound, those of this class."""
RECALL = "critic_recall"
"""The key of a share: of the corrupted actions, those that the critic rejected [%]. With the suffix "_" and a class of
fault: of the actions of that class."""

CRITIC_COLUMNS: Mapping[str, str] = {PRECISION: "critic prec. [%]", RECALL: "recall [%]"}

_SOUND = ""

_Key: TypeAlias = "tuple[str, int]"


def critic_shares(trace: EpisodeTrace) -> dict[str, tuple[int, int]]:
    """Returns (part, whole) by key; empty where nothing was corrupted or no critic was asked."""
    if not any(call.fault for call in trace.calls) or not any(c.role == CRITIC.name for c in trace.calls):
        return {}
    planned = {_key(call): call for call in trace.calls if call.role == PLANNER.name and call.fault}
    believed = {
        message_id(call): call.fault
        for call in trace.calls
        if call.role not in (PLANNER.name, CRITIC.name) and call.fault and not _was_discarded(call)
    }
    verdicts = {_key(critique): critique.verdict for critique in trace.critiques}
    refused: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for proposal in trace.proposals:
        verdict = verdicts.get(_key(proposal), Verdict.UNKNOWN)
        if verdict == Verdict.UNKNOWN:
            continue
        kind = _fault_in(proposal, planned) or believed.get(message_id(proposal), _SOUND)
        judged[kind] += 1
        refused[kind] += verdict == Verdict.REJECTED
    kinds = [kind.value for kind in FaultKind if judged[kind.value]]
    found, all_refused = sum(refused[kind] for kind in kinds), sum(refused.values())
    return {
        PRECISION: (found, all_refused),
        RECALL: (found, sum(judged[kind] for kind in kinds)),
        **{f"{PRECISION}_{kind}": (refused[kind], refused[kind] + refused[_SOUND]) for kind in kinds},
        **{f"{RECALL}_{kind}": (refused[kind], judged[kind]) for kind in kinds},
    }


def _key(message: RoleCall | ActionProposal | Critique) -> _Key:
    return message_id(message), message.revision


def _was_discarded(call: RoleCall) -> bool:
    """Whether a corrupted answer was discarded as a whole. With other faults an error may concern another part."""
    return call.fault == FaultKind.MALFORMED.value or (
        call.fault == FaultKind.OUTDATED.value and call.error != ""
    )


def _fault_in(proposal: ActionProposal, planned: Mapping[_Key, RoleCall]) -> str:
    """Returns the class of the fault that caused the action; empty = none. All actions of a stale plan are faulty; of
    other faults only the inserted action is."""
    plans = ((item.id, item.revision) for item in proposal.derived_from if item.topic == topics.PLAN)
    for call in (planned[plan] for plan in plans if plan in planned):
        if call.fault == FaultKind.OUTDATED.value or call.fault_detail == str(proposal.action):
            return call.fault
    return _SOUND
