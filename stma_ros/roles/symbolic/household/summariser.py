"""Condenses the history of a task (STMA, section 4.1: summariser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.roles.symbolic.household.access import SLIPS
from stma_ros.roles.symbolic.household.history import PLACING, Handling, handlings, key
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation

_PAST = {
    words.SKILL_NAVIGATE: "went to",
    words.SKILL_OPEN: "opened",
    words.SKILL_EXPLORE: "explored",
    words.SKILL_LOOK_AROUND: "looked around",
    words.SKILL_CLOSE: "closed",
    words.SKILL_PICK: "picked up",
    words.SKILL_PLACE_ON: "put {held} onto",
    words.SKILL_PLACE_IN: "put {held} into",
    words.SKILL_SWITCH_ON: "switched on",
    words.SKILL_SWITCH_OFF: "switched off",
    words.SKILL_FILL: "filled {held} at",
    words.SKILL_EMPTY: "emptied {held} at",
}
_OF_THE_HAND = (words.SKILL_PLACE_ON, words.SKILL_PLACE_IN, words.SKILL_FILL, words.SKILL_EMPTY)
_SETTLED = {
    ErrorCode.ALREADY_OPEN: "opened",
    ErrorCode.ALREADY_CLOSED: "closed",
    ErrorCode.ALREADY_ON: "switched on",
    ErrorCode.ALREADY_OFF: "switched off",
}
_PLACE_REFUSED = (ErrorCode.NO_ROOM, ErrorCode.DOES_NOT_FIT, ErrorCode.HOLDS_NOTHING)


class SymbolicSummariser:
    """A SummariserRole. What lies before the history buffer is kept once for each action, and, where it is the hand
    that acts, for each thing in it: its last success and its last failures, as many as matter."""

    def summarise(self, query: SummariseQuery) -> Summary:
        fresh = query.records[len(query.records) - query.fresh :]
        outcomes = tuple(record.last_outcome for record in fresh)
        completed = query.previous.completed + tuple(outcome for outcome in outcomes if _is_command(outcome))
        begin = query.records[0].step if query.records else 0
        older = _condensed([outcome for outcome in completed if outcome.step < begin])
        recent = [outcome for outcome in completed if outcome.step >= begin]
        completed = (*older, *recent)
        observations = tuple(remark for record in query.records for remark in _remarks(record))
        progress = _progress(completed)
        suggestions = tuple(_suggestions(completed))
        text = _text(query.task, older, recent, observations, progress, suggestions)
        return Summary((query.task,), completed, observations, (), progress, suggestions, text)


def _is_command(outcome: Outcome) -> bool:
    return outcome.request_id != "" and outcome.action.skill != words.SKILL_OBSERVE


def _condensed(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Of failures those stay that decide whether something is tried again; of successes those that tell what is
    where: what was put into the sink is another thing each time."""
    kept: list[Outcome] = []
    times: Counter[object] = Counter()
    for handling in reversed(tuple(handlings(outcomes))):
        slot = _slot(handling)
        times[slot] += 1
        is_failure = handling.outcome.result != Result.SUCCEEDED and not handling.lost
        if times[slot] <= (SLIPS if is_failure else 1):
            kept.append(handling.outcome)
    return tuple(reversed(kept))


def _slot(handling: Handling) -> object:
    """What of all that is alike the last is kept."""
    done, succeeded = handling.outcome.action, handling.outcome.result == Result.SUCCEEDED
    if handling.lost:
        return "lost", handling.lost
    if succeeded and done.skill in _OF_THE_HAND:
        # The last place of each thing, not the last thing at each place.
        return "placed" if done.skill in PLACING else done.skill, handling.held
    return key(done), succeeded, handling.held if done.skill in _OF_THE_HAND else ""


def _remarks(record: Observation) -> Iterable[str]:
    if record.bumper:
        yield f"step {record.step}: the robot touched something"
    if record.holding:
        yield f"step {record.step}: something is in the hand"


def _progress(completed: tuple[Outcome, ...]) -> str:
    def count(skill: str) -> int:
        return len(
            {key(o.action) for o in completed if o.action.skill == skill and o.result == Result.SUCCEEDED}
        )

    # Different actions, of which none is ever forgotten; how often each failed may be.
    failed = len({key(o.action) for o in completed if o.result == Result.FAILED})
    opened, explored = count(words.SKILL_OPEN), count(words.SKILL_EXPLORE)
    placed = len({handling.placed for handling in handlings(completed) if handling.placed})
    moved = f"{placed} things moved, " if placed else ""
    return f"{explored} frontiers explored, {opened} containers opened, {moved}{failed} actions failed"


def _suggestions(completed: tuple[Outcome, ...]) -> Iterable[str]:
    """What follows for the future from each target's last failure, unless it has worked since."""
    last = {key(outcome.action): outcome for outcome in completed}
    for outcome in last.values():
        action = outcome.action
        if outcome.result != Result.FAILED or not action.arguments:
            continue
        target = action.arguments[0]
        if outcome.error.code in (ErrorCode.NOT_OPENABLE, ErrorCode.NO_SUCH_TARGET):
            yield f"leave {target} alone"
        elif outcome.error.code in _SETTLED:
            yield f"{target} need not be {_SETTLED[outcome.error.code]}"
        elif outcome.error.code in _PLACE_REFUSED:
            yield f"find another place than {target}"
        elif outcome.error.code == ErrorCode.IS_CLOSED:
            yield f"open what is closed before {action}"
        elif outcome.error.code == ErrorCode.GRASP_FAILED:
            yield f"try {action} again"
        elif outcome.error.code == ErrorCode.DROPPED:
            yield "look for what was dropped"
        elif outcome.error.code == ErrorCode.TOO_FAR:
            yield f"go nearer to {target} before {action}"
        else:
            yield f"try {action} again only from elsewhere"


def _text(
    task: str,
    older: Iterable[Outcome],
    recent: Iterable[Outcome],
    observations: tuple[str, ...],
    progress: str,
    suggestions: tuple[str, ...],
) -> str:
    lines = [f"Task: {task}"]
    older = tuple(older)
    told = [(handling.outcome, _clause(handling)) for handling in handlings((*older, *recent))]
    before = [clause for _, clause in told[: len(older)]]
    if before:
        lines.append(f"Earlier: the robot {'; '.join(before)}.")
    lines += [f"Step {outcome.step}: the robot {clause}." for outcome, clause in told[len(older) :]]
    if len(lines) == 1:
        lines.append("Nothing was done yet.")
    lines += [f"Noticed: {'; '.join(observations)}."] if observations else []
    lines.append(f"Progress: {progress}.")
    lines += [f"Advice: {'; '.join(suggestions)}."] if suggestions else []
    return "\n".join(lines)


def _clause(handling: Handling) -> str:
    outcome = handling.outcome
    if outcome.result == Result.SUCCEEDED and outcome.action.skill in _PAST:
        past = _PAST[outcome.action.skill].format(held=handling.held or "what was in the hand")
        return " ".join((past, *outcome.action.arguments))
    if outcome.result == Result.SUCCEEDED:
        return f"did {outcome.action}"
    reason = outcome.error.text or outcome.error.code.name.lower().replace("_", " ")
    return f"tried {outcome.action} in vain: {reason.rstrip('.')}"
