"""Divides a plan: the next subgoal is what its first part is for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from stma_ros.domains.pddl.ground_task import Atom, Operator
from stma_ros.domains.pddl.state_space import Condition

LONGEST = 4
"""Actions of one subgoal."""


def next_subgoal(plan: Sequence[Operator], atoms: Collection[Atom], goal: Condition) -> Condition:
    """Returns the subgoal of the first part of a plan.

    The part ends where a part of the goal is reached that the rest of the plan leaves alone, so that no subgoal undoes
    another one, or else after LONGEST actions. The subgoal is what the part changes and the rest of the plan, or the
    goal, needs.

    Args:
        plan: operators from the present state to the goal; at least one.
        atoms: atoms that are true now.
        goal: the goal of the plan.
    """
    states = _states(plan, atoms)
    length = _length_of_part(states, goal, min(LONGEST, len(plan)))
    needed = _needed_later(plan[length:], goal)
    before, after = states[0], states[length]
    wanted = Condition(
        frozenset(atom for atom in needed.true if atom in after and atom not in before),
        frozenset(atom for atom in needed.false if atom in before and atom not in after),
    )
    if wanted.true or wanted.false:
        return wanted
    # The part serves nothing that is needed, such as where it only passes through.
    return Condition(frozenset(after - before), frozenset(before - after))


def _states(plan: Sequence[Operator], atoms: Collection[Atom]) -> list[frozenset[Atom]]:
    states = [frozenset(atoms)]
    for operator in plan:
        states.append(operator.after(states[-1]))
    return states


def _length_of_part(states: Sequence[frozenset[Atom]], goal: Condition, longest: int) -> int:
    settled = _settled(states, goal)
    at_first = settled[0]
    for length in range(1, longest + 1):
        # Until the next action settles nothing: what is reached at once belongs to one subgoal.
        if settled[length] > at_first and (
            length == len(states) - 1 or settled[length + 1] == settled[length]
        ):
            return length
    return longest


def _settled(states: Sequence[frozenset[Atom]], goal: Condition) -> list[int]:
    """Returns, for each state, how many parts of the goal hold from there to the end."""
    holding = [
        [*(atom in state for atom in sorted(goal.true)), *(atom not in state for atom in sorted(goal.false))]
        for state in states
    ]
    settled = [0] * len(states)
    stays = [True] * len(holding[0])
    for number in reversed(range(len(states))):
        stays = [stay and holds for stay, holds in zip(stays, holding[number], strict=True)]
        settled[number] = sum(stays)
    return settled


def _needed_later(rest: Sequence[Operator], goal: Condition) -> Condition:
    """Returns what has to hold before the rest of a plan, by regression of the goal."""
    true, false = set(goal.true), set(goal.false)
    for operator in reversed(rest):
        true -= set(operator.adds)
        false -= set(operator.deletes)
        true |= set(operator.needs)
        false |= set(operator.forbids)
    return Condition(frozenset(true), frozenset(false))
