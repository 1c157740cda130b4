"""Answers plan requests of an exploration: with an answer to its question, or with the next frontier (Pred-EQA, section
3: Answerer, High-level Planner, Executor).

With pictures of earlier tasks, the answerer is asked before the robot looks around. Where it wants what an old picture
shows to be looked at again, the robot goes to where that was taken; where it wants something to be seen from nearer, it
goes up to that.
"""

from __future__ import annotations

import math
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, replace

from stma_ros.components.role_calls import role_call
from stma_ros.components.step_synchronizer import StepInputs, StepSynchronizer
from stma_ros.memory.elapsed_time import ago
from stma_ros.memory.knowledge_settings import PriorConfig, QuestionConfig
from stma_ros.roles.answerer import ANSWERER, AnswererRole, AnswerQuery, QuestionAnswer
from stma_ros.roles.exploration import FrontierQuery
from stma_ros.roles.exploration_planner import (
    EXPLORATION_PLANNER,
    ChecklistQuery,
    ExplorationPlannerRole,
)
from stma_ros.roles.frontier_chooser import (
    FORESIGHT,
    FRONTIER_CHOOSER,
    INFORMED,
    NEAREST,
    FrontierChooserRole,
)
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.common import Error, MessageRef
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, TaskNotUnderstoodError
from stma_ros.types.exploration import (
    ChecklistItem,
    ExplorationPlan,
    FrontierView,
    ItemState,
    Snapshot,
    VisualBelief,
)
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, Evidence, Plan, PlanRequest
from stma_ros.types.scene_graph import ObjectNode, SceneGraph
from stma_ros.types.sensing import Detection
from stma_ros.types.settings import setting
from stma_ros.types.standard import NANOSECONDS_PER_SECOND
from stma_ros.types.stepped import StepStamp

BRANCHES, TODO, NO_PLAN = "branches", "todo", "none"

INPUTS = (topics.SCENE_GRAPH, topics.VISUAL_BELIEF, topics.TEMPORAL_BELIEF)

_LOOK_AROUND = Action(words.SKILL_LOOK_AROUND)
_LOOK_AGAIN = "It may have changed since I saw it: I go there and look again."
_LOOK_CLOSER = "I go up to the {}, to see it from nearer."
_UNSURE = (words.SKILL_FINISH_UNVERIFIED, words.SKILL_GIVE_UP)
_MAX_FAILED = 256  # frontiers and things to which the robot could not go that are remembered
_MAX_STRIDES = 20  # parts of the way up to one thing
_AT_ITS_PLACE = 0.5  # distance of a detection from the middle of a small thing that it is [m]


@dataclass(frozen=True)
class ExplorationPlannerConfig(QuestionConfig, PriorConfig):
    plan: str = setting(
        BRANCHES,
        "the plan: a checklist with parallel predictions, a list of subgoals, or none",
        choices=(BRANCHES, TODO, NO_PLAN),
    )
    trail_readers: str = setting(
        "all",
        "the roles that read the trail: all (as in the paper), or the planner alone",
        choices=("all", "planner"),
    )
    exploration: str = setting(
        INFORMED,
        "which frontier rules choose: by what is seen there and by the plan, or the nearest one",
        choices=(INFORMED, NEAREST),
    )
    closer_looks: bool = setting(
        True,
        "go up to what the answerer wants to be seen from nearer; False = go to frontiers only, as published",
    )
    foresight: bool = setting(
        False, "prompt the frontier chooser to reason beyond the next step; rules choose as without it"
    )
    blind: bool = setting(False, "answer at once, without a look at anything: a baseline")
    answer_priors: str = setting(
        "",
        "JSON file of pairs [regular expression of a question, usual answer], by which rules answer blindly; empty = "
        "they know no answer",
    )


@dataclass
class _Run:
    """The plan of the running task.

    Attributes:
        task_id: of the task.
        old_before: snapshots with stamps before this one were old when the task began [ns].
        items: the checklist.
        chosen: where the robot was sent last: the id of a frontier, of a thing, or of a snapshot whose place is looked
            at again.
        failed: frontiers and things to which the robot could not go.
        looked_again: snapshots whose places the robot was sent to.
        approached: things that the robot was sent up to, and how often: each time it goes a part of the way.
        gave_no_answer: whether the last plan was none, for the answer of a role could not be used.
    """

    task_id: str
    old_before: float
    items: tuple[ChecklistItem, ...] = ()
    chosen: str = ""
    failed: dict[str, None] = field(default_factory=dict)
    looked_again: set[str] = field(default_factory=set)
    approached: dict[str, int] = field(default_factory=dict)
    gave_no_answer: bool = False


@dataclass
class _Step:
    """What a request is answered from, and what the roles say.

    Attributes:
        frontiers: those to which the robot has not failed to go.
        is_explored: whether there is no way on, not even one that the robot could not take.
        things: of the scene graph.
    """

    request: PlanRequest
    at: StepStamp
    trail: tuple[str, ...]
    snapshots: tuple[Snapshot, ...]
    frontiers: tuple[FrontierView, ...]
    is_explored: bool
    things: tuple[ObjectNode, ...]
    derived_from: tuple[MessageRef, ...]
    assessment: str = ""
    reasoning: str = ""
    error: Error = Error()

    @classmethod
    def of(cls, request: PlanRequest, inputs: StepInputs, failed: Container[str]) -> _Step:
        """Returns the step of a request. failed: where the robot could not go."""
        visual = inputs.get(topics.VISUAL_BELIEF, VisualBelief)
        return cls(
            request,
            request.at.without_frame(),
            inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief).observations,
            visual.snapshots,
            tuple(view for view in visual.frontiers if view.frontier not in failed),
            not visual.frontiers,
            inputs.get(topics.SCENE_GRAPH, SceneGraph).objects,
            (message_ref(topics.PLAN_REQUEST, request), *inputs.sources),
        )


class ExplorationPlanner:
    def __init__(
        self,
        config: ExplorationPlannerConfig,
        answerer: AnswererRole,
        planner: ExplorationPlannerRole,
        chooser: FrontierChooserRole,
    ) -> None:
        """Creates a planner without a task.

        Args:
            config: the settings.
            answerer: role that answers the question, or has the exploration go on.
            planner: role that keeps the checklist.
            chooser: role that selects a frontier.
        """
        self._config = config
        self._answerer = answerer
        self._planner = planner
        self._chooser = chooser
        self._run = _Run("", 0.0)
        self._requests: StepSynchronizer[PlanRequest] = StepSynchronizer(
            topics.PLAN_REQUEST,
            INPUTS,
            lambda request: (request.task_id, request.step, request.belief_revision),
        )

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        for request, inputs in self._requests.add(topic, message):
            yield from self._answer(request, inputs)

    def _answer(self, request: PlanRequest, inputs: StepInputs) -> Iterator[Emission]:
        if request.task_id != self._run.task_id:
            age = self._config.recheck_after * NANOSECONDS_PER_SECOND
            self._run = _Run(request.task_id, request.header.stamp.nanoseconds - age)
        if request.feedback and self._run.chosen and not self._run.gave_no_answer:
            self._run.failed[self._run.chosen] = None
            while len(self._run.failed) > _MAX_FAILED:
                del self._run.failed[next(iter(self._run.failed))]
        step = _Step.of(request, inputs, self._run.failed)
        if self._config.blind:
            step = replace(step, trail=(), snapshots=(), frontiers=())
            guess = yield from self._final_answer(step)
            yield from self._conclude(step, guess)
            return
        if request.step == 0 and _LOOK_AROUND in request.allowed_actions:
            yield from self._begin(step)
            return
        plan = yield from self._answer_or_look_again(step)
        if plan is None:
            yield from self._update_checklist(step)
            plan = yield from self._choose(step)
        if plan is None:
            plan = yield from self._final_answer(step)
        yield from self._conclude(step, plan)

    def _is_old(self, snapshot: Snapshot) -> bool:
        """Whether a snapshot was taken so long before the task that what can move may have moved since."""
        return snapshot.stamp.nanoseconds < self._run.old_before

    def _begin(self, step: _Step) -> Iterator[Emission]:
        """Answers at once, or looks at a place again, if the task began with pictures of earlier ones; otherwise looks
        around."""
        plan = None
        if len(step.snapshots) > 1:  # the first frame of a task is a single one
            plan = yield from self._answer_or_look_again(step)
        if plan is None or (not plan.error and plan.actions[0].skill in _UNSURE):
            plan = Plan(actions=(_LOOK_AROUND,), reasoning="First I look around.")
        yield from self._conclude(step, plan)

    def _answer_or_look_again(self, step: _Step) -> Generator[Emission, None, Plan | None]:
        """Returns the plan that ends the task, or goes to where an old picture was taken that the answerer wants to be
        looked at again; None if the exploration goes on."""
        places = self._places_to_look_again(step)
        is_spent = step.request.step > self._config.steps
        if is_spent or not (
            step.frontiers or places or any(self._may_approach(each, step) for each in step.things)
        ):
            return (yield from self._final_answer(step))
        answer = yield from self._ask_answerer(step, must_answer=False)
        step.assessment = answer.reasoning
        if answer.answer or step.error:
            return _final(answer, step)
        again = next((step.snapshots[each].id for each in answer.evidence if each in places), None)
        if again is not None:
            self._run.looked_again.add(again)
            self._run.chosen = again
            return Plan(actions=(Action(words.SKILL_EXPLORE, (again,)),), reasoning=_LOOK_AGAIN)
        closer = self._next_approach(answer, step)
        if closer is not None:
            self._run.approached[closer.id] = self._run.approached.get(closer.id, 0) + 1
            self._run.chosen = closer.id
            reasoning = _LOOK_CLOSER.format(closer.category)
            return Plan(actions=(Action(words.SKILL_EXPLORE, (closer.id,)),), reasoning=reasoning)
        if answer.evidence or not step.frontiers:  # it cannot be looked at again, or there is no way on
            return (yield from self._final_answer(step))
        return None

    def _final_answer(self, step: _Step) -> Generator[Emission, None, Plan]:
        """Returns the plan that ends the task, with the best answer there is."""
        answer = yield from self._ask_answerer(step, must_answer=True)
        step.assessment = answer.reasoning
        return _final(answer, step)

    def _places_to_look_again(self, step: _Step) -> tuple[int, ...]:
        """Returns the positions of the old snapshots whose places the robot can go to, and has not gone to yet."""
        allowed, looked_again = step.request.allowed_actions, self._run.looked_again
        return tuple(
            number
            for number, each in enumerate(step.snapshots)
            if self._is_old(each)
            and each.id not in looked_again
            and Action(words.SKILL_EXPLORE, (each.id,)) in allowed
        )

    def _next_approach(self, answer: QuestionAnswer, step: _Step) -> ObjectNode | None:
        """Returns the thing of the scene graph to go up to: of those that the answerer wants to be seen from nearer the
        one to which the robot is on its way, or else the first; None if it can go to none."""
        wanted = (
            _thing_of(step.snapshots[look.snapshot].detections[look.detection], step.things)
            for look in answer.closer
        )
        things = [thing for thing in wanted if thing is not None and self._may_approach(thing, step)]
        return min(things, key=lambda thing: thing.id != self._run.chosen, default=None)

    def _may_approach(self, thing: ObjectNode, step: _Step) -> bool:
        """Whether the robot can go up to a thing, or farther up to it; not back to one that it has left."""
        strides = self._run.approached.get(thing.id, 0)
        return (
            self._config.closer_looks
            and (strides == 0 or thing.id == self._run.chosen)
            and strides < _MAX_STRIDES
            and thing.id not in self._run.failed
            and Action(words.SKILL_EXPLORE, (thing.id,)) in step.request.allowed_actions
        )

    def _seen_ago(self, step: _Step) -> tuple[str, ...]:
        """Returns AnswerQuery.seen_ago."""
        now = step.at.header.stamp
        texts = tuple(ago(each.stamp, now) if self._is_old(each) else "" for each in step.snapshots)
        return texts if any(texts) else ()

    def _ask_answerer(self, step: _Step, *, must_answer: bool) -> Generator[Emission, None, QuestionAnswer]:
        query = AnswerQuery(
            step.request.task,
            self._run.items,
            self._trail(step),
            step.snapshots,
            step.frontiers,
            is_explored=step.is_explored and not self._config.blind,
            must_answer=must_answer,
            seen_ago=self._seen_ago(step),
        )
        answer, error = QuestionAnswer(""), ""
        try:
            answer = self._answerer.answer(query)
        except TaskNotUnderstoodError as problem:
            answer, error = QuestionAnswer("", reasoning=str(problem)), str(problem)
            step.error = Error.of(problem)
        except RoleError as problem:
            error = str(problem)
            if must_answer:
                step.error = Error.of(problem)
        yield role_call(ANSWERER, query, step.at, error=error)
        return answer

    def _update_checklist(self, step: _Step) -> Iterator[Emission]:
        """Asks the planner for the checklist. Without a usable answer it stays as it is."""
        if self._config.plan == NO_PLAN:
            return
        query = ChecklistQuery(
            step.request.task,
            self._run.items,
            step.trail,
            step.snapshots,
            step.frontiers,
            branches=self._config.plan == BRANCHES,
        )
        error = ""
        try:
            answer = self._planner.answer(query)
        except RoleError as problem:
            error = str(problem)
        else:
            self._run.items, step.reasoning = answer.items, answer.reasoning
        yield role_call(EXPLORATION_PLANNER, query, step.at, error=error)

    def _choose(self, step: _Step) -> Generator[Emission, None, Plan | None]:
        """Asks the chooser for a frontier; returns no plan if it stops the exploration."""
        query = FrontierQuery(
            step.request.task,
            self._run.items,
            self._trail(step),
            step.snapshots,
            step.frontiers,
            mode=FORESIGHT if self._config.foresight else "",
        )
        error, plan = "", None
        try:
            answer = self._chooser.answer(query)
        except RoleError as problem:
            error, plan = str(problem), Plan(error=Error.of(problem))
        else:
            if answer.frontier is not None:
                self._run.chosen = step.frontiers[answer.frontier].frontier
                action = Action(words.SKILL_EXPLORE, (self._run.chosen,))
                plan = Plan(actions=(action,), reasoning=answer.reasoning)
        yield role_call(FRONTIER_CHOOSER, query, step.at, error=error)
        return plan

    def _trail(self, step: _Step) -> tuple[str, ...]:
        return step.trail if self._config.trail_readers == "all" else ()

    def _conclude(self, step: _Step, plan: Plan) -> Iterator[Emission]:
        yield (
            topics.EXPLORATION_PLAN,
            ExplorationPlan(
                at=step.at,
                question=step.request.task,
                items=self._run.items,
                assessment=step.assessment,
                reasoning=step.reasoning,
                derived_from=step.derived_from,
            ),
        )
        self._run.gave_no_answer = bool(plan.error)
        subgoal = next((item.text for item in self._run.items if item.state == ItemState.IN_PROGRESS), "")
        yield topics.PLAN, replace(plan, at=step.at, subgoal=subgoal, derived_from=step.derived_from)


def _final(answer: QuestionAnswer, step: _Step) -> Plan:
    """Returns the plan that ends the task: with an answer, a guess that says so, or without one."""
    if step.error:
        return Plan(error=step.error)
    if not answer.answer:
        return Plan(actions=(Action(words.SKILL_GIVE_UP),), reasoning=answer.reasoning)
    skill = words.SKILL_ANSWER if answer.is_sure else words.SKILL_FINISH_UNVERIFIED
    shown = (step.snapshots[number] for number in answer.evidence)
    return Plan(actions=(Action(skill),), reasoning=answer.answer, evidence=tuple(map(_evidence, shown)))


def _thing_of(found: Detection, things: Sequence[ObjectNode]) -> ObjectNode | None:
    """Returns the thing of the scene graph that a detection is: the nearest one of its category; None if there is none
    at its place."""
    alike = [thing for thing in things if thing.category == found.category]
    nearest = min(alike, key=lambda thing: _distance(found, thing), default=None)
    if nearest is None or _distance(found, nearest) > _AT_ITS_PLACE + max(*astuple(nearest.size)) / 2:
        return None
    return nearest


def _distance(found: Detection, thing: ObjectNode) -> float:
    return math.dist(astuple(found.center), astuple(thing.center))


def _evidence(snapshot: Snapshot) -> Evidence:
    return Evidence(
        snapshot=snapshot.id, stamp=snapshot.stamp, camera=snapshot.camera, picture=snapshot.picture
    )
