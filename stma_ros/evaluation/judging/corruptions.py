"""Ways to corrupt a sound run: what a judge should not keep."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from stma_ros.roles.judge import JudgedStep
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action

Steps: TypeAlias = tuple[JudgedStep, ...]

Corrupt: TypeAlias = Callable[[np.random.Generator, Steps, Steps], "Steps | None"]
"""Returns the corrupted steps of a run, given random numbers, the run and another one of another task; None if the run
cannot be corrupted that way."""

_TAKING, _PLACING, _CHANGING = "taking", "placing", "changing"
_DEEDS: Mapping[str, str] = {
    words.SKILL_PICK: _TAKING,
    **dict.fromkeys(words.PLACINGS, _PLACING),
    **dict.fromkeys((words.SKILL_SWITCH_ON, words.SKILL_SWITCH_OFF, words.SKILL_FILL), _CHANGING),
    "grab": _TAKING,
    **dict.fromkeys(("put", "pour", "wear"), _PLACING),
    **dict.fromkeys(("switch on", "switch off", "plug in", "wash"), _CHANGING),
}
"""What actions do, by their skill or, in text worlds, by the words before the things of their command."""

_NEEDED = (_TAKING, _PLACING, _CHANGING)
_NAME = re.compile(r"\w+_\d+")


def _deed(step: JudgedStep) -> str:
    """Returns what an action does, as far as a corruption asks for it; else empty."""
    action = step.action
    verb = action.skill
    if verb == words.SKILL_COMMAND:
        verb = _NAME.split(action.target)[0].strip()
    return _DEEDS.get(verb, "")


def _numbers(steps: Steps, *deeds: str) -> list[int]:
    return [number for number, step in enumerate(steps) if _deed(step) in deeds]


def _draw(rng: np.random.Generator, numbers: Sequence[int]) -> int:
    return numbers[int(rng.integers(len(numbers)))]


def _target(step: JudgedStep) -> str:
    """Returns what an action is done to, or the place to which a thing is put; empty = to nothing."""
    if step.action.skill == words.SKILL_COMMAND:
        return "".join(_NAME.findall(step.action.target)[-1:])
    return step.action.target


def _aimed_at(action: Action, before: str, target: str) -> Action:
    """Returns an action with another target."""
    return Action(action.skill, (action.target.replace(before, target),))


def _kind(thing: str) -> str:
    """Returns what a thing is by its id, with underscores."""
    return thing.rpartition("_")[0]


def _replaced(steps: Steps, number: int, step: JudgedStep) -> Steps:
    return (*steps[:number], step, *steps[number + 1 :])


def other_thing(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """A needed action is done with another thing of the run; its reason stays."""
    numbers = _numbers(steps, *_NEEDED)
    if not numbers:
        return None
    number = _draw(rng, numbers)
    kind = _kind(_target(steps[number]))
    things = sorted({_target(step) for step in steps} - {""})
    others = [thing for thing in things if _kind(thing) != kind]
    if not others:
        return None
    other_target = others[int(rng.integers(len(others)))]
    action = _aimed_at(steps[number].action, _target(steps[number]), other_target)
    return _replaced(steps, number, replace(steps[number], action=action))


def left_out(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """A needed action is missing, with its repetitions: a judge does not see which of them failed."""
    numbers = _numbers(steps, *_NEEDED)
    if not numbers:
        return None
    missing = str(steps[_draw(rng, numbers)].action)
    return tuple(step for step in steps if str(step.action) != missing)


def exchanged_reasons(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """Two actions on different things have each other's reasons."""
    pairs = [
        (a, b)
        for a in range(len(steps))
        for b in range(a + 1, len(steps))
        if _target(steps[a]) and _target(steps[b]) and _target(steps[a]) != _target(steps[b])
    ]
    if not pairs:
        return None
    a, b = pairs[int(rng.integers(len(pairs)))]
    first, second = steps[a].rationale, steps[b].rationale
    exchanged = _replaced(steps, a, replace(steps[a], rationale=second))
    return _replaced(exchanged, b, replace(steps[b], rationale=first))


def foreign_step(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """A manipulation of another task comes in between, with its reason."""
    kinds = {_kind(_target(step)) for step in steps}
    numbers = [n for n in _numbers(other, _TAKING) if _kind(_target(other[n])) not in kinds]
    if not numbers:
        return None
    at = int(rng.integers(len(steps)))
    return (*steps[:at], other[_draw(rng, numbers)], *steps[at:])


def exchanged_order(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """A thing is put down before it is taken."""
    pairs = []
    for pick in _numbers(steps, _TAKING):
        later = [place for place in _numbers(steps, _PLACING) if place > pick]
        pairs += [(pick, later[0])] if later else []
    if not pairs:
        return None
    pick, place = pairs[int(rng.integers(len(pairs)))]
    return _replaced(_replaced(steps, pick, steps[place]), place, steps[pick])


def foreign_reasons(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """All reasons are those of another task."""
    if not other:
        return None
    return tuple(replace(step, rationale=other[k % len(other)].rationale) for k, step in enumerate(steps))


def broken_off(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """The robot says that it is done some time before the last needed action."""
    numbers = _numbers(steps, *_NEEDED)
    if not numbers or steps[-1].action.skill not in words.ENDINGS:
        return None
    at = int(rng.integers(numbers[0], numbers[-1] + 1))
    return (*steps[:at], steps[-1])


def taken_again(rng: np.random.Generator, steps: Steps, other: Steps) -> Steps | None:
    """What was put where it belongs is taken away again before the end."""
    picks, places = _numbers(steps, _TAKING), _numbers(steps, _PLACING)
    if not picks or not places or picks[-1] > places[-1]:
        return None
    return (*steps[: places[-1] + 1], steps[picks[-1]], *steps[places[-1] + 1 :])


CORRUPTIONS: Mapping[str, Corrupt] = {
    "other thing": other_thing,
    "left out": left_out,
    "exchanged reasons": exchanged_reasons,
    "foreign step": foreign_step,
    "exchanged order": exchanged_order,
    "foreign reasons": foreign_reasons,
}
"""Corruptions on which rules may be developed."""

HELD_OUT: Mapping[str, Corrupt] = {"broken off": broken_off, "taken again": taken_again}
"""Corruptions for reporting only: no rule was made or changed by what came of them."""
