"""Computes how often the roles of an agent with a camera are asked in a step, and how long a step takes to decide.

A question counts whether rules or a model answer it, so that both compare. Roles that only rules can answer where there
is a camera do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from statistics import fmean
from typing import Final

from stma_ros.agents.registry import AGENTS
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.roles.registry import ROLES

VISION_CALLS: Final = "vision_calls_per_step"
"""The key of a measure: questions to roles that are shown pictures, per step in which a role was asked."""

TEXT_CALLS: Final = "text_calls_per_step"
"""The key of a measure: questions to the other roles, per step in which a role was asked."""

STEP_LATENCY: Final = "step_latency_s"
"""The key of a measure: mean wall time from an observation to the next command, or to the end of the task [s]."""

ROLE_COLUMNS: Final = {
    VISION_CALLS: "vision calls",
    TEXT_CALLS: "text calls",
    STEP_LATENCY: "s a step",
}

_VISION_ROLES = frozenset(role.name for role in ROLES if role.has_images)


def role_use(trace: EpisodeTrace) -> Mapping[str, float]:
    """Returns the measures of an episode by their keys in the results, without those that it gives no value for."""
    measures: dict[str, float] = {}
    calls = [call for call in trace.calls if call.role in _model_roles()]
    if calls:
        steps = len({(call.task_id, call.step) for call in calls})
        with_pictures = sum(call.role in _VISION_ROLES for call in calls)
        measures[VISION_CALLS] = with_pictures / steps
        measures[TEXT_CALLS] = (len(calls) - with_pictures) / steps
    if trace.step_latencies:
        measures[STEP_LATENCY] = fmean(trace.step_latencies)
    return measures


@cache
def _model_roles() -> frozenset[str]:
    """Returns the roles that a model can answer in a world with cameras."""
    wirings = (wiring for agent in AGENTS.agents.values() for wiring in agent.wirings)
    return frozenset(role for wiring in wirings if wiring.has_camera for role in wiring.roles)
