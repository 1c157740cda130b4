"""A host assembles the same frames as LocalRuntime when parts are shuffled, late, lost or duplicated."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from stma_ros.agents.local_runtime import LocalRuntime
from stma_ros.agents.registry import AGENTS
from stma_ros.agents.spec import ComponentSpec, plain
from stma_ros.ros.host import ComponentHost
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.sensing.pose_jump_filter import FrameConfig
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.control import JournalEntry
from stma_ros.types.message import Message
from stma_ros.types.planning import Plan
from stma_ros.types.standard import Header, Odometry, PoseStamped, Time, TransformStamped
from stma_ros.types.stepped import StepStamp
from support.ros.small_graph import wired
from support.ros.waiting import eventually

PARTS = (topics.CAMERA_POSE, topics.ODOMETRY, topics.LOCALIZATION)
FRAMES, LAST = 40, 1000


@dataclass(frozen=True)
class SeerConfig(FrameConfig):
    pass


class Seer:
    """Reports the frames that it receives."""

    def __init__(self, config: SeerConfig) -> None:
        pass

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        assert isinstance(message, CameraFrame)
        yield topics.PLAN, Plan(at=StepStamp(header=message.header, step=message.stamp.sec))


SEER = ComponentSpec("seer", lambda: plain(SeerConfig, Seer), inputs=(), outputs=(topics.PLAN,), frame=PARTS)


def part(topic: str, second: int) -> Message:
    header = Header(Time(second), "odom")
    if topic == topics.LOCALIZATION:
        return TransformStamped(header, "odom")
    return Odometry(header) if topic == topics.ODOMETRY else PoseStamped(header)


def queues(rng: random.Random) -> dict[str, list[int]]:
    """Returns the stamps of each topic: some are lost, late or duplicated; the last frame is complete."""
    stamps = {}
    for topic in PARTS:
        seconds = [second for second in range(FRAMES) if rng.random() < 0.9]
        for _ in range(4):
            again = rng.randrange(len(seconds))
            seconds.insert(rng.randrange(again, len(seconds)) + 1, seconds[again])
        stamps[topic] = [*seconds, LAST]
    return stamps


def interleaved(stamps: dict[str, list[int]], rng: random.Random) -> list[tuple[str, int]]:
    left = {topic: list(seconds) for topic, seconds in stamps.items()}
    order = []
    while waiting := [topic for topic in PARTS if left[topic]]:
        topic = rng.choice(waiting)
        order.append((topic, left[topic].pop(0)))
    return order


@pytest.mark.parametrize("seed", [1, 2])
def test_both_runtimes_make_the_same_frames_of_the_same_parts(ros, seed):
    rng = random.Random(seed)
    stamps = queues(rng)
    expected: list[int] = []

    def hear(topic: str, message: Message) -> None:
        if isinstance(message, Plan):
            expected.append(message.step)

    runtime = LocalRuntime([SEER.bind(SeerConfig(), AGENTS.match().domain)], [hear], rng.randrange)
    for topic, second in interleaved(stamps, rng):
        runtime.publish(topic, part(topic, second))
    runtime.run()

    host = ros.add(ComponentHost, "seer", wired(SEER), host__bridge="", host__delivery_delay=0.02)
    ros.up(host)
    plans, journal = ros.listen(topics.PLAN), ros.listen(topics.JOURNAL)
    publish = {topic: ros.publisher(topic) for topic in PARTS}
    for topic, second in interleaved(stamps, rng):
        publish[topic](part(topic, second))
    eventually(lambda: plans and plans[-1].step == LAST, "the last frame")
    assert [plan.step for plan in plans] == expected
    assert FRAMES / 2 < len(expected) < FRAMES
    lines = [(line.topic, line.id) for line in journal if isinstance(line, JournalEntry)]
    assert lines == [(topics.CAMERA_FRAME, str(second * 10**9)) for second in expected]
