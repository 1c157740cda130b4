"""Draws views of furnished flats in which the class and the states of every pixel are known, to train networks on.

Each flat has a camera, a light and a state of its own. Views are aimed at things, small ones more often than a robot
that wanders would see them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.house.building.doors import Door
from stma_ros.worlds.house.flat import Flat, Furniture, Item
from stma_ros.worlds.house.furnishing.item_placement import make_flat
from stma_ros.worlds.house.rendering.renderer import Renderer
from stma_ros.worlds.robot.camera import Camera
from stma_ros.worlds.robot.clearance import Clearance
from stma_ros.worlds.robot.depth_camera import DepthCamera
from stma_ros.worlds.robot.geometry import Placement
from stma_ros.worlds.robot.noise import QUIET, NoiseModel
from stma_ros.worlds.robot.state import SceneState
from stma_ros.worlds.robot.truth import fixture_states, item_states

DEFAULT_CAMERA = 0.5
"""Share of the flats with the robot's own camera; the others have any one of these:"""

FIELDS_OF_VIEW, MOUNT_HEIGHTS, PITCHES = (1.05, 1.65), (0.9, 1.5), (0.0, 0.6)
"""Horizontal field of view [rad], height above the floor [m], and angle below the horizon [rad]."""

NO_NOISE = 0.5
"""Share of the flats with perfect depth; the others have any noise up to these:"""

NOISE, HOLES = (0.3, 1.5), (0.0, 0.05)

OPEN_DOORS, OPEN_FURNITURE, RUNNING, FULL = 0.6, 0.4, 0.5, 0.5
"""Shares of the things in a state."""

STATES_OF_A_FLAT = 2
"""Number of states in which a flat is seen."""

AT_ITEMS, IN_ROOM = 0.6, 0.9
"""Shares of the views that are aimed at small things, and from within the room of what they are aimed at."""

DISTANCES, AIM = (0.8, 3.2), 0.35
"""Range of the greatest distance to what a view is aimed at [m], and standard deviation of the angle past it [rad]."""

CLEAR = 0.25
"""Least distance of the camera to obstacles [m]."""

NEAREST = 0.4
"""Least distance to the middle of what a view is aimed at [m]."""

_ATTEMPTS = 20  # at a view; a thing in a cramped room may leave no place
_STREAM = 67  # number of the random stream


@dataclass(frozen=True, eq=False)
class LabelledView:
    """A view.

    Attributes:
        colour: (H, W, 3) uint8 sRGB.
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        things: (H, W) uint16, number of the thing in each pixel, counted from 1; 0 = a part of the building.
        categories: category of each thing by its number; the first one is empty.
        states: states of each thing by its number [vocabulary.STATE_...].
    """

    colour: NDArray[np.uint8]
    depth_mm: NDArray[np.uint16]
    things: NDArray[np.uint16]
    categories: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class LabelledFlat:
    """The views of one flat, and the camera that they were taken with."""

    camera: Camera
    views: tuple[LabelledView, ...]


def labelled_flat(seed: int, count: int) -> LabelledFlat:
    """Returns `count` views of the flat of a seed, or fewer where things leave no place to see them from.

    Raises:
        MissingDependencyError: Open3D is not installed.
    """
    rng = np.random.default_rng((seed, _STREAM))
    flat = make_flat(seed)
    camera = _camera(rng)
    renderer = Renderer(flat, camera)
    renderer.set_daylight(int(rng.integers(1 << 30)))
    measuring = DepthCamera(_noise(rng), seed)
    views: list[LabelledView] = []
    for number in range(STATES_OF_A_FLAT):
        state = _any_state(flat, rng)
        share = count * (number + 1) // STATES_OF_A_FLAT - count * number // STATES_OF_A_FLAT
        for base in _stances(flat, state, share, rng):
            picture = renderer.render(base, state)
            owners = renderer.owners
            depth = measuring.measured(picture, [flat.categories[owner] for owner in owners])
            things = [flat.fixed_by_name.get(owner) or flat.items_by_name.get(owner) for owner in owners]
            is_thing = np.array([thing is not None for thing in things])
            numbers = np.cumsum(is_thing) * is_thing
            shown = [thing for thing in things if thing is not None]
            views.append(
                LabelledView(
                    picture.colour,
                    depth,
                    np.append(numbers, 0).astype(np.uint16)[picture.owner],  # owner -1: nothing
                    ("", *(thing.category for thing in shown)),
                    ((), *(_states(thing, state) for thing in shown)),
                )
            )
    return LabelledFlat(camera, tuple(views))


def _camera(rng: np.random.Generator) -> Camera:
    if rng.random() < DEFAULT_CAMERA:
        return Camera()
    return Camera(
        hfov=float(rng.uniform(*FIELDS_OF_VIEW)),
        mount_height=float(rng.uniform(*MOUNT_HEIGHTS)),
        pitch=float(rng.uniform(*PITCHES)),
    )


def _noise(rng: np.random.Generator) -> NoiseModel:
    if rng.random() < NO_NOISE:
        return QUIET
    return NoiseModel(
        depth=float(rng.uniform(*NOISE)),
        depth_holes=float(rng.uniform(*HOLES)),
        depth_saturation=bool(rng.random() < 0.5),
    )


def _any_state(flat: Flat, rng: np.random.Generator) -> SceneState:
    opens = [thing for thing in flat.fixed if thing.name in flat.openable_names]
    devices: list[Furniture | Item] = [piece for piece in flat.furniture if piece.is_device]
    devices.extend(item for item in flat.items if item.is_device)
    vessels = [item for item in flat.items if item.is_vessel]
    return replace(
        flat.initial,
        open_names=frozenset(
            thing.name
            for thing in opens
            if rng.random() < (OPEN_DOORS if isinstance(thing, Door) else OPEN_FURNITURE)
        ),
        on_names=frozenset(thing.name for thing in devices if rng.random() < RUNNING),
        full_names=frozenset(item.name for item in vessels if rng.random() < FULL),
    )


def _stances(flat: Flat, state: SceneState, count: int, rng: np.random.Generator) -> Iterator[Placement]:
    """Yields places of the camera from which it looks at things."""
    clearance = Clearance(flat.layout.bounds, flat.obstacles(state), CLEAR)
    rows, columns = np.nonzero(clearance.free)
    xs, ys = clearance.centres
    free_x, free_y = xs[0, columns], ys[rows, 0]
    found = 0
    for _ in range(_ATTEMPTS * count):
        if found == count:
            return
        things = flat.items if rng.random() < AT_ITEMS else flat.fixed
        thing = things[int(rng.integers(len(things)))]
        x, y = _middle(thing, state)
        distance = np.hypot(free_x - x, free_y - y)
        places = np.flatnonzero((distance > NEAREST) & (distance < rng.uniform(*DISTANCES)))
        stays_inside = rng.random() < IN_ROOM and not isinstance(thing, Door)
        if not len(places):
            continue
        place = int(places[rng.integers(len(places))])
        at = float(free_x[place]), float(free_y[place])
        if stays_inside and not flat.same_room(at, (x, y)):
            continue
        found += 1
        yield Placement(*at, math.atan2(y - at[1], x - at[0]) + float(rng.normal(0, AIM)))


def _middle(thing: Furniture | Door | Item, state: SceneState) -> tuple[float, float]:
    if isinstance(thing, Item):
        spot = state.spots[thing.name]
        return spot.x, spot.y
    return thing.footprint.x, thing.footprint.y


def _states(thing: Furniture | Door | Item, state: SceneState) -> tuple[str, ...]:
    return item_states(thing, state) if isinstance(thing, Item) else fixture_states(thing, state)
