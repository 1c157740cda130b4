"""Reads the YAML file that describes a network.

Of an ONNX file (key `network`) it says what the network takes and returns, and what its labels are; a network of the
transformers library (key `model`) says most of that itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from os.path import isdir
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from stma_ros.memory.nouns import listed
from stma_ros.models.vision.description import (
    BoxUnits,
    ClassMapOutput,
    DetectionsOutput,
    GridOutput,
    InputDescription,
    Layout,
    NetworkDescription,
    OutputDescription,
    QueriesOutput,
    Resize,
    RowsOutput,
    TransformersDescription,
)
from stma_ros.models.vision.networks import PACKAGED
from stma_ros.sensing.detection_names import lines_of_labels
from stma_ros.storage.written_file import FileModel, error_at, read_yaml, validated
from stma_ros.types.errors import ConfigurationError

_YAML = (".yaml", ".yml")

_Vector = tuple[float, float, float]

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True)
class NetworkFile:
    """A network with what is known of it.

    Attributes:
        path: The YAML file.
        network: An ONNX file; of transformers the folder of a network, or its name on the hub.
        description: What is known of the network.
        categories: Category of the things that a label stands for, where it is another word; empty = the label stands
            for nothing that is remembered, as a person.
        masks: Folder or name on the hub of the network that makes masks of the boxes; None = there is none.
        recall: Share of the things in plain view that it finds [0..1]; None = it was not measured.
        regions: Network that names its regions once more; None = there is none.
    """

    path: Path
    network: Path | str
    description: NetworkDescription | TransformersDescription
    categories: dict[str, str]
    masks: Path | str | None = None
    recall: float | None = None
    regions: RegionsFile | None = None


@dataclass(frozen=True)
class RegionsFile:
    """A network that names the regions of a class map once more.

    Attributes:
        network: The ONNX file.
        weight: Of what it says beside what the class map says [0..1].
    """

    network: Path
    weight: float


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
    sizes: str = ""

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
            sizes=self.sizes,
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


class _Detections(FileModel):
    kind: Literal["detections"]
    labels: str = "labels"
    boxes: str = "boxes"
    scores: str = "scores"

    def described(self) -> OutputDescription:
        return DetectionsOutput(self.labels, self.boxes, self.scores)


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
    labels: tuple[str, ...] | str
    min_score: float = Field(default=0.3, gt=0, lt=1)
    masks: str = ""
    recall: float | None = Field(default=None, gt=0, lt=1)
    categories: dict[str, str] = Field(default_factory=dict)
    licence: str = ""
    source: str = ""


class _Regions(FileModel):
    network: str
    weight: float = Field(default=0.5, gt=0, le=1)


class _OnnxContent(_Content):
    network: str
    regions: _Regions | None = None
    input: _Input
    outputs: Annotated[_Rows | _Queries | _Detections | _Grid | _ClassMap, Field(discriminator="kind")]


class _TransformersContent(_Content):
    model: str
    labels: tuple[str, ...] | str = ()
    overlap: float = Field(default=0.7, gt=0, le=1)


def read_network_file(path: Path) -> NetworkFile:
    """Reads the description of a network.

    Args:
        path: The YAML file. Names of files and folders in it are relative to its folder.

    Raises:
        ConfigurationError: A file cannot be read, or a key or value is invalid; the text names key and line.
    """
    if path.suffix not in _YAML:
        raise ConfigurationError(
            f"{path} is neither a network of this package ({listed(PACKAGED)}) nor a YAML file that describes one, as "
            "docs/howto/detectors.md shows"
        )
    keys = read_yaml(path)
    if "model" not in keys:
        return _onnx(path, validated(path, keys, _OnnxContent))
    if "network" in keys:
        raise error_at(
            path, ("network",), "is an ONNX file, and model a network of transformers; give one of them"
        )
    return _transformers(path, validated(path, keys, _TransformersContent))


def _onnx(path: Path, content: _OnnxContent) -> NetworkFile:
    labels = _labels(path, content)
    if not labels:
        raise error_at(path, ("labels",), "a network without labels finds nothing; name its classes in order")
    if content.masks and isinstance(content.outputs, _ClassMap):
        raise error_at(path, ("masks",), "are made of boxes, and a map of classes has none; leave it out")
    check_categories(path, content.categories, labels)
    description = NetworkDescription(
        content.input.described(), content.outputs.described(), labels, content.min_score
    )
    found = _file(path, path.parent / content.network, description, content)
    if content.regions is None:
        return found
    if not (isinstance(content.outputs, _ClassMap) and content.input.geometry):
        raise error_at(
            path, ("regions",), "are those of a map of classes with input.geometry, which this network lacks"
        )
    regions = RegionsFile(path.parent / content.regions.network, content.regions.weight)
    return replace(found, regions=regions)


def _transformers(path: Path, content: _TransformersContent) -> NetworkFile:
    labels = _labels(path, content)
    if not all(map(str.strip, labels)):
        raise error_at(path, ("labels",), "one of them is empty; write what it stands for, or remove it")
    description = TransformersDescription(labels, content.min_score, content.overlap)
    return _file(path, _pretrained(path, "model", content.model), description, content)


def _file(
    path: Path,
    network: Path | str,
    description: NetworkDescription | TransformersDescription,
    content: _Content,
) -> NetworkFile:
    masks = _pretrained(path, "masks", content.masks) if content.masks else None
    return NetworkFile(path, network, description, dict(content.categories), masks, content.recall)


def check_categories(path: Path, categories: Mapping[str, str], labels: Collection[str]) -> None:
    """Checks that categories of a file are given for labels of its network alone.

    Raises:
        ConfigurationError: A word is not among the labels; the text names the line.
    """
    unknown = [label for label in categories if label not in labels]
    if unknown:
        raise error_at(path, ("categories", unknown[0]), "is not among the labels")


def _pretrained(path: Path, key: str, name: str) -> Path | str:
    """Returns the folder of a network of transformers, or its name on the hub if there is no such folder."""
    folder = path.parent / name
    if isdir(folder):  # unlike Path.is_dir also for names that no file system takes
        return folder
    if _HUB_NAME.fullmatch(name):
        return name
    raise error_at(
        path,
        (key,),
        f"there is no folder {folder}; give one with config.json and *.safetensors, or a name on the hub "
        "as owner/name",
    )


def _labels(path: Path, content: _Content) -> tuple[str, ...]:
    return (
        lines_of_labels(path, "labels", content.labels) if isinstance(content.labels, str) else content.labels
    )
