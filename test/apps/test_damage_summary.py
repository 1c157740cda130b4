"""Tests of the short summary of the damaged parts of a bag."""

from __future__ import annotations

from pathlib import Path

from stma_ros.apps.damage_summary import DamageSummary
from stma_ros.storage.bag.messages import Damage


def test_damage_summary_lists_the_first_parts_once_and_counts_the_others():
    damages = DamageSummary()
    for offset in (*range(8), *range(8)):
        damages.add(Damage(Path("run.mcap"), offset, "a chunk is damaged"))
    assert [*damages.lines] == [
        *(f"run.mcap, byte {offset}: a chunk is damaged" for offset in range(5)),
        "3 more damaged parts",
    ]


def test_damage_summary_is_empty_for_a_sound_bag():
    assert not list(DamageSummary().lines)
