"""A made-up run of a text game, message by message: no map, no pictures, no motion."""

from __future__ import annotations

from collections.abc import Iterator

from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.message import Message
from stma_ros.types.planning import (
    Action,
    ActionProposal,
    Critique,
    Outcome,
    Plan,
    Result,
    SkillRequest,
    Task,
    TaskResult,
    TaskStatus,
    Verdict,
)
from stma_ros.types.sensing import EpisodeState, Observation
from stma_ros.types.standard import Clock, Header, Time
from stma_ros.types.stepped import StepStamp
from stma_ros.types.truth import GroundTruth

COMMANDS = (("open fridge", "You open the fridge.\n\n\nIt holds <an apple>."), ("eat apple", "Not bad."))
PLACE = "-= Kitchen =-\n\nYou are in a kitchen. A fridge is here."


def text_game_run() -> list[tuple[str, Message]]:
    """Messages of two commands, each planned, accepted and answered; the game is won with 3 of 4 points."""
    return [
        (topics.TASK, Task(header=Header(), task_id="task_1", text="Eat the apple.", max_commands=50)),
        *_answered(0, Action("observe"), "", PLACE),
        *(said for step, pair in enumerate(COMMANDS) for said in _command(step, *pair)),
        (
            topics.TASK_RESULT,
            TaskResult(
                header=_header(2),
                task_id="task_1",
                status=TaskStatus.SUCCEEDED,
                text="the game is won",
                commands=2,
            ),
        ),
    ]


def _command(step: int, command: str, feedback: str) -> Iterator[tuple[str, Message]]:
    at = StepStamp(header=_header(step), task_id="task_1", step=step)
    action = Action("command", (command,))
    yield topics.PLAN, Plan(at=at, subgoal=f"{command} now", actions=(action,), reasoning="there is food")
    yield topics.ACTION_PROPOSAL, ActionProposal(at=at, task="Eat the apple.", action=action)
    yield topics.CRITIQUE, Critique(at=at, verdict=Verdict.ACCEPTED)
    yield from _answered(step + 1, action, feedback, PLACE)


def _answered(step: int, action: Action, feedback: str, description: str) -> Iterator[tuple[str, Message]]:
    header = _header(step)
    name = f"task_1/{step}"
    yield (
        topics.SKILL_REQUEST,
        SkillRequest(header=header, request_id=name, task_id="task_1", step=step, subgoal="", action=action),
    )
    yield topics.CLOCK, Clock(header.stamp)
    yield topics.GROUND_TRUTH, GroundTruth(header=header, scene="level_1", score=1.0 + step, max_score=4.0)
    won = EpisodeState.WON if step == len(COMMANDS) else EpisodeState.RUNNING
    yield (
        topics.OBSERVATION,
        Observation(
            header=header,
            task_id="task_1",
            step=step,
            feedback=feedback,
            description=description,
            episode=won,
        ),
    )
    yield (
        topics.OUTCOME,
        Outcome(
            header=header,
            request_id=name,
            task_id="task_1",
            step=step,
            action=action,
            result=Result.SUCCEEDED,
            duration=1.0,
        ),
    )
    text = f"Done so far: {step} commands."
    yield (
        topics.TEMPORAL_BELIEF,
        TemporalBelief(at=StepStamp(header=header, task_id="task_1", step=step), text=text),
    )
    yield (
        topics.SPATIAL_BELIEF,
        SpatialBelief(
            at=StepStamp(header=header, task_id="task_1", step=step),
            room="kitchen",
            text="The fridge is here.",
        ),
    )


def _header(step: int) -> Header:
    return Header(Time(step + 1))
