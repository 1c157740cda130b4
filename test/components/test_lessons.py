"""Tests of lessons: the beliefs of a further attempt contain what was learnt from the failed ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TypeVar

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.agents.local_runtime import Binding, LocalRuntime
from stma_ros.components.experience_memory.lessons import LessonMemory, LessonMemoryConfig
from stma_ros.components.temporal_memory.temporal_memory import TemporalMemory
from stma_ros.components.temporal_memory.temporal_memory_config import TemporalMemoryConfig
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.roles.reflector import REFLECTOR, Reflection, ReflectQuery
from stma_ros.types import topics
from stma_ros.types.belief import Lessons, TemporalBelief
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import RoleCall

MessageT = TypeVar("MessageT", bound=Message)

COOK = "cook"


class Counter:
    """A reflector that numbers its lessons, records its queries, and fails for some tasks."""

    def __init__(self, *failures: int) -> None:
        self.queries: list[ReflectQuery] = []
        self._failures = failures

    def answer(self, query: ReflectQuery) -> Reflection:
        self.queries.append(query)
        if len(self.queries) in self._failures:
            raise RoleError("no answer")
        return Reflection(f"lesson {len(self.queries)}")


class Memories:
    """Temporal memory and experience memory, connected; `emissions` holds all their messages in order."""

    def __init__(
        self, role: Counter | None = None, keep: int = 3, choose: Callable[[int], int] | None = None
    ) -> None:
        """Takes the same `choose` as LocalRuntime."""
        self.emissions: list[Emission] = []
        self.experience = LessonMemory(LessonMemoryConfig(lessons=keep), role or Counter())
        temporal = TemporalMemory.summarising(
            TemporalMemoryConfig(), SymbolicSummariser(), joins_lessons=True
        )
        both = (topics.TASK, topics.OBSERVATION, topics.TASK_RESULT)
        components = (
            Binding(
                "temporal_memory",
                temporal,
                (*both, topics.SKILL_REQUEST, topics.PLAN_REQUEST, topics.LESSONS),
                (topics.TEMPORAL_BELIEF, topics.TASK_SUMMARY, topics.ROLE_CALLS),
            ),
            Binding(
                "experience_memory",
                self.experience,
                (*both, topics.TASK_SUMMARY),
                (topics.LESSONS, topics.ROLE_CALLS),
            ),
        )
        self._runtime = LocalRuntime(
            components, (lambda topic, message: self.emissions.append((topic, message)),), choose
        )

    def tell(self, *messages: Emission, at_once: bool = False) -> list[TemporalBelief]:
        """Publishes messages and returns the resulting beliefs; at_once publishes all before the first delivery."""
        known = len(self.emissions)
        for topic, message in messages:
            self._runtime.publish(topic, message)
            if not at_once:
                self._runtime.run()
        self._runtime.run()
        emissions = self.emissions[known:]
        return [
            message
            for topic, message in emissions
            if topic == topics.TEMPORAL_BELIEF and isinstance(message, TemporalBelief)
        ]

    def of(self, kind: type[MessageT]) -> list[MessageT]:
        return [message for _, message in self.emissions if isinstance(message, kind)]


def task(task_id: str, text: str = COOK) -> Emission:
    return topics.TASK, Task(header=Header(Time(1)), task_id=task_id, text=text)


def step(task_id: str, number: int, refresh: bool = True) -> tuple[Emission, Emission]:
    done = Outcome(
        request_id=f"{task_id}/{number}",
        step=number,
        action=Action("explore", (f"frontier_{number}",)) if number else Action("observe"),
        result=Result.SUCCEEDED,
    )
    return (
        (topics.SKILL_REQUEST, SkillRequest(task_id=task_id, step=number, refresh_beliefs=refresh)),
        (
            topics.OBSERVATION,
            Observation(header=Header(Time(10 + number)), task_id=task_id, step=number, last_outcome=done),
        ),
    )


def result(task_id: str, last: int = 1, status: TaskStatus = TaskStatus.FAILED) -> Emission:
    error = Error() if status == TaskStatus.SUCCEEDED else Error(ErrorCode.OUT_OF_COMMANDS, "too slow")
    return topics.TASK_RESULT, TaskResult(
        header=Header(Time(10 + last)), task_id=task_id, status=status, error=error
    )


def attempt(task_id: str, text: str = COOK, status: TaskStatus = TaskStatus.FAILED) -> tuple[Emission, ...]:
    return task(task_id, text), *step(task_id, 0), *step(task_id, 1), result(task_id, 1, status)


def test_lesson_of_a_failure_is_in_every_belief_of_the_next_attempt() -> None:
    beliefs = Memories().tell(*attempt("a"), *attempt("b"))

    assert [b.lessons for b in beliefs] == [(), (), ("lesson 1",), ("lesson 1",)]
    assert [("lesson 1" in b.text) for b in beliefs] == [False, False, True, True]


def test_reflector_gets_the_whole_attempt() -> None:
    role = Counter()
    Memories(role).tell(*attempt("a"), *attempt("b"))

    first, second = role.queries
    assert (first.task, first.status, first.error.text, first.earlier) == (
        COOK,
        TaskStatus.FAILED,
        "too slow",
        (),
    )
    assert [outcome.step for outcome in first.summary.completed] == [1]
    assert second.earlier == ("lesson 1",)


def test_success_gives_no_lesson() -> None:
    *_, belief = Memories().tell(*attempt("a", status=TaskStatus.SUCCEEDED), *attempt("b"))

    assert belief.lessons == ()


def test_lessons_are_sent_for_the_same_task_only() -> None:
    beliefs = Memories().tell(*attempt("a"), *attempt("b", "clean"), *attempt("c"))

    assert [b.lessons for b in beliefs if b.step] == [(), (), ("lesson 1",)]


def test_experience_memory_stores_the_last_lessons() -> None:
    *_, belief = Memories(keep=2).tell(*attempt("a"), *attempt("b"), *attempt("c"), *attempt("d"))

    assert belief.lessons == ("lesson 2", "lesson 3")


def test_refused_or_repeated_task_gives_no_lesson() -> None:
    role = Counter()
    Memories(role).tell(task("a"), task("x"), result("x"), result("y"), *attempt("a"), result("a"))

    assert len(role.queries) == 1


def test_lesson_without_an_answer_of_the_reflector_is_the_error_of_the_task() -> None:
    *_, belief = Memories(Counter(1)).tell(*attempt("a"), *attempt("b"))

    (lesson,) = belief.lessons
    assert "too slow" in lesson
    assert "no answer" in lesson


def test_temporal_memory_without_experience_memory_waits_for_no_lessons_and_ignores_results() -> None:
    plain = TemporalMemory.summarising(TemporalMemoryConfig(), SymbolicSummariser())

    emissions = [
        emission for topic, item in (*attempt("a"), *attempt("b")) for emission in plain.handle(topic, item)
    ]

    beliefs = [message for topic, message in emissions if topic == topics.TEMPORAL_BELIEF]
    assert [b.lessons for b in beliefs if isinstance(b, TemporalBelief)] == [(), (), (), ()]
    assert topics.TASK_SUMMARY not in {topic for topic, _ in emissions}


def test_experience_memory_of_size_zero_draws_no_lessons_and_delays_nothing() -> None:
    role = Counter()
    beliefs = Memories(role, keep=0).tell(task("a"), *step("a", 0), *attempt("b"))

    assert [(b.task_id, b.lessons) for b in beliefs] == [("a", ()), ("b", ()), ("b", ())]
    assert role.queries == []


def test_lessons_are_sent_when_an_attempt_ends_after_the_beginning_of_the_next() -> None:
    began = (task("a"), *step("a", 0))
    late = (*step("a", 1), result("a"), task("b"), *step("b", 0))
    expected = [(b.task_id, b.step, b.lessons) for b in Memories().tell(*began, *late)]
    assert expected[-1] == ("b", 0, ("lesson 1",))

    for order in itertools.permutations(late):
        beliefs = [(b.task_id, b.step, b.lessons) for b in Memories().tell(*began, *order)]
        assert beliefs == expected


def test_steps_without_a_plan_request_are_summarised_before_reflection() -> None:
    role = Counter()
    Memories(role).tell(task("a"), *step("a", 0), *step("a", 1, refresh=False), result("a"))

    assert [outcome.step for outcome in role.queries[0].summary.completed] == [1]


@given(st.randoms(use_true_random=False))
def test_lessons_do_not_depend_on_the_order_of_delivery(random) -> None:  # type: ignore[no-untyped-def]
    messages = [*attempt("a"), *attempt("b"), *attempt("c", status=TaskStatus.SUCCEEDED), *attempt("d")]
    expected = [(b.task_id, b.step, b.lessons, b.text) for b in Memories().tell(*messages)]
    assert expected[-1][2] == ("lesson 1", "lesson 2")

    beliefs = Memories(choose=random.randrange).tell(*messages, at_once=True)

    assert sorted((b.task_id, b.step, b.lessons, b.text) for b in beliefs) == sorted(expected)


def test_duplicates_give_no_further_lesson() -> None:
    role = Counter()
    twice = [message for message in (*attempt("a"), *attempt("b")) for _ in range(2)]

    beliefs = Memories(role).tell(*twice)

    assert [b.lessons for b in beliefs] == [(), (), ("lesson 1",), ("lesson 1",)]
    assert len(role.queries) == 2


def test_lessons_are_sent_once_for_each_task_and_name_their_sources() -> None:
    memories = Memories()
    beliefs = memories.tell(*attempt("a"), *attempt("b"))

    first, second = memories.of(Lessons)
    assert (first.task_id, first.lessons, first.derived_from) == ("a", (), (MessageRef(topics.TASK, "a"),))
    assert (second.task_id, second.lessons) == ("b", ("lesson 1",))
    assert second.derived_from == (MessageRef(topics.TASK, "b"), MessageRef(topics.TASK_SUMMARY, "a/1"))
    assert beliefs[-1].derived_from[-1] == MessageRef(topics.LESSONS, "b")


def test_experience_memory_stores_a_bounded_number_of_tasks_and_lessons() -> None:
    memories = Memories()
    for number in range(30):
        memories.tell(*attempt(f"t{number}"))

    assert len(memories.experience._attempts) <= 4
    assert len(memories.experience._lessons) == 3


def test_reflection_is_reported_to_scorers() -> None:
    memories = Memories()
    memories.tell(*attempt("a"))

    (call,) = (call for call in memories.of(RoleCall) if call.role == REFLECTOR.name)
    assert (call.task_id, call.step) == ("a", 1)
    assert call.context_tokens > 10
