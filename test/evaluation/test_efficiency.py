"""Success within multiples of the reference's commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.evaluation.efficiency import COMPARED, FACTORS, SPL, Effort, efficiency, success_at

EFFORTS = st.lists(
    st.builds(Effort, st.booleans(), used=st.integers(0, 90), reference=st.integers(1, 30)), min_size=1
)


def test_success_counts_within_a_multiple_of_the_reference_up_to_its_last_command() -> None:
    efforts = [Effort(success=True, used=used, reference=10) for used in (9, 10, 15, 16, 30, 31)]
    figures = efficiency([*efforts, *(Effort(success=False, used=5, reference=10) for _ in range(4))])
    assert [figures[success_at(factor)] for factor in FACTORS] == [20.0, 30.0, 40.0, 50.0]


def test_spl_weighs_successes_by_reference_over_used_commands() -> None:
    efforts = [Effort(True, 20, 10), Effort(True, 8, 10), Effort(False, 10, 10), Effort(True, 40, 10)]
    assert efficiency(efforts)[SPL] == pytest.approx((0.5 + 1 + 0 + 0.25) / 4)


def test_there_is_no_efficiency_without_a_reference() -> None:
    assert efficiency([Effort(True, 20, 0), Effort(False, 8, 0)]) == {}


def test_episodes_without_a_reference_are_left_out_whether_they_were_solved_or_not() -> None:
    figures = efficiency([Effort(True, 10, 10), Effort(True, 12, 0), Effort(True, 0, 0), Effort(False, 9, 0)])
    assert (figures[success_at(1.0)], figures[SPL], figures[COMPARED]) == (100.0, 1.0, 1)
    assert COMPARED not in efficiency([Effort(True, 10, 10), Effort(False, 9, 5)])


def test_an_episode_that_could_not_be_made_counts_as_a_failure() -> None:
    figures = efficiency([Effort(True, 10, 10), Effort(False, 0, 0, was_made=False)])
    assert COMPARED not in figures
    assert (figures[success_at(1.0)], figures[SPL]) == (50.0, 0.5)


@given(EFFORTS)
def test_larger_budgets_never_lower_success(efforts: list[Effort]) -> None:
    figures = efficiency(efforts)
    rates = [figures[success_at(factor)] for factor in FACTORS]
    solved = 100 * sum(effort.success for effort in efforts) / len(efforts)
    assert rates == sorted(rates)
    assert rates[-1] <= solved
    assert rates[0] / 100 <= figures[SPL] + 1e-9
    assert figures[SPL] <= solved / 100 + 1e-9
