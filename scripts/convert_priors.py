"""Converts two public sources into the household domain's table of priors.

    convert_priors.py --bddl DIR --virtualhome DIR [--out FILE]

Sources, both under the MIT licence, data and code (LICENSE-3RD-PARTY has their texts):

- BDDL 3.6.0 (https://github.com/StanfordVL/bddl), the folder with `activity_definitions` and `generated_data`: the
  states in which a thousand household activities begin and end, the furniture of modelled rooms, and properties and
  masses of categories.
- VirtualHome (https://github.com/xavierpuigf/virtualhome), the folder `resources` with `object_script_placing.json` and
  `properties_data.json`; the table was made from the copy in Embodied Agent Interface 1.0.5
  (https://github.com/embodied-agent-interface/embodied-agent-interface): where people put things, and what can be
  grabbed.

Names stay those of the sources, as plain words; the domain maps them to its own when it reads the table. The
activities on which agents are measured, and not developed, are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from stma_ros.evaluation.activities.selection import NAMES, is_reporting

OUT = Path(__file__).parents[1] / "stma_ros" / "domains" / "household" / "priors.json"
SOURCES = {
    "bddl": {
        "name": "BDDL, Behavior Domain Definition Language",
        "version": "3.6.0",
        "url": "https://github.com/StanfordVL/bddl",
        "licence": "MIT",
        "copyright": "Copyright (c) 2021 Stanford Vision and Learning Lab",
        "used": "counts of activity_definitions, generated_data/combined_room_object_list.json, synsets.csv and "
        "category_mapping.csv",
    },
    "virtualhome": {
        "name": "VirtualHome",
        "version": "as in Embodied Agent Interface 1.0.5",
        "url": "https://github.com/xavierpuigf/virtualhome",
        "licence": "MIT",
        "copyright": "Copyright (c) 2022 MIT; Copyright (c) 2024 embodied-agent-interface",
        "used": "resources/object_script_placing.json, resources/properties_data.json",
    },
}
HEAVIEST = 6.0  # [kg] of what one hand carries
_SOLID = ("rigidBody", "softBody", "cloth", "rope")
_PART = re.compile(r"^(half|diced|cooked) ")  # made in the course of an activity
_PREFIX = re.compile(r"^(food|clothes|instrument)_(?=.)")  # of VirtualHome's names

Counts = dict[str, Counter[str]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--bddl", type=Path, required=True)
    arguments.add_argument("--virtualhome", type=Path, required=True)
    arguments.add_argument("--out", type=Path, default=OUT)
    options = arguments.parse_args()
    placings = json.loads((options.virtualhome / "object_script_placing.json").read_text())
    properties = json.loads((options.virtualhome / "properties_data.json").read_text())
    places, rooms = activities(options.bddl / "activity_definitions")
    totals, furnished = scene_rooms(options.bddl / "generated_data")
    listed: Counts = defaultdict(Counter)
    for thing, placing in placings.items():
        listed[_words(thing)].update({_words(place["destination"]): 1 for place in placing})
    grabbed = {_words(thing) for thing, held in properties.items() if "GRABBABLE" in held}
    table = {
        "about": "Where things are kept and which rooms hold what, converted from public sources by "
        "scripts/convert_priors.py; LICENSE-3RD-PARTY has the licences.",
        "sources": SOURCES,
        "portable": sorted(light_objects(options.bddl / "generated_data") | grabbed),
        "totals": dict(totals.most_common()),
        "rooms": {"scenes": _sorted(furnished), "activities": _sorted(rooms)},
        "places": {"bddl": _sorted(places), "virtualhome": _sorted(listed)},
    }
    options.out.write_text(_text(table) + "\n", encoding="utf-8")


def activities(folder: Path) -> tuple[Counts, Counts]:
    """Counts the activities in which a thing is on or in a place, at the beginning or at the end, and those in which it
    is in a room; without those that are for reporting only."""
    places: Counts = defaultdict(Counter)
    rooms: Counts = defaultdict(Counter)
    for path in sorted(folder.glob("*/problem*.bddl")):
        if path.parent.name in NAMES and is_reporting(path.parent.name):
            continue
        parts = {part[0]: part for part in _parse(path.read_text()) if isinstance(part, list)}
        literals = [*parts[":init"][1:], *_positive(parts[":goal"][1:])]
        room_of = {
            _category(literal[1]): literal[2].replace("_", " ")
            for literal in literals
            if literal[0] == "inroom"
        }
        pairs = {
            (_category(literal[1]), _category(literal[2]))
            for literal in literals
            if literal[0] in ("ontop", "inside") and isinstance(literal[1], str)
        }
        found = set(room_of.items())
        for thing, place in pairs:
            if not _PART.match(thing):
                places[thing][place] += 1
                found |= {(thing, room_of[place])} if place in room_of else set()
        for thing, room in found:
            rooms[thing][room] += 1
    return places, rooms


def scene_rooms(folder: Path) -> tuple[Counter[str], Counts]:
    """Counts the modelled rooms of each kind, and those of them that hold an object of a category."""
    synsets = {
        row["category"]: _lemma(row["synset"])
        for row in csv.DictReader((folder / "category_mapping.csv").open(encoding="utf-8"))
        if row["synset"]
    }
    totals: Counter[str] = Counter()
    counted: Counts = defaultdict(Counter)
    scenes = json.loads((folder / "combined_room_object_list.json").read_text())["scenes"]
    for room, objects in ((room, held) for scene in scenes.values() for room, held in scene.items()):
        kind = re.sub(r"_\d+$", "", room).replace("_", " ")
        totals[kind] += 1
        categories = {name.rpartition("-")[0] for name in objects}
        names = {name for it in categories for name in (_words(it), synsets.get(it, _words(it)))}
        for name in names:
            counted[name][kind] += 1
    return totals, counted


def light_objects(folder: Path) -> set[str]:
    """Returns the names of solid objects that one hand carries."""
    solid = {
        row["synset"]
        for row in csv.DictReader((folder / "synsets.csv").open(encoding="utf-8"))
        if row["sceneObject"] != "1" and row["objectType"] in _SOLID
    }
    names: set[str] = set()
    for row in csv.DictReader((folder / "category_mapping.csv").open(encoding="utf-8")):
        mass = float((row["mass (auto)"] or "inf").replace(",", ""))
        if row["synset"] in solid and mass <= HEAVIEST:
            names |= {_words(row["category"]), _lemma(row["synset"])}
    return {name for name in names if not _PART.match(name)}


def _parse(text: str) -> list[Any]:
    """Parses a BDDL problem to nested lists."""
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(token)
    problem: list[Any] = stack[0][0]
    return problem


def _positive(conditions: Iterable[Any]) -> Iterator[list[Any]]:
    """Yields the literals of a goal that hold at its end."""
    for condition in conditions:
        if not isinstance(condition, list) or not condition or condition[0] == "not":
            continue
        if isinstance(condition[0], list):
            yield from _positive(condition)
        elif condition[0] in ("and", "or", "imply", "forall", "exists", "forn", "forpairs", "fornpairs"):
            yield from _positive(condition[1:])
        elif "-" not in condition:  # not the variable of a quantifier
            yield condition


def _category(instance: str) -> str:
    return _lemma(re.sub(r"_(\d+|\*)$", "", instance.lstrip("?")))


def _lemma(synset: str) -> str:
    return _words(synset.rsplit(".", 2)[0])


def _words(name: str) -> str:
    return re.sub(r"[_\s]+", " ", _PREFIX.sub("", name)).strip().lower()


def _sorted(counts: Counts) -> dict[str, dict[str, int]]:
    return {
        thing: dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))
        for thing, counted in sorted(counts.items())
    }


def _text(value: Any, indent: int = 0) -> str:
    """Returns JSON with one line for each thing."""
    if not isinstance(value, dict) or not any(isinstance(item, (dict, list)) for item in value.values()):
        return json.dumps(value, ensure_ascii=False)
    lines = (
        f"{' ' * (indent + 1)}{json.dumps(key)}: {_text(item, indent + 1)}" for key, item in value.items()
    )
    return "{\n" + ",\n".join(lines) + "\n" + " " * indent + "}"


if __name__ == "__main__":
    main()
