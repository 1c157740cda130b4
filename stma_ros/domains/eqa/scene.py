"""The port through which questions are answered: the things of a home that are known, wherever that is from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from stma_ros.domains.eqa.question import Relation
from stma_ros.memory.room_kinds import Shares
from stma_ros.memory.states import States
from stma_ros.types.scene_graph import Relation as Fact


class KnownThing(Protocol):
    """A thing as answers need it."""

    @property
    def id(self) -> str:
        """Its id in the facts of the scene."""
        ...

    @property
    def category(self) -> str:
        """Its likeliest category."""
        ...

    @property
    def confidence(self) -> float:
        """How sure it is that it exists and is of this category [0..1]."""
        ...

    @property
    def colour(self) -> str:
        """Its basic colour word; empty = not known."""
        ...

    @property
    def states(self) -> States:
        """Its states, at most one in each dimension."""
        ...

    @property
    def longest(self) -> float:
        """Its longest side [m]; 0 = not known."""
        ...

    @property
    def room(self) -> Shares:
        """Probability of each kind of room to be the one that it is in."""
        ...

    @property
    def room_kind(self) -> str:
        """The likeliest kind of room; empty = not known."""
        ...

    @property
    def clearness(self) -> float:
        """How clearly it was seen, compared with other things of the same scene."""
        ...

    @property
    def is_seen_well(self) -> bool:
        """Whether it was seen clearly enough to be named."""
        ...

    @property
    def is_surveyed(self) -> bool:
        """Whether it was seen so well that what lies at it would have been seen, too."""
        ...


ThingT_co = TypeVar("ThingT_co", bound=KnownThing, covariant=True)


class Scene(Protocol[ThingT_co]):
    """The known things, and how they lie to one another."""

    @property
    def things(self) -> Sequence[ThingT_co]:
        """All of them."""
        ...

    @property
    def facts(self) -> Sequence[Fact]:
        """In, on and near facts between them, by their ids."""
        ...

    def find(self, name: str) -> ThingT_co | None:
        """Returns the thing with an id of the facts."""
        ...

    def lies(self, name: str, relation: Relation, landmark: str) -> bool:
        """Whether a thing lies so to a landmark, both by their ids; for relations other than ON and IN."""
        ...

    def covers(self, room: str) -> bool:
        """Whether all of a kind of room that can be seen was seen, so that what was not seen there is not there; for an
        empty name, all of the home."""
        ...

    @property
    def rooms(self) -> Mapping[str, int]:
        """The number of known rooms of each kind; those of a kind that is not known have an empty name."""
        ...

    def extent(self, room: str) -> float:
        """Returns the floor area that the known things of a kind of room span [m^2]; NaN = not known."""
        ...

    def distance(self, name: str, other: str) -> float:
        """Returns the distance between the middles of two things, by their ids [m]; NaN = not known."""
        ...
