"""Remembers what was done in a task and says it in condensed form (STMA, section 4.1)."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.roles.contracts import SummariseQuery, SummariserRole, Summary
from stma_ros.roles.symbolic.summariser import SymbolicSummariser
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.causality import source
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Task
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header

_TASKS = 4  # histories kept: messages of the next task may come before the last one has settled


@dataclass(frozen=True)
class TemporalMemoryConfig:
    history: int = setting(25, "records in the history buffer", low=1, high=10_000)


@dataclass
class _History:
    """One task: its history buffer, and observations that wait for the task or for an earlier step."""

    records: deque[Observation]
    task: Task | None = None
    waiting: dict[int, Observation] = field(default_factory=dict)
    next_step: int = 0
    summary: Summary = field(default_factory=Summary)
    fresh: int = 0

    @property
    def began(self) -> bool:
        return self.next_step > 0 or bool(self.waiting)


class TemporalMemory:
    """Task and observations in, the temporal belief of every step out.

    Each record is summarised once; one that the summariser could not read waits in the history buffer.
    """

    def __init__(self, config: TemporalMemoryConfig, summariser: SummariserRole | None = None) -> None:
        self._config = config
        self._summariser = summariser or SymbolicSummariser()
        self._histories: OrderedDict[str, _History] = OrderedDict()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        match message:
            case Task():
                history = self._history(message.task_id)
                history.task = history.task or message
            case Observation():
                history = self._history(message.task_id)
                if message.step >= history.next_step:
                    history.waiting.setdefault(message.step, message)
            case _:
                return ()
        return self._settle(history)

    def _history(self, task_id: str) -> _History:
        history = self._histories.setdefault(task_id, _History(deque(maxlen=self._config.history)))
        while len(self._histories) > _TASKS:
            # Tasks that were refused never got an observation: they go before one that runs.
            others = [name for name in self._histories if name != task_id]
            unused = (name for name in others if not self._histories[name].began)
            del self._histories[next(unused, others[0])]
        return history

    def _settle(self, history: _History) -> Iterator[Emission]:
        task = history.task
        while task is not None and history.next_step in history.waiting:
            observation = history.waiting.pop(history.next_step)
            history.next_step += 1
            yield topics.TEMPORAL_BELIEF, self._remember(history, task, observation)

    def _remember(self, history: _History, task: Task, observation: Observation) -> TemporalBelief:
        history.records.append(observation)
        history.fresh = min(history.fresh + 1, len(history.records))
        query = SummariseQuery(task.text, history.summary, tuple(history.records), history.fresh)
        remark: tuple[str, ...] = ()
        try:
            history.summary = self._summariser.summarise(query)
            history.fresh = 0
        except RoleError as error:
            remark = (f"the last {history.fresh} steps are not summarised: {error}",)
        summary = history.summary
        return TemporalBelief(
            Header(observation.header.stamp),
            task.task_id,
            observation.step,
            0,
            summary.active_goals or (task.text,),
            summary.completed,
            (*summary.observations, *remark),
            summary.progress,
            summary.suggestions,
            "\n".join((*([summary.text] if summary.text else []), *remark)),
            (source(topics.TASK, task), source(topics.OBSERVATION, observation)),
        )
