"""How old what is remembered may be before it is told, and when it is told with its time."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.domains.household.outcome_index import begun_at
from stma_ros.memory.elapsed_time import ago
from stma_ros.types.belief import SpatialBelief, TemporalBelief
from stma_ros.types.standard import Time


@dataclass(frozen=True)
class Recall:
    """How old a memory may be.

    Attributes:
        now: stamp of the belief.
        began: when the task began; what was seen before it is told with its time.
        recheck_after: age from which portable things and states are looked at again [s].
    """

    now: Time
    began: Time
    recheck_after: float

    def is_old(self, seen: Time) -> bool:
        """Whether something may have changed since it was seen."""
        return self.now.seconds - seen.seconds > self.recheck_after

    def is_earlier(self, seen: Time) -> bool:
        """Whether something was seen before the task began, so that it is told with its time."""
        return seen < self.began

    def ago(self, seen: Time) -> str:
        """Returns the time since something was seen in words: "3 min ago"."""
        return ago(seen, self.now)

    @classmethod
    def at(cls, temporal: TemporalBelief, spatial: SpatialBelief, recheck_after: float) -> Recall:
        """Returns how old memories may be at a step. The task began before its first action, or begins now."""
        now, began = spatial.header.stamp, spatial.header.stamp
        first = next(iter(temporal.completed), None)
        if first is not None:
            began = begun_at(first)
        return cls(now, began, recheck_after)
