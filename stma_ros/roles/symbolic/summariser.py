"""Condenses the history of a task (STMA, section 4.1: summariser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from stma_ros.roles.contracts import SummariseQuery, Summary
from stma_ros.roles.symbolic.search import ATTEMPTS
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation

_PAST = {
    words.SKILL_NAVIGATE: "went to",
    words.SKILL_OPEN: "opened",
    words.SKILL_EXPLORE: "explored",
    words.SKILL_LOOK_AROUND: "looked around",
}


class SymbolicSummariser:
    """A SummariserRole. What lies before the history buffer is kept once for each action: its last success and
    its last failures, as many as matter."""

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
        return Summary((query.task,), completed, observations, progress, suggestions, text)


def _is_command(outcome: Outcome) -> bool:
    return outcome.request_id != "" and outcome.action.skill != words.SKILL_OBSERVE


def _condensed(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Of failures those stay that decide whether something is tried again."""
    kept: list[Outcome] = []
    times: Counter[tuple[Action, bool]] = Counter()
    for outcome in reversed(outcomes):
        succeeded = outcome.result == Result.SUCCEEDED
        times[outcome.action, succeeded] += 1
        if times[outcome.action, succeeded] <= (1 if succeeded else ATTEMPTS):
            kept.append(outcome)
    return tuple(reversed(kept))


def _remarks(record: Observation) -> Iterable[str]:
    if record.bumper:
        yield f"step {record.step}: the robot touched something"
    if record.holding:
        yield f"step {record.step}: something is in the hand"
    if record.text:
        yield f"step {record.step}: {record.text}"


def _progress(completed: tuple[Outcome, ...]) -> str:
    def count(skill: str) -> int:
        return len({o.action for o in completed if o.action.skill == skill and o.result == Result.SUCCEEDED})

    # Different actions, of which none is ever forgotten; how often each failed may be.
    failed = len({o.action for o in completed if o.result == Result.FAILED})
    opened, explored = count(words.SKILL_OPEN), count(words.SKILL_EXPLORE)
    return f"{explored} frontiers explored, {opened} containers opened, {failed} actions failed"


def _suggestions(completed: tuple[Outcome, ...]) -> Iterable[str]:
    """What follows for the future from each target's last failure, unless it has worked since."""
    last = {outcome.action: outcome for outcome in completed}
    for action, outcome in last.items():
        if outcome.result != Result.FAILED or not action.arguments:
            continue
        target = action.arguments[0]
        if outcome.error.code in (ErrorCode.NOT_OPENABLE, ErrorCode.NO_SUCH_TARGET):
            yield f"leave {target} alone"
        elif outcome.error.code == ErrorCode.ALREADY_OPEN:
            yield f"{target} need not be opened"
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
    before = [_clause(outcome) for outcome in older]
    if before:
        lines.append(f"Earlier: the robot {'; '.join(before)}.")
    lines += [f"Step {outcome.step}: the robot {_clause(outcome)}." for outcome in recent]
    if len(lines) == 1:
        lines.append("Nothing was done yet.")
    lines += [f"Noticed: {'; '.join(observations)}."] if observations else []
    lines.append(f"Progress: {progress}.")
    lines += [f"Advice: {'; '.join(suggestions)}."] if suggestions else []
    return "\n".join(lines)


def _clause(outcome: Outcome) -> str:
    if outcome.result == Result.SUCCEEDED and outcome.action.skill in _PAST:
        return " ".join((_PAST[outcome.action.skill], *outcome.action.arguments))
    if outcome.result == Result.SUCCEEDED:
        return f"did {outcome.action}"
    reason = outcome.error.text or outcome.error.code.name.lower().replace("_", " ")
    return f"tried {outcome.action} in vain: {reason.rstrip('.')}"
