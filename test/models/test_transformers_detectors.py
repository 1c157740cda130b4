"""Tests of detectors of transformers: small ones of each family, and folders and labels that do not fit."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch", reason="detectors of transformers need torch: make models")
pytest.importorskip("transformers", reason="detectors of transformers need transformers: make models")

import torch
import transformers

from stma_ros.models.vision.description import TransformersDescription
from stma_ros.models.vision.errors import LabelsError, NetworkError
from stma_ros.models.vision.network import BoxedObject, NetworkImage
from stma_ros.models.vision.transformers_heads import GroundingHead
from stma_ros.models.vision.transformers_network import TransformersNetwork
from stma_ros.types.errors import ConfigurationError, MissingDependencyError
from support.models.small_detectors import (
    CLOSED,
    FIRST_WORD,
    LABELS,
    LONGEST,
    WITH_TEXTS,
    change,
    letter_tokenizer,
    noise,
    saved_detector,
)
from support.models.small_models import TEXT_ONLY, small_network

ALL = TransformersDescription(min_score=0.01, overlap=1.0)
"""Description with which almost every query of a small network is an object."""

Folders = Callable[[str], Path]


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Folders:
    """Returns the folder of a kind of detector, which no test changes."""
    made: dict[str, Path] = {}

    def folder(kind: str) -> Path:
        if kind not in made:
            made[kind] = saved_detector(kind, tmp_path_factory.mktemp(kind))
        return made[kind]

    return folder


def network(folder: Path, kind: str, **options: Any) -> TransformersNetwork:
    about = replace(ALL, labels=LABELS if kind in WITH_TEXTS else ())
    return TransformersNetwork(folder, about, **options)


def found(
    one: TransformersNetwork, *seeds: int, height: int = 60, width: int = 80
) -> list[list[BoxedObject]]:
    images = [NetworkImage(noise(seed, height, width)) for seed in seeds]
    return [list(output.objects) for output in one.detect(images)]


def difference(one: BoxedObject, other: BoxedObject) -> float:
    """Returns the largest difference of edges [px] and scores; infinite if the labels differ."""
    if one.label != other.label:
        return np.inf
    return float(np.abs(np.subtract((*one.box, one.score), (*other.box, other.score))).max())


@pytest.mark.parametrize("kind", [*CLOSED, *WITH_TEXTS])
class TestEachFamily:
    def test_detector_has_the_same_output_for_the_same_image_also_when_it_is_loaded_again(
        self, kind: str, folder_of: Folders
    ) -> None:
        one = network(folder_of(kind), kind)
        (first,), (other,), (again,) = found(one, 1), found(one, 2), found(one, 1)
        assert len(first) > 3
        assert first == again
        assert first != other
        assert found(network(folder_of(kind), kind), 1) == [first]
        assert one.frame_time > 0

    def test_images_of_a_batch_have_the_objects_that_they_have_alone(
        self, kind: str, folder_of: Folders
    ) -> None:
        alone, together = network(folder_of(kind), kind), network(folder_of(kind), kind, batch=2)
        images = [noise(1), noise(2), noise(3, 90, 70), noise(4)]
        wanted = [alone.detect([NetworkImage(image)])[0].objects for image in images]
        outputs = together.detect([NetworkImage(image) for image in images])
        for output, objects in zip(outputs, wanted, strict=True):
            # Images of one size are prepared to one size, so that no family pads: rounding alone is left.
            assert len(output.objects) == len(objects)
            assert all(min(difference(item, other) for other in output.objects) < 1e-3 for item in objects)

    @pytest.mark.parametrize("size", [(60, 80), (97, 41), (20, 120)])
    def test_boxes_lie_in_the_image_and_have_the_configured_labels(
        self, kind: str, size: tuple[int, int], folder_of: Folders
    ) -> None:
        one = network(folder_of(kind), kind)
        (objects,) = found(one, 5, height=size[0], width=size[1])
        assert one.labels == LABELS
        assert objects
        for item in objects:
            left, top, right, bottom = item.box
            assert 0 <= left < right <= size[1]
            assert 0 <= top < bottom <= size[0]
            assert item.label in LABELS
            assert 0 < item.score <= 1

    def test_boxes_and_scores_of_the_best_objects_are_those_of_the_library(
        self, kind: str, folder_of: Folders
    ) -> None:
        (objects,) = found(network(folder_of(kind), kind), 1)
        rows = read_by_library(folder_of(kind), kind, noise(1))
        assert objects[0].score == pytest.approx(rows[:, 0].max(), abs=1e-5)
        for item in objects[:3]:
            assert np.abs(rows - (item.score, *item.box)).max(axis=1).min() < 1e-3

    def test_objects_of_low_score_are_left_out(self, kind: str, folder_of: Folders) -> None:
        one = network(folder_of(kind), kind)
        (objects,) = found(one, 1)
        middle = objects[len(objects) // 2].score
        one.description = replace(one.description, min_score=middle)
        assert found(one, 1) == [[item for item in objects if item.score >= middle]]


def read_by_library(folder: Path, kind: str, image: np.ndarray) -> np.ndarray:
    """Returns (N, 5) score and box, within the image, of the objects as the library reads the output of a network."""
    processor = transformers.AutoImageProcessor.from_pretrained(folder, backend="pil")
    inputs: dict[str, Any] = dict(processor(images=image, return_tensors="pt"))
    load = transformers.AutoModelForObjectDetection
    if kind in WITH_TEXTS:
        load = transformers.AutoModelForZeroShotObjectDetection
        whole = transformers.AutoProcessor.from_pretrained(folder, backend="pil")
        inputs = dict(whole(images=image, text=[list(LABELS)], return_tensors="pt"))
    with torch.inference_mode():
        output = load.from_pretrained(folder)(**inputs)
    height, width = image.shape[:2]
    (found,) = processor.post_process_object_detection(output, threshold=0.0, target_sizes=[(height, width)])
    scores = found["scores"]
    if kind.endswith("grounding-dino"):  # the library takes the best token; a label has one or two here
        tokens = output.logits[0].sigmoid()
        labels = inputs["input_ids"][0].tolist()
        mug, dining = labels.index(FIRST_WORD), labels.index(FIRST_WORD + 1)
        scores = torch.stack([tokens[:, mug], tokens[:, dining : dining + 2].mean(dim=1)]).max(dim=0).values
        found["boxes"] = corners(output.pred_boxes[0]) * torch.tensor([width, height] * 2)
    edges = np.clip(found["boxes"].numpy(), 0, (width, height) * 2)
    return np.column_stack([scores.numpy(), edges])


def corners(boxes: Any) -> Any:
    return torch.cat([boxes[:, :2] - boxes[:, 2:] / 2, boxes[:, :2] + boxes[:, 2:] / 2], dim=1)


def test_detector_leaves_the_number_of_threads_of_the_process_as_it_was(folder_of: Folders) -> None:
    before = torch.get_num_threads()
    network(folder_of("detr"), "detr", threads=before + 1)
    assert torch.get_num_threads() == before


def test_boxes_of_one_class_that_overlap_are_suppressed_as_described(folder_of: Folders) -> None:
    every = network(folder_of("detr"), "detr")
    (objects,) = found(every, 1)
    every.description = replace(every.description, overlap=0.5)
    ((best, *others),) = found(every, 1)
    assert best == objects[0]
    assert len(others) < len(objects) - 1


class TestLabels:
    def test_labels_of_the_description_replace_those_of_the_configuration(self, folder_of: Folders) -> None:
        one = TransformersNetwork(folder_of("rt_detr"), replace(ALL, labels=("cup", "desk")))
        assert one.labels == ("cup", "desk")
        assert {item.label for item in found(one, 1)[0]} <= {"cup", "desk"}

    def test_other_number_of_labels_than_classes_is_refused_with_both(self, folder_of: Folders) -> None:
        with pytest.raises(LabelsError, match=r"3 are listed, but the network in .* has 2 classes"):
            TransformersNetwork(folder_of("rt_detr"), replace(ALL, labels=("a", "b", "c")))

    @pytest.mark.parametrize("kind", WITH_TEXTS)
    @pytest.mark.parametrize(
        ("labels", "says"),
        [((), "list what it is to look for"), (("mug", "mug"), "a text is listed twice")],
    )
    def test_missing_and_double_texts_are_refused(
        self, kind: str, labels: tuple[str, ...], says: str, folder_of: Folders
    ) -> None:
        with pytest.raises(LabelsError, match=says):
            TransformersNetwork(folder_of(kind), replace(ALL, labels=labels))

    @pytest.mark.parametrize(
        ("kind", "labels", "says"),
        [
            ("grounding-dino", ("mug.", "table"), r"'mug\.' has a full stop"),
            ("grounding-dino", ("mug", "\u200b"), r"no token of '\\u200b'"),
            ("grounding-dino", ("mug", "chair"), "no token of 'chair'"),
            (
                "grounding-dino",
                tuple(f"mug{' red' * number}" for number in range(8)),
                f"tokens, more than {LONGEST}; list fewer",
            ),
            (
                "owlv2",
                ("mug", "large red dining table"),
                r"'large red dining table' has \d+ tokens, more than 16",
            ),
        ],
    )
    def test_texts_that_a_network_cannot_read_are_refused(
        self, kind: str, labels: tuple[str, ...], says: str, folder_of: Folders
    ) -> None:
        with pytest.raises(LabelsError, match=says):
            TransformersNetwork(folder_of(kind), replace(ALL, labels=labels))

    @given(
        st.lists(st.text("mugdinatble ", min_size=1).filter(str.strip), min_size=1, max_size=6, unique=True)
    )
    def test_score_of_each_phrase_is_the_mean_over_its_own_tokens(self, labels: list[str]) -> None:
        head = GroundingHead(tuple(labels), letter_tokenizer(), 400, torch.device("cpu"))
        logits = torch.full((1, len(labels), 400), -torch.inf)
        start = 1  # after the token that begins the text
        for row, label in enumerate(labels):
            count = len("".join(label.split()))
            logits[0, row, start : start + count] = 0.0
            start += count + 1  # the full stop
        assert head.texts(3)["input_ids"].shape == (3, start + 1)
        assert head.scores(logits)[0].numpy() == pytest.approx(0.5 * np.eye(len(labels)), abs=1e-6)


class TestFolders:
    def test_folder_without_a_network_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigurationError, match=r"no network of transformers in .*config\.json"):
            TransformersNetwork(tmp_path, ALL)

    def test_language_model_is_refused_as_no_detector(self, tmp_path: Path) -> None:
        small_network(TEXT_ONLY).save_pretrained(tmp_path)
        with pytest.raises(ConfigurationError, match=rf"the {TEXT_ONLY} in .* is no detector of objects"):
            TransformersNetwork(tmp_path, ALL)

    @pytest.mark.parametrize(
        ("kind", "missing"),
        [
            ("rt_detr", "model.safetensors"),
            ("rt_detr", "preprocessor_config.json"),
            ("owlv2", "preprocessor_config.json"),
        ],
    )
    def test_network_that_lacks_a_file_is_refused(self, kind: str, missing: str, tmp_path: Path) -> None:
        (saved_detector(kind, tmp_path) / missing).unlink()
        with pytest.raises(ConfigurationError, match=r"cannot be loaded: .*give the folder of one"):
            network(tmp_path, kind)

    @pytest.mark.parametrize("kind", WITH_TEXTS)
    def test_network_without_the_vocabulary_of_its_texts_is_refused(self, kind: str, tmp_path: Path) -> None:
        (saved_detector(kind, tmp_path) / "tokenizer.json").unlink()
        with pytest.raises(LabelsError, match=r"no token of 'mug'; .*tokenizer\.json"):
            network(tmp_path, kind)

    def test_truncated_weights_are_refused(self, tmp_path: Path) -> None:
        weights = saved_detector("detr", tmp_path) / "model.safetensors"
        weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])
        with pytest.raises(ConfigurationError, match="cannot be loaded"):
            network(tmp_path, "detr")

    def test_weights_of_a_smaller_network_are_refused(self, tmp_path: Path) -> None:
        change(saved_detector("detr", tmp_path) / "config.json", decoder_layers=4)
        with pytest.raises(ConfigurationError, match=r"weights of the network .* are not among its files"):
            network(tmp_path, "detr")

    def test_classes_that_are_not_numbered_without_gaps_are_refused(self, tmp_path: Path) -> None:
        change(saved_detector("detr", tmp_path) / "config.json", id2label={"1": "mug", "2": "table"})
        with pytest.raises(ConfigurationError, match="are not 0, 1, 2"):
            network(tmp_path, "detr")

    def test_weights_that_are_no_numbers_are_refused_at_the_warm_up(self, tmp_path: Path) -> None:
        from safetensors.torch import load_file, save_file

        file = saved_detector("detr", tmp_path) / "model.safetensors"
        weights = load_file(file)
        weights["class_labels_classifier.bias"][:] = torch.nan
        save_file(weights, file, {"format": "pt"})
        with pytest.raises(ConfigurationError, match="scores that are no numbers"):
            network(tmp_path, "detr")

    def test_name_on_the_hub_is_refused_offline_with_the_way_to_get_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from huggingface_hub import constants

        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        with pytest.raises(ConfigurationError, match=r"`hf download nobody/nothing --local-dir FOLDER`"):
            TransformersNetwork("nobody/nothing", ALL)

    def test_name_on_the_hub_is_taken_from_the_cache_without_a_connection(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from huggingface_hub import constants

        revision = "0" * 40
        stored = tmp_path / "models--lab--small"
        saved_detector("detr", stored / "snapshots" / revision)
        (stored / "refs").mkdir()
        (stored / "refs" / "main").write_text(revision)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
        assert TransformersNetwork("lab/small", ALL).labels == LABELS


class TestMachine:
    def test_missing_gpu_is_refused_with_what_to_take(
        self, folder_of: Folders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if torch.cuda.is_available():
            monkeypatch.setattr(torch, "empty", _no_gpu)
        with pytest.raises(
            ConfigurationError, match=r"no device 'cuda' here: .*take cpu, or install a torch with CUDA"
        ):
            network(folder_of("detr"), "detr", device="cuda")

    @pytest.mark.parametrize("missing", ["torch", "transformers"])
    def test_missing_library_is_reported_with_its_extra(
        self, missing: str, folder_of: Folders, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        folder = folder_of("detr")
        monkeypatch.setitem(sys.modules, missing, None)
        with pytest.raises(MissingDependencyError, match=rf"{missing}.*stma_ros\[models\].*make models"):
            network(folder, "detr")

    def test_missing_library_of_a_single_network_is_named(self, tmp_path: Path) -> None:
        change(
            saved_detector("detr", tmp_path) / "config.json",
            backbone="resnet50",
            use_timm_backbone=True,
            backbone_config=None,
        )
        with pytest.raises(MissingDependencyError, match=r"timm.*install it"):
            network(tmp_path, "detr")

    def test_image_that_the_network_cannot_take_is_an_error_of_that_image(self, folder_of: Folders) -> None:
        one = network(folder_of("detr"), "detr")
        with pytest.raises(NetworkError, match="the network does not run"):
            one.detect([NetworkImage(np.zeros((0, 5, 3), np.uint8))])
        assert len(found(one, 1)) == 1


def _no_gpu(*_: object, **__: object) -> None:
    raise RuntimeError("no GPU")
