"""Learns lessons from failed tasks, for further attempts at the same task (Reflexion, Shinn 2023)."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.components.role_calls import role_call
from stma_ros.roles.reflector import REFLECTOR, Reflection, ReflectorRole, ReflectQuery
from stma_ros.types import topics
from stma_ros.types.belief import Lessons, Summary, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp

_MAX_TASKS = 4  # stored, as messages of the next task may come before the last one has settled


@dataclass(frozen=True)
class LessonMemoryConfig:
    lessons: int = setting(
        3,
        "lessons kept from tasks that failed, for further attempts at them; 0 = none is drawn",
        low=0,
        high=100,
    )


@dataclass(frozen=True)
class _Lesson:
    """The lesson from one failed task.

    Attributes:
        task: text of the task.
        text: the lesson.
        learnt_from: reference to the summary that it was drawn from.
    """

    task: str
    text: str
    learnt_from: MessageRef


@dataclass
class _Attempt:
    """The messages of one task."""

    task: Task | None = None
    began: bool = False  # false if the task was refused
    result: TaskResult | None = None
    summary: TemporalBelief | None = None
    answered: bool = False  # whether the lessons of earlier attempts were sent
    closed: bool = False  # whether the lesson of this attempt is known, or there is none


class LessonMemory:
    """Sends the lessons of earlier attempts at a task when the task begins.

    A task begins when the one before it is over: its lessons are sent once the lesson of that task is known. A failed
    task is reflected on when its result and the summary by temporal memory have come.
    """

    def __init__(self, config: LessonMemoryConfig, role: ReflectorRole) -> None:
        self._keep = config.lessons
        self._role = role
        self._lessons: deque[_Lesson] = deque(maxlen=config.lessons)
        self._attempts: OrderedDict[str, _Attempt] = OrderedDict()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case Task():
                attempt = self._attempt(message.task_id)
                attempt.task = attempt.task or message
            case Observation():
                self._attempt(message.task_id).began = True
            case TaskResult():
                attempt = self._attempt(message.task_id)
                attempt.result = attempt.result or message
            case TemporalBelief() if topic == topics.TASK_SUMMARY:
                attempt = self._attempt(message.task_id)
                attempt.summary = attempt.summary or message
            case _:
                return ()
        return self._settle()

    def _attempt(self, task_id: str) -> _Attempt:
        attempt = self._attempts.setdefault(task_id, _Attempt())
        while len(self._attempts) > _MAX_TASKS:
            # Tasks that were refused never began; they are dropped before one that runs.
            others = [name for name in self._attempts if name != task_id]
            unused = (name for name in others if not self._attempts[name].began)
            del self._attempts[next(unused, others[0])]
        return attempt

    def _settle(self) -> Iterator[Emission]:
        """Processes the tasks that have begun, up to the first one whose lesson is not known yet."""
        for attempt in self._attempts.values():
            task = attempt.task
            if not attempt.began:
                continue
            if task is None:
                return
            if not attempt.answered:
                attempt.answered = True
                yield topics.LESSONS, self._lessons_for(task)
            if not attempt.closed:
                yield from self._close(attempt, task)
            if not attempt.closed and self._keep:
                return

    def _lessons_for(self, task: Task) -> Lessons:
        known = [lesson for lesson in self._lessons if lesson.task == task.text]
        derived_from = (message_ref(topics.TASK, task), *(lesson.learnt_from for lesson in known))
        return Lessons(
            header=Header(task.header.stamp),
            task_id=task.task_id,
            lessons=tuple(lesson.text for lesson in known),
            derived_from=derived_from,
        )

    def _close(self, attempt: _Attempt, task: Task) -> Iterator[Emission]:
        result, summary = attempt.result, attempt.summary
        if result is None or (summary is None and result.status != TaskStatus.SUCCEEDED):
            return
        attempt.closed = True
        if self._keep and summary is not None and result.status != TaskStatus.SUCCEEDED:
            yield from self._learn(task, result, summary)

    def _learn(self, task: Task, result: TaskResult, summary: TemporalBelief) -> Iterator[Emission]:
        """Reflects on a task. If the role has no answer, the error that ended the task is the lesson."""
        earlier = self._lessons_for(task).lessons
        query = ReflectQuery(task.text, Summary.of(summary), result.status, result.error, earlier)
        try:
            answer = self._role.answer(query)
        except RoleError as error:
            answer = Reflection(f"It failed: {result.error.text} Nothing more was learnt: {error}")
        self._lessons.append(_Lesson(task.text, answer.text, message_ref(topics.TASK_SUMMARY, summary)))
        at = StepStamp(header=Header(result.header.stamp), task_id=task.task_id, step=summary.step)
        yield role_call(REFLECTOR, query, at)
