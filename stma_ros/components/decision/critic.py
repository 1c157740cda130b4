"""Judges each proposed action by the two beliefs of its step (STMA, section 4.3)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stma_ros.components.role_calls import role_call
from stma_ros.components.step_synchronizer import StepInputs, StepSynchronizer
from stma_ros.memory.knowledge_settings import HazardConfig, PriorConfig, QuestionConfig
from stma_ros.roles.critic import CRITIC, AcceptAllCritic, CriticRole, CritiqueAnswer, CritiqueQuery
from stma_ros.roles.faults import FaultConfig, FaultyRole
from stma_ros.types import topics
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.causality import message_ref
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError, TaskNotUnderstoodError
from stma_ros.types.message import Message
from stma_ros.types.planning import ActionProposal, Critique, Verdict
from stma_ros.types.settings import setting


def _verdicts(default: int) -> Any:
    return setting(
        default,
        "verdicts on an action, of which more than half have to agree before it is done",
        low=1,
        high=9,
    )


@dataclass(frozen=True)
class CriticConfig(FaultConfig):
    enabled: bool = setting(True, "judge each action before it is done; else every action passes")
    verdicts: int = _verdicts(1)


@dataclass(frozen=True)
class CameraCriticConfig(CriticConfig, HazardConfig, PriorConfig, QuestionConfig):
    """Settings where objects are found by a camera."""


@dataclass(frozen=True)
class TextCriticConfig(CriticConfig):
    verdicts: int = _verdicts(3)  # a single wrong verdict may lose a game, since cooking cannot be undone


class Critic:
    """Judges proposals. If its role has no answer, the verdict is UNKNOWN with the reason, and the action is not
    executed."""

    def __init__(
        self, config: CriticConfig, role: CriticRole, inputs: Collection[str] = topics.BELIEFS
    ) -> None:
        """Creates a critic.

        Args:
            config: the settings.
            role: role that judges the actions.
            inputs: topics whose message of the same step is required before a proposal is judged.
        """
        self._enabled = config.enabled
        self._verdicts = config.verdicts if config.enabled else 1
        if config.enabled:
            self._role = FaultyRole(CRITIC, role, config)
        else:
            self._role = FaultyRole(CRITIC, AcceptAllCritic(), FaultConfig())
        self._proposals: StepSynchronizer[ActionProposal] = StepSynchronizer(
            topics.ACTION_PROPOSAL,
            inputs,
            lambda proposal: (proposal.task_id, proposal.belief_step, proposal.belief_revision),
        )

    def handle(self, topic: str, message: Message) -> Iterable[Emission]:
        return self._answers(topic, message)

    def _answers(self, topic: str, message: Message) -> Iterator[Emission]:
        for proposal, inputs in self._proposals.add(topic, message):
            yield from self._judge(proposal, inputs)

    def _judge(self, proposal: ActionProposal, inputs: StepInputs) -> Iterator[Emission]:
        query = CritiqueQuery(
            proposal.task,
            proposal.subgoal,
            proposal.action,
            proposal.allowed_actions,
            inputs.get(topics.TEMPORAL_BELIEF, TemporalBelief),
            inputs.get(topics.SPATIAL_BELIEF, SpatialBelief),
            proposal.observation,
        )
        step = proposal.at.without_frame()
        answers: list[CritiqueAnswer] = []
        while not _is_settled(answers, self._verdicts):
            answer = self._ask(query)
            answers.append(answer)
            if self._enabled:
                unusable = answer.reason if answer.verdict == Verdict.UNKNOWN else ""
                yield role_call(CRITIC, query, step, error=unusable, injected=self._role.take())
        answer = _agreed(answers, self._verdicts)
        critique = Critique(
            at=step,
            verdict=answer.verdict,
            criterion=answer.criterion,
            reason=answer.reason,
            derived_from=(message_ref(topics.ACTION_PROPOSAL, proposal), *inputs.sources),
        )
        yield topics.CRITIQUE, critique

    def _ask(self, query: CritiqueQuery) -> CritiqueAnswer:
        try:
            return self._role.answer(query)
        except (RoleError, TaskNotUnderstoodError) as error:
            return CritiqueAnswer(Verdict.UNKNOWN, reason=str(error))


def _is_settled(answers: Sequence[CritiqueAnswer], verdicts: int) -> bool:
    return len(answers) == verdicts or bool(_majority(answers, verdicts))


def _majority(answers: Sequence[CritiqueAnswer], verdicts: int) -> tuple[CritiqueAnswer, ...]:
    """Returns the answers with the verdict of more than half of all, in order; empty if there is none yet."""
    for verdict in (Verdict.ACCEPTED, Verdict.REJECTED):
        same = tuple(answer for answer in answers if answer.verdict == verdict)
        if 2 * len(same) > verdicts:
            return same
    return ()


def _agreed(answers: Sequence[CritiqueAnswer], verdicts: int) -> CritiqueAnswer:
    """Returns the first answer with the verdict of more than half of all; otherwise the last error."""
    majority = _majority(answers, verdicts)
    if majority:
        return majority[0]
    unknown = [answer for answer in answers if answer.verdict == Verdict.UNKNOWN]
    return unknown[-1] if unknown else CritiqueAnswer(Verdict.UNKNOWN, reason="the verdicts do not agree")
