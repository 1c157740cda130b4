"""Description of a network file: what it takes, what it returns, and what its labels are."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class Layout(str, enum.Enum):
    """Order of the dimensions of an input tensor."""

    NCHW = "NCHW"
    NHWC = "NHWC"


class Resize(str, enum.Enum):
    """How an image is made to fit the input."""

    STRETCH = "stretch"  # both sides, without regard to the aspect ratio
    LETTERBOX = "letterbox"  # in its aspect ratio, with borders below and at the right


class BoxUnits(str, enum.Enum):
    """Units of the coordinates of boxes."""

    NORMALISED = "normalised"  # the input is 1 wide and 1 high
    PIXELS = "pixels"  # of the input


@dataclass(frozen=True)
class InputDescription:
    """The images that a network takes.

    Attributes:
        name: Name of the tensor.
        width, height: Size of the images [px].
        layout: Order of the dimensions.
        blue_first: Whether the channels are blue, green, red.
        scale: Factor on the bytes of the image, before mean and standard deviation.
        mean, std: Of red, green and blue; values are (byte * scale - mean) / std.
        resize: How images are made to fit.
        border: Brightness of the borders [0..255]; that of YOLO's training by default.
        geometry: Name of the tensor with the geometry of the image; empty = there is none.
        sizes: Name of the tensor (images, 2) with the width and height [px] to which boxes are scaled, which are given
            those of the input; empty = there is none.
    """

    name: str
    width: int
    height: int
    layout: Layout = Layout.NCHW
    blue_first: bool = False
    scale: float = 1 / 255
    mean: tuple[float, float, float] = (0.0, 0.0, 0.0)
    std: tuple[float, float, float] = (1.0, 1.0, 1.0)
    resize: Resize = Resize.STRETCH
    border: int = 114
    geometry: str = ""
    sizes: str = ""

    @property
    def keeps_bytes(self) -> bool:
        """Whether values are the bytes of the image."""
        return self.scale == 1 and set(self.mean) == {0} and set(self.std) == {1}


@dataclass(frozen=True)
class RowsOutput:
    """(N, 6) rows of left, top, right, bottom, score and class.

    Attributes:
        rows: Name of the tensor.
        boxes: Units of the coordinates.
        overlap: Intersection over union of two boxes of one class from which on the lower score is suppressed. Exports
            that suppress double boxes themselves are not changed by the default.
    """

    rows: str
    boxes: BoxUnits = BoxUnits.PIXELS
    overlap: float = 0.7

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the tensors that are read."""
        return (self.rows,)


@dataclass(frozen=True)
class QueriesOutput:
    """Queries of DETR and its kin: logits and boxes (centre x and y, width, height; normalised) of N queries.

    Attributes:
        logits: Name of the tensor (N, C) or (N, C + 1).
        boxes: Name of the tensor (N, 4).
        no_object: Whether the last class is "no object" (DETR), so that scores are a softmax; else they are sigmoids
            (RT-DETR, Deformable DETR).
    """

    logits: str
    boxes: str
    no_object: bool = True

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the tensors that are read."""
        return self.logits, self.boxes


@dataclass(frozen=True)
class DetectionsOutput:
    """Classes, boxes and scores, as RT-DETR's and D-FINE's own exports return them.

    Attributes:
        labels: Name of the tensor (N,) of classes.
        boxes: Name of the tensor (N, 4) of left, top, right and bottom [px of the input].
        scores: Name of the tensor (N,).
    """

    labels: str = "labels"
    boxes: str = "boxes"
    scores: str = "scores"

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the tensors that are read."""
        return self.labels, self.boxes, self.scores


@dataclass(frozen=True)
class GridOutput:
    """Cells of YOLO and its kin: centre x and y, width and height [px of the input], and a score for each class.

    Attributes:
        cells: Name of the tensor.
        channels_first: Whether it is (4 + C, N) (YOLOv8 and later) rather than (N, 4 + C).
        objectness: Whether a score for any object precedes those of the classes (YOLOv5, YOLOX): (N, 5 + C).
        overlap: Intersection over union of two boxes of one class from which on the lower score is suppressed.
    """

    cells: str
    channels_first: bool = True
    objectness: bool = False
    overlap: float = 0.5

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the tensors that are read."""
        return (self.cells,)


@dataclass(frozen=True)
class ClassMapOutput:
    """A class for each pixel.

    Attributes:
        logits: Name of the tensor (C, H, W); the first class is none of the others. The size may be a fraction of the
            input's.
        states: Name of the tensor (S, H, W) of the logits of states; empty = there is none.
        state_names: Names of the S states.
        middles: Name of the tensor (2, H, W) of the displacement in x and y from the middle of each cell to that of
            the visible extent of its thing; empty = there is none.
        middle_unit: Unit of displacements [px of the input].
    """

    logits: str
    states: str = ""
    state_names: tuple[str, ...] = ()
    middles: str = ""
    middle_unit: float = 1.0

    @property
    def tensors(self) -> tuple[str, ...]:
        """Names of the tensors that are read."""
        return tuple(filter(None, (self.logits, self.states, self.middles)))


OutputDescription = RowsOutput | QueriesOutput | DetectionsOutput | GridOutput | ClassMapOutput


@dataclass(frozen=True)
class NetworkDescription:
    """A network file.

    Attributes:
        input: The images that it takes.
        output: What it returns.
        labels: Names of the classes, in order.
        min_score: Smallest score of an object.
    """

    input: InputDescription
    output: OutputDescription
    labels: tuple[str, ...]
    min_score: float = 0.3


@dataclass(frozen=True)
class TransformersDescription:
    """What is known of a network of the transformers library besides its own configuration.

    Attributes:
        labels: Texts to look for, of a network that finds what texts say; of another network, names of its classes in
            order, in place of those in its configuration if there are any.
        min_score: Smallest score of an object.
        overlap: Intersection over union of two boxes of one class from which on the lower score is suppressed.
    """

    labels: tuple[str, ...] = ()
    min_score: float = 0.3
    overlap: float = 0.7
