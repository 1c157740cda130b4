"""Tests of the choice of keyframes that a model is asked about."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.components.perception.question_budget import QuestionBudget, QuestionLimits, spread
from stma_ros.types.standard import NANOSECONDS_PER_SECOND, Time

STAMPS = st.lists(st.integers(0, 10**12), min_size=1, max_size=40, unique=True).map(sorted)
MINUTE = 60 * NANOSECONDS_PER_SECOND


def asked(limits: QuestionLimits, steps: Iterable[tuple[int, list[int]]]) -> list[int]:
    """Returns the stamps of the keyframes that are asked about [ns]. steps: their numbers and keyframes."""
    budget, found = QuestionBudget(limits), []
    for number, stamps in steps:
        for stamp in stamps:
            budget.announce(Time.from_nanoseconds(stamp))
        for stamp in stamps:
            at = Time.from_nanoseconds(stamp)
            if budget.chooses(at, ("t", number), Time.from_nanoseconds(stamps[-1])):
                budget.spend(at, ("t", number))
                found.append(stamp)
    return found


def seconds(*values: float) -> list[int]:
    return [round(value * NANOSECONDS_PER_SECOND) for value in values]


@pytest.mark.parametrize(
    ("stamps", "count", "chosen"),
    [
        ((0, 1, 2, 3, 4), 1, (4,)),
        ((0, 1, 2, 3, 4), 2, (0, 4)),
        ((0, 1, 2, 3, 4), 3, (0, 2, 4)),
        ((0, 10, 11, 12, 13, 14, 30), 3, (0, 14, 30)),
        ((0, 1), 5, (0, 1)),
    ],
)
def test_spread_takes_the_last_keyframe_and_then_the_farthest(
    stamps: tuple[int, ...], count: int, chosen: tuple[int, ...]
) -> None:
    assert spread(stamps, count) == chosen


@given(STAMPS, st.integers(1, 45))
def test_spread_leaves_no_keyframe_farther_from_a_choice_than_the_choices_from_one_another(
    stamps: list[int], count: int
) -> None:
    chosen = spread(stamps, count)
    assert len(chosen) == min(count, len(stamps))
    assert list(chosen) == sorted(set(chosen) & set(stamps))
    if 1 < len(chosen) < len(stamps):
        farthest = max(min(abs(stamp - each) for each in chosen) for stamp in stamps)
        assert farthest <= min(b - a for a, b in itertools.pairwise(chosen))


def test_budget_without_limits_asks_about_every_keyframe() -> None:
    stamps = seconds(*range(100))
    assert asked(QuestionLimits(), [(0, stamps)]) == stamps


def test_budget_of_a_step_begins_anew_with_the_next_step() -> None:
    steps = [(0, seconds(0, 1, 2, 3, 4)), (1, seconds(5, 6)), (2, seconds(7, 8, 9, 10, 11))]
    assert asked(QuestionLimits(per_step=3), steps) == seconds(0, 2, 4, 5, 6, 7, 9, 11)


def test_budget_of_a_minute_is_earned_by_time_and_spread_over_the_step() -> None:
    steps = [(0, seconds(0, 1)), (1, seconds(10, 11, 12, 13, 14, 25)), (2, seconds(70, 71))]
    assert asked(QuestionLimits(per_minute=6), steps) == seconds(1, 10, 25, 70, 71)


@pytest.mark.parametrize("rate", [1, 5, 30])
@pytest.mark.parametrize("seconds_of_a_step", [0.5, 2.0, 20.0])
def test_budget_of_a_minute_leaves_no_part_of_it_without_questions(
    rate: int, seconds_of_a_step: float
) -> None:
    stamps = seconds(*(n / rate for n in range(1, 180 * rate)))
    length = round(seconds_of_a_step * NANOSECONDS_PER_SECOND)
    steps = [(number, list(part)) for number, part in itertools.groupby(stamps, lambda each: each // length)]
    found = asked(QuestionLimits(per_step=8, per_minute=60), steps)
    longest = max(b - a for a, b in itertools.pairwise(found)) / NANOSECONDS_PER_SECOND
    assert longest <= max(2.0, seconds_of_a_step / 4)
    assert len(found) > 60


def test_budget_after_a_silence_holds_the_questions_of_one_step() -> None:
    minutes_later = [600 + n / 10 for n in range(10)]
    steps = [
        (0, seconds(0)),
        (1, seconds(*minutes_later)),
        (2, seconds(*(each + 1 for each in minutes_later))),
    ]
    found = asked(QuestionLimits(per_step=4, per_minute=60), steps)
    assert len([each for each in found if MINUTE < each < 601 * NANOSECONDS_PER_SECOND]) == 4
    assert len([each for each in found if each >= 601 * NANOSECONDS_PER_SECOND]) == 1


def test_questions_about_keyframes_without_a_step_count_in_the_step_in_which_they_lie() -> None:
    budget, found = QuestionBudget(QuestionLimits(per_step=8)), []
    stamps = [Time(second) for second in range(1, 151)]
    for at in stamps:
        budget.announce(at)
    for at in stamps:
        is_late = at.seconds > 90
        step = ("t", 1) if is_late else None
        end, begin = (stamps[-1], Time(5)) if is_late else (Time(), Time())
        if budget.chooses(at, step, end, begin):
            budget.spend(at, step)
            found.append(at.seconds)
    assert len(found) == 8
    assert budget.chooses(Time(200), ("t", 2), Time(200), stamps[-1])


@given(
    st.lists(STAMPS, min_size=1, max_size=4),
    st.integers(0, 5),
    st.integers(0, 5),
)
def test_budget_never_exceeds_its_limits(parts: list[list[int]], per_step: int, per_minute: int) -> None:
    every = sorted({stamp for part in parts for stamp in part})
    size = len(every) // len(parts) + 1
    steps = [(number, every[number * size : (number + 1) * size]) for number in range(len(parts))]
    steps = [(number, stamps) for number, stamps in steps if stamps]
    found = asked(QuestionLimits(per_step, per_minute), steps)
    assert found
    if per_step:
        assert all(sum(stamp in stamps for stamp in found) <= per_step for _, stamps in steps)
    if per_minute:
        assert all(last - first >= MINUTE for first, last in zip(found, found[per_minute:], strict=False))


def test_keyframes_without_a_step_share_the_budget_of_a_step_within_a_minute() -> None:
    budget = QuestionBudget(QuestionLimits(per_step=2))
    found = []
    for second in range(200):
        at = Time(second)
        budget.announce(at)
        if budget.chooses(at, None, Time()):
            budget.spend(at, None)
            found.append(second)
    assert found == [0, 1, 60, 61, 120, 121, 180, 181]
