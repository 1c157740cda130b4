"""What was learnt from tasks that failed is in the beliefs of further attempts at them."""

from __future__ import annotations

import itertools

from stma_ros.components.temporal_memory.reflections import Reflections
from stma_ros.components.temporal_memory.temporal_memory import ReflectiveMemoryConfig, TemporalMemory
from stma_ros.domains.household.summariser import SymbolicSummariser
from stma_ros.roles.reflector import REFLECTOR, Reflection, ReflectQuery
from stma_ros.types import topics
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError
from stma_ros.types.planning import Action, Outcome, Result, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.telemetry import RoleCall

COOK = "cook"


class Counter:
    """A reflector that numbers its lessons and notes what it is asked; it has no answer to some."""

    def __init__(self, *failures: int) -> None:
        self.queries: list[ReflectQuery] = []
        self._failures = failures

    def answer(self, query: ReflectQuery) -> Reflection:
        self.queries.append(query)
        if len(self.queries) in self._failures:
            raise RoleError("no answer")
        return Reflection(f"lesson {len(self.queries)}")


def memory(role: Counter | None = None, keep: int = 3) -> TemporalMemory:
    return TemporalMemory(
        ReflectiveMemoryConfig(), SymbolicSummariser(), Reflections(keep, role or Counter())
    )


def task(task_id: str, text: str = COOK) -> Emission:
    return topics.TASK, Task(Header(Time(1)), task_id, text)


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
            Observation(Header(Time(10 + number)), task_id, number, last_outcome=done),
        ),
    )


def result(task_id: str, last: int = 1, status: TaskStatus = TaskStatus.FAILED) -> Emission:
    error = Error() if status == TaskStatus.SUCCEEDED else Error(ErrorCode.OUT_OF_COMMANDS, "too slow")
    return topics.TASK_RESULT, TaskResult(Header(Time(10 + last)), task_id, status, error)


def attempt(task_id: str, text: str = COOK, status: TaskStatus = TaskStatus.FAILED) -> tuple[Emission, ...]:
    return task(task_id, text), *step(task_id, 0), *step(task_id, 1), result(task_id, 1, status)


def feed(memory: TemporalMemory, *messages: Emission) -> list[TemporalBelief]:
    out = [item for topic, message in messages for _, item in memory.handle(topic, message)]
    return [belief for belief in out if isinstance(belief, TemporalBelief)]


def test_a_failure_teaches_every_step_of_the_next_attempt() -> None:
    beliefs = feed(memory(), *attempt("a"), *attempt("b"))

    assert [b.lessons for b in beliefs] == [(), (), ("lesson 1",), ("lesson 1",)]
    assert [("lesson 1" in b.text) for b in beliefs] == [False, False, True, True]


def test_the_reflector_is_asked_about_the_whole_attempt() -> None:
    role = Counter()
    feed(memory(role), *attempt("a"), *attempt("b"))

    first, second = role.queries
    assert (first.task, first.status, first.error.text, first.earlier) == (
        COOK,
        TaskStatus.FAILED,
        "too slow",
        (),
    )
    assert [outcome.step for outcome in first.summary.completed] == [1]
    assert second.earlier == ("lesson 1",)


def test_a_success_teaches_nothing() -> None:
    *_, belief = feed(memory(), *attempt("a", status=TaskStatus.SUCCEEDED), *attempt("b"))

    assert belief.lessons == ()


def test_other_tasks_are_not_told() -> None:
    beliefs = feed(memory(), *attempt("a"), *attempt("b", "clean"), *attempt("c"))

    assert [b.lessons for b in beliefs if b.step] == [(), (), ("lesson 1",)]


def test_the_last_lessons_are_kept() -> None:
    *_, belief = feed(memory(keep=2), *attempt("a"), *attempt("b"), *attempt("c"), *attempt("d"))

    assert belief.lessons == ("lesson 2", "lesson 3")


def test_a_task_that_was_refused_or_repeated_teaches_nothing() -> None:
    role = Counter()
    feed(memory(role), task("a"), task("x"), result("x"), result("y"), *attempt("a"), result("a"))

    assert len(role.queries) == 1


def test_a_reflector_without_an_answer_leaves_how_the_task_ended() -> None:
    *_, belief = feed(memory(Counter(1)), *attempt("a"), *attempt("b"))

    (lesson,) = belief.lessons
    assert "too slow" in lesson
    assert "no answer" in lesson


def test_without_reflections_a_result_is_passed_over() -> None:
    plain = TemporalMemory(ReflectiveMemoryConfig(), SymbolicSummariser())

    beliefs = feed(plain, *attempt("a"), *attempt("b"))

    assert [b.lessons for b in beliefs] == [(), (), (), ()]


def test_the_end_of_one_attempt_may_come_after_the_beginning_of_the_next() -> None:
    began = (task("a"), *step("a", 0))
    late = (*step("a", 1), result("a"), task("b"), *step("b", 0))
    expected = [(b.task_id, b.step, b.lessons) for b in feed(memory(), *began, *late)]
    assert expected[-1] == ("b", 0, ("lesson 1",))

    for order in itertools.permutations(late):
        beliefs = [(b.task_id, b.step, b.lessons) for b in feed(memory(), *began, *order)]
        assert beliefs == expected


def test_what_no_plan_was_asked_for_is_summarised_before_it_is_reflected_on() -> None:
    role = Counter()
    feed(memory(role), task("a"), *step("a", 0), *step("a", 1, refresh=False), result("a"))

    assert [outcome.step for outcome in role.queries[0].summary.completed] == [1]


def test_scorers_are_told_of_a_reflection() -> None:
    thinking = memory()

    said = [item for topic, message in attempt("a") for _, item in thinking.handle(topic, message)]

    (call,) = (item for item in said if isinstance(item, RoleCall) and item.role == REFLECTOR.name)
    assert (call.task_id, call.step) == ("a", 1)
    assert call.context_tokens > 10
