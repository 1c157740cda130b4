"""Retrieves experiences at each step of a task, and keeps the task itself if a judge finds it well reasoned
(MCoT-Memory, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from stma_ros.components.causes import plan_revision
from stma_ros.components.role_calls import role_call
from stma_ros.library.experience_memory import ExperienceMemory, Retrieved
from stma_ros.memory.experience_index import SimilarityWeights
from stma_ros.memory.surroundings import first_places
from stma_ros.memory.task_graph import task_graph
from stma_ros.models.embedder import EMBEDDERS, LEXICAL
from stma_ros.roles.judge import JUDGE, Judgement, JudgeQuery, JudgeRole, is_kept, judged_steps
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, StorageError
from stma_ros.types.experience import (
    Experience,
    Experiences,
    JudgedTask,
    ReasonedStep,
    RetrievedExperience,
    RuleOfThumb,
)
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, SkillRequest, Task, TaskResult, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp

_MAX_TASKS = 4  # stored, as messages of the next task may come before the last one has settled

STEPS, WHOLE = "steps", "whole"

_FINISHED = (TaskStatus.SUCCEEDED, TaskStatus.FAILED, TaskStatus.UNVERIFIED)


@dataclass(frozen=True)
class ExperienceMemoryConfig:
    store: str = setting(
        "",
        "file of the experiences, or postgresql://USER@HOST/DATABASE, which several robots can share; empty = "
        "they end with the process",
    )
    embedder: str = setting(LEXICAL, "how tasks and scene graphs are compared", choices=EMBEDDERS)
    top: int = setting(3, "experiences that are retrieved at a step (k); 0 = none", low=0, high=100)
    task_weight: float = setting(
        0.5, "weight of the similarity of tasks in retrieval (lambda 1)", low=0.0, high=1.0
    )
    graph_weight: float = setting(
        0.5, "weight of the similarity of scene graphs in retrieval (lambda 2)", low=0.0, high=1.0
    )
    learn: bool = setting(True, "judge finished tasks, and keep those that are well reasoned")
    min_score: float = setting(
        0.7,
        "score of the judge that a task must exceed to be kept (tau); 0 = all are kept",
        low=0.0,
        high=1.0,
    )
    judged: str = setting(
        STEPS,
        "what the judge scores: each step and the whole, or the whole plan alone",
        choices=(STEPS, WHOLE),
    )
    outcomes: bool = setting(False, "show the judge how each action ended")
    capacity: int = setting(
        100_000,
        "experiences in the store; beyond it, those with the lowest scores are forgotten",
        low=1,
        high=10_000_000,
    )
    robot: str = setting("", "name of the robot, which is stored with its experiences")
    home: str = setting("", "name of the home, which is stored with experiences and never exported")


@dataclass
class _TaskLog:
    """The messages of a task.

    Attributes:
        graphs: scene graph of each step for which experiences were retrieved.
        closed: whether the task is over and judged, if it is; its messages are dropped.
    """

    task: Task | None = None
    result: TaskResult | None = None
    beliefs: dict[int, SpatialBelief] = field(default_factory=dict)
    graphs: dict[int, tuple[Relation, ...]] = field(default_factory=dict)
    plans: dict[tuple[int, int], Plan] = field(default_factory=dict)
    requests: dict[int, SkillRequest] = field(default_factory=dict)
    observations: dict[int, Observation] = field(default_factory=dict)
    closed: bool = False


class ExperienceRetention:
    """Sends the experiences that are similar to a step's task and scene graph, and judges tasks when they are over.

    A task is judged before experiences are retrieved for the next one, so that the next one can use it. If the store
    fails, the task goes on without experiences, and the message says why.
    """

    def __init__(
        self, config: ExperienceMemoryConfig, memory: ExperienceMemory, judge: JudgeRole, domain: str
    ) -> None:
        """Creates the component.

        Args:
            config: the settings.
            memory: holds the experiences; the component closes it.
            judge: role that scores finished tasks.
            domain: name of the domain of the tasks.
        """
        self._config = config
        self._memory = memory
        self._judge = judge
        self._domain = domain
        self._weights = SimilarityWeights(config.task_weight, config.graph_weight)
        self._logs: dict[str, _TaskLog] = {}

    def close(self) -> None:
        self._memory.close()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        task_id = getattr(message, "task_id", "")
        if not task_id:
            return ()
        log = self._log(task_id)
        if log.closed:
            return ()
        match message:
            case Task():
                log.task = log.task or message
            case SpatialBelief() if message.revision == 0:
                log.beliefs.setdefault(message.step, message)
            case Plan():
                log.plans.setdefault((message.step, message.revision), message)
            case SkillRequest():
                log.requests.setdefault(message.step, message)
            case Observation():
                log.observations.setdefault(message.step, message)
            case TaskResult():
                log.result = log.result or message
            case _:
                return ()
        return self._settle()

    def _log(self, task_id: str) -> _TaskLog:
        log = self._logs.setdefault(task_id, _TaskLog())
        while len(self._logs) > _MAX_TASKS:
            del self._logs[next(name for name in self._logs if name != task_id)]
        return log

    def _settle(self) -> Iterator[Emission]:
        """Processes the tasks in order, up to the first one that is not over."""
        for log in tuple(self._logs.values()):
            if log.closed:
                continue
            if log.task is None:
                return
            for step in sorted(log.beliefs.keys() - log.graphs.keys()):
                if not log.requests.keys() >= set(range(step + 1)):
                    break  # what the robot handled belongs to the graph
                yield topics.EXPERIENCES, self._retrieve(log, log.task, log.beliefs[step])
            yield from self._close(log, log.task)
            if not log.closed:
                return

    # -- retrieval

    def _retrieve(self, log: _TaskLog, task: Task, belief: SpatialBelief) -> Experiences:
        requests = (request for number, request in log.requests.items() if number <= belief.step)
        handled = {name for request in requests for name in request.action.mentioned}
        graph = task_graph(belief.facts, task.text, handled)
        log.graphs[belief.step] = graph
        found: list[Retrieved] = []
        rules: Sequence[RuleOfThumb] = ()
        error = Error()
        if self._config.top:
            try:
                found = self._memory.retrieve(
                    task.text, graph, top=self._config.top, weights=self._weights, domain=self._domain
                )
                rules = self._memory.rules_of_thumb(task.text, domain=self._domain)
            except StorageError as problem:
                error = Error.of(problem)
        return Experiences(
            at=StepStamp(header=Header(belief.header.stamp), task_id=task.task_id, step=belief.step),
            retrieved=tuple(map(_message, found)),
            rules=tuple(rules),
            graph=graph,
            unread_tokens=self._memory.unread(task.text, graph) if self._config.top else 0,
            error=error,
            derived_from=(message_ref(topics.TASK, task), message_ref(topics.SPATIAL_BELIEF, belief)),
        )

    # -- retention

    def _close(self, log: _TaskLog, task: Task) -> Iterator[Emission]:
        """Judges a task that is over once all its messages have come."""
        result = log.result
        if result is None:
            return
        last = next((ref for ref in result.derived_from if ref.topic == topics.PLAN), None)
        if last is None or result.status not in _FINISHED or not self._config.learn:
            self._forget_messages(log)
            return
        end = int(last.id.rpartition("/")[2])
        steps = self._steps(log, end, last.revision)
        if steps is None:
            return
        surroundings = first_places(log.beliefs[number].facts for number in _planned_at(log, end))
        self._forget_messages(log)
        if steps:
            yield from self._keep(task, result, steps, surroundings, last)

    def _forget_messages(self, log: _TaskLog) -> None:
        for messages in (log.beliefs, log.graphs, log.plans, log.requests, log.observations):
            messages.clear()
        log.closed = True

    def _steps(self, log: _TaskLog, end: int, revision: int) -> tuple[ReasonedStep, ...] | None:
        """Returns the steps of a task whose last plan, of a step and revision, is given; None if some message of them
        has not come yet."""
        steps: list[ReasonedStep] = []
        for number in range(end + 1):
            request, observation = log.requests.get(number), log.observations.get(number)
            if request is None or observation is None:
                return None
            followed = plan_revision(request)
            if followed is None:
                continue
            plan = log.plans.get((number - 1, followed))
            if plan is None or number - 1 not in log.graphs:
                return None
            outcome = observation.last_outcome
            steps.append(
                ReasonedStep(
                    graph=log.graphs[number - 1],
                    rationale=plan.reasoning,
                    action=request.action,
                    result=outcome.result,
                    error=outcome.error,
                )
            )
        plan = log.plans.get((end, revision))
        if plan is None or end not in log.graphs:
            return None
        if plan.actions and plan.actions[0].skill in words.ENDINGS:
            final = ReasonedStep(graph=log.graphs[end], rationale=plan.reasoning, action=plan.actions[0])
            steps.append(final)
        return tuple(steps)

    def _keep(
        self,
        task: Task,
        result: TaskResult,
        steps: tuple[ReasonedStep, ...],
        surroundings: tuple[Relation, ...],
        plan: MessageRef,
    ) -> Iterator[Emission]:
        query = JudgeQuery(
            task.text, judged_steps(steps, self._config.outcomes), stepwise=self._config.judged == STEPS
        )
        experience = Experience(
            domain=self._domain,
            task=task.text,
            robot=self._config.robot,
            home=self._config.home,
            stamp=result.header.stamp,
            status=result.status,
            steps=steps,
            surroundings=surroundings,
        )
        error, kept = Error(), False
        try:
            judgement = self._judge.answer(query)
            experience = _scored(experience, judgement)
            kept = is_kept(judgement.whole.value, self._config.min_score)
            if kept:
                experience = replace(experience, id=self._memory.add(experience).id)
        except (RoleError, StorageError) as problem:
            error, kept = Error.of(problem), False
        at = StepStamp(
            header=Header(result.header.stamp), task_id=task.task_id, step=int(plan.id.rpartition("/")[2])
        )
        yield role_call(JUDGE, query, at, error=error.text)
        yield (
            topics.JUDGED_TASK,
            JudgedTask(
                header=Header(result.header.stamp),
                task_id=task.task_id,
                experience=experience,
                kept=kept,
                error=error,
                derived_from=(message_ref(topics.TASK_RESULT, result), plan),
            ),
        )


def _planned_at(log: _TaskLog, end: int) -> Sequence[int]:
    """Returns the steps of a task of which the plan was followed; all their messages have come."""
    followed = (number for number in range(end + 1) if plan_revision(log.requests[number]) is not None)
    return [*(number - 1 for number in followed), end]


def _scored(experience: Experience, judgement: Judgement) -> Experience:
    """Returns an experience with the scores of the judge; those of steps may be missing."""
    steps = experience.steps
    if judgement.steps:
        steps = tuple(
            replace(step, score=score.value, justification=score.justification)
            for step, score in zip(steps, judgement.steps, strict=True)
        )
    whole = judgement.whole
    return replace(experience, steps=steps, score=whole.value, justification=whole.justification)


def _message(found: Retrieved) -> RetrievedExperience:
    return RetrievedExperience(
        experience=found.experience,
        similarity=found.similarity,
        task_similarity=found.task_similarity,
        graph_similarity=found.graph_similarity,
    )
