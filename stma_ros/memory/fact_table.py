"""Facts by the entities at their ends, stored in integer tables so that whole neighbourhoods are found without Python
loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from stma_ros.memory.fact_kernels import (
    BY_OBJECT,
    BY_SUBJECT,
    ENTITY_COLUMNS,
    FACT_COLUMNS,
    INTO,
    NONE,
    OUT,
    VALUES,
    among,
    append,
    unlink,
    within,
)
from stma_ros.memory.growable_table import with_rows
from stma_ros.types.scene_graph import Relation

ItemT = TypeVar("ItemT")


class _Numbered(Generic[ItemT]):
    """Items by number, each with a row of a table. Free numbers are reused."""

    def __init__(self, columns: int, nothing: ItemT) -> None:
        """nothing: stands where no item is."""
        self.items: list[ItemT] = []
        self.rows: NDArray[np.int32] = np.empty((0, columns), np.int32)
        self._nothing = nothing
        self._free: list[int] = []

    def add(self, item: ItemT) -> int:
        """Returns the number of the new item; the contents of its row are undefined."""
        if self._free:
            number = self._free.pop()
            self.items[number] = item
            return number
        self.items.append(item)
        self.rows = with_rows(self.rows, len(self.items))
        return len(self.items) - 1

    def remove(self, number: int) -> None:
        self.items[number] = self._nothing
        self._free.append(number)


class FactTable:
    """A fact has a number for as long as it is stored; an entity exists as long as a fact names it. All listings are in
    the order of insertion."""

    def __init__(self) -> None:
        self._facts = _Numbered(FACT_COLUMNS, Relation())
        self._entities = _Numbered(ENTITY_COLUMNS, "")
        self._numbers: dict[str, int] = {}  # of the entities

    def __getitem__(self, number: int) -> Relation:
        return self._facts.items[number]

    def __contains__(self, entity: str) -> bool:
        return entity in self._numbers

    @property
    def entities(self) -> Iterable[str]:
        return self._numbers

    def add(self, fact: Relation, *, link: bool) -> int:
        """Adds a fact and returns its number. link: whether its object is an entity as well."""
        number = self._facts.add(fact)
        subject = self._number(fact.subject)
        object_ = self._number(fact.object) if link else NONE
        facts, entities = self._facts.rows, self._entities.rows
        append(entities, facts, number, BY_SUBJECT, subject, OUT if link else VALUES)
        if link:
            append(entities, facts, number, BY_OBJECT, object_, INTO)
        else:
            facts[number, 3 * BY_OBJECT] = NONE
        return number

    def replace(self, number: int, fact: Relation) -> None:
        """Replaces a fact by one with the same ends."""
        self._facts.items[number] = fact

    def remove(self, number: int) -> None:
        """Removes the fact with this number."""
        facts, entities = self._facts.rows, self._entities.rows
        subject, object_ = int(facts[number, 3 * BY_SUBJECT]), int(facts[number, 3 * BY_OBJECT])
        link = object_ != NONE
        unlink(entities, facts, number, BY_SUBJECT, OUT if link else VALUES)
        if link:
            unlink(entities, facts, number, BY_OBJECT, INTO)
        self._facts.remove(number)
        for entity in {subject, object_} - {NONE}:
            if np.all(entities[entity] == NONE):
                del self._numbers[self._entities.items[entity]]
                self._entities.remove(entity)

    def values_of(self, entity: str) -> Iterator[Relation]:
        """Returns the facts on an entity alone; none for an unknown one. Copy the result before changing the table."""
        return self._chain(entity, VALUES, BY_SUBJECT)

    def links_from(self, entity: str) -> Iterator[Relation]:
        """Returns the facts with an entity as the subject that name another entity."""
        return self._chain(entity, OUT, BY_SUBJECT)

    def links_to(self, entity: str) -> Iterator[Relation]:
        """Returns the facts with an entity as the object."""
        return self._chain(entity, INTO, BY_OBJECT)

    def neighbourhood(
        self, seeds: Iterable[str], hops: int, *, directed: bool, limit: int, also: Iterable[str]
    ) -> tuple[tuple[str, ...], tuple[Relation, ...]]:
        """Returns a neighbourhood, as `KnowledgeGraph.neighbourhood` does."""
        facts, entities = self._facts.rows, self._entities.rows
        reached = within(
            entities, facts, self._numbers_of(seeds), self._numbers_of(also), hops, directed, limit
        )
        found = among(entities, facts, reached)
        names, triples = self._entities.items, self._facts.items
        return (
            tuple([names[number] for number in reached.tolist()]),
            tuple([triples[number] for number in found.tolist()]),
        )

    def _chain(self, entity: str, chain: int, end: int) -> Iterator[Relation]:
        number = self._numbers.get(entity)
        fact = NONE if number is None else int(self._entities.rows[number, 2 * chain])
        while fact != NONE:
            yield self._facts.items[fact]
            fact = int(self._facts.rows[fact, 3 * end + 1])

    def _numbers_of(self, names: Iterable[str]) -> NDArray[np.int32]:
        """Returns the numbers of the known ones among these entities."""
        return np.array([self._numbers[name] for name in names if name in self._numbers], np.int32)

    def _number(self, name: str) -> int:
        """Returns the number of an entity; a new number for a new entity."""
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = self._entities.add(name)
            self._entities.rows[number] = NONE
        return number
