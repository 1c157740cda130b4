"""Temporal memory: condenses the history of a task into a belief (STMA, section 4.1)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.components.role_calls import role_call
from stma_ros.memory.knowledge_settings import KnowledgeConfig
from stma_ros.memory.working.port import WorkingMemory
from stma_ros.memory.working.registry import INCREMENTAL, WORKING_MEMORIES
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery, SummariserRole
from stma_ros.roles.task_parser import READING, TASK_PARSER, ParsedTask, TaskParserRole, TaskQuery
from stma_ros.types import topics
from stma_ros.types.belief import Lessons, Summary, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, TaskTooLongError
from stma_ros.types.message import Message
from stma_ros.types.planning import PlanRequest, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp
from stma_ros.types.task_text import task_text

_MAX_TASKS = 4  # stored, as messages of the next task may come before the last one has settled


@dataclass(frozen=True)
class TemporalMemoryConfig(FaultConfig):
    history: int = setting(25, "records in the history buffer; 0 = nothing is remembered", low=0, high=10_000)
    summariser: str = setting(
        INCREMENTAL,
        "what the summariser reads at each step: what is new, the whole history buffer again, or what came of "
        "the plan under way alone; or there is none, and the belief is the history buffer as it is",
        choices=tuple(WORKING_MEMORIES),
    )


@dataclass(frozen=True)
class CameraTemporalMemoryConfig(TemporalMemoryConfig, KnowledgeConfig):
    """Settings where tasks are read with the knowledge of categories."""


@dataclass
class _History:
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


class TemporalMemory:
    """Makes the temporal belief of each step from the task, skill requests and observations.

    A belief is made of every step or, if skill requests say so, of the steps at which a plan is requested. The task's
    text is parsed once, for the first belief. A WorkingMemory holds the history and selects the part that the
    summariser reads. With an experience memory, each belief includes the lessons of its task and waits for them, and a
    summary of each failed task is sent.
    """

    def __init__(
        self,
        config: TemporalMemoryConfig,
        summariser: SummariserRole,
        task_parser: TaskParserRole | None = None,
        *,
        joins_lessons: bool = False,
    ) -> None:
        """Creates a memory without tasks.

        Args:
            config: the settings.
            summariser: role that condenses the history.
            task_parser: role that parses the task's text; None = beliefs have no goals.
            joins_lessons: whether an experience memory sends lessons with each task.
        """
        self._config = config
        self._joins_lessons = joins_lessons
        self._summariser = FaultyRole(SUMMARISER, summariser, config)
        self._task_parser = None if task_parser is None else FaultyRole(TASK_PARSER, task_parser, config)
        self._histories: OrderedDict[str, _History] = OrderedDict()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case Task():
                history = self._history(message.task_id)
                history.task = history.task or message
            case SkillRequest():
                history = self._history(message.task_id)
                if message.step >= history.next_step:
                    history.requests.setdefault(message.step, message)
            case Observation():
                history = self._history(message.task_id)
                if message.step >= history.next_step:
                    history.waiting.setdefault(message.step, message)
            case PlanRequest():
                history = self._history(message.task_id)
                history.asked = max(history.asked, message.step)
            case TaskResult() if self._joins_lessons:
                history = self._history(message.task_id)
                history.result = history.result or message
            case Lessons() if self._joins_lessons:
                history = self._history(message.task_id)
                history.lessons = history.lessons or message
            case _:
                return ()
        return self._settle(history)

    def _history(self, task_id: str) -> _History:
        if task_id not in self._histories:
            working_memory = WORKING_MEMORIES[self._config.summariser]
            self._histories[task_id] = _History(working_memory(self._config.history))
        history = self._histories[task_id]
        while len(self._histories) > _MAX_TASKS:
            # Tasks that were refused never got an observation; they are dropped before one that runs.
            others = [name for name in self._histories if name != task_id]
            unused = (name for name in others if not self._histories[name].began)
            del self._histories[next(unused, others[0])]
        return history

    def _settle(self, history: _History) -> Iterator[Emission]:
        task = history.task
        if task is None or (self._joins_lessons and history.lessons is None):
            return
        yield from self._advance(history, task)
        if history.is_over and not history.closed:
            history.closed = True
            yield from self._conclude(history, task)

    def _advance(self, history: _History, task: Task) -> Iterator[Emission]:
        while history.next_step in history.waiting and history.next_step in history.requests:
            request = history.requests.pop(history.next_step)
            observation = history.waiting.pop(history.next_step)
            history.next_step += 1
            history.memory.add(observation, request.subgoal)
            history.reached = observation.header
            history.pending = request, observation
            if request.refresh_beliefs:
                yield from self._believe(history, task, *history.pending)
        if history.pending is not None and history.asked >= history.pending[1].step:
            yield from self._believe(history, task, *history.pending)

    def _believe(
        self, history: _History, task: Task, request: SkillRequest, observation: Observation
    ) -> Iterator[Emission]:
        step = StepStamp(header=Header(observation.header.stamp), task_id=task.task_id, step=observation.step)
        if history.parsed is None and self._task_parser is not None:
            history.parsed = yield from self._parse(task, step, self._task_parser)
        parsed = history.parsed or ParsedTask()
        yield from self._summarise(history, task, step)
        summary, learnt = history.memory.content, history.lessons
        lessons = learnt.lessons if learnt is not None else ()
        remarks = tuple(READING + remark for remark in parsed.remarks)
        belief = TemporalBelief(
            at=step,
            subgoal=request.subgoal,
            active_goals=summary.active_goals or (task.text,),
            goals=parsed.goals,
            goals_error=parsed.error,
            completed=summary.completed,
            observations=(*remarks, *summary.observations),
            instructions=summary.instructions,
            progress=summary.progress,
            suggestions=summary.suggestions,
            lessons=lessons,
            text="\n".join(filter(None, (lessons_text(lessons), *remarks, summary.text))),
            derived_from=(
                message_ref(topics.TASK, task),
                message_ref(topics.OBSERVATION, observation),
                *(() if learnt is None else (message_ref(topics.LESSONS, learnt),)),
            ),
        )
        yield topics.TEMPORAL_BELIEF, belief

    def _parse(
        self, task: Task, step: StepStamp, task_parser: FaultyRole[TaskQuery, ParsedTask]
    ) -> Generator[Emission, None, ParsedTask]:
        """Asks the task parser once for the goals of the task."""
        try:
            query = TaskQuery(task_text(task.text))
        except TaskTooLongError as error:
            return ParsedTask(error=Error.of(error))
        unusable = ""
        try:
            parsed = task_parser.answer(query)
        except RoleError as error:
            unusable, parsed = str(error), ParsedTask(error=Error.of(error))
        yield role_call(TASK_PARSER, query, step, error=unusable, injected=task_parser.take())
        return parsed

    def _summarise(self, history: _History, task: Task, step: StepStamp) -> Iterator[Emission]:
        history.pending = None
        summary_input = history.memory.summary_input()
        if summary_input is None:
            return
        query = SummariseQuery(
            task.text,
            summary_input.previous,
            summary_input.records,
            summary_input.fresh,
            summary_input.subgoals,
        )
        unusable = ""
        try:
            history.memory.condense(_with_news(self._summariser.answer(query), query))
        except RoleError as error:
            unusable = str(error)
        yield role_call(SUMMARISER, query, step, error=unusable, injected=self._summariser.take())

    def _conclude(self, history: _History, task: Task) -> Iterator[Emission]:
        """Sends the summary of a task that did not succeed."""
        result = history.result
        if result is None or result.status == TaskStatus.SUCCEEDED:
            return
        step = StepStamp(header=Header(result.header.stamp), task_id=task.task_id, step=history.next_step - 1)
        if history.pending is not None:  # no further plan was requested
            yield from self._summarise(history, task, step)
        summary = history.memory.content
        summary_belief = TemporalBelief(
            at=step,
            active_goals=summary.active_goals,
            completed=summary.completed,
            observations=summary.observations,
            instructions=summary.instructions,
            progress=summary.progress,
            suggestions=summary.suggestions,
            text=summary.text,
            derived_from=(message_ref(topics.TASK, task), message_ref(topics.TASK_RESULT, result)),
        )
        yield topics.TASK_SUMMARY, summary_belief


def lessons_text(lessons: tuple[str, ...]) -> str:
    """Returns lessons as part of a prompt; empty if there are none."""
    numbered = (f"After attempt {number}:\n{lesson}" for number, lesson in enumerate(lessons, start=1))
    return "\n".join(("What I learnt from failing at this task before:", *numbered)) + "\n" if lessons else ""


def _with_news(summary: Summary, query: SummariseQuery) -> Summary:
    """Returns the summary if it includes the new records.

    A summary that only repeats the previous one is rejected, because the records that it leaves out would be lost.

    Raises:
        RoleError: The summary adds nothing to the previous one.
    """
    fresh = query.records[len(query.records) - query.fresh :]
    done = any(record.last_outcome.request_id for record in fresh)
    if done and summary == query.previous:
        raise RoleError("the reply is the summary before, and says nothing of what was done since")
    return summary
