"""Problems of the vault: a way through locked doors, whose codes are all read at its beginning."""

from __future__ import annotations

from typing import Final

import numpy as np

from stma_ros.worlds.pddl.problems.problem import Problem, Step

_ROOMS: Final = (10, 11, 12)
_DOORS: Final = 30
"""Doors in the notebook, most of which are elsewhere."""


def generate(seed: int) -> Problem:
    """Returns a problem. seed: not negative."""
    rng = np.random.default_rng(seed)
    rooms = [f"room{number + 1}" for number in range(int(rng.choice(_ROOMS)))]
    doors = [f"door{number + 1}" for number in range(_DOORS)]
    codes = [f"code{number}" for number in rng.choice(np.arange(100, 1000), _DOORS, replace=False)]
    opening = dict(zip(doors, codes, strict=True))
    way = [str(door) for door in rng.choice(doors, len(rooms) - 1, replace=False)]
    steps = list(zip(way, rooms, rooms[1:], strict=False))
    plan: list[Step] = [("open", "notebook", rooms[0])]
    for door, here, there in steps:
        plan += [("enter", opening[door], door, here, there), ("go", door, here, there)]
    return Problem(
        "vault",
        (
            *((room, "room") for room in rooms),
            *((door, "door") for door in doors),
            *((code, "code") for code in sorted(codes)),
            ("notebook", "notebook"),
        ),
        (
            ("at", rooms[0]),
            ("closed", "notebook"),
            ("lies-in", "notebook", rooms[0]),
            *(("leads", door, here, there) for door, here, there in steps),
            *(("locked", door) for door in way),
            *(("opens", code, door) for door, code in opening.items()),
        ),
        (("at", rooms[-1]),),
        tuple(plan),
    )
