"""Tests of the frame assembler: its frames depend on the order within each topic alone, also with lost parts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing import assembler
from stma_ros.sensing.assembler import MAX_WAITING_FRAMES, FrameAssembler
from stma_ros.sensing.camera_frame import CameraFrame
from stma_ros.types import topics
from stma_ros.types.message import Message
from stma_ros.types.standard import CameraInfo, Header, Image, Odometry, PoseStamped, Time, TransformStamped

PARTS = topics.DEPTH_FRAME
DEPTH = np.full((6, 8), 1500, np.uint16)
K = np.array([4.0, 0, 3.5, 0, 4.0, 2.5, 0, 0, 1])


def part_at(topic: str, second: float) -> Message:
    header = Header(Time.from_nanoseconds(round(second * 10**9)), "odom")
    if topic == topics.DEPTH:
        return Image.from_array(header, DEPTH, "16UC1")
    if topic == topics.CAMERA_INFO:
        return CameraInfo(header, 6, 8, k=K)
    if topic == topics.LOCALIZATION:
        return TransformStamped(header, "odom")
    return Odometry(header) if topic == topics.ODOMETRY else PoseStamped(header)


def assemble(made: FrameAssembler, order: Iterable[tuple[str, float]]) -> list[CameraFrame]:
    taken = (made.add(topic, part_at(topic, second)) for topic, second in order)
    return [frame for frame in taken if frame is not None]


def seconds(frames: list[CameraFrame]) -> list[float]:
    return [frame.stamp.seconds for frame in frames]


def accepted(queue: list[float]) -> set[float]:
    """Returns the stamps of one topic that are later than every earlier one in the queue."""
    newest, found = -1.0, set()
    for second in queue:
        if second > newest:
            found.add(second)
        newest = max(newest, second)
    return found


QUEUES = st.fixed_dictionaries(
    {topic: st.lists(st.sampled_from([k / 8 for k in range(8)]), max_size=15) for topic in PARTS}
)
"""The stamps [s] of each topic in order of arrival, with lost, late and duplicate messages within one second."""


@given(QUEUES, st.data())
def test_assembler_makes_the_same_frames_however_topics_interleave(
    queues: dict[str, list[float]], data: st.DataObject
) -> None:
    waiting = {topic: list(queue) for topic, queue in queues.items()}
    order = []
    while ready := sorted(topic for topic, queue in waiting.items() if queue):
        topic = data.draw(st.sampled_from(ready))
        order.append((topic, waiting[topic].pop(0)))
    frames = seconds(assemble(FrameAssembler(PARTS), order))
    assert frames == sorted(set.intersection(*map(accepted, queues.values())))


@given(st.permutations([(topic, second) for second in range(1, 4) for topic in PARTS]))
def test_assembler_completes_a_frame_when_all_its_parts_have_arrived(order: list[tuple[str, int]]) -> None:
    queues = {topic: [1, 2, 3] for topic in PARTS}
    frames = assemble(FrameAssembler(PARTS), [(topic, queues[topic].pop(0)) for topic, _ in order])
    assert seconds(frames) == [1, 2, 3]
    assert all(frame.parts.keys() == {*PARTS} and frame.view is not None for frame in frames)


def test_assembler_counts_late_parts_and_lost_frames() -> None:
    made = FrameAssembler(PARTS)
    whole = [(topic, 2) for topic in PARTS]
    frames = assemble(made, [(topics.DEPTH, 1), (topics.DEPTH, 1), *whole, (topics.ODOMETRY, 1)])
    assert (seconds(frames), made.late, made.lost) == ([2], 2, 1)


TIMES = [100 + k / 10 for k in range(100)]


def test_one_stamp_in_the_future_does_not_make_all_later_parts_late() -> None:
    made = FrameAssembler(PARTS)
    wrong = (topics.ODOMETRY, TIMES[5])
    order = [(topic, time + 3600 * ((topic, time) == wrong)) for time in TIMES for topic in PARTS]
    assert seconds(assemble(made, order)) == [*TIMES[:5], *TIMES[7:]]
    assert (made.made, made.late, made.lost) == (98, 1, 2)
    assert made.lateness == "odom is of 100.600 s, after one of 3700.500 s"


def test_parts_of_a_time_before_the_last_frame_are_late_when_the_clock_is_set_back() -> None:
    made = FrameAssembler(PARTS)
    order = [(topic, time) for time in (*TIMES[50:], *TIMES[:50], 110.0) for topic in PARTS]
    assert seconds(assemble(made, order)) == [*TIMES[50:], 110.0]
    assert (made.late, made.waiting) == (50 * len(PARTS), 0)
    assert made.lateness.endswith("is of 104.900 s, after one of 109.900 s")


def test_assembler_bounds_the_number_of_incomplete_frames() -> None:
    made = FrameAssembler(PARTS)
    assemble(made, [(topics.ODOMETRY, second) for second in range(MAX_WAITING_FRAMES + 100)])
    assert len(made._waiting) == MAX_WAITING_FRAMES
    assert made.lost == 100


def test_assembler_bounds_the_size_of_incomplete_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembler, "MAX_WAITING_BYTES", 10 * DEPTH.nbytes)
    made = FrameAssembler(PARTS)
    assemble(made, [(topics.DEPTH, second) for second in range(100)])
    assert (len(made._waiting), made.lost) == (10, 90)
    rest = [(topic, second) for second in range(100) for topic in PARTS if topic != topics.DEPTH]
    assert seconds(assemble(made, rest)) == list(range(90, 100))
    assert made._bytes == 0


def test_assembler_refuses_parts_without_a_pose() -> None:
    with pytest.raises(ValueError, match="a frame needs odom, localization"):
        FrameAssembler((topics.DEPTH,))
