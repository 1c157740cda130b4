"""Reads from messages which plan a step followed."""

from __future__ import annotations

from stma_ros.types import topics
from stma_ros.types.planning import SkillRequest


def plan_revision(request: SkillRequest) -> int | None:
    """Returns the revision of the plan that a skill request follows, which was made at the step before; None if it
    follows none, as the first request of a task."""
    return next((ref.revision for ref in request.derived_from if ref.topic == topics.PLAN), None)
