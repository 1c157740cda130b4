"""Questions to roles per step, and the time of a step."""

from __future__ import annotations

import time

import pytest

from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.evaluation.role_use import STEP_LATENCY, TEXT_CALLS, VISION_CALLS, role_use
from stma_ros.roles.answerer import ANSWERER
from stma_ros.roles.frontier_chooser import FRONTIER_CHOOSER
from stma_ros.roles.recorder import RECORDER
from stma_ros.roles.relation_retriever import RELATION_RETRIEVER
from stma_ros.types import topics
from stma_ros.types.planning import SkillRequest, TaskResult
from stma_ros.types.sensing import Observation
from stma_ros.types.stepped import StepStamp
from stma_ros.types.telemetry import RoleCall


def test_calls_are_counted_with_and_without_pictures_per_step_in_which_a_role_was_asked() -> None:
    trace = EpisodeTrace()
    asked = {
        1: (RELATION_RETRIEVER,),
        2: (RELATION_RETRIEVER, ANSWERER, FRONTIER_CHOOSER),
        3: (RECORDER, ANSWERER, FRONTIER_CHOOSER),
        4: (ANSWERER,),
    }
    for step, roles in asked.items():
        for role in roles:
            at = StepStamp(task_id="a", step=step)
            trace(topics.ROLE_CALLS, RoleCall(at=at, role=role.name))
    assert role_use(trace) == {VISION_CALLS: 5 / 3, TEXT_CALLS: 1 / 3}


def test_a_step_lasts_from_an_observation_to_the_next_command_or_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter([10.0, 12.0, 20.0, 21.0, 30.0, 33.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(times))
    trace = EpisodeTrace()
    trace(topics.SKILL_REQUEST, SkillRequest())  # the first one follows no observation
    for decision in (SkillRequest(), SkillRequest(), TaskResult()):
        trace(topics.OBSERVATION, Observation())
        trace(topics.SKILL_REQUEST, decision)
    trace(topics.TASK_RESULT, TaskResult())
    assert role_use(trace) == {STEP_LATENCY: 2.0}


def test_an_episode_without_roles_and_steps_has_no_measures() -> None:
    assert role_use(EpisodeTrace()) == {}
