"""Errors of model calls. Every text names the model, the role that asked, and a remedy."""

from __future__ import annotations

from typing import ClassVar

from stma_ros.types.errors import ErrorCode, RoleError


class ModelError(RoleError):
    """A model gave no reply.

    Attributes:
        may_pass: whether a later attempt may succeed.
        attempts: number of sends.
        is_canceled: whether the caller ended the call, which says nothing about the model.
    """

    may_pass: ClassVar[bool] = False
    attempts = 1
    is_canceled = False

    def __init__(self, model: str, role: str, cause: str, remedy: str = "") -> None:
        """Makes an error.

        Args:
            model: name of the model.
            role: role that asked.
            cause: sentence without a full stop.
            remedy: sentence without a full stop; empty = none.
        """
        asker = role.replace("_", " ")
        super().__init__(f"{model} did not answer the {asker}: {cause}" + (f". {remedy}" if remedy else ""))
        self.model = model
        self.role = role
        self.cause = cause


class PassingModelError(ModelError):
    """An error that is worth a retry.

    Attributes:
        retry_after: pause that the server asks for [s]; 0 = not given.
    """

    code = ErrorCode.MODEL_UNREACHABLE
    may_pass = True

    def __init__(self, model: str, role: str, cause: str, remedy: str = "", retry_after: float = 0.0) -> None:
        super().__init__(model, role, cause, remedy)
        self.retry_after = retry_after


class UnreachableError(PassingModelError):
    """The host does not exist, or no server listens at the address."""


class ConnectionLostError(PassingModelError):
    """The connection broke off before the answer was complete."""


class RateLimitedError(PassingModelError):
    """The server limits the rate of requests (429)."""


class ServerFailedError(PassingModelError):
    """The server failed (5xx)."""


class FinalModelError(ModelError):
    """An error that would occur again with the same request."""

    code = ErrorCode.MODEL_REFUSED


class WrongKeyError(FinalModelError):
    """The server rejects the key or requires one (401, 403)."""


class UnknownModelError(FinalModelError):
    """The server has no such model, or no such address (404)."""


class ContextOverflowError(FinalModelError):
    """The request is longer than the context of the model."""


class ImageRefusedError(FinalModelError):
    """The model does not accept images, or not this one."""


class SchemaRefusedError(FinalModelError):
    """The server cannot enforce the schema of replies."""


class BadRequestError(FinalModelError):
    """The server rejects the request for any other reason (4xx)."""


class UnreadableReplyError(FinalModelError):
    """The response is not one of a chat API: not JSON, not UTF-8, or far too long."""


class DeadlineError(FinalModelError):
    """No answer within the deadline of the call."""

    code = ErrorCode.MODEL_DEADLINE


class CallCanceledError(FinalModelError):
    """The call was canceled."""

    code = ErrorCode.MODEL_DEADLINE
    is_canceled = True


class BudgetSpentError(FinalModelError):
    """The task's budget of tokens or money is spent."""

    code = ErrorCode.MODEL_BUDGET


class NotRecordedError(FinalModelError):
    """The recording that is replayed does not include the request."""

    code = ErrorCode.MODEL_NOT_RECORDED


def one_line(error: BaseException) -> str:
    """Returns the text of an error in one line; the name of its type if it has none."""
    return " ".join(str(error).split()) or type(error).__name__
