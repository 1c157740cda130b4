"""Masks of SAM 2: the pixels of the thing in each box of an image."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stma_ros.models.errors import one_line
from stma_ros.models.transformers.runtime import on_threads
from stma_ros.models.vision.description import InputDescription
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.preparation import colour_tensor, fit_of
from stma_ros.models.vision.transformers_loading import Pretrained
from stma_ros.models.vision.warm_up import grey_image, warm_up_time
from stma_ros.types.errors import ConfigurationError

Box = tuple[float, float, float, float]

_KINDS = ("sam2", "sam2_video")  # published files are those of the network for videos, which contain this one
_MEAN, _STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet, as in all published networks
_BOXES = 64  # decoded at once
_WARM_UP = 480, 640  # height and width of the image


class BoxMasks:
    """Turns boxes into masks.

    Images are prepared here, since the library's own preparation for SAM 2 needs torchvision.

    Attributes:
        frame_time: Time for one image with one box after the warm-up [s].
    """

    def __init__(self, model: Path | str, *, device: str = "cpu", threads: int = 1) -> None:
        """Loads and warms up the network.

        Args:
            model: A folder, or a name on the hub as owner/name.
            device: "cpu" or "cuda".
            threads: Threads of one operation on the CPU.

        Raises:
            ConfigurationError: The network or the device cannot be used, or it is not SAM 2.
            MissingDependencyError: A library is not installed.
        """
        files = Pretrained(model)
        if files.config.model_type not in _KINDS:
            raise ConfigurationError(
                f"the {files.config.model_type} in {files} makes no masks of boxes; take one of SAM 2 "
                f"({', '.join(_KINDS)})"
            )
        from transformers import AutoModelForMaskGeneration

        self._network = files.network(AutoModelForMaskGeneration.from_pretrained, device)
        self._threads = threads
        side = self._network.config.prompt_encoder_config.image_size
        height, width = (side, side) if isinstance(side, int) else side
        self._input = InputDescription("pixel_values", width, height, mean=_MEAN, std=_STD)
        grey = grey_image(*_WARM_UP).colour
        box = (0.25 * _WARM_UP[1], 0.25 * _WARM_UP[0], 0.75 * _WARM_UP[1], 0.75 * _WARM_UP[0])
        try:
            self.frame_time = warm_up_time(lambda: self.masks(grey, [box]))
        except NetworkError as error:
            raise ConfigurationError(f"{files}: {error}") from error

    def masks(self, colour: NDArray[np.uint8], boxes: Sequence[Box]) -> list[NDArray[np.bool_]]:
        """Returns the mask (H, W) of the thing in each box, which may be empty and reach beyond its box.

        Args:
            colour: (H, W, 3) uint8 sRGB.
            boxes: Left, top, right and bottom edges [px].

        Raises:
            NetworkError: The network does not run.
        """
        if not boxes:
            return []
        import torch

        fit = fit_of(colour.shape, self._input)
        scale = np.array((fit.scale_x, fit.scale_y) * 2)
        made: list[NDArray[np.bool_]] = []
        try:
            with on_threads(self._threads), torch.inference_mode():
                device = self._network.device
                pixels = torch.from_numpy(colour_tensor(colour, fit, self._input)).to(device)
                image = self._network.get_image_embeddings(pixels)
                prompts = torch.from_numpy((np.array(boxes) * scale).astype(np.float32)).to(device)
                for some in prompts.split(_BOXES):
                    found = self._network(
                        image_embeddings=image, input_boxes=some[None], multimask_output=False
                    )
                    made.extend(_in_image(logits, colour.shape[:2]) for logits in found.pred_masks[0])
        except Exception as error:  # torch and transformers have no base of their errors in common
            cause = one_line(error)
            raise NetworkError(f"the network for masks does not run: {cause}") from error
        return made


def _in_image(logits: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Returns where the logits (1, h, w) of a mask, enlarged to the image (H, W), are positive."""
    import torch

    enlarged = torch.nn.functional.interpolate(logits[None], shape, mode="bilinear", align_corners=False)
    mask: NDArray[np.bool_] = (enlarged[0, 0] > 0).cpu().numpy()
    mask.flags.writeable = False
    return mask
