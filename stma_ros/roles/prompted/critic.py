"""A critic that is a chat model (STMA, section 4.3), of text games or of a household robot."""

from __future__ import annotations

from stma_ros.roles.contracts import CriticRole, CritiqueAnswer, CritiqueQuery
from stma_ros.roles.prompted.actions import not_allowed
from stma_ros.roles.prompted.answering import Answering
from stma_ros.roles.prompted.asking import Line, UnusableReplyError
from stma_ros.roles.prompted.replies import CritiqueReply
from stma_ros.types.planning import Criterion, Verdict


class PromptedCritic:
    """A CriticRole. No model is asked what is allowed."""

    def __init__(self, line: Line, rules: CriticRole | None = None, prompt: str = "text/critic") -> None:
        self._answering = Answering(line, prompt, CritiqueReply, _answer, rules.criticise if rules else None)

    def criticise(self, query: CritiqueQuery) -> CritiqueAnswer:
        if query.action not in query.allowed_actions:
            reason = f"{not_allowed(query.action, query.allowed_actions)}."
            return CritiqueAnswer(Verdict.REJECTED, Criterion.VALIDITY, reason)
        return self._answering.answer(query)


def _answer(reply: CritiqueReply, query: CritiqueQuery) -> CritiqueAnswer:
    criterion, reason = Criterion[reply.criterion.upper()], reply.reason.strip()
    if reply.verdict == "accept":
        if criterion != Criterion.NONE:
            raise UnusableReplyError(
                f"the verdict is 'accept', and the criterion {reply.criterion!r} is not met: accept with 'none', or "
                "reject"
            )
        return CritiqueAnswer(Verdict.ACCEPTED)
    if criterion == Criterion.NONE:
        raise UnusableReplyError(
            "the verdict is 'reject', and the criterion 'none': name the first one that is not met, or accept"
        )
    if not reason:
        raise UnusableReplyError("the verdict is 'reject', and there is no reason: say what to do instead")
    return CritiqueAnswer(Verdict.REJECTED, criterion, reason)
