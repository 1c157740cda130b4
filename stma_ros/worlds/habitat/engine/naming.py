"""Derives the category of an object from the name of its template, where the data set has none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

_ENDINGS = (".object_config.json", ".ao_config.json", ".stage_config.json", ".scene_instance.json")
_PREFIXES = ("frl_apartment_",)  # ReplicaCAD puts it before the names of all its objects
_CATEGORY_FIELDS = ("category", "semantic_category")
_NUMBERED = re.compile(r"(?<=[a-z]{3})\d+$")
_UNKNOWN = ("", "unknown", "unlabeled", "undefined")
_VARIANT = re.compile(r"^(\d+-)[a-z]_")
"""YCB's models of one kind of thing: "065-a_cups"."""

_HASH = re.compile(r"[0-9a-f]{16,}")


def simple_name(handle: str) -> str:
    """Returns a template's handle, which may be a path, without folder and file ending."""
    name = os.path.basename(handle)
    for ending in _ENDINGS:
        if name.endswith(ending):
            return name[: -len(ending)]
    return os.path.splitext(name)[0]


def category_of(user: Mapping[str, Any], lexicon: Mapping[int, str], semantic_id: int, template: str) -> str:
    """Returns the category of an object, as described at ObjectReport.category.

    Args:
        user: `user_defined` fields.
        lexicon: names by semantic id.
        semantic_id: semantic id of the object.
        template: simple name of the template.
    """
    for field in _CATEGORY_FIELDS:
        named = user.get(field)
        if isinstance(named, str) and named.strip():
            return as_words(named)
    return as_words(lexicon.get(semantic_id, "")) or _from_template(template)


def lexicon_from(classes: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Returns the names by semantic id, without those that stand for "unknown"."""
    named = {number: as_words(name) for number, name in classes}
    return {number: name for number, name in named.items() if number > 0 and is_known(name)}


def is_known(category: str) -> bool:
    return category not in _UNKNOWN


def as_words(name: str) -> str:
    """Converts a name to lower case with single blanks: "Kitchen_Chair" -> "kitchen chair"."""
    return " ".join(name.replace("_", " ").lower().split())


def _from_template(template: str) -> str:
    """Extracts a category: "frl_apartment_bowl_01" -> "bowl", "003_cracker_box" -> "cracker box", "door2" -> "door";
    empty for a mere number or hash."""
    name = template.lower()
    if _HASH.fullmatch(name):
        return ""
    for prefix in _PREFIXES:
        if name.startswith(prefix):
            name = name[len(prefix) :]
    name = _VARIANT.sub(r"\1", name)
    words = [word for word in re.split(r"[_\-\s.]+", name) if word and not word.isdigit()]
    return " ".join(_NUMBERED.sub("", word) for word in words)
