"""Tests of masks of boxes: a small SAM 2, and networks whose boxes get masks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch", reason="masks need torch: make models")
pytest.importorskip("transformers", reason="masks need transformers: make models")

import torch
import transformers

from stma_ros.models.vision.box_masks import Box, BoxMasks
from stma_ros.models.vision.errors import NetworkError
from stma_ros.models.vision.masked_network import MaskedNetwork
from stma_ros.models.vision.network import BoxedObject, NetworkImage, NetworkOutput
from stma_ros.types.errors import ConfigurationError
from support.models.small_detectors import SAM, SAM_SIDE, noise, saved_detector

BOXES: list[Box] = [(5, 5, 30, 40), (10, 10, 70, 50), (0, 0, 80, 60)]


@pytest.fixture(scope="module", params=SAM)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_detector(request.param, tmp_path_factory.mktemp(request.param))


def test_masks_have_the_size_of_the_image_and_are_the_same_again(folder: Path) -> None:
    maker = BoxMasks(folder)
    masks = maker.masks(noise(1), BOXES)
    assert [mask.shape for mask in masks] == [(60, 80)] * 3
    assert any(mask.any() and not mask.all() for mask in masks)
    assert not any(mask.flags.writeable for mask in masks)
    for again in (maker.masks(noise(1), BOXES), BoxMasks(folder).masks(noise(1), BOXES)):
        assert all(np.array_equal(one, other) for one, other in zip(masks, again, strict=True))
    assert maker.frame_time > 0


def test_masks_are_those_of_the_library_for_the_image_at_the_size_of_the_network(folder: Path) -> None:
    network = transformers.AutoModelForMaskGeneration.from_pretrained(folder).eval()
    image = noise(2, SAM_SIDE, SAM_SIDE)
    pixels = (image / 255 - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    with torch.inference_mode():
        output = network(
            pixel_values=torch.tensor(pixels, dtype=torch.float32).permute(2, 0, 1)[None],
            input_boxes=torch.tensor([[[4.0, 8.0, 40.0, 60.0]]]),
            multimask_output=False,
        )
    (mask,) = BoxMasks(folder).masks(image, [(4, 8, 40, 60)])
    cells = mask.reshape(16, 4, 16, 4).mean(axis=(1, 3))  # the network has a logit for 4 x 4 pixels
    clear = output.pred_masks[0, 0, 0].abs() > output.pred_masks.abs().median()
    wanted = output.pred_masks[0, 0, 0] > 0
    assert (np.round(cells)[clear] == wanted.numpy()[clear]).mean() > 0.95


def test_boxes_move_with_an_image_of_another_size(folder: Path) -> None:
    maker = BoxMasks(folder)
    small = np.full((SAM_SIDE, SAM_SIDE, 3), (200, 30, 90), np.uint8)
    large = np.full((2 * SAM_SIDE, 4 * SAM_SIDE, 3), (200, 30, 90), np.uint8)
    (one,) = maker.masks(small, [(8, 8, 40, 40)])
    (other,) = maker.masks(large, [(32, 16, 160, 80)])
    assert (other[1::2, 2::4] == one).mean() > 0.95


def test_more_boxes_than_are_decoded_at_once_have_the_masks_that_they_have_alone(folder: Path) -> None:
    maker = BoxMasks(folder)
    masks = maker.masks(noise(4), BOXES * 30)
    assert len(masks) == 90
    for index in (0, 64, 89):
        (alone,) = maker.masks(noise(4), [BOXES[index % 3]])
        assert (masks[index] == alone).mean() > 0.999


def test_image_without_boxes_has_no_masks(folder: Path) -> None:
    assert BoxMasks(folder).masks(noise(1), []) == []


def test_network_that_makes_no_masks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"the detr in .* makes no masks of boxes; take one of SAM 2"
    ):
        BoxMasks(saved_detector("detr", tmp_path))


def test_network_of_one_box_that_fails_is_an_error_of_the_image(folder: Path) -> None:
    with pytest.raises(NetworkError, match="the network for masks does not run"):
        BoxMasks(folder).masks(np.zeros((4, 4, 7), np.uint8), BOXES)


class _Network:
    labels = ("mug",)
    geometry_size = 32, 24
    frame_time = 0.25

    def detect(self, images: Sequence[NetworkImage]) -> list[NetworkOutput]:
        objects = tuple(BoxedObject("mug", 0.5, box) for box in BOXES)
        return [NetworkOutput(objects[: len(image.colour)]) for image in images]


class _Maker:
    """Marks the upper left corner of the first box, and nothing of the others."""

    frame_time = 0.5

    def masks(self, colour: NDArray[np.uint8], boxes: Sequence[Box]) -> list[NDArray[np.bool_]]:
        made = [np.zeros(colour.shape[:2], bool) for _ in boxes]
        if made:
            made[0][0, 0] = True
        return made


def test_masked_network_gives_its_objects_masks_and_leaves_those_of_empty_ones_as_boxes() -> None:
    one = MaskedNetwork(_Network(), _Maker())
    images = [NetworkImage(np.zeros((rows, 5, 3), np.uint8)) for rows in (2, 0, 3)]
    outputs = one.detect(images)
    assert [len(output.objects) for output in outputs] == [2, 0, 3]
    masks = [item.mask for item in outputs[2].objects]
    assert masks[0] is not None
    assert masks[0].sum() == 1
    assert masks[1:] == [None, None]
    assert (one.labels, one.geometry_size, one.frame_time) == (("mug",), (32, 24), 0.75)
