"""Tests of joining detections with frames by stamp."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.external.stamp_join import StampJoin
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.sensing import ExternalDetection, ExternalDetections
from stma_ros.types.standard import Header, Time

TOLERANCE, WAIT = 50, 1000
BROKEN = Error(ErrorCode.DETECTOR_FAILED, "broken")


def message(stamp: int, detections: int = 0, error: Error = Error()) -> ExternalDetections:
    header = Header(Time.from_nanoseconds(stamp))
    return ExternalDetections(header=header, detections=(ExternalDetection(),) * detections, error=error)


def join(*stamps: int) -> StampJoin:
    made = StampJoin(TOLERANCE, WAIT)
    for stamp in stamps:
        made.add(message(stamp))
    return made


def stamp_of(found: ExternalDetections | None) -> int | None:
    return None if found is None else found.header.stamp.nanoseconds


def test_exact_stamp_settles_a_frame_at_once() -> None:
    made = join(5000)
    assert made.is_settled(5000)
    assert stamp_of(made.nearest(5000)) == 5000


def test_frame_without_its_stamp_waits_for_later_frames_or_detections() -> None:
    made = join(4990)
    assert not made.is_settled(5000)
    made.add_frame(5999)
    assert not made.is_settled(5000)
    made.add_frame(6000)
    assert made.is_settled(5000)
    assert stamp_of(made.nearest(5000)) == 4990
    assert join(6000).is_settled(5000)
    assert join(6000).nearest(5000) is None


def test_dead_publisher_never_stalls_frames() -> None:
    made = StampJoin(TOLERANCE, WAIT)
    for stamp in range(1000, 9000, 500):
        made.add_frame(stamp)
    assert [stamp for stamp in range(1000, 9000, 500) if made.is_settled(stamp)] == list(
        range(1000, 8000, 500)
    )
    assert made.nearest(1000) is None


def test_wait_of_zero_still_gives_detections_the_time_until_the_next_frame() -> None:
    made = StampJoin(TOLERANCE, 0)
    made.add_frame(5000)
    assert not made.is_settled(5000)
    made.add_frame(5100)
    assert made.is_settled(5000)


def test_of_several_messages_with_one_stamp_the_first_without_error_counts() -> None:
    made = StampJoin(TOLERANCE, WAIT)
    for each in (message(1, error=BROKEN), message(1, 1), message(1, 2), message(1, error=BROKEN)):
        made.add(each)
    found = made.nearest(1)
    assert found is not None
    assert (len(found.detections), bool(found.error)) == (1, False)


@given(
    st.lists(st.integers(0, 100).map(lambda k: 100 * k), unique=True, min_size=1, max_size=20),
    st.lists(st.integers(0, 10_000), unique=True, max_size=30),
    st.randoms(use_true_random=False),
)
def test_order_of_arrival_does_not_matter_while_nothing_is_later_than_the_wait(
    frames: list[int], stamps: list[int], chance: random.Random
) -> None:
    def decided(delays: dict[int, int]) -> dict[int, int | None]:
        made = StampJoin(TOLERANCE, WAIT)
        arrivals = [(stamp, True, stamp) for stamp in frames]
        arrivals += [(stamp + delays[stamp], False, stamp) for stamp in stamps]
        found: dict[int, int | None] = {}
        waiting = sorted(frames)
        known: set[int] = set()
        for _, is_frame, stamp in sorted(arrivals):
            if is_frame:
                made.add_frame(stamp)
                known.add(stamp)
            else:
                made.add(message(stamp))
            while waiting and waiting[0] in known and made.is_settled(waiting[0]):
                stamp = waiting.pop(0)
                found[stamp] = stamp_of(made.nearest(stamp))
        return found | {stamp: stamp_of(made.nearest(stamp)) for stamp in waiting}

    at_once = decided(dict.fromkeys(stamps, 0))
    late = decided({stamp: chance.randrange(WAIT - TOLERANCE) for stamp in stamps})
    assert at_once == late
