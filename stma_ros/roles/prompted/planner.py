"""A planner that is a chat model (STMA, section 4.3), of text games or of a household robot."""

from __future__ import annotations

from collections.abc import Mapping

from stma_ros.roles.contracts import PlanAnswer, PlannerRole, PlanQuery
from stma_ros.roles.prompted.actions import not_allowed, read_action
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.replies import PlanReply
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ErrorCode

_FAILURES: Mapping[str, ErrorCode] = {
    "none": ErrorCode.NONE,
    "not_found": ErrorCode.NONE,
    "impossible": ErrorCode.IMPOSSIBLE,
    "contradiction": ErrorCode.CONTRADICTION,
}


class PromptedPlanner:
    """A PlannerRole."""

    def __init__(self, line: Line, rules: PlannerRole | None = None, prompt: str = "text/planner") -> None:
        self._answering = Answering(line, prompt, PlanReply, _answer, rules.plan if rules else None)

    def plan(self, query: PlanQuery) -> PlanAnswer:
        return self._answering.answer(query)


def _answer(reply: PlanReply, query: PlanQuery) -> PlanAnswer:
    if not reply.actions:
        raise UnusableReplyError("there is no action; give at least one, the first of them an allowed one")
    actions = tuple(read_action(text, query.allowed_actions) for text in reply.actions)
    if actions[0] not in query.allowed_actions:
        raise UnusableReplyError(f"the first action {not_allowed(actions[0], query.allowed_actions)}")
    gives_up = any(action.skill == words.SKILL_GIVE_UP for action in actions)
    if reply.failure != "none" and not gives_up:
        raise UnusableReplyError(
            f"the failure is {reply.failure!r}, and no action is {words.SKILL_GIVE_UP}(): give up, or write 'none'"
        )
    return PlanAnswer(reply.subgoal.strip(), actions, reply.reasoning.strip(), _FAILURES[reply.failure])
