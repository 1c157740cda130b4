"""Relation aggregator: describes facts and routes in plain English, with what follows from them (STMA, section 4.2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from stma_ros.roles.corruption import Corrupted, CorruptionInput, FaultKind, opposite_directions
from stma_ros.roles.facts import INFERABLE, Fact, read_fact, read_name
from stma_ros.roles.rendering import fact_text, headed, route_text, sections
from stma_ros.roles.spec import Role, RoleSpec, UnusableReplyError, Wait
from stma_ros.types import vocabulary as words
from stma_ros.types.scene_graph import Relation, Route


@dataclass(frozen=True)
class AggregateQuery:
    """The question to the relation aggregator.

    Attributes:
        room: id of the robot's room; empty = unknown.
        facts: see SpatialBelief.
        routes: see SpatialBelief.
    """

    room: str
    facts: tuple[Relation, ...]
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class Description:
    """The relation aggregator's answer.

    Attributes:
        text: the complete description.
        facts: facts that the question does not hold and that follow from its facts.
        routes: routes that follow from its facts; empty where the question holds routes, which come from a map.
    """

    text: str
    facts: tuple[Relation, ...] = ()
    routes: tuple[Route, ...] = ()


RelationAggregatorRole: TypeAlias = Role[AggregateQuery, Description]
"""Describes facts and routes in English."""

# -- the question as text


def _text(query: AggregateQuery) -> str:
    # Without their probabilities, a dozen kinds that each room may be of would only confuse.
    possible = (words.MAY_BE, words.MAY_HAVE_COLOUR)
    facts = (fact for fact in query.facts if fact.predicate not in possible)
    return sections(
        headed("Room", query.room),
        headed("Facts", "\n".join(map(fact_text, facts))),
        headed("Routes", "\n".join(map(route_text, query.routes))),
    )


# -- the reply


@dataclass(frozen=True)
class Way:
    to: str
    commands: list[str]


@dataclass(frozen=True)
class DescriptionReply:
    """facts, ways: what follows from the facts that were given."""

    description: str
    facts: list[Fact]
    ways: list[Way]


def _read(reply: DescriptionReply, query: AggregateQuery) -> Description:
    text = reply.description.strip()
    if not text:
        raise UnusableReplyError("the description is empty")
    known = {(fact.subject, fact.predicate, fact.object) for fact in query.facts}
    facts = (read_fact(fact, INFERABLE) for fact in reply.facts)
    new = tuple(fact for fact in facts if (fact.subject, fact.predicate, fact.object) not in known)
    return Description(text, new, tuple(_route(way, query.room) for way in reply.ways))


def _route(way: Way, room: str) -> Route:
    target = read_name(way.to)
    moves = tuple(command.strip() for command in way.commands)
    if not all(moves) or (not moves and target != room):
        raise UnusableReplyError(f"the way to {target!r} lacks a command")
    return Route(target=target, length=len(moves), moves=moves)


# -- faults


def _corrupt(target: CorruptionInput[AggregateQuery, Description]) -> Corrupted[Description] | None:
    answer = target.answer
    wrong = [
        (at, other)
        for at, route in enumerate(answer.routes)
        if route.moves  # the route to the robot's own room has no moves
        for other in _wrong_routes(route, answer.routes, target.kind)
        if other.moves != route.moves
    ]
    if not wrong:
        return None
    at, route = wrong[target.pick(len(wrong))]
    routes = (*answer.routes[:at], route, *answer.routes[at + 1 :])
    detail = f"{route.target}: {', '.join(route.moves)}"
    return Corrupted(replace(answer, routes=routes, text=_text_with(answer, route)), target.kind, detail)


def _wrong_routes(route: Route, routes: Sequence[Route], kind: FaultKind) -> Iterator[Route]:
    if kind is FaultKind.HALLUCINATED:
        yield from (replace(route, moves=other.moves, length=other.length) for other in routes)
    else:
        yield replace(route, moves=tuple(map(opposite_directions, route.moves)))


def _text_with(answer: Description, route: Route) -> str:
    """Returns the text of the description with this route to the route's target."""
    lines = answer.text.splitlines()
    sentence = f"To the {route.target}, {route.length:.0f} commands: {', '.join(route.moves)}."
    return "\n".join(sentence if line.startswith(f"To the {route.target},") else line for line in lines)


RELATION_AGGREGATOR = RoleSpec(
    name="relation_aggregator",
    question=AggregateQuery,
    answer=Description,
    reply=DescriptionReply,
    text=_text,
    read=_read,
    wait=Wait.BELIEFS,
    faults=(FaultKind.HALLUCINATED, FaultKind.FLIPPED),
    corrupt=_corrupt,
)
