"""A small network that says of each pixel what thing it shows, its states, and where the middle of that thing is."""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from stma_ros.apps.training.blocks import Residual, convolution

INPUT_CHANNELS = 6
"""Red, green and blue, and the channels of the geometry (models.vision.network.GEOMETRY)."""

STRIDE = 2
"""Pixels of the input per pixel of the output."""

ENCODER, BLOCKS, DECODER = (24, 40, 80, 120, 128), (2, 3, 3, 2), (96, 64, 48, 32)
"""Channels at each halving of the resolution, residual blocks after all but the first, and channels on the way back."""


Outputs: TypeAlias = tuple[Tensor, Tensor, Tensor]
"""What is said of classes, states and middles."""


class PixelNetwork(nn.Module):
    """An encoder of residual blocks (He et al. 2016, ResNet) and a decoder with skip connections (Ronneberger et al.
    2015, U-Net), of which every resolution speaks of the classes (Long et al. 2015, Fully convolutional networks,
    section 4.2): what a thing is shows in more of the image than where it ends."""

    def __init__(self, classes: int, states: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            convolution(INPUT_CHANNELS, ENCODER[0], 2), convolution(ENCODER[0], ENCODER[0])
        )
        self.down = nn.ModuleList(
            nn.Sequential(convolution(before, after, 2), *(Residual(after) for _ in range(blocks)))
            for before, after, blocks in zip(ENCODER[:-1], ENCODER[1:], BLOCKS, strict=True)
        )
        below = (ENCODER[-1], *DECODER[:-1])
        self.up = nn.ModuleList(
            convolution(low + skip, channels)
            for low, skip, channels in zip(below, ENCODER[-2::-1], DECODER, strict=True)
        )
        self.classes = nn.ModuleList(nn.Conv2d(channels, classes, 1) for channels in DECODER)
        self.states = nn.Conv2d(DECODER[-1], states, 1)
        self.middles = nn.Conv2d(DECODER[-1], 2, 1)

    def forward(self, image: Tensor, geometry: Tensor) -> Outputs:
        """Returns logits of classes (N, C, H / 2, W / 2), logits of states, and displacements in x and y from the
        middle of each cell to that of its thing, in units of MIDDLE_UNIT pixels of the input.

        Args:
            image: (N, 3, H, W) in [-1, 1].
            geometry: (N, 3, H, W), the channels of GEOMETRY.
        """
        features = self._features(image, geometry)
        classes = self.classes[0](features[0])
        for head, x in zip(self.classes[1:], features[1:], strict=True):
            classes = head(x) + _enlarged(classes, x)
        return classes, self.states(features[-1]), self.middles(features[-1])

    def at(self, image: Tensor, geometry: Tensor, cells: Tensor) -> Outputs:
        """Returns the same for some cells alone, which is faster: (N, C, K), and so on.

        Args:
            image, geometry: as of `forward`.
            cells: (N, K) int64, numbers of cells in row-major order.
        """
        features = self._features(image, geometry)
        width = features[-1].shape[-1]
        rows, columns = cells // width, cells % width
        finest = _chosen(features[-1], rows, columns)
        classes = _of_each(self.classes[-1], finest)
        for index in range(len(features) - 2, -1, -1):
            fine, coarse = features[index + 1].shape, features[index].shape
            rows, columns = rows * coarse[-2] // fine[-2], columns * coarse[-1] // fine[-1]
            classes = classes + _of_each(self.classes[index], _chosen(features[index], rows, columns))
        states, middles = _of_each(self.states, finest), _of_each(self.middles, finest)
        return classes.transpose(1, 2), states.transpose(1, 2), middles.transpose(1, 2)

    def _features(self, image: Tensor, geometry: Tensor) -> list[Tensor]:
        """Returns the features of each resolution of the decoder, the finest last."""
        skips = [self.stem(torch.cat((image, geometry), dim=1))]
        for stage in self.down:
            skips.append(stage(skips[-1]))
        features = [skips.pop()]
        for stage in self.up:
            skip = skips.pop()
            features.append(stage(torch.cat((_enlarged(features[-1], skip), skip), dim=1)))
        return features[1:]


MIDDLE_UNIT = 32.0
"""Unit of displacements [px of the input], so that they are about as large as 1."""


def _enlarged(x: Tensor, like: Tensor) -> Tensor:
    """Returns a map with the size of another one, each cell repeated."""
    return functional.interpolate(x, size=like.shape[-2:], mode="nearest")


def _chosen(x: Tensor, rows: Tensor, columns: Tensor) -> Tensor:
    """Returns (N, K, C) the values of a map (N, C, H, W) at rows and columns (N, K)."""
    count, channels, height, width = x.shape
    first = torch.arange(count, device=x.device)[:, None] * height
    places = ((first + rows) * width + columns).flatten()
    by_place = x.permute(0, 2, 3, 1).reshape(-1, channels)
    return by_place.index_select(0, places).view(count, -1, channels)


def _of_each(head: nn.Module, x: Tensor) -> Tensor:
    """Returns what a convolution of single cells says of each of some cells (N, K, C)."""
    assert isinstance(head, nn.Conv2d)
    return functional.linear(x, head.weight.flatten(1), head.bias)
