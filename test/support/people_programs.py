"""A small home with somebody in it, and activities there, in VirtualHome's formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stma_ros.worlds.programs.home_graph import HomeGraph, read_graph

KITCHEN, STUDY, WHO, TABLE, FRIDGE, MILK, CUP, LAMP, CHAIR, SHIRT, BREAD, PLATE, HANDS_BOTH = range(1, 14)

_NODES = (
    (KITCHEN, "kitchen", "Rooms", "", "CLEAN"),
    (STUDY, "home_office", "Rooms", "", "CLEAN"),
    (WHO, "character", "Characters", "", ""),
    (TABLE, "table", "Furniture", "SURFACES MOVABLE", "CLEAN"),
    (FRIDGE, "fridge", "Appliances", "CAN_OPEN CONTAINERS", "CLOSED CLEAN"),
    (MILK, "milk", "placable_objects", "GRABBABLE POURABLE DRINKABLE", "CLEAN"),
    (CUP, "cup", "placable_objects", "GRABBABLE RECIPIENT", "DIRTY"),
    (LAMP, "table_lamp", "Lamps", "HAS_SWITCH HAS_PLUG", "OFF PLUGGED_OUT"),
    (CHAIR, "chair", "Furniture", "SITTABLE", "CLEAN"),
    (SHIRT, "clothes_shirt", "Props", "GRABBABLE CLOTHES", "CLEAN"),
    (BREAD, "bread", "placable_objects", "GRABBABLE EATABLE CUTTABLE", "CLEAN"),
    (PLATE, "plate", "placable_objects", "GRABBABLE", "CLEAN"),
    (HANDS_BOTH, "hands_both", "placable_objects", "BODY_PART", "DIRTY"),
)
_EDGES = (
    (WHO, "INSIDE", STUDY),
    (TABLE, "INSIDE", KITCHEN),
    (FRIDGE, "INSIDE", KITCHEN),
    (MILK, "INSIDE", FRIDGE),
    (CUP, "ON", TABLE),
    (CUP, "INSIDE", KITCHEN),
    (BREAD, "ON", PLATE),
    (BREAD, "INSIDE", KITCHEN),
    (PLATE, "ON", TABLE),
    (PLATE, "INSIDE", KITCHEN),
    (LAMP, "INSIDE", STUDY),
    (CHAIR, "INSIDE", STUDY),
    (CHAIR, "FACING", LAMP),
    (SHIRT, "INSIDE", STUDY),
)

MILK_TO_THE_TABLE = f"""Breakfast
Get the milk out.


[WALK] <fridge> (1.{FRIDGE})
[OPEN] <fridge> (1.{FRIDGE})
[GRAB] <milk> (1.{MILK})
[CLOSE] <fridge> (1.{FRIDGE})
[WALK] <table> (1.{TABLE})
[PUTBACK] <milk> (1.{MILK}) <table> (1.{TABLE})
"""


def home_document() -> dict[str, Any]:
    nodes = [
        {
            "id": id,
            "class_name": name,
            "category": category,
            "properties": properties.split(),
            "states": states.split(),
        }
        for id, name, category, properties, states in _NODES
    ]
    edges = [{"from_id": a, "relation_type": relation, "to_id": b} for a, relation, b in _EDGES]
    return {"nodes": nodes, "edges": edges}


def document_of(graph: HomeGraph) -> dict[str, Any]:
    """Returns a graph of this home as a document."""
    document = home_document()
    for node in document["nodes"]:
        node["states"] = sorted(graph.states(node["id"]))
    document["edges"] = [{"from_id": a, "relation_type": r, "to_id": b} for a, r, b in graph.facts()]
    return document


def home_graph() -> HomeGraph:
    return read_graph(home_document())


def write_activity(folder: Path, name: str, program: str, final: dict[str, Any]) -> None:
    for part in ("programs", "graphs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "programs" / f"{name}.txt").write_text(program)
    graphs = {"init_graph": home_document(), "final_graph": final}
    (folder / "graphs" / f"{name}.json").write_text(json.dumps(graphs))
