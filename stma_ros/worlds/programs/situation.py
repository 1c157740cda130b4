"""An action about to be executed, in the state of the home before it."""

from __future__ import annotations

from functools import cached_property

from stma_ros.worlds.programs.home_graph import CLOSE, FACING, HANDS, INSIDE, ON, ROOM, HomeGraph, Node


class Situation:
    """The state of a home between two changes, with what many checks ask for.

    Attributes:
        graph: the state.
        taken_from: where the things in the hands were: relation and id.
        who: id of the character.
    """

    def __init__(self, graph: HomeGraph, taken_from: dict[int, tuple[str, int]]) -> None:
        self.graph = graph
        self.taken_from = taken_from
        self.who = graph.character.id

    @cached_property
    def near(self) -> frozenset[int]:
        """What the character is next to, and what that is next to or carries."""
        graph = self.graph
        beside = graph.targets(self.who, CLOSE)
        near = set(beside)
        for each in beside:
            near.update(graph.targets(each, CLOSE), graph.sources(ON, each))
        return frozenset(near)


class Turn:
    """One action in the state before it, for checks and changes."""

    def __init__(self, situation: Situation, things: tuple[int, ...]) -> None:
        self._situation = situation
        self.graph = situation.graph
        self.taken_from = situation.taken_from
        self.who = situation.who
        self.things = [self.graph.nodes[id] for id in things]

    @property
    def thing(self) -> Node:
        return self.things[0]

    @property
    def place(self) -> Node:
        return self.things[-1]

    @property
    def held(self) -> list[int]:
        return self.graph.targets(self.who, *HANDS)

    @property
    def free_hand(self) -> str | None:
        return next((hand for hand in HANDS if not self.graph.targets(self.who, hand)), None)

    @property
    def room(self) -> int:
        """The room that the character is in."""
        room = self.graph.room_of(self.who)
        assert room is not None, "checked before"
        return room

    def place_of(self, id: int) -> tuple[str, int]:
        """Returns how a thing is where: on or in something, next to something, or else just in the room."""
        for relation in (ON, INSIDE, CLOSE):
            for place in self.graph.targets(id, relation):
                if place != self.who and self.graph.nodes[place].category != ROOM:
                    return relation, place
        return INSIDE, self.room

    def is_near(self, id: int) -> bool:
        return id in self._situation.near

    def faces(self, id: int) -> bool:
        graph = self.graph
        return graph.has(self.who, FACING, id) or any(
            graph.has(other, FACING, id) for other in graph.targets(self.who, FACING)
        )

    @property
    def finds(self) -> bool:
        """Whether the thing is at hand: near or worn."""
        return self.is_near(self.thing.id) or self.graph.has(self.thing.id, ON, self.who)

    def near_each_other(self, one: int, other: int) -> None:
        self.graph.add(one, CLOSE, other)
        self.graph.add(other, CLOSE, one)

    def let_go(self, id: int) -> None:
        for hand in HANDS:
            self.graph.remove(self.who, hand, id)
        self.taken_from.pop(id, None)
