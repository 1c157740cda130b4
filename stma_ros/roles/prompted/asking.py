"""Puts a role's question to a model and gets a checked answer back, or says why there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from pydantic import ValidationError

from stma_ros.models.chat import ChatReply, Finish, ReplySchema, Speaker, Turn
from stma_ros.models.images import Picture
from stma_ros.roles.context import count_tokens
from stma_ros.roles.prompted.prompt import Prompt
from stma_ros.roles.prompted.replies import Reply
from stma_ros.types.errors import RoleError

ReplyT = TypeVar("ReplyT", bound=Reply)
AnswerT = TypeVar("AnswerT")

_SHOWN = 2000  # characters of an unusable reply that go back with what is wrong with it
_PROBLEMS = 5  # that are told of one reply


class Line(Protocol):
    """The way to the model of one role (models.session)."""

    @property
    def role(self) -> str: ...

    def ask(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int) -> ChatReply:
        """Raises ModelError."""
        ...

    def keep(self, turns: Sequence[Turn], schema: ReplySchema, max_tokens: int, reply: ChatReply) -> None:
        """What the answer to these turns is from now on: a reply that was of use."""
        ...

    def refuse(self, problem: str) -> None:
        """The last reply was of no use; problem: why."""
        ...


class UnusableReplyError(RoleError):
    """A reply that does not hold what was asked for."""


class QuestionTooLongError(RoleError):
    """A question that is longer than its prompt allows."""


class Asking(Generic[ReplyT]):
    """Asks one role's model in one form. A reply that cannot be used goes back once, with what is wrong with it."""

    def __init__(self, line: Line, prompt: Prompt, form: type[ReplyT]) -> None:
        self._line = line
        self._asker = line.role.replace("_", " ")
        self._prompt = prompt
        self._form = form
        self._schema = ReplySchema(form.__name__, form.model_json_schema())

    def answer(
        self, question: str, read: Callable[[ReplyT], AnswerT], pictures: Sequence[Picture] = ()
    ) -> AnswerT:
        """The answer that `read` makes of the reply; it raises UnusableReplyError for one that says what cannot be.

        Raises RoleError: ModelError where no reply came, UnusableReplyError where the second one is no better than the
        first, and QuestionTooLongError.
        """
        length = count_tokens(question)
        if length > self._prompt.question:
            raise QuestionTooLongError(
                f"the question to the {self._asker} is {length} words and marks long, {self._prompt.question} are "
                "allowed: shorten the history (temporal_memory.history) or what is retrieved (spatial_memory.facts, "
                "entities, places)"
            )
        first = (Turn(Speaker.SYSTEM, (self._prompt.text,)), Turn(Speaker.USER, (*pictures, question)))
        reply = self._ask(first)
        try:
            answer = self._use(reply, read)
        except UnusableReplyError as problem:
            complaint = f"That reply cannot be used: {problem}. Reply again, in the form asked for."
            said = Turn(Speaker.ASSISTANT, (reply.text[:_SHOWN],))
            reply = self._ask((*first, said, Turn(Speaker.USER, (complaint,))))
            answer = self._use(reply, read)
        self._line.keep(first, self._schema, self._prompt.reply_tokens, reply)
        return answer

    def _ask(self, turns: Sequence[Turn]) -> ChatReply:
        return self._line.ask(turns, self._schema, self._prompt.reply_tokens)

    def _use(self, reply: ChatReply, read: Callable[[ReplyT], AnswerT]) -> AnswerT:
        try:
            return self._read(reply, read)
        except UnusableReplyError as problem:
            self._line.refuse(str(problem))
            raise

    def _read(self, reply: ChatReply, read: Callable[[ReplyT], AnswerT]) -> AnswerT:
        if reply.finish is Finish.LENGTH:  # what can still be read of it would pass for all of it
            raise UnusableReplyError(
                f"the {self._asker}'s reply was cut off after {self._prompt.reply_tokens} tokens"
            )
        if reply.parsed is None:
            raise UnusableReplyError(f"the {self._asker}'s reply holds no JSON object")
        try:
            form = self._form.model_validate(reply.parsed)
        except ValidationError as error:
            raise UnusableReplyError(
                f"the {self._asker}'s reply is not as asked for: {_told(error)}"
            ) from None
        return read(form)


def _told(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(map(str, item['loc'])) or 'the reply'}: {item['msg'].rstrip('.')}"
        for item in error.errors()
    ]
    more = len(problems) - _PROBLEMS
    return "; ".join(problems[:_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")
