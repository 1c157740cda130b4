"""The port between the actions that roles name and a world that executes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.types import vocabulary as words
from stma_ros.types.planning import Action, ActionKind, ArgumentKind, SkillSchema, SkillTarget
from stma_ros.types.standard import Pose

OBSERVE = Action(words.SKILL_OBSERVE)
"""Looks once from where the robot stands; the first thing of every task, and no command."""


REPORT = SkillSchema(
    name=words.SKILL_REPORT,
    arguments=(ArgumentKind.OBJECT,),
    description="All else is done, and this is the answer.",
    kind=ActionKind.TERMINAL,
)
FINISH = SkillSchema(
    name=words.SKILL_FINISH,
    arguments=(),
    description="Everything that was asked for is done.",
    kind=ActionKind.TERMINAL,
)
GIVE_UP = SkillSchema(
    name=words.SKILL_GIVE_UP,
    arguments=(),
    description="It is nowhere, or it cannot be done.",
    kind=ActionKind.TERMINAL,
)


@dataclass(frozen=True)
class Placement:
    """The places of an action's arguments, see SkillRequest.

    Attributes:
        frame_id: frame of targets and base_goal.
        targets: one for each argument.
        base_goal: where the base is to stand for the first of them.
    """

    frame_id: str = ""
    targets: tuple[SkillTarget, ...] = ()
    base_goal: Pose = Pose.none()


class Grounding(Protocol):
    """Translates between actions and the world; one for worlds with cameras, one for worlds of text."""

    @property
    def own_skills(self) -> tuple[SkillSchema, ...]:
        """The skills of the agent itself, which no world executes: those that end the task, and those of its memory."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """The topics of which a message of the step is needed to decide it."""
        ...

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> tuple[Action, ...]:
        """Returns the actions that are allowed now, including the agent's own."""
        ...

    def observation(self, step: StepInputs) -> str:
        """Returns the text that roles get besides the beliefs."""
        ...

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Returns the targets of an action; their position is NaN if they are not there any more."""
        ...
