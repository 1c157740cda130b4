"""A folder of images with labels, one file for each flat; made once, and continued where it was broken off."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from stma_ros.mapping.camera import PinholeCamera
from stma_ros.mapping.depth_channels import depth_channels
from stma_ros.storage.files import write_atomically
from stma_ros.types import vocabulary as words
from stma_ros.types.errors import StorageError
from stma_ros.worlds.house.labelled_views import labelled_flat

STATES = (
    words.STATE_OPEN,
    words.STATE_CLOSED,
    words.STATE_ON,
    words.STATE_OFF,
    words.STATE_FULL,
    words.STATE_EMPTY,
)
"""The states that are learnt."""

NO_THING = "none"
"""Label of the pixels that show no thing."""


@dataclass(frozen=True, eq=False)
class LabelledImage:
    """An image with the labels of its pixels.

    Attributes:
        colour: (H, W, 3) uint8 sRGB.
        depth_mm: (H, W) uint16 [mm]; 0 = not measured.
        geometry: (H, W, 3) float32, as in mapping.depth_channels.
        things: (H, W) uint16, number of the thing in each pixel; 0 = none.
        categories: Category of each thing by its number; the first one is NO_THING.
        states: (N, S) bool, whether each thing is in each of STATES.
        camera: Intrinsics of the whole image, of which this may be a part.
    """

    colour: NDArray[np.uint8]
    depth_mm: NDArray[np.uint16]
    geometry: NDArray[np.float32]
    things: NDArray[np.uint16]
    categories: tuple[str, ...]
    states: NDArray[np.bool_]
    camera: PinholeCamera

    def classes(self, labels: Sequence[str]) -> NDArray[np.int64]:
        """Returns (N,) the class of each thing by its number: the place of its label; 0 = it has none."""
        numbers = {label: number for number, label in enumerate(labels)}
        return np.array([numbers.get(category, 0) for category in self.categories], np.int64)

    @property
    def pixels(self) -> NDArray[np.int64]:
        """(N,) number of pixels of each thing by its number."""
        return np.bincount(self.things.ravel(), minlength=len(self.categories))


class LabelledImages:
    """The folder of some flats, each with several views."""

    def __init__(self, folder: Path, flats: Sequence[int], views: int) -> None:
        """Opens or makes a folder.

        Args:
            folder: The folder.
            flats: Seeds of the flats.
            views: Number of views of each.
        """
        self._folder = folder
        self._views = views
        self.flats = tuple(flats)
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def missing(self) -> tuple[int, ...]:
        """Seeds of the flats that are not rendered yet."""
        return tuple(seed for seed in self.flats if not self._path(seed).exists())

    def render(self, processes: int) -> Iterator[int]:
        """Renders the flats that are missing, and yields the seed of each one that is done."""
        missing = self.missing
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            yield from pool.map(_render, missing, map(self._path, missing), [self._views] * len(missing))

    def read(self, seed: int, step: int = 1) -> list[LabelledImage]:
        """Returns the images of a flat.

        Args:
            seed: Of the flat.
            step: Every so many pixels each way are taken.

        Raises:
            StorageError: A file is damaged.
        """
        path = self._path(seed)
        with _storage_error_if_damaged(path), np.load(path) as arrays:
            about = json.loads(str(arrays["about"]))
            camera, pose = _coarser(PinholeCamera(**about["camera"]), step), arrays["camera_pose"]
            colours, depths, things = (
                arrays[name][:, ::step, ::step] for name in ("colour", "depth_mm", "things")
            )
            # Each image has memory of its own: one that is kept does not keep the others.
            return [
                LabelledImage(
                    colours[index].copy(),
                    depths[index].copy(),
                    depth_channels(depths[index], camera, pose, 0.0),
                    things[index].copy(),
                    (NO_THING, *categories[1:]),
                    np.array([[state in those for state in STATES] for those in states]),
                    camera,
                )
                for index, (categories, states) in enumerate(
                    zip(about["categories"], about["states"], strict=True)
                )
            ]

    def all(self) -> Iterator[LabelledImage]:
        """Yields the images of all flats. Raises StorageError for a damaged file."""
        return (image for seed in self.flats for image in self.read(seed))

    def labels(self) -> tuple[str, ...]:
        """Returns the categories of all things, after NO_THING. Raises StorageError for a damaged file."""
        found: set[str] = set()
        for seed in self.flats:
            path = self._path(seed)
            with _storage_error_if_damaged(path), np.load(path) as arrays:
                found.update(*json.loads(str(arrays["about"]))["categories"])
        return (NO_THING, *sorted(found - {""}))

    def _path(self, seed: int) -> Path:
        return self._folder / f"flat_{seed}_{self._views}.npz"


@dataclass(frozen=True)
class TrainingData:
    """What a network is trained and scored on.

    Attributes:
        images: The images.
        validation: Images of other flats, to score it on.
        labels: Names of the classes.
    """

    images: LabelledImages
    validation: LabelledImages
    labels: tuple[str, ...]


@contextmanager
def _storage_error_if_damaged(path: Path) -> Iterator[None]:
    """Raises StorageError in place of what reading a damaged file raises."""
    try:
        yield
    except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
        raise StorageError(f"{path} is damaged ({error}): remove it, and it is rendered again") from error


def _coarser(camera: PinholeCamera, step: int) -> PinholeCamera:
    """Returns the intrinsics of every so many pixels of an image."""
    return PinholeCamera(
        math.ceil(camera.width / step),
        math.ceil(camera.height / step),
        camera.fx / step,
        camera.fy / step,
        camera.cx / step,
        camera.cy / step,
    )


def _render(seed: int, path: Path, count: int) -> int:
    flat = labelled_flat(seed, count)
    camera = flat.camera
    k = camera.intrinsics()
    pose = np.eye(4)
    pose[:3, :3], pose[2, 3] = camera.rotation(0.0), camera.mount_height
    about: Mapping[str, object] = {
        "camera": {
            "width": camera.width,
            "height": camera.height,
            "fx": k[0, 0],
            "fy": k[1, 1],
            "cx": k[0, 2],
            "cy": k[1, 2],
        },
        "categories": [view.categories for view in flat.views],
        "states": [view.states for view in flat.views],
    }
    packed = io.BytesIO()
    np.savez(
        packed,
        colour=np.stack([view.colour for view in flat.views]),
        depth_mm=np.stack([view.depth_mm for view in flat.views]),
        things=np.stack([view.things for view in flat.views]),
        camera_pose=pose,
        about=np.array(json.dumps(about)),
    )
    write_atomically(path, packed.getvalue())
    return seed
