"""Observations of the last steps of each task, for the knowledge memory."""

from __future__ import annotations

from collections import OrderedDict

from stma_ros.components.step_synchronizer import StepKey, step_key
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Time

_TASKS = 4  # tasks in the buffer: messages of the next one may come before the last one is settled
_AHEAD = 8  # observations that may come before the belief of the step that is being made
_STAMPS = 10_000  # steps whose stamp is known: as many as the largest history buffer has


class ObservationBuffer:
    """Stores observations by task and step, in whatever order they come, and the stamps of older steps."""

    def __init__(self, keep: int) -> None:
        """Makes an empty buffer.

        Args:
            keep: Number of steps of a task whose observations are stored.
        """
        self._keep = keep
        self._tasks: OrderedDict[str, dict[int, Observation]] = OrderedDict()
        self._stamps: OrderedDict[StepKey, Time] = OrderedDict()

    def put(self, observation: Observation) -> None:
        """Takes an observation."""
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
        """Returns the newest `keep` observations of a task up to a step, oldest first."""
        steps = self._tasks.get(task_id, {})
        return tuple(steps[number] for number in sorted(steps) if number <= step)[-self._keep :]

    def stamp(self, task_id: str, step: int) -> Time:
        """Returns the stamp of a step; 0, which is before all others, if it is not known."""
        return self._stamps.get((task_id, step), Time())
