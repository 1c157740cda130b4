"""A world that keeps its promises, and ways to make it break one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stma_ros.types import topics
from stma_ros.types.boxes import BoundingBox3D
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.message import Message
from stma_ros.types.planning import Outcome, SkillRequest, SkillSchema
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Clock, Header, Image, Point, Point32, Polygon, Pose, Time, Vector3
from stma_ros.types.truth import GroundTruth, GroundTruthObject, GroundTruthRoom
from stma_ros.types.world import World
from stma_ros.worlds.registry import make_world


class Whole:
    """The scripted robot with a ground truth of its own: a cup, which is in the hand whenever that holds
    something."""

    def __init__(self) -> None:
        self.robot = make_world("scripted", {"width": 32, "height": 24})
        self.scene = ""

    @property
    def skills(self) -> tuple[SkillSchema, ...]:
        return self.robot.skills

    def reset(self, scene: str, seed: int) -> str:
        self.scene = self.robot.reset(scene, seed)
        return self.scene

    def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
        base = Pose()
        for topic, message in self.robot.execute(wanted, cancel):
            if topic == topics.ODOMETRY:
                base = message.pose.pose  # type: ignore[attr-defined]
            if isinstance(message, Observation):
                yield topics.GROUND_TRUTH, self.truth(message, base)
            yield topic, message

    def truth(self, observation: Observation, base: Pose) -> GroundTruth:
        corners = tuple(Point32(x, y) for x, y in ((0, 0), (6, 0), (6, 5), (0, 5)))
        cup = GroundTruthObject(
            name="cup_7",
            category="cup",
            box=BoundingBox3D.aligned(Point(1.0, 1.0, 0.8), Vector3(0.1, 0.1, 0.1)),
            room="room_1",
        )
        cup = replace(cup, support="robot" if observation.holding else "")
        room = GroundTruthRoom(name="room_1", category="kitchen", footprint=Polygon(corners))
        return GroundTruth(
            header=Header(observation.header.stamp, "map"),
            scene=self.scene,
            robot=base,
            rooms=(room,),
            objects=(cup,),
        )

    def close(self) -> None:
        self.robot.close()


Breaks = Callable[[SkillRequest, list[Emission]], Sequence[Emission]]


def saying(breaks: Breaks) -> Callable[[], World]:
    """Returns a world whose emissions are changed by `breaks`."""

    class Broken(Whole):
        def execute(self, wanted: SkillRequest, cancel: CancelToken) -> Iterator[Emission]:
            yield from breaks(wanted, list(super().execute(wanted, cancel)))

    return Broken


def telling(topic: str, **changes: Any) -> Callable[[], World]:
    """Returns a world whose messages of a topic have other values; a value may be a function of the old one."""

    def changed(message: Message) -> Message:
        values = {k: v(getattr(message, k)) if callable(v) else v for k, v in changes.items()}
        return replace(message, **values)  # type: ignore[type-var]

    return saying(lambda _, said: [(name, changed(m) if name == topic else m) for name, m in said])


def failing(skill: str, **changes: Any) -> Callable[[], World]:
    """Returns a world whose outcomes of one skill have other values, in its observation as well."""

    def breaks(wanted: SkillRequest, said: list[Emission]) -> Iterator[Emission]:
        for topic, message in said:
            if wanted.action.skill != skill:
                yield topic, message
            elif isinstance(message, Outcome):
                yield topic, replace(message, **changes)
            elif isinstance(message, Observation):
                yield topic, replace(message, last_outcome=replace(message.last_outcome, **changes))
            else:
                yield topic, message

    return saying(breaks)


def shifted(said: Iterator[Emission], seconds: int) -> Iterator[Emission]:
    def later(stamp: Time) -> Time:
        return replace(stamp, sec=stamp.sec + seconds)

    for topic, message in said:
        if isinstance(message, Clock):
            yield topic, Clock(later(message.clock))
            continue
        header: Header = message.header  # type: ignore[attr-defined]
        moved: Any = replace(message, header=replace(header, stamp=later(header.stamp)))  # type: ignore[type-var]
        yield (
            topic,
            replace(moved, watermark=later(moved.watermark)) if topic == topics.OBSERVATION else moved,
        )


def jumping(
    _: SkillRequest, said: list[Emission], odd: Any = itertools.cycle((0.0, 5.0))
) -> Iterator[Emission]:
    for topic, message in said:
        if topic == topics.ODOMETRY:
            pose = message.pose  # type: ignore[attr-defined]
            place = replace(pose.pose.position, x=pose.pose.position.x + next(odd))
            yield topic, replace(message, pose=replace(pose, pose=replace(pose.pose, position=place)))  # type: ignore[type-var]
        else:
            yield topic, message


def pixels(change: Callable[[np.ndarray], np.ndarray]) -> Breaks:
    """Returns a break that changes the pixels of the depth images."""

    def breaks(_: SkillRequest, said: list[Emission]) -> Iterator[Emission]:
        for topic, message in said:
            if topic == topics.DEPTH and isinstance(message, Image):
                array = change(np.array(message.array()))
                yield topic, Image.from_array(message.header, array, message.encoding)
            else:
                yield topic, message

    return breaks


def cup(**changes: Any) -> dict[str, Any]:
    return {"objects": lambda objects: tuple(replace(thing, **changes) for thing in objects)}


def frozen(_: SkillRequest, said: list[Emission]) -> Iterator[Emission]:
    """Gives all frames of a skill the stamp of the first."""
    return ((t, m) for t, m in shifted_to(said, said[0][1]))


def shifted_to(said: list[Emission], first: Any) -> Iterator[Emission]:
    for topic, message in said:
        if isinstance(message, Clock):
            yield topic, Clock(first.header.stamp)
            continue
        header = replace(message.header, stamp=first.header.stamp)  # type: ignore[attr-defined]
        moved: Any = replace(message, header=header)  # type: ignore[type-var]
        yield topic, replace(moved, watermark=first.header.stamp) if topic == topics.OBSERVATION else moved


def without(topic: str) -> Callable[[], World]:
    return saying(lambda _, said: [one for one in said if one[0] != topic])
