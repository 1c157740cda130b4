"""Semantic memory with what was asked before kept: every step asks the same of every thing again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from stma_ros.memory.semantic import semantic_memory

_KEPT = 8192


@lru_cache(maxsize=_KEPT)
def is_kind(seen: str, wanted: str) -> bool:
    return semantic_memory().is_kind(seen, wanted)


@lru_cache(maxsize=_KEPT)
def are_related(one: str, other: str) -> bool:
    """Whether a thing may be called both."""
    return is_kind(one, other) or is_kind(other, one)


@lru_cache(maxsize=_KEPT)
def share(thing: str, place: str) -> float:
    return semantic_memory().share(thing, place)


@lru_cache(maxsize=_KEPT)
def is_usual(thing: str, place: str) -> bool:
    return semantic_memory().is_usual(thing, place)


@lru_cache(maxsize=_KEPT)
def is_container(category: str) -> bool:
    return semantic_memory().is_container(category)


@lru_cache(maxsize=_KEPT)
def is_openable(category: str) -> bool:
    return semantic_memory().is_openable(category)


@lru_cache(maxsize=_KEPT)
def is_receptacle(category: str) -> bool:
    return semantic_memory().is_receptacle(category)


@lru_cache(maxsize=_KEPT)
def is_surface(category: str) -> bool:
    return semantic_memory().is_surface(category)


@lru_cache(maxsize=_KEPT)
def is_furniture(category: str) -> bool:
    return semantic_memory().is_furniture(category)


@lru_cache(maxsize=_KEPT)
def is_room(name: str) -> bool:
    return semantic_memory().is_room(name)


@lru_cache(maxsize=_KEPT)
def is_known(category: str) -> bool:
    """Whether anything at all is known of such things."""
    memory = semantic_memory()
    return any(memory.is_known(kind) for kind in memory.lineage(category))


@lru_cache(maxsize=_KEPT)
def room_shares(thing: str) -> Mapping[str, float]:
    return semantic_memory().room_shares(thing)


@lru_cache(maxsize=_KEPT)
def room_factor(thing: str, room: str) -> float:
    """How well a kind of room suits a thing: 0.5 to 1; between them where nothing is known."""
    shares = room_shares(thing)
    if not room or not shares:
        return 0.75
    return 0.5 + 0.5 * shares.get(semantic_memory().canonical(room), 0.0) / max(shares.values())
