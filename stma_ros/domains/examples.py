"""The short questions of all domains, by which it can be seen whether a model gives answers that can be used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stma_ros.domains.registry import DOMAINS
from stma_ros.domains.spec import Domain
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.registry import ROLES
from stma_ros.roles.runner import ModelClient, PromptedRole
from stma_ros.roles.spec import AnyRole


@dataclass(frozen=True, eq=False)
class Example:
    """One question to a role in a domain.

    Attributes:
        role: what is asked.
        domain: which has the prompt.
        question: of the role's type.
        name: for people, such as "planner (household)"; the domain only where the role has several questions.
    """

    role: AnyRole
    domain: Domain
    question: Any
    name: str

    def ask(self, client: ModelClient) -> object:
        """The answer of the model behind a line. Raises RoleError."""
        return PromptedRole(self.role, client, find_prompt(self.role.name, self.domain.package)).answer(
            self.question
        )


def examples(
    roles: Sequence[AnyRole] = ROLES, domains: Sequence[Domain] = tuple(DOMAINS.values())
) -> Iterator[Example]:
    """The questions to all roles in all domains, in the order of the roles."""
    questions = {domain.name: domain.examples() for domain in domains}
    for role in roles:
        asked = [domain for domain in domains if role.name in questions[domain.name]]
        for domain in asked:
            where = f" ({domain.name})" if len(asked) > 1 else ""
            yield Example(role, domain, questions[domain.name][role.name], role.title + where)
