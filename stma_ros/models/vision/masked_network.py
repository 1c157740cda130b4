"""A network whose boxes get masks from another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.vision.box_masks import Box
from stma_ros.models.vision.network import NetworkImage, NetworkOutput, ObjectNetwork


class MaskMaker(Protocol):
    """Finds the pixels of the things in boxes."""

    @property
    def frame_time(self) -> float:
        """Time for one image with one box, measured after the warm-up [s]."""
        ...

    def masks(self, colour: NDArray[np.uint8], boxes: Sequence[Box]) -> list[NDArray[np.bool_]]:
        """Returns the mask (H, W) of the thing in each box, which may be empty. Raises NetworkError."""
        ...


class MaskedNetwork:
    """Implements ObjectNetwork: the objects of a network with the masks of a maker.

    An object whose mask is empty keeps its box alone.
    """

    def __init__(self, network: ObjectNetwork, maker: MaskMaker) -> None:
        self._network = network
        self._maker = maker

    @property
    def labels(self) -> tuple[str, ...]:
        return self._network.labels

    @property
    def geometry_size(self) -> tuple[int, int] | None:
        return self._network.geometry_size

    @property
    def frame_time(self) -> float:
        return self._network.frame_time + self._maker.frame_time

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        """Returns the output for each image. Raises NetworkError."""
        return [
            self._masked(image, output)
            for image, output in zip(images, self._network.detect(images), strict=True)
        ]

    def _masked(self, image: NetworkImage, output: NetworkOutput) -> NetworkOutput:
        masks = self._maker.masks(image.colour, [item.box for item in output.objects])
        objects = (
            replace(item, mask=mask) if mask.any() else item
            for item, mask in zip(output.objects, masks, strict=True)
        )
        return replace(output, objects=tuple(objects))
