"""The pddl domain: worlds that are described by an action model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from stma_ros.domains.spec import Domain
from stma_ros.roles.observation_summariser import OBSERVATION_SUMMARISER
from stma_ros.roles.policy import POLICY

if TYPE_CHECKING:
    from stma_ros.domains.pddl.observation_summariser import PddlObservationSummariser
    from stma_ros.domains.pddl.policy import PddlPolicy


def _policy(config: Any) -> PddlPolicy:
    from stma_ros.domains.pddl.policy import PddlPolicy

    return PddlPolicy()


def _observation_summariser(config: Any) -> PddlObservationSummariser:
    from stma_ros.domains.pddl.observation_summariser import PddlObservationSummariser

    return PddlObservationSummariser()


def _examples() -> Mapping[str, Any]:
    from stma_ros.domains.pddl.examples import EXAMPLES

    return EXAMPLES


PDDL = Domain(
    name="pddl",
    summary="planning tasks whose actions have preconditions and effects, of any PDDL files",
    rules={POLICY.name: _policy, OBSERVATION_SUMMARISER.name: _observation_summariser},
    package="stma_ros.domains.pddl",
    examples=_examples,
)
