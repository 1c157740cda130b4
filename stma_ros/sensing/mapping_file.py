"""What a person may say of a bag in a YAML file: which topic is what, how the camera is mounted, what the frames are.

Whatever is left out is found from the bag.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from stma_ros.storage.written_file import Written, read_yaml, validated

Vector = tuple[float, float, float]


class Topics(Written):
    """Full names; empty = to be found by type and name."""

    color: str = ""
    depth: str = ""
    camera_info: str = ""
    odometry: str = ""
    tf: str = ""
    tf_static: str = ""
    segmentation: str = ""
    segmentation_labels: str = ""


class Frames(Written):
    """Names of coordinate frames (REP-105). odom, base, camera: empty = as the messages' headers say."""

    map: str = "map"
    odom: str = ""
    base: str = ""
    camera: str = ""


class Mount(Written):
    """Where the camera is on the base: xyz [m] and rpy [rad] (REP-103) of its body frame (x forward, z up) or, with
    `optical`, of its optical frame (z forward, y down)."""

    xyz: Vector
    rpy: Vector = (0.0, 0.0, 0.0)
    optical: bool = False

    @field_validator("rpy")
    @classmethod
    def _is_in_radians(cls, rpy: Vector) -> Vector:
        if max(map(abs, rpy)) > 2 * math.pi:
            raise PydanticCustomError("turn", "more than a full turn; write radians (17 degrees are 0.297)")
        return rpy


class BagMapping(Written):
    """tolerance [s]: between a depth image and the colours that belong to it. depth_unit [m]: of one count of a 16-bit
    depth image. rectified: whether the images are free of distortion, whatever camera_info says. stamps: by the
    messages' headers, or by when they were recorded. part: which stretch of time is taken where time jumps back; 1 is
    the first. segmentation_labels: the category of each id."""

    topics: Topics = Topics()
    frames: Frames = Frames()
    camera: Mount | None = None
    tolerance: float = Field(default=0.05, gt=0, le=10)
    depth_unit: float = Field(default=0.001, gt=0, le=1)
    rectified: bool = False
    stamps: Literal["header", "log"] = "header"
    part: int = Field(default=1, ge=1)
    segmentation_labels: dict[int, str] = Field(default_factory=dict)


def read_mapping(path: Path | None) -> BagMapping:
    """The file's content; nothing said where there is no file. Raises ConfigurationError, naming key and line, for a
    file that cannot be read, an unknown key and a value that makes no sense."""
    return BagMapping() if path is None else validated(path, read_yaml(path), BagMapping)
