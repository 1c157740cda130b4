"""A small network that names a region, cut out at the scale of its thing."""

from __future__ import annotations

from torch import Tensor, nn

from stma_ros.apps.training.blocks import Residual, convolution
from stma_ros.models.vision.region_crops import CHANNELS

STEM, STAGES, BLOCKS = 32, (48, 96, 160), (1, 2, 2)
"""Channels at full resolution, channels after each halving of it, and residual blocks there."""

DROPPED = 0.2
"""Share of the features that are dropped in training (Srivastava et al. 2014)."""


class RegionClassifier(nn.Module):
    """Residual blocks (He et al. 2016, ResNet) whose mean over the crop names it."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        widths = (STEM, *STAGES)
        self.features = nn.Sequential(
            convolution(CHANNELS, STEM),
            *(
                nn.Sequential(convolution(before, after, 2), *(Residual(after) for _ in range(blocks)))
                for before, after, blocks in zip(widths[:-1], widths[1:], BLOCKS, strict=True)
            ),
        )
        self.classes = nn.Linear(STAGES[-1], classes)

    def forward(self, crops: Tensor, kept: Tensor | None = None) -> Tensor:
        """Returns logits (R, C).

        Args:
            crops: (R, CHANNELS, SIZE, SIZE) as of models.vision.region_crops.
            kept: (R, STAGES[-1]) factors of the features in training, of which DROPPED are 0; None = 1.
        """
        features = self.features(crops).mean(dim=(2, 3))
        logits: Tensor = self.classes(features if kept is None else features * kept)
        return logits
