"""The list of domains, by name."""

from __future__ import annotations

from collections.abc import Mapping

from stma_ros.domains.adventure.domain import ADVENTURE
from stma_ros.domains.cooking.domain import COOKING
from stma_ros.domains.household.domain import HOUSEHOLD
from stma_ros.domains.pddl.domain import PDDL
from stma_ros.domains.programs.domain import PROGRAMS
from stma_ros.domains.spec import Domain
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest

DOMAINS: Mapping[str, Domain] = {
    domain.name: domain for domain in (HOUSEHOLD, COOKING, PDDL, ADVENTURE, PROGRAMS)
}


def find_domain(name: str, domains: Mapping[str, Domain] = DOMAINS) -> Domain:
    """Returns the domain of this name. Raises ConfigurationError if it does not exist."""
    if name not in domains:
        raise ConfigurationError(f"there is no domain {name!r}. {suggest(name, domains)}")
    return domains[name]
