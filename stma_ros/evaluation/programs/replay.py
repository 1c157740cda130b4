"""The measurement `program_replay`: whether people's programs can be executed on our scene graphs, and reach what they
reach.

It checks the actions of the world `programs` on the activities of a folder, without any agent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

from stma_ros.evaluation.metrics import share
from stma_ros.evaluation.programs.conditions import Goal, Scope, goal_of
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import setting
from stma_ros.worlds.programs.activity_folder import ActivityFolder
from stma_ros.worlds.programs.execution import Home, PreconditionError


@dataclass(frozen=True)
class ProgramReplaySettings:
    folder: str = setting("", "folder of activities: programs/NAME.txt and graphs/NAME.json")


@dataclass(frozen=True)
class _Replay:
    """How an activity's program went."""

    goal: Goal
    executed: bool
    reached: bool
    same: bool
    idle: bool


class ProgramReplay:
    """The Measurement, with a row for each scope of activities."""

    name = "program_replay"
    total = len(Scope)
    columns: ClassVar[Mapping[str, str]] = {
        "preset": "who acts",
        "group": "what changes",
        "episodes": "n",
        "executed": "executed [%]",
        "reached": "goal reached [%]",
        "same": "no other change [%]",
        "idle": "reached idle [%]",
        "failed": "failed",
    }

    def __init__(self, settings: ProgramReplaySettings) -> None:
        """Raises ConfigurationError without activities."""
        if not settings.folder:
            raise ConfigurationError("program_replay needs activities: name their folder, --set folder=DIR")
        self._settings = settings
        self._activities = ActivityFolder(Path(settings.folder))

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    def rows(self, seed: int) -> Iterator[dict[str, Any]]:
        found = {name: self._replay(name) for name in self._activities.names}
        for scope in Scope:
            of_scope = {name: each for name, each in found.items() if each.goal.scope is scope}
            failed = [name for name, each in of_scope.items() if not (each.executed and each.reached)]
            yield {
                "preset": "people",
                "group": scope.value,
                "episodes": len(of_scope),
                **{
                    key: share([getattr(each, key) for each in of_scope.values()]) if of_scope else None
                    for key in ("executed", "reached", "same", "idle")
                },
                "failed": ", ".join(failed) or None,
            }

    def _replay(self, name: str) -> _Replay:
        before, after = self._activities.both_graphs(name)
        goal = goal_of(before, after)
        idle = goal.reached(before)
        home = Home(before)
        executed = True
        for step in self._activities.program(name).steps:
            try:
                home.do(step.action, step.arguments)
            except PreconditionError:
                executed = False
                break
        is_same = goal_of(home.graph, after).scope is Scope.NOTHING
        return _Replay(goal, executed, goal.reached(home.graph), is_same, idle)
