"""A home with several things of a class, and activities in it, in VirtualHome's formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from stma_ros.worlds.programs.execution import Home
from stma_ros.worlds.programs.home_graph import HomeGraph, read_graph
from stma_ros.worlds.programs.program import read_program

KITCHEN, OFFICE, WHO = 1, 2, 3
KITCHEN_TABLE, OFFICE_TABLE, CUPBOARD = 10, 11, 12
CUP_ON_TABLE, CUP_IN_CUPBOARD, CUP_IN_OFFICE = 20, 21, 22
KITCHEN_LAMP, OFFICE_LAMP, OTHER_OFFICE_LAMP = 30, 31, 32
MILK, KITCHEN_SHIRT, OFFICE_SHIRT, CHAIR, PLATE = 40, 41, 42, 43, 44

_NODES = (
    (KITCHEN, "kitchen", "Rooms", "", "CLEAN", ()),
    (OFFICE, "home_office", "Rooms", "", "CLEAN", ()),
    (WHO, "character", "Characters", "", "", (("INSIDE", KITCHEN),)),
    (KITCHEN_TABLE, "table", "Furniture", "SURFACES", "CLEAN", (("INSIDE", KITCHEN),)),
    (OFFICE_TABLE, "table", "Furniture", "SURFACES", "CLEAN", (("INSIDE", OFFICE),)),
    (CUPBOARD, "cupboard", "Furniture", "CAN_OPEN CONTAINERS", "CLOSED", (("INSIDE", KITCHEN),)),
    (CUP_ON_TABLE, "cup", "", "GRABBABLE RECIPIENT", "DIRTY", (("ON", KITCHEN_TABLE), ("INSIDE", KITCHEN))),
    (CUP_IN_CUPBOARD, "cup", "", "GRABBABLE RECIPIENT", "CLEAN", (("INSIDE", CUPBOARD), ("INSIDE", KITCHEN))),
    (CUP_IN_OFFICE, "cup", "", "GRABBABLE RECIPIENT", "DIRTY", (("INSIDE", OFFICE),)),
    (KITCHEN_LAMP, "table_lamp", "", "HAS_SWITCH HAS_PLUG", "ON PLUGGED_IN", (("INSIDE", KITCHEN),)),
    (OFFICE_LAMP, "table_lamp", "", "HAS_SWITCH HAS_PLUG", "OFF PLUGGED_IN", (("INSIDE", OFFICE),)),
    (OTHER_OFFICE_LAMP, "table_lamp", "", "HAS_SWITCH HAS_PLUG", "OFF PLUGGED_OUT", (("INSIDE", OFFICE),)),
    (MILK, "milk", "", "GRABBABLE POURABLE", "", (("ON", KITCHEN_TABLE), ("INSIDE", KITCHEN))),
    (KITCHEN_SHIRT, "clothes_shirt", "", "GRABBABLE CLOTHES", "", (("INSIDE", KITCHEN),)),
    (OFFICE_SHIRT, "clothes_shirt", "", "GRABBABLE CLOTHES", "", (("INSIDE", OFFICE),)),
    (CHAIR, "chair", "Furniture", "SITTABLE", "", (("INSIDE", OFFICE),)),
    (PLATE, "plate", "", "GRABBABLE", "DIRTY", (("ON", OFFICE_TABLE), ("INSIDE", OFFICE))),
)


def twins_document() -> dict[str, Any]:
    return {
        "nodes": [
            {
                "id": id,
                "class_name": name,
                "category": category,
                "properties": properties.split(),
                "states": states.split(),
            }
            for id, name, category, properties, states, _ in _NODES
        ],
        "edges": [
            {"from_id": id, "relation_type": relation, "to_id": target}
            for id, *_, edges in _NODES
            for relation, target in edges
        ],
    }


def twins() -> HomeGraph:
    return read_graph(twins_document())


def program_text(title: str, *steps: str) -> str:
    """Returns a program. steps: as "GRAB 20"."""
    names = {id: name for id, name, *_ in _NODES}
    lines = []
    for step in steps:
        action, *ids = step.split()
        lines.append(" ".join([f"[{action}]", *(f"<{names[int(id)]}> (1.{id})" for id in ids)]))
    return "\n".join([title, "", "", *lines])


def after(*steps: str) -> HomeGraph:
    """Returns the home after steps."""
    home = Home(twins())
    for step in read_program(program_text("Test", *steps)).steps:
        home.do(step.action, step.arguments)
    return home.graph


def write_activity(folder: Path, name: str, *steps: str, title: str = "Test") -> None:
    """Writes what people do, and the home before and after."""
    for part in ("programs", "graphs"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    (folder / "programs" / f"{name}.txt").write_text(program_text(title, *steps))
    final = after(*steps)
    document = twins_document()
    nodes = [{**node, "states": sorted(final.states(node["id"]))} for node in document["nodes"]]
    edges = [{"from_id": a, "relation_type": relation, "to_id": b} for a, relation, b in final.facts()]
    graphs = {"init_graph": document, "final_graph": {"nodes": nodes, "edges": edges}}
    (folder / "graphs" / f"{name}.json").write_text(json.dumps(graphs))
