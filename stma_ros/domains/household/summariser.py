"""Condenses the history of a task (STMA, section 4.1, summariser)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from stma_ros.domains.household.feasibility import (
    CHOICE_ERRORS,
    MAX_CHANCE_FAILURES,
    MAX_CHOICES,
    MAX_PLACEMENTS,
    WORTH_REPEATING_HERE,
)
from stma_ros.domains.household.outcome_index import Handling, handlings, key
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import Summary
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Outcome, Result
from stma_ros.types.sensing import Observation

SUCCESS_TEXTS = {
    words.SKILL_NAVIGATE: "went to {target}",
    words.SKILL_EXPLORE: "explored {target}",
    words.SKILL_LOOK_AROUND: "looked around",
    words.SKILL_OPEN: "opened {target}",
    words.SKILL_CLOSE: "closed {target}",
    words.SKILL_PICK: "picked up {target}",
    words.SKILL_PLACE_ON: "put {held} onto {target}",
    words.SKILL_PLACE_IN: "put {held} into {target}",
    words.SKILL_PLACE_NEXT_TO: "put {held} down next to {target}",
    words.SKILL_SWITCH_ON: "switched on {target}",
    words.SKILL_SWITCH_OFF: "switched off {target}",
    words.SKILL_FILL: "filled {held} at {target}",
    words.SKILL_EMPTY: "emptied {held} at {target}",
}
"""Text for a successful action, by its skill."""

FAILURE_TEXTS = {
    ErrorCode.SKILL_UNKNOWN: "the robot has no such skill",
    ErrorCode.ACTION_NOT_ALLOWED: "not allowed then",
    ErrorCode.NO_SUCH_TARGET: "it is not there any more",
    ErrorCode.UNREACHABLE: "no free way leads there",
    ErrorCode.BLOCKED: "something was in the way",
    ErrorCode.TOO_FAR: "out of the arm's reach",
    ErrorCode.NOT_OPENABLE: "it does not open",
    ErrorCode.ALREADY_OPEN: "it is open already",
    ErrorCode.WORLD_FAILED: "the world failed",
    ErrorCode.ALREADY_CLOSED: "it is closed already",
    ErrorCode.HAND_FULL: "the hand is full",
    ErrorCode.HAND_EMPTY: "the hand is empty",
    ErrorCode.NOT_PORTABLE: "it cannot be carried",
    ErrorCode.IS_CLOSED: "what is shut has to be opened first",
    ErrorCode.NO_ROOM: "no room is left there",
    ErrorCode.DOES_NOT_FIT: "too large for that place",
    ErrorCode.HOLDS_NOTHING: "nothing can be put there",
    ErrorCode.NOT_SWITCHABLE: "it has no switch",
    ErrorCode.ALREADY_ON: "it is on already",
    ErrorCode.ALREADY_OFF: "it is off already",
    ErrorCode.NOT_A_VESSEL: "what is in the hand holds no liquid",
    ErrorCode.ALREADY_FULL: "what is in the hand is full already",
    ErrorCode.ALREADY_EMPTY: "what is in the hand is empty already",
    ErrorCode.GRASP_FAILED: "the grip slipped",
    ErrorCode.NOT_A_TAP: "no water is there",
    ErrorCode.DROPPED: "what was in the hand slipped out of it",
    ErrorCode.SPOT_TAKEN: "the chosen spot was taken",
    ErrorCode.BAD_STANCE: "the robot stood at the wrong side of it, or in its way",
    ErrorCode.NO_SURFACE: "the chosen spot had no surface to put it on",
}
"""Text for a failure, by its error code; other codes appear with their names. No text is the beginning of another."""

_HAND_SKILLS = (*words.PLACINGS, words.SKILL_FILL, words.SKILL_EMPTY)
_ALREADY = {
    ErrorCode.ALREADY_OPEN: "opened",
    ErrorCode.ALREADY_CLOSED: "closed",
    ErrorCode.ALREADY_ON: "switched on",
    ErrorCode.ALREADY_OFF: "switched off",
}
_PLACE_UNSUITABLE = (ErrorCode.NO_ROOM, ErrorCode.DOES_NOT_FIT, ErrorCode.HOLDS_NOTHING)


class SymbolicSummariser:
    """A SummariserRole.

    Outcomes before the history buffer are condensed: the last success and the last few failures remain of each action,
    and of actions of the hand for each object in it; of placements, the last two. The text of the summary states all
    remaining outcomes.
    """

    def answer(self, query: SummariseQuery) -> Summary:
        """Returns the summary, extended by the fresh records."""
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
        text = _text(older, recent, query.records, progress, suggestions)
        return Summary((query.task,), completed, observations, (), progress, suggestions, text)


def _is_command(outcome: Outcome) -> bool:
    return outcome.request_id != "" and outcome.action.skill != words.SKILL_OBSERVE


def _condensed(outcomes: list[Outcome]) -> tuple[Outcome, ...]:
    """Returns the outcomes without repetitions.

    The remaining failures suffice to decide whether an action is repeated, and the remaining successes to tell where
    the robot has put each object, and whether it did so as often as is allowed. Several objects can be placed by the
    same action, which is why the object in the hand counts.
    """
    selected: list[Outcome] = []
    counts: Counter[object] = Counter()
    releases: dict[
        str, tuple[object, int]
    ] = {}  # of each object: how it left the hand, and how often that is needed
    for handling in reversed(tuple(handlings(outcomes))):
        group, needed = _group(handling), _needed(handling)
        if _is_taking(handling):  # what was put down is known by what was taken before
            release, needed = releases.pop(handling.held_after, (group, needed))
            group = "taken", release
        elif handling.emptied:
            releases[handling.held] = group, needed
        counts[group] += 1
        if counts[group] <= needed:
            selected.append(handling.outcome)
    return tuple(reversed(selected))


def _is_taking(handling: Handling) -> bool:
    outcome = handling.outcome
    return outcome.action.skill == words.SKILL_PICK and outcome.result == Result.SUCCEEDED


def _group(handling: Handling) -> object:
    """Returns a key that is equal for outcomes of which only the last ones are stored."""
    done, succeeded = handling.outcome.action, handling.outcome.result == Result.SUCCEEDED
    if handling.lost:
        return "lost", handling.lost
    if succeeded and done.skill in (words.SKILL_FILL, words.SKILL_EMPTY):
        return done.skill, handling.held
    held = handling.held if done.skill in _HAND_SKILLS else ""
    return key(done), succeeded, handling.outcome.error.code in CHOICE_ERRORS, held


def _needed(handling: Handling) -> int:
    """Returns how many of the last outcomes of a group tell all that the rules ask."""
    if handling.placed:
        return MAX_PLACEMENTS
    if handling.lost or handling.outcome.result == Result.SUCCEEDED:
        return 1
    return MAX_CHOICES if handling.outcome.error.code in CHOICE_ERRORS else MAX_CHANCE_FAILURES


def _remarks(record: Observation) -> Iterable[str]:
    if record.bumper:
        yield _touch(record)
    if record.holding:
        yield f"step {record.step}: something is in the hand"


def _touch(record: Observation) -> str:
    return f"step {record.step}: the robot touched something"


def _progress(completed: tuple[Outcome, ...]) -> str:
    def count(skill: str) -> int:
        return len(
            {key(o.action) for o in completed if o.action.skill == skill and o.result == Result.SUCCEEDED}
        )

    # Distinct actions are counted, because repeated failures of an action may have been dropped.
    failed = len({key(o.action) for o in completed if o.result == Result.FAILED})
    opened, explored = count(words.SKILL_OPEN), count(words.SKILL_EXPLORE)
    placed = len({handling.placed for handling in handlings(completed) if handling.placed})
    moved = f"{placed} things moved, " if placed else ""
    return f"{explored} frontiers explored, {opened} containers opened, {moved}{failed} actions failed"


def _suggestions(completed: tuple[Outcome, ...]) -> Iterable[str]:
    """Yields advice from each action's last outcome, if that is a failure."""
    last = {key(outcome.action): outcome for outcome in completed}
    for outcome in last.values():
        action = outcome.action
        if outcome.result != Result.FAILED or not action.arguments:
            continue
        target = action.arguments[0]
        if outcome.error.code in (ErrorCode.NOT_OPENABLE, ErrorCode.NO_SUCH_TARGET):
            yield f"leave {target} alone"
        elif outcome.error.code in _ALREADY:
            yield f"{target} need not be {_ALREADY[outcome.error.code]}"
        elif outcome.error.code in _PLACE_UNSUITABLE:
            yield f"find another place than {target}"
        elif outcome.error.code == ErrorCode.IS_CLOSED:
            yield f"open what is closed before {action}"
        elif outcome.error.code in WORTH_REPEATING_HERE:
            yield f"try {action} again"
        elif outcome.error.code == ErrorCode.DROPPED:
            yield "look for what was dropped"
        elif outcome.error.code == ErrorCode.TOO_FAR:
            yield f"go nearer to {target} before {action}"
        else:
            yield f"try {action} again only from elsewhere"


def _text(
    older: Sequence[Outcome],
    recent: Sequence[Outcome],
    records: Sequence[Observation],
    progress: str,
    suggestions: Sequence[str],
) -> str:
    history = tuple(handlings((*older, *recent)))
    lines = ["What the robot did:" if history else "Nothing was done yet."]
    if older:
        lines.append(f"Earlier, after so many seconds: {'; '.join(map(_entry, history[: len(older)]))}.")
    lines += [_line(handling) for handling in history[len(older) :]]
    held = history[-1].held_after if history else ""
    if held or (records and records[-1].holding):
        lines.append(f"In the hand: {held or 'something'}.")
    touches = [_touch(record) for record in records if record.bumper]
    lines += [f"Noticed: {'; '.join(touches)}."] if touches else []
    lines.append(f"Progress: {progress}.")
    lines += [f"Advice: {'; '.join(suggestions)}."] if suggestions else []
    return "\n".join(lines)


def _entry(handling: Handling) -> str:
    return f"{handling.outcome.header.stamp.sec} {_clause(handling)}"


def _line(handling: Handling) -> str:
    outcome = handling.outcome
    return f"Step {outcome.step}, {outcome.header.stamp.sec} s: {_clause(handling)}."


def _clause(handling: Handling) -> str:
    outcome = handling.outcome
    done = outcome.action
    if outcome.result == Result.SUCCEEDED:
        target = ", ".join(done.arguments)
        held = handling.held or "what was in the hand"
        return SUCCESS_TEXTS.get(done.skill, f"did {done}").format(target=target, held=held).rstrip()
    way = f" after {max(outcome.distance, 0.1):.1f} m" if outcome.distance > 0 else ""
    if outcome.result != Result.FAILED:
        return f"began {done} and was stopped{way}"
    code, text = outcome.error.code, " ".join(outcome.error.text.replace(";", ",").split()).rstrip(".")
    name = code.name.lower()
    reason = FAILURE_TEXTS.get(code, name.replace("_", " "))
    more = f" ({text})" if text and text not in (name, reason) else ""
    return f"tried {done} in vain{way}: {reason}{more}"
