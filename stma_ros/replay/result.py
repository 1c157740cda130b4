"""The result of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.replay.comparison import Difference, Lost, Tally
from stma_ros.storage.bag.reader import Damage


@dataclass(frozen=True)
class Part:
    """The replay of one component.

    Attributes:
        name: name of the component.
        inputs: number of messages that it took.
        gap: why its inputs are unknown from some point on; empty = all are known.
        seconds: time spent in its code [s].
    """

    name: str
    inputs: int
    gap: str
    seconds: float


@dataclass(frozen=True)
class ReplayResult:
    """The result of a replay.

    Attributes:
        parts: the replays of the components.
        tallies: counts by topic.
        first: the first difference; None = there is none.
        damages: unreadable parts of the bag.
        notes: parts that could not be restored.
        lost: final outputs of components that the recording cannot hold.
        messages: number of messages read from the bag.
        span: recorded time from the first to the last message [s].
        seconds: duration of the replay [s].
    """

    parts: tuple[Part, ...]
    tallies: Mapping[str, Tally]
    first: Difference | None
    damages: tuple[Damage, ...]
    notes: tuple[str, ...]
    lost: tuple[Lost, ...]
    messages: int
    span: float
    seconds: float

    @property
    def same(self) -> bool:
        """Whether all compared messages are equal; false where none could be compared."""
        return self.first is None and any(tally.same for tally in self.tallies.values())
