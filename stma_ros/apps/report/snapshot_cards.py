"""Small pictures of an exploration: the frontiers of each step, and the snapshots that were kept."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image as PillowImage

from stma_ros.apps.report.evidence import Cited
from stma_ros.apps.report.svg import data_uri
from stma_ros.apps.report.task_run import Step, TaskRun
from stma_ros.memory.nouns import listed
from stma_ros.types.exploration import Snapshot
from stma_ros.visual.snapshot_pictures import frontier_picture, scaled_picture

_WIDTH = 220  # [px]
_QUALITY = 72
MAX_FRONTIERS = 24
"""Frontiers of a step that are shown, besides the chosen one."""

MAX_DROPPED = 60
"""Snapshots that are shown of those that were not kept."""


@dataclass(frozen=True)
class FrontierCard:
    """A frontier at a step. uri: its picture, "" = none; length: of the way, in words."""

    uri: str
    name: str
    length: str
    is_chosen: bool


@dataclass(frozen=True)
class SnapshotCard:
    """A snapshot. steps: those whose beliefs hold it, in words; letter: as evidence, "" = not cited."""

    uri: str
    steps: str
    shown: str
    letter: str


def frontier_cards(step: Step, run: TaskRun) -> tuple[FrontierCard, ...]:
    """Returns the frontiers that were considered at a step, the first MAX_FRONTIERS and the chosen one; a mark in each
    picture shows where the frontier is."""
    if step.visual is None:
        return ()
    centers = {f.id: f.center for f in step.frontiers.frontiers} if step.frontiers else {}
    return tuple(
        FrontierCard(
            _uri(frontier_picture(view, centers.get(view.frontier), run.camera, _WIDTH)),
            view.frontier.replace("_", " "),
            f"{view.length:.1f}\N{NO-BREAK SPACE}m" if math.isfinite(view.length) else "way unknown",
            bool(view.frontier) and view.frontier == step.explored,
        )
        for number, view in enumerate(step.visual.frontiers)
        if number < MAX_FRONTIERS or view.frontier == step.explored
    )


@dataclass(frozen=True)
class Snapshots:
    """The snapshots of a task: those that were kept at the end, the newest of those that were dropped before, and the
    number of older ones."""

    kept: tuple[SnapshotCard, ...]
    dropped: tuple[SnapshotCard, ...]
    left_out: int


def snapshot_cards(run: TaskRun, cited: Sequence[Cited]) -> Snapshots:
    """Returns the snapshots of a task."""
    held: dict[str, tuple[Snapshot, list[int]]] = {}
    for step in run.ordered_steps:
        for snapshot in step.visual.snapshots if step.visual is not None else ():
            held.setdefault(snapshot.id, (snapshot, []))[1].append(step.number)
    letters = {each.snapshot: each.letter for each in cited}
    kept = {snapshot.id for snapshot in run.kept_snapshots}
    dropped = [name for name in held if name not in kept]

    def card(name: str) -> SnapshotCard:
        snapshot, steps = held[name]
        span = f"step {steps[0]}" if len(steps) == 1 else f"steps {steps[0]} to {steps[-1]}"
        shown = listed(sorted({detection.category for detection in snapshot.detections}))
        return SnapshotCard(
            _uri(scaled_picture(snapshot.picture, _WIDTH)), span, shown or "nothing", letters.get(name, "")
        )

    return Snapshots(
        tuple(card(name) for name in held if name in kept),
        tuple(map(card, dropped[-MAX_DROPPED:])),
        max(0, len(dropped) - MAX_DROPPED),
    )


def _uri(picture: PillowImage.Image | None) -> str:
    """Encodes a picture; "" for none."""
    if picture is None:
        return ""
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=_QUALITY)
    return data_uri(stream.getvalue(), "image/jpeg")
