"""The places that a robot has to see to know that something is nowhere, or how many there are."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.evaluation.eqa.generation.home import QuestionHome
from stma_ros.evaluation.eqa.generation.sight_scene import SightScene
from stma_ros.worlds.house.flat import Furniture
from stma_ros.worlds.robot.geometry import FloatArray
from stma_ros.worlds.robot.scene import Shelf

_FLOOR_STEP, _SHELF_STEP = 0.6, 0.3  # distance between the points of a floor and of a shelf [m]
_ABOVE_FLOOR, _ABOVE_SHELF = 0.4, 0.05  # height of the points [m]
_FLOOR_SLACK, _SHELF_SLACK = 0.3, 0.3  # something that far before a point may hide it [m]
_CLEAR = 0.2  # least distance of a floor point from walls and furniture: nothing fits into less [m]
_FAR = 4.5  # from where a thing on a shelf is recognised, or a piece of furniture on the floor [m]
_LEAST: Final = 0.6
"""Share of the points of a place that are seen, of those seen from its best viewpoint, for the place to be seen."""


class Where(str, enum.Enum):
    """Where something could be."""

    FLOOR = "floor"  # furniture: anywhere on the floor
    ROOMS = "rooms"  # what decides the kind of a room: most of each room
    SURFACES = "surfaces"  # small things: on any surface, and in anything that is open


@dataclass(frozen=True)
class Survey:
    """All places of that kind in some rooms."""

    where: Where
    rooms: tuple[int, ...]


def survey_pieces(home: QuestionHome, survey: Survey) -> tuple[Furniture, ...]:
    """Returns the furniture in the rooms of a survey on or in which something could be; for furniture, all of it."""
    pieces = home.pieces_in(survey.rooms)
    if survey.where is not Where.SURFACES:
        return pieces
    return tuple(piece for piece in pieces if _open_shelves(home, piece))


def places_seen(
    home: QuestionHome, scene: SightScene, survey: Survey, viewpoints: FloatArray
) -> NDArray[np.bool_]:
    """Returns which places of a survey the camera sees from each viewpoint (V, 2) when it turns round: (V, places).

    Places that are seen from nowhere are left out: nothing is found there.
    """
    if survey.where is Where.FLOOR:
        points = _floor_points(home, survey.rooms)
        groups, slack = np.arange(len(points)), _FLOOR_SLACK
    elif survey.where is Where.ROOMS:
        floors = [_floor_points(home, (room,)) for room in survey.rooms]
        points = np.concatenate(floors)
        groups, slack = np.repeat(np.arange(len(floors)), [len(floor) for floor in floors]), _FLOOR_SLACK
    else:
        levels = [
            _shelf_points(piece, shelf)
            for piece in home.pieces_in(survey.rooms)
            for shelf in _open_shelves(home, piece)
        ]
        points = np.concatenate(levels)
        groups, slack = np.repeat(np.arange(len(levels)), [len(level) for level in levels]), _SHELF_SLACK
    near = np.hypot(*(viewpoints[:, None, :] - points[None, :, :2]).transpose(2, 0, 1)) <= _FAR
    in_view = near & scene.reaches(viewpoints, points, slack)
    counts = np.zeros((len(viewpoints), int(groups.max()) + 1))
    np.add.at(counts.T, groups, in_view.T)
    best = counts.max(axis=0)
    seen: NDArray[np.bool_] = (counts >= _LEAST * best)[:, best > 0]
    return seen


def _open_shelves(home: QuestionHome, piece: Furniture) -> tuple[Shelf, ...]:
    is_open = not piece.opens or piece.name in home.state.open_names
    return (*piece.shape.on, *(piece.shape.inside if is_open else ()))


def _shelf_points(piece: Furniture, shelf: Shelf) -> FloatArray:
    area = shelf.area
    along = np.linspace(area.x0, area.x1, max(2, round(area.width / _SHELF_STEP) + 1) + 1)
    across = np.linspace(area.y0, area.y1, max(2, round(area.depth / _SHELF_STEP) + 1) + 1)
    # The middles of equal parts: a point on the very edge is easier to see than a thing that lies there.
    xs, ys = (along[1:] + along[:-1]) / 2, (across[1:] + across[:-1]) / 2
    points = [
        (*piece.placement.point(float(x), float(y)), shelf.height + _ABOVE_SHELF) for x in xs for y in ys
    ]
    return np.array(points)


def _floor_points(home: QuestionHome, rooms: tuple[int, ...]) -> FloatArray:
    flat = home.flat
    bounds = flat.layout.bounds
    x, y = np.meshgrid(
        np.arange(bounds.x0, bounds.x1, _FLOOR_STEP), np.arange(bounds.y0, bounds.y1, _FLOOR_STEP)
    )
    x, y = x.ravel(), y.ravel()
    inside = np.zeros(x.shape, bool)
    for room in rooms:
        inside |= flat.layout.rooms[room].floor.outside(x, y) == 0.0
    solid = (piece.footprint for piece in flat.furniture if piece.kind.solid)
    for obstacle in (*flat.layout.walls, *solid):
        inside &= obstacle.distances(x, y) > _CLEAR
    return np.column_stack([x[inside], y[inside], np.full(int(inside.sum()), _ABOVE_FLOOR)])
