"""What observations of a task say about its states."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TypeAlias

from stma_ros.types.action_model import ActionModel, ActionSchema, Literal
from stma_ros.types.sentences import END, Sentences
from stma_ros.worlds.pddl.conditions import State
from stma_ros.worlds.pddl.reader import Atom
from stma_ros.worlds.pddl.senses import Visibility

Instance: TypeAlias = tuple[ActionSchema, tuple[str, ...]]
"""An action and the names of its arguments."""


class Reporter:
    """Writes states, changes and lists of commands."""

    def __init__(self, model: ActionModel, visibility: Visibility) -> None:
        self._sentences = Sentences(model)
        self._visibility = visibility
        self._sentence = cache(self._written)

    def instance(self, command: str) -> Instance | None:
        """Returns the action that a command names; None if it names none, or not exactly."""
        read = self._sentences.read_command(command)
        if read is None or self._sentences.command(read[0].name, read[1]) != command:
            return None
        return read

    def description(self, state: State) -> str:
        """Returns what is true and visible."""
        return _text(sorted(self._sentence(atom, False) for atom in self._visibility.visible(state)))

    def changes(self, before: State, after: State) -> str:
        """Returns what has changed: visible atoms that became true, those that became false, and those that became
        visible."""
        added = {atom for atom in after.atoms - before.atoms if self._visibility.sees(atom, after)}
        removed = {atom for atom in before.atoms - after.atoms if self._visibility.sees(atom, after)}
        revealed = self._visibility.visible(after) - self._visibility.visible(before) - added
        groups = ((added, False), (removed, True), (revealed, False))
        return _text(
            line
            for atoms, negated in groups
            for line in sorted(self._sentence(atom, negated) for atom in atoms)
        )

    def commands(self, instances: Iterable[Instance], fixed: Iterable[str]) -> str:
        """Returns a list of commands, those of actions in their order as texts. fixed: the last ones."""
        listed = sorted(self._sentences.command(action.name, arguments) for action, arguments in instances)
        return f"Valid actions: {'; '.join((*listed, *fixed))}{END}"

    def _written(self, atom: Atom, negated: bool) -> str:
        return self._sentences.sentence(Literal(predicate=atom[0], arguments=atom[1:], negated=negated))


def _text(sentences: Iterable[str]) -> str:
    return " ".join(sentence + END for sentence in sentences)
