"""Tests of the synchroniser, which joins images by their stamps in any order of arrival and reports the unmatched."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.sensing.synchroniser import (
    JUMP,
    OTHER_PART,
    OUT_OF_ORDER,
    WAITING,
    Matched,
    Skipped,
    Synchroniser,
)

MS = 1_000_000
TOLERANCE = 20 * MS


def synchroniser(
    part: int = 1, forgotten: list[int] | None = None, optional: tuple[str, ...] = ()
) -> Synchroniser[int]:
    forgotten = [] if forgotten is None else forgotten
    return Synchroniser(("color",), optional, TOLERANCE, lambda stamp, item: True, forgotten.append, part)


def run(sync: Synchroniser[int], events: Iterable[tuple[str, int]]) -> list[Matched[int] | Skipped]:
    """Feeds the events, whose items are their own stamps, and returns all results."""
    results: list[Matched[int] | Skipped] = []
    for stream, stamp in events:
        if stream == "depth":
            results.extend(sync.add_depth(stamp, stamp))
        else:
            sync.add(stream, stamp, stamp)
        results.extend(sync.ready())
    results.extend(sync.finish())
    return results


def pairs(stamps: Iterable[int], offset: int = 0) -> list[tuple[str, int]]:
    return [event for stamp in stamps for event in (("depth", stamp), ("color", stamp + offset))]


def matched(results: Iterable[Matched[int] | Skipped]) -> list[tuple[int, int]]:
    return [(result.stamp, result.others["color"]) for result in results if isinstance(result, Matched)]


def reasons(results: Iterable[Matched[int] | Skipped]) -> list[str]:
    return [result.reason for result in results if isinstance(result, Skipped)]


def test_synchroniser_joins_depth_with_the_nearest_colour_image() -> None:
    events = [("color", 0), ("depth", 12 * MS), ("color", 10 * MS), ("color", 33 * MS), ("depth", 30 * MS)]
    assert matched(run(synchroniser(), events)) == [(12 * MS, 10 * MS), (30 * MS, 33 * MS)]


def test_synchroniser_reports_a_depth_image_without_a_colour_image() -> None:
    results = run(synchroniser(), [*pairs([0]), ("depth", 50 * MS), *pairs([100 * MS])])
    assert [stamp for stamp, _ in matched(results)] == [0, 100 * MS]
    assert reasons(results) == ["no color within 0.02 s of it (`tolerance` in a mapping file)"]


def test_synchroniser_waits_for_a_bounded_number_of_images_when_a_stream_ends() -> None:
    sync = synchroniser()
    begun = [result for k in range(3 * WAITING) for result in sync.add_depth(k * MS, k)]
    assert len(begun) == 2 * WAITING  # the rest waits


def test_synchroniser_joins_images_without_an_optional_stream() -> None:
    results = run(synchroniser(optional=("seg",)), [*pairs([0, 50 * MS]), ("seg", 50 * MS)])
    assert [set(r.others) for r in results if isinstance(r, Matched)] == [{"color"}, {"color", "seg"}]


def test_synchroniser_joins_equal_stamps_once() -> None:
    results = run(synchroniser(), pairs([0, 0, 50 * MS, 50 * MS]))
    assert [stamp for stamp, _ in matched(results)] == [0, 50 * MS]
    assert reasons(results) == [OUT_OF_ORDER] * 2


def test_synchroniser_tells_which_depth_image_is_nearest_to_a_stamp() -> None:
    awaiting = Synchroniser[int](
        ("color",), (), TOLERANCE, lambda stamp, item: True, [].append, awaits_next=True
    )
    results = [each for each in run(awaiting, pairs([0, 40 * MS, 100 * MS])) if isinstance(each, Matched)]
    assert [(each.before, each.after) for each in results] == [
        (None, 40 * MS),
        (0, 100 * MS),
        (40 * MS, None),
    ]
    owners = [[each.is_nearest(ms * MS) for each in results].index(True) for ms in (-5, 20, 21, 70, 71, 500)]
    assert owners == [0, 0, 1, 1, 2, 2]


@given(st.permutations(pairs(range(0, 10 * 33 * MS, 33 * MS), offset=4 * MS)))
def test_synchroniser_ignores_the_order_of_colour_images_within_half_a_second(
    events: list[tuple[str, int]],
) -> None:
    events = sorted(events, key=lambda event: event[0] != "depth")
    results = run(synchroniser(), events)
    assert matched(results) == [(stamp, stamp + 4 * MS) for stamp in range(0, 10 * 33 * MS, 33 * MS)]


@given(
    st.lists(st.tuples(st.sampled_from(["depth", "color"]), st.integers(0, 5 * JUMP)), max_size=150),
    st.integers(1, 3),
)
def test_synchroniser_orders_all_frames_and_accounts_for_each(
    events: list[tuple[str, int]], part: int
) -> None:
    results = run(synchroniser(part), events)
    stamps = [stamp for stamp, _ in matched(results)]
    assert stamps == sorted(set(stamps))
    assert len(results) == sum(stream == "depth" for stream, _ in events)
    assert all(abs(color - stamp) <= TOLERANCE for stamp, color in matched(results))


# -- time that jumps back

FIRST = range(100 * JUMP, 102 * JUMP, 100 * MS)
AGAIN = range(10 * JUMP, 11 * JUMP, 100 * MS)


def test_synchroniser_uses_the_first_part_when_time_is_set_back() -> None:
    forgotten: list[int] = []
    sync = synchroniser(1, forgotten)
    results = run(sync, pairs([*FIRST, *AGAIN]))
    assert [stamp for stamp, _ in matched(results)] == list(FIRST)
    assert reasons(results) == [OTHER_PART] * len(AGAIN)
    assert sync.jumps == [(FIRST[-1], AGAIN[0])]
    assert forgotten == [AGAIN[0] + JUMP]


def test_synchroniser_uses_the_chosen_part_when_time_is_set_back() -> None:
    results = run(synchroniser(2), pairs([*FIRST, *AGAIN]))
    assert [stamp for stamp, _ in matched(results)] == list(AGAIN)
    assert reasons(results) == [OTHER_PART] * len(FIRST)


def test_synchroniser_treats_a_single_stamp_from_the_past_as_an_outlier() -> None:
    half = len(FIRST) // 2
    results = run(synchroniser(), pairs([*FIRST[:half], AGAIN[0], *FIRST[half:]]))
    assert [stamp for stamp, _ in matched(results)] == list(FIRST)
    assert reasons(results) == [OUT_OF_ORDER]


def test_synchroniser_treats_a_single_stamp_from_the_future_as_an_outlier() -> None:
    half = len(FIRST) // 2
    results = run(synchroniser(), [*pairs(FIRST[:half]), ("depth", 900 * JUMP), *pairs(FIRST[half:])])
    assert [stamp for stamp, _ in matched(results)] == list(FIRST)
    assert len(reasons(results)) == 1
