"""Facts that exclude one another: a ball is in one room or in one gripper, and a gripper is free or carries one ball.

Groups of facts of which at most one is true at any time are found in the actions (invariants, Helmert 2009, restricted
to groups about one object, or about none): whatever adds a fact of a group removes another one of the same group that
was true. A group that holds in one state holds in all that can be reached from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from stma_ros.domains.pddl.ground_task import Atom
from stma_ros.types.action_model import ActionModel, ActionSchema, Literal

_MOST_PARTS = 4
_MOST_CANDIDATES = 500

_Part: TypeAlias = tuple[str, int]
"""A predicate, and which of its arguments is the object that the group is about; -1 = the group is about none."""

_NONE = -1


@dataclass(frozen=True)
class ExclusiveGroup:
    """A group of facts. parts: predicates with the position of the object that the group is about."""

    parts: frozenset[_Part]

    def key(self, atom: Atom) -> str | None:
        """Returns the object for which an atom is of the group ("" for a group about none); None if it is not."""
        for predicate, position in self.parts:
            if atom[0] == predicate:
                return "" if position == _NONE else atom[1 + position]
        return None

    def holds(self, atoms: Iterable[Atom]) -> bool:
        """Returns whether at most one atom of the group is true for each object."""
        counts = Counter(key for atom in atoms if (key := self.key(atom)) is not None)
        return max(counts.values(), default=0) <= 1


class ExclusiveFacts:
    """The groups that hold in a state, and so in every later one."""

    def __init__(self, model: ActionModel, atoms: Collection[Atom]) -> None:
        """Creates the groups. atoms: all atoms that are true in some state."""
        self._groups = [group for group in exclusive_groups(model) if group.holds(atoms)]

    def excluded_by(self, atom: Atom, atoms: Iterable[Atom]) -> Iterator[Atom]:
        """Yields the atoms that cannot be true if `atom` is."""
        keys = [(group, key) for group in self._groups if (key := group.key(atom)) is not None]
        if keys:
            for other in atoms:
                if other != atom and any(group.key(other) == key for group, key in keys):
                    yield other


@lru_cache(maxsize=32)
def exclusive_groups(model: ActionModel) -> tuple[ExclusiveGroup, ...]:
    """Returns the groups that no action makes larger than they are.

    Groups about no object are left out where groups about an object say the same of all their predicates; so are groups
    of facts that are not always seen, unless actions replace these by other facts of the group: whether such a group
    holds at first cannot be seen.
    """
    changing = {each.predicate for action in model.actions for each in action.effects}
    waiting = [
        frozenset({(predicate.name, position)})
        for predicate in model.predicates
        if predicate.name in changing
        for position in (_NONE, *range(len(predicate.parameters)))
    ]
    hidden = {predicate.name for predicate in model.predicates if predicate.seen_when}
    tried: dict[frozenset[_Part], None] = {}
    groups: list[ExclusiveGroup] = []
    for parts in waiting:  # it grows while it is read
        if parts in tried or len(tried) >= _MOST_CANDIDATES:
            continue
        tried[parts] = None
        if len({predicate for predicate, _ in parts}) < len(parts):
            continue  # a fact would be of the group in two ways
        problem = next((found for action in model.actions if (found := _problem(parts, action))), None)
        if problem is None:
            if _replaced(parts, hidden, model):
                groups.append(ExclusiveGroup(parts))
        elif len(parts) < _MOST_PARTS:
            waiting += (parts | {part} for part in _remedies(*problem))
    about_objects = {name for group in groups for name, position in group.parts if position != _NONE}
    return tuple(
        group
        for group in groups
        if any(position != _NONE for _, position in group.parts)
        or not {name for name, _ in group.parts} <= about_objects
    )


def _problem(parts: frozenset[_Part], action: ActionSchema) -> tuple[ActionSchema, str] | None:
    """Returns the action and the object of the group if the action may make the group larger; None if it does not."""
    adds = [term for each in action.effects if not each.negated for term in _terms(parts, each)]
    removes = [
        term
        for each in action.effects
        if each.negated and _is_needed(each, action)
        for term in _terms(parts, each)
    ]
    for term in dict.fromkeys(adds):
        if adds.count(term) > removes.count(term):
            return action, term
    return None


def _replaced(parts: frozenset[_Part], hidden: set[str], model: ActionModel) -> bool:
    """Returns whether some action replaces each part of a hidden predicate by another fact about the same object."""
    return all(
        any(
            each.negated and each.predicate == part[0] and term in _added_terms(parts, action)
            for action in model.actions
            for each in action.effects
            for term in _terms(frozenset({part}), each)
        )
        for part in parts
        if part[0] in hidden
    )


def _added_terms(parts: frozenset[_Part], action: ActionSchema) -> set[str]:
    return {term for each in action.effects if not each.negated for term in _terms(parts, each)}


def _remedies(action: ActionSchema, term: str) -> Iterator[_Part]:
    """Yields the parts that would balance an action: facts about the same object that it needs and removes."""
    for each in action.effects:
        if each.negated and _is_needed(each, action):
            if not term:
                yield each.predicate, _NONE
            else:
                yield from (
                    (each.predicate, place) for place, name in enumerate(each.arguments) if name == term
                )


def _terms(parts: frozenset[_Part], literal: Literal) -> Iterator[str]:
    """Yields the object (a parameter or a name) for which a literal belongs to the group; "" for a group about none."""
    for predicate, position in parts:
        if literal.predicate == predicate:
            yield "" if position == _NONE else literal.arguments[position]


def _is_needed(literal: Literal, action: ActionSchema) -> bool:
    return any(
        not each.negated and (each.predicate, each.arguments) == (literal.predicate, literal.arguments)
        for each in action.preconditions
    )
