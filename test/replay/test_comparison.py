"""The comparison of recorded with replayed outputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stma_ros.agents.journal import HANDLING
from stma_ros.replay.comparison import Comparison, DifferenceKind, differences
from stma_ros.replay.error_comparison import ErrorComparison
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief
from stma_ros.types.common import Error
from stma_ros.types.control import Fault, JournalEntry
from stma_ros.types.errors import ErrorCode, described
from stma_ros.types.planning import Action, Plan
from stma_ros.types.scene_graph import Relation, Route
from stma_ros.types.standard import OccupancyGrid
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall, RoleCall

PRODUCERS = {
    topics.PLAN: frozenset({"planner"}),
    topics.ROLE_CALLS: frozenset({"planner", "critic"}),
    topics.MODEL_CALL: frozenset({"planner"}),
}
CAUSE = JournalEntry(component="planner", index=4, topic=topics.PLAN_REQUEST, id="t/1")


def plan(step: int, *skills: str) -> Plan:
    return Plan(at=StepStamp(task_id="t", step=step), actions=tuple(Action(skill) for skill in skills))


def compare(then: list[Plan], now: list[Plan], whole: bool = True) -> Comparison:
    comparison = Comparison(PRODUCERS)
    for number, message in enumerate(then):
        comparison.recorded(number, topics.PLAN, message)
    for number, message in enumerate(now):
        comparison.replayed(number, "planner", CAUSE, topics.PLAN, message)
    comparison.finish(None if whole else len(then), {"planner": len(then)})
    return comparison


@given(st.permutations(range(6)))
def test_comparison_does_not_depend_on_the_order_of_outputs(order):
    comparison = compare([plan(step, "go") for step in range(6)], [plan(step, "go") for step in order])
    assert comparison.first is None
    assert comparison.tallies[topics.PLAN].same == 6


def test_the_first_difference_is_the_first_in_the_order_of_the_bag():
    then = [plan(step, "go") for step in range(4)]
    now = [plan(3, "stop"), plan(1, "stop"), plan(0, "go"), plan(2, "go")]
    first = compare(then, now).first
    assert first is not None
    assert (first.id, first.kind) == ("t/1", DifferenceKind.CHANGED)
    assert first.fields == (("actions[0].skill", "'go'", "'stop'"),)
    assert "input 4: plan_request t/1" in str(first)
    assert "expected: 'go'" in str(first)


def test_missing_and_additional_outputs_are_differences():
    assert compare([plan(0), plan(1)], [plan(0)]).tallies[topics.PLAN].different == {
        DifferenceKind.MISSING: 1
    }
    assert compare([plan(0)], [plan(0), plan(1)]).tallies[topics.PLAN].different == {
        DifferenceKind.UNEXPECTED: 1
    }


def test_outputs_beyond_the_end_of_a_truncated_recording_are_no_differences():
    comparison = compare([plan(0)], [plan(0), plan(1)], whole=False)
    assert comparison.first is None
    assert comparison.tallies[topics.PLAN].uncompared == 1


def test_outputs_on_topics_that_were_not_recorded_are_counted_and_not_held():
    comparison = Comparison(PRODUCERS, topics=(topics.MODEL_CALL,))
    comparison.replayed(0, "planner", CAUSE, topics.PLAN, plan(0))
    assert comparison.tallies[topics.PLAN].uncompared == 1
    assert not comparison._replayed


def test_a_component_that_was_given_up_is_no_longer_compared():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(0, topics.PLAN, plan(0, "go"))
    comparison.give_up("planner")
    assert not comparison.compares(topics.PLAN)
    assert comparison.compares(topics.ROLE_CALLS)  # the critic publishes on this topic as well
    comparison.replayed(0, "planner", CAUSE, topics.PLAN, plan(0, "stop"))
    comparison.finish(None, {})
    assert comparison.first is None


def test_role_calls_of_two_components_at_one_step_are_distinguished():
    comparison = Comparison(PRODUCERS)
    for role, tokens in (("planner", 5), ("critic", 9)):
        comparison.recorded(
            0, topics.ROLE_CALLS, RoleCall(at=StepStamp(task_id="t"), role=role, context_tokens=tokens)
        )
    for role, tokens in (("critic", 9), ("planner", 5)):
        call = RoleCall(at=StepStamp(task_id="t"), role=role, context_tokens=tokens)
        comparison.replayed(0, role, CAUSE, topics.ROLE_CALLS, call)
    comparison.finish(None, {})
    assert comparison.first is None


def test_model_calls_may_differ_in_model_and_latency_but_not_in_the_request():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(0, topics.MODEL_CALL, ModelCall(role="planner", model="qwen", request="a", latency=3))
    comparison.recorded(1, topics.MODEL_CALL, ModelCall(role="planner", step=1, request="b"))
    now = ModelCall(role="planner", model="recording", request="a", latency=0)
    comparison.replayed(0, "planner", CAUSE, topics.MODEL_CALL, now)
    comparison.replayed(
        0, "planner", CAUSE, topics.MODEL_CALL, ModelCall(role="planner", step=1, request="c")
    )
    comparison.finish(None, {})
    assert comparison.tallies[topics.MODEL_CALL].same == 1
    assert comparison.first is not None
    assert comparison.first.fields == (("request", "'b'", "'c'"),)


def test_an_additional_output_far_from_the_cut_is_a_difference():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(10, topics.PLAN, plan(0))
    for step in (0, 1):
        comparison.replayed(10, "planner", CAUSE, topics.PLAN, plan(step))
    comparison.finish(cut=5_000, reached={"planner": 4_000})
    assert comparison.first is not None
    assert comparison.first.kind is DifferenceKind.UNEXPECTED


def test_recorded_outputs_after_the_last_remaining_input_are_no_differences():
    """The input is lost with the end of the bag; its journal entry may be recorded before or after the outputs."""
    for broken in ({"cut": 30, "reached": {"planner": 8}}, {"cut": None, "reached": {"planner": 8}}):
        comparison = Comparison(PRODUCERS, has_gaps=lambda: True)
        comparison.recorded(9, topics.PLAN, plan(1))
        comparison.finish(**broken)
        assert comparison.first is None
    comparison = Comparison(PRODUCERS, has_gaps=lambda: True)
    comparison.recorded(7, topics.PLAN, plan(1))
    comparison.finish(cut=None, reached={"planner": 8})
    assert comparison.first is not None


def taken(index: int) -> JournalEntry:
    return JournalEntry(component="planner", index=index, topic=topics.PLAN_REQUEST, id=f"t/{index}")


def killed(then: range, now: range, *, deaths: tuple[int, ...] = (100,)) -> Comparison:
    """Returns the comparison of a planner that publishes one plan for each input, of which the recording has some.

    Args:
        deaths: places in the bag at which its death is reported.
    """
    comparison = Comparison(PRODUCERS)
    for step in then:
        comparison.recorded(10 * step + 1, topics.PLAN, plan(step))
    for step in now:
        comparison.replayed(10 * step, "planner", taken(step), topics.PLAN, plan(step))
    for place in deaths:
        comparison.died(place, "planner")
    comparison.finish(None, {"planner": 10 * max(now)})
    return comparison


def test_missing_last_messages_of_a_dead_component_are_named_and_no_differences():
    comparison = killed(range(3), range(5))
    assert comparison.first is None
    assert (comparison.tallies[topics.PLAN].same, comparison.tallies[topics.PLAN].uncompared) == (3, 2)
    (lost,) = comparison.lost
    assert str(lost) == (
        "planner: 2 of its last messages were not recorded and not compared, since its node died: plan t/3, plan t/4"
    )


def test_a_missing_message_before_the_last_of_a_dead_component_is_a_difference():
    comparison = Comparison(PRODUCERS)
    for step in (0, 2):
        comparison.recorded(10 * step + 1, topics.PLAN, plan(step))
    for step in range(3):
        comparison.replayed(10 * step, "planner", taken(step), topics.PLAN, plan(step))
    comparison.died(100, "planner")
    comparison.finish(None, {"planner": 20})
    assert comparison.first is not None
    assert (comparison.first.kind, comparison.first.id) == (DifferenceKind.UNEXPECTED, "t/1")
    assert comparison.lost == ()


@pytest.mark.parametrize("deaths", [(), (25,)])
def test_missing_last_messages_are_differences_when_the_bag_reports_no_later_death(deaths):
    first = killed(range(3), range(5), deaths=deaths).first
    assert first is not None
    assert (first.kind, first.id) == (DifferenceKind.UNEXPECTED, "t/3")


def test_the_death_of_another_component_excuses_no_missing_message():
    comparison = Comparison(PRODUCERS)
    comparison.replayed(0, "planner", taken(0), topics.PLAN, plan(0))
    comparison.recorded(1, topics.PLAN, plan(7))
    comparison.died(100, "critic")
    comparison.finish(None, {"planner": 0})
    assert comparison.tallies[topics.PLAN].different == {
        DifferenceKind.MISSING: 1,
        DifferenceKind.UNEXPECTED: 1,
    }


def test_a_dead_component_whose_earlier_messages_differ_is_not_excused():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(1, topics.PLAN, plan(7))
    comparison.replayed(0, "planner", taken(0), topics.PLAN, plan(0))
    comparison.died(100, "planner")
    comparison.finish(None, {"planner": 0})
    assert comparison.tallies[topics.PLAN].different.total() == 2
    assert comparison.lost == ()


def test_missing_messages_of_a_restarted_component_are_not_excused_by_its_first_death():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(1, topics.PLAN, plan(0))
    for number, index, step in ((0, 0, 0), (10, 1, 1), (200, 0, 10), (210, 1, 11)):
        comparison.replayed(number, "planner", taken(index), topics.PLAN, plan(step))
    comparison.died(100, "planner")
    comparison.finish(None, {"planner": 210})
    assert [lost.ids for lost in comparison.lost] == [("plan t/1",)]
    assert comparison.tallies[topics.PLAN].different == {DifferenceKind.UNEXPECTED: 2}


@pytest.mark.parametrize(("deaths", "different"), [((100,), 0), ((), 1)])
def test_one_recorded_message_can_be_that_of_either_life_of_a_component_that_died(
    deaths: tuple[int, ...], different: int
) -> None:
    """The first process died before its last message was out; the second one says it once more."""
    comparison = Comparison(PRODUCERS)
    for number, step in ((1, 0), (201, 1), (211, 2)):
        comparison.recorded(number, topics.PLAN, plan(step))
    for number, index, step in ((0, 0, 0), (10, 1, 1), (200, 0, 1), (210, 1, 2)):
        comparison.replayed(number, "planner", taken(index), topics.PLAN, plan(step))
    for place in deaths:
        comparison.died(place, "planner")
    comparison.finish(None, {"planner": 210})
    assert comparison.tallies[topics.PLAN].same == 3
    assert comparison.tallies[topics.PLAN].different.total() == different
    assert [lost.ids for lost in comparison.lost] == [("plan t/1",)] * (1 - different)


def test_a_message_missing_long_before_the_last_input_of_a_dead_component_is_a_difference():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(1, topics.ROLE_CALLS, RoleCall(role="critic"))
    comparison.replayed(0, "critic", CAUSE, topics.ROLE_CALLS, RoleCall(role="critic"))
    for number, index in ((0, 0), (5_000, 1)):
        call = RoleCall(at=StepStamp(task_id="t", step=index), role="planner")
        comparison.replayed(number, "planner", taken(index), topics.ROLE_CALLS, call)
    comparison.died(6_000, "planner")
    comparison.finish(None, {"planner": 5_000, "critic": 0})
    assert comparison.tallies[topics.ROLE_CALLS].different == {DifferenceKind.UNEXPECTED: 1}
    assert [lost.ids for lost in comparison.lost] == [("role_calls t/1",)]


def test_uncompared_messages_near_the_cut_of_a_recording_are_named():
    comparison = compare([plan(0)], [plan(0), plan(1)], whole=False)
    (lost,) = comparison.lost
    assert str(lost) == (
        "planner: 1 of its last messages was not recorded and not compared, since the recording breaks off: plan t/1"
    )


def test_outputs_before_a_component_was_given_up_are_matched_with_late_partners():
    comparison = Comparison(PRODUCERS)
    comparison.recorded(0, topics.PLAN, plan(0))
    comparison.replayed(1, "planner", CAUSE, topics.PLAN, plan(0))
    comparison.replayed(1, "planner", CAUSE, topics.PLAN, plan(1))
    comparison.give_up("planner")
    comparison.finish(None, {"planner": 1})
    assert comparison.first is None


def test_errors_are_paired_with_their_recorded_faults():
    error = ValueError("no")
    fault = Fault(node="planner", error=Error(ErrorCode.NODE_FAILED, "handling plan_request: ValueError: no"))
    same, fresh, gone = ErrorComparison(), ErrorComparison(), ErrorComparison()
    for ledger in (same, gone):
        ledger.recorded(3, fault)
    for ledger in (same, fresh):
        ledger.replayed(2, "planner", CAUSE, error)
    assert same.differences(("planner",), whole=True) == []
    (raised,) = fresh.differences(("planner",), whole=True)
    assert raised.kind is DifferenceKind.RAISED
    assert "ValueError" in str(raised)
    (calm,) = gone.differences(("planner",), whole=True)
    assert (calm.kind, calm.number) == (DifferenceKind.CALM, 3)
    assert gone.differences(("planner",), whole=False) == []
    assert fresh.differences((), whole=True) == []


def test_thousands_of_recorded_errors_that_come_again_are_no_differences():
    error, comparison = ValueError("no depth"), ErrorComparison()
    for number in range(3_000):
        topic = topics.PLAN_REQUEST if number % 2 else topics.STEP
        text = f"{HANDLING}{topic}: {described(error)}"
        comparison.recorded(number, Fault(node="planner", error=Error(ErrorCode.NODE_FAILED, text)))
        comparison.replayed(number, "planner", replace(CAUSE, topic=topic), error)
    assert comparison.differences(("planner",), whole=True) == []


def test_a_path_of_a_copy_in_a_text_is_no_difference():
    def as_recorded(text: str) -> str:
        return text.replace("/tmp/copy", "/home/anna")

    then, now = (SpatialBelief(text=f"{path}/memory is damaged") for path in ("/home/anna", "/tmp/copy"))
    comparison = Comparison({topics.SPATIAL_BELIEF: frozenset({"spatial_memory"})}, as_recorded=as_recorded)
    comparison.recorded(0, topics.SPATIAL_BELIEF, then)
    comparison.replayed(0, "spatial_memory", CAUSE, topics.SPATIAL_BELIEF, now)
    assert comparison.first is None
    assert comparison.tallies[topics.SPATIAL_BELIEF].same == 1

    errors = ErrorComparison(as_recorded)
    text = f"{HANDLING}{CAUSE.topic}: {described(ValueError('/home/anna/memory'))}"
    errors.recorded(0, Fault(node="planner", error=Error(ErrorCode.NODE_FAILED, text)))
    errors.replayed(0, "planner", CAUSE, ValueError("/tmp/copy/memory"))
    assert errors.differences(("planner",), whole=True) == []


@pytest.mark.parametrize(
    ("expected", "got", "field"),
    [
        (SpatialBelief(text="a"), SpatialBelief(text="b"), "text"),
        (
            SpatialBelief(facts=(Relation("a", "on", "b"),)),
            SpatialBelief(facts=(Relation("a", "in", "b"),)),
            "facts[0].predicate",
        ),
        (SpatialBelief(facts=(Relation("a", "on", "b"),)), SpatialBelief(), "facts (number)"),
        (
            OccupancyGrid(data=np.zeros(4, np.int8)),
            OccupancyGrid(data=np.array([0, 0, 9, 0], np.int8)),
            "data",
        ),
    ],
)
def test_a_differing_field_is_named_by_its_path(expected, got, field):
    assert [name for name, _, _ in differences(expected, got)] == [field]


def test_nan_fields_compare_equal():
    """Covers NaN as rosbags and rclpy both decode it."""
    assert not list(differences(Route(target="a"), Route(target="a")))
