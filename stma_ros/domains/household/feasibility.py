"""What the robot can reach and do: what is near, where ways lead, what is open, and which failed actions to repeat."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Sequence

from stma_ros.domains.household.belief_index import OPENNESS, BeliefIndex, id_order
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result

ATTEMPTS = 2
"""Failures of an action in a row after which it is not repeated ..."""

SLIPS = 3
"""... and the same for failures that are a matter of chance."""

FAR = 10.0
"""Way that is assumed if no length is known [m]."""

_FOR_GOOD = frozenset(
    {
        ErrorCode.NOT_OPENABLE,
        ErrorCode.NOT_PORTABLE,
        ErrorCode.NOT_SWITCHABLE,
        ErrorCode.NOT_A_TAP,
        ErrorCode.HOLDS_NOTHING,
        ErrorCode.SKILL_UNKNOWN,
    }
)
# They say something about the hand or the moment, not about the action.
_PASSING = frozenset(
    {ErrorCode.DROPPED, ErrorCode.HAND_FULL, ErrorCode.HAND_EMPTY, ErrorCode.IS_CLOSED, ErrorCode.NO_ROOM}
    | {ErrorCode.DOES_NOT_FIT, ErrorCode.NOT_A_VESSEL}
    | {ErrorCode.ALREADY_OPEN, ErrorCode.ALREADY_CLOSED, ErrorCode.ALREADY_ON, ErrorCode.ALREADY_OFF}
    | {ErrorCode.ALREADY_FULL, ErrorCode.ALREADY_EMPTY}
)
_BY_CHANCE = frozenset({ErrorCode.GRASP_FAILED, ErrorCode.BLOCKED})
_OF_LEAVES = (words.SKILL_OPEN, words.SKILL_CLOSE)


class Feasibility(enum.IntEnum):
    """Whether an action is worth trying, by earlier attempts."""

    IMPOSSIBLE = 0
    LATER = 1  # when the robot has got somewhere else, or something has changed
    RETRY = 2  # it failed before, and may work now
    UNTRIED = 3


class Access:
    """Answers questions of reach by the beliefs of one step."""

    def __init__(self, view: BeliefIndex, history: OutcomeIndex, allowed: Collection[Key]) -> None:
        self._view = view
        self._knowledge = view.knowledge
        self._history = history
        self._allowed = allowed
        self._judged: dict[Key, Feasibility] = {}

    def feasibility_of(self, item: Action) -> Feasibility:
        """Returns whether an action is worth trying."""
        name = key(item)
        if name not in self._judged:
            self._judged[name] = self._judge(item)
        return self._judged[name]

    def _judge(self, item: Action) -> Feasibility:
        failures = self._history.failures_in_a_row(item)
        if not failures:
            return Feasibility.UNTRIED
        codes = [o.error.code for o in failures if o.error.code not in _PASSING]
        slips = sum(code in _BY_CHANCE for code in codes)
        if slips >= SLIPS or len(codes) - slips >= ATTEMPTS or _FOR_GOOD.intersection(codes):
            return Feasibility.IMPOSSIBLE
        if not codes:
            return Feasibility.UNTRIED
        if codes[-1] == ErrorCode.BLOCKED and item.skill in _OF_LEAVES and self._has_shut_since(failures[-1]):
            return Feasibility.UNTRIED
        may_repeat = codes[-1] == ErrorCode.GRASP_FAILED or self._history.moved_since_failing(item)
        return Feasibility.RETRY if may_repeat else Feasibility.LATER

    def _has_shut_since(self, failure: Outcome) -> bool:
        """Whether something was closed since a failure that may have been in the way."""
        later = (outcome for outcome in self._history.outcomes if outcome.step > failure.step)
        return any(o.result == Result.SUCCEEDED and o.action.skill == words.SKILL_CLOSE for o in later)

    def may_do(self, actions: Sequence[Action]) -> bool:
        """Whether a whole plan may work; later actions may depend on what the first one changes."""
        if (
            not actions
            or key(actions[0]) not in self._allowed
            or self.feasibility_of(actions[0]) <= Feasibility.LATER
        ):
            return False
        return all(
            key(item) in self._allowed and self.feasibility_of(item) > Feasibility.IMPOSSIBLE
            for item in actions[1:]
        )

    def is_near(self, target: str) -> bool:
        """Whether the arm reaches the target from here, by the beliefs."""
        if self._history.was_out_of_reach_here(target):
            return False
        return self.stands_at(target) or self._view.at_hand(target)

    def stands_at(self, target: str) -> bool:
        """Whether the robot went to the target, or to what contains it, and has not left since.

        It also stands at an object if it went to what the object lies on and no way leads nearer.
        """
        here = self._history.standing_at
        thing = self._view.things.get(target)
        if not here or thing is None:
            return bool(here) and here == target
        lies_here = thing.on == here and not self._view.reachable(target)
        return here in (target, thing.inside) or lies_here

    def way_to(self, target: str) -> tuple[Action, ...] | None:
        """Returns the actions that bring the robot near; None if no way is known."""
        if self.is_near(target):
            return ()
        go = action(words.SKILL_NAVIGATE, target)
        return (go,) if self._leads(go, target) else None

    def way_to_thing(self, name: str) -> tuple[Action, ...] | None:
        """Returns the actions that bring the robot near a small object, if need be by way of what holds it; None if no
        way is known."""
        if self.is_near(name):
            return ()
        thing = self._view.things[name]
        failed = self._history.failures_in_a_row(action(words.SKILL_PICK, name))
        was_too_far = any(outcome.error.code == ErrorCode.TOO_FAR for outcome in failed)
        on = "" if was_too_far and not self._view.reachable(name) else thing.on
        targets = [thing.inside, name] if thing.inside and not was_too_far else [name, thing.inside or on]
        if self._history.was_out_of_reach_here(name) and self._history.standing_at == targets[0]:
            targets.reverse()
        for target in targets:
            go = action(words.SKILL_NAVIGATE, target)
            if target and self._leads(go, target) and self.feasibility_of(go) > Feasibility.IMPOSSIBLE:
                return (go,)
        return None

    def _leads(self, go: Action, target: str) -> bool:
        return key(go) in self._allowed and self._view.reachable(target)

    def is_open(self, container: str) -> bool:
        """Whether a container or door is open, by the newer of views and outcomes."""
        return self._openness(container) == words.STATE_OPEN

    def is_closed(self, container: str) -> bool:
        """Whether a container or door is closed, by the newer of views and outcomes."""
        return self._openness(container) == words.STATE_CLOSED

    def was_opened(self, container: str) -> bool:
        """Whether the robot has looked inside, whatever its present state."""
        return self.is_open(container) or any(
            outcome.result == Result.SUCCEEDED or outcome.error.code == ErrorCode.ALREADY_OPEN
            for outcome in self._history.of(action(words.SKILL_OPEN, container))
        )

    def is_stuck(self, container: str) -> bool:
        """Whether attempts have shown that it does not open."""
        thing = self._view.things.get(container)
        if thing is not None and thing.state(OPENNESS) == words.STATE_NOT_OPENABLE:
            return True
        return self.feasibility_of(action(words.SKILL_OPEN, container)) == Feasibility.IMPOSSIBLE

    def opening(self, container: str) -> tuple[Action, ...]:
        """Returns the actions that open it, once the robot is near; empty if it is open or does not open."""
        thing = self._view.things.get(container)
        opens = thing is not None and self._knowledge.is_container(thing.category)
        if not opens or self.is_open(container) or self.is_stuck(container):
            return ()
        return (action(words.SKILL_OPEN, container),)

    def clearing(self, target: str) -> tuple[Action, ...]:
        """Returns the actions that close an obstacle in front of a target that could not be opened or closed, and
        return to the target.

        The nearest obstacle comes first, containers before doors; empty if no obstacle is known.
        """
        blocked = self._view.things.get(target)
        if blocked is None:
            return ()
        moves = [o for o in self._history.outcomes if o.action.skill in _OF_LEAVES]
        since = [o for o in moves if o.result == Result.SUCCEEDED or o.action.arguments == (target,)]
        if not since or since[-1].action.arguments != (target,) or since[-1].error.code != ErrorCode.BLOCKED:
            return ()
        ajar = [
            name
            for name, thing in self._view.things.items()
            if name != target and not thing.is_missing and self.is_open(name)
        ]
        beside, room = self._view.near(target), self._view.room_of(blocked)
        ajar = [n for n in ajar if n in beside or (room and self._view.room_of(self._view.things[n]) == room)]

        def order(name: str) -> tuple[bool, bool, float, tuple[str, int, str]]:
            is_door = not self._knowledge.is_container(self._view.things[name].category)
            return is_door, name not in beside, self.length(name), id_order(name)

        for name in sorted(ajar, key=order):
            way, shut = self.way_to(name), action(words.SKILL_CLOSE, name)
            back = () if way == () and self.is_near(target) else (action(words.SKILL_NAVIGATE, target),)
            if way is not None and self.may_do((*way, shut, *back)):
                return (*way, shut, *back)
        return ()

    def length(self, target: str) -> float:
        """Returns the length of the way [m]; 0 if the robot is near."""
        length = self._view.length(target)
        return 0.0 if self.is_near(target) else FAR if math.isinf(length) or math.isnan(length) else length

    def _openness(self, container: str) -> str:
        thing = self._view.things.get(container)
        seen = thing.state_fact(OPENNESS) if thing is not None else None
        state = seen.object if seen is not None else ""
        since = seen.last_seen.nanoseconds if seen is not None and state != words.STATE_UNKNOWN else -1
        for outcome in reversed(self._history.outcomes):
            if outcome.header.stamp.nanoseconds < since:
                break
            reported = self._reported_state(outcome.action, outcome.result, outcome.error.code, container)
            if reported:
                return reported
        return state

    def _reported_state(self, done: Action, result: Result, code: ErrorCode, container: str) -> str:
        """Returns what an outcome says about the state of a container; empty = nothing."""
        if not done.arguments:
            return ""
        target = done.arguments[0]
        if target == container:
            if code == ErrorCode.ALREADY_OPEN or (
                result == Result.SUCCEEDED and done.skill == words.SKILL_OPEN
            ):
                return words.STATE_OPEN
            closed = result == Result.SUCCEEDED and done.skill == words.SKILL_CLOSE
            return (
                words.STATE_CLOSED
                if closed or code in (ErrorCode.ALREADY_CLOSED, ErrorCode.IS_CLOSED)
                else ""
            )
        thing = self._view.things.get(target)
        shut = code == ErrorCode.IS_CLOSED and thing is not None and thing.inside == container
        return words.STATE_CLOSED if shut else ""
