"""Temporal memory: condenses the history of a task into a belief (STMA, section 4.1)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import replace
from functools import partial

from stma_ros.components.role_calls import role_call
from stma_ros.components.temporal_memory.condensing import (
    ChunkCondenser,
    Condenser,
    SummaryCondenser,
)
from stma_ros.components.temporal_memory.recalling import retrieve
from stma_ros.components.temporal_memory.saved_history import SavedHistory, StateStore, TaskState
from stma_ros.components.temporal_memory.task_history import TaskHistory
from stma_ros.components.temporal_memory.temporal_memory_config import (
    SubgoalMemoryConfig,
    TemporalMemoryConfig,
)
from stma_ros.memory.working.port import WorkingMemory
from stma_ros.memory.working.registry import WORKING_MEMORIES
from stma_ros.memory.working.subgoal_chunks import Closed, SubgoalChunks
from stma_ros.roles.faults import FaultyRole
from stma_ros.roles.observation_summariser import ObservationSummariserRole
from stma_ros.roles.summariser import SummariserRole
from stma_ros.roles.task_parser import READING, TASK_PARSER, ParsedTask, TaskParserRole, TaskQuery
from stma_ros.types import topics
from stma_ros.types.belief import Lessons, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, TaskTooLongError
from stma_ros.types.message import Message
from stma_ros.types.planning import PlanRequest, RecallRequest, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp
from stma_ros.types.task_text import task_text

_MAX_TASKS = 4  # stored, as messages of the next task may come before the last one has settled


class TemporalMemory:
    """Makes the temporal belief of each step from the task, skill requests and observations.

    A belief is made of every step or, if skill requests say so, of the steps at which a plan is requested. The task's
    text is parsed once, for the first belief. A WorkingMemory holds the history and selects the part that the
    summariser reads. With an experience memory, each belief includes the lessons of its task and waits for them, and a
    summary of each failed task is sent.
    """

    def __init__(
        self,
        make_memory: Callable[[], WorkingMemory],
        condenser: Condenser,
        task_parser: FaultyRole[TaskQuery, ParsedTask] | None = None,
        *,
        joins_lessons: bool = False,
        store: StateStore[SavedHistory] | None = None,
    ) -> None:
        """Creates a memory, with the task that a killed process has left in the store, if there is one.

        Args:
            make_memory: creates the empty history of a task.
            condenser: has the history condensed.
            task_parser: role that parses the task's text; None = beliefs have no goals.
            joins_lessons: whether an experience memory sends lessons with each task.
            store: saves the history before each belief; only for memories in chunks. None = it is not saved.

        Raises:
            StorageError: the store cannot be read.
        """
        self._make_memory = make_memory
        self._condenser = condenser
        self._task_parser = task_parser
        self._joins_lessons = joins_lessons
        self._histories: OrderedDict[str, TaskHistory] = OrderedDict()
        self._state = TaskState(store)
        left = self._state.left
        if left is not None:
            self._histories[left.task.task_id] = self._restored(left)

    @classmethod
    def summarising(
        cls,
        config: TemporalMemoryConfig,
        summariser: SummariserRole,
        task_parser: TaskParserRole | None = None,
        *,
        joins_lessons: bool = False,
    ) -> TemporalMemory:
        """Creates a memory that holds one summary of the history.

        Args:
            config: the settings.
            summariser: role that condenses the history.
            task_parser: as for the constructor.
            joins_lessons: as for the constructor.
        """
        make = partial(WORKING_MEMORIES[config.summariser], config.history)
        parser = None if task_parser is None else FaultyRole(TASK_PARSER, task_parser, config)
        return cls(make, SummaryCondenser(config, summariser), parser, joins_lessons=joins_lessons)

    @classmethod
    def in_chunks(
        cls,
        config: SubgoalMemoryConfig,
        summariser: ObservationSummariserRole,
        task_parser: TaskParserRole | None = None,
        store: StateStore[SavedHistory] | None = None,
    ) -> TemporalMemory:
        """Creates a memory that is divided by subgoals. Arguments as for `summarising`; store: as for the
        constructor."""
        make = partial(SubgoalChunks, config.history, config.window, Closed(config.closed))
        parser = None if task_parser is None else FaultyRole(TASK_PARSER, task_parser, config)
        return cls(make, ChunkCondenser(config, summariser), parser, store=store)

    @property
    def resumed_from(self) -> str:
        """Name of the file with the state that a killed process has left; empty = it began anew."""
        return self._state.resumed_from

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        if self._state.is_over(getattr(message, "task_id", "")):
            return ()
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
            case RecallRequest():
                history = self._history(message.task_id)
                history.recalls.append(message)
            case TaskResult() if self._joins_lessons:
                history = self._history(message.task_id)
                history.result = history.result or message
            case Lessons() if self._joins_lessons:
                history = self._history(message.task_id)
                history.lessons = history.lessons or message
            case _:
                return ()
        return self._settle(history)

    def close(self) -> None:
        """Removes what was saved: only a process that was killed leaves it behind."""
        self._state.clear()

    def _restored(self, saved: SavedHistory) -> TaskHistory:
        memory = self._make_memory()
        assert isinstance(memory, SubgoalChunks), "other memories are not saved"
        memory.restore(saved.chunks)
        return TaskHistory(
            memory,
            saved.task,
            saved.parsed,
            next_step=saved.belief.step + 1,
            reached=saved.belief.header,
            belief=saved.belief,
            is_restored=True,
        )

    def _save(self, history: TaskHistory, task: Task, belief: TemporalBelief) -> None:
        def state(earlier: tuple[str, ...]) -> SavedHistory:
            assert isinstance(history.memory, SubgoalChunks), "other memories are not saved"
            return SavedHistory(task, history.parsed or ParsedTask(), belief, history.memory.saved, earlier)

        self._state.save((name for name in self._histories if name != task.task_id), state)

    def _history(self, task_id: str) -> TaskHistory:
        if task_id not in self._histories:
            self._histories[task_id] = TaskHistory(self._make_memory())
        history = self._histories[task_id]
        while len(self._histories) > _MAX_TASKS:
            # Tasks that were refused never got an observation; they are dropped before one that runs.
            others = [name for name in self._histories if name != task_id]
            unused = (name for name in others if not self._histories[name].began)
            dropped = next(unused, others[0])
            del self._histories[dropped]
            self._state.end(dropped)
        return history

    def _settle(self, history: TaskHistory) -> Iterator[Emission]:
        task = history.task
        if task is None or (self._joins_lessons and history.lessons is None):
            return
        if history.is_restored and history.belief is not None:
            history.is_restored = False
            yield topics.TEMPORAL_BELIEF, history.belief
        yield from self._advance(history, task)
        if history.is_over and not history.closed:
            history.closed = True
            yield from self._conclude(history, task)

    def _advance(self, history: TaskHistory, task: Task) -> Iterator[Emission]:
        while history.next_step in history.waiting and history.next_step in history.requests:
            request = history.requests.pop(history.next_step)
            observation = history.waiting.pop(history.next_step)
            history.next_step += 1
            history.memory.add(observation, request.subgoal)
            history.reached = observation.header
            history.pending = request, observation
            if request.refresh_beliefs:
                yield from self._believe(history, task, *history.pending)
        if history.pending is not None and history.asked == history.pending[1].step:
            yield from self._believe(history, task, *history.pending)
        yield from self._recall(history, task)

    def _recall(self, history: TaskHistory, task: Task) -> Iterator[Emission]:
        """Answers the recalls of the last step with the next revisions of its belief."""
        for recall in tuple(history.recalls):
            belief = history.belief
            if belief is None or (recall.step, recall.revision) != (belief.step, belief.revision + 1):
                if belief is not None and (recall.step, recall.revision) <= (belief.step, belief.revision):
                    history.recalls.remove(recall)  # it was done, or its step is over
                continue
            history.recalls.remove(recall)
            problem = retrieve(history.memory, recall.action)
            summary = history.memory.content
            history.belief = replace(
                belief,
                at=replace(belief.at, revision=recall.revision),
                completed=summary.completed,
                chunks=summary.chunks,
                text="\n".join(filter(None, (problem, summary.text))),
                derived_from=(*belief.derived_from, message_ref(topics.RECALL_REQUEST, recall)),
            )
            self._save(history, task, history.belief)
            yield topics.TEMPORAL_BELIEF, history.belief

    def _believe(
        self, history: TaskHistory, task: Task, request: SkillRequest, observation: Observation
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
            chunks=summary.chunks,
            text="\n".join(filter(None, (lessons_text(lessons), *remarks, summary.text))),
            derived_from=(
                message_ref(topics.TASK, task),
                message_ref(topics.OBSERVATION, observation),
                *(() if learnt is None else (message_ref(topics.LESSONS, learnt),)),
            ),
        )
        history.belief = belief
        self._save(history, task, belief)
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

    def _summarise(self, history: TaskHistory, task: Task, step: StepStamp) -> Iterator[Emission]:
        history.pending = None
        yield from self._condenser.condense(history.memory, task.text, step)

    def _conclude(self, history: TaskHistory, task: Task) -> Iterator[Emission]:
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
