"""The suite `eqa_again`: a second, different question in a home that the agent has explored to answer the first one.

What the second question is about was seen before. Between both, someone else moves things, opens and closes some.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from stma_ros.evaluation.causes import reason_of
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.eqa.assessment import rule_judge
from stma_ros.evaluation.eqa.generation.episode import QuestionEpisode
from stma_ros.evaluation.eqa.generation.follow_up import FollowUp, Subject, follow_up
from stma_ros.evaluation.eqa.generation.generator import question_episode
from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.oracle import Oracle
from stma_ros.evaluation.eqa.scoring import RIGHT
from stma_ros.evaluation.eqa.suite import (
    CAMERA,
    HOME,
    PATH,
    SPARE_COMMANDS,
    failure_of,
    robot_base,
    told_answer,
)
from stma_ros.evaluation.flats import EQA
from stma_ros.evaluation.suite import Defaults, Score
from stma_ros.memory.snapshots import snapshot_stamp
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import StmaError
from stma_ros.types.planning import SkillRequest, TaskResult, TaskStatus
from stma_ros.types.settings import setting
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.house.changes import Changes
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.state import SceneState

AT_ONCE, RIGHT_AT_ONCE = "at_once", "right_at_once"
"""The keys of measures of questions about what lasts: whether it was answered without a step, and sure; whether such an
answer is right [%]."""

RIGHT_AGAIN, LOOKED_AGAIN, CHANGED = "right_again", "looked_again", "changed"
"""The keys of measures of questions about what can move or change: whether the answer is right, whether the robot went
to where a picture was taken before, and whether it has moved or changed indeed [%]."""

RIGHT_CHANGED = "right_changed"
"""The key of a measure: whether the answer is right, of what has moved or changed [%]."""

EVIDENCE_AGE, SEEN_BEFORE = "evidence_age_s", "seen_before_s"
"""The keys of measures: how long before the answer the newest cited picture was taken, and how old the picture was of
which the place was looked at again [s]."""

_STREAM = 52  # number of the random stream
_TURN = (Subject.LASTING, Subject.PORTABLE, Subject.LASTING, Subject.STATE)


@dataclass(frozen=True)
class EqaAgainSettings:
    steps: int = setting(50, "steps of a task, after which an answer is given", low=1, high=1000)
    changes: int = setting(12, "things that someone else moves, opens or closes in between", low=0, high=20)
    width: int = setting(320, "width of the images", unit="px", low=16, high=4096)
    height: int = setting(240, "height of the images", unit="px", low=12, high=4096)
    recheck_after: float = setting(
        0.0,
        "age from which on the agent looks again (planner.recheck_after); 0, as little time passes here",
        unit="s",
        low=0,
    )


@dataclass(frozen=True)
class EqaAgainEpisode:
    """A pair of questions, as a suite.FollowingEpisode; the second one is known once the first one is answered. Its
    subject is another one than planned if nothing of that was seen. `camera`: that of the world."""

    index: int
    first: QuestionEpisode
    changes: int
    max_commands: int
    second: FollowUp | None = None
    camera: Camera = Camera()

    @property
    def subject(self) -> Subject:
        return _TURN[self.index % len(_TURN)]

    @property
    def group(self) -> str:
        return self.subject.value

    @property
    def scene(self) -> str:
        return self.first.task.scene

    @property
    def seed(self) -> int:
        return self.first.task.seed

    @property
    def first_text(self) -> str:
        return self.first.task.text

    @property
    def text(self) -> str:
        return self.second.text if self.second is not None else ""

    @property
    def optimal_steps(self) -> int:
        """One look, which what lasts does not take."""
        return 1

    def follow(self, trace: EpisodeTrace) -> EqaAgainEpisode:
        """Raises StmaError if the robot has moved a small thing, or saw nothing that a question could be about."""
        before = self._home
        bases = [robot_base(truth, trace.map_frame) for truth in trace.truths]
        left = _left_by_robot(before.state, trace.truths)
        state = Changes(0, self.seed).between_tasks(
            self.changes, before.flat, left, bases[-1], _handled(trace.truths)
        )
        now = QuestionHome(self.first.flat_seed, state)
        oracle = Oracle(before, self.camera)
        places = np.array([(base.x, base.y) for base in bases])
        rng = np.random.default_rng((self.seed, self.index, _STREAM))
        for subject in dict.fromkeys((self.subject, *Subject)):
            changed = subject is not Subject.LASTING and self.index // len(_TURN) % 2 == 0
            second = follow_up(oracle, left, now, places, subject, changed, rng, first=self.first_text)
            if second is not None:
                return replace(self, second=second)
        raise StmaError("nothing was seen that a second question could ask about")

    def score(self, result: TaskResult, trace: EpisodeTrace) -> Score:
        """Scores the second answer, and whether it took a look."""
        second = self.second
        assert second is not None, "the first question is answered first"
        answer = told_answer(result)
        grade = rule_judge().score(second.text, second.answers, answer)
        is_right = 100.0 * (grade is not None and grade >= RIGHT)
        measures: dict[str, float] = {PATH: trace.driven}
        ages = [age for request in trace.requests if (age := _age_of_place(request)) is not None]
        if second.subject is Subject.LASTING:
            is_at_once = result.commands == 0 and result.status == TaskStatus.SUCCEEDED
            measures |= {AT_ONCE: 100.0 * is_at_once, **({RIGHT_AT_ONCE: is_right} if is_at_once else {})}
        else:
            measures |= {
                RIGHT_AGAIN: is_right,
                LOOKED_AGAIN: 100.0 * bool(ages),
                CHANGED: 100.0 * second.has_changed,
                **({RIGHT_CHANGED: is_right} if second.has_changed else {}),
            }
        if ages:
            measures[SEEN_BEFORE] = ages[0]
        if result.evidence:
            newest = max(each.stamp.nanoseconds for each in result.evidence)
            measures[EVIDENCE_AGE] = (result.header.stamp.nanoseconds - newest) / 1e9
        changed = "it has changed since" if second.has_changed else "it is as it was"
        detail = f"{answer!r}, right is {second.answers[0]!r} (score {grade}); {changed}; {result.commands} commands"
        return Score(
            failure_of(result, grade), detail if answer else f"{reason_of(result)}; {detail}", measures
        )

    @cached_property
    def _home(self) -> QuestionHome:
        return QuestionHome(self.first.flat_seed)


def _left_by_robot(before: SceneState, truths: Sequence[GroundTruth]) -> SceneState:
    """Returns the state in which a task ended.

    Args:
        before: the state in which it began.
        truths: its ground truths, oldest first.

    Raises:
        StmaError: the robot has moved a small thing, whose place the ground truth does not tell exactly.
    """
    for one, other in pairwise(truths):
        for thing, later in zip(one.objects, other.objects, strict=True):
            if (thing.support, thing.inside) != (later.support, later.inside):
                raise StmaError(f"the robot moved {thing.name}, about which no second question can be asked")

    def present(names: frozenset[str], state: str) -> frozenset[str]:
        first, last = (
            {thing.name for thing in truth.objects if state in thing.states}
            for truth in (truths[0], truths[-1])
        )
        return names - first | last

    return replace(
        before,
        open_names=present(before.open_names, words.STATE_OPEN),
        on_names=present(before.on_names, words.STATE_ON),
        full_names=present(before.full_names, words.STATE_FULL),
    )


def _handled(truths: Sequence[GroundTruth]) -> frozenset[str]:
    """Returns the names of the things that the robot has opened, closed, switched or filled."""
    return frozenset(
        thing.name
        for one, other in pairwise(truths)
        for thing, later in zip(one.objects, other.objects, strict=True)
        if thing.states != later.states
    )


def _age_of_place(request: SkillRequest) -> float | None:
    """Returns how old the picture is to whose place the robot is sent [s]; None if it is sent elsewhere."""
    if request.action.skill != words.SKILL_EXPLORE:
        return None
    taken = snapshot_stamp(request.action.arguments[0])
    return None if taken is None else (request.header.stamp.nanoseconds - taken.nanoseconds) / 1e9


class EqaAgain:
    """The Suite. Questions about what lasts, and about what can move or change, take turns."""

    name = "eqa_again"
    worlds = ("house",)
    defaults = Defaults(seed=0, episodes=20)
    scene_options = (
        "rooms",
        "states",
        "identity_seed",
        "palette_seed",
        "changes",
        "changes_between",
        *CAMERA,
    )

    def __init__(self, settings: EqaAgainSettings = EqaAgainSettings()) -> None:
        self._settings = settings

    @property
    def settings(self) -> Mapping[str, Any]:
        return asdict(self._settings)

    @property
    def columns(self) -> Mapping[str, str]:
        return {
            AT_ONCE: "lasting: at once",
            RIGHT_AT_ONCE: "right of these",
            RIGHT_AGAIN: "portable, state: right",
            LOOKED_AGAIN: "looked again",
            CHANGED: "changed",
            RIGHT_CHANGED: "right of changed",
            SEEN_BEFORE: "seen before [s]",
            EVIDENCE_AGE: "evidence [s]",
            PATH: "path [m]",
        }

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            "The second question is about something that was in view, by ground truth, from where the robot looked "
            "around for the first one. Answers are judged by rules.",
        )

    @property
    def component_settings(self) -> Mapping[str, Mapping[str, Any]]:
        return {"planner": {"steps": self._settings.steps, "recheck_after": self._settings.recheck_after}}

    @property
    def world_options(self) -> Mapping[str, Any]:
        images = {"width": self._settings.width, "height": self._settings.height}
        return {**HOME, **images, "changes_between": self._settings.changes}

    def check(self, seed: int | None, episodes: int) -> None:
        EQA.of(seed, episodes - 1)

    def episode(self, seed: int | None, index: int) -> EqaAgainEpisode:
        EQA.of(seed, index)
        assert seed is not None  # or the line above would have raised
        first = question_episode(seed, index)
        commands = self._settings.steps + SPARE_COMMANDS
        camera = Camera(self._settings.width, self._settings.height)
        return EqaAgainEpisode(index, first, self._settings.changes, commands, camera=camera)
