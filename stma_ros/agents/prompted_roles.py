"""Selects the rules of the domain or a model to answer each role, as the settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from stma_ros.models.settings import RULES
from stma_ros.roles.spec import Role, RoleSpec

if TYPE_CHECKING:
    from stma_ros.models.model_pool import ModelPool

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")


def prompted(
    models: ModelPool | None,
    role: RoleSpec[QuestionT, AnswerT, Any],
    domain: str,
    rules: Role[QuestionT, AnswerT] | None = None,
) -> Role[QuestionT, AnswerT] | None:
    """The role as a model answers it; None where the settings name none.

    Args:
        models: those that may be asked; None = there are none.
        role: what is asked.
        domain: name of the package whose prompt is used.
        rules: answer where the model does not, if the settings want that.

    Raises:
        ConfigurationError: there is no prompt for the role in this domain.
        StmaError: as `ModelPool.client`.
    """
    client = None if models is None else models.client(role.name)
    if models is None or client is None:
        return None
    # Imported here, since the libraries of prompts and replies are needed for models only.
    from stma_ros.roles.prompt import find_prompt
    from stma_ros.roles.runner import PromptedRole

    fallback = rules if models.config.on_failure == RULES else None
    return PromptedRole(role, client, find_prompt(role.name, domain), fallback)


def answering(
    models: ModelPool | None,
    role: RoleSpec[QuestionT, AnswerT, Any],
    domain: str,
    rules: Role[QuestionT, AnswerT],
) -> Role[QuestionT, AnswerT]:
    """The role as a model answers it, or else the rules. Arguments and errors as for `prompted`."""
    return prompted(models, role, domain, rules) or rules
