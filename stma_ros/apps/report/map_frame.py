"""Maps coordinates to a drawing, and finds room for labels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from stma_ros.types.planar import enclosing_sides
from stma_ros.types.scene_graph import ObjectNode

Area: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""

Disc: TypeAlias = tuple[float, float, float]
"""Centre (x, y) and radius."""

_FONT = 0.017  # of the map's longer side


@dataclass(frozen=True)
class Frame:
    """The visible part of the map frame [m]; SVG's y runs down."""

    left: float
    bottom: float
    width: float
    height: float

    def place(self, x: float, y: float) -> tuple[float, float]:
        return x - self.left, self.bottom + self.height - y

    @property
    def font(self) -> float:
        return _FONT * max(self.width, self.height)


class LabelSpace:
    """Places labels so that none covers another."""

    def __init__(self, frame: Frame, things: Iterable[ObjectNode]) -> None:
        self._frame = frame
        self._taken: list[Area] = []
        self._things: list[Area] = []
        for node in things:
            x, y = frame.place(node.center.x, node.center.y)
            across, down = half_extents(node)
            self._things.append((x - across, y - down, x + across, y + down))

    def reserve(self, x: float, y: float, radius: float) -> None:
        """Reserves the area of a round mark."""
        self.reserve_area((x - radius, y - radius, x + radius, y + radius))

    def reserve_area(self, area: Area) -> None:
        """Reserves the area of a mark."""
        self._taken.append(area)

    def place(
        self,
        x: float,
        y: float,
        text: str,
        font: float,
        offsets: Sequence[float],
        *,
        clear: bool = False,
        bold: bool = False,
    ) -> tuple[float, float] | None:
        """Returns the middle of a text: the point, or an offset [font heights] above or below it; None where it would
        cover labels. clear: whether it may cover no objects either. bold: whether its letters are wide."""
        half = (0.34 if bold else 0.3) * font * len(text) + 0.15 * font
        x = min(max(x, half), self._frame.width - half)
        for offset in offsets:
            middle = y + offset * font
            area = (x - half, middle - 0.65 * font, x + half, middle + 0.65 * font)
            inside = area[1] >= 0 and area[3] <= self._frame.height
            others = [*self._taken, *(self._things if clear else ())]
            if inside and not any(overlap(area, other) for other in others):
                self._taken.append(area)
                return x, middle
        return None


def half_extents(node: ObjectNode) -> tuple[float, float]:
    """Returns half of the width and height on the map of an object's box [m]."""
    across, down = (enclosing_sides((node.size.x, node.size.y), node.yaw) / 2).tolist()
    return across, down


def overlap(one: Area, other: Area) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
