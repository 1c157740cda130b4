"""Loads the general knowledge about categories of objects in homes: the vocabulary of categories.yaml, and the
priors of priors.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from stma_ros.domains.household import user_files
from stma_ros.domains.household.priors import Priors
from stma_ros.memory.category_knowledge import CategoryKnowledge
from stma_ros.types.errors import ConfigurationError

_PRIOR_NAMES = "prior_names"


@lru_cache(maxsize=8)
def household_categories(extension: str = "", priors: bool = True) -> CategoryKnowledge:
    """Returns the category knowledge of the household domain, which is read once.

    Factories of agents, scores and tests call this function; all other code receives the value as an argument.

    Args:
        extension: a YAML or JSON file with more entries, in the form of categories.yaml; empty = none.
        priors: use the usual places and rooms of things.

    Raises:
        ConfigurationError: the file cannot be read, or has an entry that does not exist or does not fit.
    """
    vocabulary = yaml.load(_text("categories.yaml"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if extension:
        vocabulary = extended(vocabulary, _read(Path(extension)), extension)
    names = vocabulary.pop(_PRIOR_NAMES)
    knowledge = CategoryKnowledge.of(vocabulary)
    table = Priors(json.loads(_text("priors.json")), knowledge, names)
    return replace(
        knowledge,
        portables=knowledge.portables | table.portables(),
        places={**table.places(), **_weights(knowledge, "places")},
        found_in={**table.found_in(), **_weights(knowledge, "found_in")},
        essentials=_essentials(knowledge),
        has_priors=priors,
    )


def extended(vocabulary: Mapping[str, Any], more: Mapping[str, Any], source: str) -> dict[str, Any]:
    """Returns a vocabulary with more entries: lists grow, entries of mappings are added or replaced.

    Args:
        vocabulary: entries in the form of categories.yaml.
        more: the entries to add.
        source: name of the file that holds them, for error messages.

    Raises:
        ConfigurationError: an entry is a list where a mapping is wanted, or the other way round.
    """
    result = dict(vocabulary)
    for name, value in more.items():
        old = result.get(name)
        if old is None:
            result[name] = value  # a wrong name is refused with the others
        elif isinstance(old, Mapping) and isinstance(value, Mapping):
            result[name] = {**old, **value}
        elif isinstance(old, list) and isinstance(value, list):
            result[name] = [*old, *value]
        elif isinstance(old, (int, float)) and isinstance(value, (int, float)):
            result[name] = value
        else:
            wanted = (
                "a mapping" if isinstance(old, Mapping) else "a list" if isinstance(old, list) else "a number"
            )
            raise ConfigurationError(f"{source}: {name} wants {wanted}, got {value!r}")
    return result


def _read(path: Path) -> Mapping[str, Any]:
    content = user_files.read(path, "category knowledge")
    if not isinstance(content, Mapping):
        raise ConfigurationError(f"{path} holds no category knowledge; write entries such as things: [gizmo]")
    return content


def _weights(knowledge: CategoryKnowledge, field: str) -> dict[str, dict[str, float]]:
    """Returns the weights of a field by category, with canonical names.

    Raises:
        ConfigurationError: the weights of a category are none.
    """
    canonical = knowledge.canonical
    entries: Mapping[str, Any] = getattr(knowledge, field)
    for name, weights in entries.items():
        fits = isinstance(weights, Mapping) and all(
            isinstance(weight, (int, float)) and weight >= 0 for weight in weights.values()
        )
        if not fits:
            raise ConfigurationError(
                f"{field} of {name!r} is {weights!r}; give names with weights, as in {{desk: 2, shelf: 1}}"
            )
    return {
        canonical(name): {canonical(key): weight for key, weight in weights.items()}
        for name, weights in entries.items()
    }


def _essentials(knowledge: CategoryKnowledge) -> dict[str, tuple[str, ...]]:
    """Returns what kinds of rooms hardly ever lack, with canonical names.

    Raises:
        ConfigurationError: an entry is no list of names.
    """
    for room, needed in knowledge.essentials.items():
        if not isinstance(needed, (list, tuple)) or not all(isinstance(name, str) for name in needed):
            raise ConfigurationError(f"essentials of {room!r} is {needed!r}; give a list of names")
    canonical = knowledge.canonical
    return {canonical(room): tuple(map(canonical, needed)) for room, needed in knowledge.essentials.items()}


def _text(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
