"""Assigns flats to suites, so that no two seeds, episodes or suites share one.

Every suite seed has its own block of flats, beyond the small numbers that people try by hand; within it every suite has
its own part, and every episode its own flats.
"""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.types.errors import ConfigurationError

FLAT_WORLDS = ("house", "habitat")
"""The worlds with procedural flats, the default one first."""

_FLATS_OF_A_SEED = 1_000_000


TRAINING, VALIDATION = range(100_000, 900_000), range(900_000, 1_000_000)
"""Flats before the blocks of all suites: networks are trained on the first, and watched on the second."""


@dataclass(frozen=True)
class SeedRange:
    """A suite's part of each block.

    Attributes:
        first: number of its first flat in the block.
        flats: number of flats per episode.
        episodes: number of episodes.
        seeds: upper bound of the seeds.
    """

    first: int
    flats: int
    episodes: int
    seeds: int

    def of(self, seed: int | None, index: int) -> range:
        """Returns the flats of an episode. Raises ConfigurationError for a seed or index out of range."""
        if seed is None or not 0 <= seed < self.seeds:
            raise ConfigurationError(f"the suite's seed must be from 0 to {self.seeds - 1}, got {seed}")
        if not 0 <= index < self.episodes:
            raise ConfigurationError(f"a seed has {self.episodes} episodes; take another seed for more")
        first = (seed + 1) * _FLATS_OF_A_SEED + self.first + index * self.flats
        return range(first, first + self.flats)


REARRANGEMENT = SeedRange(first=0, flats=100, episodes=8_000, seeds=1_000_000_000)
EQA = SeedRange(first=800_000, flats=100, episodes=1_000, seeds=1_000_000_000)
PERCEPTION = SeedRange(first=900_000, flats=1, episodes=99_000, seeds=2_000_000_000)
ENGINE_COMPARISON = SeedRange(first=999_000, flats=1, episodes=999, seeds=2_000_000_000)
MAPPING = SeedRange(first=999_999, flats=1, episodes=1, seeds=2_000_000_000)
