"""Tests of what diagnostics tell of camera frames whose parts come without a frame."""

from __future__ import annotations

from stma_ros.ros.frame_watch import PATIENCE, FrameWatch
from stma_ros.sensing.assembler import FrameAssembler
from stma_ros.types import topics
from stma_ros.types.standard import Header, Odometry, Time, TransformStamped

PARTS = (topics.ODOMETRY, topics.LOCALIZATION)


def give(frames: FrameAssembler, stamp: int, parts: tuple[str, ...] = PARTS) -> None:
    header = Header(Time(stamp, 0), "odom")
    for topic in parts:
        frames.add(topic, Odometry(header) if topic == topics.ODOMETRY else TransformStamped(header, "odom"))


def test_parts_that_are_late_for_some_seconds_are_warned_of_until_frames_are_complete_again() -> None:
    frames = FrameAssembler(PARTS)
    watch = FrameWatch(frames)
    give(frames, 3600)
    assert watch.warning(0.0) == ""
    for second in range(1, 10):
        give(frames, second)
        assert bool(watch.warning(float(second))) is (second > PATIENCE)
    assert watch.warning(10.0) == (
        "no camera frame was complete for 9 s, though parts of them come: localization is of 9.000 s, after one of "
        "3600.000 s; if time was set back, or a stamp was in the future by mistake, reset the agent"
    )
    assert watch.values == {"frames": "1", "late parts of frames": "18", "lost frames": "0"}
    give(frames, 3601)
    assert watch.warning(11.0) == ""


def test_frames_that_lack_a_part_are_warned_of() -> None:
    frames = FrameAssembler(PARTS)
    watch = FrameWatch(frames)
    for second in range(7):
        give(frames, second, (topics.ODOMETRY,))
        watch.warning(float(second))
    assert watch.warning(7.0) == (
        "no camera frame was complete for 7 s, though parts of them come: nothing comes on localization"
    )


def test_parts_with_different_stamps_are_warned_of() -> None:
    frames = FrameAssembler(PARTS)
    watch = FrameWatch(frames)
    for second in range(7):
        give(frames, 2 * second, (topics.ODOMETRY,))
        give(frames, 2 * second + 1, (topics.LOCALIZATION,))
        watch.warning(float(second))
    assert watch.warning(7.0).endswith("those of one frame do not have one stamp")


def test_camera_that_takes_no_frames_is_not_warned_of() -> None:
    frames = FrameAssembler(PARTS)
    watch = FrameWatch(frames)
    give(frames, 1)
    give(frames, 2, (topics.ODOMETRY,))  # the last frame lost a part
    assert [watch.warning(float(second)) for second in range(0, 60, 7)] == [""] * 9
