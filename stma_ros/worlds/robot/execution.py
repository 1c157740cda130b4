"""Executes one skill in a simulated world, from request to outcome."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Outcome, Result, SkillRequest
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Header, Point, Pose, Time
from stma_ros.types.truth import GroundTruth
from stma_ros.worlds.robot import skills
from stma_ros.worlds.robot.body import Body, Canceled
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.sensors import ODOM_FRAME, planar
from stma_ros.worlds.robot.targets import is_finite


def execute(
    body: Body, request: SkillRequest, cancel: CancelToken, truth: Callable[[], GroundTruth]
) -> Iterator[Emission]:
    """Implements World.execute. truth: returns the ground truth at the end of the skill."""
    outcome = yield from attempt(body, request, cancel, skills.perform(body, _truly(body, request), cancel))
    yield topics.GROUND_TRUTH, truth()
    yield topics.OBSERVATION, observation_of(outcome, body.bumper, holding=bool(body.state.held))
    yield topics.OUTCOME, outcome


def attempt(
    body: Body, request: SkillRequest, cancel: CancelToken, motions: Iterator[Emission]
) -> Generator[Emission, None, Outcome]:
    """Yields the frames of a skill, the one at its end included, and returns its outcome.

    Args:
        body: the robot.
        request: the skill.
        cancel: a skill that is canceled before it begins is not begun.
        motions: motions of the body, which fail with SkillError or Canceled.
    """
    began = body.now
    body.begin()
    result, error = Result.SUCCEEDED, Error()
    try:
        if cancel.canceled and request.action.skill != words.SKILL_OBSERVE:
            raise Canceled
        yield from motions
    except SkillError as reason:
        result, error = Result.FAILED, Error.of(reason)
    except Canceled:
        result, error = Result.CANCELED, Error(ErrorCode.CANCELED, cancel.reason)
    yield from body.capture()
    return Outcome(
        header=Header(Time.from_nanoseconds(body.now), ODOM_FRAME),
        request_id=request.request_id,
        task_id=request.task_id,
        step=request.step,
        action=request.action,
        result=result,
        error=error,
        distance=body.driven,
        duration=(body.now - began) / 1e9,
    )


def observation_of(
    outcome: Outcome, bumper: bool, *, holding: bool, episode: EpisodeState = EpisodeState.RUNNING
) -> Observation:
    """Returns the observation after a skill whose last frame has the stamp of the outcome."""
    last = Outcome() if outcome.action.skill == words.SKILL_OBSERVE else outcome
    header = outcome.header
    return Observation(
        header=header,
        task_id=outcome.task_id,
        step=outcome.step,
        watermark=header.stamp,
        last_outcome=last,
        bumper=bumper,
        holding=holding,
        episode=episode,
    )


def _truly(body: Body, request: SkillRequest) -> SkillRequest:
    """Converts the places of a request from the map, by the robot's believed pose, to the home, by its true one."""

    def moved(pose: Pose) -> Pose:
        if not is_finite(pose):
            return pose
        place = pose.position
        true = body.localiser.true_pose(body.base, Placement(place.x, place.y, pose.yaw))
        return replace(planar(true), position=Point(true.x, true.y, place.z))

    if body.localiser.believed == body.base:
        return request
    targets = tuple(replace(target, pose=moved(target.pose)) for target in request.targets)
    base_goal, place_goal = moved(request.base_goal), moved(request.place_goal)
    return replace(request, targets=targets, base_goal=base_goal, place_goal=place_goal)
