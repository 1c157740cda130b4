"""Temporal memory of an exploration: a trail with one entry for each step (Pred-EQA, section 3: Recorder).

The belief of step k holds the entries of the steps before it. The entry of a step is made from what the roles said
there, once the step after it has been observed. With a folder for its state, the trail of the running task survives the
death of its process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.components.causes import plan_revision
from stma_ros.components.role_calls import role_call
from stma_ros.components.temporal_memory.saved_history import SavedTrail, StateStore, TaskState
from stma_ros.roles.exploration import trail_lines
from stma_ros.roles.recorder import RECORDER, RecorderRole, RecordQuery
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.exploration import ExplorationPlan, VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan, SkillRequest, Task
from stma_ros.types.sensing import Observation
from stma_ros.types.settings import setting
from stma_ros.types.standard import Header
from stma_ros.types.stepped import StepStamp

_MAX_TASKS = 4  # stored, as messages of the next task may come before the last one has settled


@dataclass(frozen=True)
class TrailMemoryConfig:
    recorder: bool = setting(True, "keep a trail of what was done and found; else there is none")
    trail_steps: int = setting(50, "entries of the trail that are shown, the newest ones", low=1, high=10_000)
    state_dir: str = setting(
        "",
        "folder in which the trail is saved before each belief, to go on in a new process; empty = it is not",
    )


@dataclass
class _TaskTrail:
    """The trail of a task, and the messages that it waits for.

    Attributes:
        restored: belief that a killed process has left, and may not have published.
    """

    task: Task | None = None
    entries: list[str] = field(default_factory=list)
    next_step: int = 0
    requests: dict[int, SkillRequest] = field(default_factory=dict)
    observations: dict[int, Observation] = field(default_factory=dict)
    plans: dict[tuple[int, int], Plan] = field(default_factory=dict)
    checklists: dict[tuple[int, int], ExplorationPlan] = field(default_factory=dict)
    beliefs: dict[int, VisualBelief] = field(default_factory=dict)
    restored: TemporalBelief | None = None


class TrailMemory:
    def __init__(
        self,
        config: TrailMemoryConfig,
        recorder: RecorderRole,
        store: StateStore[SavedTrail] | None = None,
    ) -> None:
        """Creates a memory, with the trail that a killed process has left in the store, if there is one.

        Args:
            config: the settings.
            recorder: role that sums up a step.
            store: saves the trail before each belief; None = it is not saved.

        Raises:
            StorageError: the store cannot be read.
        """
        self._config = config
        self._recorder = recorder
        self._trails: dict[str, _TaskTrail] = {}
        self._state = TaskState(store)
        left = self._state.left
        if left is not None:
            self._trails[left.task.task_id] = _TaskTrail(
                left.task, list(left.entries), left.belief.step + 1, restored=left.belief
            )

    @property
    def resumed_from(self) -> str:
        """Name of the file with the trail that a killed process has left; empty = it began anew."""
        return self._state.resumed_from

    def close(self) -> None:
        """Removes what was saved: only a process that was killed leaves it behind."""
        self._state.clear()

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        task_id = getattr(message, "task_id", "")
        if not task_id or self._state.is_over(task_id):
            return ()
        trail = self._trail(task_id)
        match message:
            case Task():
                trail.task = trail.task or message
            case SkillRequest() if message.step >= trail.next_step:
                trail.requests.setdefault(message.step, message)
            case Observation() if message.step >= trail.next_step:
                trail.observations.setdefault(message.step, message)
            case Plan():
                trail.plans.setdefault((message.step, message.revision), message)
            case ExplorationPlan():
                trail.checklists.setdefault((message.step, message.revision), message)
            case VisualBelief():
                trail.beliefs.setdefault(message.step, message)
            case _:
                return ()
        return self._settle(trail)

    def _trail(self, task_id: str) -> _TaskTrail:
        if task_id not in self._trails:
            self._trails[task_id] = _TaskTrail()
        while len(self._trails) > _MAX_TASKS:
            oldest = next(iter(self._trails))
            del self._trails[oldest]
            self._state.end(oldest)
        return self._trails[task_id]

    def _settle(self, trail: _TaskTrail) -> Iterator[Emission]:
        """Makes the beliefs of the steps whose messages have come, in order."""
        if trail.restored is not None:
            restored, trail.restored = trail.restored, None
            yield topics.TEMPORAL_BELIEF, restored
        while trail.task is not None:
            request = trail.requests.get(trail.next_step)
            observation = trail.observations.get(trail.next_step)
            if request is None or observation is None:
                return
            revision = plan_revision(request)
            before = trail.next_step - 1
            at = StepStamp(
                header=Header(observation.header.stamp), task_id=trail.task.task_id, step=trail.next_step
            )
            if revision is not None and self._config.recorder:
                said = self._said(trail, before, revision)
                if said is None:
                    return
                yield from self._record(trail, trail.task, *said, at)
            trail.next_step += 1
            belief = self._belief(trail, trail.task, observation, at)
            self._save(trail, trail.task, belief)
            yield topics.TEMPORAL_BELIEF, belief
            _drop_before(trail, trail.next_step - 1)

    def _save(self, trail: _TaskTrail, task: Task, belief: TemporalBelief) -> None:
        self._state.save(
            (name for name in self._trails if name != task.task_id),
            lambda earlier: SavedTrail(task, tuple(trail.entries), belief, earlier),
        )

    def _said(
        self, trail: _TaskTrail, step: int, revision: int
    ) -> tuple[VisualBelief, ExplorationPlan, Plan] | None:
        """Returns what the roles said at a step; None if it has not come yet."""
        belief = trail.beliefs.get(step)
        checklist, plan = trail.checklists.get((step, revision)), trail.plans.get((step, revision))
        if belief is None or checklist is None or plan is None:
            return None
        return belief, checklist, plan

    def _record(
        self,
        trail: _TaskTrail,
        task: Task,
        belief: VisualBelief,
        checklist: ExplorationPlan,
        plan: Plan,
        at: StepStamp,
    ) -> Iterator[Emission]:
        if all(action.skill != words.SKILL_EXPLORE for action in plan.actions):
            return  # the robot only looked around
        query = RecordQuery(
            task.text, tuple(trail.entries), belief.text, checklist.assessment, plan.reasoning
        )
        error = ""
        try:
            trail.entries.append(self._recorder.answer(query).text)
        except RoleError as problem:
            error = str(problem)
        yield role_call(RECORDER, query, at, error=error)

    def _belief(
        self, trail: _TaskTrail, task: Task, observation: Observation, at: StepStamp
    ) -> TemporalBelief:
        shown = tuple(trail.entries[-self._config.trail_steps :])
        outcome = observation.last_outcome
        return TemporalBelief(
            at=at,
            active_goals=(task.text,),
            completed=(outcome,) if outcome.request_id else (),
            observations=shown,
            text="\n".join(trail_lines(shown)),
            derived_from=(message_ref(topics.TASK, task), message_ref(topics.OBSERVATION, observation)),
        )


def _drop_before(trail: _TaskTrail, step: int) -> None:
    """Drops the messages of steps before this one, which are no longer needed."""
    for messages in (trail.requests, trail.observations, trail.beliefs):
        for number in [each for each in messages if each < step]:
            del messages[number]
    for revised in (trail.plans, trail.checklists):
        for key in [each for each in revised if each[0] < step]:
            del revised[key]
