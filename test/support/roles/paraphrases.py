"""Sets of sentences with the goals that a careful reader accepts, in YAML."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from stma_ros.domains.household.category_knowledge import household_categories
from stma_ros.domains.household.goals import FindGoal, Goal, PlaceGoal, StateGoal
from stma_ros.domains.household.language import HouseholdLanguage
from stma_ros.memory.descriptions import Description
from stma_ros.types.errors import TaskNotUnderstoodError

HERE = Path(__file__).parents[2] / "roles"

DEVELOPMENT_SETS = (
    "paraphrases_dev.yaml",
    *(f"everyday_dev{part}.yaml" for part in ("", "_2", "_3", "_4", "_5")),
)
"""Sets by which the grammar may be extended."""

Entry = Mapping[str, Any]


def description(entry: Entry | None) -> Description | None:
    if entry is None:
        return None
    return Description(
        household_categories().canonical(entry["category"]),
        tuple(entry.get("colours", ())),
        entry.get("size", ""),
        entry.get("relation", ""),
        description(entry.get("place")),
        entry.get("id", ""),
    )


def goal(entry: Entry) -> Goal:
    count = entry.get("count", 1)
    what = description(entry.get("find") or entry.get("place") or entry.get("state"))
    assert what is not None
    if "find" in entry:
        return FindGoal(what, count)
    if "place" in entry:
        destination = description(entry.get("destination"))
        flags = {name: entry[name] for name in ("another", "together", "apart", "each") if name in entry}
        return PlaceGoal(what, count, entry.get("relation", ""), destination, **flags)
    return StateGoal(what, entry["to"], count)


def accepted(entry: Entry) -> Sequence[tuple[Goal, ...]]:
    return [tuple(map(goal, goals)) for goals in (entry["goals"], *entry.get("also", ()))]


def entries(name: str) -> Sequence[Entry]:
    found: Sequence[Entry] = yaml.safe_load((HERE / name).read_text(encoding="utf-8"))
    return found


class Verdict(enum.Enum):
    """What a reading is worth."""

    RIGHT = "understood or rightly refused"
    REFUSED = "wrongly refused"
    MISREAD = "misread"


def verdict(language: HouseholdLanguage, entry: Entry) -> Verdict:
    """Returns what the reading of a sentence is worth; a refusal that names words nobody can perceive is right."""
    try:
        goals = language.goals(entry["text"])
    except TaskNotUnderstoodError as refusal:
        named = "cannot perceive" in str(refusal)
        return Verdict.RIGHT if entry.get("refused") or named else Verdict.REFUSED
    return Verdict.RIGHT if not entry.get("refused") and goals in accepted(entry) else Verdict.MISREAD
