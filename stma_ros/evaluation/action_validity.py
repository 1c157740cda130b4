"""Counts executed actions that were not allowed when they were decided."""

from __future__ import annotations

from stma_ros.evaluation.episode_trace import EpisodeTrace

DISALLOWED_DONE = "disallowed_done"
"""The key of a share: of the executed actions, those that were not allowed at their step."""


def disallowed_done(trace: EpisodeTrace) -> tuple[int, int]:
    """Returns (disallowed, all) executed actions. The look around with which an episode begins was not decided and does
    not count."""
    allowed = {(p.task_id, p.step): frozenset(map(str, p.allowed_actions)) for p in trace.proposals}
    decided = [
        str(request.action) in allowed[request.task_id, request.step - 1]
        for request in trace.requests
        if (request.task_id, request.step - 1) in allowed
    ]
    return len(decided) - sum(decided), len(decided)
