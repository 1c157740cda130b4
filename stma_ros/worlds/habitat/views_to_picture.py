"""Converts an engine's images to a picture of the robot's camera, in one pass over the pixels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stma_ros.types.jit import kernel
from stma_ros.worlds.habitat.engine.scene_report import OBJECT_IDS
from stma_ros.worlds.habitat.engine.views import Views
from stma_ros.worlds.robot.picture import RANGE, Picture


def picture_of(
    views: Views, owner_of_surface: NDArray[np.int32], owner_of_object: NDArray[np.int32]
) -> Picture:
    """Converts views to a Picture.

    Args:
        views: the engine's images.
        owner_of_surface: (S,), the owner's index (see Picture) by a surface's id.
        owner_of_object: (O,), the owner's index by an object's id less OBJECT_IDS; ids beyond either table have no
            owner.
    """
    height, width = views.depth.shape
    colour = np.empty((height, width, 3), np.uint8)
    depth = np.empty((height, width), np.uint16)
    owner = np.empty((height, width), np.int32)
    _convert(
        views.color,
        views.depth,
        views.instance,
        owner_of_surface,
        owner_of_object,
        np.int64(OBJECT_IDS),
        np.float32(RANGE),
        colour,
        depth,
        owner,
    )
    return Picture(colour, depth, owner)


@kernel
def _convert(
    rgba: NDArray[np.uint8],
    metres: NDArray[np.float32],
    instance: NDArray[np.int32],
    owner_of_surface: NDArray[np.int32],
    owner_of_object: NDArray[np.int32],
    object_ids: np.int64,
    longest: np.float32,
    colour: NDArray[np.uint8],
    depth: NDArray[np.uint16],
    owner: NDArray[np.int32],
) -> None:
    for v in range(metres.shape[0]):
        for u in range(metres.shape[1]):
            for channel in range(3):
                colour[v, u, channel] = rgba[v, u, channel]
            far = metres[v, u]
            depth[v, u] = np.uint16(np.rint(far * np.float32(1000))) if far <= longest else np.uint16(0)
            shown = np.int64(instance[v, u])
            if shown >= object_ids:
                shown -= object_ids
                owner[v, u] = owner_of_object[shown] if shown < len(owner_of_object) else -1
            else:
                owner[v, u] = owner_of_surface[shown] if 0 <= shown < len(owner_of_surface) else -1
