"""Camera frames of a robot that drives through a flat, for measurements of nodes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from stma_ros.evaluation.flats import MAPPING
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.component import CancelToken
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, SkillRequest, SkillTarget
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Pose, Time
from stma_ros.worlds.house.config import VARIED_STATES, HouseConfig
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.house import House
from stma_ros.worlds.house.place import scene_of
from stma_ros.worlds.house.starting import start_pose

FrameParts: TypeAlias = dict[str, Message]
"""The messages of one frame by topic, in the order in which a bridge publishes them."""

_HIGHEST_RATE = 30.0  # [Hz] a frame for each small motion


def drive_frames(seed: int, count: int, width: int, height: int, rate: float) -> tuple[FrameParts, ...]:
    """Renders what a robot sees that drives to places all over the flat of a seed and looks around at each.

    Args:
        seed: Chooses flat, start, and places.
        count: Number of frames.
        width: Width of the images [px].
        height: Height of the images [px].
        rate: Frames per second by their stamps; the first one has the stamp 1 / rate.

    Returns:
        The frames, without noise.

    Raises:
        ConfigurationError: The seed is out of range.
        MissingDependencyError: Open3D cannot be loaded.
    """
    frames: list[FrameParts] = []
    for parts in _driven(seed, width, height):
        frames.append(
            _at(parts, Time.from_nanoseconds(round((len(frames) + 1) * NANOSECONDS_PER_SECOND / rate)))
        )
        if len(frames) == count:
            break
    return tuple(frames)


def _driven(seed: int, width: int, height: int) -> Iterator[FrameParts]:
    number = MAPPING.of(seed, 0)[0]
    config = HouseConfig(
        width=width,
        height=height,
        frame_rate=_HIGHEST_RATE,
        states=VARIED_STATES,  # no door is closed on the way
        map_yaw=0.0,  # places of the home are those of the map
        map_offset="0,0",
    )
    flat, draws = make_flat(number), np.random.default_rng(number)
    with closing(House(config)) as house:
        house.reset(scene_of(number), number)
        while True:
            place = start_pose(flat, draws)
            request = SkillRequest(
                action=Action(words.SKILL_EXPLORE),
                targets=(SkillTarget(),),
                base_goal=Pose.planar(place.x, place.y, place.yaw),
            )
            parts: FrameParts = {}
            for topic, message in house.execute(request, CancelToken()):
                if topic in topics.FRAME:
                    parts[topic] = message
                if len(parts) == len(topics.FRAME):
                    yield parts
                    parts = {}


def _at(parts: FrameParts, stamp: Time) -> FrameParts:
    """Returns the frame with another stamp."""
    moved: FrameParts = {}
    for topic, message in parts.items():
        header = replace(message.header, stamp=stamp)  # type: ignore[attr-defined]
        moved[topic] = replace(message, header=header)  # type: ignore[type-var]
    return moved
