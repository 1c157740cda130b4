"""What of a bag could not be read, in few words."""

from __future__ import annotations

from pathlib import Path

from stma_ros.apps.damage_summary import DamageSummary
from stma_ros.storage.bag.messages import Damage


def test_the_first_are_told_each_once_and_the_others_counted():
    damages = DamageSummary()
    for offset in (*range(8), *range(8)):
        damages.add(Damage(Path("run.mcap"), offset, "a chunk is damaged"))
    assert [*damages.lines] == [
        *(f"run.mcap, byte {offset}: a chunk is damaged" for offset in range(5)),
        "3 more damaged parts",
    ]


def test_nothing_is_told_of_a_sound_bag():
    assert not list(DamageSummary().lines)
