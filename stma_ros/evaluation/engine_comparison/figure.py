"""Draws two worlds side by side: colour, depth and categories from the same poses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.engine_comparison.comparison import DEPTH_TOLERANCE, categories_in, compare_pictures
from stma_ros.types.errors import MissingDependencyError
from stma_ros.worlds.house.place import FlatPlace
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.picture import Picture
from stma_ros.worlds.robot.state import SceneState

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.image import AxesImage

_COLUMNS: Final = (
    "house",
    "habitat",
    "house: depth",
    "habitat: depth",
    "difference of depth",
    "house: categories",
    "habitat: categories",
)
_CELL = 2.6, 2.2  # of an image with its texts on the page [inch]
_DOTS = 90  # [per inch]
_FARTHEST = 6.0  # of the scale of depth [m]
_NAMED = 0.012  # share of the pixels from which a category is labelled in the image
_NOTHING = (0.0, 0.0, 0.0)

Colour = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class View:
    """The images of both worlds from one pose; `seen_in_...` (H, W): the category of each pixel, empty = none."""

    title: str
    house: Picture
    other: Picture
    seen_in_house: NDArray[np.str_]
    seen_in_other: NDArray[np.str_]

    @classmethod
    def of(cls, title: str, house: FlatPlace, other: FlatPlace, pose: Placement, state: SceneState) -> View:
        """Renders both images. Raises WorldError."""
        one, two = house.camera_renderer.render(pose, state), other.camera_renderer.render(pose, state)
        return cls(title, one, two, categories_in(house, one), categories_in(other, two))


def draw_views(views: Sequence[View], file: Path) -> None:
    """Draws a row for each view. Raises MissingDependencyError without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingDependencyError(
            f"figures need matplotlib ({error}): pip install 'stma_ros[plots]'"
        ) from error
    count, (width, height) = len(views), _CELL
    figure = Figure(figsize=(width * len(_COLUMNS), height * count + 0.7), layout="constrained")
    grid = figure.add_gridspec(count + 1, len(_COLUMNS), height_ratios=[*[1.0] * count, 0.05])
    depths = differences = None
    for number, view in enumerate(views):
        row = [figure.add_subplot(grid[number, column]) for column in range(len(_COLUMNS))]
        depths, differences = _draw_row(row, view)
        for axis, title in zip(row, _COLUMNS if number == 0 else (), strict=False):
            axis.set_title(title, fontsize=12)
    for shown, columns, label in (
        (depths, slice(2, 4), "depth [m]; white: none"),
        (differences, slice(4, 5), "[mm]; white: more, or none in one"),
    ):
        if shown is not None:
            place = figure.add_subplot(grid[count, columns])
            figure.colorbar(shown, cax=place, orientation="horizontal").set_label(label, fontsize=10)
            place.tick_params(labelsize=9)
    figure.savefig(file, dpi=_DOTS)


def _draw_row(row: Sequence[Axes], view: View) -> tuple[AxesImage, AxesImage]:
    """Draws a row; returns its depth and difference images, for their scales."""
    from matplotlib import colormaps

    for axis in row:
        axis.set_xticks([])
        axis.set_yticks([])
    sight = compare_pictures(view.house, view.other, view.seen_in_house, view.seen_in_other)
    row[0].set_ylabel(view.title, fontsize=11)
    row[1].set_xlabel(f"mean difference {sight.colour:.1f} of 255", fontsize=10)
    row[4].set_xlabel(f"{100 * sight.depth:.3f} % within 2 cm", fontsize=10)
    row[6].set_xlabel(f"{100 * sight.category:.3f} % the same", fontsize=10)
    for axis, picture in zip(row[:2], (view.house, view.other), strict=True):
        axis.imshow(picture.colour)
    for axis, picture in zip(row[2:4], (view.house, view.other), strict=True):
        measured = np.where(picture.depth > 0, picture.depth / 1000, np.nan)
        depths = axis.imshow(measured, cmap="viridis", vmin=0.0, vmax=_FARTHEST)
    apart = np.abs(view.house.depth.astype(float) - view.other.depth)
    apart[(view.house.depth > 0) != (view.other.depth > 0)] = np.inf
    shades = colormaps["inferno"].with_extremes(over="white")
    differences = row[4].imshow(apart, cmap=shades, vmin=0.0, vmax=DEPTH_TOLERANCE)
    palette = _palette(view)
    for axis, seen in zip(row[5:], (view.seen_in_house, view.seen_in_other), strict=True):
        _draw_categories(axis, seen, palette)
    return depths, differences


def _palette(view: View) -> dict[str, Colour]:
    """Returns the colour of each category, the same in both worlds."""
    from matplotlib import colormaps

    shown = sorted(
        {str(name) for seen in (view.seen_in_house, view.seen_in_other) for name in np.unique(seen)}
    )
    colours: Any = colormaps["tab20"]
    return {name: colours(k % colours.N)[:3] for k, name in enumerate(shown)} | {"": _NOTHING}


def _draw_categories(axis: Axes, seen: NDArray[np.str_], palette: Mapping[str, Colour]) -> None:
    """Draws each category in its colour; large ones with their names."""
    names, of_pixels = np.unique(seen, return_inverse=True)
    of_pixels = of_pixels.reshape(seen.shape)
    axis.imshow(np.array([palette[str(name)] for name in names])[of_pixels])
    for k, name in enumerate(names):
        rows, columns = np.nonzero(of_pixels == k)
        if not name or len(rows) < _NAMED * seen.size:
            continue
        nearest = np.argmin(np.hypot(rows - np.median(rows), columns - np.median(columns)))
        axis.text(
            columns[nearest], rows[nearest], str(name), fontsize=7, ha="center", va="center", clip_on=True
        )
