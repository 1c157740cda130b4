"""Problems of Blocksworld: towers that are to be rebuilt, of all blocks or of some."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import numpy as np

from stma_ros.worlds.pddl.problems.problem import Problem, Step, first_short

_BLOCKS: Final = (6, 7, 9, 11, 11, 11, 12, 12, 12, 12)
"""Numbers of blocks; drawn evenly, so that most problems need twenty steps."""
_ON_TOWER: Final = 0.65  # probability that a block goes on a tower that exists
_LEAST_MOVES: Final = 0.9  # of the plan, per block

Towers: TypeAlias = list[list[str]]
"""Each from its lowest block."""


def generate(seed: int) -> Problem:
    """Returns a problem. seed: not negative."""
    return first_short(_drawn(np.random.default_rng(seed)))


def _drawn(rng: np.random.Generator) -> Iterator[Problem]:
    while True:
        number = int(rng.choice(_BLOCKS))
        blocks = [f"b{k + 1}" for k in range(number)]
        start, wanted = _towers(blocks, rng), _towers(blocks, rng)
        below = {upper: lower for tower in wanted for lower, upper in pairwise(tower)}
        left_out = [block for block in sorted(below) if rng.random() < 1 / number]
        for block in left_out:
            del below[block]
        plan = _plan(start, below)
        if len(plan) < 2 * _LEAST_MOVES * number:
            continue
        yield Problem(
            "blocksworld",
            tuple((block, "") for block in blocks),
            (*_atoms(start), ("handempty",)),
            tuple(("on", upper, lower) for upper, lower in sorted(below.items())),
            tuple(plan),
        )


def _towers(blocks: Sequence[str], rng: np.random.Generator) -> Towers:
    towers: Towers = []
    for block in rng.permutation(blocks):
        if towers and rng.random() < _ON_TOWER:
            towers[int(rng.integers(len(towers)))].append(str(block))
        else:
            towers.append([str(block)])
    return towers


def _atoms(towers: Towers) -> Iterator[tuple[str, ...]]:
    for tower in towers:
        yield "ontable", tower[0]
        yield from (("on", upper, lower) for lower, upper in pairwise(tower))
        yield "clear", tower[-1]


def _plan(start: Towers, below: Mapping[str, str]) -> list[Step]:
    """Returns a plan: put a block where it belongs as soon as that place is finished, else one on the table that is in
    the way. below: the block on which each block is to be, of those that have a goal."""
    towers = [list(tower) for tower in start]
    plan: list[Step] = []
    while True:
        move = _constructive_move(towers, below) or _clearing_move(towers, below)
        if move is None:
            return plan
        origin, target = move
        block = origin.pop()
        plan.append(("unstack", block, origin[-1]) if origin else ("pickup", block))
        if target is None:
            plan.append(("putdown", block))
            towers.append([block])
        else:
            plan.append(("stack", block, target[-1]))
            target.append(block)
        towers = [tower for tower in towers if tower]


def _constructive_move(towers: Towers, below: Mapping[str, str]) -> tuple[list[str], list[str]] | None:
    tops = {tower[-1]: tower for tower in towers if _is_finished(tower, below)}
    for tower in towers:
        target = tops.get(below.get(tower[-1], ""))
        if target is not None and target is not tower:
            return tower, target
    return None


def _clearing_move(towers: Towers, below: Mapping[str, str]) -> tuple[list[str], None] | None:
    """Returns a move to the table, from the lowest tower that is not finished; None if all are. A single block is never
    in the way: it waits for its place."""
    unfinished = [tower for tower in towers if len(tower) > 1 and not _is_finished(tower, below)]
    return (min(unfinished, key=len), None) if unfinished else None


def _is_finished(tower: Sequence[str], below: Mapping[str, str]) -> bool:
    """Returns whether no block of a tower has to be moved."""
    wanted = {lower: upper for upper, lower in below.items()}
    return tower[0] not in below and all(
        below.get(upper, lower) == lower and wanted.get(lower, upper) == upper
        for lower, upper in pairwise(tower)
    )
