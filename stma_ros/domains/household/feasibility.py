"""Reachability and feasibility: near objects, known routes, open containers, and failed actions worth repeating."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from stma_ros.domains.household.belief_index import OPENNESS, BeliefIndex, id_order, is_certain
from stma_ros.domains.household.obstacles import was_obstacle
from stma_ros.domains.household.outcome_index import Key, OutcomeIndex, action, key
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.scene_graph import Relation

MAX_FAILURES = 2
"""Number of consecutive failures after which an action is not repeated."""

MAX_CHANCE_FAILURES = 3
"""Number of consecutive failures by chance after which an action is not repeated."""

MAX_CHOICES = 6
"""Number of consecutive failures after which an action is not repeated that chooses another place each time."""

MAX_PLACEMENTS = 2
"""Number of times that an object is put at one place, after which it is not put there again or stays there."""

DEFAULT_LENGTH = 10.0
"""Length of a route [m] that is assumed if none is known."""

SKILL_FOR = {
    words.STATE_OPEN: words.SKILL_OPEN,
    words.STATE_CLOSED: words.SKILL_CLOSE,
    words.STATE_ON: words.SKILL_SWITCH_ON,
    words.STATE_OFF: words.SKILL_SWITCH_OFF,
    words.STATE_FULL: words.SKILL_FILL,
    words.STATE_EMPTY: words.SKILL_EMPTY,
}
"""The skill that brings an object into a state."""

_PERMANENT = frozenset(
    {
        ErrorCode.NOT_OPENABLE,
        ErrorCode.NOT_PORTABLE,
        ErrorCode.NOT_SWITCHABLE,
        ErrorCode.NOT_A_TAP,
        ErrorCode.HOLDS_NOTHING,
        ErrorCode.SKILL_UNKNOWN,
    }
)
# Errors that depend on the hand or the current state rather than on the action.
_TEMPORARY = frozenset(
    {ErrorCode.DROPPED, ErrorCode.HAND_FULL, ErrorCode.HAND_EMPTY, ErrorCode.IS_CLOSED, ErrorCode.NO_ROOM}
    | {ErrorCode.DOES_NOT_FIT, ErrorCode.NOT_A_VESSEL}
    | {ErrorCode.ALREADY_OPEN, ErrorCode.ALREADY_CLOSED, ErrorCode.ALREADY_ON, ErrorCode.ALREADY_OFF}
    | {ErrorCode.ALREADY_FULL, ErrorCode.ALREADY_EMPTY}
)
SPOT_ERRORS = frozenset({ErrorCode.SPOT_TAKEN, ErrorCode.NO_SURFACE})
"""Errors of the place at which something was put down: the next attempt chooses another one."""

CHOICE_ERRORS = frozenset({ErrorCode.BAD_STANCE}) | SPOT_ERRORS
"""Errors after which the next attempt chooses another place, to put something at or to stand at."""

_RANDOM = frozenset({ErrorCode.GRASP_FAILED, ErrorCode.BLOCKED})
WORTH_REPEATING_HERE = (_RANDOM | CHOICE_ERRORS) - {ErrorCode.BLOCKED}
"""Errors after which the same action may succeed from the same place."""

_OPENING_SKILLS = (words.SKILL_OPEN, words.SKILL_CLOSE)


class Feasibility(enum.IntEnum):
    """Whether an action is worth trying, by earlier attempts."""

    IMPOSSIBLE = 0
    LATER = 1  # worth trying from another position, or after another action succeeded
    RETRY = 2  # it failed before and may succeed now
    UNTRIED = 3


def found_already(state: str, outcomes: Iterable[Outcome]) -> bool:
    """Whether outcomes say often enough that something is in a state already, so that a further attempt is useless."""
    code = ErrorCode[f"ALREADY_{state.upper()}"]
    return sum(outcome.error.code == code for outcome in outcomes) >= MAX_FAILURES


class Access:
    """Reachability of objects and feasibility of actions by the beliefs of one step."""

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
        if item.skill in _OPENING_SKILLS:
            failures = tuple(filter(self._still_counts, failures))
        if not failures:
            return Feasibility.UNTRIED
        codes = [o.error.code for o in failures if o.error.code not in _TEMPORARY]
        chosen = sum(code in CHOICE_ERRORS for code in codes)
        by_chance = sum(code in _RANDOM for code in codes)
        if (
            chosen >= MAX_CHOICES
            or by_chance >= MAX_CHANCE_FAILURES
            or len(codes) - chosen - by_chance >= MAX_FAILURES
            or _PERMANENT.intersection(codes)
        ):
            return Feasibility.IMPOSSIBLE
        if not codes:
            return Feasibility.UNTRIED
        if (
            codes[-1] == ErrorCode.BLOCKED
            and item.skill in _OPENING_SKILLS
            and self._has_closed_since(failures[-1])
        ):
            return Feasibility.UNTRIED
        may_repeat = codes[-1] in WORTH_REPEATING_HERE or self._history.moved_since_failing(item)
        return Feasibility.RETRY if may_repeat else Feasibility.LATER

    def _still_counts(self, failure: Outcome) -> bool:
        """Whether a failure to open or close something says anything: nothing that may have kept the robot from its
        front has been carried away since."""
        return failure.error.code != ErrorCode.BAD_STANCE or failure.step > self._way_made_at

    @cached_property
    def _way_made_at(self) -> int:
        """The last step at which the robot put a bulky thing away that it took off the floor; -1 = there is none."""
        things = self._view.objects
        return max(
            (
                handling.outcome.step
                for handling in self._history.handlings
                if handling.placed in things and was_obstacle(things[handling.placed])
            ),
            default=-1,
        )

    def _has_closed_since(self, failure: Outcome) -> bool:
        """Whether an object that may have been in the way was closed since a failure."""
        later = (outcome for outcome in self._history.outcomes if outcome.step > failure.step)
        return any(o.result == Result.SUCCEEDED and o.action.skill == words.SKILL_CLOSE for o in later)

    def is_allowed(self, item: Action) -> bool:
        """Whether the robot has the skill of an action, and its target fits."""
        return key(item) in self._allowed

    def is_feasible(self, actions: Sequence[Action]) -> bool:
        """Whether a plan may work: its first action is feasible now, and no later action is impossible."""
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
        """Whether the arm reaches the target from the current position, by the beliefs."""
        if self._history.was_out_of_reach_here(target):
            return False
        return self.stands_at(target) or self._view.at_hand(target)

    def stands_at(self, target: str) -> bool:
        """Whether the robot went to the target, or to its container, and has not left since.

        It also stands at an object if it went to the object below it and no route leads nearer.
        """
        here = self._history.standing_at
        thing = self._view.objects.get(target)
        if not here or thing is None:
            return bool(here) and here == target
        is_on_target = thing.on == here and not self._view.reachable(target)
        return here in (target, thing.inside) or is_on_target

    def approach(self, target: str) -> tuple[Action, ...] | None:
        """Returns the actions that bring the robot near a target; None if no route is known."""
        if self.is_near(target):
            return ()
        go = action(words.SKILL_NAVIGATE, target)
        return (go,) if self._has_route(go, target) else None

    def approach_object(self, name: str) -> tuple[Action, ...] | None:
        """Returns the actions that bring the robot near an object or its holder; None if no route is known."""
        if self.is_near(name):
            return ()
        thing = self._view.objects[name]
        failed = self._history.failures_in_a_row(action(words.SKILL_PICK, name))
        was_too_far = any(outcome.error.code == ErrorCode.TOO_FAR for outcome in failed)
        on = "" if was_too_far and not self._view.reachable(name) else thing.on
        targets = [thing.inside, name] if thing.inside and not was_too_far else [name, thing.inside or on]
        if self._history.was_out_of_reach_here(name) and self._history.standing_at == targets[0]:
            targets.reverse()
        for target in targets:
            go = action(words.SKILL_NAVIGATE, target)
            if target and self._has_route(go, target) and self.feasibility_of(go) > Feasibility.IMPOSSIBLE:
                return (go,)
        return None

    def _has_route(self, go: Action, target: str) -> bool:
        return key(go) in self._allowed and self._view.reachable(target)

    def is_open(self, container: str) -> bool:
        """Whether a container or door is believed to be open, by the newer of observation and outcome."""
        return self._openness(container)[0] == words.STATE_OPEN

    def is_certainly(self, state: str, container: str) -> bool:
        """Whether a container or door is known for certain to be open, or closed."""
        return self._openness(container) == (state, True)

    def was_looked_into(self, container: str) -> bool:
        """Whether the inside of a container was in view, even if it is closed now.

        It was if a look showed for certain that the container is open, or if the container, or a thing in it, was seen
        since the robot opened it, or has gone to one that an earlier task opened. That it was found open when it should
        be opened is no look: the robot may stand beside it.
        """
        thing = self._view.objects.get(container)
        if thing is None:
            return False
        seen = thing.state_fact(OPENNESS)
        if seen is not None and thing.is_certainly(words.STATE_OPEN) and not _is_own(seen):
            return True
        changes = (action(skill, container) for skill in (words.SKILL_OPEN, words.SKILL_CLOSE))
        if self._history.outcomes_of(*changes) or not self.is_certainly(words.STATE_OPEN, container):
            opened = self.opened_at(container)
        else:  # by an action of an earlier task
            opened = self._history.first_success(action(words.SKILL_NAVIGATE, container))
        if opened < 0:
            return False
        shown = (thing, *(item for item in self._view.objects.values() if item.inside == container))
        return any(item.last_seen.nanoseconds >= opened for item in shown)

    def opened_at(self, container: str) -> int:
        """Returns when the robot first opened a container [ns]; -1 = never."""
        return self._history.first_success(action(words.SKILL_OPEN, container))

    def is_contested(self, state: str, target: str) -> bool:
        """Whether attempts found a container, door or device in a state again and again, and looks contradict them."""
        return found_already(state, self._history.failures_in_a_row(action(SKILL_FOR[state], target)))

    def is_barred(self, container: str) -> bool:
        """Whether the robot got nowhere to open a container or door from."""
        opening = action(words.SKILL_OPEN, container)
        failures = self._history.failures_in_a_row(opening)
        is_barred = bool(failures) and failures[-1].error.code == ErrorCode.BAD_STANCE
        return is_barred and self.feasibility_of(opening) is Feasibility.IMPOSSIBLE

    def is_stuck(self, container: str) -> bool:
        """Whether attempts have shown that it cannot be opened."""
        thing = self._view.objects.get(container)
        if thing is not None and thing.state(OPENNESS) == words.STATE_NOT_OPENABLE:
            return True
        return self.feasibility_of(action(words.SKILL_OPEN, container)) == Feasibility.IMPOSSIBLE

    def open_actions(self, container: str) -> tuple[Action, ...]:
        """Returns the actions that open a container once the robot is near; empty if it seems to be open, or cannot be
        opened."""
        thing = self._view.objects.get(container)
        is_container = thing is not None and self._knowledge.is_container(thing.category)
        if not is_container or self.is_open(container) or self.is_stuck(container):
            return ()
        return (action(words.SKILL_OPEN, container),)

    def clear_obstacle(self, target: str) -> tuple[Action, ...]:
        """Returns the actions that close an obstacle in front of a target that could not be opened or closed, and
        return to the target.

        The nearest obstacle comes first, containers before doors; empty if no obstacle is known.
        """
        blocked = self._view.objects.get(target)
        if blocked is None:
            return ()
        moves = [o for o in self._history.outcomes if o.action.skill in _OPENING_SKILLS]
        relevant = [o for o in moves if o.result == Result.SUCCEEDED or o.action.arguments == (target,)]
        if (
            not relevant
            or relevant[-1].action.arguments != (target,)
            or relevant[-1].error.code != ErrorCode.BLOCKED
        ):
            return ()
        open_objects = [
            name
            for name, thing in self._view.objects.items()
            if name != target and not thing.is_missing and self.is_open(name)
        ]
        near, room = self._view.near(target), self._view.room_of(blocked)
        obstacles = [
            name
            for name in open_objects
            if name in near or (room and self._view.room_of(self._view.objects[name]) == room)
        ]

        def order(name: str) -> tuple[bool, bool, float, tuple[str, int, str]]:
            is_door = not self._knowledge.is_container(self._view.objects[name].category)
            return is_door, name not in near, self.length(name), id_order(name)

        for name in sorted(obstacles, key=order):
            way, close = self.approach(name), action(words.SKILL_CLOSE, name)
            back = () if way == () and self.is_near(target) else (action(words.SKILL_NAVIGATE, target),)
            if way is not None and self.is_feasible((*way, close, *back)):
                return (*way, close, *back)
        return ()

    def length(self, target: str) -> float:
        """Returns the length of the route [m]; 0 if the robot is near."""
        length = self._view.length(target)
        return (
            0.0
            if self.is_near(target)
            else DEFAULT_LENGTH
            if math.isinf(length) or math.isnan(length)
            else length
        )

    def _openness(self, container: str) -> tuple[str, bool]:
        """Returns the state of a container or door, and whether it is certain; an empty text is unknown."""
        thing = self._view.objects.get(container)
        seen = thing.state_fact(OPENNESS) if thing is not None else None
        state = seen.object if seen is not None else ""
        since = seen.last_seen.nanoseconds if seen is not None and state != words.STATE_UNKNOWN else -1
        for outcome in reversed(self._history.outcomes):
            stamp = outcome.header.stamp.nanoseconds
            if stamp < since or (stamp == since and seen is not None and _is_own(seen)):
                break
            reported = self._reported_state(outcome.action, outcome.result, outcome.error.code, container)
            if reported:
                return reported, True
        return state, seen is not None and is_certain(seen)

    def _reported_state(self, done: Action, result: Result, code: ErrorCode, container: str) -> str:
        """Returns the state of a container that follows from an outcome; empty = unknown."""
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
        thing = self._view.objects.get(target)
        is_closed = code == ErrorCode.IS_CLOSED and thing is not None and thing.inside == container
        return words.STATE_CLOSED if is_closed else ""


def _is_own(fact: Relation) -> bool:
    return fact.source == EvidenceSource.OWN_ACTION
