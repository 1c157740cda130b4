"""Reads the YAML file that describes a network: the network's file, what it takes and returns, and its labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from stma_ros.models.vision.description import (
    BoxUnits,
    ClassMapOutput,
    GridOutput,
    InputDescription,
    Layout,
    NetworkDescription,
    OutputDescription,
    QueriesOutput,
    Resize,
    RowsOutput,
)
from stma_ros.sensing.detection_names import lines_of_labels
from stma_ros.storage.written_file import FileModel, error_at, read_yaml, validated

_Vector = tuple[float, float, float]


@dataclass(frozen=True)
class NetworkFile:
    """A network with what is known of it.

    Attributes:
        network: The network's file.
        description: What the network takes and returns.
        categories: Category of the things that a label stands for, where it is another word; empty = the label stands
            for nothing that is remembered, as a person.
    """

    network: Path
    description: NetworkDescription
    categories: dict[str, str]


class _Input(FileModel):
    name: str
    size: tuple[int, int]  # width, height
    layout: Layout = Layout.NCHW
    colours: Literal["RGB", "BGR"] = "RGB"
    scale: float = Field(default=1 / 255, gt=0)
    mean: _Vector = (0.0, 0.0, 0.0)
    std: _Vector = (1.0, 1.0, 1.0)
    resize: Resize = Resize.STRETCH
    border: int = Field(default=114, ge=0, le=255)
    geometry: str = ""

    @field_validator("size")
    @classmethod
    def _is_a_size(cls, size: tuple[int, int]) -> tuple[int, int]:
        if min(size) < 1:
            raise ValueError("width and height must be 1 at least")
        return size

    @field_validator("std")
    @classmethod
    def _divides(cls, std: _Vector) -> _Vector:
        if min(map(abs, std)) == 0:
            raise ValueError("pixels are divided by it; 0 is no standard deviation")
        return std

    def described(self) -> InputDescription:
        return InputDescription(
            name=self.name,
            width=self.size[0],
            height=self.size[1],
            layout=self.layout,
            blue_first=self.colours == "BGR",
            scale=self.scale,
            mean=self.mean,
            std=self.std,
            resize=self.resize,
            border=self.border,
            geometry=self.geometry,
        )


class _Rows(FileModel):
    kind: Literal["rows"]
    rows: str
    boxes: BoxUnits = BoxUnits.PIXELS
    overlap: float = Field(default=0.7, gt=0, le=1)

    def described(self) -> OutputDescription:
        return RowsOutput(self.rows, self.boxes, self.overlap)


class _Queries(FileModel):
    kind: Literal["queries"]
    logits: str
    boxes: str
    no_object: bool = True

    def described(self) -> OutputDescription:
        return QueriesOutput(self.logits, self.boxes, self.no_object)


class _Grid(FileModel):
    kind: Literal["grid"]
    cells: str
    channels_first: bool = True
    objectness: bool = False
    overlap: float = Field(default=0.5, gt=0, le=1)

    def described(self) -> OutputDescription:
        return GridOutput(self.cells, self.channels_first, self.objectness, self.overlap)


class _ClassMap(FileModel):
    kind: Literal["class_map"]
    logits: str
    states: str = ""
    state_names: tuple[str, ...] = ()
    middles: str = ""
    middle_unit: float = Field(default=1.0, gt=0)

    @model_validator(mode="after")
    def _names_its_states(self) -> _ClassMap:
        if bool(self.states) != bool(self.state_names):
            raise ValueError("states and state_names belong together: give both, or neither")
        return self

    def described(self) -> OutputDescription:
        return ClassMapOutput(self.logits, self.states, self.state_names, self.middles, self.middle_unit)


class _Content(FileModel):
    network: str
    input: _Input
    outputs: Annotated[_Rows | _Queries | _Grid | _ClassMap, Field(discriminator="kind")]
    labels: tuple[str, ...] | str
    min_score: float = Field(default=0.3, gt=0, lt=1)
    categories: dict[str, str] = Field(default_factory=dict)
    licence: str = ""
    source: str = ""


def read_network_file(path: Path) -> NetworkFile:
    """Reads the description of a network.

    Args:
        path: The YAML file. Names of files in it are relative to its folder.

    Raises:
        ConfigurationError: A file cannot be read, or a key or value is invalid; the text names key and line.
    """
    content = validated(path, read_yaml(path), _Content)
    labels = content.labels
    if isinstance(labels, str):
        labels = lines_of_labels(path, "labels", labels)
    if not labels:
        raise error_at(path, ("labels",), "a network without labels finds nothing; name its classes in order")
    unknown = [label for label in content.categories if label not in labels]
    if unknown:
        raise error_at(path, ("categories", unknown[0]), "is not among the labels")
    description = NetworkDescription(
        content.input.described(), content.outputs.described(), labels, content.min_score
    )
    return NetworkFile(path.parent / content.network, description, dict(content.categories))
