"""One skill from request to outcome: what a simulated world yields for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, SkillError
from stma_ros.types.planning import Outcome, Result, SkillRequest
from stma_ros.types.sensing import Observation
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
    """See World.execute. `truth` says at the end how things are."""
    began = body.now
    body.begin()
    result, error = Result.SUCCEEDED, Error()
    try:
        if cancel.canceled and request.action.skill != words.SKILL_OBSERVE:
            raise Canceled  # before it begins
        yield from skills.perform(body, _truly(body, request), cancel)
    except SkillError as reason:
        result, error = Result.FAILED, Error.of(reason)
    except Canceled:
        result, error = Result.CANCELED, Error(ErrorCode.CANCELED, cancel.reason)
    yield from body.capture()
    stamp = Time.from_nanoseconds(body.now)
    header = Header(stamp, ODOM_FRAME)
    outcome = Outcome(
        header,
        request.request_id,
        request.task_id,
        request.step,
        request.action,
        result,
        error,
        body.driven,
        (body.now - began) / 1e9,
    )
    last = Outcome() if request.action.skill == words.SKILL_OBSERVE else outcome
    yield topics.GROUND_TRUTH, truth()
    yield (
        topics.OBSERVATION,
        Observation(header, request.task_id, request.step, stamp, last, body.bumper, bool(body.state.held)),
    )
    yield topics.OUTCOME, outcome


def _truly(body: Body, request: SkillRequest) -> SkillRequest:
    """The request with its places where they really are: the robot says them as it believes itself to be placed."""

    def moved(pose: Pose) -> Pose:
        if not is_finite(pose):
            return pose
        place = pose.position
        true = body.localiser.truly(body.base, Placement(place.x, place.y, pose.yaw))
        return replace(planar(true), position=Point(true.x, true.y, place.z))

    if body.localiser.believed == body.base:
        return request
    targets = tuple(replace(target, pose=moved(target.pose)) for target in request.targets)
    return replace(request, targets=targets, base_goal=moved(request.base_goal))
