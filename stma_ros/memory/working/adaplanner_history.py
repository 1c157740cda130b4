"""The history of a plan that is a program: its outcome so far and the contents of its variables (AdaPlanner, Sun 2023).

AdaPlanner asks for a plan once, and again when an outcome differs from what the plan expects. Its prompt holds the
plan, the answers that observations gave to its questions, and the outcomes since the last revision. It holds no history
before that.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import SummaryInput
from stma_ros.types.belief import Summary
from stma_ros.types.planning import Outcome
from stma_ros.types.sensing import Observation


class AdaPlannerHistory(IncrementalHistory):
    """A WorkingMemory of the plan under way."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._plan = ""

    def add(self, record: Observation, subgoal: str) -> None:
        super().add(record, subgoal)
        self._plan = subgoal

    def summary_input(self) -> SummaryInput:
        return of_current_plan(super().summary_input())

    @property
    def content(self) -> Summary:
        known = super().content
        plan = f"Plan under way: {self._plan}" if self._plan else ""
        return replace(known, text="\n".join(filter(None, (plan, known.text))))


def of_current_plan(whole: SummaryInput) -> SummaryInput:
    """Returns the reading for the plan under way: the record at which it began, and those of each action since.

    Of earlier records only the instructions remain, and records that were never read. A plan lasts as long as its
    subgoal.
    """
    subgoal = whole.subgoals[-1] if whole.subgoals else ""
    actions = sum(1 for _ in takewhile(lambda served: served == subgoal, reversed(whole.subgoals)))
    count = min(len(whole.records), max(actions + 1, whole.fresh))
    records = whole.records[len(whole.records) - count :]
    if count == actions + 1:
        # What led to where the plan began belongs to the plan before it.
        records = (replace(records[0], last_outcome=Outcome()), *records[1:])
    instructions = whole.previous.instructions
    known = "\n".join(("Instructions found:", *instructions)) if instructions else ""
    subgoals = whole.subgoals[len(whole.subgoals) - count :]
    return SummaryInput(Summary(instructions=instructions, text=known), records, count, subgoals)
