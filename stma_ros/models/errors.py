"""How asking a model fails. Every text names the model, the role that asked, and what can be done about it."""

from __future__ import annotations

from typing import ClassVar

from stma_ros.types.errors import ErrorCode, RoleError


class ModelError(RoleError):
    """A model gave no answer. `may_pass`: whether asking again later may help. `attempts`: how often the request was
    sent."""

    may_pass: ClassVar[bool] = False
    attempts = 1

    def __init__(self, model: str, role: str, cause: str, remedy: str = "") -> None:
        """cause, remedy: sentences without a full stop."""
        asker = role.replace("_", " ")
        super().__init__(f"{model} did not answer the {asker}: {cause}" + (f". {remedy}" if remedy else ""))
        self.model = model
        self.role = role
        self.cause = cause


class PassingModelError(ModelError):
    """One that is worth a retry. retry_after: when the server asks to be left alone for so long [s]; 0 = it does not
    say."""

    code = ErrorCode.MODEL_UNREACHABLE
    may_pass = True

    def __init__(self, model: str, role: str, cause: str, remedy: str = "", retry_after: float = 0.0) -> None:
        super().__init__(model, role, cause, remedy)
        self.retry_after = retry_after


class UnreachableError(PassingModelError):
    """Nobody listens at the address, or it has no such host."""


class ConnectionLostError(PassingModelError):
    """The connection broke off before the answer was complete."""


class RateLimitedError(PassingModelError):
    """The server has more to do than it takes on (429)."""


class ServerFailedError(PassingModelError):
    """The server failed (5xx)."""


class FinalModelError(ModelError):
    """The same request would fail again."""

    code = ErrorCode.MODEL_REFUSED


class WrongKeyError(FinalModelError):
    """The server does not accept the key, or wants one (401, 403)."""


class UnknownModelError(FinalModelError):
    """The server has no such model, or no such address (404)."""


class ContextOverflowError(FinalModelError):
    """The request is longer than the model can read."""


class ImageRefusedError(FinalModelError):
    """The model takes no images, or not one such as this."""


class SchemaRefusedError(FinalModelError):
    """The server cannot hold replies to the schema."""


class BadRequestError(FinalModelError):
    """The server does not take the request for any other reason (4xx)."""


class UnreadableReplyError(FinalModelError):
    """What came back is no answer of a chat API: not JSON, not UTF-8, or far too long."""


class DeadlineError(FinalModelError):
    """No answer within the deadline of the call."""

    code = ErrorCode.MODEL_DEADLINE


class CallCanceledError(FinalModelError):
    """The call was canceled."""

    code = ErrorCode.MODEL_DEADLINE


class BudgetSpentError(FinalModelError):
    """The task's budget of tokens or money is spent."""

    code = ErrorCode.MODEL_BUDGET


class NotRecordedError(FinalModelError):
    """A recorded run is repeated, and holds no such request."""

    code = ErrorCode.MODEL_NOT_RECORDED
