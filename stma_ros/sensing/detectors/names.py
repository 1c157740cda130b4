"""Names of the detectors, as `perception.source` and the messages have them."""

from __future__ import annotations

from typing import Final

SEGMENTATION: Final = "segmentation"
MODEL: Final = "model"
NETWORK: Final = "network"
DETECTIONS: Final = "detections"
