"""Experiences that tests make: short, and different by their number."""

from __future__ import annotations

from stma_ros.types import vocabulary as words
from stma_ros.types.common import Error
from stma_ros.types.errors import ErrorCode
from stma_ros.types.experience import Experience, ReasonedStep
from stma_ros.types.planning import Action, Result, TaskStatus
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time


def graph_of(thing: str, place: str) -> tuple[Relation, ...]:
    """Returns the scene graph of a thing on a place."""
    return (
        Relation(f"{thing}_1", words.IS_A, thing),
        Relation(f"{place}_1", words.IS_A, place),
        Relation(f"{thing}_1", words.ON, f"{place}_1"),
    )


def made(number: int = 0, **changes: object) -> Experience:
    """Returns the experience of a task of two steps; `changes` are its fields."""
    thing = f"mug{number}" if number else "mug"
    steps = (
        ReasonedStep(
            graph=graph_of(thing, "table"),
            rationale=f"The {thing} is on the table.",
            action=Action("pick", (f"{thing}_1",)),
            result=Result.FAILED,
            error=Error(ErrorCode.TOO_FAR, "it is too far away"),
            score=0.25,
            justification="It was too far away.",
        ),
        ReasonedStep(graph=graph_of(thing, "sink"), rationale="It is done.", action=Action("finish")),
    )
    fields: dict[str, object] = {
        "domain": "household",
        "task": f"put the {thing} into the sink",
        "robot": "robot_1",
        "home": "flat",
        "stamp": Time.from_nanoseconds(1000 + number),
        "status": TaskStatus.SUCCEEDED,
        "steps": steps,
        "score": 0.5,
        "justification": "It worked at last.",
    }
    return Experience(**{**fields, **changes})  # type: ignore[arg-type]
