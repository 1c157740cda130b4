"""Who answers a role: rules, or the model that the configuration names for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from stma_ros.models.session import ChatModels, RoleModel
from stma_ros.models.settings import RULES

RoleT = TypeVar("RoleT")


def answering(
    models: ChatModels | None, role: str, rules: RoleT, prompted: Callable[[RoleModel, RoleT | None], RoleT]
) -> RoleT:
    """The implementation of a role. prompted: makes one of the way to a model, and of the rules that answer where the
    model does not, if that is wanted. Raises as ChatModels.line does."""
    line = None if models is None else models.line(role)
    if models is None or line is None:
        return rules
    return prompted(line, rules if models.config.on_failure == RULES else None)
