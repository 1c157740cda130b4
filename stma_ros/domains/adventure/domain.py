"""The adventure domain: stories of which nothing is known, in which any text is a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.domains.spec import Domain
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.policy import POLICY

if TYPE_CHECKING:
    from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser
    from stma_ros.domains.adventure.policy import AdventurePolicy


def _policy(config: Any) -> AdventurePolicy:
    from stma_ros.domains.adventure.policy import AdventurePolicy

    return AdventurePolicy()


def _observation_summariser(config: Any) -> AdventureObservationSummariser:
    from stma_ros.domains.adventure.observation_summariser import AdventureObservationSummariser

    return AdventureObservationSummariser()


def _examples() -> Mapping[str, Any]:
    from stma_ros.domains.adventure.examples import EXAMPLES

    return EXAMPLES


ADVENTURE = Domain(
    name="adventure",
    summary="text adventures; the rules only explore, models play",
    rules={POLICY.name: _policy, OBSERVATION_SUMMARISER.name: _observation_summariser},
    package="stma_ros.domains.adventure",
    examples=_examples,
)
