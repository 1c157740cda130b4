"""Roles: the tasks that a language model, or rules in its place, is given.

A role is one module with one `RoleSpec`: its typed question and answer, how the question is rendered, the form of a
model's reply, how that is read and checked, and how its answers can be corrupted. What differs by domain (prompt,
example, rules) is in `domains/<domain>`.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeAlias, TypeVar

from stma_ros.models.sampling import Sampling
from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind
from stma_ros.roles.tolerance import Tolerance
from stma_ros.types.errors import RoleError

if TYPE_CHECKING:  # every node imports roles; only those that ask a model need the modules for pictures
    from stma_ros.models.chat import Part

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")
ReplyT = TypeVar("ReplyT")
RoleQuestionT = TypeVar("RoleQuestionT", contravariant=True)
RoleAnswerT = TypeVar("RoleAnswerT", covariant=True)

Rendering: TypeAlias = "tuple[Part, ...]"
"""A question as it is sent to a model: texts and pictures, in order."""


class Role(Protocol[RoleQuestionT, RoleAnswerT]):
    """Answers the questions of a role: rules, a model, or one of them with injected faults.

    An answer depends on its question alone, which holds exactly the information that a prompt would show: an
    implementation has no state between calls.
    """

    def answer(self, question: RoleQuestionT, /) -> RoleAnswerT:
        """Returns the answer.

        Raises:
            RoleError: there is no usable answer.
            TaskNotUnderstoodError: the task's text cannot be read; only by roles that read it.
        """
        ...


class UnusableReplyError(RoleError):
    """A reply without a usable answer."""


class Wait(str, enum.Enum):
    """The wait of the executor during which a role is asked; its setting is this name and "_deadline"."""

    BELIEFS = "step"
    PLAN = "plan"
    CRITIQUE = "critique"


def _ask_always(question: Any) -> None:
    """The `known_answer` of roles whose every question is put to the model."""


@dataclass(frozen=True)
class RoleSpec(Generic[QuestionT, AnswerT, ReplyT]):
    """The specification of a role.

    Attributes:
        name: of the role in settings (`model.<name>`), messages and the names of prompt files.
        question: type of the question, a frozen dataclass.
        answer: type of the answer, a frozen dataclass.
        reply: form of a model's reply: a frozen dataclass, see `roles.reply_form`.
        text: renders the question as plain text, with everything that the answer may depend on, and nothing else. Its
            length counts as the length of the role's context.
        read: converts a reply to a question into the answer. Raises UnusableReplyError for an impossible reply.
        wait: the executor's wait during which the role is asked.
        render: renders the question for a model; None = its text.
        tolerance: how replies are used that are sound in part; None = a reply with one bad part is sent back.
        known_answer: answers questions for which no model is needed; it returns None for all others.
        faults: classes of fault that its answers can have, besides MALFORMED, which all can have.
        corrupt: injects a fault into an answer; None = the answer cannot be corrupted, it becomes MALFORMED.
        questions: largest number of questions in a step, for the executor's wait.
        questions_setting: setting of the component that asks, with a smaller number; 0 there = no smaller one.
        has_images: whether its question holds pictures, which rules cannot interpret.
        follows_default: whether `model.default` answers it if it has no setting of its own. False for a role with
            pictures, because that model may read text alone, and for the task parser, which stays with its rules.
        sampling: how the role's paper samples replies, which `model.published_sampling` follows; None = by the other
            settings.
    """

    name: str
    question: type[QuestionT]
    answer: type[AnswerT]
    reply: type[ReplyT]
    text: Callable[[QuestionT], str]
    read: Callable[[ReplyT, QuestionT], AnswerT]
    wait: Wait
    render: Callable[[QuestionT], Rendering] | None = None
    tolerance: Tolerance[QuestionT, AnswerT] | None = None
    known_answer: Callable[[QuestionT], AnswerT | None] = _ask_always
    faults: tuple[FaultKind, ...] = ()
    corrupt: Callable[[CorruptionInput[QuestionT, AnswerT]], Corrupted[AnswerT] | None] | None = None
    questions: int = 1
    questions_setting: str = ""
    has_images: bool = False
    follows_default: bool = True
    sampling: Sampling | None = None

    @property
    def title(self) -> str:
        """The name in words, for people."""
        return self.name.replace("_", " ")

    def rendering(self, question: QuestionT) -> Rendering:
        """Returns the question as it is sent to a model."""
        return (self.text(question),) if self.render is None else self.render(question)


AnyRole: TypeAlias = RoleSpec[Any, Any, Any]
