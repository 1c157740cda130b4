"""Small action models in generic wording, and states and questions about them."""

from __future__ import annotations

from collections.abc import Iterable

from stma_ros.domains.pddl.ground_task import Atom
from stma_ros.types.action_model import ActionModel, ActionSchema, Literal, PredicateSchema, TypedName
from stma_ros.types.sentences import generic_command, generic_sentence


def literal(text: str) -> Literal:
    """Returns a literal written as "on ?x b1" or "not on ?x b1"."""
    words = text.split()
    negated = words[0] == "not"
    name, *arguments = words[negated:]
    return Literal(predicate=name, arguments=tuple(arguments), negated=negated)


def parameters(text: str) -> tuple[TypedName, ...]:
    """Returns parameters written as "?x:block ?y"."""
    pairs = (word.partition(":") for word in text.split())
    return tuple(TypedName(name=name, type=kind) for name, _, kind in pairs)


def predicate(name: str, takes: str = "", seen_when: Iterable[str] = ()) -> PredicateSchema:
    items = parameters(takes)
    return PredicateSchema(
        name=name,
        parameters=items,
        seen_when=tuple(map(literal, seen_when)),
        sentence=generic_sentence(name, items),
        negation=generic_sentence(name, items, negated=True),
    )


def action(name: str, takes: str, needs: Iterable[str], effects: Iterable[str]) -> ActionSchema:
    items = parameters(takes)
    return ActionSchema(
        name=name,
        parameters=items,
        preconditions=tuple(map(literal, needs)),
        effects=tuple(map(literal, effects)),
        command=generic_command(name, items),
    )


def atoms(*texts: str) -> frozenset[Atom]:
    """Returns atoms written as "on b1 b2"."""
    return frozenset(tuple(text.split()) for text in texts)


FERRY = ActionModel(
    name="ferry",
    types=parameters("car bank"),
    objects=parameters("c1:car c2:car left:bank right:bank"),
    predicates=(
        predicate("at", "?car:car ?bank:bank"),
        predicate("ferry-at", "?bank:bank"),
        predicate("aboard", "?car:car"),
        predicate("free"),
    ),
    actions=(
        action("sail", "?from:bank ?to:bank", ["ferry-at ?from"], ["ferry-at ?to", "not ferry-at ?from"]),
        action(
            "board",
            "?car:car ?bank:bank",
            ["at ?car ?bank", "ferry-at ?bank", "free"],
            ["aboard ?car", "not at ?car ?bank", "not free"],
        ),
        action(
            "land",
            "?car:car ?bank:bank",
            ["aboard ?car", "ferry-at ?bank"],
            ["at ?car ?bank", "free", "not aboard ?car"],
        ),
    ),
)
"""A ferry that takes one car at a time."""

FERRY_START = atoms("at c1 left", "at c2 left", "ferry-at left", "free")

BOXES = ActionModel(
    name="boxes",
    types=parameters("box thing"),
    objects=parameters("box1:box box2:box key:thing coin:thing"),
    predicates=(
        predicate("in", "?thing:thing ?box:box", seen_when=["open ?box"]),
        predicate("open", "?box:box"),
        predicate("shut", "?box:box"),
        predicate("held", "?thing:thing"),
    ),
    actions=(
        action("lift", "?box:box", ["shut ?box"], ["open ?box", "not shut ?box"]),
        action(
            "take",
            "?thing:thing ?box:box",
            ["in ?thing ?box", "open ?box"],
            ["held ?thing", "not in ?thing ?box"],
        ),
    ),
)
"""Closed boxes, in one of which a thing is."""
