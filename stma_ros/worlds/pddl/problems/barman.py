"""Problems of Barman: shot glasses that are to be filled with cocktails and ingredients."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from stma_ros.worlds.pddl.problems.problem import Atom, Problem, Step, first_short

_LEFT, _RIGHT, _SHAKER = "left", "right", "shaker1"
_LEVELS: Final = ("level0", "level1", "level2")
_SHOTS, _COCKTAILS, _INGREDIENTS = (2, 3, 4, 5), (3, 4, 5), (3, 4)
_MOST_FILLED: Final = 3  # shots that are to be filled, with cocktails or pure ingredients
_TWO_COCKTAILS: Final = (
    0.85  # probability of two shots with cocktails; with one, a problem needs 10 to 17 steps
)
_SAME: Final = 0.1  # probability that they are of the same kind, which needs few steps, too


def generate(seed: int) -> Problem:
    """Returns a problem. seed: not negative."""
    return first_short(_drawn(np.random.default_rng(seed)))


def _drawn(rng: np.random.Generator) -> Iterator[Problem]:
    while True:
        shots = [f"shot{k + 1}" for k in range(int(rng.choice(_SHOTS)))]
        ingredients = [f"ingredient{k + 1}" for k in range(int(rng.choice(_INGREDIENTS)))]
        parts = {
            f"cocktail{k + 1}": tuple(str(part) for part in rng.choice(ingredients, 2, replace=False))
            for k in range(int(rng.choice(_COCKTAILS)))
        }
        cocktails = 2 if rng.random() < _TWO_COCKTAILS else 1
        pure = int(rng.integers(_MOST_FILLED - cocktails + 1))
        if cocktails + pure > len(shots):
            continue
        drinks = [str(name) for name in rng.choice(list(parts), cocktails, replace=False)]
        if rng.random() < _SAME:
            drinks = drinks[:1] * cocktails
        drinks += [str(name) for name in rng.choice(ingredients, pure)]
        wanted = dict(zip(map(str, rng.permutation(shots)), drinks, strict=False))
        yield Problem(
            "barman",
            (
                *((hand, "hand") for hand in (_LEFT, _RIGHT)),
                *((level, "level") for level in _LEVELS),
                (_SHAKER, "shaker"),
                *((shot, "shot") for shot in shots),
                *((name, "ingredient") for name in ingredients),
                *((name, "cocktail") for name in parts),
                *((_dispenser(name), "dispenser") for name in ingredients),
            ),
            tuple(_atoms(shots, ingredients, parts)),
            tuple(("contains", shot, drink) for shot, drink in sorted(wanted.items())),
            tuple(_Bar(shots, parts).plan(wanted)),
        )


def _dispenser(ingredient: str) -> str:
    return ingredient.replace("ingredient", "dispenser")


def _atoms(
    shots: Sequence[str], ingredients: Sequence[str], parts: Mapping[str, Sequence[str]]
) -> Iterator[Atom]:
    for hand in (_LEFT, _RIGHT):
        yield "hand-empty", hand
    for container in (_SHAKER, *shots):
        yield from (("on-table", container), ("empty", container), ("clean", container))
    yield from (("empty-level", _SHAKER, _LEVELS[0]), ("at-level", _SHAKER, _LEVELS[0]))
    yield from (("next", lower, higher) for lower, higher in pairwise(_LEVELS))
    yield from (("dispenses", _dispenser(name), name) for name in ingredients)
    for cocktail, (first, second) in parts.items():
        yield from (("part1", cocktail, first), ("part2", cocktail, second))


class _Bar:
    """Mixes one drink after the other. The left hand holds shots and the shaker, the right one is free for what needs
    two hands."""

    def __init__(self, shots: Sequence[str], parts: Mapping[str, Sequence[str]]) -> None:
        self._shots = shots
        self._parts = parts
        self._used: dict[str, str] = {}  # what a shot was filled with last

    def plan(self, wanted: Mapping[str, str]) -> Iterator[Step]:
        """Yields a plan. wanted: drinks by shot."""
        cocktails = list(dict.fromkeys(drink for drink in wanted.values() if drink in self._parts))
        pure = [shot for shot, drink in wanted.items() if drink not in self._parts]
        # A shot that is not to be filled need not be cleaned after mixing.
        spare = next((shot for shot in self._shots if shot not in wanted), "")
        for number, cocktail in enumerate(cocktails, start=1):
            targets = [shot for shot, drink in wanted.items() if drink == cocktail]
            mixing = spare or (pure or targets)[0]
            yield from self._mixed(cocktail, mixing, clean_after=mixing in targets)
            yield ("leave", _LEFT, mixing)
            yield ("grasp", _LEFT, _SHAKER)
            yield ("shake", cocktail, *self._parts[cocktail], _SHAKER, _LEFT, _RIGHT)
            for shot, level, lower in zip(targets, _LEVELS[:0:-1], _LEVELS[-2::-1], strict=False):
                yield ("pour-shaker-to-shot", cocktail, shot, _LEFT, _SHAKER, level, lower)
            if number < len(cocktails):
                yield ("empty-shaker", _LEFT, _SHAKER, cocktail, _LEVELS[-1 - len(targets)], _LEVELS[0])
                yield ("clean-shaker", _LEFT, _RIGHT, _SHAKER)
            if number < len(cocktails) or pure:
                yield ("leave", _LEFT, _SHAKER)
        for number, shot in enumerate(pure, start=1):
            yield ("grasp", _LEFT, shot)
            yield from self._filled(shot, wanted[shot])
            if number < len(pure):
                yield ("leave", _LEFT, shot)

    def _mixed(self, cocktail: str, shot: str, *, clean_after: bool) -> Iterator[Step]:
        """Yields how both ingredients get into the clean shaker by one shot, which the left hand holds at the end."""
        yield ("grasp", _LEFT, shot)
        for position, ingredient in enumerate(self._parts[cocktail]):
            yield from self._filled(shot, ingredient)
            pour = "pour-shot-to-used-shaker" if position else "pour-shot-to-clean-shaker"
            yield (pour, shot, ingredient, _SHAKER, _LEFT, _LEVELS[position], _LEVELS[position + 1])
        if clean_after:
            yield self._cleaned(shot)

    def _filled(self, shot: str, ingredient: str) -> Iterator[Step]:
        former = self._used.get(shot)
        if former not in (None, ingredient):
            yield self._cleaned(shot)
        fill = "refill-shot" if former == ingredient else "fill-shot"
        self._used[shot] = ingredient
        yield (fill, shot, ingredient, _LEFT, _RIGHT, _dispenser(ingredient))

    def _cleaned(self, shot: str) -> Step:
        return ("clean-shot", shot, self._used.pop(shot), _LEFT, _RIGHT)
