"""What to do to see what is not known: plans that assume what may be true, and end where it would be seen."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator
from typing import Protocol

from stma_ros.domains.pddl.believed_state import BelievedState
from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts
from stma_ros.domains.pddl.ground_task import Atom, Operator
from stma_ros.domains.pddl.hidden_facts import HiddenFacts
from stma_ros.domains.pddl.search import NoPlan, Plan
from stma_ros.domains.pddl.state_space import Condition
from stma_ros.types.action_model import ActionModel

_SEE = "(see)"
"""Name of operators that stand for no action, but for seeing something; no action has such a name."""

_MAX_SIGHTS = 500  # ways to see one fact that are tried


class MakePlan(Protocol):
    """Makes plans from what is true."""

    def __call__(
        self, condition: Condition, *, assumed: Collection[Atom] = (), further: tuple[Operator, ...] = ()
    ) -> Plan | NoPlan:
        """Returns a plan to a condition.

        Args:
            condition: what is to hold at the end.
            assumed: atoms that are taken for true, too.
            further: operators besides those of the model.
        """
        ...


def exploring_plan(
    model: ActionModel, hidden: HiddenFacts, state: BelievedState, goal: Condition, make_plan: MakePlan
) -> tuple[tuple[Operator, ...], Condition] | None:
    """Returns actions after which more is known that may lead to the goal, and what they lead to.

    Where nothing shows whether an assumption is true, the actions end with the one that tries it.

    Returns:
        None where nothing that may be true leads to the goal.
    """
    unknown = frozenset(_unknown(model, hidden, state))
    guessed = make_plan(goal, assumed=unknown) if unknown else NoPlan(proved=False)
    if not isinstance(guessed, Plan) or not guessed.operators:
        return None
    actions, relied = _until_assumption(guessed.operators, unknown)
    sights = tuple(
        Operator(_SEE, atom, (*condition.true,), (*condition.false,), ((_SEE, *atom),), ())
        for atom in relied
        for condition in itertools.islice(hidden.ways_to_see(atom, state.true), _MAX_SIGHTS)
    )
    wanted = sorted({sight.adds[0] for sight in sights})
    plans = [make_plan(Condition(frozenset({mark})), further=sights) for mark in wanted]
    # A plan of the sight alone: it would be seen now.
    found = [plan.operators for plan in plans if isinstance(plan, Plan) and len(plan.operators) > 1]
    if not found:
        return actions, goal
    *steps, sight = min(found, key=len)
    return tuple(steps), Condition(frozenset(sight.needs), frozenset(sight.forbids))


def _unknown(model: ActionModel, hidden: HiddenFacts, state: BelievedState) -> Iterator[Atom]:
    """Yields what may be true: what is not known, would not be seen now, and is excluded by nothing."""
    exclusive = ExclusiveFacts(model, state.true)
    in_view = hidden.seen_in(state.true)
    for atom in hidden.atoms():
        if (
            atom not in state.true
            and atom not in state.denied
            and atom not in in_view
            and not any(exclusive.excluded_by(atom, state.true))
        ):
            yield atom


def _until_assumption(
    plan: Iterable[Operator], unknown: Collection[Atom]
) -> tuple[tuple[Operator, ...], tuple[Atom, ...]]:
    """Returns the actions of a plan up to the first one that relies on something unknown, and what that is."""
    actions: list[Operator] = []
    made: set[Atom] = set()
    for operator in plan:
        actions.append(operator)
        relied = [atom for atom in operator.needs if atom in unknown and atom not in made]
        if relied:
            return tuple(actions), tuple(relied)
        made |= set(operator.adds)
    return tuple(actions), ()
