"""Disagreements of two agents that are asked for the same decisions."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.evaluation.offline.decision_agreement import agreement
from stma_ros.evaluation.offline.decisions import Decision, DecisionCollector, DecisionPoint
from stma_ros.evaluation.tally import Tally
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.message import Message
from stma_ros.types.planning import Action, ActionProposal, Critique, Plan, PlanRequest, Verdict
from stma_ros.types.stepped import StepStamp

OPEN, GO = Action("open", ("door_1",)), Action("navigate", ("sink_1",))
STEP = StepStamp(task_id="task_1", step=3)

DecisionOutput = tuple[str, Message]


def asked(*answers: DecisionOutput, belief: str = "The door is closed.") -> dict[DecisionPoint, Decision]:
    collector = DecisionCollector()
    messages: Iterable[DecisionOutput] = (
        (
            topics.PLAN_REQUEST,
            PlanRequest(at=STEP, task="wash up", feedback="too far", allowed_actions=(OPEN, GO)),
        ),
        (topics.TEMPORAL_BELIEF, TemporalBelief(at=STEP, text="Nothing is done.")),
        (topics.SPATIAL_BELIEF, SpatialBelief(at=STEP, text=belief)),
        (topics.ACTION_PROPOSAL, ActionProposal(at=STEP, belief_step=3, action=OPEN, subgoal="get in")),
        *answers,
    )
    for topic, message in messages:
        collector(topic, message)
    return collector.decisions()


def plan(*actions: Action, subgoal: str = "get in", error: Error = Error()) -> DecisionOutput:
    return topics.PLAN, Plan(at=STEP, subgoal=subgoal, actions=actions, error=error)


def verdict(value: Verdict, reason: str = "") -> DecisionOutput:
    return topics.CRITIQUE, Critique(at=STEP, verdict=value, reason=reason)


RECORDED = asked(plan(OPEN, GO), verdict(Verdict.ACCEPTED))


def test_equal_decisions_agree_even_when_their_reasons_differ():
    result = agreement(RECORDED, asked(plan(OPEN, GO), verdict(Verdict.ACCEPTED, "it is closed")))
    assert result.disagreements == ()
    assert set(result.shares.values()) == {Tally(1, 1, 1), Tally(2, 2, 2)}


def test_plans_that_differ_after_the_first_action_agree_on_the_first_action():
    result = agreement(RECORDED, asked(plan(OPEN, subgoal="look"), verdict(Verdict.ACCEPTED)))
    assert result.shares["first action"] == Tally(1, 1, 1)
    assert result.shares["whole plan"] == result.shares["subgoal"] == Tally(0, 1, 1)
    (disagreement,) = result.disagreements
    assert disagreement.differs == ("whole plan", "subgoal")
    assert disagreement.point == DecisionPoint("task_1", 3, 0, "plan")


def test_disagreements_come_in_the_order_of_the_recording_with_both_beliefs():
    other = asked(plan(GO), verdict(Verdict.REJECTED, "no need"), belief="The door is closed.\nIt is locked.")
    first, second = agreement(RECORDED, other).disagreements
    assert first.point.kind == "plan"
    text = first.text()
    assert "task_1, step 3, revision 0: plan for 'wash up'" in text
    assert "recorded: open(door_1), navigate(sink_1)" in text
    assert "other:    navigate(sink_1)" in text
    assert "both saw the same: feedback, allowed actions, temporal belief" in text
    assert "+ It is locked." in text
    assert "- The door is closed." not in text
    assert "verdict on open(door_1)" in second.text()
    assert "rejected: no need" in second.text()


def test_a_missing_answer_is_a_disagreement():
    result = agreement(RECORDED, asked(plan(OPEN, GO)))
    assert result.shares["verdict"] == Tally(0, 1, 1)
    assert "no answer" in result.disagreements[0].text()
    failed = asked(plan(error=Error(ErrorCode.ROLE_FAILED, "no reply")), verdict(Verdict.ACCEPTED))
    assert "no plan: no reply" in agreement(RECORDED, failed).disagreements[0].text()


def test_differing_beliefs_with_equal_decisions_are_counted_but_are_no_disagreement():
    result = agreement(RECORDED, asked(plan(OPEN, GO), verdict(Verdict.ACCEPTED), belief="It is night."))
    assert result.disagreements == ()
    assert result.shares["spatial belief"] == Tally(0, 2, 2)
    assert result.shares["temporal belief"] == Tally(2, 2, 2)


def test_a_decision_without_a_recorded_answer_is_not_compared():
    assert not agreement(asked(), RECORDED).shares
