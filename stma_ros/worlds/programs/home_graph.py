"""A home as a scene graph: nodes with properties and states, and relations between them, as VirtualHome has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from stma_ros.types.errors import StorageError
from stma_ros.types.kind_names import kind_name

ON: Final = "ON"
INSIDE: Final = "INSIDE"  # a room, too
CLOSE: Final = "CLOSE"
FACING: Final = "FACING"
BETWEEN: Final = "BETWEEN"  # (door, room)
HOLDS_RH: Final = "HOLDS_RH"
HOLDS_LH: Final = "HOLDS_LH"
HANDS: Final = (HOLDS_RH, HOLDS_LH)
"""The relations of what a character holds, in the order in which its hands are filled."""

_RELATIONS: Final = frozenset({ON, INSIDE, CLOSE, FACING, BETWEEN, *HANDS})

ROOM: Final = "Rooms"
CHARACTER: Final = "character"

Fact = tuple[int, str, int]
"""The id of a node, a relation, and the id of another node."""


@dataclass(frozen=True)
class Node:
    """A thing, room or character.

    Attributes:
        id: Unique in its graph.
        name: What it is, as "sauce_pan" (VirtualHome's class name).
        category: A coarser class, as "Furniture"; that of rooms is ROOM.
        properties: What can be done with it, as "GRABBABLE".
    """

    id: int
    name: str
    category: str
    properties: frozenset[str]

    @cached_property
    def kind(self) -> str:
        """What observations and tasks call it."""
        return kind_name(self.name)

    def __str__(self) -> str:
        return f"{self.name} ({self.id})"


def state_word(state: str) -> str:
    """Returns a state in words, as "plugged in"."""
    return state.lower().replace("_", " ")


class HomeGraph:
    """The state of a home, which actions change."""

    def __init__(
        self, nodes: Iterable[Node], states: Mapping[int, Iterable[str]], facts: Iterable[Fact]
    ) -> None:
        self.nodes = {node.id: node for node in nodes}
        self._states = {id: frozenset(states.get(id, ())) for id in self.nodes}
        # Dictionaries without values, as sets that keep the order.
        self._targets: dict[tuple[int, str], dict[int, None]] = {}
        self._sources: dict[tuple[str, int], dict[int, None]] = {}
        for fact in facts:
            self.add(*fact)

    @property
    def character(self) -> Node:
        """The one who acts: the first character."""
        return min((node for node in self.nodes.values() if node.name == CHARACTER), key=lambda node: node.id)

    def facts(self) -> Iterator[Fact]:
        for (source, relation), targets in self._targets.items():
            for target in targets:
                yield source, relation, target

    def states(self, id: int) -> frozenset[str]:
        return self._states[id]

    def targets(self, source: int, *relations: str) -> list[int]:
        """Returns what a node has any of these relations to."""
        return [target for relation in relations for target in self._targets.get((source, relation), ())]

    def sources(self, relation: str, target: int) -> list[int]:
        """Returns what has a relation to a node."""
        return list(self._sources.get((relation, target), ()))

    def has(self, source: int, relation: str, target: int) -> bool:
        return target in self._targets.get((source, relation), ())

    def room_of(self, id: int) -> int | None:
        """Returns the room that a node is in, directly or within something else; a room is in itself."""
        passed: set[int] = set()
        while id not in passed:  # a file may have things in a circle
            passed.add(id)
            if self.nodes[id].category == ROOM:
                return id
            holders = self.targets(id, INSIDE)
            if not holders:
                return None
            id = next((holder for holder in holders if self.nodes[holder].category == ROOM), holders[0])
        return None

    def holders(self, id: int) -> Iterator[int]:
        """Yields what a node is on or in, directly and further up, each once; rooms are left out."""
        return self._beyond(id, lambda each: self.targets(each, ON, INSIDE))

    def load(self, id: int) -> Iterator[int]:
        """Yields what is on or in a node, directly and further up, each once; rooms are left out."""
        return self._beyond(id, lambda each: [*self.sources(ON, each), *self.sources(INSIDE, each)])

    def _beyond(self, id: int, following: Callable[[int], Iterable[int]]) -> Iterator[int]:
        found = {id}
        waiting = [id]
        while waiting:
            for each in following(waiting.pop()):
                if each not in found and self.nodes[each].category != ROOM:
                    found.add(each)
                    waiting.append(each)
                    yield each

    def bring(self, id: int, room: int) -> None:
        """Brings a node into a room, with what is on or in it."""
        for each in (id, *self.load(id)):
            for place in self.targets(each, INSIDE):
                if self.nodes[place].category == ROOM:
                    self.remove(each, INSIDE, place)
            self.add(each, INSIDE, room)

    def copy(self) -> HomeGraph:
        """Returns a graph of the same state that changes apart from this one."""
        return HomeGraph(self.nodes.values(), self._states, self.facts())

    def add(self, source: int, relation: str, target: int) -> None:
        self._targets.setdefault((source, relation), {})[target] = None
        self._sources.setdefault((relation, target), {})[source] = None

    def remove(self, source: int, relation: str, target: int) -> None:
        self._targets.get((source, relation), {}).pop(target, None)
        self._sources.get((relation, target), {}).pop(source, None)

    def detach(self, id: int, *relations: str) -> None:
        """Removes the relations of a node to others, and of others to it."""
        for relation in relations:
            for target in self.targets(id, relation):
                self.remove(id, relation, target)
            for source in self.sources(relation, id):
                self.remove(source, relation, id)

    def change_state(self, id: int, before: Iterable[str], after: Iterable[str]) -> None:
        """Ends some states of a node and begins others."""
        self._states[id] = self._states[id].difference(before).union(after)


def read_graph(document: Any) -> HomeGraph:
    """Returns the graph of a JSON document of VirtualHome, {"nodes": [...], "edges": [...]}.

    Raises:
        StorageError: It is none, an edge names a node that is missing, or nobody is there to act.
    """
    try:
        nodes = [
            Node(
                int(each["id"]), str(each["class_name"]), str(each["category"]), frozenset(each["properties"])
            )
            for each in document["nodes"]
        ]
        states = {int(each["id"]): frozenset(map(str, each["states"])) for each in document["nodes"]}
        facts = [
            (int(each["from_id"]), str(each["relation_type"]), int(each["to_id"]))
            for each in document["edges"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise StorageError(
            f"this is no scene graph of VirtualHome ({type(error).__name__}: {error})"
        ) from error
    for source, relation, target in facts:
        if source not in states or target not in states:
            raise StorageError(f"the edge {source} {relation} {target} names a node that is missing")
        if relation not in _RELATIONS:
            raise StorageError(f"there is no relation {relation!r}, only {', '.join(sorted(_RELATIONS))}")
    if not any(node.name == CHARACTER for node in nodes):
        raise StorageError(f"nobody is at home: no node has the class name {CHARACTER!r}")
    return HomeGraph(nodes, states, facts)
