"""How every prompted role answers: a model is asked, and rules stand in where it has no usable answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from stma_ros.roles.context import Query, context_of
from stma_ros.roles.prompted.asking import Asking, Line
from stma_ros.roles.prompted.prompt import load_prompt
from stma_ros.roles.prompted.replies import Reply
from stma_ros.types.errors import RoleError

QueryT = TypeVar("QueryT", bound=Query)
ReplyT = TypeVar("ReplyT", bound=Reply)
AnswerT = TypeVar("AnswerT")


class Answering(Generic[QueryT, ReplyT, AnswerT]):
    """Answers the questions of one role."""

    def __init__(
        self,
        line: Line,
        prompt: str,
        form: type[ReplyT],
        read: Callable[[ReplyT, QueryT], AnswerT],
        rules: Callable[[QueryT], AnswerT] | None,
        question: Callable[[QueryT], str] = context_of,
    ) -> None:
        """prompt: its name. read: raises UnusableReplyError for a reply that says what cannot be. rules: None = there
        is nobody else to ask."""
        self._asking = Asking(line, load_prompt(prompt), form)
        self._read = read
        self._rules = rules
        self._question = question

    def answer(self, query: QueryT) -> AnswerT:
        """Raises RoleError where the model has no usable answer and there are no rules."""
        try:
            return self._asking.answer(self._question(query), lambda reply: self._read(reply, query))
        except RoleError:
            if self._rules is None:
                raise
            return self._rules(query)
