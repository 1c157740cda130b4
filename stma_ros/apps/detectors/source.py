"""Where a trained detector is published, and what it takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

COCO = (
    *("person", "bicycle", "car", "motorcycle", "airplane", "bus", "train", "truck", "boat", "traffic light"),
    *("fire hydrant", "stop sign", "parking meter", "bench", "bird", "cat", "dog", "horse", "sheep", "cow"),
    *(
        "elephant",
        "bear",
        "zebra",
        "giraffe",
        "backpack",
        "umbrella",
        "handbag",
        "tie",
        "suitcase",
        "frisbee",
    ),
    *(
        "skis",
        "snowboard",
        "sports ball",
        "kite",
        "baseball bat",
        "baseball glove",
        "skateboard",
        "surfboard",
    ),
    *("tennis racket", "bottle", "wine glass", "cup", "fork", "knife", "spoon", "bowl", "banana", "apple"),
    *("sandwich", "orange", "broccoli", "carrot", "hot dog", "pizza", "donut", "cake", "chair", "couch"),
    *("potted plant", "bed", "dining table", "toilet", "tv", "laptop", "mouse", "remote", "keyboard"),
    *("cell phone", "microwave", "oven", "toaster", "sink", "refrigerator", "book", "clock", "vase"),
    *("scissors", "teddy bear", "hair drier", "toothbrush"),
)
"""The 80 classes of COCO that have objects, in the order of their numbers, which have gaps there and none here."""

OUTDOORS = COCO[1:13]
"""Classes of COCO that no room holds."""

LIVING = ("person", *COCO[14:24])
"""Classes of COCO that walk away. What a robot remembers are things."""


@dataclass(frozen=True)
class DetectorSource:
    """A detector in an npm package, as a graph model of TensorFlow.js.

    Its input is an image (1, rows, columns, 3), its output has a row for each of a fixed number of candidates, the best
    one first: x1, y1, x2, y2, score and class.

    Attributes:
        name: Name of the files that are made.
        package: Name of the package.
        version: Its version.
        model: The JSON file of the model in the package.
        checksums: SHA-256 of the files that are read, by their paths in the package.
        licence: Identifier of the licence.
        licence_file: Its text in the package.
        image: Name of the input.
        size: Columns and rows of the input.
        rows: Name of the output.
        boxes: Unit of the boxes: normalised [0..1] or pixels of the input.
        labels: The classes by number.
        min_score: Least score of a usable detection.
        recall: Share of the things in plain view that it finds [0..1].
        not_remembered: Labels that stand for nothing that is remembered.
    """

    name: str
    package: str
    version: str
    model: str
    checksums: Mapping[str, str]
    licence: str
    licence_file: str
    image: str
    size: tuple[int, int]
    rows: str
    boxes: str
    labels: tuple[str, ...]
    min_score: float
    recall: float
    not_remembered: tuple[str, ...] = ()

    @property
    def requirement(self) -> str:
        """The package and its version, as npm wants them."""
        return f"{self.package}@{self.version}"

    def __str__(self) -> str:
        return f"{self.package} {self.version}, {self.model.removesuffix('.json')}"


CENTERNET = DetectorSource(
    name="coco_centernet",
    package="@vladmandic/human",
    version="3.3.6",
    model="models/centernet.json",
    checksums={
        "models/centernet.json": "bfb942eaacc5becf738d536663bc4580a0ae9e560722306e6d4dd7fe4a09de05",
        "models/centernet.bin": "1b635a15009071f506f9f2b3519b31c072c534888989f30d269ffd44734ef7ef",
        "LICENSE": "9a3442b79acaf4fbc7c2e07b7e2d8f84af9bb3871bf08a69d80304ab00640e9a",
    },
    licence="MIT",
    licence_file="LICENSE",
    image="tower_0/images",
    size=(512, 512),
    rows="tower_0/detections",
    boxes="pixels",
    labels=COCO,
    min_score=0.3,
    recall=0.5,
    not_remembered=(*LIVING, *OUTDOORS),
)
"""CenterNet on MobileNetV3, trained on COCO. The scale of colours [0..255] is part of its first layer.

Of each class, a cell of 4 x 4 pixels is a candidate only if none of its neighbours has a higher score. Boxes of one
object may overlap all the same, and boxes may reach beyond the image.

On a recording of a kitchen with a Kinect (7-Scenes), it finds two cups in 73 to 95 % of the frames that show them, and
the backs of chairs in about a third: the recall is what lies between."""
