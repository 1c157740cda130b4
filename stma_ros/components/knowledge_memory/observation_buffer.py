"""What the spatial memory of text worlds has heard of each step of a task."""

from __future__ import annotations

from collections import OrderedDict

from stma_ros.components.step_synchronizer import StepKey, step_key
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Time

_TASKS = 4  # of which records are kept; messages of the next one may come before the last one is settled
_AHEAD = 8  # records that may come before the belief of the step that is being made
_STAMPS = 10_000  # steps whose time is known: as many as the largest history buffer has


class Records:
    """The observations of the last `keep` steps, by task and step, whatever order they come in; of steps long before,
    the time."""

    def __init__(self, keep: int) -> None:
        self._keep = keep
        self._tasks: OrderedDict[str, dict[int, Observation]] = OrderedDict()
        self._stamps: OrderedDict[StepKey, Time] = OrderedDict()

    def put(self, observation: Observation) -> None:
        self._stamps[step_key(observation)] = observation.header.stamp
        if len(self._stamps) > _STAMPS:
            self._stamps.popitem(last=False)
        steps = self._tasks.setdefault(observation.task_id, {})
        steps[observation.step] = observation
        if len(steps) > self._keep + _AHEAD:
            del steps[min(steps)]
        if len(self._tasks) > _TASKS:
            self._tasks.popitem(last=False)

    def up_to(self, task_id: str, step: int) -> tuple[Observation, ...]:
        """The last `keep` of a task at one of its steps, oldest first."""
        steps = self._tasks.get(task_id, {})
        return tuple(steps[number] for number in sorted(steps) if number <= step)[-self._keep :]

    def stamp(self, task_id: str, step: int) -> Time:
        """When a step was; 0, before all that is known, of one that is not known."""
        return self._stamps.get((task_id, step), Time())
