"""Obstacles that can be carried away: bulky things on the floor, which may bar a way, or stand where a leaf swings."""

from __future__ import annotations

from typing import Final

from stma_ros.domains.household.belief_index import KnownObject
from stma_ros.memory.category_knowledge import CategoryKnowledge

BULKY: Final = 0.3
"""What is at least this long is in the way of a robot where it stands on the floor [m]."""


def is_obstacle(thing: KnownObject, knowledge: CategoryKnowledge) -> bool:
    """Whether a thing can be carried, is bulky, and stands on the floor as far as is known."""
    is_on_floor = not (thing.held or thing.holder or thing.is_missing)
    return is_on_floor and thing.size >= BULKY and knowledge.is_portable(thing.category)


def was_obstacle(thing: KnownObject) -> bool:
    """Whether the robot has taken a bulky thing off the floor during the task."""
    origin = thing.origin
    return origin is not None and not (origin.inside or origin.on) and thing.size >= BULKY
