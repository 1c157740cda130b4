"""The drawable things: plain arrays in the map frame [m], independent of any viewer.

Colours are (N, 4) uint8 RGBA, one row for each element. A thing replaces the earlier drawing on its path; a `Remark`
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
    """Upright boxes.

    Attributes:
        centers: (N, 3) [m].
        sizes: (N, 3), along their own axes [m].
        yaws: (N,) float32 [rad].
        colours: one for each box.
        ids: the agent's ids.
        labels: for people, "" = none.
        minor: whether each label may be hidden in favour of others; () = none.
    """

    centers: Vectors
    sizes: Vectors
    yaws: NDArray[np.float32]
    colours: Colours
    ids: tuple[str, ...]
    labels: tuple[str, ...]
    minor: tuple[bool, ...] = ()


@dataclass(frozen=True, eq=False)
class Points:
    """A cloud of points. positions: (N, 3) [m]; radius: of each point [m]."""

    positions: Vectors
    colours: Colours
    radius: float


@dataclass(frozen=True, eq=False)
class Lines:
    """Open polylines.

    Attributes:
        strips: one (K, 3) array [m] for each line.
        colours: one for each line.
        labels: one for each line, "" = none.
        width: [m].
    """

    strips: tuple[Vectors, ...]
    colours: Colours
    labels: tuple[str, ...]
    width: float


@dataclass(frozen=True, eq=False)
class Arrows:
    """Arrows. origins, vectors: (N, 3) [m]; labels: one for each, "" = none."""

    origins: Vectors
    vectors: Vectors
    colours: Colours
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """An occupancy grid on the floor.

    Attributes:
        cells: (H, W) int8, -1 = unknown, 0 to 100 = occupied; row 0 has the lowest y of the grid.
        resolution: edge of a cell [m].
        origin: 4x4, pose of the corner of cell (0, 0).
    """

    cells: NDArray[np.int8]
    resolution: float
    origin: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Picture:
    """A camera image with labelled boxes.

    Attributes:
        pixels: (H, W, 3) uint8 RGB.
        boxes: (N, 4) float32 left, top, right, bottom [px].
        colours: one for each box.
        labels: one for each box.
    """

    pixels: NDArray[np.uint8]
    boxes: NDArray[np.float32] = field(default_factory=lambda: np.zeros((0, 4), np.float32))
    colours: Colours = field(default_factory=lambda: np.zeros((0, 4), np.uint8))
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class PoseOf:
    """A pose as a 4x4 transform from the thing's frame to the map. camera: intrinsics, where the frame is a camera's
    optical frame."""

    pose: NDArray[np.float64]
    camera: PinholeCamera | None = None


@dataclass(frozen=True)
class Text:
    """A page of Markdown."""

    markdown: str


class Level(enum.Enum):
    """The importance of a remark."""

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
    """A graph in the plane.

    Attributes:
        ids: ids of the nodes.
        labels: labels of the nodes.
        colours: one for each node.
        edges: from, predicate, to, by ids of nodes.
        positions: (N, 2) of the left ends of the nodes, to the right and down; 1 is the distance of two rows.
    """

    ids: tuple[str, ...]
    labels: tuple[str, ...]
    colours: Colours
    edges: tuple[tuple[str, str, str], ...]
    positions: NDArray[np.float32]


@dataclass(frozen=True)
class Series:
    """The next value of a time series."""

    value: float


@dataclass(frozen=True)
class Clear:
    """Removes all drawings at this path and below it."""


Drawable: TypeAlias = (
    Boxes | Points | Lines | Arrows | Grid | Picture | PoseOf | Text | Remark | GraphView | Series | Clear
)


@dataclass(frozen=True, eq=False)
class Drawn:
    """A thing to be drawn, with its path ("world/objects"; stma_ros.visual.paths lists all) and the time of its message
    [ns].

    frame_id: the frame of a thing with a place; "" for others.
    """

    path: str
    stamp_ns: int
    frame_id: str
    thing: Drawable
