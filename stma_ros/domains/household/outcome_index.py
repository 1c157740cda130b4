"""An index of the outcomes in a temporal belief: the executed actions and their results."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time

_LOST = (ErrorCode.DROPPED, ErrorCode.HAND_EMPTY)
Key = tuple[str, tuple[str, ...]]


@lru_cache(maxsize=16384)
def action(skill: str, *arguments: str) -> Action:
    """Returns an Action. Equal arguments return the same cached instance, because rules create few distinct actions."""
    return Action(skill, arguments)


def key(item: Action) -> Key:
    """Returns the key of an action for sets and dictionaries; tuples of text are hashed much faster than messages."""
    return item.skill, item.arguments


def begun_at(outcome: Outcome) -> Time:
    """Returns when an action began, as far as it was measured; else when it ended."""
    seconds = outcome.duration if math.isfinite(outcome.duration) else 0.0
    ended = outcome.header.stamp.nanoseconds
    return Time.from_nanoseconds(ended - min(max(round(seconds * NANOSECONDS_PER_SECOND), 0), ended))


@dataclass(frozen=True)
class Handling:
    """An outcome, with the object that was held before it.

    Attributes:
        outcome: the outcome.
        held: id of the object in the hand before it; empty = no known object.
    """

    outcome: Outcome
    held: str

    @property
    def lost(self) -> str:
        """Id of the object that slipped out of the hand; empty = no object did."""
        failed = self.outcome.result == Result.FAILED and self.outcome.error.code in _LOST
        return self.held if failed else ""

    @property
    def emptied(self) -> bool:
        """Whether the hand is empty afterwards."""
        placed = self.outcome.result == Result.SUCCEEDED and self.outcome.action.skill in words.PLACINGS
        return placed or (self.outcome.result == Result.FAILED and self.outcome.error.code in _LOST)

    @property
    def placed(self) -> str:
        """Id of the object that was put down; empty = no known object."""
        return self.held if self.emptied and not self.lost else ""

    @property
    def held_after(self) -> str:
        """Id of the object in the hand afterwards; empty = no known object."""
        done = self.outcome.result == Result.SUCCEEDED
        if done and self.outcome.action.skill == words.SKILL_PICK and self.outcome.action.arguments:
            return self.outcome.action.arguments[0]
        return "" if self.emptied else self.held


def handlings(outcomes: Iterable[Outcome]) -> Iterator[Handling]:
    """Yields the outcomes, oldest first, each with the object in the hand, which placing actions do not name."""
    held = ""
    for outcome in outcomes:
        handling = Handling(outcome, held)
        yield handling
        held = handling.held_after


class OutcomeIndex:
    """The outcomes of a temporal belief, oldest first.

    Attributes:
        handlings: the outcomes with the object in the hand before each.
        outcomes: the outcomes alone.
    """

    def __init__(self, completed: Iterable[Outcome]) -> None:
        self.handlings = tuple(handlings(completed))
        self.outcomes = tuple(handling.outcome for handling in self.handlings)
        # The outcomes of each action with their positions, because a search looks up the same few actions many times.
        self._by_action: dict[Key, list[tuple[int, Outcome]]] = {}
        self._last_change = -1
        self._last_motion = -1
        for index, outcome in enumerate(self.outcomes):
            self._by_action.setdefault(key(outcome.action), []).append((index, outcome))
            if outcome.result == Result.SUCCEEDED and outcome.action.skill != words.SKILL_LOOK_AROUND:
                self._last_change = index
            if outcome.action.skill in words.MOTIONS and (
                outcome.result == Result.SUCCEEDED or outcome.distance > 0
            ):
                self._last_motion = index

    def outcomes_of(self, *actions: Action) -> tuple[Outcome, ...]:
        """Returns the outcomes of any of these actions."""
        return tuple(outcome for _, outcome in self._indexed(actions))

    def failures(self, *actions: Action) -> tuple[Outcome, ...]:
        """Returns the failures of any of these actions."""
        return tuple(outcome for outcome in self.outcomes_of(*actions) if outcome.result == Result.FAILED)

    def failures_in_a_row(self, item: Action) -> tuple[Outcome, ...]:
        """Returns the failures of an action since its last success."""
        row: list[Outcome] = []
        for outcome in self.outcomes_of(item):
            row = [*row, outcome] if outcome.result == Result.FAILED else []
        return tuple(row)

    def succeeded(self, item: Action) -> bool:
        """Whether an action has succeeded at least once."""
        return any(outcome.result == Result.SUCCEEDED for outcome in self.outcomes_of(item))

    def first_success(self, item: Action) -> int:
        """Returns when an action first succeeded [ns]; -1 = never."""
        stamps = (o.header.stamp.nanoseconds for o in self.outcomes_of(item) if o.result == Result.SUCCEEDED)
        return min(stamps, default=-1)

    def moved_since_failing(self, *actions: Action) -> bool:
        """Whether an action other than a look around has succeeded since the last failure of these."""
        failed = [index for index, past in self._indexed(actions) if past.result == Result.FAILED]
        return not failed or failed[-1] < self._last_change

    def was_out_of_reach_here(self, target: str) -> bool:
        """Whether the arm did not reach the target from the robot's current position."""
        for outcome in reversed(self.outcomes[self._last_motion + 1 :]):
            if outcome.error.code == ErrorCode.TOO_FAR and outcome.action.arguments[:1] == (target,):
                return True
        return False

    def was_picked(self, thing: str) -> bool:
        """Whether the robot has picked the object up, so that it is no longer at the place in the task's text."""
        return self.succeeded(action(words.SKILL_PICK, thing))

    def has_dropped(self, thing: str) -> bool:
        """Whether the robot has lost an object out of its hand, and has not put it anywhere since."""
        ends = (
            handling for handling in reversed(self.handlings) if thing in (handling.lost, handling.placed)
        )
        last = next(ends, None)
        return last is not None and last.lost == thing

    def placements(self, thing: str) -> tuple[tuple[str, str], ...]:
        """Returns the predicate and the place of each placement of the object by the robot, oldest first."""
        return tuple(
            (words.RELATION_AFTER[handling.outcome.action.skill], handling.outcome.action.arguments[0])
            for handling in self.handlings
            if handling.placed == thing and handling.outcome.action.arguments
        )

    def placing_failures(self, item: Action) -> tuple[Handling, ...]:
        """Returns the failures of a placing action, with the object that was to be placed."""
        past = (self.handlings[index] for index, _ in self._indexed((item,)))
        return tuple(handling for handling in past if handling.outcome.result == Result.FAILED)

    def _indexed(self, actions: Iterable[Action]) -> list[tuple[int, Outcome]]:
        keys = dict.fromkeys(map(key, actions))
        known = [name for name in keys if name in self._by_action]
        if len(known) <= 1:
            return self._by_action[known[0]] if known else []
        return sorted(
            (entry for name in known for entry in self._by_action[name]), key=lambda entry: entry[0]
        )

    @property
    def standing_at(self) -> str:
        """Id of the target that the robot went to and still stands at; empty = no target."""
        for outcome in reversed(self.outcomes):
            if outcome.action.skill in words.MOTIONS and outcome.action.arguments:
                if outcome.result == Result.SUCCEEDED:
                    return outcome.action.arguments[0]
                if outcome.distance > 0:
                    return ""
        return ""

    def stood_at(self, places: Collection[str], since: int) -> bool:
        """Whether the robot has stood at one of some targets at any moment after a time [ns], or stands there now."""
        here, left = self.standing_at, math.inf
        if here in places:
            return True
        for outcome in reversed(self.outcomes):
            if outcome.action.skill not in words.MOTIONS:
                continue
            came = outcome.result == Result.SUCCEEDED and outcome.action.arguments[:1]
            if came and came[0] in places and left > since:
                return True
            if came or outcome.distance > 0:
                left = begun_at(outcome).nanoseconds
        return False

    def targets_since(self, time: int) -> frozenset[str]:
        """Returns the ids of the targets that the robot went to, or tried to, after a time [ns]."""
        moves = (o for o in self.outcomes if o.action.skill in words.MOTIONS)
        later = (o for o in moves if o.header.stamp.nanoseconds > time)
        return frozenset(name for outcome in later for name in outcome.action.arguments)

    @property
    def last_discovery(self) -> int:
        """Time of the last exploration or opening [ns]; -1 = there was none."""
        skills = (words.SKILL_EXPLORE, words.SKILL_OPEN)
        found = (o for o in self.outcomes if o.action.skill in skills and o.result == Result.SUCCEEDED)
        return max((outcome.header.stamp.nanoseconds for outcome in found), default=-1)

    @property
    def looked_around_here(self) -> bool:
        """Whether the robot has looked around and has not moved since."""
        for outcome in reversed(self.outcomes):
            if outcome.action.skill in words.MOTIONS:
                return False
            if outcome.action.skill == words.SKILL_LOOK_AROUND and outcome.result == Result.SUCCEEDED:
                return True
        return False

    @property
    def looked_around_from(self) -> frozenset[str]:
        """Ids of the targets from which the robot has looked around."""
        here, places = "", set()
        for outcome in self.outcomes:
            if outcome.action.skill in words.MOTIONS:
                here = outcome.action.target
            elif outcome.action.skill == words.SKILL_LOOK_AROUND:
                places.add(here)
        return frozenset(places)

    @property
    def is_boxed_in(self) -> bool:
        """Whether the last two motions were blocked, without a look around since."""
        moves = [o for o in self.outcomes if o.action.skill in (*words.MOTIONS, words.SKILL_LOOK_AROUND)]
        return [o.error.code for o in moves[-2:]] == [ErrorCode.BLOCKED, ErrorCode.BLOCKED]

    @property
    def holds_unknown_object(self) -> bool:
        """Whether the hand holds an unknown object, for example after a restart or from a person."""
        for handling in reversed(self.handlings):
            if handling.held_after or handling.emptied:
                return False
            if handling.outcome.error.code == ErrorCode.HAND_FULL:
                return True
        return False

    @property
    def has_just_lost_object(self) -> bool:
        """Whether an object slipped out of the hand without a look around since."""
        for handling in reversed(self.handlings):
            if handling.lost:
                return True
            if handling.outcome.action.skill == words.SKILL_LOOK_AROUND:
                return False
        return False
