"""Derives the initial state of a loaded scene from the boxes of its objects: open fixtures, and the place of each
object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stma_ros.worlds.habitat.scene.fixture import LoadedFixture
from stma_ros.worlds.habitat.scene.portable import LoadedPortable
from stma_ros.worlds.habitat.scene.shelving import Standing
from stma_ros.worlds.robot.state import FLOOR, SceneState, Spot

_NEAR = 0.05  # gap between the underside of an object and its support [m]
_MARGIN = 0.02  # distance of an object's centre outside of its support [m]


def starting_state(
    fixtures: Sequence[LoadedFixture], portables: Sequence[LoadedPortable], open_names: frozenset[str]
) -> SceneState:
    """Returns the initial state. An object without a known support counts as on the floor, at any height: a stage of
    one mesh has no parts."""
    return SceneState(open_names, spots={item.name: _spot(item, fixtures) for item in portables})


@dataclass(frozen=True)
class _Choice:
    """A possible place of an object. apart: distance of its underside from the place [m]."""

    apart: float
    spot: Spot


def _spot(item: LoadedPortable, fixtures: Sequence[LoadedFixture]) -> Spot:
    solid = item.solid
    choices = [choice for fixture in fixtures for choice in _choices(item, fixture)]
    if choices:
        return min(choices, key=lambda choice: choice.apart).spot
    return Spot(FLOOR, False, solid.x, solid.y, solid.low, solid.yaw)


def _choices(item: LoadedPortable, fixture: LoadedFixture) -> Iterator[_Choice]:
    solid, around = item.solid, fixture.solid
    for inside in (False, True):
        for place in fixture.shelving.inside if inside else fixture.shelving.on:
            if _is_at(item, fixture, place):
                x, y, _ = place.shift
                # It stands on the surface itself, like objects placed there later.
                spot = Spot(fixture.name, inside, solid.x + x, solid.y + y, place.shelf.height, solid.yaw)
                yield _Choice(_apart(item, place), spot)
    if not around.covers(solid.x, solid.y, _MARGIN):
        return
    as_it_is = solid.x, solid.y, solid.low, solid.yaw
    if around.low - _MARGIN <= solid.low and solid.high <= around.high + _MARGIN:
        # On a seat, on an unlisted shelf, or behind a front.
        yield _Choice(1.0 + around.high - solid.low, Spot(fixture.name, fixture.opens, *as_it_is))
    elif abs(solid.low - around.high) <= _NEAR:
        yield _Choice(_NEAR + abs(solid.low - around.high), Spot(fixture.name, False, *as_it_is))


def _is_at(item: LoadedPortable, fixture: LoadedFixture, place: Standing) -> bool:
    x, y, z = place.shift
    at = np.array([(item.solid.x + x, item.solid.y + y, item.solid.low + z)])
    along, across, _ = fixture.solid.local(at)[0]
    return place.shelf.area.distance(along, across) <= _MARGIN and _apart(item, place) <= _NEAR


def _apart(item: LoadedPortable, place: Standing) -> float:
    return abs(item.solid.low + place.shift[2] - place.shelf.height)
