"""Success within budgets that bind: at most some multiple of the reference's commands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

FACTORS: Final = (1.0, 1.5, 2.0, 3.0)
"""Budgets as multiples of the reference's commands."""

SPL: Final = "spl"
"""The key of success weighted by commands, in [0, 1]."""

COMPARED: Final = "efficiency_episodes"
"""The key of the number of episodes that these keys are of, where others have no known reference."""


def success_at(factor: float) -> str:
    """Returns the key of success within that multiple of the reference's commands [%]."""
    return f"success_at_{factor:.1f}"


@dataclass(frozen=True)
class Effort:
    """The commands of one episode.

    Attributes:
        success: whether the episode was solved within its own budget.
        used: commands when it ended.
        reference: commands of the reference; 0 = unknown.
        was_made: whether the episode could be made; one that could not is a failure, whatever the reference is.
    """

    success: bool
    used: int
    reference: int
    was_made: bool = True

    @property
    def is_comparable(self) -> bool:
        """Whether it can be told how efficient it was."""
        return self.reference > 0 or not self.was_made

    def within(self, factor: float) -> bool:
        """Whether it was solved with at most that multiple of the reference's commands."""
        return self.success and self.used <= factor * self.reference

    @property
    def weighted_success(self) -> float:
        """Success, weighted by the reference's commands over the used ones where these are more."""
        return self.reference / max(self.reference, self.used) if self.success else 0.0


def efficiency(efforts: Iterable[Effort]) -> dict[str, float]:
    """Returns success [%] within each multiple of the reference's commands, and SPL; nothing without a known reference.
    Episodes without a known reference, solved or not, are left out.

    SPL is that of Anderson et al. (2018) with commands instead of the length of the path.
    """
    all_ = list(efforts)
    compared = [effort for effort in all_ if effort.is_comparable]
    if not any(effort.reference for effort in compared):
        return {}
    within = {
        success_at(factor): 100 * sum(effort.within(factor) for effort in compared) / len(compared)
        for factor in FACTORS
    }
    spl = sum(effort.weighted_success for effort in compared) / len(compared)
    number = {COMPARED: len(compared)} if len(compared) < len(all_) else {}
    return {**within, SPL: spl, **number}
