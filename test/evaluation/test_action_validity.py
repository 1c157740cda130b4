"""Executed actions are compared with the actions that were allowed at their step."""

from __future__ import annotations

from stma_ros.evaluation.action_validity import disallowed_done
from stma_ros.evaluation.episode_trace import EpisodeTrace
from stma_ros.types import topics
from stma_ros.types.planning import Action, ActionProposal, SkillRequest
from stma_ros.types.stepped import StepStamp

EAST, WEST = Action("command", ("go east",)), Action("command", ("go west",))


def proposed(step: int, action: Action, *allowed: Action) -> ActionProposal:
    return ActionProposal(at=StepStamp(task_id="t", step=step), action=action, allowed_actions=allowed)


def requested(step: int, action: Action) -> SkillRequest:
    return SkillRequest(task_id="t", step=step, action=action)


def trace_of(*messages: ActionProposal | SkillRequest) -> EpisodeTrace:
    trace = EpisodeTrace()
    for message in messages:
        proposal = isinstance(message, ActionProposal)
        trace(topics.ACTION_PROPOSAL if proposal else topics.SKILL_REQUEST, message)
    return trace


def test_an_action_allowed_at_its_own_step_is_valid() -> None:
    assert disallowed_done(trace_of(proposed(0, EAST, EAST), requested(1, EAST))) == (0, 1)


def test_an_action_allowed_only_at_another_step_is_invalid() -> None:
    messages = proposed(0, EAST, WEST), proposed(1, EAST, EAST), requested(1, EAST)
    assert disallowed_done(trace_of(*messages)) == (1, 1)


def test_a_proposed_action_that_was_not_executed_is_not_counted() -> None:
    assert disallowed_done(trace_of(proposed(0, EAST, WEST))) == (0, 0)


def test_initial_look_around_is_not_counted_as_a_decision() -> None:
    assert disallowed_done(trace_of(requested(0, Action("observe")))) == (0, 0)
