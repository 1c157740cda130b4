"""A generated problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

MOST_STEPS: Final = 30
"""Steps within which every problem can be solved: the limit of the benchmarks (HiAgent, section 4.1)."""

Atom: TypeAlias = tuple[str, ...]
"""A predicate's name and the names of its arguments."""

Step: TypeAlias = tuple[str, ...]
"""An action's name and the names of its arguments."""


@dataclass(frozen=True)
class Problem:
    """A problem.

    Attributes:
        domain: Name of its domain.
        objects: Names of the objects, each with its type; empty = the domain has no types.
        atoms: What is true at first.
        goal: What is to be true.
        plan: A plan that reaches the goal, not necessarily the shortest.
    """

    domain: str
    objects: tuple[tuple[str, str], ...]
    atoms: tuple[Atom, ...]
    goal: tuple[Atom, ...]
    plan: tuple[Step, ...]


def first_short(drawn: Iterable[Problem]) -> Problem:
    """Returns the first problem whose goal is not reached at first and whose plan has MOST_STEPS at most. drawn: an
    endless row of problems."""
    return next(problem for problem in drawn if 0 < len(problem.plan) <= MOST_STEPS)


def problem_text(problem: Problem) -> str:
    """Returns a problem as the text of a file in PDDL."""
    lines = [
        f"(define (problem {problem.domain}-problem)",
        f"  (:domain {problem.domain})",
        "  (:objects",
        *_indented(f"{name} - {kind}" if kind else name for name, kind in problem.objects),
        "  (:init",
        *_indented(map(_written, problem.atoms)),
        "  (:goal (and",
        *_indented(map(_written, problem.goal)),
    ]
    return "\n".join(lines) + "))\n"


def _indented(lines: Iterable[str]) -> Iterator[str]:
    """Yields the content of a section, and the bracket that closes it."""
    rows = [f"    {line}" for line in lines]
    yield from (*rows[:-1], *(row + ")" for row in rows[-1:]))


def _written(atom: Sequence[str]) -> str:
    return f"({' '.join(atom)})"
