"""Judges each proposed action by the two beliefs of its step (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stma_ros.components.belief_join import BeliefJoin
from stma_ros.roles.contracts import CriticRole, CritiqueAnswer, CritiqueQuery
from stma_ros.roles.symbolic.critic import SymbolicCritic
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import source
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, TaskNotUnderstoodError
from stma_ros.types.message import Message
from stma_ros.types.planning import ActionProposal, Critique, Verdict
from stma_ros.types.standard import Header


@dataclass(frozen=True)
class CriticConfig:
    """Nothing to set."""


class Critic:
    """A role that has no answer gives the verdict UNKNOWN with the reason: such an action is not executed."""

    def __init__(self, config: CriticConfig, role: CriticRole | None = None) -> None:
        self._role = role or SymbolicCritic()
        self._join: BeliefJoin[ActionProposal] = BeliefJoin(topics.ACTION_PROPOSAL)

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._answers(topic, message)

    def _answers(self, topic: str, message: Message) -> Iterator[Emission]:
        for proposal, temporal, spatial in self._join.add(topic, message):
            yield topics.CRITIQUE, self._judge(proposal, temporal, spatial)

    def _judge(self, proposal: ActionProposal, temporal: TemporalBelief, spatial: SpatialBelief) -> Critique:
        query = CritiqueQuery(
            proposal.task, proposal.subgoal, proposal.action, proposal.allowed_actions, temporal, spatial
        )
        try:
            answer = self._role.criticise(query)
        except (RoleError, TaskNotUnderstoodError) as error:
            answer = CritiqueAnswer(Verdict.UNKNOWN, reason=str(error))
        return Critique(
            Header(proposal.header.stamp),
            proposal.task_id,
            proposal.step,
            proposal.revision,
            answer.verdict,
            answer.criterion,
            answer.reason,
            (
                source(topics.ACTION_PROPOSAL, proposal),
                source(topics.TEMPORAL_BELIEF, temporal),
                source(topics.SPATIAL_BELIEF, spatial),
            ),
        )
