"""The placements of the generator and the agent's usual places come from different tables."""

from __future__ import annotations

from dataclasses import replace

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.evaluation.prior_overlap import prior_overlap
from stma_ros.worlds.house.kinds.item_kinds import ITEMS

HOUSEHOLD = household_categories()


def test_less_than_four_fifths_of_the_placements_are_usual_places_to_the_agent() -> None:
    overlap = prior_overlap(HOUSEHOLD)
    assert len(overlap.placements) == sum(len(kind.belongs) for kind in ITEMS.values())
    assert 0.3 < overlap.share < 0.8
    assert set(overlap.usual) < set(overlap.placements)


def test_prior_overlap_is_whole_when_the_agent_knows_the_table_of_the_generator() -> None:
    table = {name: dict.fromkeys(kind.belongs, 1.0) for name, kind in ITEMS.items()}
    overlap = prior_overlap(replace(HOUSEHOLD, places=table))
    assert overlap.share == 1.0
    assert "(100%)" in str(overlap)


def test_prior_overlap_is_zero_without_priors() -> None:
    assert prior_overlap(household_categories(priors=False)).share == 0.0
