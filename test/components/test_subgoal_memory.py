"""The temporal memory in chunks: beliefs with subgoals, one summary for each, and memory actions."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from stma_ros.components.temporal_memory.saved_history import SavedHistory
from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
from stma_ros.components.temporal_memory.temporal_memory_config import SubgoalMemoryConfig
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.storage.state_file import StateFile
from stma_ros.types import topics
from stma_ros.types.belief import SubgoalChunk, SubgoalState, TemporalBelief
from stma_ros.types.common import MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, RecallRequest, Result, SkillRequest, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall

TASK = Task(task_id="t", text="Make this true: a.")
SUBGOALS = ("", "open the box", "open the box", "take the key", "leave")


class Summariser:
    """Counts its questions. unusable: numbers of those that it does not answer."""

    def __init__(self, *unusable: int) -> None:
        self.asked: list[ChunkQuery] = []
        self._unusable = unusable

    def answer(self, query: ChunkQuery) -> SubgoalChunk:
        self.asked.append(query)
        if len(self.asked) in self._unusable:
            raise RoleError("no idea")
        return SubgoalChunk(observation=f"summary of {query.subgoal}", state=SubgoalState.MET)


def step_messages(step: int) -> tuple[tuple[str, Message], ...]:
    action = Action("command", (f"command{step}",))
    header = Header(Time(step + 1))
    done = (
        Outcome(request_id=f"t/{step}", step=step, action=action, result=Result.SUCCEEDED)
        if step
        else Outcome()
    )
    request = SkillRequest(
        task_id="t", request_id=f"t/{step}", step=step, subgoal=SUBGOALS[step], action=action
    )
    seen = Observation(header=header, task_id="t", step=step, last_outcome=done, feedback=f"seen {step}.")
    return (topics.SKILL_REQUEST, request), (topics.OBSERVATION, seen)


def recall(step: int, revision: int, *ids: str) -> tuple[str, Message]:
    at = StepStamp(task_id="t", step=step, revision=revision)
    return topics.RECALL_REQUEST, RecallRequest(at=at, action=Action("retrieve", ids))


def started(
    steps: int, summariser: Summariser, **settings: object
) -> tuple[TemporalMemory, list[TemporalBelief]]:
    memory = TemporalMemory.in_chunks(SubgoalMemoryConfig(**settings), summariser)  # type: ignore[arg-type]
    messages = [(topics.TASK, TASK), *itertools.chain(*map(step_messages, range(steps)))]
    return memory, beliefs(emissions(memory, messages))


def emissions(memory: TemporalMemory, messages: list[tuple[str, Message]]) -> list[Emission]:
    return [item for topic, message in messages for item in memory.handle(topic, message)]


def beliefs(sent: list[Emission]) -> list[TemporalBelief]:
    return [message for _, message in sent if isinstance(message, TemporalBelief)]


def test_belief_has_the_subgoals_so_far() -> None:
    _, made = started(5, Summariser())
    assert [(chunk.id, chunk.subgoal, chunk.state) for chunk in made[-1].chunks] == [
        (1, "open the box", SubgoalState.MET),
        (2, "take the key", SubgoalState.MET),
        (3, "leave", SubgoalState.OPEN),
    ]
    assert "Summary: summary of take the key" in made[-1].text
    assert "command1" not in made[-1].text
    assert [str(outcome.action) for outcome in made[-1].completed] == ["command4"]


def test_each_closed_subgoal_is_summed_up_once_when_the_next_one_begins() -> None:
    summariser = Summariser()
    started(5, summariser)
    assert [(query.subgoal, len(query.records)) for query in summariser.asked] == [
        ("open the box", 2),
        ("take the key", 1),
    ]
    assert summariser.asked[1].previous.observation == "summary of open the box"


def test_summary_that_fails_is_asked_for_once_more() -> None:
    summariser = Summariser(1)
    _, made = started(5, summariser)
    assert "command1" in made[3].text  # nothing is lost meanwhile
    assert [query.subgoal for query in summariser.asked] == ["open the box", "open the box", "take the key"]


def test_subgoal_whose_summary_fails_twice_is_shown_by_its_last_observation() -> None:
    summariser = Summariser(1, 2)
    memory, made = started(4, summariser)
    sent = emissions(memory, [*step_messages(4)])
    assert "Last observation: seen 2." in beliefs(sent)[-1].text
    assert [message.error for _, message in sent if isinstance(message, RoleCall)] == ["no idea"]
    assert made[-1].chunks[0].state == SubgoalState.UNKNOWN


def test_memory_action_makes_the_next_revision_of_the_belief() -> None:
    memory, made = started(4, Summariser())
    (belief,) = beliefs(emissions(memory, [recall(3, 1, "1")]))
    assert (belief.step, belief.revision) == (3, 1)
    assert "Action: command1" in belief.text
    assert belief.chunks[0].whole
    assert belief.derived_from[-1] == MessageRef(topics.RECALL_REQUEST, "t/3", 1)
    assert "command1" not in made[-1].text


def test_memory_action_that_comes_before_its_belief_waits_for_it() -> None:
    memory, _ = started(3, Summariser())
    assert emissions(memory, [recall(3, 1, "1")]) == []
    last = beliefs(emissions(memory, [*step_messages(3)]))
    assert [(belief.step, belief.revision) for belief in last] == [(3, 0), (3, 1)]


@pytest.mark.parametrize("ids", [(), ("9",), ("2",), ("first",), ("1", "9")])
def test_memory_action_that_cannot_be_done_says_so_and_changes_nothing(ids: tuple[str, ...]) -> None:
    memory, made = started(4, Summariser())
    (belief,) = beliefs(emissions(memory, [recall(3, 1, *ids)]))
    assert belief.chunks == made[-1].chunks
    assert "was not done" in belief.text
    assert belief.text.endswith(made[-1].text)


def test_memory_action_of_an_earlier_step_is_dropped() -> None:
    memory, _ = started(4, Summariser())
    assert emissions(memory, [recall(1, 1, "1")]) == []
    (belief,) = beliefs(emissions(memory, [recall(3, 1, "1")]))
    assert belief.revision == 1


def test_retrieved_subgoals_last_until_the_next_one() -> None:
    memory, _ = started(4, Summariser())
    emissions(memory, [recall(3, 1, "1")])
    (belief,) = beliefs(emissions(memory, [*step_messages(4)]))
    assert "command1" not in belief.text


def test_beliefs_do_not_depend_on_the_order_of_arrival() -> None:
    messages = [(topics.TASK, TASK), *itertools.chain(*map(step_messages, range(4))), recall(3, 1, "1")]
    expected = None
    for seed in range(20):
        order = [messages[(index * 7 + seed) % len(messages)] for index in range(len(messages))]
        memory = TemporalMemory.in_chunks(SubgoalMemoryConfig(), Summariser())
        made = beliefs(emissions(memory, order))
        expected = expected or made
        assert made == expected


class TestRestart:
    """The process is killed, and another one gets the messages of the task again."""

    MESSAGES = (
        (topics.TASK, TASK),
        *itertools.chain(*map(step_messages, range(4))),
        recall(3, 1, "1"),
        *step_messages(4),
    )

    def run(
        self, path: Path, messages: Sequence[tuple[str, Message]], summariser: Summariser
    ) -> list[TemporalBelief]:
        memory = TemporalMemory.in_chunks(
            SubgoalMemoryConfig(), summariser, store=StateFile(path / "history.state", SavedHistory)
        )
        return beliefs(emissions(memory, list(messages)))

    @pytest.mark.parametrize("killed_after", range(len(MESSAGES)))
    @pytest.mark.parametrize("reverse", [False, True])
    def test_memory_goes_on_after_being_killed(
        self, tmp_path: Path, killed_after: int, reverse: bool
    ) -> None:
        expected = self.run(tmp_path / "whole", self.MESSAGES, Summariser())
        first, second = Summariser(), Summariser()
        before = self.run(tmp_path / "killed", self.MESSAGES[:killed_after], first)
        # Topics come in any order after a restart, and those of a topic in their own.
        again = sorted(self.MESSAGES[:killed_after], key=lambda item: item[0], reverse=reverse)
        after = self.run(tmp_path / "killed", (*again, *self.MESSAGES[killed_after:]), second)
        texts = [belief.text for belief in expected]
        assert [belief.text for belief in before] == texts[: len(before)]
        # The last belief may not have been published: it is sent again.
        assert [belief.text for belief in after] == texts[max(0, len(before) - 1) :]
        assert len(first.asked) + len(second.asked) == 2

    def test_messages_of_tasks_before_the_killed_one_change_nothing(self, tmp_path: Path) -> None:
        earlier = [(topic, replace(message, task_id="before")) for topic, message in self.MESSAGES[:3]]
        alone = self.run(tmp_path / "alone", self.MESSAGES, Summariser())
        self.run(tmp_path / "both", [*earlier, *self.MESSAGES[:5]], Summariser())
        after = self.run(tmp_path / "both", [*self.MESSAGES, *earlier], Summariser())
        assert [belief.text for belief in after] == [belief.text for belief in alone[1:]]

    def test_history_that_never_goes_on_changes_nothing_for_later_tasks(self, tmp_path: Path) -> None:
        later = [(topic, replace(message, task_id="later")) for topic, message in self.MESSAGES[:7]]
        self.run(tmp_path / "cut", self.MESSAGES, Summariser())
        alone = self.run(tmp_path / "alone", later, Summariser())
        assert alone
        assert self.run(tmp_path / "cut", later, Summariser()) == alone

    def test_messages_of_tasks_that_the_memory_has_dropped_change_nothing_after_a_death(
        self, tmp_path: Path
    ) -> None:
        def messages(task_id: str) -> list[tuple[str, Message]]:
            return [(topic, replace(message, task_id=task_id)) for topic, message in self.MESSAGES[:7]]

        *earlier, last = (messages(f"task_{number}") for number in range(8))
        all_messages = [*itertools.chain(*earlier), *last]
        self.run(tmp_path, all_messages[:-2], Summariser())
        after = self.run(tmp_path, all_messages, Summariser())
        assert {belief.task_id for belief in after} == {"task_7"}

    def test_memory_says_whether_it_goes_on_from_an_earlier_life(self, tmp_path: Path) -> None:
        store = StateFile(tmp_path / "history.state", SavedHistory)
        config = SubgoalMemoryConfig()
        first = TemporalMemory.in_chunks(config, Summariser(), store=store)
        assert first.resumed_from == ""
        emissions(first, list(self.MESSAGES[:3]))
        second = TemporalMemory.in_chunks(config, Summariser(), store=store)
        assert (tmp_path / second.resumed_from).read_bytes() == (tmp_path / "history.state").read_bytes()
        third = TemporalMemory.in_chunks(config, Summariser(), store=store)
        assert (second.resumed_from, third.resumed_from) == ("history.1.state", "history.2.state")

    def test_closed_memory_leaves_no_state_behind(self, tmp_path: Path) -> None:
        store = StateFile(tmp_path / "history.state", SavedHistory)
        memory = TemporalMemory.in_chunks(SubgoalMemoryConfig(), Summariser(), store=store)
        emissions(memory, list(self.MESSAGES))
        assert store.load() is not None
        memory.close()
        assert store.load() is None


def test_window_bounds_what_follows_the_first_look() -> None:
    _, made = started(5, Summariser(), window=12)
    assert made[-1].text.splitlines() == [
        "Observation: seen 0.",
        "(Left out here: 2 subgoals)",
        "3. Subgoal: leave",
        "Action: command4",
        "Observation: seen 4.",
    ]
