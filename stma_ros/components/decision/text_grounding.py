"""Grounding in text worlds: the admissible commands of the world are the allowed actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from stma_ros.components.decision.grounding import GIVE_UP, Placement
from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, SkillSchema


class TextGrounding:
    """The Grounding of text worlds, whose commands name their objects."""

    own_skills: ClassVar[tuple[SkillSchema, ...]] = (GIVE_UP,)

    def __init__(self, *, beliefs: bool = True) -> None:
        """Creates a grounding.

        Args:
            beliefs: whether each step waits for its beliefs (STMA, equation 9) rather than plans alone (algorithm 2).
        """
        own = (topics.OUTCOME, topics.OBSERVATION)
        self.inputs: tuple[str, ...] = (*own, topics.SPATIAL_BELIEF) if beliefs else own

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> tuple[Action, ...]:
        commands = step.observation.admissible_commands
        return *(Action(words.SKILL_COMMAND, (text,)) for text in commands), Action(words.SKILL_GIVE_UP)

    def observation(self, step: StepInputs) -> str:
        now = step.observation
        return "\n".join(part for part in (now.feedback, now.description, now.inventory) if part)

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Text commands need no target; returns an empty Placement."""
        return Placement()
