"""Compares the placements that the house's generator makes with the usual places that the agent knows.

The two come from different tables; figures of household tasks would mean little if they were the same."""

from __future__ import annotations

from dataclasses import dataclass

from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.worlds.house.kinds.item_kinds import ITEMS


@dataclass(frozen=True)
class PriorOverlap:
    """Pairs of a kind of small thing and a kind of furniture.

    Attributes:
        placements: those that the generator makes, apart from things in unusual places.
        usual: those of them that the agent's knowledge lists as usual.
    """

    placements: tuple[tuple[str, str], ...]
    usual: tuple[tuple[str, str], ...]

    @property
    def share(self) -> float:
        """Share of the placements that are usual, 0..1."""
        return len(self.usual) / len(self.placements)

    def __str__(self) -> str:
        return (
            f"{len(self.usual)} of {len(self.placements)} placements of the generator ({self.share:.0%}) are usual "
            "places to the agent"
        )


def prior_overlap(knowledge: CategoryKnowledge) -> PriorOverlap:
    """Returns the overlap of the house's placements and of the usual places in category knowledge. A thing without
    usual places has none in common."""
    placements = [(kind.name, place) for kind in ITEMS.values() for place in kind.belongs]
    usual = [pair for pair in placements if knowledge.lists(*pair)]
    return PriorOverlap(tuple(placements), tuple(usual))
