"""Keeps few pictures that together show everything, and shows those with a kind of thing that matters for the question:
the snapshot memory of 3D-Mem, the paper's baseline."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from stma_ros.components.role_calls import role_call
from stma_ros.memory.covering_pictures import covering_pictures
from stma_ros.memory.shown_things import shown_things
from stma_ros.roles.category_filter import CATEGORY_FILTER, CategoryFilterRole, CategoryQuery
from stma_ros.types.component import Emission
from stma_ros.types.errors import RoleError
from stma_ros.types.exploration import Snapshot
from stma_ros.types.stepped import StepStamp


def covering_snapshots(snapshots: Sequence[Snapshot]) -> tuple[Snapshot, ...]:
    """Returns few snapshots that together show all things that any of them shows, in order."""
    things = shown_things(snapshots)
    shown: list[dict[str, float]] = [{} for _ in snapshots]
    for number, thing in enumerate(things):
        for picture, confidence in thing.shown.items():
            shown[picture][str(number)] = confidence
    places = {str(number): thing.place for number, thing in enumerate(things)}
    return tuple(snapshots[picture] for picture in covering_pictures(shown, places))


def relevant_snapshots(
    question: str, snapshots: Sequence[Snapshot], role: CategoryFilterRole, most: int, at: StepStamp
) -> Generator[Emission, None, tuple[Snapshot, ...]]:
    """Asks the filter which kinds of things matter, and returns the snapshots that show one. Without a usable answer,
    all are relevant.

    Args:
        question: question that is explored.
        snapshots: the candidates.
        role: the filter.
        most: kinds of things that the filter may name.
        at: the step.
    """
    seen = {detection.category for snapshot in snapshots for detection in snapshot.detections} - {""}
    if not seen:
        return tuple(snapshots)
    query = CategoryQuery(question, tuple(sorted(seen)), most)
    error, relevant = "", frozenset(seen)
    try:
        relevant = frozenset(role.answer(query).categories)
    except RoleError as problem:
        error = str(problem)
    yield role_call(CATEGORY_FILTER, query, at, error=error)
    return tuple(
        snapshot
        for snapshot in snapshots
        if any(detection.category in relevant for detection in snapshot.detections)
    )
