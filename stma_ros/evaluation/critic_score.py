"""Scores how well the critic separates corrupted actions from sound ones, in measurements that corrupt answers.

An action counts as corrupted if the planner's answer that contains it was, or, if that was sound, one of the beliefs
of its step. Of a wrong fact about one thing of a home, which a belief with all other things contains, only the actions
that rely on it count: those that name the thing, that drive to its wrong place or open it, all but a look around if the
fact says what is in the hand; and the end of the task after the thing was handled, or was given a name that the task
mentions. Such an action may still be harmless (another path of the same
length, a fact that is irrelevant at present), so that a critic that rejects only harmful actions stays below 100 % of
them. Unreadable answers never reach the critic, nor does a stale summary that was recognised as one; unreadable answers
of the critic itself are not counted. Later consequences of a corrupted belief count as sound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TypeAlias

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.roles.corruption import FaultKind
from stma_ros.roles.critic import CRITIC
from stma_ros.roles.planner import PLANNER
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.causality import message_id
from stma_ros.types.planning import ActionProposal, Critique, Verdict
from stma_ros.types.telemetry import RoleCall

PRECISION = "critic_precision"
"""The key of a share: of the actions that the critic rejected, the corrupted ones [%]. With the suffix "_" and a class
of fault: of the rejected actions that are of this class or sound, those of this class."""
RECALL = "critic_recall"
"""The key of a share: of the corrupted actions, those that the critic rejected [%]. With the suffix "_" and a class of
fault: of the actions of that class."""

REFUSED_SOUND = "critic_refused_sound"
"""The key of a share: of the sound actions, those that the critic rejected [%]. Here sound are those without a fault in
their plan, in the belief that it was made from, or in that of their step, whether or not they rely on it."""

CRITIC_COLUMNS: Mapping[str, str] = {
    PRECISION: "critic prec. [%]",
    RECALL: "recall [%]",
    REFUSED_SOUND: "sound refused [%]",
}

_SOUND = ""
_OF_ONE_THING = (FaultKind.STALE.value, FaultKind.CONTRADICTED.value, FaultKind.MISLABELLED.value)
_TO_PLACES = (words.SKILL_NAVIGATE, words.SKILL_OPEN)
_ENDINGS = (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED)

_Key: TypeAlias = "tuple[str, int]"


def critic_shares(trace: EpisodeTrace) -> dict[str, tuple[int, int]]:
    """Returns (part, whole) by key; empty where no critic was asked. Where nothing was corrupted, it is the share of
    sound actions alone."""
    if not any(call.role == CRITIC.name for call in trace.calls):
        return {}
    planned = {_key(call): call for call in trace.calls if call.role == PLANNER.name and call.fault}
    believed = {
        message_id(call): call
        for call in trace.calls
        if call.role not in (PLANNER.name, CRITIC.name) and call.fault and not _was_discarded(call)
    }
    verdicts = {_key(critique): critique.verdict for critique in trace.critiques}
    refused: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    faultless: Counter[Verdict] = Counter()
    handled: set[str] = set()
    for proposal in trace.proposals:
        verdict = verdicts.get(_key(proposal), Verdict.UNKNOWN)
        if verdict == Verdict.UNKNOWN:
            continue
        kind = _fault_in(proposal, planned) or _fault_under(proposal, believed, handled)
        handled.update(proposal.action.arguments)
        if not kind and _is_faultless(proposal, planned, believed):
            faultless[verdict] += 1
        judged[kind] += 1
        refused[kind] += verdict == Verdict.REJECTED
    kinds = [kind.value for kind in FaultKind if judged[kind.value]]
    found, all_refused = sum(refused[kind] for kind in kinds), sum(refused.values())
    sound = {REFUSED_SOUND: (faultless[Verdict.REJECTED], faultless.total())}
    if not any(call.fault for call in trace.calls):
        return sound
    return {
        **sound,
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


def _plans(proposal: ActionProposal) -> list[_Key]:
    return [(item.id, item.revision) for item in proposal.derived_from if item.topic == topics.PLAN]


def _is_faultless(
    proposal: ActionProposal, planned: Mapping[_Key, RoleCall], believed: Mapping[str, RoleCall]
) -> bool:
    """Whether no fault is in the plan of an action, in the belief of its step, or in that of the plan's."""
    plans = _plans(proposal)
    steps = {message_id(proposal), *(step for step, _ in plans)}
    return planned.keys().isdisjoint(plans) and believed.keys().isdisjoint(steps)


def _fault_in(proposal: ActionProposal, planned: Mapping[_Key, RoleCall]) -> str:
    """Returns the class of the fault that caused the action; empty = none. All actions of a stale plan are faulty; of
    other faults only the inserted action is."""
    for call in (planned[plan] for plan in _plans(proposal) if plan in planned):
        if call.fault == FaultKind.OUTDATED.value or call.fault_detail == str(proposal.action):
            return call.fault
    return _SOUND


def _fault_under(proposal: ActionProposal, believed: Mapping[str, RoleCall], handled: Collection[str]) -> str:
    """Returns the class of the fault in a belief that the action relies on; empty = none."""
    call = believed.get(message_id(proposal))
    if call is None or call.fault not in _OF_ONE_THING:
        return _SOUND if call is None else call.fault
    wrong = call.fault_detail.partition(", ")[0].split(" ")  # "mug_1 on table_1, not in sink_1"
    thing, place = wrong[0], wrong[-1]
    skill, arguments = proposal.action.skill, proposal.action.arguments
    if skill in _ENDINGS:
        relies = thing in handled or call.fault == FaultKind.MISLABELLED.value
    elif f" {words.HELD_BY} " in call.fault_detail:
        relies = skill != words.SKILL_LOOK_AROUND
    else:
        relies = thing in arguments or (skill in _TO_PLACES and place in arguments)
    return call.fault if relies else _SOUND
