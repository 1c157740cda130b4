"""Tests of the component that retrieves experiences and keeps judged tasks."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from stma_ros.components.experience_memory.experiences import ExperienceMemoryConfig, ExperienceRetention
from stma_ros.library.experience_memory import IN_MEMORY, ExperienceMemory
from stma_ros.roles.judge import JudgedStep, Judgement, JudgeQuery, Score
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error
from stma_ros.types.component import Emission
from stma_ros.types.errors import ErrorCode, RoleError, StorageError
from stma_ros.types.experience import Experiences, JudgedTask
from stma_ros.types.planning import Action, Outcome, Plan, Result, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall
from support.experiences.made import graph_of, made

TASK = "put the mug into the sink"
PICK, FINISH, OBSERVE = Action("pick", ("mug_1",)), Action("finish"), Action("observe")


class Judge:
    """Gives every step and the whole the same score, and keeps the questions."""

    def __init__(self, score: float) -> None:
        self.score = score
        self.questions: list[JudgeQuery] = []

    def answer(self, query: JudgeQuery) -> Judgement:
        self.questions.append(query)
        score = Score(self.score, "as always")
        return Judgement((score,) * (len(query.steps) if query.stepwise else 0), score)


class NoJudge:
    def answer(self, query: JudgeQuery) -> Judgement:
        raise RoleError("the judge is away")


@pytest.fixture
def memory() -> Iterator[ExperienceMemory]:
    with ExperienceMemory(IN_MEMORY) as opened:
        yield opened


def _component(memory: ExperienceMemory, judge: Judge | NoJudge, **settings: object) -> ExperienceRetention:
    config = ExperienceMemoryConfig(robot="robot_1", home="flat", **settings)  # type: ignore[arg-type]
    return ExperienceRetention(config, memory, judge, "household")


def _at(task: str, step: int) -> StepStamp:
    return StepStamp(header=Header(Time(10 + step)), task_id=task, step=step)


def _task_messages(
    task: str = "task_1", status: TaskStatus = TaskStatus.SUCCEEDED, end: Action = FINISH
) -> list[Emission]:
    """Returns the messages of a task: a look, a failed pick, and the end."""
    first = Plan(at=_at(task, 0), subgoal="take it", actions=(PICK,), reasoning="mug_1 is near.")
    last = Plan(at=_at(task, 1), subgoal="end", actions=(end,), reasoning="It is done.")
    failed = Outcome(
        task_id=task,
        step=1,
        action=PICK,
        request_id="1",
        result=Result.FAILED,
        error=Error(ErrorCode.TOO_FAR, "far"),
    )
    looked = Outcome(task_id=task, step=0, action=OBSERVE, request_id="0", result=Result.SUCCEEDED)
    return [
        (topics.TASK, Task(task_id=task, text=TASK)),
        (topics.SKILL_REQUEST, SkillRequest(task_id=task, step=0, action=OBSERVE)),
        (topics.OBSERVATION, Observation(task_id=task, step=0, last_outcome=looked)),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=_at(task, 0), facts=graph_of("mug", "table"))),
        (topics.PLAN, first),
        (
            topics.SKILL_REQUEST,
            SkillRequest(task_id=task, step=1, action=PICK, derived_from=(message_ref(topics.PLAN, first),)),
        ),
        (topics.OBSERVATION, Observation(task_id=task, step=1, last_outcome=failed)),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=_at(task, 1), facts=graph_of("mug", "sink"))),
        (topics.PLAN, last),
        (
            topics.TASK_RESULT,
            TaskResult(
                header=Header(Time(99)),
                task_id=task,
                status=status,
                derived_from=(message_ref(topics.PLAN, last),),
            ),
        ),
    ]


def _run(component: ExperienceRetention, messages: Sequence[Emission]) -> list[Emission]:
    return [each for topic, message in messages for each in component.handle(topic, message)]


def _of(emissions: Sequence[Emission], kind: type) -> list:
    return [message for _, message in emissions if isinstance(message, kind)]


def test_well_judged_task_is_kept_with_graphs_reasons_and_scores(memory: ExperienceMemory) -> None:
    out = _run(_component(memory, Judge(0.75)), _task_messages())
    (judged,) = _of(out, JudgedTask)
    (kept,) = memory
    assert judged.kept
    assert judged.experience == kept
    assert (kept.task, kept.domain, kept.robot, kept.home) == (TASK, "household", "robot_1", "flat")
    assert (kept.status, kept.score, kept.stamp) == (TaskStatus.SUCCEEDED, 0.75, Time(99))
    assert [step.action for step in kept.steps] == [PICK, FINISH]
    assert [step.rationale for step in kept.steps] == ["mug_1 is near.", "It is done."]
    assert [step.graph for step in kept.steps] == [graph_of("mug", "table"), graph_of("mug", "sink")]
    assert (kept.steps[0].result, kept.steps[0].error.text) == (Result.FAILED, "far")
    assert [step.score for step in kept.steps] == [0.75, 0.75]
    assert set(kept.surroundings) == set(graph_of("mug", "table"))  # where it was first
    assert [call.role for call in _of(out, RoleCall)] == ["judge"]


@pytest.mark.parametrize("score", [0.7, 0.1])
def test_task_that_does_not_exceed_the_threshold_is_judged_and_dropped(
    memory: ExperienceMemory, score: float
) -> None:
    (judged,) = _of(_run(_component(memory, Judge(score), min_score=score), _task_messages()), JudgedTask)
    assert not judged.kept
    assert judged.experience.id == ""
    assert len(memory) == 0


def test_task_of_any_score_is_kept_where_the_threshold_is_0(memory: ExperienceMemory) -> None:
    (judged,) = _of(_run(_component(memory, Judge(0.0), min_score=0.0), _task_messages()), JudgedTask)
    assert judged.kept
    assert [kept.score for kept in memory] == [0.0]


def test_judge_sees_outcomes_only_if_it_is_told_to(memory: ExperienceMemory) -> None:
    judge = Judge(1.0)
    _run(_component(memory, judge), _task_messages())
    assert judge.questions[0].steps[0] == JudgedStep("mug_1 is near.", PICK)
    _run(_component(memory, judge, outcomes=True), _task_messages("task_2"))
    assert judge.questions[1].steps[0].result == Result.FAILED


def test_judge_never_sees_how_the_task_ended(memory: ExperienceMemory) -> None:
    questions = []
    for status in (TaskStatus.SUCCEEDED, TaskStatus.UNVERIFIED, TaskStatus.FAILED):
        judge = Judge(1.0)
        _run(_component(memory, judge), _task_messages(status=status))
        questions += judge.questions
    assert questions[0] == questions[1] == questions[2]


def test_whole_plan_is_judged_without_scores_of_steps(memory: ExperienceMemory) -> None:
    judge = Judge(1.0)
    _run(_component(memory, judge, judged="whole"), _task_messages())
    (kept,) = memory
    assert not judge.questions[0].stepwise
    assert all(step.score != step.score for step in kept.steps)  # NaN: not judged


def test_next_task_uses_what_the_last_one_taught(memory: ExperienceMemory) -> None:
    component = _component(memory, Judge(1.0))
    first = _of(_run(component, _task_messages()), Experiences)
    assert [each.step for each in first] == [0, 1]
    assert [each.retrieved for each in first] == [(), ()]
    second = _of(_run(component, _task_messages("task_2")), Experiences)
    assert [len(each.retrieved) for each in second] == [1, 1]
    assert second[0].retrieved[0].experience.task == TASK
    assert second[0].retrieved[0].task_similarity == pytest.approx(1)
    assert [str(rule) for rule in second[0].rules] == ["mug: in or on a table, 1 of 1 times"]
    assert second[0].graph == graph_of("mug", "table")


@pytest.mark.parametrize("is_late", [False, True])
def test_things_that_a_command_names_belong_to_the_graph_after_it(
    memory: ExperienceMemory, is_late: bool
) -> None:
    fridge = Relation("fridge_1", words.STATE, words.STATE_OPEN)
    opening = Action(words.SKILL_COMMAND, ("open fridge_1",))
    messages = [
        (topics.TASK, Task(task_id="task_1", text="find the mug")),
        (topics.SKILL_REQUEST, SkillRequest(task_id="task_1", step=0, action=OBSERVE)),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=_at("task_1", 0), facts=(fridge,))),
        (topics.SKILL_REQUEST, SkillRequest(task_id="task_1", step=1, action=opening)),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=_at("task_1", 1), facts=(fridge,))),
    ]
    if is_late:  # there is no order between topics
        messages = [messages[0], messages[3], messages[1], messages[4], messages[2]]
    out = _run(_component(memory, Judge(1.0)), messages)
    graphs = {each.step: each.graph for each in _of(out, Experiences)}
    assert graphs == {0: (), 1: (fridge,)}


@pytest.mark.parametrize("seed", range(8))
def test_messages_may_come_in_any_order(seed: int) -> None:
    messages = _task_messages()
    random.Random(seed).shuffle(messages)
    with ExperienceMemory(IN_MEMORY) as memory, ExperienceMemory(IN_MEMORY) as other:
        shuffled = _run(_component(memory, Judge(1.0)), messages)
        ordered = _run(_component(other, Judge(1.0)), _task_messages())
        key = lambda each: (type(each).__name__, getattr(each, "step", 0))  # noqa: E731
        assert sorted((m for _, m in shuffled), key=key) == sorted((m for _, m in ordered), key=key)


def test_duplicates_and_late_messages_change_nothing(memory: ExperienceMemory) -> None:
    messages = _task_messages()
    out = _run(_component(memory, Judge(1.0)), [*messages[:7], *messages[:7], *messages[7:], *messages])
    assert len(_of(out, JudgedTask)) == 1
    assert len(_of(out, Experiences)) == 2
    assert [each.occurrences for each in memory] == [1]


@pytest.mark.parametrize("status", [TaskStatus.CANCELED, TaskStatus.ERROR])
def test_task_that_was_broken_off_is_not_judged(memory: ExperienceMemory, status: TaskStatus) -> None:
    judge = Judge(1.0)
    assert _of(_run(_component(memory, judge), _task_messages(status=status)), JudgedTask) == []
    assert judge.questions == []


def test_learning_can_be_switched_off_and_so_can_retrieval(memory: ExperienceMemory) -> None:
    memory.add(made())
    learner = _component(memory, Judge(1.0), learn=False)
    assert [len(each.retrieved) for each in _of(_run(learner, _task_messages()), Experiences)] == [1, 1]
    assert len(memory) == 1
    recluse = _component(memory, Judge(1.0), top=0, learn=False)
    told = _of(_run(recluse, _task_messages("task_2")), Experiences)
    assert [(each.retrieved, each.rules) for each in told] == [((), ()), ((), ())]


def test_judge_that_has_no_answer_keeps_nothing_and_says_so(memory: ExperienceMemory) -> None:
    out = _run(_component(memory, NoJudge()), _task_messages())
    (judged,) = _of(out, JudgedTask)
    assert (judged.kept, judged.error.text) == (False, "the judge is away")
    assert _of(out, RoleCall)[0].error == "the judge is away"


def test_task_goes_on_without_experiences_when_the_store_fails(
    memory: ExperienceMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StorageError("the server has gone away")

    monkeypatch.setattr(memory, "retrieve", fail)
    monkeypatch.setattr(memory, "add", fail)
    out = _run(_component(memory, Judge(1.0)), _task_messages())
    assert [(each.retrieved, each.error.text) for each in _of(out, Experiences)] == [
        ((), "the server has gone away")
    ] * 2
    assert [each.error.text for each in _of(out, JudgedTask)] == ["the server has gone away"]


def test_store_lasts_beyond_the_component(tmp_path: Path) -> None:
    path = tmp_path / "experiences.db"
    component = _component(ExperienceMemory(path), Judge(1.0))
    _run(component, _task_messages())
    component.close()
    with ExperienceMemory(path) as later:
        assert [each.task for each in later] == [TASK]
