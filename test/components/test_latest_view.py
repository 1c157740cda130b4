"""Tests of the picture of each step's observation."""

from __future__ import annotations

import io
import random
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image as Pixels

from stma_ros.components.visual_memory.latest_view import LatestView, LatestViewConfig
from stma_ros.sensing.camera_frame import frame_of
from stma_ros.types import topics
from stma_ros.types.component import Emission
from stma_ros.types.exploration import VisualBelief
from stma_ros.types.message import Message
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Image, Odometry, Time, TransformStamped


def _frame(second: int, shade: int, *, broken: bool = False) -> tuple[str, Message]:
    header = Header(Time(second))
    pixels = np.full((12, 16, 3), shade, np.uint8)
    color = (
        Image(header=header, height=12, width=16, encoding="nonsense")
        if broken
        else Image.from_array(header, pixels, "rgb8")
    )
    parts: dict[str, Message] = {
        topics.COLOR: color,
        topics.ODOMETRY: Odometry(header=header),
        topics.LOCALIZATION: TransformStamped(header=header),
    }
    return topics.CAMERA_FRAME, frame_of(parts)


def _observation(step: int, second: int) -> tuple[str, Message]:
    return topics.OBSERVATION, Observation(
        header=Header(Time(second)), task_id="task_1", step=step, watermark=Time(second)
    )


def _run(messages: Sequence[tuple[str, Message]], width: int = 640) -> list[VisualBelief]:
    component = LatestView(LatestViewConfig(picture_width=width))
    out: list[Emission] = [each for topic, message in messages for each in component.handle(topic, message)]
    return [message for _, message in out if isinstance(message, VisualBelief)]


def _shade(belief: VisualBelief) -> int:
    (snapshot,) = belief.snapshots
    with Pixels.open(io.BytesIO(snapshot.picture.data.tobytes())) as picture:
        return int(np.asarray(picture).mean())


MESSAGES = (
    _frame(1, 20),
    _frame(2, 60),
    _observation(0, 2),
    _frame(3, 100),
    _frame(4, 140),
    _observation(1, 4),
)


def test_step_shows_the_last_frame_before_its_end() -> None:
    first, second = _run(MESSAGES)
    assert (first.step, first.task_id, first.header.stamp) == (0, "task_1", Time(2))
    assert [_shade(first), _shade(second)] == pytest.approx([60, 140], abs=2)


@pytest.mark.parametrize("seed", range(6))
def test_observations_and_frames_may_overtake_each_other(seed: int) -> None:
    rng = random.Random(seed)
    frames = [each for each in MESSAGES if each[0] == topics.CAMERA_FRAME]
    observations = [each for each in MESSAGES if each[0] == topics.OBSERVATION]
    mixed: list[tuple[str, Message]] = []
    while frames or observations:  # each topic keeps its own order
        source = rng.choice([each for each in (frames, observations) if each])
        mixed.append(source.pop(0))
    assert _run(mixed) == _run(MESSAGES)


def test_step_without_a_usable_picture_has_none_and_the_task_goes_on() -> None:
    (belief,) = _run([_frame(1, 20), _frame(2, 60, broken=True), _observation(0, 2)])
    assert belief.snapshots == ()
    (without,) = _run([_observation(0, 0)])
    assert without.snapshots == ()


def test_step_waits_for_its_frame_and_is_told_once() -> None:
    assert _run([_frame(1, 20), _observation(0, 2)]) == []
    assert len(_run([_observation(0, 2), _frame(2, 20), _observation(0, 2), _frame(3, 20)])) == 1


def test_picture_is_no_wider_than_the_setting() -> None:
    (belief,) = _run(MESSAGES[:3], width=16)
    with Pixels.open(io.BytesIO(belief.snapshots[0].picture.data.tobytes())) as picture:
        assert picture.size == (16, 12)


def test_frames_of_an_idle_robot_do_not_pile_up() -> None:
    component = LatestView(LatestViewConfig())
    for second in range(1, 200):
        assert list(component.handle(*_frame(second, 10))) == []
    assert len(component._frames) <= 64
