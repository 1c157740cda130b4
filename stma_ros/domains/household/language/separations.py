"""Reads what must not be put to one place: "do not put the cans in the same box as the bottles"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from stma_ros.domains.household.goals import Goal, PlaceGoal
from stma_ros.domains.household.language.noun_phrase import NounPhrases
from stma_ros.domains.household.language.patterns import AND
from stma_ros.domains.household.language.sentence import Clause
from stma_ros.domains.household.language.unread import UnreadError
from stma_ros.memory.descriptions import Description

_SEPARATION = re.compile(
    r"(?:please )?(?:do not|never) (?:put|place|keep|store|pack) (?P<things>.+) (?:in|into|on|onto)"
    r" the same (?P<kind>.+) (?:as|with) (?P<others>.+)"
)


@dataclass(frozen=True)
class Separation:
    """Things that must not be at one place with others.

    Attributes:
        text: that says so.
        things, others: the things.
        place: the kind of the place.
    """

    text: str
    things: tuple[Description, ...]
    others: tuple[Description, ...]
    place: Description


def taken_out(clauses: Iterable[Clause], nouns: NounPhrases) -> tuple[list[Clause], list[Separation]]:
    """Returns clauses without those that part things, and what these say. Raises UnreadError."""
    left, found = [], []
    for clause in clauses:
        match = _SEPARATION.fullmatch(clause.text)
        if match is None:
            left.append(clause)
            continue
        things, others = (
            tuple(nouns.read(part).what for part in match[side].split(AND)) for side in ("things", "others")
        )
        found.append(Separation(clause.text, things, others, nouns.read(f"one {match['kind']}").what))
    return left, found


def applied(separations: Iterable[Separation], goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """Returns the goals with the separations, and their groups numbered in the order of the text.

    Raises:
        UnreadError: a separation is about something that the task puts nowhere of the kind, or wants at one place.
    """
    parted = list(goals)
    for separation in separations:
        sides = [
            [index for what in side for index in _indices_of(what, separation, parted)]
            for side in (separation.things, separation.others)
        ]
        for index in (index for side in sides for index in side):
            goal = parted[index]
            assert isinstance(goal, PlaceGoal)
            group = goal.together or 1 + max(map(_group_of, parted))
            parted[index] = replace(goal, together=group)
        first, second = ({_group_of(parted[index]) for index in side} for side in sides)
        if first & second:
            raise UnreadError(separation.text, "is about things that are wanted at one place")
        parted = [_apart_from(goal, first, second) for goal in parted]
    return _numbered_in_order(parted)


def _apart_from(goal: Goal, first: Set[int], second: Set[int]) -> Goal:
    if not isinstance(goal, PlaceGoal) or goal.together not in first | second:
        return goal
    others = second if goal.together in first else first
    return replace(goal, apart=tuple(sorted({*goal.apart, *others})))


def _numbered_in_order(goals: Sequence[Goal]) -> tuple[Goal, ...]:
    groups = dict.fromkeys(_group_of(goal) for goal in goals if _group_of(goal))
    numbers = {group: number for number, group in enumerate(groups, start=1)}
    return tuple(
        replace(
            goal,
            together=numbers[goal.together],
            apart=tuple(sorted(numbers[group] for group in goal.apart)),
        )
        if isinstance(goal, PlaceGoal) and goal.together
        else goal
        for goal in goals
    )


def _group_of(goal: Goal) -> int:
    return goal.together if isinstance(goal, PlaceGoal) else 0


def _indices_of(what: Description, separation: Separation, goals: Sequence[Goal]) -> list[int]:
    """Returns the indices of the goals that put such things to a place of the separation's kind: those that describe
    them in the same way, else all if it names them by their kind alone."""
    kinds = what.category, separation.place.category
    fitting = [
        index
        for index, goal in enumerate(goals)
        if isinstance(goal, PlaceGoal)
        and goal.destination is not None
        and not goal.each
        and (goal.what.category, goal.destination.category) == kinds
    ]
    same = [index for index in fitting if goals[index].what == what]
    if not same and what == Description(what.category):
        same = fitting
    if not same:
        raise UnreadError(
            separation.text,
            f"parts the {what} from others, and the task puts it in or on no {separation.place}",
        )
    return same
