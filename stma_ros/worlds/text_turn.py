"""A turn in a world of text: what such a world refuses, and the messages with which every turn ends."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.component import CancelToken, Emission
from stma_ros.types.errors import ErrorCode
from stma_ros.types.planning import ArgumentKind, Outcome, Result, SkillRequest, SkillSchema
from stma_ros.types.sensing import Observation
from stma_ros.types.standard import Clock, Header, Time
from stma_ros.types.truth import GroundTruth

COMMAND_TIME = 1_000_000_000
"""Simulated duration of a command [ns]."""


def command_skill(description: str) -> SkillSchema:
    """Returns the only skill of a world of text, apart from `observe`."""
    return SkillSchema(name=words.SKILL_COMMAND, arguments=(ArgumentKind.COMMAND,), description=description)


def refusal(request: SkillRequest, cancel: CancelToken, kind: str) -> Error:
    """Returns why a request is not executed, whatever its arguments; no error where it may be.

    Args:
        request: the request, of another skill than `observe`.
        cancel: whether it is canceled.
        kind: what the world is, with its article: a text game.
    """
    skill = request.action.skill
    if cancel.canceled:
        return Error(ErrorCode.CANCELED, cancel.reason)
    if skill != words.SKILL_COMMAND:
        return Error(ErrorCode.SKILL_UNKNOWN, f"{kind} knows no skill {skill!r}, only commands")
    return Error()


def end_turn(
    request: SkillRequest, error: Error, begun: int, now: int, truth: GroundTruth, seen: Observation
) -> Iterator[Emission]:
    """Yields the messages at the end of a turn.

    Args:
        request: what was asked for.
        error: why it was not done.
        begun: when the turn began [ns].
        now: when it ended [ns].
        truth: for the scorer, without its header.
        seen: for the agent, without header, task, step and outcome.
    """
    stamp = Time.from_nanoseconds(now)
    header = Header(stamp)
    canceled = error.code == ErrorCode.CANCELED
    outcome = Outcome(
        header=header,
        request_id=request.request_id,
        task_id=request.task_id,
        step=request.step,
        action=request.action,
        result=Result.CANCELED if canceled else Result.FAILED if error else Result.SUCCEEDED,
        error=error,
        distance=0.0,
        duration=(now - begun) / 1e9,
    )
    observing = request.action.skill == words.SKILL_OBSERVE
    yield topics.CLOCK, Clock(stamp)
    yield topics.GROUND_TRUTH, replace(truth, header=header)
    yield (
        topics.OBSERVATION,
        replace(
            seen,
            header=header,
            task_id=request.task_id,
            step=request.step,
            last_outcome=Outcome() if observing else outcome,
        ),
    )
    yield topics.OUTCOME, outcome
