"""Latency of each component, from the log times of a bag."""

from __future__ import annotations

import pytest

from stma_ros.evaluation.offline.latency import LatencyMeter
from stma_ros.types import topics
from stma_ros.types.common import MessageRef
from stma_ros.types.control import JournalEntry
from stma_ros.types.planning import Critique, Plan, SkillRequest
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import ModelCall

MS = 1_000_000


def line(component: str, index: int, topic: str, id_: str = "t/0", revision: int = 0) -> JournalEntry:
    return JournalEntry(
        header=Header(), component=component, index=index, topic=topic, id=id_, revision=revision
    )


def measured(*timed: tuple[int, str, object]) -> LatencyMeter:
    meter = LatencyMeter()
    for milliseconds, topic, message in timed:
        meter.take(topic, milliseconds * MS, message)
    return meter


def plan(step: int, *sources: str) -> Plan:
    return Plan(
        at=StepStamp(header=Header(Time(5, 0)), task_id="t", step=step),
        derived_from=tuple(MessageRef(topic, f"t/{step}") for topic in sources),
    )


def test_latency_of_an_answer_counts_from_the_last_journal_entry_of_its_component():
    meter = measured(
        (100, topics.JOURNAL, line("critic", 0, topics.ACTION_PROPOSAL)),
        (140, topics.JOURNAL, line("planner", 0, topics.PLAN_REQUEST)),
        (180, topics.JOURNAL, line("planner", 1, topics.SPATIAL_BELIEF)),
        (190, topics.CRITIQUE, Critique(at=StepStamp(header=Header(Time(5, 0)), task_id="t", step=0))),
        (200, topics.PLAN, plan(0, topics.PLAN_REQUEST)),
    )
    latencies = meter.components()
    assert latencies["planner", topics.PLAN].p50 == pytest.approx(0.020)
    assert latencies["critic", topics.CRITIQUE].p50 == pytest.approx(0.090)


def test_latency_is_zero_when_an_answer_was_logged_before_its_input():
    meter = measured(
        (100, topics.JOURNAL, line("planner", 0, topics.PLAN_REQUEST)),
        (110, topics.PLAN, plan(0, topics.PLAN_REQUEST)),
        (900, topics.PLAN, plan(1, topics.PLAN_REQUEST)),
        (901, topics.JOURNAL, line("planner", 1, topics.PLAN_REQUEST, "t/1")),
    )
    latency = meter.components()["planner", topics.PLAN]
    assert (latency.count, latency.p50, latency.max) == pytest.approx((2, 0.005, 0.010))


def test_latency_meter_gives_up_on_a_journal_entry_that_never_comes():
    others = [
        (500 + k, topics.JOURNAL, line("critic", k, topics.ACTION_PROPOSAL, f"t/{k}")) for k in range(600)
    ]
    meter = measured(
        (100, topics.JOURNAL, line("planner", 0, topics.PLAN_REQUEST)),
        (110, topics.PLAN, plan(7, topics.PLAN_REQUEST)),
        *others,
        (2000, topics.JOURNAL, line("planner", 1, topics.PLAN_REQUEST, "t/7")),
    )
    assert meter.components()["planner", topics.PLAN].p50 == pytest.approx(0.010)


def test_simulated_log_times_yield_no_latency():
    stamp = Header(Time(0, 200 * MS))
    meter = measured(
        (
            100,
            topics.JOURNAL,
            JournalEntry(
                header=Header(Time(0, 100 * MS)),
                component="planner",
                index=0,
                topic=topics.PLAN_REQUEST,
                id="t/0",
            ),
        ),
        (200, topics.OBSERVATION, Observation(header=stamp, task_id="t", step=0)),
        (200, topics.PLAN, Plan(at=StepStamp(header=stamp, task_id="t", step=0))),
        (200, topics.SKILL_REQUEST, SkillRequest(header=stamp, request_id="", task_id="t", step=1)),
    )
    assert meter.is_simulated
    assert meter.components() == {}
    assert meter.step() is None


def test_latency_of_a_step_counts_from_its_observation_to_the_next_skill():
    header = Header(Time(5, 0))
    meter = measured(
        (100, topics.OBSERVATION, Observation(header=header, task_id="t", step=4)),
        (350, topics.SKILL_REQUEST, SkillRequest(header=header, request_id="", task_id="t", step=5)),
        (900, topics.OBSERVATION, Observation(header=header, task_id="t", step=5)),
    )
    step = meter.step()
    assert step is not None
    assert (step.count, step.p50) == pytest.approx((1, 0.25))


def test_model_latency_is_measured_by_role_without_cached_answers():
    calls = [(0.5, False), (1.5, False), (0.0, True)]
    meter = measured(
        *(
            (k, topics.MODEL_CALL, ModelCall(role="planner", latency=s, cached=cached))
            for k, (s, cached) in enumerate(calls)
        )
    )
    latency = meter.models()["planner"]
    assert (latency.count, latency.p50, latency.max) == pytest.approx((2, 1.0, 1.5))
