"""Observation summariser by rules in homes: the outcomes of a subgoal and of those before, condensed."""

from __future__ import annotations

from stma_ros.domains.household.summariser import FAILURE_TEXTS, SymbolicSummariser
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types.belief import SubgoalChunk, SubgoalState, Summary
from stma_ros.types.planning import Outcome, Result


class HouseholdObservationSummariser:
    """An ObservationSummariserRole. Whether a subgoal is met is for the scene graph to show: an action that failed at
    its end says that it is not, and nothing that it is."""

    def __init__(self) -> None:
        self._summariser = SymbolicSummariser()

    def answer(self, query: ChunkQuery) -> SubgoalChunk:
        previous = Summary(completed=query.previous.completed)
        summary = self._summariser.answer(
            SummariseQuery(query.task, previous, query.records, len(query.records))
        )
        last = query.records[-1].last_outcome
        failed = last.result == Result.FAILED
        return SubgoalChunk(
            observation=" ".join(summary.text.split()),
            state=SubgoalState.NOT_MET if failed else SubgoalState.UNKNOWN,
            reason=_failure(last) if failed else "",
            completed=summary.completed,
        )


def _failure(outcome: Outcome) -> str:
    code = outcome.error.code
    return f"{outcome.action} failed: {FAILURE_TEXTS.get(code, code.name)}."
