"""Tests of the temporal memory: one belief for every observation, in order, with each record summarised once."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
from stma_ros.components.temporal_memory.temporal_memory_config import TemporalMemoryConfig
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.memory.working.records import record_text
from stma_ros.roles.summariser import SummariseQuery
from stma_ros.roles.task_parser import TASK_PARSER, ParsedTask, TaskQuery, remarks_among
from stma_ros.types import topics
from stma_ros.types.belief import Summary, TemporalBelief
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.errors import ConfigurationError, ErrorCode, RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, PlanRequest, Result, SkillRequest, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import configure
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.components.household_components import PARSER


def task(task_id: str = "a", text: str = "find the mug") -> Task:
    return Task(header=Header(Time(1)), task_id=task_id, text=text)


def observation(step: int, task_id: str = "a") -> Observation:
    action = Action("explore", (f"frontier_{step}",)) if step else Action("observe")
    done = Outcome(
        header=Header(Time(10 + step)),
        request_id=f"{task_id}/{step}",
        task_id=task_id,
        step=step,
        action=action,
        result=Result.SUCCEEDED,
    )
    return Observation(
        header=Header(Time(10 + step), "odom"),
        task_id=task_id,
        step=step,
        watermark=Time(10 + step),
        last_outcome=done,
    )


TOPICS = {
    Task: topics.TASK,
    SkillRequest: topics.SKILL_REQUEST,
    Observation: topics.OBSERVATION,
    PlanRequest: topics.PLAN_REQUEST,
}


def request(step: int, task_id: str = "a", **more: object) -> SkillRequest:
    return SkillRequest(header=Header(), request_id=f"{task_id}/{step}", task_id=task_id, step=step, **more)  # type: ignore[arg-type]


def feed(memory: TemporalMemory, *messages: Message) -> list[TemporalBelief]:
    """Returns the beliefs after the messages; each observation follows the request that led to it."""
    beliefs = []
    for message in messages:
        requests = [request(message.step, message.task_id)] if isinstance(message, Observation) else []
        for item in (*requests, message):
            for out, belief in memory.handle(TOPICS[type(item)], item):
                if out == topics.ROLE_CALLS:
                    continue
                assert out == topics.TEMPORAL_BELIEF
                assert isinstance(belief, TemporalBelief)
                beliefs.append(belief)
    return beliefs


def memory(history: int = 25) -> TemporalMemory:
    return TemporalMemory.summarising(TemporalMemoryConfig(history=history), SymbolicSummariser())


def test_temporal_memory_sends_a_belief_for_each_observation() -> None:
    beliefs = feed(memory(), task(), *(observation(step) for step in range(3)))
    assert [(b.task_id, b.step, b.revision) for b in beliefs] == [("a", 0, 0), ("a", 1, 0), ("a", 2, 0)]
    assert [len(b.completed) for b in beliefs] == [0, 1, 2]
    last = beliefs[-1]
    assert last.header == Header(Time(12))
    assert last.derived_from == (MessageRef("task", "a"), MessageRef("observation", "a/2"))
    assert last.active_goals == ("find the mug",)
    assert "Step 2, 12 s: explored frontier_2." in last.text


def test_temporal_beliefs_do_not_depend_on_the_order_of_arrival() -> None:
    messages = [task(), *(observation(step) for step in range(3))]
    expected = feed(memory(), *messages)
    for order in itertools.permutations(messages):
        assert feed(memory(), *order) == expected


def test_temporal_memory_ignores_duplicates() -> None:
    once = feed(memory(), task(), observation(0), observation(1), observation(2))
    twice = feed(
        memory(),
        task(),
        observation(0),
        observation(0),
        observation(1),
        task(),
        observation(0),
        observation(2),
    )
    assert twice == once


def test_new_task_starts_a_new_history() -> None:
    beliefs = feed(
        memory(), task(), observation(0), observation(1), task("b", "find the bowl"), observation(0, "b")
    )
    assert beliefs[-1].completed == ()
    assert beliefs[-1].active_goals == ("find the bowl",)
    assert "Nothing was done yet." in beliefs[-1].text


class Recorder:
    """A summariser that records its queries and fails at the steps that a test names."""

    def __init__(self, *failures: int) -> None:
        self.queries: list[SummariseQuery] = []
        self._failures = failures

    def answer(self, query: SummariseQuery) -> Summary:
        self.queries.append(query)
        if len(self.queries) in self._failures:
            raise RoleError("no answer")
        return Summary(text=f"{query.previous.text}+{query.fresh}")


class Parser:
    """A task parser that records its queries and fails if a test says so."""

    def __init__(self, *, fails: bool = False) -> None:
        self.queries: list[TaskQuery] = []
        self._fails = fails

    def answer(self, query: TaskQuery) -> ParsedTask:
        self.queries.append(query)
        if self._fails:
            raise RoleError("no answer")
        return PARSER.answer(query)


def reading(parser: Parser, **faults: float) -> TemporalMemory:
    return TemporalMemory.summarising(
        TemporalMemoryConfig(**faults), SymbolicSummariser(), task_parser=parser
    )  # type: ignore[arg-type]


def test_temporal_memory_asks_the_task_parser_once_for_each_task() -> None:
    parser = Parser()
    messages = [task(), *(observation(step) for step in range(3)), task("b", "sing"), observation(0, "b")]

    *beliefs, other = feed(reading(parser), *messages)

    assert parser.queries == [TaskQuery("find the mug"), TaskQuery("sing")]
    assert [belief.goals for belief in beliefs] == [PARSER.answer(TaskQuery("find the mug")).goals] * 3
    assert all(belief.goals and not belief.goals_error for belief in beliefs)
    assert (other.goals, other.goals_error.code) == ((), ErrorCode.TASK_NOT_UNDERSTOOD)


def test_temporal_memory_reports_the_call_of_the_task_parser() -> None:
    memory = reading(Parser())
    list(memory.handle(topics.TASK, task()))
    emissions = [
        emission
        for step in range(2)
        for message in (SkillRequest(task_id="a", step=step, refresh_beliefs=True), observation(step))
        for emission in memory.handle(TOPICS[type(message)], message)
    ]
    calls = [call for _, call in emissions if isinstance(call, RoleCall) and call.role == TASK_PARSER.name]
    assert [(call.task_id, call.step, call.context_tokens, call.error) for call in calls] == [("a", 0, 5, "")]


def test_temporal_memory_observes_how_the_text_of_the_task_was_read() -> None:
    first, second = feed(reading(Parser()), task(text="find the muug"), observation(0), observation(1))
    for belief in (first, second):
        assert remarks_among(belief.observations) == ("I read 'muug' as 'mug'.",)
        assert "I read 'muug' as 'mug'." in belief.text


def test_temporal_memory_states_why_there_are_no_goals_when_the_task_parser_fails() -> None:
    first, second = feed(reading(Parser(fails=True)), task(), observation(0), observation(1))
    assert first.goals == second.goals == ()
    assert (first.goals_error.code, first.goals_error.text) == (ErrorCode.ROLE_FAILED, "no answer")
    assert second.goals_error == first.goals_error
    assert first.text


def test_temporal_memory_asks_no_task_parser_for_a_text_that_is_too_long() -> None:
    parser = Parser()
    (belief,) = feed(reading(parser), task(text="find the mug and " * 3000), observation(0))
    assert (belief.goals, belief.goals_error.code) == ((), ErrorCode.TASK_NOT_UNDERSTOOD)
    assert "at most 2000 are read" in belief.goals_error.text
    assert parser.queries == []


def test_temporal_memory_without_a_task_parser_holds_no_goals() -> None:
    (belief,) = feed(memory(), task(), observation(0))
    assert (belief.goals, belief.goals_error) == ((), Error())


def test_temporal_memory_corrupts_the_goals_of_a_task_at_the_rate_that_is_set() -> None:
    seeds = range(20)
    sound = PARSER.answer(TaskQuery("find the mug"))
    corrupted = [
        feed(reading(Parser(), fault_rate=1.0, fault_seed=seed), task(), observation(0))[0] for seed in seeds
    ]
    assert all(
        belief.goals != sound.goals for belief in corrupted
    )  # a single goal of finding cannot be flipped


def test_each_record_of_the_bounded_buffer_is_summarised_once() -> None:
    role = Recorder()
    feed(
        TemporalMemory.summarising(TemporalMemoryConfig(history=3), role),
        task(),
        *(observation(step) for step in range(6)),
    )
    assert [query.fresh for query in role.queries] == [1] * 6
    assert [record.step for record in role.queries[-1].records] == [3, 4, 5]
    assert role.queries[-1].previous.text == "+1+1+1+1+1"


def test_failed_summary_is_made_up_for_at_the_next_step() -> None:
    role = Recorder(2)
    beliefs = feed(
        TemporalMemory.summarising(TemporalMemoryConfig(), role),
        task(),
        *(observation(step) for step in range(3)),
    )
    assert [query.fresh for query in role.queries] == [1, 1, 2]
    assert beliefs[1].text == f"+1\n\n{record_text(observation(1))}"
    assert beliefs[1].observations == (record_text(observation(1)),)
    assert [outcome.step for outcome in beliefs[1].completed] == [1]
    assert beliefs[2].text == "+1+2"
    assert not beliefs[2].observations


class Lazy:
    """A summariser that repeats its first summary for some steps."""

    def __init__(self, *steps: int) -> None:
        self._steps = steps

    def answer(self, query: SummariseQuery) -> Summary:
        if query.records[-1].step in self._steps:
            return query.previous
        return Summary(text=f"{query.previous.text}+{query.fresh}")


def test_summary_without_news_is_refused() -> None:
    beliefs = feed(
        TemporalMemory.summarising(TemporalMemoryConfig(), Lazy(1, 2)),
        task(),
        *(observation(step) for step in range(4)),
    )

    raw = [record_text(observation(step)) for step in (1, 2)]
    assert [belief.text for belief in beliefs] == [
        "+1",
        "\n\n".join(("+1", raw[0])),
        "\n\n".join(("+1", *raw)),
        "+1+3",
    ]


def test_summary_needs_no_news_when_nothing_was_done() -> None:
    first = replace(observation(0), last_outcome=Outcome())

    (belief,) = feed(TemporalMemory.summarising(TemporalMemoryConfig(), Lazy(0)), task(), first)

    assert belief.text == ""


def test_history_setting_bounds_the_records() -> None:
    assert TemporalMemoryConfig().history == 25
    assert configure(TemporalMemoryConfig, {"history": "3"}, "temporal_memory").history == 3
    with pytest.raises(ConfigurationError, match=r"temporal_memory\.history"):
        configure(TemporalMemoryConfig, {"history": -1}, "temporal_memory")


def test_belief_names_the_subgoal_of_the_last_action() -> None:
    beliefs = feed(
        memory(), task(), request(0), observation(0), request(1, subgoal="find the kitchen"), observation(1)
    )

    assert [belief.subgoal for belief in beliefs] == ["", "find the kitchen"]


def test_belief_made_with_a_plan_holds_everything_since_the_last_one() -> None:
    role = Recorder()
    thinking = TemporalMemory.summarising(TemporalMemoryConfig(), role)
    steps = [(request(step, refresh_beliefs=False), observation(step)) for step in range(4)]
    plan = [PlanRequest(at=StepStamp(task_id="a", step=step)) for step in range(4)]

    assert feed(thinking, task(), *steps[0]) == []
    assert [b.step for b in feed(thinking, plan[0])] == [0]
    assert feed(thinking, *steps[1], *steps[2], *steps[3]) == []
    (belief,) = feed(thinking, plan[3])
    assert belief.step == 3
    assert role.queries[-1].fresh == 3
    assert feed(thinking, plan[3]) == []


def test_plan_request_that_overtakes_its_observation_waits_for_it() -> None:
    thinking = memory()

    assert (
        feed(
            thinking,
            task(),
            PlanRequest(at=StepStamp(task_id="a", step=0)),
            request(0, refresh_beliefs=False),
        )
        == []
    )
    assert [belief.step for belief in feed(thinking, observation(0))] == [0]


def test_plan_request_that_overtakes_its_observation_asks_for_no_earlier_belief() -> None:
    role = Recorder()
    thinking = TemporalMemory.summarising(TemporalMemoryConfig(), role)
    steps = [(request(step, refresh_beliefs=False), observation(step)) for step in range(3)]
    feed(thinking, task(), *steps[0], PlanRequest(at=StepStamp(task_id="a", step=0)), *steps[1])

    assert feed(thinking, PlanRequest(at=StepStamp(task_id="a", step=2))) == []
    assert [belief.step for belief in feed(thinking, *steps[2])] == [2]
    assert len(role.queries) == 2


def test_window_summariser_reads_every_record_again() -> None:
    role = Recorder()
    thinking = TemporalMemory.summarising(TemporalMemoryConfig(history=3, summariser="window"), role)

    feed(thinking, task(), *(observation(step) for step in range(5)))

    assert [query.fresh for query in role.queries] == [1, 2, 3, 3, 3]
    assert {query.previous for query in role.queries} == {Summary()}


def test_belief_without_a_summariser_is_the_history_buffer() -> None:
    thinking = TemporalMemory.summarising(
        TemporalMemoryConfig(history=2, summariser="none"), SymbolicSummariser()
    )

    *_, belief = feed(thinking, task(), *(observation(step) for step in range(4)))

    assert "Step: 3" in belief.text
    assert "Step: 2" in belief.text
    assert "Step: 1" not in belief.text
    assert [outcome.step for outcome in belief.completed] == [2, 3]
