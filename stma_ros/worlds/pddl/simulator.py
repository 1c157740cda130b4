"""Actions as changes of sets of atoms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stma_ros.types.action_model import ActionModel, ActionSchema
from stma_ros.types.sentences import ObjectTypes
from stma_ros.worlds.pddl.conditions import Conjunction, State, grounded, holds


class Simulator:
    """The actions of a model."""

    def __init__(self, model: ActionModel) -> None:
        objects = ObjectTypes(model.types, model.objects)
        self._actions = tuple(
            (action, Conjunction(action.preconditions, {p.name: p.type for p in action.parameters}, objects))
            for action in model.actions
        )

    def successor(self, action: ActionSchema, arguments: Sequence[str], state: State) -> State | None:
        """Returns the state after an action; None if its preconditions do not hold.

        Args:
            action: An action of the model.
            arguments: Names of objects of the types of its parameters.
            state: The state before.
        """
        binding = {item.name: name for item, name in zip(action.parameters, arguments, strict=True)}
        if not all(holds(literal, binding, state) for literal in action.preconditions):
            return None
        deleted = {grounded(literal, binding) for literal in action.effects if literal.negated}
        added = {grounded(literal, binding) for literal in action.effects if not literal.negated}
        # What an action deletes and adds is true after it, by the definition of PDDL.
        return State((state.atoms - deleted) | added)

    def valid_actions(self, state: State) -> Iterator[tuple[ActionSchema, tuple[str, ...]]]:
        """Yields the actions whose preconditions hold, with their arguments, in no particular order."""
        for action, condition in self._actions:
            for binding in condition.solutions(state, {}):
                yield action, tuple(binding[item.name] for item in action.parameters)
