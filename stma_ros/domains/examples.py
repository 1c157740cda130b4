"""Short questions of all domains, with which one can check that a model gives usable answers."""

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
        role: role that answers the question.
        domain: domain of the question and its prompt.
        question: of the role's question type.
        name: for people, such as "planner (household)"; without the domain if the role has a single question.
    """

    role: AnyRole
    domain: Domain
    question: Any
    name: str

    def ask(self, client: ModelClient) -> object:
        """Returns the answer of the client's model. Raises RoleError."""
        return PromptedRole(self.role, client, find_prompt(self.role.name, self.domain.package)).answer(
            self.question
        )


def examples(
    roles: Sequence[AnyRole] = ROLES, domains: Sequence[Domain] = tuple(DOMAINS.values())
) -> Iterator[Example]:
    """Yields the questions to these roles in these domains, in the order of the roles."""
    questions = {domain.name: domain.examples() for domain in domains}
    for role in roles:
        with_question = [domain for domain in domains if role.name in questions[domain.name]]
        for domain in with_question:
            suffix = f" ({domain.name})" if len(with_question) > 1 else ""
            yield Example(role, domain, questions[domain.name][role.name], role.title + suffix)
