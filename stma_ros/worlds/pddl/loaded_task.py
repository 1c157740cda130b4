"""A task as it is played: model with wording, initial state, goal, and what of it is visible."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stma_ros.types.sentences import END, Sentences
from stma_ros.worlds.pddl.conditions import State, holds
from stma_ros.worlds.pddl.problem_files import task_files
from stma_ros.worlds.pddl.reader import PlanningTask, read_task
from stma_ros.worlds.pddl.senses import Visibility, with_senses
from stma_ros.worlds.pddl.wording import Wording, read_wording, worded


@dataclass(frozen=True)
class LoadedTask:
    """A task.

    Attributes:
        planning: its model has complete wording, and the conditions of what is seen.
        visibility: what is seen in a state.
        observation: what its domain shows after an action, FULL or EFFECTS.
    """

    planning: PlanningTask
    visibility: Visibility
    observation: str

    def goals_reached(self, state: State) -> int:
        """Returns the number of literals of the goal that hold."""
        return sum(holds(literal, {}, state) for literal in self.planning.goal)

    @property
    def objective(self) -> str:
        """The task as a text: "Make this true: b1 is on b2; b2 is on b3."."""
        sentences = Sentences(self.planning.model)
        return f"Make this true: {'; '.join(sorted(map(sentences.sentence, self.planning.goal)))}{END}"


def load_task(scene: str, seed: int) -> LoadedTask:
    """Loads the task of a scene (`task_files`). Raises ConfigurationError and MissingDependencyError."""
    files = task_files(scene, seed)
    planning = read_task(files.domain, files.problem)
    wording = Wording() if files.wording is None else read_wording(files.wording)
    model = worded(with_senses(planning.model, files.senses), wording)
    return LoadedTask(replace(planning, model=model), Visibility(model), wording.observation)
