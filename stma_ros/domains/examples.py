"""The short questions of all domains, by which it can be seen whether a model gives answers that can be used."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from stma_ros.domains.cooking.examples import EXAMPLES as COOKING
from stma_ros.domains.household.examples import EXAMPLES as HOUSEHOLD
from stma_ros.roles.prompt import find_prompt
from stma_ros.roles.registry import ROLES
from stma_ros.roles.runner import Line, Prompted
from stma_ros.roles.spec import AnyRole

DOMAINS: Mapping[str, Mapping[str, Any]] = {
    "stma_ros.domains.cooking": COOKING,
    "stma_ros.domains.household": HOUSEHOLD,
}
"""The questions of each domain, by its package."""


@dataclass(frozen=True, eq=False)
class Example:
    """One question to a role in a domain.

    Attributes:
        role: what is asked.
        domain: package of the domain, which has the prompt.
        question: of the role's type.
        name: for people, such as "planner (household)"; the domain only where the role has several questions.
    """

    role: AnyRole
    domain: str
    question: Any
    name: str

    def ask(self, line: Line) -> object:
        """The answer of the model behind a line. Raises RoleError."""
        return Prompted(self.role, line, find_prompt(self.role.name, self.domain)).answer(self.question)


def examples(
    roles: tuple[AnyRole, ...] = ROLES, domains: Mapping[str, Mapping[str, Any]] = DOMAINS
) -> Iterator[Example]:
    """The questions to all roles, in the order of the roles. Arguments: as ROLES and DOMAINS."""
    for role in roles:
        asked = [domain for domain, questions in domains.items() if role.name in questions]
        for domain in asked:
            where = f" ({domain.rpartition('.')[2]})" if len(asked) > 1 else ""
            yield Example(role, domain, domains[domain][role.name], role.title + where)
