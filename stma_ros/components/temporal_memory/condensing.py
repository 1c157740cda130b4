"""Asks summarisers to condense a working memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from stma_ros.components.role_calls import role_call
from stma_ros.memory.working.port import WorkingMemory
from stma_ros.memory.working.subgoal_chunks import SubgoalChunks
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.roles.observation_summariser import (
    OBSERVATION_SUMMARISER,
    ChunkQuery,
    ObservationSummariserRole,
)
from stma_ros.roles.summariser import SUMMARISER, SummariseQuery, SummariserRole, fresh_records
from stma_ros.types.belief import SubgoalChunk, Summary
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp


class Condenser(Protocol):
    """Has a working memory condensed before each belief."""

    def condense(self, memory: WorkingMemory, task: str, step: StepStamp) -> Iterator[Emission]:
        """Condenses the memory, and yields a message about each question. task: the text of the task."""
        ...


class SummaryCondenser:
    """A Condenser with one summary, to which what is new is added (STMA, section 4.1)."""

    def __init__(self, config: FaultConfig, summariser: SummariserRole) -> None:
        self._summariser = FaultyRole(SUMMARISER, summariser, config)

    def condense(self, memory: WorkingMemory, task: str, step: StepStamp) -> Iterator[Emission]:
        summary_input = memory.summary_input()
        if summary_input is None:
            return
        query = SummariseQuery(
            task,
            summary_input.previous,
            summary_input.records,
            summary_input.fresh,
            summary_input.subgoals,
        )
        unusable = ""
        try:
            memory.condense(_with_news(self._summariser.answer(query), query))
        except RoleError as error:
            unusable = str(error)
        yield role_call(SUMMARISER, query, step, error=unusable, injected=self._summariser.take())


class ChunkCondenser:
    """A Condenser that has each closed chunk summed up once (HiAgent, section 3.3)."""

    def __init__(self, config: FaultConfig, summariser: ObservationSummariserRole) -> None:
        self._summariser = FaultyRole(OBSERVATION_SUMMARISER, summariser, config)

    def condense(self, memory: WorkingMemory, task: str, step: StepStamp) -> Iterator[Emission]:
        assert isinstance(memory, SubgoalChunks), "other memories have no chunks"
        while (closed := memory.summary_input()) is not None:
            previous = closed.previous.chunks[-1] if closed.previous.chunks else SubgoalChunk()
            query = ChunkQuery(
                task, closed.subgoals[-1], closed.records, previous, closed.first or Observation()
            )
            unusable = ""
            try:
                memory.condense(Summary(chunks=(self._summariser.answer(query),)))
            except RoleError as error:
                unusable = str(error)
                memory.give_up()
            yield role_call(
                OBSERVATION_SUMMARISER, query, step, error=unusable, injected=self._summariser.take()
            )
            if unusable:
                return  # asked once more for the next belief


def _with_news(summary: Summary, query: SummariseQuery) -> Summary:
    """Returns the summary if it includes the new records.

    A summary that only repeats the previous one is rejected, because the records that it leaves out would be lost.

    Raises:
        RoleError: The summary adds nothing to the previous one.
    """
    done = any(record.last_outcome.request_id for record in fresh_records(query))
    if done and summary == query.previous:
        raise RoleError("the reply is the summary before, and says nothing of what was done since")
    return summary
