"""Tests of the index of outcomes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from stma_ros.domains.household.outcome_index import OutcomeIndex
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import Action, Outcome, Result
from support.roles.scripted_home import LOOK_AROUND, explore, navigate, open_, outcome

OPENED = outcome(2, open_("cupboard_1"))
ACTIONS = (navigate("table_1"), open_("cupboard_1"), explore("frontier_1"), LOOK_AROUND)
HISTORIES = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.sampled_from([ErrorCode.NONE, ErrorCode.BLOCKED])), max_size=12
).map(lambda past: [outcome(step, action, error) for step, (action, error) in enumerate(past, 1)])


@given(HISTORIES, st.lists(st.sampled_from(ACTIONS), min_size=1, max_size=3))
def test_outcome_index_returns_outcomes_of_actions_in_order(past: list[Outcome], asked: list[Action]) -> None:
    history = OutcomeIndex(past)
    assert history.outcomes_of(*asked) == tuple(o for o in past if o.action in asked)


@given(HISTORIES, st.sampled_from(ACTIONS))
def test_outcome_index_counts_only_successes_other_than_looks_as_changes(
    past: list[Outcome], action: Action
) -> None:
    failed = [o.step for o in past if o.action == action and o.result == Result.FAILED]
    changes = [
        o.step for o in past if o.result == Result.SUCCEEDED and o.action.skill != words.SKILL_LOOK_AROUND
    ]
    expected = not failed or any(step > failed[-1] for step in changes)
    assert OutcomeIndex(past).moved_since_failing(action) is expected


def test_place_was_stood_at_from_the_way_to_it_until_the_next_way() -> None:
    blocked = outcome(5, navigate("table_1"), ErrorCode.BLOCKED, distance=1.0)
    past = [outcome(1, navigate("table_1")), OPENED, outcome(4, navigate("sofa_1")), blocked]
    history = OutcomeIndex(past)
    seconds = 1_000_000_000
    assert [history.stood_at(("table_1", "bed_1"), time * seconds) for time in (0, 3, 4)] == [
        True,
        True,
        False,
    ]
    assert [history.stood_at(("sofa_1",), time * seconds) for time in (4, 5)] == [True, False]
    assert OutcomeIndex(past[:2]).stood_at(("table_1",), 99 * seconds)  # it still stands there
