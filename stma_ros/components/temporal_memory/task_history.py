"""The history of a task in the temporal memory, and messages that are not part of it yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from stma_ros.memory.working.port import WorkingMemory
from stma_ros.roles.task_parser import ParsedTask
from stma_ros.types.belief import Lessons, TemporalBelief
from stma_ros.types.planning import RecallRequest, SkillRequest, Task, TaskResult
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header


@dataclass
class TaskHistory:
    """History of one task, and messages that wait for the task or for an earlier step."""

    memory: WorkingMemory
    task: Task | None = None
    parsed: ParsedTask | None = None  # the task's goals, once it has begun
    result: TaskResult | None = None
    requests: dict[int, SkillRequest] = field(default_factory=dict)
    waiting: dict[int, Observation] = field(default_factory=dict)
    next_step: int = 0
    asked: int = -1  # the newest step at which a plan was requested
    pending: tuple[SkillRequest, Observation] | None = None  # the last step, if its belief was not made yet
    reached: Header = Header()  # header of the newest record
    belief: TemporalBelief | None = None  # the last one
    recalls: list[RecallRequest] = field(default_factory=list)  # memory actions that are not done yet
    is_restored: bool = (
        False  # whether its belief comes from an earlier life, and may not have been published
    )
    lessons: Lessons | None = None  # lessons of earlier attempts
    closed: bool = False  # whether a task that did not succeed was summarised as a whole

    @property
    def began(self) -> bool:
        return self.next_step > 0 or bool(self.waiting)

    @property
    def is_over(self) -> bool:
        """Whether the result and all messages before it have come; a result has the stamp of the last observation."""
        if self.result is None or self.next_step == 0:
            return False
        return self.reached.stamp.nanoseconds >= self.result.header.stamp.nanoseconds
