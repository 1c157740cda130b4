"""Compares two worlds as the robot perceives them: images and collisions in the same flat from the same poses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.flat import Flat
from stma_ros.worlds.house.place import FlatPlace
from stma_ros.worlds.robot.geometry import Placement, Rect
from stma_ros.worlds.robot.motion import Floor, Ground, Obstacles, Waypoint, way_length
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.state import SceneState

DEPTH_TOLERANCE: Final = 20  # [mm]
STOP_TOLERANCE: Final = 0.05  # between the ends of two drives [m]; the base drives in steps of this length
LONGEST_DRIVE: Final = 3.0  # [m]
_SHORTEST_DRIVE = 0.3  # [m]


@dataclass(frozen=True)
class Amounts:
    """The number of comparisons in each state of each flat."""

    poses: int = 40
    drives: int = 100
    points: int = 500
    ways: int = 10


@dataclass(frozen=True)
class ViewComparison:
    """The comparison of an image from both worlds.

    Attributes:
        depth: share of the pixels with equal depth.
        category: share of the pixels with equal category.
        colour: mean difference of a channel [0..255].
    """

    depth: float
    category: float
    colour: float


@dataclass(frozen=True)
class Drive:
    """The comparison of a drive straight ahead.

    Attributes:
        bump: whether it ended at an obstacle in both worlds, or in neither.
        apart: distance between its ends in the two worlds [m].
    """

    bump: bool
    apart: float


@dataclass(frozen=True)
class Touch:
    """The comparison of a place for the base.

    Attributes:
        same: whether the base collides in both worlds, or in neither.
        edge: distance to the limit of collision [m].
    """

    same: bool
    edge: float


@dataclass(frozen=True)
class PathComparison:
    """The comparison of the path between two places.

    Attributes:
        same: whether it exists in both worlds, or in neither.
        ratio: ratio of its lengths; NaN where it lacks in one of them.
    """

    same: bool
    ratio: float


@dataclass
class Findings:
    """Results of comparisons; `+` combines two."""

    sights: list[ViewComparison] = field(default_factory=list)
    drives: list[Drive] = field(default_factory=list)
    touches: list[Touch] = field(default_factory=list)
    ways: list[PathComparison] = field(default_factory=list)

    def __add__(self, other: Findings) -> Findings:
        return Findings(
            self.sights + other.sights,
            self.drives + other.drives,
            self.touches + other.touches,
            self.ways + other.ways,
        )


def states_of(flat: Flat) -> dict[str, SceneState]:
    """Returns the states of a flat in which worlds are compared: the initial one, and one with everything open, all
    devices on and all vessels full."""
    devices = [piece.name for piece in flat.furniture if piece.is_device]
    devices += [item.name for item in flat.items if item.is_device]
    vessels = [item.name for item in flat.items if item.is_vessel]
    opened = replace(
        flat.initial,
        open_names=flat.openable_names,
        on_names=frozenset(devices),
        full_names=frozenset(vessels),
    )
    return {"as found": flat.initial, "all open and on": opened}


def compare(
    house: FlatPlace,
    other: FlatPlace,
    state: SceneState,
    rng: np.random.Generator,
    amounts: Amounts = Amounts(),
) -> Findings:
    """Compares a world with the house in one state of the same flat. Raises WorldError."""
    one, two = house.scene.ground(state), other.scene.ground(state)
    bounds = house.flat.layout.bounds
    places = free_places(one, two, bounds, rng)
    poses = [next(places) for _ in range(amounts.poses)]
    lengths = rng.uniform(_SHORTEST_DRIVE, LONGEST_DRIVE, amounts.drives)
    drives = [
        (start, start.point(length, 0.0)) for start, length in zip(places, lengths.tolist(), strict=False)
    ]
    pairs = [(next(places), next(places)) for _ in range(amounts.ways)]
    x, y = (rng.uniform(*span, amounts.points) for span in ((bounds.x0, bounds.x1), (bounds.y0, bounds.y1)))
    return Findings(
        [compare_view(house, other, pose, state) for pose in poses],
        [compare_drive(one, two, start, end) for start, end in drives],
        compare_touches(one, two, Obstacles(house.flat.obstacles(state)), np.stack([x, y], axis=1)),
        [compare_path(one, two, start, goal) for start, goal in pairs],
    )


def free_places(one: Ground, two: Ground, bounds: Rect, rng: np.random.Generator) -> Iterator[Placement]:
    """Yields poses without collision in either world, without end."""
    while True:
        x, y = float(rng.uniform(bounds.x0, bounds.x1)), float(rng.uniform(bounds.y0, bounds.y1))
        if not one.collides(x, y) and not two.collides(x, y):
            yield Placement(x, y, float(rng.uniform(-math.pi, math.pi)))


def compare_view(house: FlatPlace, other: FlatPlace, pose: Placement, state: SceneState) -> ViewComparison:
    pictures = [place.camera_renderer.render(pose, state) for place in (house, other)]
    seen = [categories_in(place, picture) for place, picture in zip((house, other), pictures, strict=True)]
    return compare_pictures(pictures[0], pictures[1], seen[0], seen[1])


def categories_in(place: FlatPlace, picture: Picture) -> NDArray[np.str_]:
    """Returns the category (H, W) of each pixel of the place's last image; empty = none."""
    names = np.array([*(place.scene.categories[owner] for owner in place.camera_renderer.owners), ""])
    shown: NDArray[np.str_] = names[picture.owner]
    return shown


def compare_pictures(
    one: Picture, two: Picture, seen_in_one: NDArray[np.str_], seen_in_two: NDArray[np.str_]
) -> ViewComparison:
    """Compares two images. seen_in_...: the category (H, W) of each pixel. Where only one image has a depth, the depths
    differ."""
    apart = np.abs(one.depth.astype(int) - two.depth)
    same = (apart <= DEPTH_TOLERANCE) & ((one.depth > 0) == (two.depth > 0))
    return ViewComparison(
        float(same.mean()),
        float((seen_in_one == seen_in_two).mean()),
        float(np.abs(one.colour.astype(int) - two.colour).mean()),
    )


def compare_drive(one: Ground, two: Ground, start: Placement, end: Waypoint) -> Drive:
    """Drives straight to a place, as far as possible. The yaw of the start has no effect."""
    ends = [list(ground.follow(start, [end]))[-1] for ground in (one, two)]
    apart = math.dist((ends[0].pose.x, ends[0].pose.y), (ends[1].pose.x, ends[1].pose.y))
    return Drive(ends[0].bumped == ends[1].bumped, apart)


def compare_touches(one: Ground, two: Ground, floor: Floor, points: NDArray[np.float64]) -> list[Touch]:
    """Compares collisions at points (N, 2) [m]. floor: measures the distance to the limit of collision."""
    return [
        Touch(one.collides(x, y) == two.collides(x, y), abs(floor.room(x, y))) for x, y in points.tolist()
    ]


def compare_path(one: Ground, two: Ground, start: Placement, goal: Placement) -> PathComparison:
    ways = [ground.way(start, goal.x, goal.y) for ground in (one, two)]
    lengths = [math.nan if way is None else way_length(start, way) for way in ways]
    return PathComparison((ways[0] is None) == (ways[1] is None), lengths[1] / max(lengths[0], 1e-6))


@dataclass(frozen=True)
class Line:
    """A figure of the result.

    Attributes:
        bar: the required value; NaN = shown for information.
        at_most: whether the bar is an upper bound.
    """

    key: str
    text: str
    unit: str
    value: float
    bar: float = math.nan
    at_most: bool = False

    @property
    def is_missed(self) -> bool:
        if math.isnan(self.bar):
            return False
        return not (self.value <= self.bar if self.at_most else self.value >= self.bar)


SAME_PIXELS: Final = 99.0  # [%]
SAME_COLLISIONS: Final = 99.0  # [%]


def lines(found: Findings) -> tuple[Line, ...]:
    """Returns the figures with their bars; NaN where nothing was compared."""
    off = [touch.edge for touch in found.touches if not touch.same]
    ratios = [abs(way.ratio - 1) for way in found.ways if not math.isnan(way.ratio)]
    return (
        Line("depth", "depth within 2 cm", "%", _percent([s.depth for s in found.sights]), SAME_PIXELS),
        Line("category", "same category", "%", _percent([s.category for s in found.sights]), SAME_PIXELS),
        Line("colour", "difference of colours", "of 255", _mean([s.colour for s in found.sights])),
        Line(
            "bump",
            "drives: both bump, or neither",
            "%",
            _percent([d.bump for d in found.drives]),
            SAME_COLLISIONS,
        ),
        Line(
            "stop",
            "drives: end within 5 cm",
            "%",
            _percent([d.apart <= STOP_TOLERANCE + 1e-9 for d in found.drives]),
            SAME_COLLISIONS,
        ),
        Line(
            "touch",
            "points: both touch, or neither",
            "%",
            _percent([t.same for t in found.touches]),
            SAME_COLLISIONS,
        ),
        Line(
            "edge",
            "points that differ: farthest from the edge",
            "m",
            max(off, default=0.0),
            STOP_TOLERANCE,
            True,
        ),
        Line(
            "way",
            "ways: in both, or in neither",
            "%",
            _percent([w.same for w in found.ways]),
            SAME_COLLISIONS,
        ),
        Line("detour", "ways: difference of lengths", "%", _percent(ratios)),
    )


def _percent(shares: Sequence[float]) -> float:
    return 100 * _mean(shares)


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else math.nan
