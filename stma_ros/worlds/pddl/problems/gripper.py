"""Problems of Gripper: balls that are to be brought to other rooms, two at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from stma_ros.worlds.pddl.problems.problem import Problem, Step, first_short

_BALLS: Final = (4, 6, 8, 8, 9, 9, 9, 9, 10, 10)
"""Numbers of balls; drawn evenly, so that most problems need twenty steps."""
_ROOMS: Final = (2, 3, 4)
_AT_GOAL: Final = 0.05  # probability that a ball is where it is to be
_GRIPPERS: Final = ("left", "right")


def generate(seed: int) -> Problem:
    """Returns a problem. seed: not negative."""
    return first_short(_drawn(np.random.default_rng(seed)))


def _drawn(rng: np.random.Generator) -> Iterator[Problem]:
    while True:
        rooms = [f"room{letter}" for letter in "abcd"[: int(rng.choice(_ROOMS))]]
        balls = [f"ball{k + 1}" for k in range(int(rng.choice(_BALLS)))]
        start, goal = {}, {}
        for ball in balls:
            origin, target = (str(room) for room in rng.choice(rooms, 2, replace=False))
            start[ball] = target if rng.random() < _AT_GOAL else origin
            goal[ball] = target
        here = str(rng.choice(rooms))
        yield Problem(
            "gripper",
            tuple((name, "") for name in (*rooms, *balls, *_GRIPPERS)),
            (
                *(("room", room) for room in rooms),
                *(("ball", ball) for ball in balls),
                *(("gripper", gripper) for gripper in _GRIPPERS),
                *(("free", gripper) for gripper in _GRIPPERS),
                ("at-robby", here),
                *(("at", ball, room) for ball, room in start.items()),
            ),
            tuple(("at", ball, room) for ball, room in goal.items()),
            tuple(_plan(here, start, goal)),
        )


def _plan(here: str, start: Mapping[str, str], goal: Mapping[str, str]) -> list[Step]:
    """Returns a plan: in every room take what has to leave it, and go where most of that is to be."""
    lying = {ball: room for ball, room in start.items() if room != goal[ball]}
    carried: dict[str, str] = {}  # ball in each gripper
    plan: list[Step] = []
    while True:
        for gripper, ball in sorted(carried.items()):
            if goal[ball] == here:
                plan.append(("drop", ball, here, gripper))
                del carried[gripper]
        for ball in _to_take(here, lying, goal, carried):
            gripper = next(name for name in _GRIPPERS if name not in carried)
            plan.append(("pick", ball, here, gripper))
            carried[gripper] = ball
            del lying[ball]
        targets = Counter(goal[ball] for ball in carried.values()) or Counter(lying.values())
        if not targets:
            return plan
        # Of the rooms where as much is to be put down, the one where most waits to be taken on.
        waiting = Counter(lying.values())
        there = max(sorted(targets), key=lambda room: (targets[room], waiting[room]))
        plan.append(("move", here, there))
        here = there


def _to_take(
    here: str, lying: Mapping[str, str], goal: Mapping[str, str], carried: Mapping[str, str]
) -> list[str]:
    """Returns the balls that the free grippers take in a room: those with a target that others share, first."""
    free = len(_GRIPPERS) - len(carried)
    shared = Counter(goal[ball] for ball in carried.values())
    balls = [ball for ball, room in lying.items() if room == here]
    common = Counter(goal[ball] for ball in balls)
    balls.sort(key=lambda ball: (-shared[goal[ball]], -min(common[goal[ball]], 2), goal[ball], ball))
    return balls[:free]
