"""Working memory in chunks: what is shown of subgoals, what is retrieved, and what goes first in a small window."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.memory.working.subgoal_chunks import Closed, SubgoalChunks
from stma_ros.types.belief import SubgoalChunk, SubgoalState, Summary
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode, NotRememberedError
from stma_ros.types.planning import Action, Outcome, Result
from stma_ros.types.prompt_length import count_tokens
from stma_ros.types.sensing import Observation


def look(text: str = "b1 is on b2.") -> Observation:
    return Observation(description=text)


def record(step: int, command: str, observed: str = "", error: Error = Error()) -> Observation:
    done = Outcome(
        request_id=f"t/{step}",
        step=step,
        action=Action("command", (command,)),
        result=Result.FAILED if error else Result.SUCCEEDED,
        error=error,
    )
    return Observation(step=step, last_outcome=done, feedback=observed)


def summary(text: str, state: SubgoalState = SubgoalState.MET, reason: str = "") -> Summary:
    return Summary(chunks=(SubgoalChunk(observation=text, state=state, reason=reason),))


def with_two_chunks(**settings: object) -> SubgoalChunks:
    """A memory with a first look, the closed subgoal "free b2" of two actions, and the open one "hold b2" of one."""
    memory = SubgoalChunks(100, **settings)  # type: ignore[arg-type]
    memory.add(look(), "")
    memory.add(record(1, "unstack b1 b2", "you hold b1."), "free b2")
    memory.add(record(2, "put down b1", "b1 is on the table."), "free b2")
    memory.add(record(3, "pick up b2", "you hold b2."), "hold b2")
    return memory


def test_present_subgoal_is_shown_with_all_its_actions_and_observations() -> None:
    memory = SubgoalChunks(100)
    memory.add(look(), "")
    memory.add(record(1, "unstack b1 b2", "you hold b1."), "free b2")
    assert memory.content.text.splitlines() == [
        "Observation: b1 is on b2.",
        "1. Subgoal: free b2",
        "Action: unstack b1 b2",
        "Observation: you hold b1.",
    ]
    assert memory.summary_input() is None


def test_closed_subgoal_shrinks_to_its_summary_and_verdict() -> None:
    memory = with_two_chunks()
    memory.condense(summary("b1 is on the table.", reason="b2 is clear."))
    assert memory.content.text.splitlines() == [
        "Observation: b1 is on b2.",
        "1. Subgoal met: free b2",
        "Summary: b1 is on the table.",
        "Reason: b2 is clear.",
        "2. Subgoal: hold b2",
        "Action: pick up b2",
        "Observation: you hold b2.",
    ]
    states = [(chunk.id, chunk.state, chunk.whole) for chunk in memory.content.chunks]
    assert states == [(1, SubgoalState.MET, False), (2, SubgoalState.OPEN, True)]


def test_of_closed_subgoals_only_the_newest_summary_is_shown() -> None:
    memory = with_two_chunks()
    memory.condense(summary("old"))
    memory.add(record(4, "stack b2 b1", "b2 is on b1."), "stack b2")
    memory.condense(summary("new", SubgoalState.NOT_MET, "it fell."))
    text = memory.content.text
    assert "Summary: new\nReason: it fell." in text
    assert "1. Subgoal met: free b2\n2. Subgoal" in text
    assert "Summary: old" not in text


def test_each_closed_subgoal_is_read_once_and_after_the_one_before() -> None:
    memory = with_two_chunks()
    first = memory.summary_input()
    assert first is not None
    assert [item.step for item in first.records] == [1, 2]
    assert (first.subgoals, first.previous.chunks) == (("free b2", "free b2"), ())
    assert first.first == look()
    memory.condense(summary("b1 is on the table."))
    assert memory.summary_input() is None
    memory.add(record(4, "stack b2 b1", "b2 is on b1."), "stack b2")
    second = memory.summary_input()
    assert second is not None
    assert [chunk.observation for chunk in second.previous.chunks] == ["b1 is on the table."]


def test_subgoal_without_a_usable_summary_is_shown_by_its_last_observation_after_two_attempts() -> None:
    memory = with_two_chunks()
    memory.give_up()
    assert "Action: put down b1" in memory.content.text  # nothing is lost while it may still be summed up
    memory.give_up()
    assert memory.summary_input() is None
    assert "1. Subgoal: free b2\nLast observation: b1 is on the table.\n2. Subgoal" in memory.content.text


def test_same_subgoal_again_goes_on_with_its_chunk() -> None:
    memory = with_two_chunks()
    memory.condense(summary("done"))
    memory.add(record(4, "wait"), "hold b2")
    assert [chunk.id for chunk in memory.content.chunks] == [1, 2]


def test_history_without_subgoals_is_shown_whole() -> None:
    memory = SubgoalChunks(100)
    for item in (look(), record(1, "a", "x."), record(2, "b", "y.")):
        memory.add(item, "")
    assert (
        memory.content.text
        == "Observation: b1 is on b2.\nAction: a\nObservation: x.\nAction: b\nObservation: y."
    )
    assert memory.content.chunks == ()


class TestRetrieving:
    def test_retrieved_subgoal_is_whole_until_the_next_one(self) -> None:
        memory = with_two_chunks()
        memory.condense(summary("b1 is on the table."))
        assert memory.retrievable == (1,)
        memory.retrieve((1,))
        assert "Action: put down b1\nObservation: b1 is on the table.\nSummary: " in memory.content.text
        assert memory.retrievable == ()
        memory.add(record(4, "stack b2 b1"), "stack b2")
        memory.condense(summary("b2 is on b1."))
        assert "put down b1" not in memory.content.text
        assert memory.retrievable == (1, 2)

    @pytest.mark.parametrize("ids", [(), (0,), (2,), (3,), (1, 2), (-1,)])
    def test_retrieving_an_open_or_unknown_subgoal_is_refused_and_retrieves_nothing(
        self, ids: tuple[int, ...]
    ) -> None:
        memory = with_two_chunks()
        memory.condense(summary("done"))
        before = memory.content
        with pytest.raises(NotRememberedError, match="there are: 1"):
            memory.retrieve(ids)
        assert memory.content == before

    def test_subgoal_cannot_be_retrieved_twice(self) -> None:
        memory = with_two_chunks()
        memory.condense(summary("done"))
        memory.retrieve((1,))
        with pytest.raises(NotRememberedError, match="there are: none"):
            memory.retrieve((1,))


class TestAblations:
    def test_last_observation_stands_for_a_closed_subgoal(self) -> None:
        memory = with_two_chunks(closed=Closed.LAST_OBSERVATION)
        assert memory.summary_input() is None
        assert "Last observation: b1 is on the table." in memory.content.text
        assert "unstack" not in memory.content.text

    def test_closed_subgoals_are_shown_whole_where_that_is_wanted(self) -> None:
        memory = with_two_chunks(closed=Closed.WHOLE)
        assert memory.summary_input() is None
        assert "Action: unstack b1 b2" in memory.content.text
        assert memory.retrievable == ()


def test_failed_action_says_why_if_the_world_does_not() -> None:
    memory = SubgoalChunks(100)
    memory.add(look(), "")
    memory.add(record(1, "go", error=Error(ErrorCode.BLOCKED, "a chair is in the way")), "leave")
    assert memory.content.text.endswith("Action: go\nFailed: a chair is in the way")


def test_text_that_the_world_repeats_is_shown_once() -> None:
    memory = SubgoalChunks(100)
    memory.add(
        Observation(feedback="Kitchen. A stove.", description="Kitchen.\nA stove.", inventory="nothing"), ""
    )
    assert memory.content.text == "Observation: Kitchen. A stove. nothing"


HISTORIES = st.lists(
    st.tuples(st.sampled_from(("", "a", "b", "c d")), st.integers(0, 12)), min_size=1, max_size=25
)


@given(HISTORIES, st.integers(1, 60), st.sampled_from(Closed), st.integers(1, 30), st.data())
def test_memory_stays_within_its_window_and_shows_the_newest_action(
    history: list[tuple[str, int]], window: int, closed: Closed, size: int, data: st.DataObject
) -> None:
    memory = SubgoalChunks(size, window, closed)
    memory.add(look(), "")
    for step, (subgoal, words) in enumerate(history, start=1):
        memory.add(record(step, f"command{step}", " ".join(["word"] * words)), subgoal)
        while memory.summary_input() is not None:
            if data.draw(st.booleans()):
                memory.condense(summary("one two three."))
            else:
                memory.give_up()
        if memory.retrievable and data.draw(st.booleans()):
            memory.retrieve((data.draw(st.sampled_from(memory.retrievable)),))
        text = memory.content.text
        assert f"Action: command{step}" in text
        rest = text.removeprefix("Observation: b1 is on b2.\n")
        newest = rest[rest.rindex(f"Action: command{step}") :]
        # The newest action, with its subgoal and the note on what is left out, may be longer than the window.
        assert count_tokens(rest) <= max(window, count_tokens(newest) + 20)


@given(HISTORIES, st.integers(1, 30))
def test_memory_stores_a_bounded_number_of_records(history: list[tuple[str, int]], size: int) -> None:
    memory = SubgoalChunks(size)
    memory.add(look(), "")
    for step, (subgoal, _) in enumerate(history, start=1):
        memory.add(record(step, f"command{step}"), subgoal)
    chunks = len(memory.content.chunks)
    # The first look, the newest record and the last one of each chunk always stay.
    assert memory.stored_records <= max(size, chunks + 2)
