"""Executes actions on the scene graph of a home: what each needs, and what it changes.

The actions are those of VirtualHome (Puig et al. 2018), with the preconditions and effects that its programs were
written for. What lies on or in a thing stays behind when it is taken, as there; what comes there while it is held goes
along. Where its public code lets an action pass that cannot be, as putting a thing back that was not taken, or into
itself, the action fails here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from stma_ros.types.errors import StmaError
from stma_ros.worlds.programs.actions import ACTIONS
from stma_ros.worlds.programs.home_graph import HomeGraph, Node
from stma_ros.worlds.programs.situation import Situation, Turn

Deed: TypeAlias = tuple[str, tuple[int, ...]]
"""An action, such as "GRAB", and the ids of the things that it acts on."""


class PreconditionError(StmaError):
    """An action is not possible in the present state; the text is the reason."""


@dataclass
class Home:
    """A home with somebody in it.

    Attributes:
        graph: its present state.
        name: returns what a node is called in the reasons of a PreconditionError.
        taken_from: where the things in the hands were: relation and id.
    """

    graph: HomeGraph
    name: Callable[[Node], str] = str
    taken_from: dict[int, tuple[str, int]] = field(default_factory=dict)

    def do(self, action: str, things: tuple[int, ...] = ()) -> None:
        """Executes an action, such as "GRAB", on things by their ids.

        Raises:
            PreconditionError: It is not possible. Nothing has changed then.
        """
        known = ACTIONS.get(action)
        if known is None:
            raise PreconditionError(f"there is no action {action!r}, only {', '.join(ACTIONS)}")
        if len(things) != known.things:
            raise PreconditionError(f"{action} acts on {known.things} things, not on {len(things)}")
        missing = [id for id in things if id not in self.graph.nodes]
        if missing:
            raise PreconditionError(f"there is nothing with the id {missing[0]}")
        turn = Turn(self._situation(), things)
        lack = known.lack(turn)
        if lack is not None:
            raise PreconditionError(lack.text.format(*map(self.name, lack.nodes)))
        known.change(turn)

    def possible(self, deeds: Iterable[Deed]) -> Iterator[Deed]:
        """Yields those of some actions that can be executed now; nothing changes. Their actions and things exist."""
        situation = self._situation()
        for action, things in deeds:
            if ACTIONS[action].lack(Turn(situation, things)) is None:
                yield action, things

    def _situation(self) -> Situation:
        return Situation(self.graph, self.taken_from)
