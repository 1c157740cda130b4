"""Reads the rules of hazards: those of hazards.yaml, and a file of the user that adds to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from stma_ros.domains.household import user_files
from stma_ros.domains.household.critic_rules.hazards import HazardRule
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import ConfigurationError
from stma_ros.types.settings import suggest


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
    content = user_files.read(path, "hazards")
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
