"""The course of a task: the state, and the replies to commands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.worlds.pddl.conditions import State
from stma_ros.worlds.pddl.config import BY_DOMAIN, FULL, PddlConfig
from stma_ros.worlds.pddl.loaded_task import LoadedTask
from stma_ros.worlds.pddl.reports import Instance, Reporter
from stma_ros.worlds.pddl.simulator import Simulator
from stma_ros.worlds.pddl.wording import CHECK_VALID_ACTIONS, FIXED_COMMANDS, LOOK_AROUND

GOAL_REACHED: Final = "The goal is reached."


@dataclass(frozen=True)
class Reply:
    """What the agent hears after a command. error: none if the command was executed."""

    description: str = ""
    feedback: str = ""
    error: Error = Error()


class Episode:
    """An episode of a task."""

    def __init__(self, task: LoadedTask, config: PddlConfig) -> None:
        self.task = task
        shown = task.observation if config.observation == BY_DOMAIN else config.observation
        self._full = shown == FULL
        accepted = {LOOK_AROUND: config.look_around, CHECK_VALID_ACTIONS: config.check_valid_actions}
        self._fixed = tuple(command for command in FIXED_COMMANDS if accepted[command])
        model = task.planning.model
        self._simulator = Simulator(model)
        self._reporter = Reporter(model, task.visibility)
        self._state = State(task.planning.atoms)
        self.score = task.goals_reached(self._state)

    @property
    def max_score(self) -> int:
        """Number of literals of the goal."""
        return len(self.task.planning.goal)

    @property
    def won(self) -> bool:
        return self.score == self.max_score

    @property
    def fixed_commands(self) -> tuple[str, ...]:
        """The commands that are accepted besides the instances of the model's actions."""
        return () if self.won else self._fixed

    def look(self) -> Reply:
        """Returns all that is visible."""
        return Reply(self._reporter.description(self._state), GOAL_REACHED if self.won else "")

    def refuse(self, error: Error) -> Reply:
        """Returns the reply to what is not executed."""
        return Reply(self._description(), "", error)

    def execute(self, command: str) -> Reply | None:
        """Executes a command; returns None for a text that is none, and for all texts once the goal is reached."""
        if self.won:
            return None
        if command in self._fixed:
            return self._look_around() if command == LOOK_AROUND else self._check_valid_actions()
        instance = self._reporter.instance(command)
        return None if instance is None else self._act(command, instance)

    def _look_around(self) -> Reply:
        return Reply(self._reporter.description(self._state))

    def _check_valid_actions(self) -> Reply:
        valid = self._simulator.valid_actions(self._state)
        return Reply(self._description(), self._reporter.commands(valid, self._fixed))

    def _act(self, command: str, instance: Instance) -> Reply:
        before = self._state
        after = self._simulator.successor(*instance, before)
        if after is None:
            # Which precondition is false is not said: part of it may be out of sight.
            hint = f" {CHECK_VALID_ACTIONS!r} lists the actions that have one."
            text = f"{command!r} has no effect now.{hint if CHECK_VALID_ACTIONS in self._fixed else ''}"
            return Reply(self._description(), text, Error(ErrorCode.NO_EFFECT, text))
        self._state = after
        self.score = self.task.goals_reached(after)
        feedback = "" if self._full else self._reporter.changes(before, after)
        if self.won:
            feedback = f"{feedback} {GOAL_REACHED}".lstrip()
        return Reply(self._description(), feedback)

    def _description(self) -> str:
        return self._reporter.description(self._state) if self._full else ""
