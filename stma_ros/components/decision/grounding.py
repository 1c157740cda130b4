"""What stands between the actions that roles speak of and a world that has to do them."""

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
    """An action said in places: see SkillRequest. frame_id: of targets and base_goal."""

    frame_id: str = ""
    targets: tuple[SkillTarget, ...] = ()
    base_goal: Pose = Pose.none()


class Grounding(Protocol):
    """One for worlds with cameras, one for worlds of text."""

    @property
    def own_skills(self) -> tuple[SkillSchema, ...]:
        """The skills of the agent itself, which no world executes: those that end the task, and those of its memory."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """The topics on which a message of the step has to come before it can be decided."""
        ...

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> tuple[Action, ...]:
        """What can be asked for now, the agent's own actions included."""
        ...

    def observation(self, step: StepInputs) -> str:
        """What the roles are told besides the beliefs."""
        ...

    def place(self, action: Action, step: StepInputs) -> Placement:
        """The targets of an action; with position NaN for one that is not there any more."""
        ...
