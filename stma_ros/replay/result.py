"""The result of a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stma_ros.replay.comparison import Difference, Tally
from stma_ros.storage.bag.reader import Damage


@dataclass(frozen=True)
class Part:
    """What became of one component. inputs: messages it took. gap: from where on it is not known what it was told, and
    why; empty = it is known to the end. seconds: in its own code."""

    name: str
    inputs: int
    gap: str
    seconds: float


@dataclass(frozen=True)
class ReplayResult:
    """tallies: by topic. messages: read from the bag. span: from the first to the last of them, as recorded [s].
    seconds: of the whole replay. notes: what could not be as it was."""

    parts: tuple[Part, ...]
    tallies: Mapping[str, Tally]
    first: Difference | None
    damages: tuple[Damage, ...]
    notes: tuple[str, ...]
    messages: int
    span: float
    seconds: float

    @property
    def same(self) -> bool:
        """Whether all that could be compared came out the same; False, too, where nothing could be."""
        return self.first is None and any(tally.same for tally in self.tallies.values())
