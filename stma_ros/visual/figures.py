"""Draws figures over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle

import numpy as np

from stma_ros.types.message import Message
from stma_ros.types.planning import Critique, Outcome, Result, Verdict
from stma_ros.types.scene_graph import Frontiers, SceneGraph
from stma_ros.types.standard import OccupancyGrid
from stma_ros.types.telemetry import ModelCall, RoleCall
from stma_ros.visual import paths
from stma_ros.visual.colours import RGB
from stma_ros.visual.drawables import Drawn, Series
from stma_ros.visual.drawing_context import DrawingContext


@dataclass(frozen=True)
class Chart:
    """Figures in one chart. lines: path, name and colour of each."""

    title: str
    path: str
    lines: tuple[tuple[str, str, RGB], ...]


_BLUE, _GREEN, _RED, _ORANGE, _PINK = (
    (60, 130, 220),
    (60, 160, 90),
    (210, 60, 60),
    (220, 140, 30),
    (215, 90, 200),
)
_ROLE_COLOURS = (_BLUE, _GREEN, _ORANGE, _RED, _PINK, (120, 110, 220), (60, 170, 180))


def charts(roles: Iterable[str]) -> tuple[Chart, ...]:
    """Returns all charts in their order of display; a chart without values is not shown. roles: names of the possible
    roles."""
    context = tuple(
        (f"{paths.CONTEXT}/{role}", role.replace("_", " "), colour)
        for role, colour in zip(roles, cycle(_ROLE_COLOURS), strict=False)
    )
    return (
        Chart(
            "Known",
            f"{paths.METRICS}/known",
            (
                (paths.OBJECTS_KNOWN, "objects", _BLUE),
                (paths.ROOMS_KNOWN, "rooms", _GREEN),
                (paths.FRONTIERS_OPEN, "frontiers", _PINK),
            ),
        ),
        Chart("Mapped [m²]", f"{paths.METRICS}/area", ((paths.AREA, "mapped", _GREEN),)),
        Chart(
            "Commands",
            f"{paths.METRICS}/commands",
            (
                (paths.COMMANDS, "done", _BLUE),
                (paths.FAILURES, "failed", _RED),
                (paths.REJECTIONS, "refused by the critic", _ORANGE),
            ),
        ),
        Chart("Told to each role [tokens]", paths.CONTEXT, context),
        Chart("Models, in all [tokens]", f"{paths.METRICS}/models", ((paths.TOKENS, "tokens", _BLUE),)),
        Chart("Models, each call [s]", f"{paths.METRICS}/latency", ((paths.LATENCY, "latency", _ORANGE),)),
    )


class Figures:
    """Draws figures of the scene graph, of executed and rejected actions, and of model calls. Counts cover the whole
    recording."""

    def __init__(self, context: DrawingContext) -> None:
        self._context = context
        self._commands = self._failures = self._rejections = self._tokens = 0

    def take(self, topic: str, message: Message) -> Iterator[Drawn]:
        for path, value in self._values(message):
            if math.isfinite(value):
                yield self._context.unplaced(path, Series(float(value)))

    def _values(self, message: Message) -> Iterator[tuple[str, float]]:
        match message:
            case SceneGraph():
                yield paths.OBJECTS_KNOWN, len(message.objects)
                yield paths.ROOMS_KNOWN, len(message.rooms)
            case Frontiers():
                yield paths.FRONTIERS_OPEN, len(message.frontiers)
            case OccupancyGrid():
                yield paths.AREA, mapped_area(message)
            case Outcome() if message.step > 0:
                self._commands += 1
                self._failures += message.result != Result.SUCCEEDED
                yield paths.COMMANDS, self._commands
                yield paths.FAILURES, self._failures
            case Critique():
                self._rejections += message.verdict == Verdict.REJECTED
                yield paths.REJECTIONS, self._rejections
            case RoleCall():
                yield f"{paths.CONTEXT}/{message.role}", message.context_tokens
            case ModelCall():
                self._tokens += max(0, message.prompt_tokens) + max(0, message.reply_tokens)
                yield paths.TOKENS, self._tokens
                yield paths.LATENCY, message.latency
            case _:
                pass


def mapped_area(grid: OccupancyGrid) -> float:
    """Returns the area that is known to be free or occupied [m2]."""
    return float(np.count_nonzero(grid.data >= 0)) * grid.info.resolution**2
