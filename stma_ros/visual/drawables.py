"""What can be drawn: plain arrays in the map frame [m], known to no viewer.

Colours are (N, 4) uint8 RGBA, one row for each element. A thing replaces what was drawn on its path before; a `Remark`
and a `Series` value add to it.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera

Vectors: TypeAlias = NDArray[np.float32]
"""(N, 3) [m]."""
Colours: TypeAlias = NDArray[np.uint8]
"""(N, 4) RGBA."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Upright boxes. centers, sizes: (N, 3) [m]; ids: what the agent calls them; labels: for people, "" = none.
    minor: which labels would only be in the way of others (() = none would)."""

    centers: Vectors
    sizes: Vectors
    colours: Colours
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    minor: tuple[bool, ...] = ()


@dataclass(frozen=True, eq=False)
class Points:
    """A cloud. positions: (N, 3) [m]; radius [m] of each."""

    positions: Vectors
    colours: Colours
    radius: float


@dataclass(frozen=True, eq=False)
class Lines:
    """Open polylines, one (K, 3) array [m] each. labels: one for each line, "" = none; width [m]."""

    strips: tuple[Vectors, ...]
    colours: Colours
    labels: tuple[str, ...]
    width: float


@dataclass(frozen=True, eq=False)
class Arrows:
    """origins, vectors: (N, 3) [m]; labels: one for each, "" = none."""

    origins: Vectors
    vectors: Vectors
    colours: Colours
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """An occupancy grid on the floor. cells: (H, W) int8, -1 = unknown, 0 to 100 = occupied; row 0 has the lowest y of
    the grid. resolution: edge of a cell [m]; origin: 4x4, the corner of cell (0, 0)."""

    cells: NDArray[np.int8]
    resolution: float
    origin: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Picture:
    """A camera image with labelled boxes. pixels: (H, W, 3) uint8 RGB; boxes: (N, 4) float32 left, top, right, bottom
    [px]; colours and labels of the boxes."""

    pixels: NDArray[np.uint8]
    boxes: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    colours: Colours = field(default_factory=lambda: np.zeros((0, 4), np.uint8))
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PoseOf:
    """Where something is: 4x4, its frame in the map frame. camera: where it is the optical frame of one."""

    pose: NDArray[np.float64]
    camera: PinholeCamera | None = None


@dataclass(frozen=True)
class Text:
    """A page of Markdown."""

    markdown: str


class Level(enum.Enum):
    """How much a remark wants to be seen."""

    INFO = "info"
    GOOD = "good"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True)
class Remark:
    """One line of a log."""

    text: str
    level: Level = Level.INFO


@dataclass(frozen=True, eq=False)
class GraphView:
    """A graph to be laid out in the plane. edges: from, predicate, to, by ids of nodes; positions: (N, 2) of the left
    ends of the nodes, to the right and down; 1 is the distance of two rows."""

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    colours: Colours
    edges: tuple[tuple[str, str, str], ...]
    positions: NDArray[np.float32]


@dataclass(frozen=True)
class Series:
    """One more value of a figure that is followed over time."""

    value: float


@dataclass(frozen=True)
class Clear:
    """Nothing is there any more, at this path and below it."""


Drawable: TypeAlias = (
    Boxes | Points | Lines | Arrows | Grid | Picture | PoseOf | Text | Remark | GraphView | Series | Clear
)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A thing, where it belongs ("world/objects"; paths are listed in stma_ros.visual.paths) and since when [ns].
    frame_id: the frame of what has a place, "" for what has none."""

    path: str
    stamp_ns: int
    frame_id: str
    thing: Drawable
