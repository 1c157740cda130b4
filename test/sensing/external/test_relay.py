"""Tests of giving live frames the detections of another node."""

from __future__ import annotations

from stma_ros.sensing.external.relay import MAX_FRAMES, FrameDetections
from stma_ros.types.sensing import ExternalDetection, ExternalDetections
from stma_ros.types.standard import Header, Time

SECOND = 1_000_000_000


def message(seconds: float, frame: str = "") -> ExternalDetections:
    header = Header(Time.from_nanoseconds(round(seconds * SECOND)), frame)
    return ExternalDetections(header=header, detections=(ExternalDetection(),))


def joined() -> FrameDetections:
    return FrameDetections("/yolo", 0.05, 1.0)


def decided(join: FrameDetections, now: float) -> list[tuple[float, bool]]:
    """Returns the stamps [s] of the decided frames, and whether they have detections."""
    return [(each.header.stamp.seconds, not each.error) for each in join.decided(now, "camera")]


def test_frame_gets_its_detections_at_once_with_its_own_stamp_and_frame() -> None:
    join = joined()
    join.add_frame(5 * SECOND, now=100.0)
    assert decided(join, 100.1) == []
    join.add(message(5))
    (found,) = join.decided(100.1, "camera")
    assert (found.header.stamp.seconds, found.header.frame_id) == (5.0, "camera")


def test_nearest_detections_get_the_stamp_of_the_frame() -> None:
    join = joined()
    join.add(message(5.03, "lidar"))
    join.add_frame(5 * SECOND, now=100.0)
    assert decided(join, 100.9) == []
    (found,) = join.decided(101.0, "camera")
    assert (found.header.stamp.seconds, found.header.frame_id) == (5.0, "lidar")


def test_dead_detector_is_named_and_holds_up_no_frame_of_a_camera_that_stands_still() -> None:
    join = joined()
    join.add_frame(5 * SECOND, now=100.0)
    assert decided(join, 101.0) == [(5.0, False)]
    assert join.problem.startswith("/yolo: no detections within 0.05 s of the image: no message has come")
    join.add_frame(6 * SECOND, now=102.0)
    join.add(message(6))
    assert decided(join, 102.0) == [(6.0, True)]
    assert join.problem == ""


def test_known_cause_is_the_reason() -> None:
    join = joined()
    join.cause = "vision_msgs is not installed"
    join.add_frame(5 * SECOND, now=100.0)
    (found,) = join.decided(101.0, "camera")
    assert found.error.text.endswith("of the image: vision_msgs is not installed")


def test_repeated_and_late_frames_are_ignored() -> None:
    join = joined()
    for stamp in (5, 5, 4):
        join.add_frame(stamp * SECOND, now=100.0)
    assert decided(join, 200.0) == [(5.0, False)]


def test_frame_in_the_future_and_a_clock_that_is_set_back_stop_no_later_frames() -> None:
    join = joined()
    stamps = [5.0, 5.1, 3605.2, 5.3, 5.4, 5.5, 1.0, 1.1, 1.2]
    for k, stamp in enumerate(stamps):
        join.add_frame(round(stamp * SECOND), now=k / 10)
    assert decided(join, 0.9) == []  # they wait for detections as before
    for stamp in (1.1, 1.2):
        join.add(message(stamp))
    assert sorted(decided(join, 100.0)) == [
        (1.1, True),
        (1.2, True),
        *((stamp, False) for stamp in (5.0, 5.1, 5.4, 5.5, 3605.2)),
    ]


def test_number_of_waiting_frames_is_bounded() -> None:
    join = joined()
    for k in range(MAX_FRAMES + 3):
        join.add_frame(k, now=0.0)
    assert len(decided(join, 0.0)) == 3
