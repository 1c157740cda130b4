"""What a role is: one thing that a language model, or rules in its place, is asked to do.

A role is one module with one `RoleSpec`: its typed question and answer, how the question is rendered, the form of a
model's reply, how that is read and checked, and how its answers can be corrupted. What differs by domain (prompt,
example, rules) is in `domains/<domain>`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.types.errors import RoleError

if TYPE_CHECKING:  # every node imports roles, and only where a model is asked what handles pictures
    from stma_ros.models.chat import Part

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")
ReplyT = TypeVar("ReplyT")
AskedT = TypeVar("AskedT", contravariant=True)
GivenT = TypeVar("GivenT", covariant=True)

Rendering: TypeAlias = "tuple[Part, ...]"
"""A question as it is put to a model: texts and pictures, in order."""


class Role(Protocol[AskedT, GivenT]):
    """Whoever answers the questions of a role: rules, a model, or one of them with faults injected.

    An answer follows from its question alone, which holds exactly what a prompt would show: nothing is remembered
    between calls.
    """

    def answer(self, question: AskedT, /) -> GivenT:
        """The answer.

        Raises:
            RoleError: there is no usable answer.
            TaskNotUnderstoodError: the task's text cannot be read; only by roles that read it.
        """
        ...


class UnusableReplyError(RoleError):
    """A reply that does not hold what was asked for."""


class Wait(str, enum.Enum):
    """What the executor waits for while a role is asked; its setting is this and "_deadline"."""

    BELIEFS = "step"
    PLAN = "plan"
    CRITIQUE = "critique"


def _ask_always(question: Any) -> None:
    """The `settled` of roles whose every question is put to the model."""


@dataclass(frozen=True)
class RoleSpec(Generic[QuestionT, AnswerT, ReplyT]):
    """A role, as all that asks, corrupts, checks or counts it needs to know it.

    Attributes:
        name: as settings (`model.<name>`), messages and prompt files spell it.
        question: type of the question, a frozen dataclass.
        answer: type of the answer, a frozen dataclass.
        reply: form of a model's reply: a frozen dataclass, see `roles.reply_form`.
        text: the question in plain text: everything that the answer may follow from, and nothing else. Its length is
            the context that the role was given.
        read: the answer that a reply makes to a question. Raises UnusableReplyError for one that says what cannot be.
        wait: what the executor waits for meanwhile.
        render: the question as a model is sent it; None = its text.
        settled: the answer to a question that no model need be asked; None = ask.
        faults: classes of fault that its answers can have, MALFORMED left out, which all can have.
        corrupt: puts a fault into an answer; None = nothing in this answer can be corrupted, it is MALFORMED.
        questions: how many are asked in a step at most, as far as the executor's wait is concerned.
        sees: whether its question holds pictures, which no rules can look at.
        follows_default: whether `model.default` answers it where it has no setting of its own. That model may read text
            alone, and whoever names it may count on the rules for reading tasks.
    """

    name: str
    question: type[QuestionT]
    answer: type[AnswerT]
    reply: type[ReplyT]
    text: Callable[[QuestionT], str]
    read: Callable[[ReplyT, QuestionT], AnswerT]
    wait: Wait
    render: Callable[[QuestionT], Rendering] | None = None
    known_answer: Callable[[QuestionT], AnswerT | None] = _ask_always
    faults: tuple[FaultKind, ...] = ()
    corrupt: Callable[[CorruptionInput[QuestionT, AnswerT]], Corrupted[AnswerT] | None] | None = None
    questions: int = 1
    has_images: bool = False
    follows_default: bool = True

    @property
    def title(self) -> str:
        """The name in words, for people."""
        return self.name.replace("_", " ")

    def rendering(self, question: QuestionT) -> Rendering:
        """The question as a model is sent it."""
        return (self.text(question),) if self.render is None else self.render(question)


AnyRole: TypeAlias = RoleSpec[Any, Any, Any]
