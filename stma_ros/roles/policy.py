"""Policy: chooses the next action and, where the last subgoal is reached or given up, a new subgoal (HiAgent, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

from stma_ros.roles.action_model_text import action_model_text
from stma_ros.roles.actions import not_allowed, read_action, similar
from stma_ros.roles.allowed_actions import AllowedActions
from stma_ros.roles.planner import (
    FAILURES,
    PLANNER,
    FailureName,
    PlanAnswer,
    PlanQuery,
    check_failure,
)
from stma_ros.roles.rendering import action_lines, headed, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.action_model import ActionModel
from stma_ros.types.planning import Action

ANY_COMMAND = "any command"
INSTANCES = "the actions above, with objects of the types named"
"""Lines below the allowed actions, for those that are not listed."""

NO_SUBGOALS = "none; the action alone"

_MAX_QUOTED = 100  # [characters] of an action that an error quotes


@dataclass(frozen=True)
class PolicyQuery(PlanQuery):
    """The question to the policy.

    Attributes:
        model: the world's actions, typed; empty in worlds without such a model.
        any_command: whether the world accepts any text as a command.
        subgoals: whether actions are grouped by subgoals.
    """

    model: ActionModel = ActionModel()
    any_command: bool = False
    subgoals: bool = True

    @property
    def allowed(self) -> AllowedActions:
        """The actions that are allowed; the listed ones show whether subgoals can be retrieved, and which."""
        retrievals = (each for each in self.allowed_actions if each.skill == words.SKILL_RETRIEVE)
        ids = tuple(number for each in retrievals for number in each.arguments)
        return AllowedActions(self.allowed_actions, self.model, self.any_command, ids)


PolicyRole: TypeAlias = Role[PolicyQuery, PlanAnswer]
"""Returns one action, with its subgoal; an empty subgoal = the present one is pursued further."""


def _text(query: PolicyQuery) -> str:
    return sections(
        f"Task: {query.task}",
        headed("Actions", action_model_text(query.model)),
        headed("What happened", query.temporal.text),
        headed("Where things are", query.spatial.text),
        headed("Allowed", "\n".join((action_lines(query.allowed_actions), *_unlisted(query))).strip()),
        headed("Subgoals", "" if query.subgoals else NO_SUBGOALS),
        headed("The last action was dropped", query.feedback),
        headed("Rejected", action_lines(query.rejected)),
    )


def _unlisted(query: PolicyQuery) -> tuple[str, ...]:
    if query.any_command:
        return (ANY_COMMAND,)
    return (INSTANCES,) if query.model.name else ()


@dataclass(frozen=True)
class PolicyReply:
    """subgoal: empty = the present one is pursued further; failure: with giving up, why; otherwise none."""

    reasoning: str
    subgoal: str
    action: str
    failure: FailureName


def _read(reply: PolicyReply, query: PolicyQuery) -> PlanAnswer:
    action = read_action(reply.action, query.allowed_actions, any_command=query.any_command)
    if action not in query.allowed:
        action = _in_small_letters(action)
    if action not in query.allowed:
        raise UnusableReplyError(_not_allowed(reply.action, action, query))
    check_failure(reply.failure, (action,))
    subgoal = " ".join(reply.subgoal.split()) if query.subgoals else ""
    if query.subgoals and not subgoal and not query.temporal.subgoal:
        raise UnusableReplyError("there is no subgoal yet; give the first one with the action")
    return PlanAnswer(subgoal, (action,), reply.reasoning.strip(), FAILURES[reply.failure])


def _in_small_letters(action: Action) -> Action:
    """Returns a command as worlds write theirs; models begin it with a capital letter."""
    return replace(action, arguments=tuple(each.lower() for each in action.arguments))


def _not_allowed(written: str, action: Action, query: PolicyQuery) -> str:
    if action.skill != words.SKILL_COMMAND or not query.model.name:
        return f"the action {not_allowed(action, query.allowed_actions)}"
    return (
        f"{written[:_MAX_QUOTED]!r} is none of the actions: write one of them word for word, with objects of the "
        "right types in the place of its variables, or one of those listed, such as: "
        f"{similar(written, query.allowed_actions)}"
    )


POLICY = RoleSpec(
    name="policy",
    question=PolicyQuery,
    answer=PlanAnswer,
    reply=PolicyReply,
    text=_text,
    read=_read,
    wait=Wait.PLAN,
    faults=PLANNER.faults,
    corrupt=PLANNER.corrupt,
)
