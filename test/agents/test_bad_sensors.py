"""Sensor failures during a task: bad frames are skipped with a reason, and the memory stays intact."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

pytest.importorskip("open3d", reason="the house world needs the extra `house`")

from stma_ros.agents.configured_agent import configure_agent
from stma_ros.agents.local_agent import LocalAgent
from stma_ros.types import topics
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode, StmaError
from stma_ros.types.message import Message
from stma_ros.types.planning import SkillRequest, TaskStatus
from stma_ros.types.scene_graph import SceneGraph
from stma_ros.types.sensing import KeyframeDetections
from stma_ros.types.standard import Image, Odometry, Pose, PoseWithCovariance
from stma_ros.types.world import World
from stma_ros.worlds.registry import make_world

FLAT, TASK = 1000, "find the unicorn"


class FaultySensors:
    """A world with one topic that is corrupted in some frames. It stands for broken hardware."""

    def __init__(self, world: World, topic: str, spoil: Callable[[Message], Message], every: int = 3) -> None:
        self._world, self._topic, self._spoil, self._every = world, topic, spoil, every
        self._count = 0
        self.skills = world.skills

    def reset(self, scene: str, seed: int) -> str:
        return self._world.reset(scene, seed)

    def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        for topic, message in self._world.execute(request, cancel):
            if topic == self._topic:
                self._count += 1
                if self._count % self._every == 0:
                    message = self._spoil(message)
            yield topic, message

    def close(self) -> None:
        self._world.close()


def truncated(message: Message) -> Message:
    assert isinstance(message, Image)
    return Image(
        message.header, message.height, message.width, message.encoding, 0, message.step, message.data[:-7]
    )


def all_zero(message: Message) -> Message:
    assert isinstance(message, Image)
    return Image.from_array(message.header, np.zeros_like(message.array()), message.encoding)


def not_a_number(message: Message) -> Message:
    assert isinstance(message, Image)
    return Image.from_array(
        message.header, np.full((message.height, message.width), np.nan, np.float32), "32FC1"
    )


def far_away(message: Message) -> Message:
    assert isinstance(message, Odometry)
    return Odometry(
        message.header, message.child_frame_id, PoseWithCovariance(Pose.planar(500.0, 500.0, 0.0))
    )


def nowhere(message: Message) -> Message:
    assert isinstance(message, Odometry)
    return Odometry(message.header, message.child_frame_id, PoseWithCovariance(Pose.none()))


@pytest.mark.parametrize(
    ("topic", "spoil", "code"),
    [
        (topics.COLOR, truncated, ErrorCode.BAD_IMAGE),
        (topics.DEPTH, truncated, ErrorCode.BAD_IMAGE),
        (topics.DEPTH, all_zero, ErrorCode.BAD_DEPTH),
        (topics.DEPTH, not_a_number, ErrorCode.BAD_DEPTH),
        (topics.SEGMENTATION, truncated, ErrorCode.BAD_IMAGE),
        (topics.ODOMETRY, far_away, ErrorCode.POSE_JUMP),
        (topics.ODOMETRY, nowhere, ErrorCode.POSE_JUMP),
    ],
    ids=[
        "short colour",
        "short depth",
        "zero depth",
        "NaN depth",
        "short segmentation",
        "pose jump",
        "no pose",
    ],
)
def test_a_bad_frame_is_skipped_with_its_reason_and_the_task_goes_on(
    topic: str, spoil: Callable[[Message], Message], code: ErrorCode
) -> None:
    errors: list[ErrorCode] = []
    sizes: list[int] = []

    def watch(_: str, message: Message) -> None:
        if isinstance(message, KeyframeDetections) and message.error:
            errors.append(message.error.code)
        if isinstance(message, SceneGraph):
            sizes.append(len(message.objects))

    house = make_world("house", {"rooms": 3})
    house.reset("", FLAT)
    result = LocalAgent(FaultySensors(house, topic, spoil), configure_agent(), [watch]).run_task(TASK, 12)
    house.close()
    assert result.status is TaskStatus.FAILED  # there is no unicorn; the budget may end first
    assert result.error.code in (ErrorCode.TARGET_NOT_FOUND, ErrorCode.OUT_OF_COMMANDS)
    assert set(errors) == {code}
    assert sizes[-1] >= 15
    assert all(later >= earlier - 2 for earlier, later in itertools.pairwise(sizes))


def test_a_sensor_topic_without_messages_is_named_in_the_result() -> None:
    class Silent(FaultySensors):
        def execute(self, request: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
            return (sent for sent in self._world.execute(request, cancel) if sent[0] != self._topic)

    house = make_world("house", {"rooms": 3})
    house.reset("", FLAT)
    agent = LocalAgent(Silent(house, topics.DEPTH, truncated), configure_agent())
    with pytest.raises(StmaError, match="these never came: scene_graph, frontiers, spatial_belief"):
        agent.run_task(TASK)
    house.close()


@pytest.mark.parametrize("text", ["", "???", "make me a sandwich and fly to the moon", "find", "🦄"])
def test_a_task_that_is_not_understood_is_refused_with_examples(text: str) -> None:
    house = make_world("house", {"rooms": 3})
    house.reset("", FLAT)
    result = LocalAgent(house, configure_agent()).run_task(text)
    house.close()
    assert (result.status, result.error.code) == (TaskStatus.FAILED, ErrorCode.TASK_NOT_UNDERSTOOD)
    assert "find" in result.text
