"""Facts by the entities at their ends: those of one entity at once, and those of a whole neighbourhood without an
object touched on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

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
from stma_ros.types.scene_graph import Triple

_FIRST_ROWS = 64
_NO_FACT: Final = Triple()


class FactTable:
    """Each fact has a number for as long as it is kept, and an entity is there as long as a fact names it. What is
    listed stands in the order in which it came."""

    def __init__(self) -> None:
        self._facts: list[Triple] = []  # by number
        self._names: list[str] = []  # by number
        self._numbers: dict[str, int] = {}
        self._unused_facts: list[int] = []
        self._unused_names: list[int] = []
        self._fact_rows = np.empty((_FIRST_ROWS, FACT_COLUMNS), np.int32)
        self._entity_rows = np.empty((_FIRST_ROWS, ENTITY_COLUMNS), np.int32)

    def __getitem__(self, number: int) -> Triple:
        return self._facts[number]

    def __contains__(self, entity: str) -> bool:
        return entity in self._numbers

    @property
    def entities(self) -> Iterable[str]:
        return self._numbers

    def add(self, fact: Triple, *, link: bool) -> int:
        """Returns its number. link: whether its object is an entity as well."""
        number = self._unused_facts.pop() if self._unused_facts else len(self._facts)
        if number == len(self._facts):
            self._facts.append(fact)
            self._fact_rows = _with_room(self._fact_rows, number)
        self._facts[number] = fact
        subject = self._number(fact.subject)
        object_ = self._number(fact.object) if link else NONE
        append(self._entity_rows, self._fact_rows, number, BY_SUBJECT, subject, OUT if link else VALUES)
        if link:
            append(self._entity_rows, self._fact_rows, number, BY_OBJECT, object_, INTO)
        else:
            self._fact_rows[number, 3 * BY_OBJECT] = NONE
        return number

    def replace(self, number: int, fact: Triple) -> None:
        """By one with the same ends."""
        self._facts[number] = fact

    def remove(self, number: int) -> None:
        subject, object_ = self._fact_rows[number, [3 * BY_SUBJECT, 3 * BY_OBJECT]].tolist()
        link = object_ != NONE
        unlink(self._entity_rows, self._fact_rows, number, BY_SUBJECT, OUT if link else VALUES)
        if link:
            unlink(self._entity_rows, self._fact_rows, number, BY_OBJECT, INTO)
        self._facts[number] = _NO_FACT
        self._unused_facts.append(number)
        for entity in {subject, object_} - {NONE}:
            if np.all(self._entity_rows[entity] == NONE):
                del self._numbers[self._names[entity]]
                self._names[entity] = ""
                self._unused_names.append(entity)

    def values_of(self, entity: str) -> Iterator[Triple]:
        """The facts that say something of an entity alone; none for one that is not there. As with any list, whoever
        changes the table meanwhile has to copy it first."""
        return self._chain(entity, VALUES, BY_SUBJECT)

    def links_from(self, entity: str) -> Iterator[Triple]:
        """The facts with an entity as the subject that name another one."""
        return self._chain(entity, OUT, BY_SUBJECT)

    def links_to(self, entity: str) -> Iterator[Triple]:
        """The facts with an entity as the object."""
        return self._chain(entity, INTO, BY_OBJECT)

    def neighbourhood(
        self, seeds: Iterable[str], hops: int, *, directed: bool, limit: int, also: Iterable[str]
    ) -> tuple[tuple[str, ...], tuple[Triple, ...]]:
        """See `KnowledgeGraph.neighbourhood`."""
        reached = within(
            self._entity_rows,
            self._fact_rows,
            self._numbers_of(seeds),
            self._numbers_of(also),
            hops,
            directed,
            limit,
        )
        found = among(self._entity_rows, self._fact_rows, reached)
        names, facts = self._names, self._facts
        return (
            tuple([names[number] for number in reached.tolist()]),
            tuple([facts[number] for number in found.tolist()]),
        )

    def _chain(self, entity: str, chain: int, end: int) -> Iterator[Triple]:
        number = self._numbers.get(entity)
        fact = NONE if number is None else int(self._entity_rows[number, 2 * chain])
        while fact != NONE:
            yield self._facts[fact]
            fact = int(self._fact_rows[fact, 3 * end + 1])

    def _numbers_of(self, names: Iterable[str]) -> NDArray[np.int32]:
        """Without those that are not there."""
        return np.array([self._numbers[name] for name in names if name in self._numbers], np.int32)

    def _number(self, name: str) -> int:
        """A new one for a new entity."""
        known = self._numbers.get(name)
        if known is not None:
            return known
        number = self._unused_names.pop() if self._unused_names else len(self._names)
        if number == len(self._names):
            self._names.append(name)
            self._entity_rows = _with_room(self._entity_rows, number)
        self._names[number] = name
        self._numbers[name] = number
        self._entity_rows[number] = NONE
        return number


def _with_room(rows: NDArray[np.int32], number: int) -> NDArray[np.int32]:
    """The table, with a row of that number."""
    if number < len(rows):
        return rows
    grown = np.empty((2 * len(rows), rows.shape[1]), np.int32)
    grown[: len(rows)] = rows
    return grown
