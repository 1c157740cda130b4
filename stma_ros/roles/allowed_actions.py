"""The actions that are allowed, where they are too many to be listed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel
from stma_ros.types.planning import Action
from stma_ros.types.sentences import Sentences


@dataclass(frozen=True)
class AllowedActions:
    """The actions that are allowed at a step.

    Attributes:
        listed: those that are listed.
        model: its actions with objects of the right types are commands, whether or not their preconditions hold.
        any_command: whether any text is a command.
        retrievable: ids of the subgoals that the memory can show whole.
    """

    listed: tuple[Action, ...] = ()
    model: ActionModel = ActionModel()
    any_command: bool = False
    retrievable: Collection[str] = ()

    def __contains__(self, action: Action) -> bool:
        if action in self.listed:
            return True
        if action.skill == words.SKILL_RETRIEVE:
            ids = action.arguments
            return bool(ids) and len(set(ids)) == len(ids) and all(each in self.retrievable for each in ids)
        if action.skill != words.SKILL_COMMAND or len(action.arguments) != 1:
            return False
        return self.any_command or (
            bool(self.model.name) and Sentences(self.model).read_command(action.arguments[0]) is not None
        )
