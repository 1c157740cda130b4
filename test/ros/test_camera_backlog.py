"""Tests of the bound of the images that wait for a component."""

from __future__ import annotations

from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.ros.camera_backlog import CameraBacklog
from stma_ros.types import topics

PARTS = (topics.COLOR, topics.DEPTH, topics.ODOMETRY)


def part(stamp: int, size: int) -> SimpleNamespace:
    return SimpleNamespace(
        header=SimpleNamespace(stamp=SimpleNamespace(sec=stamp, nanosec=0)), data=bytes(size)
    )


def offered(backlog: CameraBacklog, stamp: int, size: int = 100) -> list[bool]:
    return [backlog.admit(topic, part(stamp, size)) for topic in PARTS]


def test_frames_beyond_the_limit_are_turned_away_as_a_whole() -> None:
    backlog = CameraBacklog(250)
    assert offered(backlog, 1) == [True] * 3
    assert offered(backlog, 2) == [False] * 3
    assert backlog.dropped == 1
    backlog.take(topics.COLOR, part(1, 100))
    assert offered(backlog, 3) == [True] * 3


def test_the_other_parts_of_an_admitted_frame_are_admitted() -> None:
    backlog = CameraBacklog(100)
    assert backlog.admit(topics.COLOR, part(1, 100))
    assert backlog.admit(topics.DEPTH, part(1, 100))


def test_the_other_parts_of_a_frame_that_was_turned_away_are_turned_away() -> None:
    backlog = CameraBacklog(100)
    offered(backlog, 1)
    assert not backlog.admit(topics.COLOR, part(2, 100))
    backlog.clear()
    offered(backlog, 1)
    assert not backlog.admit(topics.COLOR, part(2, 100))
    for topic in PARTS:
        backlog.take(topic, part(1, 100))
    assert not backlog.admit(topics.DEPTH, part(2, 100))


def test_other_messages_are_never_turned_away() -> None:
    backlog = CameraBacklog(1)
    offered(backlog, 1)
    assert backlog.admit(topics.OUTCOME, SimpleNamespace())


@given(limit=st.integers(0, 5), events=st.lists(st.sampled_from(["frame", "take"]), max_size=50))
def test_no_more_than_the_limit_and_a_frame_wait(limit: int, events: list[str]) -> None:
    backlog = CameraBacklog(100 * limit)
    waiting: list[tuple[str, SimpleNamespace]] = []
    for stamp, event in enumerate(events):
        if event == "frame":
            admitted = offered(backlog, stamp)
            assert len(set(admitted)) == 1
            waiting += [(topic, part(stamp, 100)) for topic in PARTS if all(admitted)]
        elif waiting:
            backlog.take(*waiting.pop(0))
        assert not limit or len(waiting) < limit + len(PARTS)
    assert limit or backlog.dropped == 0
