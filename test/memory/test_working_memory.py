"""Tests of the working memories: the input of the summariser, and the content that a belief shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.cooking.summariser import TextSummariser
from stma_ros.memory.working.adaplanner_history import AdaPlannerHistory
from stma_ros.memory.working.buffer import HistoryBuffer
from stma_ros.memory.working.incremental import IncrementalHistory
from stma_ros.memory.working.port import SummaryInput, WorkingMemory
from stma_ros.memory.working.records import raw_summary, record_text
from stma_ros.memory.working.registry import WORKING_MEMORIES
from stma_ros.memory.working.window import WindowHistory
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.types.belief import Summary
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.sensing import Observation

RECIPE = "Ingredients:\n  ham\n\nDirections:\n  fry the ham\n  prepare meal"


def record(step: int, text: str = "") -> Observation:
    done = Outcome(
        request_id=f"t/{step}", step=step, action=Action("command", (text,)), result=Result.SUCCEEDED
    )
    return Observation(step=step, last_outcome=done if text else Outcome(), description="-= Hall =-\nA hall.")


RECORDS = (record(0), record(1, "open door"), record(2, "go east"), record(3, "go west"))


def filled(memory: WorkingMemory, *subgoals: str) -> WorkingMemory:
    """Adds one record for each subgoal and returns the memory."""
    for item, subgoal in zip(RECORDS, subgoals, strict=False):
        memory.add(item, subgoal)
    return memory


def steps(summary_input: SummaryInput | None) -> list[int]:
    assert summary_input is not None
    return [item.step for item in summary_input.records]


class TestAllWorkingMemories:
    SIZE = 3

    @given(
        st.sampled_from(sorted(WORKING_MEMORIES)),
        st.lists(st.tuples(st.sampled_from(("", "leave", "return")), st.booleans()), max_size=12),
    )
    def test_memory_shows_every_record_outside_of_the_summary_and_stores_a_bounded_number(
        self, kind: str, history: list[tuple[str, bool]]
    ) -> None:
        memory = WORKING_MEMORIES[kind](self.SIZE)
        unread: list[Observation] = []
        for step, (subgoal, answered) in enumerate(history):
            memory.add(record(step, f"command {step}"), subgoal)
            unread.append(record(step, f"command {step}"))
            summary_input = memory.summary_input()
            if summary_input is None:
                unread = unread[-self.SIZE :]
            else:
                assert (
                    1
                    <= summary_input.fresh
                    <= len(summary_input.records)
                    == len(summary_input.subgoals)
                    <= self.SIZE
                )
                assert summary_input == memory.summary_input()
                if answered:
                    memory.condense(Summary(text="the summary"))
                    unread = []
            for item in unread[-self.SIZE :]:
                assert record_text(item) in memory.content.text
                assert item.last_outcome in memory.content.completed
            assert memory.content.text.count("Step: ") == len(unread[-self.SIZE :])

    @pytest.mark.parametrize("kind", WORKING_MEMORIES)
    def test_memory_of_no_records_shows_the_summary_alone(self, kind: str) -> None:
        memory = filled(WORKING_MEMORIES[kind](0), "")
        assert memory.content == Summary()
        if memory.summary_input() is not None:
            memory.condense(Summary(text="the summary"))
            assert memory.content.text == "the summary"


class TestHistoryBuffer:
    def test_buffer_shows_the_last_records_unchanged_and_has_no_summary_input(self) -> None:
        memory = filled(HistoryBuffer(2), "", "leave", "leave")

        assert memory.content == raw_summary(RECORDS[1:3])
        assert memory.summary_input() is None


class TestIncrementalHistory:
    def test_incremental_history_gives_each_record_to_the_summariser_once(self) -> None:
        memory = filled(IncrementalHistory(25), "", "leave")
        assert memory.summary_input() == SummaryInput(Summary(), RECORDS[:2], 2, ("", "leave"))

        memory.condense(Summary(text="done"))
        memory.add(RECORDS[2], "leave")

        assert memory.summary_input() == SummaryInput(
            Summary(text="done"), RECORDS[:3], 1, ("", "leave", "leave")
        )

    def test_incremental_history_shows_the_summary_and_then_the_newer_records(self) -> None:
        memory = filled(IncrementalHistory(25), "", "leave")
        memory.condense(Summary(text="done", observations=("a note",)))
        memory.add(RECORDS[2], "leave")

        raw = record_text(RECORDS[2])
        assert memory.content == Summary(
            completed=(RECORDS[2].last_outcome,), observations=("a note", raw), text=f"done\n\n{raw}"
        )


class TestWindowHistory:
    def test_window_history_gives_all_its_records_to_the_summariser_each_time(self) -> None:
        memory = filled(WindowHistory(2), "", "leave")
        memory.condense(Summary(text="done"))
        memory.add(RECORDS[2], "leave")

        assert memory.summary_input() == SummaryInput(Summary(), RECORDS[1:3], 2, ("leave", "leave"))


class TestAdaPlannerHistory:
    def cut(self, *subgoals: str, fresh: int = 1, previous: Summary = Summary()) -> SummaryInput:
        """Returns the summariser's input while the last `fresh` records are not in the summary yet."""
        memory = filled(AdaPlannerHistory(25), *subgoals[: len(subgoals) - fresh])
        memory.condense(previous)
        for item, subgoal in list(zip(RECORDS, subgoals, strict=False))[-fresh:]:
            memory.add(item, subgoal)
        return memory.summary_input()

    def test_summary_input_begins_with_the_first_record_of_the_plan(self) -> None:
        summary_input = self.cut("", "leave", "leave", "return")

        assert steps(summary_input) == [2, 3]
        assert [str(item.last_outcome.action) for item in summary_input.records] == ["()", "go west"]
        assert (summary_input.fresh, summary_input.subgoals) == (2, ("leave", "return"))

    def test_summary_input_of_the_first_plan_begins_with_the_first_observation(self) -> None:
        assert steps(self.cut("", "leave", "leave")) == [0, 1, 2]

    def test_summary_input_before_the_first_plan_is_the_first_observation(self) -> None:
        assert self.cut("").records == RECORDS[:1]

    def test_summary_input_holds_the_stored_part_of_a_plan_longer_than_the_history(self) -> None:
        assert self.cut("leave", "leave").records == RECORDS[:2]

    def test_summary_input_preserves_earlier_instructions(self) -> None:
        before = Summary(completed=(Outcome(step=1),), observations=("a note",), instructions=(RECIPE,))
        summary_input = self.cut("", "leave", "return", previous=before)
        query = SummariseQuery(
            "cook", summary_input.previous, summary_input.records, summary_input.fresh, summary_input.subgoals
        )
        summary = TextSummariser().answer(query)

        assert summary_input.previous.completed == summary_input.previous.observations == ()
        assert RECIPE in summary_input.previous.text
        assert summary.instructions == (RECIPE,)
        assert [str(done.action) for done in summary.completed] == ["go east"]

    def test_summary_input_holds_records_that_were_never_summarised(self) -> None:
        summary_input = self.cut("", "leave", "return", "stay", fresh=3)

        assert steps(summary_input) == [1, 2, 3]
        assert str(summary_input.records[0].last_outcome.action) == "open door"

    def test_summary_input_without_records_is_empty(self) -> None:
        assert AdaPlannerHistory(25).summary_input().records == ()

    def test_content_begins_with_the_plan_under_way(self) -> None:
        memory = filled(AdaPlannerHistory(25), "", "leave")
        memory.condense(Summary(text="done"))

        assert memory.content.text == "Plan under way: leave\ndone"
