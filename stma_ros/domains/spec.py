"""What a domain of tasks gives an agent, as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from stma_ros.roles.spec import Role, RoleSpec
from stma_ros.types.errors import ConfigurationError

if TYPE_CHECKING:
    from stma_ros.memory.category_knowledge import CategoryKnowledge
    from stma_ros.memory.descriptions import DescriptionReader

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")

MakeRules: TypeAlias = Callable[[Any], Any]
"""Makes the rule side of a role, a `roles.spec.Role`, from the config of the
component that asks it. Imports what it needs only then."""


@dataclass(frozen=True)
class Domain:
    """A domain of tasks.

    Attributes:
        name: as a world entry or a launch argument names it.
        summary: one line for people.
        rules: how to make the rule side of each role, by the role's name.
        examples: loads one short question for each role that a model can answer there, by the role's name.
        package: name of the Python package with its prompts.
        categories: loads what is generally known of kinds of things; None = the domain has no such knowledge.
        language: makes the reader of what people call things; None = the domain has none.
    """

    name: str
    summary: str
    rules: Mapping[str, MakeRules]
    package: str
    examples: Callable[[], Mapping[str, Any]] = dict
    categories: Callable[[], CategoryKnowledge] | None = None
    language: Callable[[], DescriptionReader] | None = None

    @property
    def knows_categories(self) -> bool:
        """Whether what is perceived can be told apart by kind, and asked for in words."""
        return self.categories is not None and self.language is not None

    def load_categories(self) -> CategoryKnowledge:
        """Raises ConfigurationError where the domain has no category knowledge."""
        if self.categories is None:
            raise ConfigurationError(f"the domain {self.name!r} has no category knowledge")
        return self.categories()

    def make_reader(self) -> DescriptionReader:
        """Raises ConfigurationError where the domain has no reader of descriptions."""
        if self.language is None:
            raise ConfigurationError(f"the domain {self.name!r} has no reader of descriptions")
        return self.language()

    def make_rules(self, role: RoleSpec[QuestionT, AnswerT, Any], config: Any) -> Role[QuestionT, AnswerT]:
        """The rule side of a role, as made of its component's config.

        Raises:
            ConfigurationError: the domain has no rules for the role.
        """
        if role.name not in self.rules:
            known = ", ".join(self.rules) or "none"
            raise ConfigurationError(
                f"the domain {self.name!r} has no rules for the {role.name}; it has: {known}"
            )
        rules: Role[QuestionT, AnswerT] = self.rules[role.name](config)
        return rules
