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
        inputs: number of messages it took.
        gap: why its inputs are not known from some point on; empty = all are known.
        seconds: spent in its code.
    """

    name: str
    inputs: int
    gap: str
    seconds: float


@dataclass(frozen=True)
class ReplayResult:
    """The result of a replay.

    Attributes:
        tallies: by topic.
        messages: number read from the bag.
        span: recorded time from the first to the last message [s].
        seconds: of the whole replay.
        notes: what could not be restored.
        lost: what components said last in the replay and the recording cannot have.
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
        """Whether all that could be compared came out the same; False, too, where nothing could be."""
        return self.first is None and any(tally.same for tally in self.tallies.values())
