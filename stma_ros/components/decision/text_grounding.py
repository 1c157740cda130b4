"""Grounding in text worlds: the commands that the world accepts are the allowed actions."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.components.decision.grounding import (
    FINISH,
    FINISH_UNVERIFIED,
    GIVE_UP,
    RETRIEVE,
    Placement,
    with_retrievals,
)
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, SkillSchema
from stma_ros.types.sensing import EpisodeState

_FINISH, _FINISH_UNVERIFIED, _GIVE_UP = map(
    Action, (words.SKILL_FINISH, words.SKILL_FINISH_UNVERIFIED, words.SKILL_GIVE_UP)
)


class TextGrounding:
    """The Grounding of text worlds, whose commands name their objects.

    The agent can say that the task is done where the world never does.
    """

    def __init__(
        self, *, beliefs: tuple[str, ...] = (topics.SPATIAL_BELIEF,), retrieves: bool = False
    ) -> None:
        """Creates a grounding.

        Args:
            beliefs: topics of the beliefs that each step waits for (STMA, equation 9); empty = a step waits for plans
                alone (algorithm 2).
            retrieves: whether the memory can be asked for closed subgoals; `beliefs` has to include the temporal one.
        """
        self._retrieves = retrieves
        self.own_skills: tuple[SkillSchema, ...] = (
            FINISH,
            FINISH_UNVERIFIED,
            GIVE_UP,
            *((RETRIEVE,) if retrieves else ()),
        )
        self.inputs: tuple[str, ...] = (topics.OUTCOME, topics.OBSERVATION, *beliefs)

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> AllowedActions:
        now = step.observation
        commands = (Action(words.SKILL_COMMAND, (text,)) for text in now.admissible_commands)
        unjudged = now.episode == EpisodeState.UNJUDGED
        ends = (_FINISH, _FINISH_UNVERIFIED, _GIVE_UP) if unjudged else (_GIVE_UP,)
        allowed = AllowedActions((*commands, *ends), now.action_model, now.any_command)
        return with_retrievals(allowed, step) if self._retrieves else allowed

    def observation(self, step: StepInputs) -> str:
        now = step.observation
        return "\n".join(part for part in (now.feedback, now.description, now.inventory) if part)

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Text commands need no target; returns an empty Placement."""
        return Placement()
