"""Things that the simulated detector sees where there are none.

An invention belongs to a place on a surface: a patch of a wall, of the floor, of the front of a piece of furniture, or
a part of a thing. It has one category and one size, and is seen while the camera is in the view cells in which it
occurs (draws.py). Of the inventions in a frame, the share EVERYWHERE is seen from all sides, the share AROUND from a
quarter of all directions and three bands of distances, and the others from one view cell.

The places are cubes of a lattice in the frame of the home, those that hold a visible surface. Draws depend on the
episode's seed and on geometry, never on names or their order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from stma_ros.worlds.robot.camera import Camera, CameraPose
from stma_ros.worlds.robot.detector.draws import SECTORS, cell_of
from stma_ros.worlds.robot.detector.scores import invented_score
from stma_ros.worlds.robot.picture import Picture

EVERYWHERE, AROUND = 0.1, 0.4
"""Shares of the inventions in a frame that are seen from everywhere, and from several neighbouring view cells."""

SEEN = 0.8
"""Share of the frames of its view cells in which an invention is seen."""

SIDE: Final = 0.15
"""Side of the cubes [m]."""

_STREAM = 25  # number of the random stream
_COLUMNS = 80  # of the pixels that are looked at, evenly spaced
_SHIFT = 0.07  # of the lattice, so that floors do not lie between two layers of cubes [m]
_ON_SURFACE = 0.2  # largest distance of the middle of a cube to the surface that is seen there [m]
_OF_THE_PATCH = 0.25  # largest difference in depth between the middle of an outline and its other pixels [m]
_LEAST_PIXELS = 60
_SIDES = (0.06, 0.5)  # least and greatest side of an outline [m]
_SLANT = (0.6, 1.4)  # range of its width, as a factor on its side; the height is divided by it
_SECTORS_AROUND, _BANDS_AROUND = 3, 3
_PRIMES = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], np.uint64)
_NUMBERS = 3  # uniform numbers of a place: category, and two of its size


@dataclass(frozen=True)
class Sized:
    """A category of the home, and the longest side of its things [m]."""

    category: str
    side: float


@dataclass(frozen=True, eq=False)
class Invention:
    """An invention in an image.

    Attributes:
        key: number of its place, the same in all frames of an episode.
        category: of the label.
        score: of the label.
        pixels: (H, W) its outline, as a mask.
        depth: of its middle [m].
    """

    key: int
    category: str
    score: float
    pixels: NDArray[np.bool_]
    depth: float


class Inventions:
    """Draws the inventions of one episode.

    Args:
        rate: mean number in a frame, per square metre of visible surface.
        sizes: the categories, in an order of their names.
        camera: the camera.
        seed: of the episode.
    """

    def __init__(self, rate: float, sizes: Sequence[Sized], camera: Camera, seed: int) -> None:
        # Only the share SEEN of the frames shows an invention; a patch of wall crosses one cube per SIDE squared.
        self._share = min(rate / SEEN * SIDE**2, 1.0)
        self._sizes = sizes
        self._camera = camera
        every = max(1, camera.width // _COLUMNS)
        rows = columns = slice(every // 2, None, every)
        rays = camera.optical_rays().reshape(camera.height, camera.width, 3)
        self._rays: NDArray[np.float64] = rays[rows, columns].reshape(-1, 3)
        self._pixels = rows, columns
        self._seed = np.uint64(np.random.default_rng((seed, _STREAM)).integers(1 << 63))
        self._frames = np.random.default_rng((seed, _STREAM, 1))

    def of(self, picture: Picture, pose: CameraPose) -> list[Invention]:
        """Returns the inventions of an image in an order of their places.

        Args:
            picture: the rendered image.
            pose: of the camera.
        """
        found = []
        rotation, origin = pose.rotation(), pose.origin()
        cubes = self._visible_cubes(picture, rotation, origin)
        centres = (cubes + 0.5) * SIDE - _SHIFT
        keys = _mixed(self._seed, cubes)
        for k in np.flatnonzero(self._occurs(keys, origin[None] - centres)).tolist():
            if self._frames.random() >= SEEN:
                continue
            category, side, slant = np.random.default_rng(int(keys[k])).random(_NUMBERS).tolist()
            sized = self._sizes[int(category * len(self._sizes))]
            pixels, depth = self._outline(
                picture,
                rotation.T @ (centres[k] - origin),
                min(max(sized.side * (0.7 + 0.6 * side), _SIDES[0]), _SIDES[1]),
                _SLANT[0] + (_SLANT[1] - _SLANT[0]) * slant,
            )
            if pixels.sum() >= _LEAST_PIXELS:
                score = invented_score(self._frames)
                found.append(Invention(int(keys[k]), sized.category, score, pixels, depth))
        return found

    def _visible_cubes(
        self, picture: Picture, rotation: NDArray[np.float64], origin: NDArray[np.float64]
    ) -> NDArray[np.int64]:
        """Returns the cubes (N, 3) that hold visible surfaces, sorted."""
        depth = picture.depth[self._pixels].reshape(-1, 1) / 1000.0
        seen = depth[:, 0] > 0
        points = origin + (self._rays[seen] * depth[seen]) @ rotation.T
        cubes: NDArray[np.int64] = np.unique(np.floor((points + _SHIFT) / SIDE).astype(np.int64), axis=0)
        return cubes

    def _occurs(self, keys: NDArray[np.uint64], to_camera: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns which places (N) have an invention that is seen from there. to_camera: (N, 3) [m]."""
        bearing = np.arctan2(to_camera[:, 1], to_camera[:, 0])
        distance = np.hypot(to_camera[:, 0], to_camera[:, 1])
        cells = [cell_of(0, *seen) for seen in zip(bearing.tolist(), distance.tolist(), strict=True)]
        sector = np.array([cell.sector for cell in cells], np.int64)
        band = np.array([cell.band for cell in cells], np.int64)
        wide = (sector // _SECTORS_AROUND) + SECTORS * (band // _BANDS_AROUND)
        one = sector + SECTORS * band
        alone = 1 - EVERYWHERE - AROUND
        occurs: NDArray[np.bool_] = _uniform(keys, np.zeros_like(one), 1) < self._share * EVERYWHERE
        occurs |= _uniform(keys, wide, 2) < self._share * AROUND
        occurs |= _uniform(keys, one, 3) < self._share * alone
        return occurs

    def _outline(
        self, picture: Picture, centre: NDArray[np.float64], side: float, slant: float
    ) -> tuple[NDArray[np.bool_], float]:
        """Returns the pixels of an ellipse around a place on the visible surface, and its depth [m]; none where
        something hides the place.

        Args:
            picture: the image.
            centre: of the place, in the optical frame (3,) [m].
            side: of the invention [m].
            slant: factor on its width.
        """
        camera = self._camera
        nothing = np.zeros(picture.depth.shape, bool)
        away = float(centre[2])
        if away <= 0:
            return nothing, away
        k = camera.intrinsics()
        u, v = (k[axis, axis] * centre[axis] / away + k[axis, 2] for axis in (0, 1))
        column, row = round(u), round(v)
        if not (0 <= row < camera.height and 0 <= column < camera.width):
            return nothing, away
        depth = picture.depth.astype(np.float32) / 1000
        if abs(depth[row, column] - away) > _ON_SURFACE:
            return nothing, away
        half = side / 2 * camera.focal / away
        rows, columns = np.ogrid[: camera.height, : camera.width]
        inside = ((columns - u) / (half * slant)) ** 2 + ((rows - v) / (half / slant)) ** 2 <= 1
        return inside & (np.abs(depth - depth[row, column]) <= _OF_THE_PATCH), away


def _mixed(seed: np.uint64, cubes: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Returns a number of each cube (N, 3), without a pattern."""
    key = np.full(len(cubes), seed, np.uint64)
    with np.errstate(over="ignore"):
        for axis in range(3):
            key = _scrambled(key ^ (cubes[:, axis].astype(np.uint64) * _PRIMES[axis]))
    return key


def _uniform(keys: NDArray[np.uint64], cells: NDArray[np.int64], kind: int) -> NDArray[np.float64]:
    """Returns a uniform number [0, 1) of each place in its cell."""
    with np.errstate(over="ignore"):
        mixed = _scrambled(keys ^ (cells.astype(np.uint64) * _PRIMES[1]) ^ (np.uint64(kind) * _PRIMES[2]))
    uniform: NDArray[np.float64] = (mixed >> np.uint64(11)).astype(np.float64) / math.ldexp(1.0, 53)
    return uniform


def _scrambled(key: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Applies the finaliser of the generator SplitMix64."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scrambled: NDArray[np.uint64] = key ^ (key >> np.uint64(31))
    return scrambled
