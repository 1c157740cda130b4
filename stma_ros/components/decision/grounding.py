"""The interface between the actions that roles name and the world that executes them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from stma_ros.components.step_synchronizer import StepInputs
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.types import topics
from stma_ros.types import vocabulary as words
from stma_ros.types.belief import TemporalBelief
from stma_ros.types.planning import Action, ActionKind, ArgumentKind, SkillSchema, SkillTarget
from stma_ros.types.standard import Pose

OBSERVE = Action(words.SKILL_OBSERVE)
"""Takes one frame without motion; the first action of every task, which costs no command."""


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
FINISH_UNVERIFIED = SkillSchema(
    name=words.SKILL_FINISH_UNVERIFIED,
    arguments=(),
    description="All seems to be done, and some of it could not be checked.",
    kind=ActionKind.TERMINAL,
)
ANSWER = SkillSchema(
    name=words.SKILL_ANSWER,
    arguments=(),
    description="The question is answered.",
    kind=ActionKind.TERMINAL,
)
GIVE_UP = SkillSchema(
    name=words.SKILL_GIVE_UP,
    arguments=(),
    description="It is nowhere, or it cannot be done.",
    kind=ActionKind.TERMINAL,
)
RETRIEVE = SkillSchema(
    name=words.SKILL_RETRIEVE,
    arguments=(ArgumentKind.SUBGOAL,),
    description="Show closed subgoals with all their actions and observations, until the next subgoal.",
    kind=ActionKind.MEMORY,
)


def with_retrievals(allowed: AllowedActions, step: StepInputs) -> AllowedActions:
    """Returns the allowed actions with those that retrieve subgoals, by the temporal belief of the step."""
    chunks = step.get(topics.TEMPORAL_BELIEF, TemporalBelief).chunks
    ids = tuple(str(chunk.id) for chunk in chunks if chunk.retrievable)
    retrievals = (Action(words.SKILL_RETRIEVE, (each,)) for each in ids)
    return replace(allowed, listed=(*allowed.listed, *retrievals), retrievable=ids)


@dataclass(frozen=True)
class Placement:
    """Poses of an action's arguments (SkillRequest).

    Attributes:
        frame_id: frame of the poses.
        targets: one for each argument.
        base_goal: pose of the base for the first of them.
        place_goal: pose at which what is in the hand is to be put on or into the first of them.
    """

    frame_id: str = ""
    targets: tuple[SkillTarget, ...] = ()
    base_goal: Pose = Pose.none()
    place_goal: Pose = Pose.none()


class Grounding(Protocol):
    """Translates between actions and the world; implementations exist for worlds with cameras and for text worlds."""

    @property
    def own_skills(self) -> tuple[SkillSchema, ...]:
        """The agent's own skills, which no world executes: those that end the task, and those of its memory."""
        ...

    @property
    def inputs(self) -> tuple[str, ...]:
        """The topics whose message of a step is required to decide the step."""
        ...

    def allowed_actions(self, skills: Iterable[SkillSchema], step: StepInputs) -> AllowedActions:
        """Returns the actions that are allowed now, including the agent's own."""
        ...

    def observation(self, step: StepInputs) -> str:
        """Returns the text that roles get in addition to the beliefs."""
        ...

    def place(self, action: Action, step: StepInputs) -> Placement:
        """Returns the targets of an action; the positions of those that no longer exist are NaN."""
        ...
