"""Judges whether an action is a hazard to people, animals, things or the robot, by the rules of hazards.yaml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from stma_ros.domains.household.belief_index import BeliefIndex, KnownObject
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.planning import Action
from stma_ros.types.settings import suggest

_SETS: Mapping[str, str] = {
    "living": "is_living",
    "devices": "is_device",
    "taps": "is_tap",
    "vessels": "is_vessel",
    "containers": "is_container",
    "furniture": "is_furniture",
    "surfaces": "is_surface",
}
"""Names of sets of the category knowledge, and the methods that ask for them."""


@dataclass(frozen=True)
class HazardRule:
    """One rule. An empty condition always holds; a place without a thing to be looked at meets no other.

    Attributes:
        name: of the rule.
        skills: of the actions that it refuses.
        reason: feedback to the planner, with the places {target}, {held}, {holder} and {content}.
        target: kinds of the action's target.
        target_state: its state.
        held: kinds of the thing in the hand.
        held_state: its state.
        holder: kinds of what the target is in or on.
        holder_state: its state.
        content: kinds of a thing in or on the target.
    """

    name: str
    skills: tuple[str, ...]
    reason: str
    target: tuple[str, ...] = ()
    target_state: str = ""
    held: tuple[str, ...] = ()
    held_state: str = ""
    holder: tuple[str, ...] = ()
    holder_state: str = ""
    content: tuple[str, ...] = ()


def feedback(item: Action, view: BeliefIndex, rules: Iterable[HazardRule]) -> str:
    """Returns the reason of the first rule that the action breaks; empty = none."""
    target = view.objects.get(item.arguments[0]) if item.arguments else None
    for rule in rules:
        if item.skill not in rule.skills:
            continue
        things = _met(rule, target, view)
        if things is not None:
            return rule.reason.format(**things)
    return ""


def _met(rule: HazardRule, target: KnownObject | None, view: BeliefIndex) -> Mapping[str, str] | None:
    """Returns the ids of the things that meet the rule's conditions, by place; None if one is not met."""
    held = view.objects.get(view.held)
    holder = view.objects.get(target.holder) if target is not None else None
    things = {"target": target, "held": held, "holder": holder}
    for place, kinds, state in (
        ("target", rule.target, rule.target_state),
        ("held", rule.held, rule.held_state),
        ("holder", rule.holder, rule.holder_state),
    ):
        thing = things[place]
        if (kinds or state) and (thing is None or not _is_such(thing, kinds, state, view.knowledge)):
            return None
    names = {place: thing.id if thing is not None else "" for place, thing in things.items()}
    if not rule.content:
        return {**names, "content": ""}
    inside = (thing for thing in view.objects.values() if target is not None and thing.holder == target.id)
    content = next((thing.id for thing in inside if _is_kind(thing, rule.content, view.knowledge)), "")
    return {**names, "content": content} if content else None


def _is_such(thing: KnownObject, kinds: Sequence[str], state: str, knowledge: CategoryKnowledge) -> bool:
    if kinds and not _is_kind(thing, kinds, knowledge):
        return False
    return not state or thing.state(words.STATE_DIMENSION.get(state, state)) == state


def _is_kind(thing: KnownObject, kinds: Sequence[str], knowledge: CategoryKnowledge) -> bool:
    return any(
        getattr(knowledge, _SETS[kind])(thing.category)
        if kind in _SETS
        else knowledge.is_kind(thing.category, kind)
        for kind in kinds
    )


# -- the file


@lru_cache(maxsize=8)
def household_hazards(extension: str = "") -> tuple[HazardRule, ...]:
    """Returns the rules of hazards, which are read once.

    Args:
        extension: a YAML or JSON file in the form of hazards.yaml, whose groups add to the own ones, and whose rules
            are added, or replace those of the same name; a rule without content removes it. Empty = none.

    Raises:
        ConfigurationError: the file cannot be read, or a rule is not one.
    """
    source = files("stma_ros.domains.household").joinpath("hazards.yaml").read_text(encoding="utf-8")
    content = yaml.safe_load(source)
    groups: dict[str, list[str]] = dict(content["groups"])
    rules: dict[str, Any] = dict(content["hazards"])
    if extension:
        more = _read(Path(extension))
        for name, kinds in _part(more, "groups", extension).items():
            groups[name] = [*groups.get(name, []), *_names(kinds, f"{extension}: group {name!r}")]
        rules.update(_part(more, "hazards", extension))
    where = extension or "hazards.yaml"
    return tuple(_rule(name, rule, groups, where) for name, rule in rules.items() if rule is not None)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))  # JSON is YAML, too
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigurationError(f"the file of hazards {path} cannot be read: {error}") from error
    if not isinstance(content, Mapping) or not content.keys() <= {"groups", "hazards"}:
        raise ConfigurationError(f"{path} holds no hazards; write the parts groups: and hazards:")
    return content


def _part(content: Mapping[str, Any], name: str, source: str) -> Mapping[str, Any]:
    part = content.get(name) or {}
    if not isinstance(part, Mapping):
        raise ConfigurationError(f"{source}: {name} wants a mapping by name, got {part!r}")
    return part


def _names(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise ConfigurationError(f"{where} wants a list of names, got {value!r}")
    return tuple(value)


def _rule(name: str, content: Any, groups: Mapping[str, Sequence[str]], source: str) -> HazardRule:
    where = f"{source}: hazard {name!r}"
    if not isinstance(content, Mapping) or not {"skills", "reason"} <= content.keys():
        raise ConfigurationError(f"{where} needs skills: and reason:")
    known = [field.name for field in fields(HazardRule) if field.name != "name"]
    values: dict[str, Any] = {}
    for key, value in content.items():
        if key not in known:
            raise ConfigurationError(f"{where} has no part {key!r}; {suggest(str(key), tuple(known))}")
        if key == "reason" or key.endswith("_state"):
            if not isinstance(value, str):
                raise ConfigurationError(f"{where}: {key} wants a text, got {value!r}; put it into quotes")
            values[key] = value
        else:
            named = _names(value, f"{where}: {key}")
            values[key] = tuple(kind for group in named for kind in groups.get(group, (group,)))
    for skill in values["skills"]:
        if skill not in words.MANIPULATIONS:
            raise ConfigurationError(f"{where}: no skill {skill!r}; {suggest(skill, words.MANIPULATIONS)}")
    for key in ("target_state", "held_state", "holder_state"):
        state = values.get(key, "")
        if state and state not in words.STATE_DIMENSION:
            raise ConfigurationError(f"{where}: no state {state!r}; {suggest(state, words.STATE_DIMENSION)}")
    try:
        values["reason"].format(target="", held="", holder="", content="")
    except (KeyError, IndexError, ValueError) as error:
        raise ConfigurationError(
            f"{where}: the reason has a place other than target, held, holder and content: {error}"
        ) from None
    return HazardRule(name, **values)
