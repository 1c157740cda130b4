"""The specification of a domain of tasks: the rules, prompts and knowledge that it gives to an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from stma_ros.roles.spec import Role, RoleSpec
from stma_ros.types.errors import ConfigurationError

if TYPE_CHECKING:
    from stma_ros.memory.category_knowledge import CategoryKnowledge
    from stma_ros.memory.descriptions import DescriptionReader
    from stma_ros.memory.question_answerer import QuestionAnswerer

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")

MakeRules: TypeAlias = Callable[[Any], Any]
"""Creates the rules for a role, a `roles.spec.Role`, from the config of the component that asks it.

The modules of the rules are imported by this call.
"""


@dataclass(frozen=True)
class Domain:
    """A domain of tasks.

    Attributes:
        name: as in world entries and launch arguments.
        summary: one line for people.
        rules: creates the rules for a role, by the role's name.
        package: name of the Python package with its prompts.
        examples: loads one short question for each role that a model can answer in this domain, by the role's name.
        categories: loads the general knowledge about categories of objects, as the config of a component says
            (memory.knowledge_settings); None = the domain has none.
        language: creates the reader of phrases for objects, from such a config; None = the domain has none.
        answerer: creates what answers questions from the facts of a scene, from such a config; None = the domain has
            none.
    """

    name: str
    summary: str
    rules: Mapping[str, MakeRules]
    package: str
    examples: Callable[[], Mapping[str, Any]] = dict
    categories: Callable[[Any], CategoryKnowledge] | None = None
    language: Callable[[Any], DescriptionReader] | None = None
    answerer: Callable[[Any], QuestionAnswerer] | None = None

    @property
    def knows_categories(self) -> bool:
        """Whether perceived objects can be assigned to categories, queried by phrases and asked about."""
        return None not in (self.categories, self.language, self.answerer)

    def load_categories(self, config: Any = None) -> CategoryKnowledge:
        """Returns the category knowledge, with what the config of a component adds to it.

        Raises:
            ConfigurationError: the domain has none, or the config names a file that does not fit.
        """
        if self.categories is None:
            raise ConfigurationError(f"the domain {self.name!r} has no category knowledge")
        return self.categories(config)

    def make_reader(self, config: Any = None) -> DescriptionReader:
        """Returns the reader of descriptions, with the category knowledge of a config. Raises as `load_categories`."""
        if self.language is None:
            raise ConfigurationError(f"the domain {self.name!r} has no reader of descriptions")
        return self.language(config)

    def make_answerer(self, config: Any = None) -> QuestionAnswerer:
        """Returns what answers questions from facts, with the category knowledge of a config. Raises as
        `load_categories`."""
        if self.answerer is None:
            raise ConfigurationError(f"the domain {self.name!r} answers no questions from a scene")
        return self.answerer(config)

    def make_rules(self, role: RoleSpec[QuestionT, AnswerT, Any], config: Any) -> Role[QuestionT, AnswerT]:
        """Returns the rules for a role, created from the config of its component.

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
