"""Facts as chains of numbers, and the walks along them that retrieval consists of.

Facts and entities are rows of two tables. An entity heads three chains: of the facts that say something of it alone, of
those that lead from it to another entity, and of those that lead to it; each in the order in which the facts came. A
fact is in one chain by its subject and, where it leads to an entity, in one by its object.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel

NONE = -1
"""No fact, or no entity."""

VALUES, OUT, INTO = 0, 1, 2
"""The chains of an entity: two columns each of its row, the first and the last fact."""

BY_SUBJECT, BY_OBJECT = 0, 1
"""The ends of a fact: three columns each of its row, the entity, the next fact of the chain and the one before."""

ENTITY_COLUMNS, FACT_COLUMNS = 6, 6


@kernel
def append(
    entities: NDArray[np.int32], facts: NDArray[np.int32], fact: int, end: int, entity: int, chain: int
) -> None:
    """Appends a fact to the chain of the entity at one of its ends."""
    last = entities[entity, 2 * chain + 1]
    facts[fact, 3 * end] = entity
    facts[fact, 3 * end + 1] = NONE
    facts[fact, 3 * end + 2] = last
    if last == NONE:
        entities[entity, 2 * chain] = fact
    else:
        facts[last, 3 * end + 1] = fact
    entities[entity, 2 * chain + 1] = fact


@kernel
def unlink(entities: NDArray[np.int32], facts: NDArray[np.int32], fact: int, end: int, chain: int) -> None:
    """Removes a fact from the chain at one of its ends."""
    entity, after, before = facts[fact, 3 * end], facts[fact, 3 * end + 1], facts[fact, 3 * end + 2]
    if before == NONE:
        entities[entity, 2 * chain] = after
    else:
        facts[before, 3 * end + 1] = after
    if after == NONE:
        entities[entity, 2 * chain + 1] = before
    else:
        facts[after, 3 * end + 2] = before


@kernel
def _reach(entity: int, reached: NDArray[np.int32], met: NDArray[np.bool_], count: int) -> int:
    """Adds an entity to the first `count` reached ones unless it was reached before; returns the new count."""
    if met[entity]:
        return count
    met[entity] = True
    reached[count] = entity
    return count + 1


@kernel
def within(
    entities: NDArray[np.int32],
    facts: NDArray[np.int32],
    seeds: NDArray[np.int32],
    also: NDArray[np.int32],
    hops: int,
    directed: bool,
    limit: int,
) -> NDArray[np.int32]:
    """Returns the entities within `hops` facts of the seeds, nearest first.

    Args:
        entities, facts: the tables.
        seeds: numbers of entities.
        also: numbers of entities that are appended to the result.
        hops: largest number of facts on the way from a seed.
        directed: follow facts from subject to object only.
        limit: entities at most, seeds counted, all of which stay; 0 = any number.
    """
    reached = np.empty(len(entities), np.int32)
    met = np.zeros(len(entities), np.bool_)
    room = limit if limit else len(entities)
    count = 0
    for seed in seeds:
        count = _reach(seed, reached, met, count)
    border = 0
    for _ in range(hops):
        end = count
        for position in range(border, end):
            if count >= room:
                break
            for chain in range(OUT, OUT + 1 if directed else INTO + 1):
                near, far = (BY_SUBJECT, BY_OBJECT) if chain == OUT else (BY_OBJECT, BY_SUBJECT)
                fact = entities[reached[position], 2 * chain]
                while fact != NONE:
                    if count < room:
                        count = _reach(facts[fact, 3 * far], reached, met, count)
                    fact = facts[fact, 3 * near + 1]
        if count == end:
            break
        border = end
    for entity in also:
        count = _reach(entity, reached, met, count)
    found: NDArray[np.int32] = reached[:count].copy()
    return found


@kernel
def among(
    entities: NDArray[np.int32], facts: NDArray[np.int32], chosen: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Returns the facts on one of the chosen entities alone, and those between two of them; by subject, in the order of
    the entities."""
    found = np.empty(len(facts), np.int32)
    inside = np.zeros(len(entities), np.bool_)
    for entity in chosen:
        inside[entity] = True
    count = 0
    for entity in chosen:
        for chain in range(VALUES, OUT + 1):
            fact = entities[entity, 2 * chain]
            while fact != NONE:
                if chain == VALUES or inside[facts[fact, 3 * BY_OBJECT]]:
                    found[count] = fact
                    count += 1
                fact = facts[fact, 3 * BY_SUBJECT + 1]
    facts_found: NDArray[np.int32] = found[:count].copy()
    return facts_found
