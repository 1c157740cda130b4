"""Reads mapping files: YAML files that describe the topics, coordinate frames and camera mount of a foreign bag.

Keys that are left out are found from the bag.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError

from stma_ros.sensing.detection_names import DetectionNames, lines_of_labels
from stma_ros.sensing.encodings import LARGEST_DEPTH, MILLIMETRE, DepthRule
from stma_ros.storage.written_file import FileModel, read_yaml, validated

Vector = tuple[float, float, float]


class Topics(FileModel):
    """Full names of topics; an empty name is found by type and by the words in the topics' names."""

    color: str = ""
    depth: str = ""
    camera_info: str = ""
    depth_camera_info: str = ""
    odometry: str = ""
    tf: str = ""
    tf_static: str = ""
    segmentation: str = ""
    segmentation_labels: str = ""
    detections: str = ""
    detections_labels: str = ""
    class_mask: str = ""


class Frames(FileModel):
    """Names of coordinate frames (REP-105). Empty names of odom, base and camera are read from message headers."""

    map: str = "map"
    odom: str = ""
    base: str = ""
    camera: str = ""


class Extrinsics(FileModel):
    """Pose of a frame in another one.

    Attributes:
        xyz: Position [m].
        rpy: Roll, pitch and yaw [rad] (REP-103).
    """

    xyz: Vector
    rpy: Vector = (0.0, 0.0, 0.0)

    @field_validator("rpy")
    @classmethod
    def _is_in_radians(cls, rpy: Vector) -> Vector:
        if max(map(abs, rpy)) > 2 * math.pi:
            raise PydanticCustomError("turn", "more than a full turn; write radians (17 degrees are 0.297)")
        return rpy


class Mount(Extrinsics):
    """Pose of the camera in the base frame.

    Attributes:
        optical: Whether the pose is that of the optical frame (z forward, y down) rather than of the camera's body
            frame (x forward, z up).
    """

    optical: bool = False


class BagMapping(FileModel):
    """Content of a mapping file.

    Attributes:
        topics: Topics by what they carry.
        frames: Coordinate frames.
        camera: Mount of the camera; None takes it from the transforms.
        depth_to_color: Pose of the depth camera's optical frame in that of the colour camera, if depth is not
            registered to colour; None takes it from the transforms.
        tolerance: Largest difference between the stamps of a depth image and the images that join it [s].
        depth_unit: Length of one count of a 16-bit depth image [m].
        float_depth_unit: Length of the number 1 in a 32-bit depth image [m].
        depth_invalid: Number in the depth image that marks pixels without depth, besides 0, 65535 and NaN.
        depth_range: Least and greatest depth that is used [m].
        rectified: Whether the images are free of distortion, whatever camera_info says.
        stamps: Whether stamps are those of the messages' headers or the times of recording.
        hand_held: Whether no robot carries the camera; None finds out from the names of the coordinate frames.
        floor: Height of the floor in the recording's map frame [m], which is z = 0 of the map that is made; "auto"
            finds floor and tilt in the depth images, None leaves the poses as they are.
        gravity: Direction of gravity in that frame, of any length; None takes z to point up.
        part: Number of the stretch of time that is used where time jumps back, counted from 1.
        segmentation_labels: Category by segment id.
        detections: JSON Lines file of detections; empty = there is none.
        detections_labels: Labels of the class numbers of detections and of the class mask: by number, as a list from 0
            on, or a file with one in each line.
        categories: Category by label of a detection, where it is another word; empty = not remembered, as a person.
    """

    topics: Topics = Topics()
    frames: Frames = Frames()
    camera: Mount | None = None
    depth_to_color: Extrinsics | None = None
    tolerance: float = Field(default=0.05, gt=0, le=10)
    depth_unit: float = Field(default=MILLIMETRE, gt=0, le=1)
    float_depth_unit: float = Field(default=1.0, gt=0, le=1000)
    depth_invalid: float | None = None
    depth_range: tuple[float, float] = (0.0, LARGEST_DEPTH)
    rectified: bool = False
    hand_held: bool | None = None
    floor: float | Literal["auto"] | None = None
    gravity: Vector | None = None
    stamps: Literal["header", "log"] = "header"
    part: int = Field(default=1, ge=1)
    segmentation_labels: dict[int, str] = Field(default_factory=dict)
    detections: str = ""
    detections_labels: dict[int, str] | tuple[str, ...] | str = Field(default_factory=dict)
    categories: dict[str, str] = Field(default_factory=dict)

    @field_validator("depth_range")
    @classmethod
    def _is_a_range(cls, depth_range: tuple[float, float]) -> tuple[float, float]:
        least, greatest = depth_range
        if not 0 <= least < greatest:
            raise PydanticCustomError(
                "range", "not a range; write the least and the greatest depth in metres: [0.3, 6.0]"
            )
        if least >= LARGEST_DEPTH:
            raise PydanticCustomError("far", "beyond all depth; write metres, not millimetres: [0.3, 6.0]")
        return depth_range

    @field_validator("floor", mode="before")
    @classmethod
    def _is_a_floor(cls, floor: object) -> object:
        is_number = isinstance(floor, int | float) and not isinstance(floor, bool) and math.isfinite(floor)
        if floor is None or floor == "auto" or is_number:
            return floor
        raise PydanticCustomError("floor", "write auto, or the height of the floor in metres")

    @field_validator("gravity")
    @classmethod
    def _has_a_direction(cls, gravity: Vector | None) -> Vector | None:
        if gravity is not None and math.hypot(*gravity) < 1e-6:
            raise PydanticCustomError(
                "gravity", "no direction; write where things fall: [0, 0, -1] if z points up"
            )
        return gravity

    @property
    def depth_rule(self) -> DepthRule:
        """Which numbers of the depth images are distances."""
        return DepthRule(self.depth_unit, self.float_depth_unit, self.depth_invalid, *self.depth_range)

    @property
    def detection_names(self) -> DetectionNames:
        """Names of what other detectors find."""
        labels = self.detections_labels
        assert not isinstance(labels, str)  # read_mapping reads the file
        numbered = labels if isinstance(labels, dict) else dict(enumerate(labels))
        return DetectionNames(numbered, self.categories)


def read_mapping(path: Path | None) -> BagMapping:
    """Reads a mapping file.

    Args:
        path: The file; None gives the defaults. Names of files in it are relative to its folder.

    Raises:
        ConfigurationError: The file cannot be read, has an unknown key or an invalid value; the text names key and
            line.
    """
    if path is None:
        return BagMapping()
    content = validated(path, read_yaml(path), BagMapping)
    read: dict[str, object] = {}
    if content.detections:
        read["detections"] = str(path.parent / content.detections)
    if isinstance(content.detections_labels, str):
        read["detections_labels"] = lines_of_labels(path, "detections_labels", content.detections_labels)
    return content.model_copy(update=read)
