"""Settings of an engine."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .errors import Code, EngineError

SOFTWARE = -1
_LARGEST = 8192  # largest width or height of an image [pixels]; many drivers refuse a larger frame buffer


@dataclass(frozen=True)
class EngineSettings:
    """The pinhole camera for colour, depth and instances, and how habitat_sim is started.

    Attributes:
        width: width of the images [pixels].
        height: height of the images [pixels].
        hfov: horizontal field of view [rad]; pixels are square.
        gpu: number of the CUDA device that renders; -1 = the first device of EGL, which is software where there is no
            GPU.
        any_version: try a habitat_sim of a version that is not known to work.
        unlabelled: also load scenes in which nothing has a name.
    """

    width: int = 640
    height: int = 480
    hfov: float = math.pi / 2
    gpu: int = SOFTWARE
    any_version: bool = False
    unlabelled: bool = False

    def __post_init__(self) -> None:
        for name in ("width", "height"):
            if not 1 <= getattr(self, name) <= _LARGEST:
                raise EngineError(
                    Code.FAILED,
                    f"{name} = {getattr(self, name)} is no size of an image: use 1 to {_LARGEST} pixels",
                )
        if not 0.0 < self.hfov < math.pi:
            raise EngineError(
                Code.FAILED, f"hfov = {self.hfov} is no opening angle: use 0 to pi, both excluded [rad]"
            )
        if self.gpu < SOFTWARE:
            raise EngineError(
                Code.NO_GPU, f"there is no GPU {self.gpu}: use 0, 1, ... or {SOFTWARE} for software rendering"
            )

    def to_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> EngineSettings:
        return cls(**fields)
