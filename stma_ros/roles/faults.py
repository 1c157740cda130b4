"""Injects faults into the answers of a role, to measure how a planning loop copes with them.

Answers are corrupted at a configured rate, by a class of fault that their role supports. The injected faults are
reported to scorers (types.telemetry.RoleCall); no part of the agent reads them.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from stma_ros.roles.corruption import CorruptionInput, FaultKind
from stma_ros.roles.spec import Role, RoleSpec
from stma_ros.types.errors import RoleError
from stma_ros.types.settings import setting

QuestionT = TypeVar("QuestionT")
AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class FaultConfig:
    """Settings of injected faults.

    Attributes:
        fault_rate: share of the answers that are corrupted, from 0 to 1.
        fault_seed: seed of the random faults.
    """

    fault_rate: float = setting(
        0.0, "for measurements: share of the roles' answers that are corrupted", low=0.0, high=1.0
    )
    fault_seed: int = setting(0, "for measurements: seed of the faults", low=0)


@dataclass(frozen=True)
class InjectedFault:
    """The fault of one corrupted answer.

    Attributes:
        kind: class of the fault.
        detail: the change; empty for an answer that was replaced by an error.
    """

    kind: FaultKind
    detail: str


class FaultyRole(Generic[QuestionT, AnswerT]):
    """A Role whose answers are corrupted at a configured rate; at a rate of 0 they are unchanged.

    The same questions in the same order get the same faults.

    Attributes:
        spec: specification of the role.
    """

    def __init__(
        self, spec: RoleSpec[QuestionT, AnswerT, Any], role: Role[QuestionT, AnswerT], config: FaultConfig
    ) -> None:
        self.spec = spec
        self._role = role
        self._config = config
        self._kinds = (*spec.faults, FaultKind.MALFORMED)
        self._generator: np.random.Generator | None = None
        self._before: AnswerT | None = None
        self._injected: InjectedFault | None = None

    def answer(self, question: QuestionT, /) -> AnswerT:
        """Returns the answer, or a corrupted one.

        Raises:
            RoleError: the role has no answer, or its answer was replaced by this error (MALFORMED).
            TypeError: the answer is not of the role's answer type.
        """
        answer = self._role.answer(question)
        if not isinstance(answer, self.spec.answer):  # the role may be a user's own class
            raise TypeError(
                f"{type(self._role).__name__} answered the {self.spec.name} with {answer!r}; return a "
                f"{self.spec.answer.__name__}"
            )
        before, self._before = self._before, answer
        kind = self.draw_fault(question) if self._config.fault_rate else None
        if kind is None:
            return answer
        corrupted = None
        if self.spec.corrupt is not None and kind is not FaultKind.MALFORMED:
            corrupted = self.spec.corrupt(CorruptionInput(kind, question, answer, before, self._pick))
        if corrupted is None:
            self._injected = InjectedFault(FaultKind.MALFORMED, "")
            raise RoleError("the reply could not be read")
        self._injected = InjectedFault(corrupted.kind, corrupted.detail)
        return corrupted.answer

    def take(self) -> InjectedFault | None:
        """Returns the fault of the last answer, once."""
        injected, self._injected = self._injected, None
        return injected

    def draw_fault(self, question: QuestionT) -> FaultKind | None:
        """Returns the class of fault to inject into the next answer; None = the answer stays as it is."""
        if self._generator is None:
            # The first question makes the faults of episodes differ. Its stamps are left out, because they depend on
            # the number of earlier episodes.
            texts = self.spec.name, self.spec.text(question)
            seeds = self._config.fault_seed, *(zlib.crc32(text.encode()) for text in texts)
            self._generator = np.random.default_rng(seeds)
        if self._generator.random() >= self._config.fault_rate:
            return None
        return self._kinds[self._pick(len(self._kinds))]

    def _pick(self, count: int) -> int:
        assert self._generator is not None  # draw_fault has made it
        return int(self._generator.integers(count))
