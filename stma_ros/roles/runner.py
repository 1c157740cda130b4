"""Sends the question of a role to a model, and returns a checked answer or an error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from stma_ros.models.chat import ChatMessage, ChatReply, Finish, MessageRole, ReplySchema
from stma_ros.roles.prompt import Prompt
from stma_ros.roles.reply_choice import choose_reply
from stma_ros.roles.reply_form import ReplyForm
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError
from stma_ros.roles.tolerance import Tolerance, faults_text
from stma_ros.types.errors import RoleError
from stma_ros.types.prompt_length import count_tokens

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")
ReplyT = TypeVar("ReplyT")

_MAX_QUOTED = 2000  # [characters] of an unusable reply that are sent back with the reason


class ModelClient(Protocol):
    """The client of one role's model (models.model_pool.RoleClient)."""

    def ask(self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int) -> ChatReply:
        """Returns the model's reply. Raises ModelError."""
        ...

    def cache(
        self, messages: Sequence[ChatMessage], schema: ReplySchema, max_tokens: int, reply: ChatReply
    ) -> None:
        """Caches a useful reply as the answer to these messages."""
        ...

    def reject(self, problem: str) -> None:
        """Counts the last reply as a failure; problem: why."""
        ...

    def note(self, faults: str) -> None:
        """Counts the last reply as useful in part; faults: what was left out of it or corrected."""
        ...


class QuestionTooLongError(RoleError):
    """A question that is longer than its prompt allows."""


class PromptedRole(Generic[QuestionT, AnswerT, ReplyT]):
    """A Role that a model answers: first the prompt, then the question.

    Replies are parsed leniently and validated strictly. An unusable reply is sent back once, with the reason. Roles
    with a tolerance use what is sound of a reply.
    """

    def __init__(
        self,
        spec: RoleSpec[QuestionT, AnswerT, ReplyT],
        client: ModelClient,
        prompt: Prompt,
        rules: Role[QuestionT, AnswerT] | None = None,
    ) -> None:
        """Creates a role.

        Args:
            spec: specification of the role.
            client: client of its model.
            prompt: prompt of the role in a domain.
            rules: their answer replaces a missing or unusable one; None = the error is raised.
        """
        self._spec = spec
        self._client = client
        self._prompt = prompt
        self._rules = rules
        self._form = ReplyForm(spec.reply)
        self._schema = ReplySchema(self._form.name, self._form.schema)

    def answer(self, question: QuestionT, /) -> AnswerT:
        """Returns the model's answer, or that of the rules.

        Raises:
            ModelError: there is no reply.
            UnusableReplyError: the second reply cannot be used either.
            QuestionTooLongError: the question is longer than the prompt allows.
        """
        known_answer = self._spec.known_answer(question)
        if known_answer is not None:
            return known_answer
        try:
            return self._ask(question)
        except RoleError:
            if self._rules is None:
                raise
            return self._rules.answer(question)

    def _ask(self, question: QuestionT) -> AnswerT:
        first = (
            ChatMessage(MessageRole.SYSTEM, (self._prompt.text,)),
            ChatMessage(MessageRole.USER, self._spec.rendering(question)),
        )
        self._check_length(first[1])
        reply = self._send(first)
        try:
            answer = self._use(reply, question)
        except UnusableReplyError as problem:
            request = f"That reply cannot be used: {problem}. Reply again, in the form asked for."
            rejected = ChatMessage(MessageRole.ASSISTANT, (reply.text[:_MAX_QUOTED],))
            refused = reply.parsed or {}
            reply = self._send((*first, rejected, ChatMessage(MessageRole.USER, (request,))))
            answer = self._use(reply, question, refused)
            if self._spec.tolerance is not None:
                return answer  # not cached: without the refused reply, it would seem to be complete
        self._client.cache(first, self._schema, self._prompt.reply_tokens, reply)
        return answer

    def _check_length(self, message: ChatMessage) -> None:
        length = count_tokens(message.text)
        if length > self._prompt.question:
            raise QuestionTooLongError(
                f"the question to the {self._spec.title} is {length} words and marks long, {self._prompt.question} "
                "are allowed: shorten the history (temporal_memory.history) or what is retrieved "
                "(spatial_memory.facts, entities, places), or raise `question` in the head of the prompt"
            )

    def _send(self, messages: Sequence[ChatMessage]) -> ChatReply:
        return self._client.ask(messages, self._schema, self._prompt.reply_tokens)

    def _use(
        self, reply: ChatReply, question: QuestionT, refused: Mapping[str, Any] | None = None
    ) -> AnswerT:
        tolerance = self._spec.tolerance
        try:
            if tolerance is None:
                return self._spec.read(self._read(reply), question)
            return self._tolerated(reply, question, tolerance, refused)
        except UnusableReplyError as problem:
            self._client.reject(str(problem))
            raise

    def _read(self, reply: ChatReply) -> ReplyT:
        # The readable part of what was broken off would look complete, whatever broke it off.
        if reply.finish is Finish.LENGTH:
            raise self._cut_off()
        if reply.parsed is None:
            raise self._without_json()
        if reply.objects.unfinished is not None and not reply.objects.whole:
            raise UnusableReplyError(f"{self._subject} ends in the middle of its JSON object")
        return self._validated(reply.parsed)

    def _tolerated(
        self,
        reply: ChatReply,
        question: QuestionT,
        tolerance: Tolerance[QuestionT, AnswerT],
        refused: Mapping[str, Any] | None,
    ) -> AnswerT:
        parsed, faults = choose_reply(reply.objects, self._spec.reply, refused)
        if parsed is None:
            raise self._cut_off() if reply.finish is Finish.LENGTH else self._without_json()
        try:
            sound = tolerance.mend(parsed, question, faults)
        except UnusableReplyError as problem:
            if faults.is_cut_off:
                raise UnusableReplyError(f"{self._cut_off()}, and what there is of it {problem}") from None
            raise UnusableReplyError(f"{self._subject} {problem}") from None
        answer = self._spec.read(self._validated(sound), question)
        if faults.counts:
            self._client.note(f"{self._subject} was used in part: {faults_text(faults.counts)}")
        return tolerance.noted(answer, faults.counts)

    def _validated(self, data: object) -> ReplyT:
        try:
            return self._form.read(data)
        except UnusableReplyError as problem:
            raise UnusableReplyError(f"{self._subject} is not as asked for: {problem}") from None

    @property
    def _subject(self) -> str:
        return f"the {self._spec.title}'s reply"

    def _cut_off(self) -> UnusableReplyError:
        return UnusableReplyError(f"{self._subject} was cut off after {self._prompt.reply_tokens} tokens")

    def _without_json(self) -> UnusableReplyError:
        return UnusableReplyError(f"{self._subject} holds no JSON object")
