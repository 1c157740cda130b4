"""A small network that says of each pixel what thing it shows, its states, and where the middle of that thing is."""

from __future__ import annotations

from typing import TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

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
    2015, U-Net)."""

    def __init__(self, classes: int, states: int) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            _convolution(INPUT_CHANNELS, ENCODER[0], 2), _convolution(ENCODER[0], ENCODER[0])
        )
        self.down = nn.ModuleList(
            nn.Sequential(_convolution(before, after, 2), *(_Residual(after) for _ in range(blocks)))
            for before, after, blocks in zip(ENCODER[:-1], ENCODER[1:], BLOCKS, strict=True)
        )
        below = (ENCODER[-1], *DECODER[:-1])
        self.up = nn.ModuleList(
            _convolution(low + skip, channels)
            for low, skip, channels in zip(below, ENCODER[-2::-1], DECODER, strict=True)
        )
        self.classes = nn.Conv2d(DECODER[-1], classes, 1)
        self.states = nn.Conv2d(DECODER[-1], states, 1)
        self.middles = nn.Conv2d(DECODER[-1], 2, 1)

    def forward(self, image: Tensor, geometry: Tensor) -> Outputs:
        """Returns logits of classes (N, C, H / 2, W / 2), logits of states, and displacements in x and y from the
        middle of each cell to that of its thing, in units of MIDDLE_UNIT pixels of the input.

        Args:
            image: (N, 3, H, W) in [-1, 1].
            geometry: (N, 3, H, W), the channels of GEOMETRY.
        """
        return self._said(self._features(image, geometry))

    def at(self, image: Tensor, geometry: Tensor, cells: Tensor) -> Outputs:
        """Returns the same for some cells alone, which is faster: (N, C, K), and so on.

        Args:
            image, geometry: as of `forward`.
            cells: (N, K) int64, numbers of cells in row-major order.
        """
        x = self._features(image, geometry).flatten(2)
        chosen = x.gather(2, cells[:, None].expand(-1, x.shape[1], -1))
        classes, states, middles = self._said(chosen[..., None])
        return classes[..., 0], states[..., 0], middles[..., 0]

    def _said(self, x: Tensor) -> Outputs:
        return self.classes(x), self.states(x), self.middles(x)

    def _features(self, image: Tensor, geometry: Tensor) -> Tensor:
        features = [self.stem(torch.cat((image, geometry), dim=1))]
        for stage in self.down:
            features.append(stage(features[-1]))
        x = features.pop()
        for stage in self.up:
            skip = features.pop()
            x = functional.interpolate(x, size=skip.shape[-2:], mode="nearest")
            x = stage(torch.cat((x, skip), dim=1))
        return x


MIDDLE_UNIT = 32.0
"""Unit of displacements [px of the input], so that they are about as large as 1."""


class _Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _convolution(channels, channels)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


def _convolution(before: int, after: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
    )
