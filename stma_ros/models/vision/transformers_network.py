"""Detectors of the transformers library, run by torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from stma_ros.models.errors import one_line
from stma_ros.models.transformers.runtime import on_threads
from stma_ros.models.vision.decoding import objects_of_queries
from stma_ros.models.vision.description import (
    InputDescription,
    NetworkDescription,
    QueriesOutput,
    TransformersDescription,
)
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.network import NetworkImage, NetworkOutput
from stma_ros.models.vision.preparation import Fit
from stma_ros.models.vision.transformers_heads import TEXT_HEADS, head_of
from stma_ros.models.vision.transformers_loading import Pretrained
from stma_ros.models.vision.warm_up import grey_image, warm_up_time
from stma_ros.types.errors import ConfigurationError

_WARM_UP = 480, 640  # height and width of the image; networks resize images


class TransformersNetwork:
    """Implements ObjectNetwork.

    Images that are run at once have the same size, so that none is given borders because of another one.

    Attributes:
        description: What is known of the network.
        frame_time: Time for one image after the warm-up [s].
    """

    def __init__(
        self,
        model: Path | str,
        description: TransformersDescription,
        *,
        device: str = "cpu",
        threads: int = 1,
        batch: int = 1,
    ) -> None:
        """Loads and warms up the network.

        Args:
            model: A folder, or a name on the hub as owner/name.
            description: What is known of the network.
            device: "cpu" or "cuda".
            threads: Threads of one operation on the CPU. With another number the last bits of an output may differ.
            batch: Most images that are run at once. The last bits of an output may depend on the other images then.

        Raises:
            ConfigurationError: The network or the device cannot be used, it is no detector, or does not run on a grey
                image.
            LabelsError: The labels do not fit the network.
            MissingDependencyError: A library is not installed.
        """
        self.description = description
        files = Pretrained(model)
        load = _detector_class(files)
        self._processor = _processor(files)
        self._network = files.network(load, device)
        self._head = head_of(files, description.labels, self._network.device)
        self._threads = threads
        self._batch = batch
        grey = grey_image(*_WARM_UP)
        try:
            self.frame_time = warm_up_time(lambda: self.detect([grey]))
        except NetworkError as error:
            raise ConfigurationError(f"{files}: {error}") from error

    @property
    def labels(self) -> tuple[str, ...]:
        return self._head.labels

    @property
    def geometry_size(self) -> None:
        return None

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        """Returns the output for each image. Raises NetworkError."""
        outputs: list[NetworkOutput] = []
        for _, alike in groupby(images, lambda image: image.colour.shape):
            group = list(alike)
            for start in range(0, len(group), self._batch):
                outputs.extend(self._run(group[start : start + self._batch]))
        return outputs

    def _run(self, images: Sequence[NetworkImage]) -> Iterator[NetworkOutput]:
        import torch

        try:
            with on_threads(self._threads), torch.inference_mode():
                pixels = self._processor(
                    images=[image.colour for image in images],
                    input_data_format="channels_last",
                    return_tensors="pt",
                )
                found = self._network(**pixels.to(self._network.device), **self._head.texts(len(images)))
                scores, boxes = (
                    tensor.cpu().numpy().astype(np.float64)
                    for tensor in (self._head.scores(found.logits), found.pred_boxes)
                )
        except Exception as error:  # torch and transformers have no base of their errors in common
            cause = one_line(error)
            raise NetworkError(f"the network does not run: {cause}") from error
        height, width = images[0].colour.shape[:2]
        about = self._described(height, width)
        fit = Fit(width, height, 1.0, 1.0)  # boxes are decoded in pixels of the image
        for own_scores, own_boxes in zip(scores, boxes, strict=True):
            objects = objects_of_queries(own_scores, own_boxes, fit, about, self.description.overlap)
            yield NetworkOutput(objects)

    def _described(self, height: int, width: int) -> NetworkDescription:
        across, down = self._head.extent(height, width)
        return NetworkDescription(
            InputDescription("pixel_values", across, down),
            QueriesOutput("logits", "pred_boxes"),
            self._head.labels,
            self.description.min_score,
        )


def _detector_class(files: Pretrained) -> Callable[..., Any]:
    """Returns what loads the network. Raises ConfigurationError if it is no detector."""
    from transformers import (
        MODEL_FOR_OBJECT_DETECTION_MAPPING,
        AutoModelForObjectDetection,
        AutoModelForZeroShotObjectDetection,
    )

    load: Callable[..., Any]
    kind = files.config.model_type
    if kind in TEXT_HEADS:
        load = AutoModelForZeroShotObjectDetection.from_pretrained
    elif type(files.config) in MODEL_FOR_OBJECT_DETECTION_MAPPING:
        load = AutoModelForObjectDetection.from_pretrained
    else:
        raise ConfigurationError(
            f"the {kind} in {files} is no detector of objects of a known family; take one of DETR's kin (rt_detr, "
            f"d_fine, detr, ...), or one of {', '.join(TEXT_HEADS)}"
        )
    return load


def _processor(files: Pretrained) -> Any:
    from transformers import AutoImageProcessor

    # The Pillow back end gives the same pixels with and without torchvision.
    return files.part(AutoImageProcessor.from_pretrained, backend="pil")
